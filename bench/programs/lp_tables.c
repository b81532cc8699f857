/* y'A and A x over a block of bits by byte tables, beside dgemv on the same matrix written out as
 * doubles.   lp_tables [ROWS COLUMNS]   (by default 10,000 x 2,000: 160 MB as doubles) */
#include "base/clock.h"
#include "base/random.h"
#include "lp/block.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern void dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
                   const double *a, const int *lda, const double *x, const int *incx,
                   const double *beta, double *y, const int *incy);
extern void openblas_set_num_threads(int n);

#define ROUNDS 9

static double best_of(double best, double start) {
  return fmin(best, irl_clock_now() - start);
}

int main(int argc, char **argv) {
  const int m = argc > 2 ? atoi(argv[1]) : 10000, n = argc > 2 ? atoi(argv[2]) : 2000, one = 1;
  const double unit = 1, zero = 0;
  irl_env *env;
  irl_bits_matrix bits, rows;
  irl_random random;
  openblas_set_num_threads(1);
  if (m < 1 || n < 1 || irl_env_create(NULL, &env) ||
      irl_bits_matrix_init(env, &bits, (size_t)n, (size_t)m))
    return 1;
  double *dense = calloc((size_t)m * (size_t)n, sizeof *dense);
  double *y = calloc((size_t)m, sizeof *y), *x = calloc((size_t)n, sizeof *x);
  double *by_table = calloc((size_t)(m + n), sizeof *y), *by_blas = calloc((size_t)(m + n), 8);
  double *table = calloc(IRL_LP_BLOCK_TABLE, sizeof *table);
  if (!dense || !y || !x || !by_table || !by_blas || !table) return 1;
  irl_random_init(&random, 1, 0);
  for (int i = 0; i < m; i++) y[i] = irl_random_real(&random) - 0.5;
  for (int j = 0; j < n; j++) {
    x[j] = irl_random_real(&random);
    for (int i = 0; i < m; i++)
      if (irl_random_next(&random) >> 63) {
        irl_bits_set(irl_bits_vector(&bits, (size_t)j), (size_t)i);
        dense[(size_t)j * (size_t)m + (size_t)i] = 1;
      }
  }
  const irl_lp_block block = {&bits, 0, 0, 1, false};
  if (irl_bits_transposed(env, &bits, &rows, 1)) return 1;
  const irl_lp_block by_rows = irl_lp_block_transposed(&block, &rows);
  double price = 1e9, multiply_rows = 1e9, price_blas = 1e9, multiply = 1e9, multiply_blas = 1e9,
         off = 0;
  for (int round = 0; round < ROUNDS; round++) {
    memset(by_table, 0, (size_t)(m + n) * sizeof *by_table);
    double start = irl_clock_now();
    irl_lp_block_price(&block, y, table, by_table);
    price = best_of(price, start);
    start = irl_clock_now();
    irl_lp_block_multiply(&block, x, table, by_table + n);
    multiply = best_of(multiply, start);
    memset(by_table + n, 0, (size_t)m * sizeof *by_table);
    start = irl_clock_now();
    irl_lp_block_price(&by_rows, x, table, by_table + n);
    multiply_rows = best_of(multiply_rows, start);
    start = irl_clock_now();
    dgemv_("T", &m, &n, &unit, dense, &m, y, &one, &zero, by_blas, &one);
    price_blas = best_of(price_blas, start);
    start = irl_clock_now();
    dgemv_("N", &m, &n, &unit, dense, &m, x, &one, &zero, by_blas + n, &one);
    multiply_blas = best_of(multiply_blas, start);
  }
  for (int k = 0; k < m + n; k++) off = fmax(off, fabs(by_table[k] - by_blas[k]));
  printf("%d x %d, largest difference %.1e\n", m, n, off);
  printf("y'A  tables %8.3f ms   dgemv %8.3f ms   %5.1f times\n", price * 1e3, price_blas * 1e3,
         price_blas / price);
  printf("A x  tables %8.3f ms   dgemv %8.3f ms   %5.1f times, bits by rows\n", multiply_rows * 1e3,
         multiply_blas * 1e3, multiply_blas / multiply_rows);
  printf("A x  tables %8.3f ms   dgemv %8.3f ms   %5.1f times, bits by columns\n", multiply * 1e3,
         multiply_blas * 1e3, multiply_blas / multiply);
  free(dense), free(y), free(x), free(by_table), free(by_blas), free(table);
  irl_bits_matrix_free(&bits);
  irl_bits_matrix_free(&rows);
  irl_env_free(env);
  return off > 1e-6;
}
