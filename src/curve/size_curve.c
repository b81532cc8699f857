/* The least loss of rules of every size, as the paper's discussion proposes: by the number of
 * literals and by the number of clauses.
 *
 * Size after size, from 1 on, the best choice within it is sought, from the one before, which it
 * has to beat. A size that brings nothing better is no point of the curve. The curve ends where the
 * loss is that of the best choice of any size. Bounds are for the pool; a bound for a size holds
 * for all smaller ones too. */
#include "curve/curve.h"

static irl_status trace(irl_curve_solver *solver, bool by_literals, irl_curve_line *line) {
  const irl_fit_result *fit = solver->fit;
  irl_curve_solution solution = {.rule = {.n = 0}}, end = {.rule = fit->best};
  irl_problem problem = solver->problem; /* within the limits of the curve */
  int64_t bound;
  bool is_found;
  problem.min_cases = solver->least_tp;
  problem.max_controls = solver->most_fp;
  /* The best choice of any size, or the fit's own rule, and its bound: where the curve ends. */
  irl_status status = irl_curve_select(solver, &problem, IRL_NO_LOSS, &end, &bound, &is_found);
  if (status) return status;
  const int64_t least = bound > solver->min_loss ? bound : solver->min_loss;
  /* Without a rule, unless one is asked for. */
  int64_t loss = solver->least_tp ? IRL_NO_LOSS : irl_curve_loss(solver, 0, 0);
  uint64_t most = by_literals ? (uint64_t)fit->problem.K * fit->pool.max_size : fit->problem.K;
  if (by_literals && most > fit->problem.max_literals) most = fit->problem.max_literals;
  line->outcome = IRL_OUTCOME_OPTIMAL;
  for (uint64_t size = 1; size <= most && !status && loss > least; size++) {
    if (irl_curve_limit_reached(solver)) {
      line->outcome = irl_limit_outcome(&solver->limit);
      break;
    }
    if (by_literals)
      problem.max_literals = size;
    else
      problem.K = (uint32_t)size;
    irl_curve_solution next = solution;
    status = irl_curve_select(solver, &problem, loss, &next, &bound, &is_found);
    if (!status && next.outcome != IRL_OUTCOME_OPTIMAL && next.outcome != IRL_OUTCOME_INFEASIBLE)
      line->outcome = IRL_OUTCOME_FEASIBLE;
    if (status || !is_found) continue;
    solution = next;
    solution.min_loss = bound > least ? bound : least;
    assert(solution.rule.loss < loss && solution.min_loss <= solution.rule.loss);
    loss = solution.rule.loss;
    status = irl_curve_insert(solver->env, line, line->n, &solution);
  }
  /* What no larger rule reaches, no smaller one does. */
  for (size_t i = line->n; i-- > 1;)
    if (line->solutions[i - 1].min_loss < line->solutions[i].min_loss)
      line->solutions[i - 1].min_loss = line->solutions[i].min_loss;
  return status;
}

irl_status irl_curve_literals(irl_curve_solver *solver, irl_curve_line *line) {
  return trace(solver, true, line);
}

irl_status irl_curve_clauses(irl_curve_solver *solver, irl_curve_line *line) {
  return trace(solver, false, line);
}
