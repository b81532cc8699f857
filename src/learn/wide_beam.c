/* A wide beam, where clauses that chance made are as good as those that matter (few samples, many
 * literals): then no search for single clauses can tell them apart, and what a search keeps is a
 * few of very many. Only together do the right ones show, because they cover different cases. So a
 * wide pass collects thousands of clauses by likelihood, and from these the most likely choices of
 * K, K - 1 and K - 2 clauses are made. The smaller choices leave room for what the pass cannot see:
 * a clause with few cases stands out only among the cases that the others leave. */
#include "clause/problem.h"
#include "learn/learn.h"
#include "state/effort.h"
#include <math.h>

/* As wide as work and memory allow, after a pass over all pairs. */
static uint32_t find_width(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const double literals = (double)data->n_features * (learner->settings.negations ? 2 : 1);
  const double words = (double)(data->cases.stride + data->controls.stride);
  assert(literals > 0 && words > 0);
  const double pairs = literals * literals / 2 * words;
  const double width = ((double)IRL_EFFORT_WIDE - pairs) / (literals * words * 1.5);
  const double most =
      (double)(irl_learner_affords(learner, IRL_EFFORT_WIDE_MAX_WIDTH * IRL_EFFORT_WIDE_BYTES) /
               IRL_EFFORT_WIDE_BYTES);
  return (uint32_t)fmax(0, fmin(width, most));
}

/* Clauses for what a rule leaves, n of them. */
static irl_status generate_left(irl_learner *learner, const irl_learn_rule *rule, uint32_t n,
                                irl_learn_generated *result) {
  assert(n && n <= learner->settings.K && rule->n <= learner->settings.K);
  *result = (irl_learn_generated){0};
  irl_learn_left left = {irl_learner_uncovered(learner, rule, IRL_LEARN_MAX_K), 0, n};
  left.controls = irl_bits_kernels()->count(learner->live_controls, learner->data->controls.stride);
  if (!left.cases || !left.controls) return IRL_STATUS_OK;
  const irl_learn_subproblem problem = irl_learn_likelihood_problem(learner, &left);
  return irl_learner_generate(learner, &problem, result);
}

/* A choice of K - n_left clauses, then of K with what is found for the cases it leaves. */
static irl_status choose(irl_learner *learner, irl_learn_goal goal, uint32_t n_left) {
  const uint32_t K = learner->settings.K;
  irl_learn_rule rule = {.n = 0};
  irl_learn_generated result;
  assert(n_left < K); /* a choice of no clauses is none */
  goal.K = K - n_left;
  irl_status status = irl_learner_select_for(learner, &goal, &rule);
  goal.K = K;
  for (uint32_t i = 0; i < IRL_EFFORT_WIDE_ROUNDS && !status && !irl_learner_is_done(learner);
       i++) {
    const int64_t before = rule.loss;
    status = irl_learner_offer_logged(learner, &rule, "wide", goal.budget);
    if (!status) status = generate_left(learner, &rule, n_left ? n_left : 1, &result);
    if (status || !result.n_new) break;
    status = irl_learner_select_for(learner, &goal, &rule);
    if (!n_left && rule.loss >= before) break;
  }
  return status ? status : irl_learner_offer_logged(learner, &rule, "wide", goal.budget);
}

irl_status irl_learn_wide_beam(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_learn_left all = {learner->data->n_cases, learner->data->n_controls, settings->K};
  irl_learn_generated result;
  if (irl_learner_is_done(learner) || settings->M < 3 || !all.cases || !all.controls ||
      find_width(learner) < IRL_EFFORT_WIDE_MIN_WIDTH || !irl_learn_is_doubtful(learner))
    return IRL_STATUS_OK;
  irl_learn_subproblem problem = irl_learn_likelihood_problem(learner, &all);
  problem.live_cases = problem.live_controls = NULL;
  problem.max_work = UINT64_MAX;
  problem.width = find_width(learner);
  problem.n_wanted = IRL_EFFORT_WIDE_FOUND;
  if (settings->n_budgets) problem.budget = settings->budgets[0];
  const irl_learn_goal goal = {settings->K, settings->n_budgets ? settings->budgets[0] : UINT64_MAX,
                               problem.case_weight, problem.control_weight};
  const bool outer = learner->allowance.is_doubtful;
  irl_learner_set_doubtful(learner, true); /* so it may go far */
  irl_status status = irl_learner_generate(learner, &problem, &result);
  for (uint32_t n_left = 0; n_left <= IRL_EFFORT_WIDE_LEFT && n_left < settings->K && !status &&
                            !irl_learner_is_done(learner);
       n_left++)
    status = choose(learner, goal, n_left);
  irl_learner_set_doubtful(learner, outer);
  return status;
}
