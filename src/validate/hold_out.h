/* Learning from a table, and what the commands that learn share. */
#ifndef IRL_VALIDATE_HOLD_OUT_H
#define IRL_VALIDATE_HOLD_OUT_H

#include "base/json.h"
#include "learn/fit_result.h"
#include "table/raw_table.h"

/* Of a fraction of the samples: 0.29 of 100 is 29, though less in binary. */
#define IRL_FIT_ROUNDING 1e-6

/* Settings of a run from options. */
irl_status irl_fit_settings(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_learn_settings *settings);

/* What a checkpoint of this run belongs to, the learner being ready to run; fit_job.c. */
irl_status irl_fit_job(const irl_learner *learner, const irl_options *options, char **text);

/* As irl_fit, on data that were made of a table: what was held out is gone already. */
irl_status irl_fit_part(irl_env *env, const irl_data *data, const irl_options *options,
                        irl_fit_result **result);

/* Puts the rule to start from into a learner that is ready to run; fit_start.c. */
irl_status irl_fit_take_start(irl_learner *learner, const irl_rule *start);

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

/* Measures of the reflected problem in terms of the classes as they were given. */
void irl_evaluation_turn(irl_evaluation *evaluation);

/* Hold-out and permutations, in the open object or at the end of the text. */
void irl_fit_put_honest(irl_json *json, const irl_fit_result *result);
void irl_fit_print_honest(irl_text *text, const irl_fit_result *result);

/* Literals that could stand in the place of those of the rule. */
irl_status irl_fit_put_equivalents(irl_env *env, const irl_fit_result *result, irl_json *json);
irl_status irl_fit_print_equivalents(irl_env *env, const irl_fit_result *result, irl_text *text);

#endif
