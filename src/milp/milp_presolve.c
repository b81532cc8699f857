/* A light presolve: what makes the LP tighter without renaming a column.
 *
 *   - bounds by propagation over all rows; continuous columns without a bound get the one that
 *     follows, so that safe bounds exist;
 *   - rows of integers are divided by their common divisor and their sides rounded;
 *   - a binary column whose 0 (or 1) makes its row redundant gets the entry that just does that:
 *     with greatest activity U of  sum a x <= b  and U - a_j < b, both a_j and b fall by
 *     b - (U - a_j);
 *   - columns that no row and no cost keeps from their better bound are fixed there;
 *   - rows that always hold are dropped.
 *
 * Points are checked against the model as it was, so an error here could cost the optimum but not
 * give a wrong solution; hence exact rows stay exact, and others are loosened past rounding. */
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>

#define MAX_ROUNDS 5u

static double greatest_activity(const irl_milp_model *m, uint32_t i, double sign, double *size) {
  double sum = 0;
  *size = 0;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const double a = sign * m->row_value[e];
    const uint32_t j = m->row_column[e];
    const double bound = a > 0 ? m->upper[j] : m->lower[j];
    sum += a * bound;
    *size += fabs(a * bound);
  }
  return sum;
}

/* ---- integers that are implied ---- */

/* Columns that are integer in some optimum though nobody said so. Take a continuous column whose
 * cost lets it move in one direction for nothing or for gain. It may go there until a row or its
 * bound stops it. If every row that can stop it has otherwise integer columns only, and all its
 * entries and its side are multiples of the column's own entry, it stops at an integer, whatever
 * the integer columns are; the rows that it leaves behind only get looser. So some optimum has it
 * integer, and what is integer by this argument counts as such for the next column: each one moves
 * after those that it depends on, and those do not move again.
 *
 * Then rows are exact, objectives lie on a grid, and points need no LP to complete them. Only
 * columns between 0 and 1 are taken: more values would be more to branch on. In the paper's models
 * these are t and y where they are relaxed. */
typedef struct waiting_row {
  double unit;     /* the least entry if all are multiples of it, otherwise 0 */
  uint32_t n_open; /* columns that are not integer */
} waiting_row;

static waiting_row look_at_row(const irl_milp_model *m, uint32_t i) {
  waiting_row row = {.unit = INFINITY};
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    row.unit = fmin(row.unit, fabs(m->row_value[e]));
    row.n_open += !m->is_integer[m->row_column[e]];
  }
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1] && row.unit > 0; e++)
    if (fmod(m->row_value[e], row.unit) != 0) row.unit = 0;
  return row;
}

static bool stops_at_integers(const irl_milp_model *m, const waiting_row *rows, uint32_t j,
                              bool is_up) {
  if (is_up ? m->cost[j] > 0 : m->cost[j] < 0) return false;
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
    const uint32_t i = m->column_row[e];
    const double a = m->column_value[e];
    const double side = is_up == (a > 0) ? m->row_upper[i] : m->row_lower[i];
    if (!isfinite(side)) continue;
    /* The others in the row must be integer, and all of it multiples of the column's entry. */
    assert(a != 0 && rows[i].n_open > 0);
    if (rows[i].n_open > 1 || rows[i].unit != fabs(a) || fmod(side, a) != 0) return false;
  }
  return true;
}

/* A new integer column may be what others waited for; most models are done in two passes. */
irl_status irl_milp_imply_integers(irl_milp_model *m, const irl_limit *limit) {
  uint32_t n = 0, before;
  waiting_row *rows = irl_mem_alloc(&m->allocator, m->n_rows, sizeof *rows);
  if (!rows) return irl_fail_memory(m->env);
  for (uint32_t i = 0; i < m->n_rows; i++) rows[i] = look_at_row(m, i);
  do {
    before = n;
    for (uint32_t j = 0; j < m->n_columns; j++) {
      if (m->is_integer[j] || m->lower[j] != 0 || m->upper[j] != 1) continue;
      if (!stops_at_integers(m, rows, j, true) && !stops_at_integers(m, rows, j, false)) continue;
      m->is_integer[j] = true;
      n++;
      for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++)
        rows[m->column_row[e]].n_open--;
    }
  } while (n > before && !irl_limit_poll(limit));
  irl_mem_free(&m->allocator, rows);
  m->n_integer += n;
  assert(m->n_integer <= m->n_columns);
  if (n) irl_milp_model_reclassify(m);
  return IRL_STATUS_OK;
}

/* ---- rows ---- */

/* A row of integers is divided by what all its entries have in common. */
static void divide_row(irl_milp_model *m, uint32_t i) {
  double divisor = 0;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++)
    divisor = irl_milp_greatest_common(fabs(m->row_value[e]), divisor);
  if (divisor == 0) return;
  assert(m->is_exact[i] && divisor >= 1);
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) m->row_value[e] /= divisor;
  /* Sides of exact rows may be any doubles; whole ones are divided exactly or round inward. */
  if (isfinite(m->row_lower[i])) m->row_lower[i] = ceil(ceil(m->row_lower[i]) / divisor);
  if (isfinite(m->row_upper[i])) m->row_upper[i] = floor(floor(m->row_upper[i]) / divisor);
  if (m->row_lower[i] > m->row_upper[i]) m->is_infeasible = true;
}

/* Entries of binary columns in a row with one side only, as sign * row <= side; true: something
 * changed. An entry and the side fall together, so that what the greatest activity is beyond the
 * side stays; the errors only make it less. */
