/* What a rule is worth on new samples: the whole procedure, coding and search, on parts of the
 * samples, tested on the others. */
#ifndef IRL_VALIDATE_ESTIMATE_H
#define IRL_VALIDATE_ESTIMATE_H

#include "validate/cv.h"

/* 95 % intervals of the shares that an estimate has, by the method of Wilson and by square-and-add,
 * made wider because the rules of the parts differ. n: controls and cases, as many as independent
 * ones would be worth. */
void irl_estimate_intervals_of_parts(const irl_cv_score *scores, uint32_t n_parts,
                                     const double n[2], irl_estimate *estimate);

/* Sensitivity, specificity and their mean on the held-out samples of a fit, with these intervals.
 */
void irl_estimate_of_test(const irl_fit_result *result, irl_estimate *estimate);

/* The options by which rules of parts of the samples are learnt, on one thread each: those of the
 * fit, with the quick search unless another method is asked for. */
void irl_estimate_options(const irl_options *options, irl_options *own);

#endif
