/* Reduced-cost fixing: a column that must move d units of cost per unit away from its bound can
 * move at most (cutoff - bound) / d if the solution is to be better than the incumbent. Bound and
 * reduced costs are safe, so what is cut off is really worse. */
#include "milp/milp_search.h"
#include <float.h>
#include <math.h>

/* The quotient is off by a few roundings; beyond this many units the column is as good as free. */
#define MAX_STEPS 1e9

uint32_t irl_milp_fix_columns(irl_milp_domain *d, double bound, const double *reduced,
                              double cutoff) {
  uint32_t n = 0;
  if (!isfinite(bound) || !isfinite(cutoff)) return 0;
  for (uint32_t j = 0; j < d->model->n_columns; j++) {
    if (reduced[j] == 0 || !d->model->is_integer[j] || d->lower[j] == d->upper[j]) continue;
    if (!isfinite(reduced[j] > 0 ? d->lower[j] : d->upper[j])) continue;
    /* The bound was computed with the LP's own bounds, which are those of the domain now. */
    const double steps = (cutoff - bound) / fabs(reduced[j]) * (1 + 8 * DBL_EPSILON);
    if (!(steps >= 0) || steps > MAX_STEPS) continue;
    const size_t before = d->trail.n;
    if (reduced[j] > 0)
      irl_milp_domain_tighten(d, j, -INFINITY, d->lower[j] + floor(steps));
    else
      irl_milp_domain_tighten(d, j, d->upper[j] - floor(steps), INFINITY);
    assert(d->lower[j] <= d->upper[j]);
    n += d->trail.n > before;
  }
  return n;
}
