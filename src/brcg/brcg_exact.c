/* Exact pricing: the best clause at the prices, or all that are worth more than the price of one,
 * and the bound that follows.
 *
 * The clause engine knows no cost of a literal. It is asked once for each number m of literals up
 * to M: the best of m or fewer less the cost of m literals, over all m, is the best of all; and a
 * clause of at most m literals that is worth more than one with m may cost is wanted in any case.
 */
#include "brcg/brcg.h"
#include "clause/enumerate.h"
#include "clause/solve.h"
#include <math.h>

bool irl_brcg_has_literal_cost(const irl_brcg *cg, const irl_brcg_prices *prices) {
  return prices->literal_weight && !cg->data->shard;
}

void irl_brcg_clause_problem(const irl_brcg *cg, const irl_brcg_prices *prices, uint32_t max_size,
                             irl_clause_problem *problem) {
  assert(prices->control > 0 && max_size > 0 && max_size <= cg->M);
  irl_clause_problem_init(problem, cg->data);
  problem->live_cases = prices->live_cases;
  problem->case_weights = prices->worth;
  problem->control_weight = prices->control;
  problem->control_weights = prices->controls;
  problem->budget = cg->data->n_controls;
  problem->max_size = max_size;
  problem->negations = cg->search->problem->negations;
}

static irl_status add_clause(irl_brcg *cg, const irl_clause *clause) {
  return irl_clause_set_add(cg->search->env, cg->pool, clause->literals, clause->n, NULL, NULL);
}

/* No clause is worth more than `best` at the prices. */
static void take_bound(irl_brcg *cg, int64_t best) {
  const irl_brcg_prices *prices = &cg->prices;
  const int64_t sum = irl_brcg_sum(cg, prices, best), loss = sum > 0 ? sum : 0;
  const double lp_bound =
      (double)cg->left_loss + (double)sum * (double)cg->control_weight / (double)prices->control;
  const int64_t rounded = (loss * cg->control_weight + prices->control - 1) / prices->control;
  const int64_t bound =
      irl_loss_round_up(cg->left_loss + rounded, cg->case_weight, cg->control_weight, cg->n_cases);
  assert(sum <= prices->sum && bound >= cg->left_loss);
  if (bound > cg->bound) cg->bound = bound;
  if (lp_bound <= cg->lp_bound) return;
  int64_t *worth = cg->proof.worth, *controls = cg->proof.controls;
  memcpy(worth, prices->worth, cg->data->n_cases * sizeof *worth);
  if (controls) memcpy(controls, prices->controls, cg->data->n_controls * sizeof *controls);
  cg->proof = cg->prices;
  cg->proof.worth = worth;
  cg->proof.controls = controls;
  cg->proof.live_cases = NULL;
  cg->proof_best = best;
  cg->lp_bound = lp_bound;
}

/* Clauses of a list go to the pool. */
static irl_status add_clauses(irl_brcg *cg, const irl_clause_array *store) {
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < store->n && !status; i++) {
    irl_clause clause;
    irl_clause_array_get(store, i, &clause);
    status = add_clause(cg, &clause);
  }
  return status;
}

/* Where literals cost something, one search knows their price. Clauses that the master violates
 * come along as far as they are met. */
static irl_status price_with_literals(irl_brcg *cg, uint64_t work, bool *is_proven) {
  irl_search *search = cg->search;
  const irl_brcg_prices *prices = &cg->prices;
  const irl_limit part = irl_search_sublimit(search, work);
  const irl_clause_search with = {search->env, NULL, &part, 1, &search->work};
  irl_clause_problem problem;
  irl_clause_result result;
  irl_clause_array store;
  /* The bound does not tell apart what is worth no more than its own share of complexity. */
  const int64_t known = irl_brcg_best_of_pool(cg);
  int64_t best = known > prices->complexity ? known : prices->complexity;
  const irl_brcg_wish wish = {prices->literal_weight, best + 1,
                              prices->clause + prices->complexity + 1,
                              cg->search->settings.tuning.found};
  irl_brcg_clause_problem(cg, prices, cg->M, &problem);
  irl_clause_array_init(&store, &search->env->allocator, cg->M);
  irl_status status = irl_brcg_search_best(&problem, &wish, &with, &store, &result);
  if (!status) status = add_clauses(cg, &store);
  if (!status && result.best.n) status = add_clause(cg, &result.best);
  irl_clause_array_free(&store);
  if (status) return status;
  search->nodes += result.nodes;
  if (result.best.n) best = result.best.value - wish.literal * result.best.n;
  assert(!result.best.n || best >= wish.need);
  *is_proven = result.outcome == IRL_OUTCOME_OPTIMAL;
  take_bound(cg, result.bound > best ? result.bound : best);
  return IRL_STATUS_OK;
}

