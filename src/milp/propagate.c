/* Bound propagation over rows.
 *
 * A row  sum a_j x_j <= u  with least activity m over the bounds leaves x_j (a_j > 0) at most
 * l_j + (u - m) / a_j, and says that there is no point if m > u; likewise for >= and negative
 * entries. Rows whose columns changed are looked at again, first in, first out.
 *
 * Rows of integers are computed without rounding, so nothing is granted to them. The others get the
 * tolerance that a point is granted when it is checked, and what the sum may be off by. Continuous
 * columns are tightened only if it moves their bound noticeably: such steps may shrink for ever.
 * Their bounds stay in the domain; the LP hears of integer columns only. */
#include "milp/propagate.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>

/* Entries looked at in one call, per entry of the model: beyond this the rest is left to the LP. */
#define MAX_PASSES 20u
/* Beyond this many units from its bound a column is as good as free for reduced-cost fixing. */
#define MAX_STEPS 1e9

void irl_milp_domain_free(irl_milp_domain *d) {
  irl_array_free(&d->allocator, &d->trail);
}

bool irl_milp_domain_init(irl_milp_domain *d, irl_arena *a, const irl_milp_model *model) {
  const size_t n = model->n_columns, m = model->n_rows;
  *d = (irl_milp_domain){.model = model, .allocator = a->allocator};
  if (!(d->lower = irl_arena_alloc(a, n, sizeof *d->lower)) ||
      !(d->upper = irl_arena_alloc(a, n, sizeof *d->upper)) ||
      !(d->queue = irl_arena_alloc(a, m, sizeof *d->queue)) ||
      !(d->is_queued = irl_arena_alloc(a, m, sizeof *d->is_queued)) ||
      !(d->touched = irl_arena_alloc(a, n, sizeof *d->touched)) ||
      !(d->is_touched = irl_arena_alloc(a, n, sizeof *d->is_touched)))
    return false;
  memcpy(d->lower, model->lower, n * sizeof *d->lower);
  memcpy(d->upper, model->upper, n * sizeof *d->upper);
  return true;
}

static void touch(irl_milp_domain *d, uint32_t j) {
  if (d->is_touched[j]) return;
  assert(d->n_touched < d->model->n_columns);
  d->is_touched[j] = true;
  d->touched[d->n_touched++] = j;
}

static void queue_row(irl_milp_domain *d, uint32_t i) {
  if (d->is_queued[i]) return;
  uint32_t place = d->first + d->n_queued++;
  assert(d->n_queued <= d->model->n_rows);
  if (place >= d->model->n_rows) place -= d->model->n_rows;
  d->queue[place] = i;
  d->is_queued[i] = true;
}

void irl_milp_domain_queue_all(irl_milp_domain *d) {
  for (uint32_t i = 0; i < d->model->n_rows; i++) queue_row(d, i);
}

static void clear_queue(irl_milp_domain *d) {
  for (; d->n_queued > 0; d->n_queued--) {
    d->is_queued[d->queue[d->first]] = false;
    d->first = d->first + 1 == d->model->n_rows ? 0 : d->first + 1;
  }
}

void irl_milp_domain_tighten(irl_milp_domain *d, uint32_t j, double lower, double upper) {
  const irl_milp_model *m = d->model;
  assert(j < m->n_columns && !isnan(lower) && !isnan(upper));
  if (lower <= d->lower[j]) lower = d->lower[j];
  if (upper >= d->upper[j]) upper = d->upper[j];
  if (lower == d->lower[j] && upper == d->upper[j]) return;
  const irl_milp_change before = {j, d->lower[j], d->upper[j]};
  if (!irl_array_push(&d->allocator, &d->trail, before)) {
    d->is_out_of_memory = true;
    return;
  }
  assert(lower >= d->lower[j] && upper <= d->upper[j]);
  assert(!m->is_integer[j] || (lower == nearbyint(lower) && upper == nearbyint(upper)));
  d->lower[j] = lower;
  d->upper[j] = upper;
  if (lower > upper) d->is_empty = true;
  touch(d, j);
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++)
    queue_row(d, m->column_row[e]);
  d->work += m->column_start[j + 1] - m->column_start[j];
}

void irl_milp_domain_branch(irl_milp_domain *d, uint32_t j, double value, bool is_up) {
  irl_milp_domain_tighten(d, j, is_up ? value : -INFINITY, is_up ? INFINITY : value);
}

/* a x_j <= slack, that of the row without x_j's own term. */
static void tighten_by_row(irl_milp_domain *d, uint32_t j, double a, double slack) {
  double limit = slack / a, lower = -INFINITY, upper = INFINITY;
  if (!isfinite(limit)) return;
  /* A quotient is off by half an ulp, unless it is whole. */
  if (limit != nearbyint(limit)) limit += (a > 0 ? 2 : -2) * DBL_EPSILON * fabs(limit);
  if (d->model->is_integer[j]) {
    if (fabs(limit) > IRL_MILP_MAX_INTEGER) return;
    if (a > 0)
      upper = floor(limit);
    else
      lower = ceil(limit);
  } else { /* is the new bound worth having? */
    const double range = isfinite(d->upper[j] - d->lower[j]) ? d->upper[j] - d->lower[j] : 0;
    const double old = a > 0 ? d->upper[j] : d->lower[j];
    if (fabs(limit) > IRL_MILP_MAX_BOUND) return;
    if (isfinite(old) && !(fabs(limit - old) > IRL_MILP_TOL_TIGHTER * fmax(1, range))) return;
    if (a > 0)
      upper = fmax(limit, d->lower[j]);
    else
      lower = fmin(limit, d->upper[j]);
  }
  irl_milp_domain_tighten(d, j, lower, upper);
}

