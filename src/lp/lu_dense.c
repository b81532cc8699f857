/* The dense end of a factorisation: LAPACK's dgetrf from OpenBLAS. Its factors are copied into the
 * same lists as all others (a row of U and a column of L per pivot), so that solves and updates
 * know one format; what costs is the elimination, and that runs at the speed of BLAS. */
#include "base/memory.h"
#include "lp/lu_work.h"
#include "lp/tol.h"
#include <math.h>

/* OpenBLAS carries LAPACK; its development package has no C header for it. */
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);

static bool is_regular(uint32_t n, const double *a) {
  for (uint32_t k = 0; k < n; k++)
    if (!(fabs(a[k + (size_t)k * n]) >= IRL_LP_TOL_SINGULAR)) return false;
  return true;
}

static void append(irl_lp_lu_work *w, uint32_t n, const double *a, const uint32_t *rows,
                   const uint32_t *columns) {
  for (uint32_t k = 0; k < n; k++) {
    irl_lp_lu_begin_pivot(w, rows[k], columns[k], a[k + (size_t)k * n]);
    for (uint32_t j = k + 1; j < n; j++)
      if (fabs(a[k + (size_t)j * n]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_u(w, columns[j], a[k + (size_t)j * n]);
    for (uint32_t i = k + 1; i < n; i++)
      if (fabs(a[i + (size_t)k * n]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_l(w, rows[i], a[i + (size_t)k * n]);
    irl_lp_lu_end_pivot(w);
  }
}

bool irl_lp_lu_dense(irl_lp_lu_work *w, uint32_t n, double *a, const uint32_t *rows,
                     const uint32_t *columns) {
  const irl_allocator *allocator = &w->lu->allocator;
  const int size = (int)n;
  int info = 0;
  int *swaps = irl_mem_alloc(allocator, n, sizeof *swaps);
  uint32_t *order = irl_mem_alloc(allocator, n, sizeof *order);
  bool done = false;
  if (swaps && order) {
    dgetrf_(&size, &size, a, &size, swaps, &info);
    w->lu->work += (uint64_t)n * n * n / 3;
    if (info == 0 && is_regular(n, a)) {
      for (uint32_t k = 0; k < n; k++) order[k] = rows[k];
      for (uint32_t k = 0; k < n; k++) {
        const uint32_t other = (uint32_t)swaps[k] - 1, row = order[k];
        order[k] = order[other];
        order[other] = row;
      }
      append(w, n, a, order, columns);
      w->lu->n_dense = n;
      done = true;
    }
  }
  irl_mem_free(allocator, swaps);
  irl_mem_free(allocator, order);
  return done;
}
