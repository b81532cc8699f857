/* The rows of a model as inequalities, made simple before a structure is looked for: what a writer
 * of models adds or leaves out (rows of one column, rows that always hold, columns that nothing
 * keeps from a bound) must not hide it. */
#include "milp/andor_find.h"

#define MAX_PASSES 6u

static bool has_side(const irl_andor_finder *f, uint32_t side) {
  const uint32_t i = side / 2;
  return f->kind[side] != IRL_ANDOR_GONE && !f->pace.is_cut &&
         isfinite(side % 2 ? f->m->row_lower[i] : f->m->row_upper[i]);
}

static bool is_fixed(const irl_andor_finder *f, uint32_t j) {
  return f->upper[j] - f->lower[j] < 1e-9;
}

void irl_andor_load_side(irl_andor_finder *f, uint32_t side) {
  const irl_milp_model *m = f->m;
  const uint32_t i = side / 2;
  assert(i < m->n_rows);
  const double sign = side % 2 ? -1 : 1;
  f->rhs = side % 2 ? -m->row_lower[i] : m->row_upper[i];
  f->n = 0;
  irl_pace_is_cut(&f->pace, m->row_start[i + 1] - m->row_start[i]);
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    const double a = sign * m->row_value[e];
    if (a == 0) continue;
    if (is_fixed(f, j)) {
      f->rhs -= a * f->lower[j];
      continue;
    }
    assert(f->n < m->n_columns);
    f->columns[f->n] = j;
    f->values[f->n++] = a;
  }
}

bool irl_andor_load_next(irl_andor_finder *f, unsigned kinds, uint32_t *side) {
  while (++*side < 2 * f->m->n_rows)
    if (kinds >> f->kind[*side] & 1 && has_side(f, *side)) {
      irl_andor_load_side(f, *side);
      return true;
    }
  return false;
}

bool irl_andor_next_side(irl_andor_finder *f, uint32_t j, unsigned kinds, size_t *at,
                         uint32_t *side) {
  const irl_milp_model *m = f->m;
  const size_t first = m->column_start[j], n = m->column_start[j + 1] - first;
  for (; *at < 2 * n; ++*at) {
    *side = 2 * m->column_row[first + *at / 2] + *at % 2;
    if (!(kinds >> f->kind[*side] & 1) || !has_side(f, *side)) continue;
    irl_andor_load_side(f, *side);
    ++*at;
    return true;
  }
  return false;
}

/* The side loaded is a bound of its only column; false: no value is left. */
static bool take_bound(irl_andor_finder *f) {
  const uint32_t j = f->columns[0];
  double bound = f->rhs / f->values[0];
  assert(f->n == 1);
  if (f->m->is_integer[j]) bound = f->values[0] > 0 ? floor(bound + 1e-9) : ceil(bound - 1e-9);
  if (f->values[0] > 0)
    f->upper[j] = fmin(f->upper[j], bound);
  else
    f->lower[j] = fmax(f->lower[j], bound);
  return f->lower[j] <= f->upper[j] + 1e-9;
}

/* One pass over the sides; false: no point is left. */
static bool look_at_sides(irl_andor_finder *f, bool *has_changed) {
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_ANY, &side);) {
    double greatest = 0, size = fabs(f->rhs);
    for (uint32_t k = 0; k < f->n; k++) {
      greatest += f->values[k] * (f->values[k] > 0 ? f->upper : f->lower)[f->columns[k]];
      size = fmax(size, fabs(f->values[k]));
    }
    const bool always_holds = greatest <= f->rhs + 1e-9 * size;
    if (f->n == 0 && !always_holds) return false;
    if (f->n == 1 && !always_holds && !take_bound(f)) return false;
    if (f->n > 1 && !always_holds) continue;
    f->kind[side] = IRL_ANDOR_GONE;
    *has_changed = true;
  }
  return true;
}

/* Columns that no side and no cost keeps from a bound stay there. */
static void fix_free_columns(irl_andor_finder *f, bool *has_changed) {
  const irl_milp_model *m = f->m;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    bool may_fall = m->cost[j] >= 0, may_rise = m->cost[j] <= 0;
    if (is_fixed(f, j)) continue;
    for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
      const uint32_t i = m->column_row[e];
      const bool has_upper = has_side(f, 2 * i), has_lower = has_side(f, 2 * i + 1);
      const bool is_positive = m->column_value[e] > 0;
      may_rise &= !(is_positive ? has_upper : has_lower);
      may_fall &= !(is_positive ? has_lower : has_upper);
    }
    if (!may_fall && !may_rise) continue;
    *has_changed = true;
    assert(isfinite(f->lower[j]) && isfinite(f->upper[j]));
    if (may_fall)
      f->upper[j] = f->lower[j];
    else
      f->lower[j] = f->upper[j];
  }
}

bool irl_andor_simplify(irl_andor_finder *f) {
  bool has_changed = true;
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    f->lower[j] = f->m->lower[j];
    f->upper[j] = f->m->upper[j];
    if (!(f->lower[j] >= 0 && f->upper[j] <= 1 && f->lower[j] <= f->upper[j])) return false;
  }
  for (uint32_t pass = 0; pass < MAX_PASSES && has_changed; pass++) {
    has_changed = false;
    if (!look_at_sides(f, &has_changed)) return false;
    fix_free_columns(f, &has_changed);
  }
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    f->andor->role[j] = is_fixed(f, j) ? IRL_ANDOR_CONSTANT : IRL_ANDOR_UNKNOWN;
    if (is_fixed(f, j)) f->andor->value[j] = f->lower[j];
    /* What is left must be free between 0 and 1. */
    if (!is_fixed(f, j) && (f->lower[j] != 0 || f->upper[j] != 1)) return false;
  }
  return true;
}

/* ---- union-find ---- */

uint32_t irl_andor_root(irl_andor_finder *f, uint32_t column) {
  uint32_t root = column;
  while (f->parent[root] != root) root = f->parent[root];
  while (f->parent[column] != root) {
    const uint32_t next = f->parent[column];
    f->parent[column] = root;
    column = next;
  }
  return root;
}

void irl_andor_join(irl_andor_finder *f, uint32_t a, uint32_t b) {
  const uint32_t p = irl_andor_root(f, a), q = irl_andor_root(f, b);
  f->parent[p > q ? p : q] = p > q ? q : p;
  assert(irl_andor_root(f, a) == irl_andor_root(f, b));
}
