/* The complete pair level: every pair of features, counted in cases and in controls.
 *
 *   pairs FILE [THREADS]
 *
 * FILE is anything that `ireland` reads. Of a PLINK file a SNP is two features (at least one
 * counted allele, two of them), and what four pairs of features count in a class is, with the
 * counts of single features, the table of 3 x 3 genotypes of two SNPs. Blocks of features are
 * counted against each other as in a matrix product; of each count the greatest difference between
 * the shares of cases and controls is taken, so that every count is used. Prints seconds of the
 * clock and of all processors, and pairs of features per second. */
#include "base/clock.h"
#include "base/env.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/dataset.h"
#include "ireland.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define ROWS    64u
#define COLUMNS 256u

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static void count_class(const irl_bits_matrix *class, uint32_t row, uint32_t n_rows,
                        uint32_t column, uint32_t n_columns, uint32_t *counts) {
  irl_bits_kernels()->and_count_block(irl_bits_vector(class, row), class->stride, n_rows,
                                      irl_bits_vector(class, column), class->stride, n_columns,
                                      class->stride, counts, COLUMNS);
}

typedef float floats __attribute__((vector_size(16)));
typedef int32_t numbers __attribute__((vector_size(16)));

/* The greatest difference in a block, of pairs in which the column comes after the row. */
static float count_block(const irl_data *data, uint32_t row, uint32_t column) {
  static _Thread_local uint32_t cases[ROWS * COLUMNS] __attribute__((aligned(64))),
      controls[ROWS * COLUMNS] __attribute__((aligned(64)));
  const uint32_t n = data->n_features;
  const uint32_t n_rows = n - row < ROWS ? n - row : ROWS;
  const uint32_t n_columns = n - column < COLUMNS ? n - column : COLUMNS;
  const float a = 1 / (float)data->n_cases, b = 1 / (float)data->n_controls;
  floats most = {0}; /* squares */
  count_class(&data->cases, row, n_rows, column, n_columns, cases);
  count_class(&data->controls, row, n_rows, column, n_columns, controls);
  for (uint32_t i = 0; i < n_rows; i++) {
    uint32_t *p = cases + i * COLUMNS, *q = controls + i * COLUMNS;
    for (uint32_t j = 0; j < n_columns && column + j <= row + i; j++) p[j] = q[j] = 0;
    for (uint32_t j = n_columns; j % 4; j++) p[j] = q[j] = 0;
    for (uint32_t j = 0; j < n_columns; j += 4) {
      const floats x = __builtin_convertvector(*(const numbers *)(p + j), floats) * a -
                       __builtin_convertvector(*(const numbers *)(q + j), floats) * b;
      const numbers is_more = x * x > most;
      most = (floats)(((numbers)(x * x) & is_more) | ((numbers)most & ~is_more));
    }
  }
  float greatest = 0;
  for (int k = 0; k < 4; k++)
    if (most[k] > greatest) greatest = most[k];
  return sqrtf(greatest);
}

static float count_pairs(const irl_data *data, int threads) {
  float greatest = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(max : greatest)
  for (uint32_t row = 0; row < data->n_features; row += ROWS)
    for (uint32_t column = row / COLUMNS * COLUMNS; column < data->n_features; column += COLUMNS) {
      const float difference = count_block(data, row, column);
      if (difference > greatest) greatest = difference;
    }
  return greatest;
}

int main(int argc, char **argv) {
  irl_env *env;
  irl_options options;
  irl_data *data = NULL;
  if (argc < 2 || irl_env_create(NULL, &env)) return 2;
  const int threads = argc > 2 ? atoi(argv[2]) : 1;
  irl_options_init(&options, sizeof options);
  if (irl_data_read(env, argv[1], &options, &data)) {
    fprintf(stderr, "%s\n", irl_env_error(env));
    return 3;
  }
  const double start = irl_clock_now(), used = processor_seconds();
  const float greatest = count_pairs(data, threads);
  const double seconds = irl_clock_now() - start;
  const double pairs = 0.5 * data->n_features * (data->n_features - 1.0);
  printf("%u features, %u samples, %.4g pairs: %.3f s, %.3f processor s, %.4g pairs/s "
         "(kernel %s, greatest difference %.3f)\n",
         data->n_features, data->n_samples, pairs, seconds, processor_seconds() - used,
         pairs / seconds, irl_bits_kernels()->name, greatest);
  irl_data_free(data);
  irl_env_free(env);
  return 0;
}
