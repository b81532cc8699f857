/* Scaling.
 *
 * Matrix: a few passes of geometric means over rows and columns, rounded to powers of two, so that
 * scaling and unscaling are exact. Models whose entries are close to each other already, as those
 * with blocks of bits, are left as they are.
 *
 * Bounds and costs: tolerances are absolute, so all bounds together and all costs together are
 * brought near 1 as well if their geometric mean is far from it. The mean, since a few huge bounds
 * that stand for 'none' must not drown the others. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <float.h>
#include <math.h>

#define N_PASSES 4

static bool needs_scaling(const irl_lp_matrix *a) {
  double least = INFINITY, largest = 0;
  for (size_t e = 0; e < a->n_entries; e++) {
    const double value = fabs(a->column_value[e]);
    least = fmin(least, value);
    largest = fmax(largest, value);
  }
  return a->n_entries > 0 && (largest / least > IRL_LP_SCALE_RANGE ||
                              largest > IRL_LP_SCALE_RANGE || least * IRL_LP_SCALE_RANGE < 1);
}

static void scale_lists(size_t n, const size_t *start, const uint32_t *index, const double *value,
                        const double *other, double *scale) {
  for (size_t i = 0; i < n; i++) {
    double least = INFINITY, largest = 0;
    for (size_t e = start[i]; e < start[i + 1]; e++) {
      const double v = fabs(value[e]) * other[index[e]];
      least = fmin(least, v);
      largest = fmax(largest, v);
    }
    scale[i] = largest > 0 ? 1 / sqrt(least * largest) : 1;
  }
}

static double round_to_power_of_two(double value) {
  assert(value > 0 && isfinite(value));
  return exp2(nearbyint(log2(value)));
}

void irl_lp_scale(irl_lp_simplex *s, double *row_scale) {
  irl_lp_matrix *a = &s->a;
  double *column_scale = s->scale;
  for (uint32_t v = 0; v < s->total; v++) s->scale[v] = 1;
  for (uint32_t i = 0; i < s->m; i++) row_scale[i] = 1;
  s->is_scaled = s->wants_scaling && !s->lp->n_blocks && needs_scaling(a);
  if (!s->is_scaled) return;
  for (int pass = 0; pass < N_PASSES; pass++) {
    scale_lists(s->m, a->row_start, a->row_column, a->row_value, column_scale, row_scale);
    scale_lists(s->n, a->column_start, a->column_row, a->column_value, row_scale, column_scale);
  }
  for (uint32_t i = 0; i < s->m; i++) row_scale[i] = round_to_power_of_two(row_scale[i]);
  for (uint32_t j = 0; j < s->n; j++) column_scale[j] = round_to_power_of_two(column_scale[j]);
  for (uint32_t j = 0; j < s->n; j++)
    for (size_t e = a->column_start[j]; e < a->column_start[j + 1]; e++)
      a->column_value[e] *= row_scale[a->column_row[e]] * column_scale[j];
  irl_lp_matrix_transpose(a);
  for (uint32_t i = 0; i < s->m; i++) s->scale[s->n + i] = 1 / row_scale[i];
}

typedef struct mean {
  double sum; /* of logarithms */
  double n;
} mean;

static void add_to_mean(mean *m, double value) {
  if (value == 0 || !isfinite(value)) return;
  m->sum += log2(fabs(value));
  m->n++;
}

static double unit_of(const mean *m) {
  const double power = m->n > 0 ? nearbyint(m->sum / m->n) : 0;
  return fabs(power) > IRL_LP_SCALE_POWER ? exp2(power) : 1;
}

void irl_lp_scale_sides(irl_lp_simplex *s) {
  const irl_lp *lp = s->lp;
  mean bounds = {0}, costs = {0};
  for (uint32_t j = 0; j < s->n; j++) {
    add_to_mean(&bounds, lp->columns.lower[j] / s->scale[j]);
    add_to_mean(&bounds, lp->columns.upper[j] / s->scale[j]);
    add_to_mean(&costs, lp->cost[j] * s->scale[j]);
  }
  for (uint32_t i = 0; i < s->m; i++) {
    add_to_mean(&bounds, lp->rows.lower[i] / s->scale[s->n + i]);
    add_to_mean(&bounds, lp->rows.upper[i] / s->scale[s->n + i]);
  }
  s->bound_unit = unit_of(&bounds);
  s->cost_unit = unit_of(&costs);
  assert(s->bound_unit > 0 && s->cost_unit > 0);
}
