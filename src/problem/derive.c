/* Problems that a search poses on its way: the same rules on the same data, by another loss. */
#include "problem/problem.h"

#define MAX_SCALED (IRL_NO_LOSS / 64) /* of losses that are scaled up */

irl_problem irl_problem_weighted(const irl_problem *problem, int64_t case_weight,
                                 int64_t control_weight) {
  irl_problem derived = *problem;
  derived.case_weight = case_weight;
  derived.control_weight = control_weight;
  derived.is_hamming = false;
  derived.penalty = derived.clause_penalty = 0;
  derived.min_cases = 0;
  derived.max_controls = UINT64_MAX;
  return derived;
}

irl_problem irl_problem_aimed(const irl_problem *problem, int64_t case_weight,
                              int64_t control_weight, uint64_t budget) {
  irl_problem derived = irl_problem_weighted(problem, case_weight, control_weight);
  derived.is_hamming = problem->is_hamming;
  derived.max_controls = budget < problem->max_controls ? budget : problem->max_controls;
  return derived;
}

irl_problem irl_problem_within(const irl_problem *problem, uint64_t budget) {
  irl_problem derived = irl_problem_weighted(problem, irl_problem_first(problem, 0), 1);
  derived.max_controls = budget < problem->max_controls ? budget : problem->max_controls;
  return derived;
}

/* Losses are scaled up so far that clauses and literals are charged behind the point. */
irl_problem irl_problem_simplest(const irl_problem *problem, uint32_t K, bool *is_countable) {
  const int64_t most = (int64_t)K * problem->M; /* literals */
  const int64_t scale = K * (most + 1) + most + 1;
  const int64_t all = problem->case_weight * (int64_t)irl_problem_total(problem, 0) +
                      problem->control_weight * (int64_t)irl_problem_total(problem, 1);
  irl_problem derived = *problem;
  *is_countable = all <= MAX_SCALED / scale;
  derived.K = K;
  derived.case_weight *= scale;
  derived.control_weight *= scale;
  derived.penalty = derived.penalty * scale + 1;
  derived.clause_penalty = derived.clause_penalty * scale + most;
  return derived;
}

irl_problem irl_problem_on_merged(const irl_problem *problem) {
  const irl_merged *merged = &problem->merged;
  assert(irl_problem_is_simple(problem) && !problem->is_merged);
  irl_problem derived = irl_problem_weighted(problem, merged->weights[0] ? 1 : merged->weight[0],
                                             merged->weights[1] ? 1 : merged->weight[1]);
  derived.data = derived.whole = merged->data;
  derived.is_merged = true;
  return derived;
}

void irl_problem_put(irl_message *message, const irl_problem *problem) {
  assert(problem->is_merged);
  irl_merged_put(message, &problem->merged);
  irl_message_put_number(message, problem->K);
  irl_message_put_number(message, problem->M);
  irl_message_put_number(message, problem->max_literals);
}

irl_status irl_problem_get(irl_env *env, irl_message *message, irl_problem *problem) {
  irl_problem simple = {.max_controls = UINT64_MAX, .max_complexity = UINT64_MAX};
  const irl_status status = irl_merged_get(env, message, &simple.merged);
  simple.data = simple.merged.data;
  simple.K = (uint32_t)irl_message_get_number(message);
  simple.M = (uint32_t)irl_message_get_number(message);
  simple.max_literals = irl_message_get_number(message);
  *problem = status ? simple : irl_problem_on_merged(&simple);
  return status;
}
