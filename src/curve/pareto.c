/* The sensitivity-specificity curve, by the epsilon-constraint procedure of the paper (Balvert
 * 2024).
 *
 * The extreme points come first: the fewest false positives (and with them the most true ones), and
 * the most true positives (and with them the fewest false ones). Then, while two neighbours A and B
 * are further apart than the threshold, one of two problems is solved for the middle between them:
 *
 *   (MP)_sens  the most true positives with at most so many false ones;
 *   (MP)_spec  the fewest false positives with at least so many true ones.
 *
 * Both are lexicographic (the other count breaks ties), so every point found is non-dominated. In
 * counts, all that can lie between A and B has more true and more false positives than A and fewer
 * of both than B; each answer, also the answer that there is nothing, narrows this range:
 *
 *   (MP)_sens at b finds P:        nothing is left between P and b; A..P and b..B remain;
 *   (MP)_sens at b finds nothing:  b..B remains;
 *
 * and (MP)_spec alike from the other side. A range no wider than the threshold is asked for as a
 * whole. So a gap ends filled, or proven empty ("can no longer be improved"), or, at a limit, open.
 * The widest gap is always next, so that a curve that a limit cuts short is even. The first
 * question is for the fit's own rule, which so lies on the curve. Neighbours are the starts of a
 * selection, and it only has to find what is better than they are. */
#include "base/memory.h"
#include "curve/curve.h"

/* What can still lie between a point and the next one, in counts, bounds included. */
typedef struct range {
  uint64_t min_tp, max_tp, min_fp, max_fp;
  bool is_closed; /* a limit ended the search in it */
} range;

typedef struct tracer {
  irl_curve_solver *solver;
  irl_curve_line *line;
  range *ranges; /* behind each point but the last */
  size_t capacity;
  uint64_t n_cases, n_controls;
  uint64_t first_fp; /* asked for first */
  bool is_first, is_cut;
} tracer;

static bool is_empty(const range *r) {
  return r->is_closed || r->min_tp > r->max_tp || r->min_fp > r->max_fp;
}

static range between(const irl_curve_solution *a, const irl_curve_solution *b) {
  return (range){.min_tp = a->rule.tp + 1,
                 .max_tp = b->rule.tp - 1,
                 .min_fp = a->rule.fp + 1,
                 .max_fp = b->rule.fp - 1};
}

/* ---- the two problems ---- */

/* Most true positives with at most max_fp false ones, more than `than`. */
static irl_status solve_sens(const tracer *t, uint64_t max_fp, int64_t than,
                             irl_curve_solution *solution, bool *is_found) {
  const int64_t weight = (int64_t)t->n_controls + 1; /* no number of controls makes up for a case */
  irl_problem problem = irl_problem_weighted(&t->solver->problem, weight, 1);
  int64_t bound;
  problem.max_controls = max_fp;
  const irl_status status = irl_curve_select(
      t->solver, &problem, weight * ((int64_t)t->n_cases - than), solution, &bound, is_found);
  if (status || !*is_found) return status;
  /* At least this many cases are left out: bound = weight * cases + controls, rounded up. */
  const int64_t controls = bound < weight ? bound : (int64_t)max_fp;
  const int64_t left_out = (bound - controls + weight - 1) / weight;
  solution->max_tp = solution->outcome == IRL_OUTCOME_OPTIMAL ? solution->rule.tp
                                                              : t->n_cases - (uint64_t)left_out;
  solution->min_fp = solution->outcome == IRL_OUTCOME_OPTIMAL ? solution->rule.fp : 0;
  return IRL_STATUS_OK;
}

