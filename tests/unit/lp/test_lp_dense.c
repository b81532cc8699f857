/* The plain panels beside those of the library (LAPACK's, where it is built with OpenBLAS), and
 * both beside the matrix itself: on random matrices of all widths of a last panel and of the last
 * tile, with entries of very different sizes, equal rows and zero columns. */
#undef IRL_HAS_BLAS
#define irl_lp_dense_panel plain_panel
#define irl_lp_dense_apply plain_apply
#include "lp/dense_plain.c"
#undef irl_lp_dense_panel
#undef irl_lp_dense_apply
#undef IRL_LP_DENSE_H
#include "lp/dense.h"

#include "base/random.h"
#include "greatest.h"
#include <stdlib.h>
#include <string.h>

#define SEED 77

typedef bool panel_function(int n, int k, int width, double *a, int *swaps);
typedef void apply_function(int n, int k, int width, double *a, const int *swaps);

static bool factor(panel_function *panel, apply_function *apply, int n, int width, double *a,
                   int *swaps) {
  for (int k = 0; k < n; k += width) {
    const int w = n - k < width ? n - k : width;
    if (!panel(n, k, w, a, swaps)) return false;
    apply(n, k, w, a, swaps);
  }
  return true;
}

/* The largest difference between the rows of `a`, exchanged, and L times U, by the largest entry.
 */
static double residual(int n, const double *a, const double *lu, const int *swaps) {
  double *rows = malloc((size_t)n * (size_t)n * sizeof *rows), worst = 0, scale = 0;
  if (!rows) abort();
  memcpy(rows, a, (size_t)n * (size_t)n * sizeof *rows);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) exchange(rows + (size_t)j * (size_t)n, i, swaps[i]);
  for (int j = 0; j < n; j++) {
    const double *u = lu + (size_t)j * (size_t)n;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int p = 0; p <= i && p <= j; p++)
        sum += (p == i ? 1 : lu[(size_t)p * (size_t)n + (size_t)i]) * u[p];
      worst = fmax(worst, fabs(sum - rows[(size_t)j * (size_t)n + (size_t)i]));
      scale = fmax(scale, fabs(rows[(size_t)j * (size_t)n + (size_t)i]));
    }
  }
  free(rows);
  return scale > 0 ? worst / scale : 0;
}

static void fill(irl_random *random, int n, double *a) {
  const unsigned kind = (unsigned)irl_random_below(random, 4);
  for (int i = 0; i < n * n; i++) {
    const double value = 2 * irl_random_real(random) - 1;
    a[i] = kind == 0   ? value
           : kind == 1 ? floor(3 * value) /* ties between pivots */
           : kind == 2 ? ldexp(value, (int)irl_random_below(random, 30))
                       : (irl_random_below(random, 3) ? 0 : value);
  }
  if (irl_random_below(random, 5)) return;
  const int j = (int)irl_random_below(random, (uint32_t)n);
  for (int i = 0; i < n; i++) a[(size_t)j * (size_t)n + (size_t)i] = 0;
}

TEST both_factor(void) {
  for (uint32_t t = 0; t < 400; t++) {
    irl_random random;
    char where[64];
    irl_random_init(&random, SEED, t);
    snprintf(where, sizeof where, "seed %d, matrix %u", SEED, (unsigned)t);
    const int n = 1 + (int)irl_random_below(&random, 70);
    const int width = 1 + (int)irl_random_below(&random, 40);
    const size_t size = (size_t)n * (size_t)n;
    double *a = malloc(3 * size * sizeof *a), *plain = a + size, *theirs = plain + size;
    int plain_swaps[71], their_swaps[71];
    ASSERT(a != NULL);
    fill(&random, n, a);
    memcpy(plain, a, size * sizeof *a);
    memcpy(theirs, a, size * sizeof *a);
    const bool is_regular = factor(plain_panel, plain_apply, n, width, plain, plain_swaps);
    const bool are_regular =
        factor(irl_lp_dense_panel, irl_lp_dense_apply, n, width, theirs, their_swaps);
    if (is_regular && are_regular) {
      ASSERTm(where, residual(n, a, plain, plain_swaps) < 1e-10 * n);
      ASSERTm(where, residual(n, a, theirs, their_swaps) < 1e-10 * n);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
          ASSERTm(where, fabs(plain[(size_t)j * (size_t)n + (size_t)i]) <= 1);
    } else if (is_regular != are_regular) { /* one of them has rounded a zero */
      const double *lu = is_regular ? plain : theirs;
      double least = INFINITY, most = 0;
      for (int i = 0; i < n; i++) {
        least = fmin(least, fabs(lu[(size_t)i * (size_t)(n + 1)]));
        most = fmax(most, fabs(lu[(size_t)i * (size_t)(n + 1)]));
      }
      ASSERTm(where, least <= 1e-12 * most);
    }
    free(a);
  }
  PASS();
}

/* The first of the largest is the pivot, as LAPACK has it. */
TEST ties(void) {
  const double a[] = {1, -2, 2, 0, 1, 0, 0, 0, 1};
  double plain[9], theirs[9];
  int plain_swaps[3], their_swaps[3];
  memcpy(plain, a, sizeof a);
  memcpy(theirs, a, sizeof a);
  ASSERT(factor(plain_panel, plain_apply, 3, 3, plain, plain_swaps));
  ASSERT(factor(irl_lp_dense_panel, irl_lp_dense_apply, 3, 3, theirs, their_swaps));
  ASSERT_EQ_FMT(1, plain_swaps[0], "%d");
  ASSERT_EQ_FMT(their_swaps[0], plain_swaps[0], "%d");
  PASS();
}

SUITE(dense) {
  RUN_TEST(both_factor);
  RUN_TEST(ties);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(dense);
  GREATEST_MAIN_END();
}
