/* Small dense LPs for the suites of src/lp: random ones, their models, and the optimum by trying
 * every vertex. */
#ifndef LP_ORACLE_H
#define LP_ORACLE_H

#include "base/random.h"
#include "lp/lp.h"
#include "support.h"
#include <math.h>

enum { MAX_N = 40, MAX_M = 60 };

typedef struct dense {
  uint32_t m, n;
  double a[MAX_M][MAX_N], c[MAX_N];
  double row_lower[MAX_M], row_upper[MAX_M], lower[MAX_N], upper[MAX_N];
} dense;

static inline int small_integer(irl_random *random, int low, int high) {
  return low + (int)irl_random_below(random, (uint64_t)(high - low + 1));
}

/* Integers, many zeros and ties, so that degenerate vertices are common. Columns are boxed unless
 * `has_infinite`. */
static inline dense random_dense(irl_random *random, uint32_t m, uint32_t n, bool has_infinite) {
  dense d = {.m = m, .n = n};
  for (uint32_t j = 0; j < n; j++) {
    d.c[j] = small_integer(random, -4, 4);
    d.lower[j] = small_integer(random, -3, 1);
    d.upper[j] = d.lower[j] + small_integer(random, 0, 5);
    if (!has_infinite) continue;
    if (irl_random_below(random, 3) == 0) d.upper[j] = INFINITY;
    if (irl_random_below(random, 5) == 0) d.lower[j] = -INFINITY;
  }
  for (uint32_t i = 0; i < m; i++) {
    const int middle = small_integer(random, -4, 4);
    for (uint32_t j = 0; j < n; j++)
      d.a[i][j] = irl_random_below(random, 3) ? small_integer(random, -3, 3) : 0;
    const uint64_t kind = irl_random_below(random, 4);
    d.row_lower[i] = kind == 0 ? -INFINITY : middle;
    d.row_upper[i] = kind == 1   ? INFINITY
                     : kind == 2 ? middle
                                 : middle + small_integer(random, 0, 4);
  }
  return d;
}

static inline irl_lp *model_of(irl_env *env, const dense *d) {
  irl_lp *lp;
  uint32_t columns[MAX_N];
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t j = 0; j < d->n; j++) {
    columns[j] = j;
    if (irl_lp_add_column(lp, d->c[j], d->lower[j], d->upper[j], NULL)) abort();
  }
  for (uint32_t i = 0; i < d->m; i++)
    if (irl_lp_add_row(lp, d->row_lower[i], d->row_upper[i],
                       &(irl_lp_terms){d->n, columns, d->a[i]}))
      abort();
  return lp;
}

static inline irl_lp_result solve_lp(irl_env *env, irl_lp *lp) {
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, env);
  if (irl_lp_solve(lp, &options, &result)) abort();
  return result;
}

static inline irl_lp_result solve_dense(irl_env *env, const dense *d) {
  irl_lp *lp = model_of(env, d);
  const irl_lp_result result = solve_lp(env, lp);
  irl_lp_free(lp);
  return result;
}

static inline bool is_close(double a, double b) {
  return fabs(a - b) <= 1e-7 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* ---- every vertex ---- */

/* Gauss with full pivoting on n equations; false: singular. */
static inline bool solve_square(uint32_t n, double a[8][9]) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    if (fabs(a[best][k]) < 1e-9) return false;
    for (uint32_t j = 0; j <= n; j++) {
      const double swap = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
      const double factor = i == k ? 0 : a[i][k] / a[k][k];
      for (uint32_t j = k; j <= n && factor != 0; j++) a[i][j] -= factor * a[k][j];
    }
  }
  for (uint32_t k = 0; k < n; k++) a[k][n] /= a[k][k];
  return true;
}

static inline bool is_feasible_point(const dense *d, const double *x) {
  for (uint32_t j = 0; j < d->n; j++)
    if (x[j] < d->lower[j] - 1e-7 || x[j] > d->upper[j] + 1e-7) return false;
  for (uint32_t i = 0; i < d->m; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < d->n; j++) sum += d->a[i][j] * x[j];
    if (sum < d->row_lower[i] - 1e-7 || sum > d->row_upper[i] + 1e-7) return false;
  }
  return true;
}

/* Hyperplane k: columns' lower and upper bounds, then rows' lower and upper bounds. */
static inline bool plane(const dense *d, uint32_t k, double *row) {
  const uint32_t i = k / 2 - (k / 2 >= d->n ? d->n : 0);
  const bool is_row = k / 2 >= d->n, is_upper = k % 2;
  const double side = is_row ? (is_upper ? d->row_upper[i] : d->row_lower[i])
                             : (is_upper ? d->upper[i] : d->lower[i]);
  for (uint32_t j = 0; j < d->n; j++) row[j] = is_row ? d->a[i][j] : j == i;
  row[d->n] = side;
  return isfinite(side);
}

/* The optimum of a model with boxed columns, INFINITY if it is infeasible. n <= 8. */
static inline double best_vertex(const dense *d) {
  const uint32_t n_planes = 2 * (d->n + d->m);
  uint32_t chosen[8];
  double best = INFINITY;
  for (uint32_t k = 0; k < d->n; k++) chosen[k] = k;
  for (;;) {
    double a[8][9], x[8], value = 0;
    bool is_whole = true;
    for (uint32_t k = 0; k < d->n; k++) is_whole &= plane(d, chosen[k], a[k]);
    if (is_whole && solve_square(d->n, a)) {
      for (uint32_t j = 0; j < d->n; j++) {
        x[j] = a[j][d->n];
        value += d->c[j] * x[j];
      }
      if (value < best && is_feasible_point(d, x)) best = value;
    }
    uint32_t k = d->n;
    while (k > 0 && chosen[k - 1] == n_planes - d->n + k - 1) k--;
    if (k == 0) return best;
    chosen[k - 1]++;
    for (; k < d->n; k++) chosen[k] = chosen[k - 1] + 1;
  }
}

#endif