/* Fewest false positives with at least min_tp true ones, fewer than `than`. */
static irl_status solve_spec(const tracer *t, uint64_t min_tp, uint64_t than,
                             irl_curve_solution *solution, bool *is_found) {
  const int64_t weight = (int64_t)t->n_cases + 1;
  irl_problem problem = irl_problem_weighted(&t->solver->problem, 1, weight);
  int64_t bound;
  problem.min_cases = min_tp;
  const irl_status status =
      irl_curve_select(t->solver, &problem, weight * (int64_t)than, solution, &bound, is_found);
  if (status || !*is_found) return status;
  const int64_t left_out = (int64_t)(t->n_cases - min_tp);
  const int64_t rest = bound > left_out ? bound - left_out : 0;
  solution->max_tp = solution->outcome == IRL_OUTCOME_OPTIMAL ? solution->rule.tp : t->n_cases;
  solution->min_fp = solution->outcome == IRL_OUTCOME_OPTIMAL
                         ? solution->rule.fp
                         : (uint64_t)((rest + weight - 1) / weight);
  return IRL_STATUS_OK;
}

/* ---- points and ranges ---- */

static irl_status insert(tracer *t, size_t at, const irl_curve_solution *solution,
                         const range *behind) {
  irl_env *env = t->solver->env;
  if (t->line->n == t->capacity && !irl_mem_reserve(&env->allocator, (void **)&t->ranges,
                                                    &t->capacity, t->line->n, sizeof *t->ranges))
    return irl_fail_memory(env);
  memmove(t->ranges + at + 1, t->ranges + at, (t->line->n - at) * sizeof *t->ranges);
  t->ranges[at] = *behind;
  return irl_curve_insert(env, t->line, at, solution);
}

/* Answers that are not proven may be dominated by others, or dominate them. */
static void remove_dominated(tracer *t) {
  irl_curve_line *line = t->line;
  for (size_t i = 0; i + 1 < line->n;) {
    const irl_search_rule *a = &line->solutions[i].rule, *b = &line->solutions[i + 1].rule;
    if (a->tp < b->tp && a->fp < b->fp) {
      i++;
      continue;
    }
    const size_t worse = a->tp >= b->tp && a->fp <= b->fp ? i + 1 : i;
    line->n--;
    memmove(line->solutions + worse, line->solutions + worse + 1,
            (line->n - worse) * sizeof *line->solutions);
    memmove(t->ranges + worse, t->ranges + worse + 1, (line->n - worse) * sizeof *t->ranges);
    if (i + 1 < line->n) t->ranges[i] = between(&line->solutions[i], &line->solutions[i + 1]);
    if (i) t->ranges[i - 1] = between(&line->solutions[i - 1], &line->solutions[i]);
    i -= i > 0;
  }
}

/* P lies between point i and the next; what its search has proven narrows the ranges beside it. */
static irl_status split(tracer *t, size_t i, const irl_curve_solution *p, const range *rest) {
  range before = t->ranges[i], behind = *rest;
  assert(i + 1 < t->line->n && p->rule.tp <= p->max_tp && p->rule.fp >= p->min_fp);
  if (before.max_tp >= p->rule.tp) before.max_tp = p->rule.tp - 1;
  if (before.max_fp >= p->rule.fp) before.max_fp = p->rule.fp - 1;
  if (behind.min_tp <= p->rule.tp) behind.min_tp = p->rule.tp + 1;
  if (behind.min_fp <= p->rule.fp) behind.min_fp = p->rule.fp + 1;
  t->ranges[i] = before;
  const irl_status status = insert(t, i + 1, p, &behind);
  if (!status) remove_dominated(t);
  return status;
}

/* ---- a gap ---- */

static double share(uint64_t n, uint64_t of) {
  return (double)n / (double)of;
}

/* How far point i and the next one are apart: the larger of both differences. */
static double width(const tracer *t, size_t i, bool *is_sens) {
  const irl_search_rule *a = &t->line->solutions[i].rule, *b = &t->line->solutions[i + 1].rule;
  const double sens = share(b->tp - a->tp, t->n_cases), spec = share(b->fp - a->fp, t->n_controls);
  *is_sens = sens > spec;
  return sens > spec ? sens : spec;
}

