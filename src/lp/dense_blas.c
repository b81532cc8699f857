/* Dense panels by LAPACK and BLAS, at their speed. */
#include "lp/dense.h"
#include <assert.h>
#include <stddef.h>

#ifdef IRL_HAS_BLAS

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

/* LAPACK counts rows from 1, and those of a panel from its own first one. */
bool irl_lp_dense_panel(int n, int k, int width, double *a, int *swaps) {
  const int rows = n - k;
  int info = 0;
  assert(width > 0 && width <= rows);
  dgetrf_(&rows, &width, a + k + (size_t)k * (size_t)n, &n, swaps + k, &info);
  for (int i = k; i < k + width; i++) swaps[i] += k - 1;
  return info == 0;
}

void irl_lp_dense_apply(int n, int k, int width, double *a, const int *swaps) {
  const int one = 1, last = k + width, rest = n - last;
  const double plus = 1, minus = -1;
  double *right = a + (size_t)last * (size_t)n, *panel = a + (size_t)k * (size_t)n;
  int pivots[IRL_LP_PANEL];
  assert(width <= IRL_LP_PANEL);
  for (int i = 0; i < width; i++) pivots[i] = swaps[k + i] - k + 1;
  dlaswp_(&k, a + k, &n, &one, &width, pivots, &one);
  if (!rest) return;
  dlaswp_(&rest, right + k, &n, &one, &width, pivots, &one);
  dtrsm_("L", "L", "N", "U", &width, &rest, &plus, panel + k, &n, right + k, &n);
  dgemm_("N", "N", &rest, &rest, &width, &minus, panel + last, &n, right + k, &n, &plus,
         right + last, &n);
}

#endif
