/* The residual check: feasibility of x, feasibility of (y, d = c - y'A), equal objectives. It reads
 * the entries of the model and the solution's x and y only, so that an error anywhere in scaling,
 * factorisation or simplex shows. */
#include "base/memory.h"
#include "lp/lp_model.h"
#include "lp/tol.h"
#include <math.h>

/* Duals this much smaller than the largest one are measured against that, not against 1. */
#define DUAL_NOISE 1e-3

static double violation_of(double value, double lower, double upper, double size) {
  assert(!(size < 0));
  const double below = (lower - value) / (1 + fabs(lower) + size);
  const double above = (value - upper) / (1 + fabs(upper) + size);
  return fmax(lower > -INFINITY ? below : 0, upper < INFINITY ? above : 0);
}

/* The dual objective, and the magnitudes that enter the gap of the two. */
typedef struct sums {
  double dual_objective, size;
} sums;

/* Adds the variable's part of the dual objective; returns the part of d that no bound supports. */
static double unsupported_dual(sums *s, double d, double lower, double upper, double size) {
  const double bound = d > 0 ? lower : upper;
  if (d == 0) return 0;
  if (!isfinite(bound)) return fabs(d) / (1 + size);
  s->dual_objective += d * bound;
  s->size += fabs(d * bound);
  return 0;
}

irl_status irl_lp_kkt(const irl_lp *lp, irl_lp_residuals *r) {
  const irl_lp_side *columns = &lp->columns, *rows = &lp->rows;
  const size_t m = rows->count, n = columns->count;
  /* Sums of terms and of their absolute values, by row and by column. */
  double *activity = irl_mem_alloc(&lp->allocator, 2 * (m + n), sizeof *activity);
  if (!activity) return irl_fail_memory(lp->env);
  double *activity_size = activity + m, *reduced = activity_size + m, *reduced_size = reduced + n;
  double objective = 0, largest = 0;
  sums s = {0};
  *r = (irl_lp_residuals){0};
  irl_lp_multiply(lp, columns->value, activity);
  irl_lp_multiply_transposed(lp, rows->dual, reduced);
  for (size_t j = 0; j < n; j++) reduced_size[j] = fabs(lp->cost[j]);
  for (size_t e = 0; e < lp->n_entries; e++) {
    const irl_lp_entry *entry = &lp->entries[e];
    activity_size[entry->row] += fabs(entry->value * columns->value[entry->column]);
    reduced_size[entry->column] += fabs(entry->value * rows->dual[entry->row]);
  }
  for (size_t j = 0; j < n; j++) {
    const double lower = columns->lower[j], upper = columns->upper[j], x = columns->value[j];
    const double d = lp->cost[j] - reduced[j];
    objective += lp->cost[j] * x;
    s.size += fabs(lp->cost[j] * x);
    r->primal = fmax(r->primal, violation_of(x, lower, upper, 0));
    r->dual = fmax(r->dual, unsupported_dual(&s, d, lower, upper, reduced_size[j]));
  }
  for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(rows->dual[i]));
  for (size_t i = 0; i < m; i++) {
    const double lower = rows->lower[i], upper = rows->upper[i], y = rows->dual[i];
    r->primal = fmax(r->primal, violation_of(activity[i], lower, upper, activity_size[i]));
    r->dual = fmax(r->dual, unsupported_dual(&s, y, lower, upper, DUAL_NOISE * largest));
  }
  r->gap = fabs(objective - s.dual_objective) / (1 + s.size);
  if (!isfinite(objective) || !isfinite(s.dual_objective)) r->gap = INFINITY;
  assert(r->primal >= 0 && r->dual >= 0 && r->gap >= 0);
  irl_mem_free(&lp->allocator, activity);
  return IRL_STATUS_OK;
}

bool irl_lp_residuals_are_small(const irl_lp_residuals *r) {
  return r->primal <= IRL_LP_TOL_CHECK && r->dual <= IRL_LP_TOL_CHECK && r->gap <= IRL_LP_TOL_CHECK;
}
