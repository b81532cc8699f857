#include "base/env.h"
#include "problem/problem.h"

#define MAX_PRODUCT 0x1p62 /* of a loss and the number of clauses */

/* The largest sum that any rule of K clauses can pay. */
static double largest_loss(const irl_problem *problem) {
  return (double)problem->case_weight * (double)irl_data_total(problem->data, 0) +
         (double)problem->control_weight * (double)irl_data_total(problem->data, 1) *
             (problem->is_hamming ? problem->K : 1) +
         (double)problem->penalty * problem->K * (1.0 + problem->M);
}

/* The largest loss must be below that of no rule, and searches multiply by numbers of clauses. */
irl_status irl_problem_check(irl_env *env, const irl_problem *problem) {
  const double largest = largest_loss(problem);
  assert(problem->K && problem->K <= IRL_MAX_K);
  assert(problem->case_weight > 0 && problem->control_weight > 0 && problem->penalty >= 0);
  if (largest < (double)IRL_NO_LOSS && problem->K * largest < MAX_PRODUCT) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "the loss of a rule could be too large to be counted: fewer clauses, unit "
                  "weights, %sno penalty would do",
                  irl_data_has_weights(problem->data) ? "sample weights of fewer digits or "
                                                      : "or ");
}

int64_t irl_problem_loss(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts) {
  const uint64_t paid = problem->is_hamming ? counts->control_covers : counts->controls;
  if (counts->cases < problem->min_cases || counts->controls > problem->max_controls ||
      counts->literals > problem->max_literals || n + counts->literals > problem->max_complexity)
    return IRL_NO_LOSS;
  return problem->case_weight * (int64_t)(irl_data_total(problem->data, 0) - counts->cases) +
         problem->control_weight * (int64_t)paid +
         problem->penalty * (int64_t)(n + counts->literals);
}

int64_t irl_problem_first(const irl_problem *problem, int class) {
  const uint64_t wanted = irl_data_total(problem->data, !class) + 1;
  const uint64_t most =
      (uint64_t)IRL_NO_LOSS / 2 / problem->K / (irl_data_total(problem->data, class) + 1);
  return (int64_t)(wanted < most ? wanted : most + 1);
}

int64_t irl_problem_cost(const irl_problem *problem, uint32_t n_literals) {
  return problem->penalty * (1 + (int64_t)n_literals);
}

int64_t irl_problem_max_loss(const irl_problem *problem) {
  const int64_t K = problem->K;
  return problem->case_weight * (int64_t)irl_data_total(problem->data, 0) +
         problem->control_weight * (int64_t)irl_data_total(problem->data, 1) *
             (problem->is_hamming ? K : 1) +
         K * irl_problem_cost(problem, problem->M) + 1;
}

bool irl_problem_pays_each(const irl_problem *problem) {
  return problem->is_hamming;
}

bool irl_problem_limits_size(const irl_problem *problem) {
  return problem->max_literals != UINT64_MAX || problem->max_complexity != UINT64_MAX;
}

bool irl_problem_allows_size(const irl_problem *problem, uint32_t n, uint64_t literals) {
  return n <= problem->K && literals <= problem->max_literals &&
         n + literals <= problem->max_complexity;
}

bool irl_problem_counts_literals(const irl_problem *problem) {
  return irl_problem_limits_size(problem) || problem->penalty;
}

bool irl_problem_is_simple(const irl_problem *problem) {
  return !problem->is_hamming && !problem->penalty && !problem->min_cases &&
         problem->max_controls >= irl_data_total(problem->data, 1) &&
         problem->max_complexity == UINT64_MAX;
}

double irl_problem_objective(const irl_problem *problem, int64_t loss) {
  return (double)loss / problem->divisor;
}
