/* The dense end of a factorisation: LAPACK's dgetrf from OpenBLAS. Its factors are copied into the
 * same lists as all others (a row of U and a column of L per pivot), so that solves and updates
 * know one format; what costs is the elimination, and that runs at the speed of BLAS. */
#include "lp/lu_work.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* OpenBLAS carries LAPACK; its development package has no C header for it. */
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);

extern void dlaswp_(const int *n, double *a, const int *lda, const int *first, const int *last,
                    const int *pivots, const int *step);
extern void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
                   const int *m, const int *n, const double *alpha, const double *a, const int *lda,
                   double *b, const int *ldb);
extern void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n,
                   const int *k, const double *alpha, const double *a, const int *lda,
                   const double *b, const int *ldb, const double *beta, double *c, const int *ldc);

/* Columns factored between two looks at the clock: with DENSE_MAX rows well under a second. */
#define PANEL 128

/* dgetrf by panels, so that a long one can be stopped; false: singular or stopped. */
static bool factor(irl_lp_lu_work *w, int n, double *a, int *swaps) {
  const int one = 1;
  const double plus = 1, minus = -1;
  for (int k = 0; k < n; k += PANEL) {
    const int width = n - k < PANEL ? n - k : PANEL, rows = n - k;
    assert(width > 0 && width <= rows);
    int info = 0;
    if (irl_lp_lu_limit_reached(w)) return false;
    dgetrf_(&rows, &width, a + k + (size_t)k * (size_t)n, &n, swaps + k, &info);
    if (info != 0) return false;
    for (int i = k; i < k + width; i++) swaps[i] += k;
    /* What the panel means for the columns left and right of it. */
    const int first = k + 1, last = k + width, rest = n - last;
    double *right = a + (size_t)last * (size_t)n, *panel = a + (size_t)k * (size_t)n;
    dlaswp_(&k, a, &n, &first, &last, swaps, &one);
    if (!rest) break;
    dlaswp_(&rest, right, &n, &first, &last, swaps, &one);
    dtrsm_("L", "L", "N", "U", &width, &rest, &plus, panel + k, &n, right + k, &n);
    dgemm_("N", "N", &rest, &rest, &width, &minus, panel + last, &n, right + k, &n, &plus,
           right + last, &n);
  }
  w->lu->work += (uint64_t)n * (uint64_t)n * (uint64_t)n / 3;
  return true;
}

bool irl_lp_lu_dense(irl_lp_lu_work *w, uint32_t n, double *a, const uint32_t *rows,
                     const uint32_t *columns) {
  int *swaps = irl_arena_alloc(&w->arena, n, sizeof *swaps);
  uint32_t *order = irl_arena_alloc(&w->arena, n, sizeof *order);
  if (!swaps || !order || !factor(w, (int)n, a, swaps)) return false;
  for (uint32_t k = 0; k < n; k++)
    if (!(fabs(a[k + (size_t)k * n]) >= IRL_LP_TOL_SINGULAR)) return false;
  memcpy(order, rows, n * sizeof *order);
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t other = (uint32_t)swaps[k] - 1, row = order[k];
    assert(other >= k && other < n);
    order[k] = order[other];
    order[other] = row;
  }
  for (uint32_t k = 0; k < n; k++) {
    irl_lp_lu_begin_pivot(w, order[k], columns[k], a[k + (size_t)k * n]);
    for (uint32_t j = k + 1; j < n; j++)
      if (fabs(a[k + (size_t)j * n]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_u(w, columns[j], a[k + (size_t)j * n]);
    for (uint32_t i = k + 1; i < n; i++)
      if (fabs(a[i + (size_t)k * n]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_l(w, order[i], a[i + (size_t)k * n]);
    irl_lp_lu_end_pivot(w);
  }
  w->lu->n_dense = n;
  return true;
}
