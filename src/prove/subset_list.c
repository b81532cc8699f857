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
  const irl_rule_list list = {.clauses = clauses,
                              .subset = x->keep,
                              .unit = x->unit,
                              .least = p->least,
                              .is_priced = p->is_priced};
  irl_rule_bnb_task task = {.cap = search->settings.tuning.list_cap,
                            .target = irl_merged_loss(x->merged, p->target),
                            .trial_work = 2 * (part.max_work / search->settings.tuning.prove_trial),
                            .list = &list};
  assert(p->least && p->target > 0);
  const irl_status status = irl_rule_bnb_solve(search, &part, &task);
  *is_closed = !status && !task.ending;
  if (!status && task.ending && search->settings.prove)
    irl_log(search->env, IRL_LOG_NOTE, "  the tree over %zu clauses did not end", clauses->n);
  return status;
}

/* ---- a lower threshold ---- */

/* How many children of the root ask for so many kept cases of the next clause. */
static void count_thresholds(const irl_subset *x, const irl_subset_plan *p,
                             const irl_clause_set *list, uint32_t *counts) {
  const irl_kernels *kernels = irl_bits_kernels();
  const int64_t K = x->search->problem->K, most = p->target - 1;
  const int64_t gain = x->unit * p->n_kept - most;
  for (uint32_t k = 0; k < list->n; k++) {
    const int64_t cases =
        (int64_t)kernels->and_count(x->keep, irl_bits_vector(&list->cases, k), list->cases.stride);
    const int64_t cost = irl_merged_weigh(x->merged, 1, irl_bits_vector(&list->controls, k));
    if (cost > most || K * x->unit * cases - cost < gain) continue;
    const int64_t next = irl_subset_threshold(x, p, p->n_kept - cases, cost, K - 1);
    assert(next >= 0);
    counts[next < p->least ? next : p->least]++;
  }
  x->search->work += list->n * (list->cases.stride + list->controls.stride);
}

/* Where many children of the root are below the threshold of the list, each would list clauses by
 * itself: a lower threshold, if that is expected to take less. The lower plan in p, or the same. */
static irl_status lower_threshold(irl_subset *x, const irl_clause_set *list, irl_subset_plan *p,
                                  bool *is_lower) {
  const irl_data *data = x->merged->data;
  const double n = data->n_features * (x->search->problem->negations ? 2.0 : 1.0);
  /* With four literals or more it is about as long as the list. */
  const double pairs = n * n / 2 * IRL_RULE_LIST_OWN_WORDS;
  const double own = x->search->problem->M > 3 && p->work / 2 > pairs ? p->work / 2 : pairs;
  irl_status status = IRL_STATUS_OK;
  *is_lower = false;
  uint32_t *counts = irl_arena_alloc(&x->arena, p->least + 1u, sizeof *counts);
  if (!counts) return irl_fail_memory(x->search->env);
  count_thresholds(x, p, list, counts);
  double below = 0, best = 0;
  for (uint32_t i = 0; i < p->least; i++) best += counts[i] * own;
  if (best <= p->work) return IRL_STATUS_OK;
  irl_subset_plan chosen = *p;
  uint32_t n_tried = 0;
  for (uint32_t i = 1; i < p->least && !status && n_tried < x->search->settings.tuning.thresholds;
       i++) {
    below += counts[i - 1];
    if (!counts[i]) continue;
    irl_subset_plan lower = *p;
    lower.least = i;
    n_tried++;
    status = irl_subset_estimate_list(x, &lower);
    if (status || lower.work + below * own >= best) continue;
    best = lower.work + below * own;
    chosen = lower;
  }
  *is_lower = chosen.least < p->least && chosen.work <= (double)irl_subset_limit(x).max_work;
  if (*is_lower) *p = chosen;
  return status;
}

/* ---- a list and its tree ---- */

/* All clauses of a plan, unless a limit or the cap ends it. */
static irl_status list_clauses(irl_subset *x, const irl_subset_plan *p, irl_clause_set *list,
                               irl_ending *ending) {
  irl_search *search = x->search;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array found;
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
      &thresholds, x->cap, &found, ending);
  irl_clause_model_free(&model);
  if (!status && *ending == IRL_ENDED_BY_CAP)
    irl_log(search->env, IRL_LOG_NOTE, "  more than %zu such clauses: given up", x->cap);
  if (!status && !*ending) status = make_list(x, &found, list);
  irl_clause_array_free(&found);
  return status;
}

/* Lists the clauses of a plan and goes through the tree. *is_closed: no rule is below the target,
 * but for those that were offered. */
irl_status irl_subset_run(irl_subset *x, irl_subset_plan *p, bool *is_closed) {
  irl_clause_set list;
  irl_ending ending;
  bool is_lower = false;
  const uint64_t before = x->search->work;
  *is_closed = false;
  irl_subset_choose_cases(x, p);
  irl_status status = list_clauses(x, p, &list, &ending);
  if (!status && !ending) status = lower_threshold(x, &list, p, &is_lower);
  if (!status && is_lower) {
    irl_clause_set_free(&list);
    status = list_clauses(x, p, &list, &ending);
  }
  const uint64_t used = x->search->work - before;
  const bool is_part = p->target < irl_merged_target(x->merged, irl_search_target(x->search));
  /* A bound takes no more than its list. */
  const uint64_t most = is_part ? 0 : x->search->settings.tuning.tree_ratio * x->prover->effort;
  if (!status && !ending) status = run_tree(x, p, &list, used > most ? used : most, is_closed);
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
