/* The integer master: the selection engine on those clauses of the pool that may be part of a
 * better rule. At the LP's solution a rule that holds clause k loses at least the LP's value and
 * the reduced cost of k, so clauses whose reduced cost takes it to the incumbent are left out. Of
 * those that stay no more are taken than the selection can use, the cheapest first. */
#include "brcg/brcg.h"
#include "clause/enumerate.h"
#include <stdlib.h>

/* A choice of less loss than the best rule's. */
static irl_status select_clauses(irl_brcg *cg, const irl_clause_set *clauses, uint64_t max_work,
                                 uint32_t *chosen, irl_select_result *result) {
  irl_search *search = cg->search;
  const irl_limit part = irl_search_sublimit(search, max_work);
  irl_select_task task = irl_select_task_of(&cg->problem, clauses, search->settings.threads);
  task.to_beat = search->best.loss;
  const irl_status status = irl_select_solve(search->env, &task, &part, chosen, result);
  if (status) return status;
  assert(result->n <= cg->problem.K && result->n <= IRL_MAX_K);
  search->work += result->work;
  search->nodes += result->nodes;
  return IRL_STATUS_OK;
}

typedef struct candidate {
  int64_t worth; /* at the prices */
  uint32_t k;
} candidate;

static int compare_candidates(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
  return (a->k > b->k) - (a->k < b->k);
}

/* Candidates, best first. */
static uint32_t list_candidates(irl_brcg *cg, candidate *list) {
  const irl_search_rule *best = &cg->search->best;
  const int64_t unit = irl_brcg_unit(cg, (int64_t)1 << 16);
  irl_brcg_set_prices(cg, &cg->now, unit);
  const double gap = (double)best->loss - cg->value;
  const int64_t slack = (int64_t)(gap / (double)cg->problem.control_weight * (double)unit) + 1;
  const int64_t least = cg->prices.clause + cg->prices.complexity - slack;
  uint32_t n = 0;
  for (uint32_t k = 0; k < cg->search->pool.n; k++) {
    const candidate c = {irl_brcg_worth(cg, k), k};
    if (c.worth >= least) list[n++] = c;
  }
  cg->search->work += cg->search->pool.n * (cg->data->cases.stride + cg->data->controls.stride);
  assert(n <= cg->search->pool.n);
  qsort(list, n, sizeof *list, compare_candidates);
  const uint64_t most = 10 * cg->search->settings.tuning.found;
  return n < most ? n : (uint32_t)most;
}

irl_status irl_brcg_restricted_mip(irl_brcg *cg, uint64_t max_work) {
  irl_search *search = cg->search;
  irl_env *env = search->env;
  irl_arena arena;
  irl_clause_set clauses;
  irl_status status = IRL_STATUS_OK;
  irl_arena_init(&arena, &env->allocator);
  const irl_clause_set *pool = &search->pool;
  irl_clause_set_init(&clauses, cg->data, pool->max_size);
  candidate *list = irl_arena_alloc(&arena, pool->n, sizeof *list);
  const uint32_t n = list && cg->problem.K ? list_candidates(cg, list) : 0;
  if (!list) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++)
    status = irl_clause_set_take(env, &clauses, pool, list[i].k, NULL);
  if (status || !n) goto done;
  irl_select_result result;
  irl_search_rule rule = {.n = 0};
  bool is_better;
  status = select_clauses(cg, &clauses, max_work, rule.clauses, &result);
  if (status) goto done;
  rule.n = result.n;
  for (uint32_t i = 0; i < rule.n; i++) rule.clauses[i] = list[rule.clauses[i]].k;
  status = irl_search_offer(search, &rule, &is_better);
  if (!status && is_better) irl_search_log(search, "choose", UINT64_MAX);
done:
  irl_clause_set_free(&clauses);
  irl_arena_free(&arena);
  return status;
}

/* ---- what the LP leaves over ---- */

