/* Exchanging clauses of the best rule: one is taken out, and the clause engine is asked for the
 * best one by weighted error on what the others leave uncovered; what it finds goes to the pool,
 * from which the best rule is selected anew. Sweep after sweep until a whole one brings nothing. */
#include "learn/learn.h"
#include "state/effort.h"

irl_learn_subproblem irl_learn_uncovered_problem(const irl_learner *learner, uint64_t work) {
  return (irl_learn_subproblem){.live_cases = learner->live_cases,
                                .live_controls = learner->live_controls,
                                .case_weight = learner->settings.case_weight,
                                .control_weight = learner->settings.control_weight,
                                .budget = UINT64_MAX,
                                .max_work = work};
}

/* Clauses for the place of each clause, and for one more. */
static irl_status sweep(irl_learner *learner, uint64_t work, bool *is_better) {
  irl_learn_subproblem problem = irl_learn_uncovered_problem(learner, work);
  const uint32_t n = learner->best.n, n_places = n + (n < learner->settings.K);
  const size_t before = learner->pool.n;
  assert(n <= learner->settings.K);
  irl_status status = IRL_STATUS_OK;
  *is_better = false;
  for (uint32_t i = 0; i < n_places && !status; i++) {
    irl_learn_generated result;
    const uint64_t fair = irl_learner_left(learner) / (n_places - i); /* all places are tried */
    if (irl_learner_is_done(learner)) break;
    problem.max_work = work < fair ? work : fair;
    if (irl_learner_uncovered(learner, &learner->best, i))
      status = irl_learner_generate(learner, &problem, &result);
  }
  if (status || learner->pool.n == before || irl_learner_limit_reached(learner)) return status;
  irl_learn_rule rule = learner->best;
  status = irl_learner_select(learner, UINT64_MAX, &rule);
  const int64_t loss = learner->best.loss;
  if (!status) status = irl_learner_offer_logged(learner, &rule, "exchange", UINT64_MAX);
  assert(learner->best.loss <= loss);
  *is_better = learner->best.loss < loss;
  return status;
}

static irl_status run_sweeps(irl_learner *learner, uint32_t n, uint64_t work) {
  irl_status status = IRL_STATUS_OK;
  bool is_better = true;
  for (uint32_t i = 0; i < n && is_better && !status; i++)
    status = sweep(learner, work, &is_better);
  return status;
}

/* Once where other steps are to follow, because clauses may be chance. */
irl_status irl_learn_exchange_quickly(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const uint64_t quick = IRL_EFFORT_GENERATE_QUICK;
  const uint64_t pass =
      irl_learner_pass_work(learner, settings->is_one_of_many ? IRL_EFFORT_GENERATE_MANY : quick);
  assert(settings->is_quick || !settings->is_one_of_many);
  const irl_phase outer = irl_learner_begin_phase(learner, IRL_PHASE_REFINING);
  const irl_status status =
      run_sweeps(learner, irl_learn_is_doubtful(learner) ? 1 : IRL_EFFORT_SWEEPS_QUICK,
                 settings->is_quick && quick < pass ? quick : pass);
  irl_learner_begin_phase(learner, outer);
  return status;
}

bool irl_learn_exchange_is_due(const irl_learner *learner) {
  return irl_learn_loop_is_due(learner) && !learner->settings.is_paper;
}

irl_status irl_learn_exchange(irl_learner *learner) {
  if (learner->settings.is_quick) return irl_learn_exchange_quickly(learner);
  return run_sweeps(learner, IRL_EFFORT_SWEEPS, IRL_EFFORT_EXCHANGE);
}
