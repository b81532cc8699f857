/* How often the literals and clauses of a rule come back in bootstrap resamples. */
#ifndef IRL_VALIDATE_RESAMPLE_H
#define IRL_VALIDATE_RESAMPLE_H

#include "validate/hold_out.h"

/* Of its random numbers: apart from those of cv, hold-outs, permutations and estimates. */
#define IRL_STABILITY_STREAM ((uint64_t)1 << 44)

/* Puts what the option `stability` asks for into the result. `rows`: the training samples. */
irl_status irl_fit_resample(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);

#endif
