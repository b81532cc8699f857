/* What a fit is asked for beside the rule, from resampled data. Each puts what it finds into the
 * result; `rows` are the training samples. */
#ifndef IRL_VALIDATE_FIT_EXTRAS_H
#define IRL_VALIDATE_FIT_EXTRAS_H

#include "validate/hold_out.h"

/* Refuses what data and options leave no estimate of that method for. */
irl_status irl_fit_check_validate(irl_env *env, const irl_table *table, const irl_options *options,
                                  const irl_rows *rows);
/* Chooses the settings of the fit among those of the option tune, into `options`; what it chose by
 * belongs to the caller. */
irl_status irl_fit_tune(irl_env *env, const irl_table *table, const irl_limit *limit,
                        const irl_rows *rows, irl_options *options, irl_cv_result **tuning);
/* Says in the result what the choice lacks. */
void irl_fit_note_tuning(irl_env *env, const irl_options *options, irl_fit_result *result);

/* What the rule is worth on new samples. */
irl_status irl_fit_validate(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);

/* How often the literals and clauses of the rule come back in bootstrap resamples. */
irl_status irl_fit_resample(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);

/* Refuses groups of samples that span strata: labels are exchanged among groups of one stratum. */
irl_status irl_fit_check_permute(irl_env *env, const irl_table *table, const irl_rows *rows);
/* How many of the permutations reach as good an objective as the true labels. */
irl_status irl_fit_permute(irl_env *env, const irl_table *table, const irl_options *options,
                           const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);

#endif
