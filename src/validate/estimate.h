/* What a rule is worth on new samples: the whole procedure, coding and search, on parts of the
 * samples, tested on the others. */
#ifndef IRL_VALIDATE_ESTIMATE_H
#define IRL_VALIDATE_ESTIMATE_H

#include "validate/cv.h"
#include "validate/hold_out.h"
#include "validate/units.h"

/* Of the random numbers of folds and bags: apart from those of cv, hold-outs and permutations. */
#define IRL_ESTIMATE_STREAM ((uint64_t)1 << 43)

/* Sensitivity, specificity and their mean of counts, with 95 % intervals. */
void irl_estimate_of_counts(const irl_evaluation *e, irl_estimate *estimate);
/* The share and the mean of two of them by the method of Wilson and by square-and-add. */
void irl_estimate_intervals(double cases, double controls, irl_estimate *estimate);
/* These, and that the rules of the parts differ; n: controls and cases, as many as independent ones
 * would be worth. */
void irl_estimate_intervals_of_parts(const irl_cv_score *scores, uint32_t n_parts,
                                     const double n[2], irl_estimate *estimate);

/* Those of the held-out samples of a fit. */
void irl_estimate_of_test(const irl_fit_result *result, irl_estimate *estimate);

/* Samples to draw from, in units, and their labels. */
typedef struct irl_bags {
  const irl_rows *rows;
  const irl_units *units;
  const uint8_t *labels;
} irl_bags;
/* Samples drawn with replacement, as many units as there are; if the rule is tested, on those that
 * were not drawn. Drawn again until both classes are in each. */
irl_status irl_estimate_draw_bag(irl_env *env, const irl_bags *from, irl_random *random,
                                 bool is_tested, irl_split *split);

/* The options by which rules of parts of the samples are learnt, on one thread each: those of the
 * fit, with the quick search unless another method is asked for. */
void irl_estimate_options(const irl_options *options, irl_options *own);
/* Refuses what data and options leave no estimate of that method for. `rows`: the training samples.
 */
irl_status irl_fit_check_validate(irl_env *env, const irl_table *table, const irl_options *options,
                                  const irl_rows *rows);
/* Puts the estimate that the options ask for into the result. `rows`: the training samples. */
irl_status irl_fit_validate(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);

#endif
