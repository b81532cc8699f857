/* A fit, from options to a result; what the commands that learn share. */
#ifndef IRL_LEARN_FIT_H
#define IRL_LEARN_FIT_H

#include "learn/fit_result.h"

/* Of a fraction of the samples: 0.29 of 100 is 29, though less in binary. */
#define IRL_FIT_ROUNDING 1e-6

/* The problem and the settings of a run from options. */
irl_status irl_fit_settings(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_problem *problem, irl_learn_settings *settings);

/* Is there a feature that tells samples apart? */
bool irl_fit_has_choice(const irl_data *data);

/* What a checkpoint of this run belongs to, the learner being ready to run. */
irl_status irl_fit_job(const irl_learner *learner, const irl_options *options, char **text);

/* As irl_fit, within the limit of a job, on data that were made of a table: what was held out is
 * gone already. */
irl_status irl_fit_part(irl_env *env, const irl_data *data, const irl_options *options,
                        const irl_limit *limit, irl_fit_result **result);

/* Measures of the reflected problem in terms of the classes as they were given. */
void irl_evaluation_turn(irl_evaluation *evaluation);

#endif
