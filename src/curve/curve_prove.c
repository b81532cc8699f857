/* The points of a curve as they are told: with rules in which nothing is superfluous, and with no
 * claim but about all rules.
 *
 * A selection counts true and false positives only, so its rule may hold clauses that add nothing,
 * and clauses that might be shorter. Such are dropped here, and what that makes worse than another
 * point goes.
 *
 * What a selection proves it proves for the pool. If the pool has all clauses that there are that
 * is about all rules; if not, the bound of the fit is what is left of it: a point is optimal where
 * its loss is that bound. */
#include "curve/curve.h"
#include "ireland_study.h"
#include "learn/learn.h"

/* ---- pruning ---- */

typedef struct pruner {
  const irl_curve_solver *solver;
  const irl_clause_set *pool; /* the curve's own */
} pruner;

static void weigh(const pruner *p, irl_search_rule *rule) {
  const irl_cover_counts counts =
      irl_clause_set_count(p->pool, rule->clauses, rule->n, p->solver->scratch);
  rule->tp = counts.cases;
  rule->fp = counts.controls;
  rule->literals = counts.literals;
  rule->loss = irl_curve_loss(p->solver, rule->tp, rule->fp);
}

/* Every point counts both classes, so neither may get worse. */
static bool is_no_worse(void *user, irl_search_rule *candidate, const irl_search_rule *rule) {
  weigh(user, candidate);
  return candidate->tp >= rule->tp && candidate->fp <= rule->fp;
}

/* ---- order ---- */

/* What a point of a complexity curve costs. */
static uint64_t size_of(irl_curve_kind kind, const irl_curve_solution *solution) {
  return kind == IRL_CURVE_LITERALS ? solution->literals : solution->rule.n;
}

/* Is nothing about b better? */
static bool is_worse(irl_curve_kind kind, const irl_curve_solution *a,
                     const irl_curve_solution *b) {
  if (kind == IRL_CURVE_TRADEOFF) return a->rule.tp >= b->rule.tp && a->rule.fp <= b->rule.fp;
  return a->rule.loss <= b->rule.loss && size_of(kind, a) <= size_of(kind, b);
}

/* Of points that are alike the first stays. */
static void remove_dominated(irl_curve_kind kind, irl_curve_line *line) {
  for (size_t i = 0; i < line->n;) {
    size_t by = 0;
    while (by < line->n && (by == i || !is_worse(kind, &line->solutions[by], &line->solutions[i]) ||
                            (by > i && is_worse(kind, &line->solutions[i], &line->solutions[by]))))
      by++;
    if (by == line->n) {
      i++;
      continue;
    }
    line->n--;
    memmove(line->solutions + i, line->solutions + i + 1, (line->n - i) * sizeof *line->solutions);
  }
}

/* ---- claims ---- */

static int64_t ceil_of(int64_t part, int64_t of) {
  return part > 0 ? (part + of - 1) / of : 0;
}

/* What the bound of the fit on the loss of any rule says of a point. */
static void bound_by_fit(const irl_curve_solver *solver, irl_curve_kind kind,
                         irl_curve_solution *solution) {
  const irl_search_rule *rule = &solution->rule;
  const uint64_t n_cases = irl_data_total(solver->fit->data, 0);
  const int64_t paid = solver->fit->problem.control_weight * (int64_t)rule->fp;
  const int64_t missed = solver->fit->problem.case_weight * (int64_t)(n_cases - rule->tp);
  solution->max_tp =
      n_cases - (uint64_t)ceil_of(solver->min_loss - paid, solver->fit->problem.case_weight);
  solution->min_fp =
      (uint64_t)ceil_of(solver->min_loss - missed, solver->fit->problem.control_weight);
  solution->min_loss = solver->min_loss;
  assert(solution->max_tp <= n_cases && solver->min_loss <= rule->loss);
  const bool is_optimal = kind == IRL_CURVE_TRADEOFF
                              ? solution->max_tp == rule->tp && solution->min_fp == rule->fp
                              : rule->loss == solver->min_loss;
  if (is_optimal)
    solution->outcome = IRL_OUTCOME_OPTIMAL;
  else if (solution->outcome == IRL_OUTCOME_OPTIMAL)
    solution->outcome = IRL_OUTCOME_FEASIBLE;
}

irl_status irl_curve_prove(irl_curve_solver *solver, irl_curve_kind kind, irl_clause_set *pool,
                           irl_curve_line *line) {
  const irl_clause_set *from = &solver->fit->pool;
  pruner user = {solver, pool};
  const irl_pruning pruning = {solver->env, pool, is_no_worse, &user};
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < line->n && !status; i++) {
    /* From the numbers of the fit's pool to those of the curve's, without what is superfluous. */
    irl_search_rule *rule = &line->solutions[i].rule;
    for (uint32_t k = 0; k < rule->n && !status; k++)
      status = irl_clause_set_take(solver->env, pool, from, rule->clauses[k], &rule->clauses[k]);
    if (status) break;
    weigh(&user, rule);
    status = irl_learn_prune(&pruning, rule);
    line->solutions[i].literals = rule->literals;
  }
  if (status) return status;
  remove_dominated(kind, line);
  if (solver->fit->is_complete) return IRL_STATUS_OK;
  for (size_t i = 0; i < line->n; i++) bound_by_fit(solver, kind, &line->solutions[i]);
  if (line->outcome == IRL_OUTCOME_OPTIMAL) line->outcome = IRL_OUTCOME_FEASIBLE;
  if (line->outcome == IRL_OUTCOME_INFEASIBLE) line->outcome = irl_limit_outcome(&solver->limit);
  return IRL_STATUS_OK;
}