/* One side of a row: sign * activity <= side. False: it cannot hold. */
static bool propagate_side(irl_milp_domain *d, uint32_t i, double sign, double side) {
  const irl_milp_model *m = d->model;
  const size_t first = m->row_start[i], end = m->row_start[i + 1];
  double sum = 0, size = 0;              /* of the least activity, or minus the greatest */
  uint32_t n_infinite = 0, infinite = 0; /* how many terms have no bound, and the last of them */
  for (size_t e = first; e < end; e++) {
    const double a = sign * m->row_value[e];
    const uint32_t j = m->row_column[e];
    const double bound = a > 0 ? d->lower[j] : d->upper[j];
    if (isfinite(bound)) {
      sum += a * bound;
      size += fabs(a * bound);
    } else {
      n_infinite++;
      infinite = j;
    }
  }
  const double error =
      m->is_exact[i] && size < IRL_MILP_MAX_INTEGER
          ? 0
          : m->tolerance[i] + ((double)(end - first) + 2) * DBL_EPSILON * (size + fabs(side));
  assert(error >= 0 && !isnan(sum));
  if (n_infinite > 1) return true;
  const double slack = side - sum + error;
  if (n_infinite == 0 && slack < 0) return false;
  for (size_t e = first; e < end && !d->is_empty; e++) {
    const double a = sign * m->row_value[e];
    const uint32_t j = m->row_column[e];
    if (n_infinite == 1 && j != infinite) continue;
    if (d->lower[j] == d->upper[j]) continue;
    const double own = n_infinite == 1 ? 0 : a * (a > 0 ? d->lower[j] : d->upper[j]);
    if (n_infinite == 0 && slack >= fabs(a) * (d->upper[j] - d->lower[j])) continue;
    tighten_by_row(d, j, a, slack + own);
  }
  return !d->is_empty;
}

bool irl_milp_domain_propagate(irl_milp_domain *d) {
  const irl_milp_model *m = d->model;
  const uint64_t end = d->work + MAX_PASSES * (m->row_start[m->n_rows] + m->n_rows);
  bool is_possible = !d->is_empty;
  while (is_possible && d->n_queued > 0 && d->work < end) {
    const uint32_t i = d->queue[d->first];
    assert(i < m->n_rows && d->is_queued[i]);
    d->first = d->first + 1 == m->n_rows ? 0 : d->first + 1;
    d->n_queued--;
    d->is_queued[i] = false;
    d->work += 2 * (m->row_start[i + 1] - m->row_start[i]);
    is_possible = (m->row_upper[i] == INFINITY || propagate_side(d, i, 1, m->row_upper[i])) &&
                  (m->row_lower[i] == -INFINITY || propagate_side(d, i, -1, -m->row_lower[i]));
  }
  clear_queue(d);
  assert(irl_milp_domain_check(d));
  return is_possible && !d->is_empty;
}

/* A column that must move d units of cost per unit away from its bound can move at most
 * (cutoff - bound) / d if the solution is to be better than the incumbent. Bound and reduced costs
 * are safe, so what is cut off is really worse; the quotient is off by a few roundings. */
uint32_t irl_milp_domain_fix(irl_milp_domain *d, double bound, const double *reduced,
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

void irl_milp_domain_undo(irl_milp_domain *d, size_t mark) {
  assert(mark <= d->trail.n);
  while (d->trail.n > mark) {
    const irl_milp_change *change = &d->trail.items[--d->trail.n];
    assert(change->lower <= d->lower[change->column] && change->upper >= d->upper[change->column]);
    d->lower[change->column] = change->lower;
    d->upper[change->column] = change->upper;
    touch(d, change->column);
  }
  clear_queue(d);
  d->is_empty = false;
  assert(d->trail.n == mark && d->n_queued == 0);
}

bool irl_milp_domain_check(const irl_milp_domain *d) {
  const irl_milp_model *m = d->model;
  if (d->n_touched > m->n_columns || d->n_queued > m->n_rows) return false;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (!d->is_empty && !(d->lower[j] <= d->upper[j])) return false;
    if (m->is_integer[j] && d->lower[j] != nearbyint(d->lower[j])) return false;
    if (m->is_integer[j] && d->upper[j] != nearbyint(d->upper[j])) return false;
  }
  for (size_t k = 0; k < d->trail.n; k++)
    if (d->trail.items[k].column >= m->n_columns ||
        !(d->trail.items[k].lower <= d->trail.items[k].upper))
      return false;
  return true;
}

void irl_milp_domain_tell(irl_milp_domain *d, irl_lp *lp) {
  for (uint32_t k = 0; k < d->n_touched; k++) {
    const uint32_t j = d->touched[k];
    assert(d->is_touched[j] && d->lower[j] <= d->upper[j]);
    d->is_touched[j] = false;
    if (d->model->is_integer[j]) irl_lp_set_bounds(lp, j, d->lower[j], d->upper[j]);
  }
  d->n_touched = 0;
}
