/* Samples that are held out, and what the commands that learn from parts of a table share. */
#ifndef IRL_VALIDATE_HOLD_OUT_H
#define IRL_VALIDATE_HOLD_OUT_H

#include "ireland_data.h"
#include "learn/fit.h"
#include "table/raw_table.h"

/* Samples to learn from and to test on, and the data that they make. */
typedef struct irl_split {
  irl_rows train_rows, test_rows;
  irl_data *train, *test;
  bool is_test_late; /* the test rows of genotypes that stay in their file are coded rule by rule */
} irl_split;

/* Of these rows (samples NULL: all of them) those whose part is `test` go there; UINT32_MAX: the
 * row goes nowhere. */
irl_status irl_split_make(irl_env *env, irl_split *split, const irl_rows *rows,
                          const uint32_t *part_of, uint32_t test);
/* The data of both, in the coding that the training samples give; without test rows none of these,
 * and none where they are late: then irl_rule_code_table makes what a rule asks for.
 * Samples that weigh more than once stand in the training data as often. There may be no feature at
 * all. */
irl_status irl_split_code(irl_env *env, const irl_table *table, const irl_options *options,
                          irl_split *split);
/* Forgets the data, to code the rows in another way. */
void irl_split_drop(irl_split *split);
/* The rows, with labels of their own if they have such, and the data. */
void irl_split_free(irl_env *env, irl_split *split);

/* How many parts of the samples may be learnt from at once: where the genotypes stay in their file
 * the data of a part are large, so it is one at a time, with all threads. */
static inline int irl_split_jobs(const irl_table *whole, int threads) {
  return whole->cell_file ? 1 : threads;
}

/* What is held out, by the options: nothing, or the share that they say. */
irl_status irl_split_hold_out(irl_env *env, const irl_table *table, const irl_options *options,
                              irl_split *split);
/* Data of both parts in the coding of the first. A table that is divided has its data. */
irl_status irl_split_make_data(irl_env *env, const irl_table *table, const irl_options *options,
                               irl_split *split);
/* The samples that a fit with these options learns from, without those that are held out, in their
 * coding; NULL stays in *data if the table is divided. */
irl_status irl_fit_training_data(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_data **data);

/* The labels of these samples of a table, a byte each: is it a case? */
void irl_fit_labels(const irl_table *table, const irl_rows *rows, uint8_t *labels);
/* Data of some rows in the coding that others give, NULL: all samples of the table. */
irl_status irl_fit_code_rows(irl_env *env, const irl_table *table, const irl_options *options,
                             const irl_rows *learnt_from, const irl_rows *rows, irl_data **data);
/* Which of the samples of the data, whose labels these are, the rule is right on. */
irl_status irl_fit_right(irl_env *env, const irl_rule *rule, const irl_data *data,
                         const uint8_t *labels, uint8_t *is_right);

#endif
