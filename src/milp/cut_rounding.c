/* Gomory's mixed-integer cut (1960) as a mixed-integer rounding of a sum of rows.
 *
 * Any multipliers y of the rows give an equation  sum_j a_j x_j - sum_i y_i r_i = 0  over columns
 * and row activities. Each variable is written as its distance x' >= 0 from the bound that the LP's
 * point is nearest to. The equation implies  sum a'_v x'_v >= b  with every a'_v raised and b
 * lowered past their rounding errors, and for such a row (f(.) the fractional part, f0 = f(b))
 *
 *     sum over integers (floor(a') + min(1, f(a') / f0)) x'  +  sum over others max(a', 0) / f0 x'
 *         >= floor(b) + 1
 *
 * holds exactly; its coefficients are raised past the errors of this last step. So the cut is valid
 * in exact arithmetic although the multipliers came from a simplex run. Activities of rows are
 * replaced by the rows; those of rows with a tolerance are granted it. */
#include "milp/cut.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>

/* Multipliers smaller than this, relative to the largest, are noise and left out. */
#define NOISE 1e-9
/* Largest coefficient in the summed row; beyond it fractional parts mean nothing. */
#define MAX_COEFFICIENT 1e6
#define MAX_DIVISORS    8u /* that are tried with a row */

/* A row of the model with its tolerance, or a cut. */
typedef struct row {
  size_t n;
  const uint32_t *columns;
  const double *values;
  double lower, upper;
} row;

static row row_of(const irl_milp_rounding *r, size_t i) {
  const irl_milp_model *m = r->out.model;
  assert(i < m->n_rows + r->cuts->n);
  if (i >= m->n_rows) {
    const irl_milp_cut *cut = &r->cuts->cuts[i - m->n_rows];
    return (row){cut->n, cut->columns, cut->values, cut->lower, INFINITY};
  }
  const size_t first = m->row_start[i];
  return (row){m->row_start[i + 1] - first, m->row_column + first, m->row_value + first,
               m->row_lower[i] - m->tolerance[i], m->row_upper[i] + m->tolerance[i]};
}

static double activity_of(const row *of, const double *x) {
  double activity = 0;
  for (size_t k = 0; k < of->n; k++) activity += of->values[k] * x[of->columns[k]];
  return activity;
}

static void add_row(irl_milp_builder *b, const row *of, double factor) {
  for (size_t k = 0; k < of->n; k++)
    irl_milp_builder_add(b, of->columns[k], factor * of->values[k]);
}

/* A variable's distance from one of its bounds, the one that x is nearer to. */
typedef struct shift {
  double bound; /* not finite: it has none */
  bool is_upper;
} shift;

static shift nearest_bound(double x, double lower, double upper) {
  bool is_upper = upper - x < x - lower;
  if (!isfinite(lower)) is_upper = true;
  if (!isfinite(upper)) is_upper = false;
  return (shift){is_upper ? upper : lower, is_upper};
}

/* work = the summed row over x; its side collects b. Multipliers up to `noise` are left out. False:
 * something has no bound. */
static bool sum_rows(irl_milp_rounding *r, const double *y, double noise) {
  const irl_milp_model *m = r->out.model;
  irl_milp_builder *work = &r->work;
  for (size_t i = 0; i < m->n_rows + r->cuts->n; i++) {
    if (!(fabs(y[i]) > noise)) continue;
    const row own = row_of(r, i);
    add_row(work, &own, y[i]);
    const shift s = nearest_bound(activity_of(&own, r->x), own.lower, own.upper);
    if (!isfinite(s.bound)) return false;
    irl_milp_builder_add_side(work, y[i] * s.bound); /* -y r moves over as +y bound */
  }
  for (uint32_t k = 0; k < work->n_list; k++) {
    const uint32_t j = work->list[k];
    const double a = work->sums[j].value, error = irl_milp_sum_error(&work->sums[j]);
    const shift s = nearest_bound(r->x[j], m->lower[j], m->upper[j]);
    if (fabs(a) > MAX_COEFFICIENT || !isfinite(s.bound)) return false;
    irl_milp_builder_add_side(work, -a * s.bound);
    irl_milp_builder_add_side(work, -error * fabs(s.bound));
  }
  return true;
}

/* The rounded coefficient of x' for a column or activity whose coefficient is `a` and is off by at
 * most `error`; negated where x' is the distance from an upper bound, so that it is that of x. */
static double round_up(double a, double error, shift s, bool is_integer, double f0) {
  assert(error >= 0 && f0 > 0 && f0 < 1 && isfinite(s.bound));
  a = (s.is_upper ? -a : a) + error;
  const double whole = floor(a);
  double value = is_integer ? whole + fmin(1, (a - whole) / f0) : a > 0 ? a / f0 : 0;
  value += 4 * DBL_EPSILON * fabs(value);
  assert(value >= whole);
  return s.is_upper ? -value : value;
}

