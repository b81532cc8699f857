#include "clause/clause_problem.h"

void irl_clause_problem_init(irl_clause_problem *problem, const irl_data *data) {
  *problem = (irl_clause_problem){.data = data,
                                  .case_weight = 1,
                                  .max_cost = INT64_MAX,
                                  .max_size = 3,
                                  .min_cases = 1,
                                  .groups = data->groups};
}

/* Sums of all weights stay below 2^60, so that no sum or difference in the search overflows. */
static irl_status check_weights(irl_env *env, const char *class, const int64_t *weights,
                                int64_t weight, uint32_t n) {
  const int64_t most = (int64_t)1 << 60;
  int64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    const int64_t w = weights ? weights[i] : weight;
    if (w < 0)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "weight of %s %u is negative: %lld", class, i,
                      (long long)w);
    if (w > most - sum)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "weights of the %ss add up to more than 2^60",
                      class);
    sum += w;
  }
  return IRL_STATUS_OK;
}

irl_status irl_clause_problem_check(irl_env *env, const irl_clause_problem *problem) {
  const irl_data *data = problem->data;
  if (problem->max_size < 1 || problem->max_size > IRL_CLAUSE_MAX)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "M is %u, not 1 to %u", problem->max_size,
                    IRL_CLAUSE_MAX);
  irl_status status =
      check_weights(env, "case", problem->case_weights, problem->case_weight, data->n_cases);
  if (!status)
    status = check_weights(env, "control", problem->control_weights, problem->control_weight,
                           data->n_controls);
  return status;
}

bool irl_clause_better(const irl_clause *a, const irl_clause *b) {
  assert(a->n <= IRL_CLAUSE_MAX && b->n <= IRL_CLAUSE_MAX);
  if (a->value != b->value) return a->value > b->value;
  if (a->n != b->n) return a->n < b->n;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i];
  return false;
}

#ifndef NDEBUG
bool irl_clause_is_ascending(const irl_clause *clause) {
  for (uint32_t i = 1; i < clause->n; i++)
    if (clause->literals[i] <= clause->literals[i - 1]) return false;
  return clause->n <= IRL_CLAUSE_MAX;
}
#endif

void irl_clause_sort_literals(irl_clause *clause) {
  assert(clause->n <= IRL_CLAUSE_MAX);
  for (uint32_t i = 1; i < clause->n; i++) {
    const uint32_t literal = clause->literals[i];
    uint32_t j = i;
    for (; j && clause->literals[j - 1] > literal; j--)
      clause->literals[j] = clause->literals[j - 1];
    clause->literals[j] = literal;
  }
  assert(irl_clause_is_ascending(clause));
}
