/* What the LP leaves over: at the prices with the best bound B, where no clause is worth more than
 * v, a rule that holds a clause worth v - d loses at least B + d. So each clause of a rule that is
 * better than the incumbent U is worth at least v - (U - 1 - B). The clause engine
 * enumerates all that are; where they are few the selection engine proves the best choice of all.
 * (The same idea closes the gap of routing problems: Baldacci, Christofides and Mingozzi 2008.) */
#include "base/memory.h"
#include "brcg/brcg.h"
#include "clause/enumerate.h"
#include "state/effort.h"

/* The best choice of those clauses that are worth enough when their literals are counted off. */
static irl_status select_from(irl_brcg *cg, const irl_clause_array *store, int64_t least,
                              uint64_t max_work, bool *is_complete) {
  irl_learner *learner = cg->learner;
  irl_clause_set list;
  irl_clause clause;
  irl_status status = IRL_OK;
  bool is_cut = false;
  irl_clause_set_init(&list, cg->data, cg->M);
  for (size_t i = 0; i < store->n && !status && !is_cut; i++) {
    if (i % IRL_EFFORT_CLOCK_CLAUSES == IRL_EFFORT_CLOCK_CLAUSES - 1)
      is_cut = irl_limit_poll(&learner->limit);
    irl_clause_array_get(store, i, &clause);
    assert(clause.n > 0 && clause.n <= cg->M);
    if (clause.value < least + cg->proof.literal_weight * clause.n) continue;
    status = irl_clause_set_add(learner->env, &list, clause.literals, clause.n, NULL, NULL);
  }
  learner->work += store->n * (cg->data->cases.stride + cg->data->controls.stride);
  *is_complete = !is_cut && !list.n;
  if (!status && !is_cut && list.n) {
    irl_select_problem problem;
    irl_select_result result;
    uint32_t chosen[IRL_LEARN_MAX_K];
    irl_select_problem_init(&problem, &list.cases, &list.controls, cg->K);
    problem.sizes = list.sizes;
    status = irl_brcg_select(cg, &problem, max_work, chosen, &result);
    if (!status) *is_complete = result.outcome == IRL_OPTIMAL || result.outcome == IRL_INFEASIBLE;
    if (!status && result.loss < problem.to_beat)
      status = irl_learner_offer_choice(learner, &list, chosen, result.n, "enum");
  }
  irl_clause_set_free(&list);
  return status;
}

irl_status irl_brcg_enumerate(irl_brcg *cg, size_t cap, uint64_t max_work, bool *is_complete) {
  irl_learner *learner = cg->learner;
  const irl_learn_settings *settings = &learner->settings;
  const irl_brcg_prices *proof = &cg->proof;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array store;
  bool is_enumerated;
  *is_complete = false;
  if (!proof->control) return IRL_OK; /* no proof to start from */
  /* The least that a clause of a better rule is worth, literals not counted off. */
  const int64_t v = cg->proof_best > proof->complexity ? cg->proof_best : proof->complexity;
  const int64_t loss = learner->best.loss - 1 - cg->left_loss;
  const int64_t least =
      v - (loss * proof->control / cg->control_weight - irl_brcg_sum(cg, proof, cg->proof_best));
  const int64_t budget = (learner->best.loss - 1) / settings->control_weight;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls = (uint32_t)(budget < cg->data->n_controls ? budget : cg->data->n_controls),
      .min_value = least + proof->literal_weight};
  irl_brcg_clause_problem(cg, proof, cg->M, &problem);
  problem.live_cases = cg->firsts; /* those that are worth nothing may still be covered */
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  /* A long clause is no replacement for a short one where literals count. */
  problem.keeps_all =
      settings->max_literals != UINT64_MAX || settings->max_complexity != UINT64_MAX;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_clause_array_init(&store, &learner->env->allocator, cg->M);
  const irl_limit part = irl_learner_sublimit(learner, max_work);
  status = irl_clause_enumerate_all(
      &(irl_clause_search){learner->env, &model, &part, settings->threads, &learner->work},
      &thresholds, cap, &store, &is_enumerated);
  if (!status && is_enumerated) status = select_from(cg, &store, least, max_work, is_complete);
  irl_clause_array_free(&store);
  irl_clause_model_free(&model);
  return status;
}
