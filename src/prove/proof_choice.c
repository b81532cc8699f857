/* The best choice of the clauses that a proof has listed: their covers, then the search with budget
 * masks (select_mask.c); on merged samples with their weights where the loss allows it. */
#include "prove/proof_choice.h"
#include "base/memory.h"
#include "prove/ranked.h"

static irl_status select_from(irl_search *search, const irl_clause_set *list,
                              const irl_limit *limit, irl_proof_choice *task) {
  const bool is_merged = irl_problem_is_simple(search->problem);
  const irl_problem problem = is_merged ? irl_problem_on_merged(search->problem) : *search->problem;
  irl_select_task choice = irl_select_task_of(&problem, list, search->settings.threads);
  irl_select_result result;
  uint32_t chosen[IRL_MAX_K];

  assert(is_merged || (!task->least_controls && task->most_controls == INT64_MAX));
  choice.to_beat = is_merged ? task->target : task->cutoff;
  choice.least_controls = task->least_controls;
  choice.most_controls = task->most_controls;
  choice.trial_work = task->trial_work;
  choice.search = is_merged ? search : NULL;
  const irl_status status = irl_select_solve(search->env, &choice, limit, chosen, &result);
  if (status) return status;
  assert(result.bound <= result.loss && result.bound <= choice.to_beat);
  search->work += result.work;
  task->work_left = result.work_left;
  search->nodes += result.nodes;
  const bool is_closed = result.bound >= choice.to_beat;
  assert(result.n <= search->problem->K);
  task->is_done = result.outcome == IRL_OUTCOME_OPTIMAL || is_closed;
  task->bound = is_closed ? task->cutoff : irl_problem_full_loss(&problem, result.bound);
  if (result.loss >= choice.to_beat) return IRL_STATUS_OK;
  return irl_search_offer_choice(search, list, chosen, result.n, "proof");
}

/* The covers of all clauses are made about in the order in which the choice goes through them, so
 * that they are next to each other in memory. */
irl_status irl_proof_choose(irl_search *search, const irl_clause_array *found,
                            irl_proof_choice *task) {
  const irl_merged *merged = &search->problem->merged;
  irl_clause_set list;
  bool is_cut = false; /* by clock or stop request */
  const uint64_t before = search->work;
  task->bound = 0;
  task->is_done = false;
  task->work_left = 0;
  if (!found->n) { /* no clause can be part of a better rule */
    task->bound = task->cutoff;
    task->is_done = true;
    return IRL_STATUS_OK;
  }
  irl_ranked *order = irl_mem_alloc(&search->env->allocator, found->n, sizeof *order);
  if (!order) return irl_fail_memory(search->env);
  for (size_t i = 0; i < found->n; i++)
    order[i] = (irl_ranked){search->problem->K * merged->common[0] * found->cases[i] -
                                merged->common[1] * found->controls[i],
                            i};
  irl_ranked_sort(order, found->n);
  irl_clause_set_init(&list, merged->data, search->problem->M);
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < found->n && !status && !is_cut; i++) {
    irl_clause clause;
    if (i % IRL_CLAUSE_SET_CLOCK == IRL_CLAUSE_SET_CLOCK - 1)
      is_cut = irl_limit_poll(&search->limit);
    irl_clause_array_get(found, order[i].i, &clause);
    status = irl_clause_set_add(search->env, &list, clause.literals, clause.n, NULL, NULL);
  }
  search->work += found->n * (list.cases.stride + list.controls.stride);
  irl_mem_free(&search->env->allocator, order);
  assert(status || is_cut || (list.n && list.n <= found->n));
  const irl_limit part = irl_limit_left(&task->limit, search->work - before);
  if (!status && !is_cut) status = select_from(search, &list, &part, task);
  irl_clause_set_free(&list);
  return status;
}
