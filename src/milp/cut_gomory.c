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

typedef struct gomory {
  const irl_milp_model *model;
  const irl_milp_cuts *cuts;
  irl_milp_builder *work, *out;
  const double *y, *x;
  double f0;
} gomory;

/* A variable's distance from one of its bounds. */
typedef struct shift {
  double bound;
  bool is_upper;
} shift;

static bool choose_bound(double x, double lower, double upper, shift *s) {
  s->is_upper = upper - x < x - lower;
  if (!isfinite(lower)) s->is_upper = true;
  if (!isfinite(upper)) s->is_upper = false;
  s->bound = s->is_upper ? upper : lower;
  return isfinite(s->bound);
}

static void row_side(const gomory *g, size_t i, double *lower, double *upper) {
  const irl_milp_model *m = g->model;
  assert(i < m->n_rows + g->cuts->n);
  if (i >= m->n_rows) {
    *lower = g->cuts->cuts[i - m->n_rows].lower;
    *upper = INFINITY;
    return;
  }
  *lower = m->row_lower[i] - m->tolerance[i];
  *upper = m->row_upper[i] + m->tolerance[i];
}

/* Row i times `factor` onto the builder; returns its activity at x. */
static double add_row(const gomory *g, irl_milp_builder *b, size_t i, double factor) {
  const irl_milp_model *m = g->model;
  const bool is_cut = i >= m->n_rows;
  const irl_milp_cut *cut = is_cut ? &g->cuts->cuts[i - m->n_rows] : NULL;
  const size_t n = is_cut ? cut->n : m->row_start[i + 1] - m->row_start[i];
  const uint32_t *columns = is_cut ? cut->columns : m->row_column + m->row_start[i];
  const double *values = is_cut ? cut->values : m->row_value + m->row_start[i];
  double activity = 0;
  for (size_t k = 0; k < n; k++) {
    if (b) irl_milp_builder_add(b, columns[k], factor * values[k]);
    activity += values[k] * g->x[columns[k]];
  }
  return activity;
}

/* The rounded coefficient of a variable x' >= 0 with the (raised) coefficient a. */
static double round_up(const gomory *g, double a, bool is_integer) {
  double value;
  assert(g->f0 > 0 && g->f0 < 1);
  if (is_integer) {
    const double whole = floor(a);
    value = whole + fmin(1, (a - whole) / g->f0);
  } else {
    value = a > 0 ? a / g->f0 : 0;
  }
  return value + 4 * DBL_EPSILON * fabs(value);
}

static bool is_used(const gomory *g, size_t i, double largest) {
  return fabs(g->y[i]) > NOISE * largest;
}

/* work = the summed row over x; its side collects b. False: something has no bound. */
static bool sum_rows(gomory *g, double largest) {
  const irl_milp_model *m = g->model;
  const size_t n = m->n_rows + g->cuts->n;
  for (size_t i = 0; i < n; i++) {
    double lower, upper;
    shift s;
    if (!is_used(g, i, largest)) continue;
    if (i < m->n_rows && m->is_partial[i]) return false;
    const double activity = add_row(g, g->work, i, g->y[i]);
    row_side(g, i, &lower, &upper);
    if (!choose_bound(activity, lower, upper, &s)) return false;
    irl_milp_builder_add_side(g->work, g->y[i] * s.bound); /* -y r moves over as +y bound */
  }
  for (uint32_t k = 0; k < g->work->n_list; k++) {
    const uint32_t j = g->work->list[k];
    const double a = g->work->value[j], error = irl_milp_builder_error(g->work, j);
    shift s;
    if (fabs(a) > MAX_COEFFICIENT) return false;
    if (!choose_bound(g->x[j], m->lower[j], m->upper[j], &s)) return false;
    irl_milp_builder_add_side(g->work, -a * s.bound);
    irl_milp_builder_add_side(g->work, -error * fabs(s.bound));
  }
  return true;
}

/* a' of a column or activity whose coefficient is `a` and is off by at most `error`. */
static double raised(double a, double error, const shift *s) {
  assert(error >= 0);
  return (s->is_upper ? -a : a) + error;
}

static void put_columns(gomory *g) {
  const irl_milp_model *m = g->model;
  for (uint32_t k = 0; k < g->work->n_list; k++) {
    const uint32_t j = g->work->list[k];
    shift s;
    if (m->lower[j] == m->upper[j]) continue;
    choose_bound(g->x[j], m->lower[j], m->upper[j], &s);
    const double a = raised(g->work->value[j], irl_milp_builder_error(g->work, j), &s);
    const double value = round_up(g, a, m->is_integer[j]);
    assert(isfinite(s.bound) && value >= floor(a));
    if (value == 0) continue;
    irl_milp_builder_add(g->out, j, s.is_upper ? -value : value);
    irl_milp_builder_add_side(g->out, s.is_upper ? -value * s.bound : value * s.bound);
  }
}

static void put_rows(gomory *g, double largest) {
  const irl_milp_model *m = g->model;
  for (size_t i = 0; i < m->n_rows + g->cuts->n; i++) {
    double lower, upper;
    shift s;
    if (!is_used(g, i, largest)) continue;
    row_side(g, i, &lower, &upper);
    if (lower == upper) continue;
    choose_bound(add_row(g, NULL, i, 1), lower, upper, &s);
    const bool is_integer = i < m->n_rows && m->is_exact[i] && irl_milp_is_whole(s.bound);
    const double value = round_up(g, raised(-g->y[i], 0, &s), is_integer);
    if (value == 0) continue;
    add_row(g, g->out, i, s.is_upper ? -value : value);
    irl_milp_builder_add_side(g->out, s.is_upper ? -value * s.bound : value * s.bound);
  }
}

bool irl_milp_gomory(const irl_milp_rounding *r, const double *multipliers, irl_milp_cut *cut) {
  gomory g = {r->out->model, r->cuts, r->work, r->out, multipliers, r->x, 0};
  double largest = 0;
  for (size_t i = 0; i < g.model->n_rows + g.cuts->n; i++)
    largest = fmax(largest, fabs(multipliers[i]));
  irl_milp_builder_clear(g.work);
  irl_milp_builder_clear(g.out);
  if (!(largest > 0 && isfinite(largest)) || !sum_rows(&g, largest)) return false;
  const double b = g.work->side - irl_milp_builder_side_error(g.work);
  g.f0 = b - floor(b);
  if (fabs(b) > MAX_COEFFICIENT * 1e3 || g.f0 < IRL_MILP_CUT_FRACTION ||
      g.f0 > 1 - IRL_MILP_CUT_FRACTION)
    return false;
  irl_milp_builder_add_side(g.out, floor(b) + 1);
  put_columns(&g);
  put_rows(&g, largest);
  return irl_milp_builder_finish(g.out, g.x, cut);
}
