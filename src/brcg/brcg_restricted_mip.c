/* The integer master: the selection engine on those clauses of the pool that may be part of a
 * better rule. At the LP's solution a rule that holds clause k loses at least the LP's value and
 * the reduced cost of k, so clauses whose reduced cost takes it to the incumbent are left out. Of
 * those that stay no more are taken than the selection can use, the cheapest first. */
#include "base/memory.h"
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
  qsort(list, n, sizeof *list, compare_candidates);
  return n < IRL_EFFORT_CANDIDATES ? n : IRL_EFFORT_CANDIDATES;
}

typedef struct chooser {
  irl_bits_matrix cases, controls;
  uint32_t *sizes;
} chooser;

static irl_status copy_covers(const irl_brcg *cg, const candidate *list, uint32_t n, chooser *c) {
  irl_env *env = cg->learner->env;
  irl_status status = irl_bits_matrix_init(env, &c->cases, n, cg->data->n_cases);
  if (!status) status = irl_bits_matrix_init(env, &c->controls, n, cg->data->n_controls);
  c->sizes = irl_mem_alloc(&env->allocator, n, sizeof *c->sizes);
  if (!status && !c->sizes) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) {
    memcpy(irl_bits_vector(&c->cases, i), irl_bits_vector(&cg->pool->cases, list[i].k),
           c->cases.stride * sizeof(uint64_t));
    memcpy(irl_bits_vector(&c->controls, i), irl_bits_vector(&cg->pool->controls, list[i].k),
           c->controls.stride * sizeof(uint64_t));
    c->sizes[i] = cg->pool->sizes[list[i].k];
  }
  return status;
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
  assert(result->n <= cg->K);
  learner->work += result->work;
  learner->nodes += result->nodes;
  return IRL_OK;
}

static irl_status select_rule(irl_brcg *cg, const candidate *list, const chooser *c,
                              uint64_t max_work) {
  irl_learner *learner = cg->learner;
  irl_select_problem problem;
  irl_select_result result;
  irl_learn_rule rule = {.n = 0};
  bool is_better;
  irl_select_problem_init(&problem, &c->cases, &c->controls, cg->K);
  problem.sizes = c->sizes;
  irl_status status = irl_brcg_select(cg, &problem, max_work, rule.clauses, &result);
  if (status) return status;
  rule.n = result.n;
  assert(rule.n <= IRL_LEARN_MAX_K);
  for (uint32_t i = 0; i < rule.n; i++) rule.clauses[i] = list[rule.clauses[i]].k;
  status = irl_learner_offer(learner, &rule, &is_better);
  if (!status && is_better) irl_learner_log(learner, "choose", UINT64_MAX);
  return status;
}

irl_status irl_brcg_restricted_mip(irl_brcg *cg, uint64_t max_work) {
  irl_env *env = cg->learner->env;
  chooser c = {.sizes = NULL};
  candidate *list = irl_mem_alloc(&env->allocator, cg->pool->n, sizeof *list);
  if (!list) return irl_fail_memory(env);
  const uint32_t n = cg->K ? list_candidates(cg, list) : 0;
  irl_status status = n ? copy_covers(cg, list, n, &c) : IRL_OK;
  if (n && !status) status = select_rule(cg, list, &c, max_work);
  irl_bits_matrix_free(&c.cases);
  irl_bits_matrix_free(&c.controls);
  irl_mem_free(&env->allocator, c.sizes);
  irl_mem_free(&env->allocator, list);
  return status;
}
