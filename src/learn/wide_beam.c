/* A wide beam, where clauses that chance made are as good as those that matter (few samples, many
 * literals): then no search for single clauses can tell them apart, and what a search keeps is a
 * few of very many. Only together do the right ones show, because they cover different cases. So a
 * wide pass collects thousands of clauses by likelihood, and from these the most likely choices of
 * K, K - 1 and K - 2 clauses are made. The smaller choices leave room for what the pass cannot see:
 * a clause with few cases stands out only among the cases that the others leave. */
#include "clause/clause_problem.h"
#include "learn/learn.h"
#include <math.h>

#define CLAUSE_BYTES ((size_t)1 << 10) /* that a clause of the beam takes */
#define MOST_BYTES   (1000000 * CLAUSE_BYTES)

/* As wide as work and memory allow, after a pass over all pairs. */
static uint32_t find_width(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const double literals = (double)data->n_features * (learner->problem.negations ? 2 : 1);
  const double words = (double)(data->cases.stride + data->controls.stride);
  assert(literals > 0 && words > 0);
  const double pairs = literals * literals / 2 * words;
  const double width =
      (20.0 * (double)learner->search.settings.tuning.generate - pairs) / (literals * words * 1.5);
  const double most = (double)(irl_search_affords(&learner->search, MOST_BYTES) / CLAUSE_BYTES);
  return (uint32_t)fmax(0, fmin(width, most));
}

/* Clauses for what a rule leaves, n of them. */
static irl_status generate_left(irl_learner *learner, const irl_search_rule *rule, uint32_t n,
                                irl_generated *result) {
  assert(n && n <= learner->problem.K && rule->n <= learner->problem.K);
  *result = (irl_generated){0};
  const irl_kernels *kernels = irl_bits_kernels();
  irl_learner_uncovered(learner, rule, IRL_MAX_K);
  const irl_learn_left left = {
      kernels->count(learner->live_cases, learner->data->cases.stride),
      kernels->count(learner->live_controls, learner->data->controls.stride), n};
  if (!left.cases || !left.controls) return IRL_STATUS_OK;
  const irl_subproblem problem = irl_learn_likelihood_problem(learner, &left);
  return irl_search_generate(&learner->search, &problem, result);
}

/* A choice of K - n_left clauses, then of K with what is found for the cases it leaves. */
static irl_status choose(irl_learner *learner, irl_problem goal, uint32_t n_left) {
  const uint32_t K = learner->problem.K;
  irl_search_rule rule = {.n = 0};
  irl_generated result;
  assert(n_left < K); /* a choice of no clauses is none */
  goal.K = K - n_left;
  irl_status status = irl_search_select_for(&learner->search, &goal, &rule);
  goal.K = K;
  for (uint32_t i = 0; i < learner->search.settings.tuning.wide_rounds && !status &&
                       !irl_search_is_done(&learner->search);
       i++) {
    const int64_t before = rule.loss;
    status = irl_search_offer_logged(&learner->search, &rule, "wide", goal.max_controls);
    if (!status) status = generate_left(learner, &rule, n_left ? n_left : 1, &result);
    if (status || !result.n_new) break;
    status = irl_search_select_for(&learner->search, &goal, &rule);
    if (!n_left && rule.loss >= before) break;
  }
  return status ? status
                : irl_search_offer_logged(&learner->search, &rule, "wide", goal.max_controls);
}

irl_status irl_learn_wide_beam(irl_learner *learner) {
  const irl_tuning *tuning = &learner->search.settings.tuning;
  const irl_learn_settings *settings = &learner->settings;
  const irl_learn_left all = {learner->data->n_cases, learner->data->n_controls,
                              learner->problem.K};
  irl_generated result;
  if (irl_search_is_done(&learner->search) || learner->problem.M < 3 || !all.cases ||
      !all.controls || find_width(learner) < tuning->wide_width || !irl_learn_is_doubtful(learner))
    return IRL_STATUS_OK;
  irl_subproblem problem = irl_learn_likelihood_problem(learner, &all);
  problem.live_cases = problem.live_controls = NULL;
  problem.max_work = UINT64_MAX;
  problem.width = find_width(learner);
  problem.n_wanted = (uint32_t)(tuning->wide_width + 1) / 2;
  if (settings->n_budgets) problem.goal.max_controls = settings->budgets[0];
  const irl_problem goal =
      irl_problem_aimed(&learner->problem, problem.goal.case_weight, problem.goal.control_weight,
                        settings->n_budgets ? settings->budgets[0] : UINT64_MAX);
  const bool outer = learner->search.allowance.is_doubtful;
  irl_search_set_doubtful(&learner->search, true); /* so it may go far */
  irl_status status = irl_search_generate(&learner->search, &problem, &result);
  for (uint32_t n_left = 0; n_left < tuning->wide_rounds && n_left < learner->problem.K &&
                            !status && !irl_search_is_done(&learner->search);
       n_left++)
    status = choose(learner, goal, n_left);
  irl_search_set_doubtful(&learner->search, outer);
  return status;
}