/* The widest gap that is wider than the threshold and not known to be empty; line->n if none. */
static size_t widest(const tracer *t, bool *is_sens) {
  double most = t->solver->threshold;
  size_t pick = t->line->n;
  for (size_t i = 0; i + 1 < t->line->n; i++) {
    bool by_sens;
    const double w = width(t, i, &by_sens);
    if (w <= most || is_empty(&t->ranges[i])) continue;
    most = w;
    pick = i;
    *is_sens = by_sens;
  }
  return pick;
}

/* Gap i is narrowed by (MP)_sens, at the middle of the false positives that are left in it. */
static irl_status ask_sens(tracer *t, size_t i) {
  range *r = &t->ranges[i], rest = *r;
  const uint64_t middle = r->min_fp + (r->max_fp - r->min_fp) / 2;
  const bool is_narrow = share(r->max_fp - r->min_fp + 1, t->n_controls) <= t->solver->threshold;
  const uint64_t b = t->is_first ? t->first_fp : is_narrow ? r->max_fp : middle;
  irl_curve_solution solution = t->line->solutions[i];
  bool is_found;
  const irl_status status = solve_sens(t, b, (int64_t)solution.rule.tp, &solution, &is_found);
  if (status) return status;
  rest.min_fp = b + 1;
  if (is_found) return split(t, i, &solution, &rest);
  *r = rest;
  r->is_closed =
      solution.outcome != IRL_OUTCOME_OPTIMAL && solution.outcome != IRL_OUTCOME_INFEASIBLE;
  return IRL_STATUS_OK;
}

/* A point by (MP)_spec, at the middle of the true positives. */
static irl_status ask_spec(tracer *t, size_t i) {
  range *r = &t->ranges[i], rest = *r;
  const uint64_t middle = r->min_tp + (r->max_tp - r->min_tp + 1) / 2;
  const bool is_narrow = share(r->max_tp - r->min_tp + 1, t->n_cases) <= t->solver->threshold;
  const uint64_t b = is_narrow ? r->min_tp : middle;
  irl_curve_solution solution = t->line->solutions[i + 1];
  bool is_found;
  const irl_status status = solve_spec(t, b, solution.rule.fp, &solution, &is_found);
  if (status) return status;
  r->max_tp = b - 1;
  if (is_found) return split(t, i, &solution, &rest);
  r->is_closed =
      solution.outcome != IRL_OUTCOME_OPTIMAL && solution.outcome != IRL_OUTCOME_INFEASIBLE;
  return IRL_STATUS_OK;
}

/* ---- the curve ---- */

/* The two ends; *is_single: they are one point, or there is none. */
static irl_status find_ends(tracer *t, bool *is_single) {
  const irl_curve_solver *solver = t->solver;
  irl_curve_solution left = {.rule = {.n = 0}}, right = {.rule = {.n = 0}};
  range all = {0};
  bool is_found = false;
  *is_single = true;
  irl_status status = solve_spec(t, solver->least_tp, solver->most_fp + 1, &left, &is_found);
  if (status || !is_found) {
    t->is_cut |= left.outcome != IRL_OUTCOME_OPTIMAL && left.outcome != IRL_OUTCOME_INFEASIBLE;
    return status;
  }
  status = insert(t, 0, &left, &all);
  if (!status) status = solve_sens(t, solver->most_fp, (int64_t)left.rule.tp, &right, &is_found);
  if (status || !is_found) {
    t->is_cut |= right.outcome != IRL_OUTCOME_OPTIMAL && right.outcome != IRL_OUTCOME_INFEASIBLE;
    return status;
  }
  *is_single = false;
  status = insert(t, 1, &right, &all);
  if (!status) t->ranges[0] = between(&left, &right);
  remove_dominated(t);
  return status;
}

