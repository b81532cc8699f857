/* Exchanging clauses of the best rule: one is taken out, and the clause engine is asked for the
 * best one by weighted error on what the others leave uncovered; what it finds goes to the pool,
 * from which the best rule is selected anew. Sweep after sweep until a whole one brings nothing. */
#include "learn/learn.h"

irl_subproblem irl_learn_uncovered_problem(const irl_learner *learner, uint64_t work) {
  const irl_problem *p = &learner->problem;
  return (irl_subproblem){.goal = irl_problem_weighted(p, p->case_weight, p->control_weight),
                          .live_cases = learner->live_cases,
                          .live_controls = learner->live_controls,
                          .max_work = work};
}

/* Clauses for the place of each clause, and for one more. */
static irl_status sweep(irl_learner *learner, uint64_t work, bool *is_better) {
  irl_subproblem problem = irl_learn_uncovered_problem(learner, work);
  const uint32_t n = learner->search.best.n, n_places = n + (n < learner->problem.K);
  const size_t before = learner->search.pool.n;
  assert(n <= learner->problem.K);
  irl_status status = IRL_STATUS_OK;
  *is_better = false;
  for (uint32_t i = 0; i < n_places && !status; i++) {
    irl_generated result;
    const uint64_t fair =
        irl_search_left(&learner->search) / (n_places - i); /* all places are tried */
    if (irl_search_is_done(&learner->search)) break;
    problem.max_work = work < fair ? work : fair;
    if (irl_learner_uncovered(learner, &learner->search.best, i))
      status = irl_search_generate(&learner->search, &problem, &result);
  }
  if (status || learner->search.pool.n == before || irl_search_limit_reached(&learner->search))
    return status;
  const int64_t loss = learner->search.best.loss;
  status = irl_search_select_best(&learner->search, "exchange", UINT64_MAX);
  assert(learner->search.best.loss <= loss);
  *is_better = learner->search.best.loss < loss;
  return status;
}

static irl_status run_sweeps(irl_learner *learner, uint64_t n, uint64_t work) {
  irl_status status = IRL_STATUS_OK;
  bool is_better = true;
  for (uint64_t i = 0; i < n && is_better && !status; i++)
    status = sweep(learner, work, &is_better);
  return status;
}

/* Once where other steps are to follow, because clauses may be chance. */
irl_status irl_learn_exchange_quickly(irl_learner *learner) {
  const irl_tuning *tuning = &learner->search.settings.tuning;
  const uint64_t usual = irl_search_generate_work(&learner->search), quick = tuning->generate / 20;
  const uint64_t pass = irl_search_pass_work(&learner->search, usual < quick ? usual : quick);
  const irl_phase outer = irl_search_begin_phase(&learner->search, IRL_PHASE_REFINING);
  const irl_status status =
      run_sweeps(learner, irl_learn_is_doubtful(learner) ? 1 : 1 + tuning->sweeps / 10,
                 learner->search.settings.effort != IRL_SEARCH_FULL && quick < pass ? quick : pass);
  irl_search_begin_phase(&learner->search, outer);
  return status;
}

bool irl_learn_exchange_is_due(const irl_learner *learner) {
  return irl_learn_loop_is_due(learner) && !learner->settings.is_paper;
}

irl_status irl_learn_exchange(irl_learner *learner) {
  const irl_tuning *tuning = &learner->search.settings.tuning;
  if (learner->search.settings.effort != IRL_SEARCH_FULL)
    return irl_learn_exchange_quickly(learner);
  /* Each search is for one place of the rule. */
  return run_sweeps(learner, tuning->sweeps, 3 * irl_search_generate_work(&learner->search));
}
