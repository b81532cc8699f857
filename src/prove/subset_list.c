/* The list of a plan for a proof on few cases (case_subset.c), and the tree over it. */
#include "clause/covering.h"
#include "prove/rule_bnb.h"
#include "prove/subset_plan.h"

/* ---- a run ---- */

static irl_status make_list(const irl_subset *x, const irl_clause_array *found,
                            irl_clause_set *list) {
  irl_search *search = x->search;
  irl_status status = IRL_STATUS_OK;
  irl_clause_set_init(list, x->merged->data, search->problem->M);
  for (size_t i = 0; i < found->n && !status; i++) {
    irl_clause clause;
    irl_clause_array_get(found, i, &clause);
    status = irl_clause_set_add(search->env, list, clause.literals, clause.n, NULL, NULL);
  }
  assert(status || (irl_clause_set_check(list) && list->n <= found->n));
  search->work += found->n * (list->cases.stride + list->controls.stride);
  return status;
}

/* The tree over a list, which takes no more work than its share: what it needs is not foreseen. */
static irl_status run_tree(irl_subset *x, const irl_subset_plan *p, const irl_clause_set *clauses,
                           uint64_t most, bool *is_closed) {
  irl_search *search = x->search;
  irl_limit part = irl_subset_limit(x);
  if (part.max_work > most) part.max_work = most;
  const irl_rule_list list = {
      .clauses = clauses, .subset = x->keep, .unit = x->unit, .least = p->least};
  irl_rule_bnb_task task = {.cap = search->settings.tuning.list_cap,
                            .target = irl_merged_loss(x->merged, p->target),
                            .trial_work = 2 * (part.max_work / search->settings.tuning.prove_trial),
                            .list = &list};
  assert(p->least && p->target > 0);
  const irl_status status = irl_rule_bnb_solve(search, &part, &task);
  *is_closed = !status && task.is_proven;
  if (!status && !task.is_proven && search->settings.prove)
    irl_log(search->env, IRL_LOG_NOTE, "  the tree over %zu clauses did not end", clauses->n);
  return status;
}

/* ---- a list and its tree ---- */

/* All clauses of a plan; not complete: a limit or the cap ended it. */
static irl_status list_clauses(irl_subset *x, const irl_subset_plan *p, irl_clause_set *list,
                               bool *is_complete) {
  irl_search *search = x->search;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array found;
  *is_complete = false;
  irl_clause_set_init(list, x->merged->data, search->problem->M);
  irl_status status = irl_subset_make_model(x, p, &problem, &model);
  if (status) return status;
  irl_clause_array_init(&found, &search->env->allocator, search->problem->M);
  const irl_limit part = irl_subset_limit(x);
  const irl_clause_thresholds thresholds = irl_subset_thresholds(x, p);
  irl_log(
      search->env, IRL_LOG_NOTE,
      "  subset of %u cases: clauses with %u of them and at most %u controls, for a bound of %.6g, "
      "work %.2g",
      p->n_kept, p->least, thresholds.max_controls,
      irl_problem_objective(search->problem, irl_merged_loss(x->merged, p->target)), p->work);
  status = irl_clause_list_covering(
      &(irl_clause_search){search->env, &model, &part, search->settings.threads, &search->work},
      &thresholds, IRL_COVERING_NO_STEMS, x->task->cap, &found, is_complete);
  irl_clause_model_free(&model);
  if (!status && !*is_complete && found.n >= x->task->cap)
    irl_log(search->env, IRL_LOG_NOTE, "  more than %zu such clauses: given up", x->task->cap);
  if (!status && *is_complete) status = make_list(x, &found, list);
  irl_clause_array_free(&found);
  return status;
}

/* Lists the clauses of a plan and goes through the tree. *is_closed: no rule is below the target,
 * but for those that were offered. */
irl_status irl_subset_run(irl_subset *x, irl_subset_plan *p, bool *is_closed) {
  irl_clause_set list;
  bool is_complete;
  const uint64_t before = x->search->work;
  *is_closed = false;
  irl_subset_choose_cases(x, p);
  irl_status status = list_clauses(x, p, &list, &is_complete);
  const uint64_t used = x->search->work - before;
  const bool is_part = p->target < irl_merged_target(x->merged, irl_search_target(x->search));
  const uint64_t most = is_part ? 0 : x->task->tree_work; /* a bound takes no more than its list */
  if (!status && is_complete) status = run_tree(x, p, &list, used > most ? used : most, is_closed);
  irl_clause_set_free(&list);
  return status;
}

/* A plan with one part in so many of the work that is left. */
irl_status irl_subset_run_part(irl_subset *x, irl_subset_plan *p, double part, bool *is_closed) {
  const irl_limit all = x->limit;
  if (all.max_work != UINT64_MAX)
    x->limit.max_work =
        irl_subset_work(x) + (uint64_t)((double)irl_subset_limit(x).max_work / part);
  const irl_status status = irl_subset_run(x, p, is_closed);
  x->limit = all;
  return status;
}