/* What reduced costs leave over (src/doc/method.md, lemma 14). At the prices with the best bound B,
 * where no clause is worth more than v, a rule that holds a clause worth v - d loses at least
 * B + d. So each clause of a rule that is better than the incumbent U is worth at least
 * v - (U - 1 - B), where B may be below 0. The clause engine enumerates all that are; where they
 * are few the selection engine proves the best choice of all. (So the gap of routing problems is
 * closed: Baldacci, Christofides and Mingozzi 2008.) */
static irl_status select_from(irl_brcg *cg, const irl_clause_array *store, int64_t least,
                              uint64_t max_work, bool *is_complete) {
  irl_search *search = cg->search;
  irl_clause_set list;
  irl_clause clause;
  irl_status status = IRL_STATUS_OK;
  bool is_cut = false;
  irl_clause_set_init(&list, cg->data, cg->problem.M);
  for (size_t i = 0; i < store->n && !status && !is_cut; i++) {
    if (i % IRL_CLAUSE_SET_CLOCK == IRL_CLAUSE_SET_CLOCK - 1)
      is_cut = irl_limit_poll(&search->limit);
    irl_clause_array_get(store, i, &clause);
    assert(clause.n > 0 && clause.n <= cg->problem.M);
    if (clause.value < least + cg->proof.literal_weight * clause.n) continue;
    status = irl_clause_set_add(search->env, &list, clause.literals, clause.n, NULL, NULL);
  }
  search->work += store->n * (cg->data->cases.stride + cg->data->controls.stride);
  *is_complete = !is_cut && !list.n;
  if (!status && !is_cut && list.n) {
    irl_select_result result;
    uint32_t chosen[IRL_MAX_K];
    status = select_clauses(cg, &list, max_work, chosen, &result);
    if (!status)
      *is_complete =
          result.outcome == IRL_OUTCOME_OPTIMAL || result.outcome == IRL_OUTCOME_INFEASIBLE;
    if (!status && result.loss < search->best.loss)
      status = irl_search_offer_choice(search, &list, chosen, result.n, "enum");
  }
  irl_clause_set_free(&list);
  return status;
}

irl_status irl_brcg_enumerate(irl_brcg *cg, size_t cap, uint64_t max_work, bool *is_complete) {
  irl_search *search = cg->search;
  const irl_brcg_prices *proof = &cg->proof;
  irl_clause_problem problem;
  irl_clause_array store;
  irl_ending ending;
  *is_complete = false;
  if (!proof->control) return IRL_STATUS_OK; /* no proof to start from */
  /* The least that a clause of a better rule is worth, literals not counted off. */
  const int64_t v = cg->proof_best > proof->complexity ? cg->proof_best : proof->complexity;
  const int64_t loss = search->best.loss - 1 - cg->left_loss;
  const int64_t least = v - (loss * proof->control / cg->problem.control_weight -
                             irl_brcg_sum(cg, proof, cg->proof_best));
  const int64_t budget = (search->best.loss - 1) / cg->problem.control_weight;
  irl_brcg_clause_problem(cg, proof, &problem);
  problem.live_cases = cg->firsts; /* those that are worth nothing may still be covered */
  if (budget < (int64_t)problem.budget) problem.budget = (uint64_t)budget;
  /* A long clause is no replacement for a short one where literals count. */
  problem.keeps_all = !proof->literal_weight && irl_problem_counts_literals(search->problem);
  irl_clause_array_init(&store, &search->env->allocator, cg->problem.M);
  const irl_limit part = irl_search_sublimit(search, max_work);
  const irl_brcg_wish wish = {.literal = proof->literal_weight, .need = least, .cap = cap};
  irl_status status = irl_brcg_list(cg, &problem, &wish, &part, &store, &ending);
  if (!status && !ending) status = select_from(cg, &store, least, max_work, is_complete);
  irl_clause_array_free(&store);
  return status;
}
