/* Exact pricing: the best clause at the prices, or all that are worth more than the price of one,
 * and the bound that follows. Where literals have a price too, brcg_literal_cost.c searches;
 * otherwise the clause engine does. */
#include "brcg/brcg.h"
#include "clause/enumerate.h"
#include "clause/solve.h"
#include <math.h>

void irl_brcg_clause_problem(const irl_brcg *cg, const irl_brcg_prices *prices,
                             irl_clause_problem *problem) {
  assert(prices->control > 0);
  irl_clause_problem_init(problem, cg->data);
  problem->live_cases = prices->live_cases;
  problem->case_weights = prices->worth;
  problem->control_weight = prices->control;
  problem->control_weights = prices->controls;
  problem->budget = cg->data->n_controls;
  problem->max_size = cg->problem.M;
  problem->negations = cg->problem.negations;
}

static irl_status add_clause(irl_brcg *cg, const irl_clause *clause) {
  return irl_clause_set_add(cg->search->env, &cg->search->pool, clause->literals, clause->n, NULL,
                            NULL);
}

/* No clause is worth more than `best` at the prices. */
static void take_bound(irl_brcg *cg, int64_t best) {
  const irl_brcg_prices *prices = &cg->prices;
  const int64_t sum = irl_brcg_sum(cg, prices, best), loss = sum > 0 ? sum : 0;
  const double lp_bound = (double)cg->left_loss + (double)sum * (double)cg->problem.control_weight /
                                                      (double)prices->control;
  const int64_t rounded =
      (loss * cg->problem.control_weight + prices->control - 1) / prices->control;
  const int64_t bound = irl_loss_round_up(cg->left_loss + rounded, cg->problem.case_weight,
                                          cg->problem.control_weight, cg->n_cases);
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

/* The clause that is wanted, by a search that knows the price of literals. Clauses that the master
 * violates come along as far as they are met. */
static irl_status search_with_literals(irl_brcg *cg, const irl_clause_problem *problem,
                                       const irl_limit *limit, int64_t need,
                                       irl_clause_result *result) {
  irl_search *search = cg->search;
  const irl_brcg_prices *prices = &cg->prices;
  const irl_clause_search with = {search->env, NULL, limit, 1, &search->work};
  const irl_brcg_wish wish = {prices->literal_weight, need, prices->clause + prices->complexity + 1,
                              search->settings.tuning.found};
  irl_clause_array store;
  irl_clause_array_init(&store, &search->env->allocator, cg->problem.M);
  irl_status status = irl_brcg_search_best(problem, &wish, &with, &store, result);
  if (!status) status = add_clauses(cg, &store);
  irl_clause_array_free(&store);
  return status;
}

/* The same by the clause engine. */
static irl_status search_engine(irl_brcg *cg, const irl_clause_problem *problem,
                                const irl_limit *limit, int64_t need, irl_clause_result *result) {
  irl_search *search = cg->search;
  irl_clause_model model;
  irl_status status = irl_clause_model_init(search->env, &model, problem);
  if (status) return status;
  /* What is known already stands for a clause: only better ones are of interest. */
  const irl_clause start = {.value = need - 1, .n = need > IRL_CLAUSE_ANY_VALUE};
  status = irl_clause_bnb(search->env, &model, limit, search->settings.threads, &start, result);
  irl_clause_model_free(&model);
  search->work += status ? 0 : result->work;
  if (!status && result->best.value < need) result->best.n = 0;
  return status;
}

irl_status irl_brcg_price_best(irl_brcg *cg, uint64_t work, bool *is_proven) {
  irl_search *search = cg->search;
  const irl_brcg_prices *prices = &cg->prices;
  const irl_limit part = irl_search_sublimit(search, work);
  irl_clause_problem problem;
  irl_clause_result result;
  /* The best clause that is known; and what is worth no more than its own share of complexity is
   * not told apart by the bound. */
  int64_t best = irl_brcg_best_of_pool(cg);
  if (prices->literal_weight && best < prices->complexity) best = prices->complexity;
  const int64_t need = best + 1;
  irl_brcg_clause_problem(cg, prices, &problem);
  irl_status status = prices->literal_weight
                          ? search_with_literals(cg, &problem, &part, need, &result)
                          : search_engine(cg, &problem, &part, need, &result);
  if (!status && result.best.n) status = add_clause(cg, &result.best);
  if (status) return status;
  search->nodes += result.nodes;
  if (result.best.n) best = result.best.value - prices->literal_weight * result.best.n;
  assert(!result.best.n || best >= need);
  *is_proven = result.outcome == IRL_OUTCOME_OPTIMAL || result.outcome == IRL_OUTCOME_INFEASIBLE;
  take_bound(cg, result.bound > best ? result.bound : best);
  return IRL_STATUS_OK;
}

irl_status irl_brcg_list(irl_brcg *cg, const irl_clause_problem *problem, const irl_brcg_wish *wish,
                         const irl_limit *limit, irl_clause_array *store, irl_ending *ending) {
  irl_search *search = cg->search;
  irl_clause_search with = {search->env, NULL, limit, search->settings.threads, &search->work};
  irl_clause_model model;
  if (wish->literal) return irl_brcg_search_all(problem, wish, &with, store, ending);
  const irl_clause_thresholds thresholds = {
      .min_cases = 1, .max_controls = (uint32_t)problem->budget, .min_value = wish->need};
  irl_status status = irl_clause_model_init(search->env, &model, problem);
  if (status) return status;
  with.model = &model;
  status = irl_clause_enumerate_all(&with, &thresholds, wish->cap, store, ending);
  irl_clause_model_free(&model);
  return status;
}

irl_status irl_brcg_price_all(irl_brcg *cg, uint64_t work, bool *is_proven) {
  const irl_brcg_prices *prices = &cg->prices;
  const irl_limit part = irl_search_sublimit(cg->search, work);
  const int64_t price = prices->clause + prices->complexity, known = irl_brcg_best_of_pool(cg);
  int64_t best = known > price ? known : price;
  const irl_brcg_wish wish = {.literal = prices->literal_weight,
                              .need = price + 1,
                              .cap = cg->search->settings.tuning.found};
  irl_clause_problem problem;
  irl_clause_array store;
  irl_ending ending;
  *is_proven = false;
  irl_brcg_clause_problem(cg, prices, &problem);
  irl_clause_array_init(&store, &cg->search->env->allocator, cg->problem.M);
  irl_status status = irl_brcg_list(cg, &problem, &wish, &part, &store, &ending);
  for (size_t i = 0; i < store.n; i++) {
    const int64_t worth = store.values[i] - prices->literal_weight * store.sizes[i];
    if (worth > best) best = worth;
  }
  if (!status) status = add_clauses(cg, &store);
  irl_clause_array_free(&store);
  *is_proven = !status && !ending;
  if (*is_proven) take_bound(cg, best);
  return status;
}