static bool tighten_row(irl_milp_model *m, uint32_t i) {
  const bool has_upper = m->row_upper[i]<INFINITY, has_lower = m->row_lower[i]> - INFINITY;
  if (has_upper == has_lower) return false;
  const double sign = has_upper ? 1 : -1;
  double size, side = has_upper ? m->row_upper[i] : -m->row_lower[i];
  const double beyond = greatest_activity(m, i, sign, &size) - side;
  const double error = m->is_exact[i] ? 0 : 64 * DBL_EPSILON * (size + fabs(side) + 1);
  bool has_changed = false;
  if (!isfinite(beyond) || size > IRL_MILP_MAX_INTEGER || beyond <= error) return false;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const double a = sign * m->row_value[e];
    /* With x_j at its easier value: how far below the side is the greatest activity? */
    const double spare = fabs(a) - beyond - 2 * error;
    if (!irl_milp_is_binary(m, m->row_column[e]) || spare <= 0) continue;
    if (spare < IRL_MILP_TOL_TIGHTER * IRL_MILP_TOL_TIGHTER * fabs(a)) continue;
    m->row_value[e] = sign * (a > 0 ? a - spare : a + spare);
    assert(fabs(m->row_value[e]) < fabs(a));
    if (a > 0) side = side - spare + error;
    has_changed = true;
  }
  if (has_upper)
    m->row_upper[i] = side;
  else
    m->row_lower[i] = -side;
  return has_changed;
}

static void drop_rows(irl_milp_model *m) {
  size_t used = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->n_rows; i++) {
    const size_t first = m->row_start[i], n = m->row_start[i + 1] - first;
    bool always_holds = true;
    for (int sign = -1; sign <= 1 && always_holds; sign += 2) {
      const double side = sign > 0 ? m->row_upper[i] : -m->row_lower[i];
      const double error = m->is_exact[i] ? 0 : DBL_EPSILON * 64;
      double size;
      if (side == INFINITY) continue;
      const double most = greatest_activity(m, i, sign, &size);
      always_holds = most + error * size <= side;
    }
    if (always_holds) continue;
    memmove(m->row_column + used, m->row_column + first, n * sizeof *m->row_column);
    memmove(m->row_value + used, m->row_value + first, n * sizeof *m->row_value);
    m->row_lower[kept] = m->row_lower[i];
    m->row_upper[kept] = m->row_upper[i];
    assert(kept <= i && used <= first);
    m->row_start[kept++] = used;
    used += n;
  }
  m->row_start[kept] = used;
  m->n_rows = kept;
}

/* ---- columns ---- */

static void fix_free(irl_milp_search *s) {
  irl_milp_model *m = &s->model;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    bool may_fall = true, may_rise = true;
    for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
      const uint32_t i = m->column_row[e];
      const bool is_positive = m->column_value[e] > 0;
      const bool has_upper = m->row_upper[i]<INFINITY, has_lower = m->row_lower[i]> - INFINITY;
      if (is_positive ? has_lower : has_upper) may_fall = false;
      if (is_positive ? has_upper : has_lower) may_rise = false;
    }
    if (may_fall && m->cost[j] >= 0 && isfinite(m->lower[j]))
      irl_milp_domain_tighten(&s->global, j, -INFINITY, m->lower[j]);
    else if (may_rise && m->cost[j] <= 0 && isfinite(m->upper[j]))
      irl_milp_domain_tighten(&s->global, j, m->upper[j], INFINITY);
  }
}

static bool propagate(irl_milp_search *s) {
  irl_milp_model *m = &s->model;
  irl_milp_domain_queue_all(&s->global);
  if (!irl_milp_domain_propagate(&s->global)) m->is_infeasible = true;
  /* Integer columns get the bounds found; others only where they had none or are fixed. */
  for (uint32_t j = 0; j < m->n_columns; j++) {
    const double lower = s->global.lower[j], upper = s->global.upper[j];
    assert(lower >= m->lower[j] && upper <= m->upper[j]);
    const bool takes_all = m->is_integer[j] || lower == upper;
    if (takes_all || !isfinite(m->lower[j])) m->lower[j] = lower;
    if (takes_all || !isfinite(m->upper[j])) m->upper[j] = upper;
  }
  return !m->is_infeasible;
}

irl_status irl_milp_presolve(irl_milp_search *s) {
  irl_milp_model *m = &s->model;
  const bool is_plain = s->options->no_presolve;
  for (uint32_t round = 0; round < MAX_ROUNDS && !m->is_infeasible; round++) {
    bool has_changed = false;
    if (!propagate(s) || is_plain) break;
    for (uint32_t i = 0; i < m->n_rows; i++)
      if (m->is_exact[i]) divide_row(m, i);
    for (uint32_t i = 0; i < m->n_rows; i++) has_changed |= tighten_row(m, i);
    irl_milp_model_refresh(m);
    fix_free(s);
    has_changed |= s->global.n_queued > 0;
    if (!has_changed) break;
  }
  if (m->is_infeasible || !propagate(s)) return IRL_STATUS_OK;
  if (!is_plain) {
    drop_rows(m);
    irl_milp_model_refresh(m);
    assert(s->global.n_queued == 0);
    s->global.first = 0; /* of a queue that is empty and shorter now */
  }
  s->global.trail.n = 0;
  return s->global.is_out_of_memory ? irl_fail_memory(s->env) : IRL_STATUS_OK;
}
