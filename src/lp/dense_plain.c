/* Dense panels by plain loops, for a library without BLAS: the same elimination with the same
 * choice of pivots (the first of the largest), in an order of additions of its own.
 *
 * Nearly all of the time goes into the product that is taken off the lower right. It is computed
 * in tiles of TILE by TILE entries that stay in registers while the panel's columns pass by, so
 * that an entry of the matrix is loaded and stored once per panel and not once per column. */
#include "lp/dense.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>

#ifndef IRL_HAS_BLAS

#define TILE 4

static double *column_of(int n, double *a, int j) {
  return a + (size_t)j * (size_t)n;
}

static void exchange(double *column, int i, int j) {
  const double value = column[i];
  column[i] = column[j];
  column[j] = value;
}

/* to -= factor * from */
static void subtract(int n, double factor, const double *restrict from, double *restrict to) {
  for (int i = 0; i < n; i++) to[i] -= factor * from[i];
}

bool irl_lp_dense_panel(int n, int k, int width, double *a, int *swaps) {
  assert(width > 0 && width <= n - k);
  bool is_regular = true;
  for (int j = k; j < k + width; j++) {
    double *column = column_of(n, a, j);
    int pivot = j;
    for (int i = j + 1; i < n; i++)
      if (fabs(column[i]) > fabs(column[pivot])) pivot = i;
    swaps[j] = pivot;
    if (!(fabs(column[pivot]) > 0)) {
      is_regular = false;
      continue;
    }
    if (pivot != j)
      for (int other = k; other < k + width; other++) exchange(column_of(n, a, other), j, pivot);
    for (int i = j + 1; i < n; i++) column[i] /= column[j];
    for (int other = j + 1; other < k + width; other++) {
      double *to = column_of(n, a, other);
      if (to[j] < 0 || to[j] > 0) subtract(n - j - 1, to[j], column + j + 1, to + j + 1);
    }
  }
  return is_regular;
}

/* Entries of `to` in rows first .. n - 1 of TILE columns: minus the panel times its rows of U. */
static void subtract_tiles(int n, int width, int first, const double *panel, double *const *to,
                           const double *const *u) {
  int i = first;
  for (; i + TILE <= n; i += TILE) {
    double sum[TILE][TILE] = {{0}};
    for (int p = 0; p < width; p++) {
      const double *l = panel + (size_t)p * (size_t)n + i;
      for (int c = 0; c < TILE; c++)
        for (int r = 0; r < TILE; r++) sum[c][r] += l[r] * u[c][p];
    }
    for (int c = 0; c < TILE; c++)
      for (int r = 0; r < TILE; r++) to[c][i + r] -= sum[c][r];
  }
  for (; i < n; i++)
    for (int c = 0; c < TILE; c++)
      for (int p = 0; p < width; p++) to[c][i] -= panel[(size_t)p * (size_t)n + i] * u[c][p];
}

void irl_lp_dense_apply(int n, int k, int width, double *a, const int *swaps) {
  const int last = k + width;
  const double *panel = column_of(n, a, k);
  for (int j = 0; j < n; j++) {
    if (j == k) j = last;
    if (j == n) break;
    for (int i = k; i < last; i++)
      if (swaps[i] != i) exchange(column_of(n, a, j), i, swaps[i]);
  }
  for (int j = last; j < n; j++) { /* the panel's rows become those of U */
    double *column = column_of(n, a, j);
    for (int p = 0; p < width; p++)
      subtract(width - p - 1, column[k + p], panel + (size_t)p * (size_t)n + k + p + 1,
               column + k + p + 1);
  }
  int j = last;
  for (; j + TILE <= n; j += TILE) {
    double *to[TILE];
    const double *u[TILE];
    for (int c = 0; c < TILE; c++) {
      to[c] = column_of(n, a, j + c);
      u[c] = to[c] + k;
    }
    subtract_tiles(n, width, last, panel, to, u);
  }
  for (; j < n; j++)
    for (int p = 0; p < width; p++)
      subtract(n - last, column_of(n, a, j)[k + p], panel + (size_t)p * (size_t)n + last,
               column_of(n, a, j) + last);
}

#endif
