/* The integer master: the selection engine on those clauses of the pool that may be part of a
 * better rule. At the LP's solution a rule that holds clause k loses at least the LP's value and
 * the reduced cost of k, so clauses whose reduced cost takes it to the incumbent are left out. Of
 * those that stay no more are taken than the selection can use, the cheapest first. */
#include "brcg/brcg.h"
#include "state/effort.h"
#include <stdlib.h>

typedef struct candidate {
  int64_t worth; /* at the prices */
  uint32_t k;
} candidate;

static int compare_candidates(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* Candidates, best first. */
static uint32_t list_candidates(irl_brcg *cg, candidate *list) {
  const irl_learn_rule *best = &cg->learner->best;
  const int64_t unit = irl_brcg_unit(cg, (int64_t)1 << 16);
  irl_brcg_set_prices(cg, &cg->now, unit);
  const double gap = (double)best->loss - cg->value;
  const int64_t slack = (int64_t)(gap / (double)cg->control_weight * (double)unit) + 1;
  const int64_t least = cg->prices.clause + cg->prices.complexity - slack;
  uint32_t n = 0;
  for (uint32_t k = 0; k < cg->pool->n; k++) {
    const candidate c = {irl_brcg_worth(cg, k), k};
    if (c.worth >= least) list[n++] = c;
  }
  cg->learner->work += cg->pool->n * (cg->data->cases.stride + cg->data->controls.stride);
  assert(n <= cg->pool->n);
  qsort(list, n, sizeof *list, compare_candidates);
  return n < IRL_EFFORT_CANDIDATES ? n : IRL_EFFORT_CANDIDATES;
}

irl_status irl_brcg_select(irl_brcg *cg, irl_select_problem *problem, uint64_t max_work,
                           uint32_t *chosen, irl_select_result *result) {
  irl_learner *learner = cg->learner;
  const irl_limit part = irl_learner_sublimit(learner, max_work);
  problem->max_literals = learner->settings.max_literals;
  problem->max_complexity = learner->settings.max_complexity;
  problem->case_weight = cg->case_weight;
  problem->control_weight = cg->control_weight;
  problem->is_hamming = true;
  problem->to_beat = learner->best.loss;
  problem->threads = learner->settings.threads;
  const irl_status status = irl_select_solve(learner->env, problem, &part, chosen, result);
  if (status) return status;
  assert(result->n <= cg->K && result->n <= IRL_LEARN_MAX_K);
  learner->work += result->work;
  learner->nodes += result->nodes;
  return IRL_OK;
}

irl_status irl_brcg_restricted_mip(irl_brcg *cg, uint64_t max_work) {
  irl_learner *learner = cg->learner;
  irl_env *env = learner->env;
  irl_arena arena;
  irl_bits_matrix cases = {0}, controls = {0};
  irl_status status = IRL_OK;
  irl_arena_init(&arena, &env->allocator);
  candidate *list = irl_arena_alloc(&arena, cg->pool->n, sizeof *list);
  const uint32_t n = list && cg->K ? list_candidates(cg, list) : 0;
  uint32_t *sizes = irl_arena_alloc(&arena, n, sizeof *sizes);
  if (!list || !sizes) status = irl_fail_memory(env);
  if (status || !n) goto done;
  status = irl_bits_matrix_init(env, &cases, n, cg->data->n_cases);
  if (!status) status = irl_bits_matrix_init(env, &controls, n, cg->data->n_controls);
  if (status) goto done;
  for (uint32_t i = 0; i < n; i++) {
    memcpy(irl_bits_vector(&cases, i), irl_bits_vector(&cg->pool->cases, list[i].k),
           cases.stride * sizeof(uint64_t));
    memcpy(irl_bits_vector(&controls, i), irl_bits_vector(&cg->pool->controls, list[i].k),
           controls.stride * sizeof(uint64_t));
    sizes[i] = cg->pool->sizes[list[i].k];
  }
  irl_select_problem problem;
  irl_select_result result;
  irl_learn_rule rule = {.n = 0};
  bool is_better;
  irl_select_problem_init(&problem, &cases, &controls, cg->K);
  problem.sizes = sizes;
  status = irl_brcg_select(cg, &problem, max_work, rule.clauses, &result);
  if (status) goto done;
  rule.n = result.n;
  for (uint32_t i = 0; i < rule.n; i++) rule.clauses[i] = list[rule.clauses[i]].k;
  status = irl_learner_offer(learner, &rule, &is_better);
  if (!status && is_better) irl_learner_log(learner, "choose", UINT64_MAX);
done:
  irl_bits_matrix_free(&cases);
  irl_bits_matrix_free(&controls);
  irl_arena_free(&arena);
  return status;
}