irl_status irl_brcg_price_best(irl_brcg *cg, uint64_t work, bool *is_proven) {
  irl_search *search = cg->search;
  if (irl_brcg_has_literal_cost(cg, &cg->prices)) return price_with_literals(cg, work, is_proven);
  const uint64_t end = work > UINT64_MAX - search->work ? UINT64_MAX : search->work + work;
  /* Less the cost of literals: the best clause that is known, and what no clause exceeds. */
  int64_t best = irl_brcg_best_of_pool(cg), bound = best;
  bool is_exact = true;
  for (uint32_t m = cg->prices.literal_weight ? 1 : cg->M; m <= cg->M; m++) {
    const int64_t literals = cg->prices.literal_weight * m;
    irl_clause_problem problem;
    irl_clause_model model;
    irl_clause_result result;
    irl_brcg_clause_problem(cg, &cg->prices, m, &problem);
    const irl_limit part = irl_search_sublimit(search, end > search->work ? end - search->work : 1);
    irl_status status = irl_clause_model_init(search->env, &model, &problem);
    if (status) return status;
    /* What is known already stands for a clause: only better ones are of interest. */
    const irl_clause start = {.value = best + literals, .n = best > IRL_CLAUSE_NO_VALUE};
    status = irl_clause_bnb(search->env, &model, &part, search->settings.threads, &start, &result);
    irl_clause_model_free(&model);
    if (status) return status;
    search->work += result.work;
    search->nodes += result.nodes;
    if (result.best.n && result.best.value > start.value) {
      best = result.best.value - literals;
      status = add_clause(cg, &result.best);
      if (status) return status;
    }
    if (result.bound > IRL_CLAUSE_NO_VALUE && result.bound - literals > bound)
      bound = result.bound - literals;
    if (result.outcome != IRL_OUTCOME_OPTIMAL && result.outcome != IRL_OUTCOME_INFEASIBLE)
      is_exact = false;
  }
  *is_proven = is_exact;
  assert(bound >= best || !is_exact);
  take_bound(cg, bound);
  return IRL_STATUS_OK;
}

/* The clauses of at most m literals that are worth more than the price of a clause with m. */
static irl_status enumerate_size(irl_brcg *cg, uint32_t m, const irl_limit *limit,
                                 irl_clause_array *store, bool *is_complete) {
  irl_search *search = cg->search;
  const irl_brcg_prices *prices = &cg->prices;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_brcg_clause_problem(cg, prices, m, &problem);
  if (irl_brcg_has_literal_cost(cg, prices))
    return irl_brcg_search_all(
        &problem,
        &(irl_brcg_wish){.literal = prices->literal_weight,
                         .need = prices->clause + prices->complexity + 1,
                         .cap = cg->search->settings.tuning.found},
        &(irl_clause_search){search->env, NULL, limit, search->settings.threads, &search->work},
        store, is_complete);
  const irl_clause_thresholds thresholds = {.min_cases = 1,
                                            .max_controls = (uint32_t)problem.budget,
                                            .min_value = prices->clause + prices->complexity +
                                                         m * prices->literal_weight + 1};
  irl_status status = irl_clause_model_init(search->env, &model, &problem);
  if (status) return status;
  status = irl_clause_enumerate_all(
      &(irl_clause_search){search->env, &model, limit, search->settings.threads, &search->work},
      &thresholds, cg->search->settings.tuning.found, store, is_complete);
  irl_clause_model_free(&model);
  return status;
}

irl_status irl_brcg_price_all(irl_brcg *cg, uint64_t work, bool *is_proven) {
  const irl_brcg_prices *prices = &cg->prices;
  const irl_limit part = irl_search_sublimit(cg->search, work);
  const int64_t price = prices->clause + prices->complexity, known = irl_brcg_best_of_pool(cg);
  int64_t best = known > price ? known : price;
  irl_status status = IRL_STATUS_OK;
  *is_proven = true;
  const bool has_cost = irl_brcg_has_literal_cost(cg, prices);
  for (uint32_t m = prices->literal_weight && !has_cost ? 1 : cg->M;
       m <= cg->M && !status && *is_proven; m++) {
    irl_clause_array store;
    *is_proven = false;
    irl_clause_array_init(&store, &cg->search->env->allocator, cg->M);
    status = enumerate_size(cg, m, &part, &store, is_proven);
    for (size_t i = 0; i < store.n && !status; i++) {
      irl_clause clause;
      irl_clause_array_get(&store, i, &clause);
      const int64_t worth = clause.value - prices->literal_weight * clause.n;
      if (worth > best) best = worth;
      status = add_clause(cg, &clause);
    }
    irl_clause_array_free(&store);
  }
  if (!status && *is_proven) take_bound(cg, best);
  return status;
}
