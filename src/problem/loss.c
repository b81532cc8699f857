#include "base/env.h"
#include "problem/problem.h"
#include <math.h>

#define MAX_PRODUCT 0x1p62             /* of a loss and the number of clauses */
#define MAX_SCALED  (IRL_NO_LOSS / 64) /* of losses that are scaled up */
#define SAMPLE_WEIGHT                                                                              \
  0x1p24 /* the largest on a sample: its ratio to the others is kept to 7 digits */

/* The largest sum that any rule of K clauses can pay. */
static double largest_loss(const irl_problem *problem) {
  return (double)problem->case_weight * (double)irl_problem_total(problem, 0) +
         (double)problem->control_weight * (double)irl_problem_total(problem, 1) *
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

const irl_sample_weights *irl_problem_weights(const irl_problem *problem, int class) {
  return problem->is_merged ? &problem->merged.sums[class] : &problem->data->weights[class];
}

uint64_t irl_problem_total(const irl_problem *problem, int class) {
  const irl_sample_weights *weights = irl_problem_weights(problem, class);
  if (weights->each) return (uint64_t)weights->total;
  return class ? problem->data->n_controls : problem->data->n_cases;
}

bool irl_problem_allows_size(const irl_problem *problem, uint32_t n, uint64_t literals) {
  return n <= problem->K && literals <= problem->max_literals &&
         n + literals <= problem->max_complexity;
}

bool irl_problem_allows_cover(const irl_problem *problem, const irl_cover_counts *counts) {
  return counts->cases >= problem->min_cases && counts->controls <= problem->max_controls;
}

bool irl_problem_allows(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts) {
  return irl_problem_allows_cover(problem, counts) &&
         irl_problem_allows_size(problem, n, counts->literals);
}

int64_t irl_problem_loss(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts) {
  const uint64_t paid = problem->is_hamming ? counts->control_covers : counts->controls;
  if (!irl_problem_allows(problem, n, counts)) return IRL_NO_LOSS;
  return problem->case_weight * (int64_t)(irl_problem_total(problem, 0) - counts->cases) +
         problem->control_weight * (int64_t)paid + problem->clause_penalty * n +
         problem->penalty * (int64_t)(n + counts->literals);
}

uint64_t irl_problem_literal_budget(const irl_problem *problem, uint32_t n, uint64_t literals) {
  const uint64_t used = literals + n + 1;
  if (problem->max_literals <= literals || problem->max_complexity <= used) return 0;
  const uint64_t left = problem->max_literals - literals, other = problem->max_complexity - used;
  return left < other ? left : other;
}

int64_t irl_problem_cost(const irl_problem *problem, uint32_t n_literals) {
  return problem->clause_penalty + problem->penalty * (1 + (int64_t)n_literals);
}

int64_t irl_problem_clause_cost(const irl_problem *problem, uint32_t n_literals,
                                uint64_t controls) {
  const int64_t paid = problem->is_hamming ? problem->control_weight * (int64_t)controls : 0;
  return irl_problem_cost(problem, n_literals) + paid;
}

int64_t irl_problem_first(const irl_problem *problem, int class) {
  const uint64_t wanted = irl_problem_total(problem, !class) + 1;
  const uint64_t most =
      (uint64_t)IRL_NO_LOSS / 2 / problem->K / (irl_problem_total(problem, class) + 1);
  return (int64_t)(wanted < most ? wanted : most + 1);
}

int64_t irl_problem_max_loss(const irl_problem *problem) {
  const int64_t K = problem->K;
  return problem->case_weight * (int64_t)irl_problem_total(problem, 0) +
         problem->control_weight * (int64_t)irl_problem_total(problem, 1) *
             (problem->is_hamming ? K : 1) +
         K * irl_problem_cost(problem, problem->M) + 1;
}

bool irl_problem_counts_literals(const irl_problem *problem) {
  return problem->max_literals != UINT64_MAX || problem->max_complexity != UINT64_MAX ||
         problem->penalty;
}

bool irl_problem_shares_controls(const irl_problem *problem) {
  return !problem->is_hamming;
}

bool irl_problem_is_weighted(const irl_problem *problem) {
  return !problem->is_hamming && !problem->penalty;
}

bool irl_problem_has_floors(const irl_problem *problem) {
  return problem->min_cases || problem->max_controls < irl_problem_total(problem, 1);
}

const char *irl_problem_loss_name(const irl_problem *problem) {
  return problem->is_hamming ? "Hamming loss" : problem->penalty ? "penalised error" : NULL;
}

bool irl_problem_is_simple(const irl_problem *problem) {
  return irl_problem_is_weighted(problem) && !irl_problem_has_floors(problem) &&
         problem->max_complexity == UINT64_MAX;
}

double irl_problem_objective(const irl_problem *problem, int64_t loss) {
  return (double)loss / problem->divisor;
}

int64_t irl_problem_full_loss(const irl_problem *problem, int64_t loss) {
  return problem->is_merged ? irl_merged_loss(&problem->merged, loss) : loss;
}

/* ---- derived problems ---- */

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

irl_problem irl_problem_on_sample(const irl_problem *problem, const irl_data *data,
                                  const uint64_t n[2]) {
  irl_problem derived = *problem;
  assert(data->n_cases && data->n_cases <= n[0]);
  assert(data->n_controls && data->n_controls <= n[1]);
  const double weights[2] = {(double)problem->case_weight * (double)n[0] / data->n_cases,
                             (double)problem->control_weight * (double)n[1] / data->n_controls};
  const double mean = (double)(irl_data_total(data, 0) + irl_data_total(data, 1)) / data->n_samples;
  const double scale = SAMPLE_WEIGHT / fmax(weights[0], weights[1]) / mean;
  derived.case_weight = (int64_t)fmax(1, round(weights[0] * scale));
  derived.control_weight = (int64_t)fmax(1, round(weights[1] * scale));
  derived.penalty = (int64_t)round((double)problem->penalty * scale);
  derived.max_controls = irl_data_total(data, 1);
  derived.data = data;
  derived.merged = (irl_merged){0};
  return derived;
}
