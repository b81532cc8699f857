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
#include "base/memory.h"
#include "bits/kernels.h"
#include "curve/curve.h"

/* ---- tidying ---- */

/* True and false positives of a rule of the curve's own pool, and its literals. */
static irl_status weigh(const irl_curve_solver *solver, const irl_clause_set *pool,
                        irl_curve_solution *solution) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_settings *settings = &solver->fit->settings;
  const irl_data *data = solver->fit->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *cases =
      irl_mem_alloc_aligned(&solver->env->allocator, case_words + control_words, sizeof *cases);
  if (!cases) return irl_fail_memory(solver->env);
  irl_learn_rule *rule = &solution->rule;
  rule->tp = rule->fp = rule->literals = 0;
  for (uint32_t i = 0; i < rule->n; i++) {
    const uint32_t k = rule->clauses[i];
    rule->tp = kernels->or_into(cases, cases, irl_bits_vector(&pool->cases, k), case_words);
    rule->fp = kernels->or_into(cases + case_words, cases + case_words,
                                irl_bits_vector(&pool->controls, k), control_words);
    rule->literals += pool->sizes[k];
  }
  irl_mem_free_aligned(&solver->env->allocator, cases);
  rule->loss = settings->case_weight * (int64_t)(data->n_cases - rule->tp) +
               settings->control_weight * (int64_t)rule->fp;
  solution->literals = rule->literals;
  return IRL_OK;
}

/* Takes the other rule if it is no worse. */
static irl_status take(const irl_curve_solver *solver, const irl_clause_set *pool,
                       const irl_curve_solution *other, irl_curve_solution *solution,
                       bool *is_taken) {
  irl_curve_solution weighed = *other;
  const irl_status status = weigh(solver, pool, &weighed);
  *is_taken =
      !status && weighed.rule.tp >= solution->rule.tp && weighed.rule.fp <= solution->rule.fp;
  if (*is_taken) *solution = weighed;
  return status;
}

static irl_status drop_clause(const irl_curve_solver *solver, const irl_clause_set *pool,
                              irl_curve_solution *solution, bool *is_dropped) {
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t i = 0; i < solution->rule.n && !status && !*is_dropped; i++) {
    irl_curve_solution without = *solution;
    without.rule.n--;
    memmove(without.rule.clauses + i, without.rule.clauses + i + 1,
            (without.rule.n - i) * sizeof *without.rule.clauses);
    status = take(solver, pool, &without, solution, is_dropped);
  }
  return status;
}

/* One literal of clause i. A shorter clause of the same cover takes its place in the pool. */
static irl_status drop_literal(const irl_curve_solver *solver, irl_clause_set *pool, uint32_t i,
                               irl_curve_solution *solution, bool *is_dropped) {
  const uint32_t k = solution->rule.clauses[i], n = pool->sizes[k];
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t l = 0; l < n && n > 1 && !status && !*is_dropped; l++) {
    irl_literal shorter[IRL_CLAUSE_MAX];
    irl_curve_solution other = *solution;
    bool is_new;
    memcpy(shorter, irl_clause_set_literals(pool, k), n * sizeof *shorter);
    memmove(shorter + l, shorter + l + 1, (n - l - 1) * sizeof *shorter);
    status = irl_clause_set_add(solver->env, pool, shorter, n - 1, &other.rule.clauses[i], &is_new);
    if (!status) status = take(solver, pool, &other, solution, is_dropped);
  }
  return status;
}

static irl_status tidy(const irl_curve_solver *solver, irl_clause_set *pool,
                       irl_curve_solution *solution) {
  irl_status status = weigh(solver, pool, solution);
  bool is_dropped = true;
  while (is_dropped && !status) {
    status = drop_clause(solver, pool, solution, &is_dropped);
    for (uint32_t i = 0; i < solution->rule.n && !status && !is_dropped; i++)
      status = drop_literal(solver, pool, i, solution, &is_dropped);
  }
  return status;
}

/* From the numbers of the fit's pool to those of the curve's own. */
static irl_status move(const irl_curve_solver *solver, irl_clause_set *pool,
                       irl_curve_solution *solution) {
  const irl_clause_set *from = &solver->fit->pool;
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < solution->rule.n && !status; i++) {
    const uint32_t k = solution->rule.clauses[i];
    status = irl_clause_set_add(solver->env, pool, irl_clause_set_literals(from, k), from->sizes[k],
                                &solution->rule.clauses[i], &is_new);
  }
  return status;
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
  const irl_learn_settings *settings = &solver->fit->settings;
  const irl_learn_rule *rule = &solution->rule;
  const uint64_t n_cases = solver->fit->data->n_cases;
  const int64_t paid = settings->control_weight * (int64_t)rule->fp;
  const int64_t missed = settings->case_weight * (int64_t)(n_cases - rule->tp);
  solution->max_tp = n_cases - (uint64_t)ceil_of(solver->min_loss - paid, settings->case_weight);
  solution->min_fp = (uint64_t)ceil_of(solver->min_loss - missed, settings->control_weight);
  solution->min_loss = solver->min_loss;
  const bool is_optimal = kind == IRL_CURVE_TRADEOFF
                              ? solution->max_tp == rule->tp && solution->min_fp == rule->fp
                              : rule->loss == solver->min_loss;
  if (is_optimal)
    solution->outcome = IRL_OPTIMAL;
  else if (solution->outcome == IRL_OPTIMAL)
    solution->outcome = IRL_FEASIBLE;
}

static void bound_line(const irl_curve_solver *solver, irl_curve_kind kind, irl_curve_line *line) {
  for (size_t i = 0; i < line->n; i++) bound_by_fit(solver, kind, &line->solutions[i]);
  if (line->outcome == IRL_OPTIMAL) line->outcome = IRL_FEASIBLE;
  if (line->outcome == IRL_INFEASIBLE) line->outcome = irl_limit_outcome(&solver->limit);
}

irl_status irl_curve_prove(irl_curve_solver *solver, irl_curve_kind kind, irl_clause_set *pool,
                           irl_curve_line *line) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < line->n && !status; i++) {
    status = move(solver, pool, &line->solutions[i]);
    if (!status) status = tidy(solver, pool, &line->solutions[i]);
  }
  if (status) return status;
  remove_dominated(kind, line);
  if (!solver->fit->is_complete) bound_line(solver, kind, line);
  return IRL_OK;
}
