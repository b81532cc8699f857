/* What all curves share: the pool is made ready once, and each point is a selection from it.
 *
 * A run that goes on from a checkpoint takes the clauses that were learnt from it, and nothing of
 * the curve: every selection is solved anew, so that no point rests on what a file says. */
#include "base/memory.h"
#include "curve/curve.h"
#include <inttypes.h>
#include <math.h>

irl_status irl_curve_solver_init(irl_curve_solver *solver, irl_env *env, const irl_fit_result *fit,
                                 const irl_options *options) {
  const irl_data *data = fit->data;
  const bool is_bounded = irl_problem_is_weighted(&fit->problem) && fit->bound > 0;
  const size_t words = data->cases.stride + data->controls.stride;
  const uint64_t n1 = irl_data_total(data, 0), n0 = irl_data_total(data, 1);
  *solver = (irl_curve_solver){.env = env,
                               .fit = fit,
                               .threshold = options->output.threshold,
                               .limit = irl_limit_left(&fit->limit, fit->info.work),
                               .min_loss = is_bounded ? fit->bound : 0,
                               .least_tp = fit->settings.least_tp,
                               .most_fp = fit->settings.most_fp};
  if (solver->most_fp > n0) solver->most_fp = n0;
  /* Either class counts before the other one. */
  if (((double)n1 + 1) * ((double)n0 + 1) * fit->problem.K > (double)IRL_NO_LOSS)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the weights of the samples, %" PRIu64 " and %" PRIu64
                    " units, are too large to be counted in a curve: fewer digits would do",
                    n1, n0);
  solver->scratch = irl_mem_alloc_aligned(&env->allocator, words, sizeof *solver->scratch);
  if (!solver->scratch) return irl_fail_memory(env);
  solver->work = (uint64_t)fit->pool.n * words;
  solver->problem =
      irl_problem_weighted(&fit->problem, fit->problem.case_weight, fit->problem.control_weight);
  const irl_select_task loosest =
      irl_select_task_of(&solver->problem, &fit->pool, fit->settings.search.threads);
  return irl_select_prepare(env, &loosest, &solver->limit, &solver->pool);
}

void irl_curve_solver_free(irl_curve_solver *solver) {
  irl_select_release(solver->pool);
  if (solver->env) irl_mem_free_aligned(&solver->env->allocator, solver->scratch);
}

void irl_curve_line_free(const irl_allocator *allocator, irl_curve_line *line) {
  irl_mem_free(allocator, line->solutions);
}

bool irl_curve_limit_reached(const irl_curve_solver *solver) {
  return irl_limit_reached(&solver->limit, solver->work);
}

int64_t irl_curve_loss(const irl_curve_solver *solver, uint64_t cases, uint64_t controls) {
  const uint64_t all = irl_problem_total(&solver->problem, 0);
  return irl_problem_gain(&solver->problem, (int64_t)(all - cases), -(int64_t)controls);
}

irl_status irl_curve_select(irl_curve_solver *solver, const irl_problem *problem, int64_t to_beat,
                            irl_curve_solution *solution, int64_t *bound, bool *is_found) {
  irl_select_task task =
      irl_select_task_of(problem, &solver->fit->pool, solver->fit->settings.search.threads);
  irl_select_result result;
  const uint64_t allowed = solver->fit->settings.search.prove
                               ? UINT64_MAX
                               : irl_tuning_select_short(&solver->fit->settings.search.tuning);
  irl_limit part = irl_limit_left(&solver->limit, solver->work);
  if (part.max_work > allowed) part.max_work = allowed;
  task.to_beat = to_beat;
  task.n_start = solution->rule.n;
  const irl_status status = irl_select_solve_prepared(solver->env, solver->pool, &task, &part,
                                                      solution->rule.clauses, &result);
  if (status) return status;
  *bound = result.bound;
  solver->work += result.work;
  solver->nodes += result.nodes;
  solver->n_selections++;
  *is_found = result.loss < to_beat;
  solution->rule.n = result.n;
  solution->rule.tp = result.cases;
  solution->rule.fp = result.controls;
  solution->rule.loss = irl_curve_loss(solver, result.cases, result.controls);
  solution->literals = result.literals;
  solution->outcome = result.outcome;
  irl_callbacks_note(solver->env, "curve", solver->work, NAN, NAN);
  irl_log(solver->env, IRL_LOG_PROGRESS,
          "curve: %" PRIu64 " selections, %" PRIu64 " true and %" PRIu64 " false positives",
          solver->n_selections, result.cases, result.controls);
  /* Its own work ended it, not a limit of the user's. */
  if (solution->outcome == IRL_OUTCOME_LIMIT && !irl_curve_limit_reached(solver))
    solution->outcome = IRL_OUTCOME_FEASIBLE;
  return IRL_STATUS_OK;
}

irl_status irl_curve_insert(irl_env *env, irl_curve_line *line, size_t at,
                            const irl_curve_solution *solution) {
  if (!irl_mem_reserve(&env->allocator, (void **)&line->solutions, &line->capacity, line->n,
                       sizeof *line->solutions))
    return irl_fail_memory(env);
  assert(at <= line->n);
  memmove(line->solutions + at + 1, line->solutions + at, (line->n - at) * sizeof *line->solutions);
  line->solutions[at] = *solution;
  line->n++;
  return IRL_STATUS_OK;
}