bool irl_milp_gomory(irl_milp_rounding *r, const double *multipliers, irl_milp_cut *cut) {
  const irl_milp_model *m = r->out.model;
  const irl_milp_builder *work = &r->work;
  const size_t n_rows = m->n_rows + r->cuts->n;
  double largest = 0;
  for (size_t i = 0; i < n_rows; i++) largest = fmax(largest, fabs(multipliers[i]));
  irl_milp_builder_clear(&r->work);
  irl_milp_builder_clear(&r->out);
  const double noise = NOISE * largest;
  if (!(largest > 0 && isfinite(largest)) || !sum_rows(r, multipliers, noise)) return false;
  const double b = work->side.value - irl_milp_sum_error(&work->side), f0 = b - floor(b);
  if (fabs(b) > MAX_COEFFICIENT * 1e3 || f0 < IRL_MILP_CUT_FRACTION ||
      f0 > 1 - IRL_MILP_CUT_FRACTION)
    return false;
  irl_milp_builder_add_side(&r->out, floor(b) + 1);
  for (uint32_t k = 0; k < work->n_list; k++) {
    const uint32_t j = work->list[k];
    if (m->lower[j] == m->upper[j]) continue;
    const shift s = nearest_bound(r->x[j], m->lower[j], m->upper[j]);
    const irl_milp_sum *sum = &work->sums[j];
    const double value = round_up(sum->value, irl_milp_sum_error(sum), s, m->is_integer[j], f0);
    if (value == 0) continue;
    irl_milp_builder_add(&r->out, j, value);
    irl_milp_builder_add_side(&r->out, value * s.bound);
  }
  for (size_t i = 0; i < n_rows; i++) {
    const row own = row_of(r, i);
    if (!(fabs(multipliers[i]) > noise) || own.lower == own.upper) continue;
    const shift s = nearest_bound(activity_of(&own, r->x), own.lower, own.upper);
    const bool is_integer = i < m->n_rows && m->is_exact[i] && irl_milp_is_whole(s.bound);
    const double value = round_up(-multipliers[i], 0, s, is_integer, f0);
    if (value == 0) continue;
    add_row(&r->out, &own, value);
    irl_milp_builder_add_side(&r->out, value * s.bound);
  }
  return irl_milp_builder_finish(&r->out, r->x, cut);
}

/* ---- single rows ---- */

/* Mixed-integer rounding of single rows (Marchand and Wolsey 2001), for flows with fixed charges.
 * In a row of the model each continuous column that has a variable bound (a row with it and one
 * integer column, x <= u y or x >= l y) is replaced by way of that row if the LP's point is nearer
 * to it than to the column's own bound; so the integer column takes its place. The sum is divided
 * by the entry of one of its integer columns, several are tried, and rounded by irl_milp_gomory,
 * for which these are multipliers of rows like any others.
 *
 * The row that binds a continuous column to an integer one most closely at x; UINT32_MAX: none. */
static uint32_t variable_bound(const irl_milp_model *m, uint32_t j, const double *x,
                               double *entry) {
  const double own = fmin(x[j] - m->lower[j], m->upper[j] - x[j]);
  double best_slack = INFINITY;
  uint32_t best = UINT32_MAX;
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
    const uint32_t i = m->column_row[e];
    const size_t first = m->row_start[i];
    if (m->row_start[i + 1] - first != 2) continue;
    const size_t other = m->row_column[first] == j ? first + 1 : first;
    if (!m->is_integer[m->row_column[other]]) continue;
    const double activity =
        m->column_value[e] * x[j] + m->row_value[other] * x[m->row_column[other]];
    const double slack =
        fmin(activity - m->row_lower[i], m->row_upper[i] - activity) / fabs(m->column_value[e]);
    if (slack >= best_slack) continue;
    best_slack = slack;
    best = i;
    *entry = m->column_value[e];
  }
  return best_slack <= own + IRL_MILP_TOL_INTEGER ? best : UINT32_MAX;
}

irl_status irl_milp_mir(irl_milp_rounding *r, uint32_t i, double *multipliers,
                        irl_milp_cuts *found) {
  const irl_milp_model *m = r->out.model;
  const size_t n_rows = m->n_rows + r->cuts->n;
  const double *x = r->x;
  irl_milp_builder *work = &r->work;
  double divisors[MAX_DIVISORS], *scaled = multipliers + n_rows;
  uint32_t n = 0;
  /* multipliers = the row and what replaces its continuous columns; the summed row in `work`. */
  memset(multipliers, 0, n_rows * sizeof *multipliers);
  irl_milp_builder_clear(work);
  multipliers[i] = 1;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    double entry = 1;
    irl_milp_builder_add(work, j, m->row_value[e]);
    if (m->is_integer[j]) continue;
    const uint32_t bound = variable_bound(m, j, x, &entry);
    if (bound == UINT32_MAX || bound == i || multipliers[bound] != 0) continue;
    assert(entry != 0);
    multipliers[bound] = -m->row_value[e] / entry;
    for (size_t k = m->row_start[bound]; k < m->row_start[bound + 1]; k++)
      irl_milp_builder_add(work, m->row_column[k], multipliers[bound] * m->row_value[k]);
  }
  /* Entries of integer columns that the LP's point has between their bounds, each once. */
  for (uint32_t k = 0; k < work->n_list && n < MAX_DIVISORS; k++) {
    const uint32_t j = work->list[k];
    const double a = fabs(work->sums[j].value);
    bool is_new = m->is_integer[j] && a > IRL_MILP_CUT_DEPTH &&
                  x[j] > m->lower[j] + IRL_MILP_TOL_INTEGER &&
                  x[j] < m->upper[j] - IRL_MILP_TOL_INTEGER;
    for (uint32_t d = 0; d < n && is_new; d++) is_new = a != divisors[d];
    if (is_new) divisors[n++] = a;
  }
  for (uint32_t d = 0; d < 2 * n; d++) {
    irl_milp_cut cut;
    const double factor = (d % 2 ? -1 : 1) / divisors[d / 2];
    assert(isfinite(factor) && factor != 0);
    for (size_t k = 0; k < n_rows; k++) scaled[k] = factor * multipliers[k];
    if (irl_milp_gomory(r, scaled, &cut) && !irl_milp_cuts_add(found, &cut))
      return irl_fail_memory(m->env);
  }
  return IRL_STATUS_OK;
}