/* A curve that a limit cut short has at least the fit's own rule, or a better one. */
static irl_status keep_best(tracer *t) {
  const irl_fit_result *fit = t->solver->fit;
  const irl_search_rule *best = &fit->best;
  irl_curve_solution solution = {.rule = *best,
                                 .literals = fit->rule->n_literals,
                                 .outcome = irl_limit_outcome(&t->solver->limit),
                                 .max_tp = t->n_cases};
  const range none = {.is_closed = true};
  size_t at = 0;
  if (best->tp < t->solver->least_tp || best->fp > t->solver->most_fp) return IRL_STATUS_OK;
  while (at < t->line->n && t->line->solutions[at].rule.fp < best->fp) at++;
  for (size_t i = 0; i < t->line->n; i++) {
    const irl_search_rule *rule = &t->line->solutions[i].rule;
    if (rule->tp >= best->tp && rule->fp <= best->fp) return IRL_STATUS_OK;
  }
  const irl_status status = insert(t, at, &solution, &none);
  if (!status) remove_dominated(t);
  return status;
}

/* How the curve as a whole ended. */
static irl_outcome outcome_of(const tracer *t) {
  if (t->is_cut) return irl_limit_outcome(&t->solver->limit);
  bool by_sens;
  for (size_t i = 0; i < t->line->n; i++) {
    if (t->line->solutions[i].outcome != IRL_OUTCOME_OPTIMAL) return IRL_OUTCOME_FEASIBLE;
    if (i + 1 < t->line->n && t->ranges[i].is_closed &&
        width(t, i, &by_sens) > t->solver->threshold)
      return IRL_OUTCOME_FEASIBLE;
  }
  return t->line->n ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE;
}

/* Bounds that a neighbour or the fit has proven hold here too. */
static void tighten(tracer *t) {
  const int64_t weight = t->solver->fit->problem.case_weight;
  irl_curve_solution *solutions = t->line->solutions;
  for (size_t i = t->line->n; i-- > 0;) {
    /* By the bound of the fit on the loss of any rule, so many cases at least are left out. */
    const int64_t rest = t->solver->min_loss -
                         t->solver->fit->problem.control_weight * (int64_t)solutions[i].rule.fp;
    const uint64_t left_out = rest > 0 ? (uint64_t)((rest + weight - 1) / weight) : 0;
    if (solutions[i].max_tp > t->n_cases - left_out) solutions[i].max_tp = t->n_cases - left_out;
    if (i + 1 < t->line->n && solutions[i].max_tp > solutions[i + 1].max_tp)
      solutions[i].max_tp = solutions[i + 1].max_tp;
  }
  for (size_t i = 1; i < t->line->n; i++)
    if (solutions[i].min_fp < solutions[i - 1].min_fp)
      solutions[i].min_fp = solutions[i - 1].min_fp;
}

irl_status irl_curve_pareto(irl_curve_solver *solver, irl_curve_line *line) {
  tracer t = {.solver = solver,
              .line = line,
              .n_cases = irl_data_total(solver->fit->data, 0),
              .n_controls = irl_data_total(solver->fit->data, 1),
              .first_fp = solver->fit->best.fp};
  bool is_single, is_sens = false;
  irl_status status = find_ends(&t, &is_single);
  /* The fit's rule comes first, if it is strictly between the ends. */
  if (!status && !is_single && line->n == 2 && !is_empty(&t.ranges[0]) &&
      t.first_fp >= t.ranges[0].min_fp && t.first_fp <= t.ranges[0].max_fp) {
    t.is_first = true;
    status = ask_sens(&t, 0);
    t.is_first = false;
  }
  while (!status && !t.is_cut) {
    const size_t i = widest(&t, &is_sens);
    if (i == line->n) break;
    if (irl_curve_limit_reached(solver))
      t.is_cut = true;
    else
      status = is_sens ? ask_spec(&t, i) : ask_sens(&t, i);
  }
  if (!status && t.is_cut) status = keep_best(&t);
  if (!status) tighten(&t);
  for (size_t i = 1; i < line->n; i++) /* both classes grow along the curve */
    assert(line->solutions[i - 1].rule.tp < line->solutions[i].rule.tp &&
           line->solutions[i - 1].rule.fp < line->solutions[i].rule.fp);
  if (!status) line->outcome = outcome_of(&t);
  irl_mem_free(&solver->env->allocator, t.ranges);
  return status;
}
