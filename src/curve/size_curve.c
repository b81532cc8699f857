/* The least loss of rules of every size, as the paper's discussion proposes: by the number of
 * literals and by the number of clauses.
 *
 * Size after size, from 1 on, the best choice within it is sought, from the one before, which it
 * has to beat. A size that brings nothing better is no point of the curve. The curve ends where the
 * loss is that of the best choice of any size. Bounds are for the pool; a bound for a size holds
 * for all smaller ones too. */
#include "curve/curve.h"

typedef enum measure { BY_LITERALS, BY_CLAUSES } measure;

static void set_size(irl_select_problem *problem, measure by, uint64_t size) {
  if (by == BY_LITERALS)
    problem->max_literals = size;
  else
    problem->K = (uint32_t)size;
}

static uint64_t largest(const irl_curve_solver *solver, measure by) {
  const irl_learn_settings *settings = &solver->fit->settings;
  if (by == BY_CLAUSES) return settings->K;
  const uint64_t all = (uint64_t)settings->K * solver->fit->pool.max_literals;
  return settings->max_literals < all ? settings->max_literals : all;
}

static bool is_proven(const irl_curve_solution *solution) {
  return solution->outcome == IRL_OPTIMAL || solution->outcome == IRL_INFEASIBLE;
}

/* The selection problem, within the limits of the curve. */
static void make_problem(const irl_curve_solver *solver, irl_select_problem *problem) {
  irl_curve_problem(solver, problem);
  problem->min_cases = solver->least_tp;
  problem->max_controls = solver->most_fp;
}

/* The best choice of any size, or the fit's own rule, and its bound: where the curve ends. */
static irl_status find_end(irl_curve_solver *solver, irl_curve_solution *end) {
  irl_select_problem problem;
  irl_select_result result;
  bool is_found;
  make_problem(solver, &problem);
  end->rule = solver->fit->best;
  const irl_status status = irl_curve_select(solver, &problem, end, &result, &is_found);
  if (status) return status;
  end->min_loss = result.bound > solver->min_loss ? result.bound : solver->min_loss;
  return IRL_OK;
}

/* What no larger rule reaches, no smaller one does. */
static void tighten(irl_curve_line *line) {
  for (size_t i = line->n; i-- > 1;)
    if (line->solutions[i - 1].min_loss < line->solutions[i].min_loss)
      line->solutions[i - 1].min_loss = line->solutions[i].min_loss;
}

static irl_status trace(irl_curve_solver *solver, measure by, irl_curve_line *line) {
  const irl_data *data = solver->fit->data;
  irl_curve_solution solution = {.rule = {.n = 0}}, end;
  /* Without a rule, unless one is asked for. */
  int64_t loss = solver->least_tp ? IRL_SELECT_NO_LOSS
                                  : solver->fit->settings.case_weight * (int64_t)data->n_cases;
  irl_status status = find_end(solver, &end);
  line->outcome = IRL_OPTIMAL;
  for (uint64_t size = 1; size <= largest(solver, by) && !status && loss > end.min_loss; size++) {
    irl_select_problem problem;
    irl_select_result result;
    bool is_found;
    if (irl_curve_limit_reached(solver)) {
      line->outcome = irl_limit_outcome(&solver->limit);
      break;
    }
    make_problem(solver, &problem);
    set_size(&problem, by, size);
    problem.to_beat = loss;
    irl_curve_solution next = solution;
    status = irl_curve_select(solver, &problem, &next, &result, &is_found);
    if (!status && !is_proven(&next)) line->outcome = IRL_FEASIBLE;
    if (status || !is_found) continue;
    solution = next;
    solution.min_loss = result.bound > end.min_loss ? result.bound : end.min_loss;
    assert(solution.rule.loss < loss && solution.min_loss <= solution.rule.loss);
    loss = solution.rule.loss;
    status = irl_curve_insert(solver->env, line, line->n, &solution);
  }
  tighten(line);
  return status;
}

irl_status irl_curve_literals(irl_curve_solver *solver, irl_curve_line *line) {
  return trace(solver, BY_LITERALS, line);
}

irl_status irl_curve_clauses(irl_curve_solver *solver, irl_curve_line *line) {
  return trace(solver, BY_CLAUSES, line);
}
