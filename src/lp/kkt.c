/* The residual check: feasibility of x, feasibility of (y, d = c - y'A), equal objectives. It reads
 * the entries of the model and the answer's x and y only, so that an error anywhere in scaling,
 * factorisation or simplex shows. */
#include "lp/kkt.h"
#include "base/memory.h"
#include "lp/lp_model.h"
#include "lp/tol.h"
#include <math.h>

/* Duals this much smaller than the largest one are measured against that, not against 1. */
#define DUAL_NOISE 1e-3

typedef struct check {
  const irl_lp *lp;
  double *activity, *activity_size; /* by row: sum, sum of absolute values */
  double *reduced, *reduced_size;   /* by column */
  double dual_objective, objective_size;
} check;

static double violation_of(double value, double lower, double upper, double size) {
  assert(!(size < 0));
  const double below = (lower - value) / (1 + fabs(lower) + size);
  const double above = (value - upper) / (1 + fabs(upper) + size);
  return fmax(lower > -INFINITY ? below : 0, upper < INFINITY ? above : 0);
}

static void add_sizes(check *c) {
  const irl_lp *lp = c->lp;
  for (uint32_t j = 0; j < lp->columns.count; j++) {
    c->reduced[j] = lp->cost[j] - c->reduced[j];
    c->reduced_size[j] = fabs(lp->cost[j]);
  }
  for (size_t e = 0; e < lp->n_entries; e++) {
    const irl_lp_entry *entry = &lp->entries[e];
    c->activity_size[entry->row] += fabs(entry->value * lp->columns.value[entry->column]);
    c->reduced_size[entry->column] += fabs(entry->value * lp->rows.dual[entry->row]);
  }
}

/* Adds the variable's part of the dual objective; returns the part of d that no bound supports. */
static double unsupported_dual(check *c, double d, double lower, double upper, double size) {
  const double bound = d > 0 ? lower : upper;
  if (d == 0) return 0;
  if (!isfinite(bound)) return fabs(d) / (1 + size);
  c->dual_objective += d * bound;
  c->objective_size += fabs(d * bound);
  return 0;
}

static void measure_residuals(check *c, irl_lp_residuals *r) {
  const irl_lp *lp = c->lp;
  double objective = 0, largest = 0;
  for (uint32_t i = 0; i < lp->rows.count; i++) largest = fmax(largest, fabs(lp->rows.dual[i]));
  *r = (irl_lp_residuals){0};
  for (uint32_t j = 0; j < lp->columns.count; j++) {
    const double lower = lp->columns.lower[j], upper = lp->columns.upper[j];
    objective += lp->cost[j] * lp->columns.value[j];
    c->objective_size += fabs(lp->cost[j] * lp->columns.value[j]);
    r->primal = fmax(r->primal, violation_of(lp->columns.value[j], lower, upper, 0));
    r->dual = fmax(r->dual, unsupported_dual(c, c->reduced[j], lower, upper, c->reduced_size[j]));
  }
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const double lower = lp->rows.lower[i], upper = lp->rows.upper[i];
    const double y = lp->rows.dual[i];
    r->primal = fmax(r->primal, violation_of(c->activity[i], lower, upper, c->activity_size[i]));
    r->dual = fmax(r->dual, unsupported_dual(c, y, lower, upper, DUAL_NOISE * largest));
  }
  r->gap = fabs(objective - c->dual_objective) / (1 + c->objective_size);
  if (!isfinite(objective) || !isfinite(c->dual_objective)) r->gap = INFINITY;
}

irl_status irl_lp_kkt(const irl_lp *lp, irl_lp_residuals *residuals) {
  const size_t m = lp->rows.count, n = lp->columns.count;
  double *block = irl_mem_alloc(&lp->allocator, 2 * (m + n), sizeof *block);
  if (!block) return irl_fail_memory(lp->env);
  check c = {.lp = lp,
             .activity = block,
             .activity_size = block + m,
             .reduced = block + 2 * m,
             .reduced_size = block + 2 * m + n};
  irl_lp_multiply(lp, lp->columns.value, c.activity);
  irl_lp_multiply_transposed(lp, lp->rows.dual, c.reduced);
  add_sizes(&c);
  measure_residuals(&c, residuals);
  assert(residuals->primal >= 0 && residuals->dual >= 0 && residuals->gap >= 0);
  irl_mem_free(&lp->allocator, block);
  return IRL_OK;
}

bool irl_lp_residuals_are_small(const irl_lp_residuals *r) {
  return r->primal <= IRL_LP_TOL_CHECK && r->dual <= IRL_LP_TOL_CHECK && r->gap <= IRL_LP_TOL_CHECK;
}
