#include "select/select_rule.h"

/* Early choices need not be proven: they change with the next clauses, unless a pool is given. */
irl_status irl_search_select_for(irl_search *search, const irl_problem *problem,
                                 irl_search_rule *rule) {
  const irl_search_settings *settings = &search->settings;
  const irl_tuning *tuning = &settings->tuning;
  const uint64_t share = search->work / 4;
  const uint64_t work = settings->effort != IRL_SEARCH_FULL            ? tuning->select_quick
                        : settings->is_final || share > tuning->select ? tuning->select
                        : share > irl_tuning_select_short(tuning)      ? share
                                                                  : irl_tuning_select_short(tuning);
  const bool is_exact =
      settings->effort != IRL_SEARCH_RESAMPLE || problem->K <= tuning->select_exact;
  const irl_limit part = irl_search_sublimit(search, work);
  irl_select_task task = irl_select_task_of(problem, &search->pool, settings->threads);
  irl_select_result result;
  assert(problem->K <= search->problem->K && rule->n <= problem->K);
  task.proof_share = settings->is_final ? 1 : is_exact ? (uint32_t)tuning->select_proof : 0;
  task.n_start = rule->n;
  const irl_status status = irl_select_solve(search->env, &task, &part, rule->clauses, &result);
  if (status) return status;
  search->work += result.work;
  rule->n = result.n;
  assert(rule->n <= problem->K);
  irl_search_weigh(search, rule);
  irl_search_keep(search);
  return IRL_STATUS_OK;
}

irl_status irl_search_select(irl_search *search, uint64_t budget, irl_search_rule *rule) {
  const irl_problem *problem = search->problem, within = irl_problem_within(problem, budget);
  const irl_status status =
      irl_search_select_for(search, budget == UINT64_MAX ? problem : &within, rule);
  search->allowance.owes_selection = false;
  return status;
}

irl_status irl_search_select_best(irl_search *search, const char *tag, uint64_t budget) {
  irl_search_rule rule = search->best;
  const irl_status status = irl_search_select(search, UINT64_MAX, &rule);
  return status ? status : irl_search_offer_logged(search, &rule, tag, budget);
}
