/* Proofs of infeasibility and of unboundedness, each checked before it is believed.
 *
 * Farkas: any y gives y'[A -I](x, r) = 0, a linear form in the variables; if its least value over
 * all bounds is positive there is no feasible point. Unbounded: a direction in which no row and no
 * column meets a bound and the cost falls. Coefficients that are zero but for rounding (relative to
 * the terms they were summed from) count as zero. */
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

static bool reserve_ray(irl_lp_simplex *s) {
  double *ray = irl_mem_grow(&s->allocator, s->lp->ray, s->total + 1, sizeof *ray);
  if (ray) s->lp->ray = ray;
  return ray != NULL;
}

/* Is the least value of y'[A -I](x, r) over all bounds positive? */
static bool proves_infeasible(const irl_lp_simplex *s, const double *y) {
  double least = 0, size = 0, largest = 0;
  for (uint32_t i = 0; i < s->m; i++) largest = fmax(largest, fabs(y[i]));
  for (uint32_t v = 0; v < s->total; v++) {
    /* y'column of v and the sum of the absolute values of its terms. */
    double g = v < s->n ? 0 : -y[v - s->n], terms = fabs(g);
    for (size_t e = v < s->n ? s->a.columns.start[v] : 0; v < s->n && e < s->a.columns.start[v + 1];
         e++) {
      const double term = y[s->a.columns.index[e]] * s->a.columns.value[e];
      g += term;
      terms += fabs(term);
    }
    if (g == 0) continue;
    const double bound = g > 0 ? s->lower[v] : s->upper[v];
    assert(fabs(g) <= terms * (1 + 1e-9));
    if (!isfinite(bound)) {
      const double noise = IRL_LP_TOL_RAY * (v < s->n ? terms : largest);
      if (fabs(g) <= fmax(noise, IRL_LP_TOL_RAY_NOISE * largest)) continue;
      return false;
    }
    least += g * bound;
    size += fabs(g * bound);
  }
  return least > IRL_LP_TOL_FARKAS * size && least > 0;
}

/* y = +-rho without what may be noise, cleaned less or more (small entries of a vector whose large
 * ones are 1e5 are noise), either sign: whatever proves it is a proof. */
bool irl_lp_store_farkas(irl_lp_simplex *s) {
  static const double noise[] = {IRL_LP_TOL_CANCEL, 1e-13, 1e-11, IRL_LP_TOL_RAY, 1e-7, 1e-5};
  if (!reserve_ray(s)) return false;
  double *y = s->lp->ray, largest = 0;
  for (uint32_t i = 0; i < s->m; i++) largest = fmax(largest, fabs(s->rho.x[i]));
  for (size_t k = 0; k < 2 * sizeof noise / sizeof *noise; k++) {
    const double least = noise[k / 2] * largest, sign = k % 2 ? -1 : 1;
    for (uint32_t i = 0; i < s->m; i++) y[i] = fabs(s->rho.x[i]) > least ? sign * s->rho.x[i] : 0;
    if (!proves_infeasible(s, y)) continue;
    for (uint32_t i = 0; i < s->m; i++) y[i] /= s->scale[s->n + i];
    assert(largest > 0);
    return true;
  }
  return false;
}

bool irl_lp_store_direction(irl_lp_simplex *s, uint32_t entering) {
  if (!reserve_ray(s)) return false;
  double *ray = s->lp->ray, cost = 0, size = 0;
  const double direction = s->d[entering] < 0 ? 1 : -1;
  assert(s->at[entering] != IRL_LP_BASIC);
  memset(s->by_variable, 0, s->total * sizeof *s->by_variable);
  s->by_variable[entering] = direction;
  for (uint32_t k = 0; k < s->column.n; k++)
    s->by_variable[s->head[s->column.index[k]]] = -direction * s->column.x[s->column.index[k]];
  double largest = 1;
  for (uint32_t v = 0; v < s->total; v++) largest = fmax(largest, fabs(s->by_variable[v]));
  for (uint32_t v = 0; v < s->total; v++) {
    const double change = s->by_variable[v]; /* for ever, so there must be no bound */
    if (fabs(change) > IRL_LP_TOL_RAY * largest &&
        (change > 0 ? s->upper[v] < INFINITY : s->lower[v] > -INFINITY))
      return false;
    cost += s->true_cost[v] * change;
    size += fabs(s->true_cost[v] * change);
  }
  for (uint32_t j = 0; j < s->n; j++) ray[j] = s->by_variable[j] * s->scale[j];
  return cost < -IRL_LP_TOL_RAY * size;
}
