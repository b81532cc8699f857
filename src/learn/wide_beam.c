/* A wide beam, where clauses that chance made are as good as those that matter (few samples, many
 * literals): then no search for single clauses can tell them apart, and what a search keeps is a
 * few of very many. Only together do the right ones show, because they cover different cases. So a
 * wide pass collects thousands of clauses within the least budget, and from these the best choices
 * of K, K - 1 and K - 2 clauses are made. The smaller choices leave room for what the pass cannot
 * see: a clause with few cases stands out only among the cases that the others leave. */
#include "clause/problem.h"
#include "learn/learn.h"
#include "state/effort.h"
#include <math.h>

irl_status irl_learn_wide_beam(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_data *data = learner->data;
  /* As wide as work and memory allow, after a pass over all pairs. */
  const double literals = (double)data->n_features * (settings->negations ? 2 : 1);
  const double words = (double)(data->cases.stride + data->controls.stride);
  const double pairs = literals * literals / 2 * words;
  const double width = ((double)IRL_EFFORT_WIDE - pairs) / (literals * words * 1.5);
  const double most =
      (double)(irl_learner_affords(learner, IRL_EFFORT_WIDE_MAX_WIDTH * IRL_EFFORT_WIDE_BYTES) /
               IRL_EFFORT_WIDE_BYTES);
  const irl_learn_subproblem problem = {.case_weight = (int64_t)data->n_controls + 1,
                                        .control_weight = 1,
                                        .budget = settings->n_budgets ? settings->budgets[0] : 0,
                                        .max_work = UINT64_MAX,
                                        .width = (uint32_t)fmax(0, fmin(width, most)),
                                        .n_wanted = IRL_EFFORT_WIDE_FOUND};
  irl_learn_generated result;
  if (irl_learner_is_done(learner) || problem.width < IRL_EFFORT_WIDE_MIN_WIDTH ||
      settings->M < 3 || !irl_learn_is_doubtful(learner))
    return IRL_STATUS_OK;
  const bool outer = learner->allowance.is_doubtful;
  irl_learner_set_doubtful(learner, true); /* so it may go far */
  irl_status status = irl_learner_generate(learner, &problem, &result);
  for (uint32_t n_left = 0; n_left <= IRL_EFFORT_WIDE_LEFT && n_left < settings->K && !status;
       n_left++) {
    if (irl_learner_is_done(learner)) break;
    /* A choice of K - n_left clauses, then of K with what is found for the cases it leaves. */
    irl_learn_rule rule = {.n = 0};
    status = irl_learner_select_few(learner, problem.budget, settings->K - n_left, &rule);
    for (uint32_t i = 0; i < IRL_EFFORT_WIDE_ROUNDS && !status && !irl_learner_is_done(learner);
         i++) {
      status = irl_learner_offer_logged(learner, &rule, "wide", problem.budget);
      if (status || !irl_learner_uncovered(learner, &rule, IRL_LEARN_MAX_K)) break;
      status = irl_learner_generate_within(learner, learner->live_cases, problem.budget,
                                           IRL_EFFORT_GENERATE, &result);
      if (status || !result.n_new) break;
      const uint64_t before = rule.tp;
      status = irl_learner_select(learner, problem.budget, &rule);
      if (!n_left && rule.tp <= before) break;
    }
    if (!status) status = irl_learner_offer_logged(learner, &rule, "wide", problem.budget);
  }
  irl_learner_set_doubtful(learner, outer);
  return status;
}
