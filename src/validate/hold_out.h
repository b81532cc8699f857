/* Learning from a table, and what the commands that learn share. */
#ifndef IRL_VALIDATE_HOLD_OUT_H
#define IRL_VALIDATE_HOLD_OUT_H

#include "base/json.h"
#include "learn/fit.h"
#include "table/raw_table.h"

/* Samples to learn from and to test on, both in the coding that the first ones give. `test` may be
 * NULL. Samples that weigh more than once stand in the training data as often. There may be no
 * feature at all. */
irl_status irl_fit_split(irl_env *env, const irl_table *table, const irl_options *options,
                         const irl_rows *train_rows, const irl_rows *test_rows, irl_data **train,
                         irl_data **test);

/* The samples that a fit with these options learns from, without those that are held out, in their
 * coding; NULL stays in *data if that is the table's own plain data. */
irl_status irl_fit_training_data(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_data **data);

/* The labels of all samples of a table, a byte each; NULL: out of memory. */
uint8_t *irl_fit_labels(irl_env *env, const irl_table *table);

/* How many of the permutations reach as good an objective as the true labels; permute.c. */
irl_status irl_fit_permute(irl_env *env, const irl_table *table, const irl_options *options,
                           const irl_rows *rows, irl_fit_result *result);

/* Hold-out and permutations, in the open object or at the end of the text. */
void irl_fit_put_honest(irl_json *json, const irl_fit_result *result);
void irl_fit_print_honest(irl_text *text, const irl_fit_result *result);

/* Literals that could stand in the place of those of the rule. */
irl_status irl_fit_put_equivalents(irl_env *env, const irl_fit_result *result, irl_json *json);
irl_status irl_fit_print_equivalents(irl_env *env, const irl_fit_result *result, irl_text *text);

#endif
