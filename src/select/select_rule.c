#include "select/select_rule.h"
#include "clause/generate_clauses.h"

void irl_search_set_goal(const irl_search *search, uint64_t budget, irl_select_problem *problem) {
  const bool is_free = budget == UINT64_MAX;
  irl_select_problem_init(problem, &search->pool.cases, &search->pool.controls, search->problem->K);
  problem->sizes = search->pool.sizes;
  problem->max_literals = search->problem->max_literals;
  problem->max_complexity = search->problem->max_complexity;
  problem->weights[0] = search->problem->data->weights[0].each;
  problem->weights[1] = search->problem->data->weights[1].each;
  problem->case_weight =
      is_free ? search->problem->case_weight : irl_problem_first(search->problem, 0);
  problem->control_weight = is_free ? search->problem->control_weight : 1;
  problem->is_hamming = is_free && search->problem->is_hamming;
  problem->max_controls =
      budget < search->problem->max_controls ? budget : search->problem->max_controls;
  problem->min_cases = is_free ? search->problem->min_cases : 0;
  problem->clause_cost = problem->literal_cost = is_free ? search->problem->penalty : 0;
  problem->threads = search->settings.threads;
}

/* Solves the problem, whose start is in `rule`. */
static irl_status solve_selection(irl_search *search, irl_select_problem *problem,
                                  irl_search_rule *rule) {
  assert(problem->K <= search->problem->K && rule->n <= problem->K);
  /* Early choices need not be proven: they change with the next clauses, unless a pool is given. */
  const bool is_final = search->settings.is_final;
  const uint64_t share = search->work / 4;
  const irl_tuning *tuning = &search->settings.tuning;
  const uint64_t work = search->settings.effort != IRL_SEARCH_FULL ? tuning->select_quick
                        : is_final || share > tuning->select       ? tuning->select
                        : share > irl_tuning_select_short(tuning)  ? share
                                                                  : irl_tuning_select_short(tuning);
  irl_select_result result;
  const bool is_exact =
      search->settings.effort != IRL_SEARCH_RESAMPLE || problem->K <= tuning->select_exact;
  problem->proof_share = is_final ? 1 : is_exact ? (uint32_t)tuning->select_proof : 0;
  problem->n_start = rule->n;
  const irl_limit part = irl_search_sublimit(search, work);
  const irl_status status = irl_select_solve(search->env, problem, &part, rule->clauses, &result);
  if (status) return status;
  search->work += result.work;
  rule->n = result.n;
  assert(rule->n <= problem->K);
  irl_search_weigh(search, rule);
  irl_search_keep(search);
  return IRL_STATUS_OK;
}

irl_status irl_search_select(irl_search *search, uint64_t budget, irl_search_rule *rule) {
  irl_select_problem problem;
  irl_search_set_goal(search, budget, &problem);
  const irl_status status = solve_selection(search, &problem, rule);
  search->allowance.owes_selection = false;
  return status;
}

irl_status irl_search_select_for(irl_search *search, const irl_select_goal *goal,
                                 irl_search_rule *rule) {
  irl_select_problem problem;
  irl_search_set_goal(search, UINT64_MAX, &problem);
  problem.K = goal->K;
  problem.case_weight = goal->case_weight;
  problem.control_weight = goal->control_weight;
  if (goal->budget < problem.max_controls) problem.max_controls = goal->budget;
  problem.min_cases = 0;
  problem.clause_cost = problem.literal_cost = 0;
  return solve_selection(search, &problem, rule);
}
