/* Bandwidth of the kernels, beside that of a plain sum over the same memory in the same run.
 *
 * Out of cache: and_count of one vector against many columns, 256 MB of them, as a search does it;
 * the limit is reading the same memory with a plain sum. In L2: the same over 128 KB, for each
 * kernel. Each figure is the best of several passes. */
#include "bits/kernels.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/memory.h"
#include "base/random.h"
#include <stdio.h>
#include <stdlib.h>

#define PASSES 9

static volatile uint64_t sink;

static uint64_t *draw(const irl_allocator *allocator, size_t n) {
  irl_random random;
  uint64_t *words = irl_mem_alloc_aligned(allocator, n, sizeof *words);
  if (!words) exit(1);
  irl_random_init(&random, 1, 0);
  for (size_t i = 0; i < n; i++) words[i] = irl_random_next(&random);
  return words;
}

typedef uint64_t lanes __attribute__((vector_size(32)));

/* Four sums of vectors, so that additions do not wait for each other. */
static uint64_t plain_sum(const uint64_t *words, size_t n) {
  const lanes *at = (const lanes *)words, *end = at + n / 4;
  lanes a = {0}, b = a, c = a, d = a;
  for (; at + 4 <= end; at += 4) a += at[0], b += at[1], c += at[2], d += at[3];
  a += b + c + d;
  return a[0] + a[1] + a[2] + a[3];
}

static double sum_speed(const uint64_t *words, size_t n, size_t repeats) {
  double best = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    const double start = irl_clock_now();
    for (size_t r = 0; r < repeats; r++) sink += plain_sum(words, n);
    const double speed = (double)(n * 8 * repeats) / (irl_clock_now() - start) / 1e9;
    if (speed > best) best = speed;
  }
  return best;
}

static double kernel_speed(const irl_kernels *kernels, const uint64_t *v, const uint64_t *columns,
                           size_t n_words, size_t n_columns, size_t repeats, uint32_t *counts) {
  double best = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    const double start = irl_clock_now();
    for (size_t r = 0; r < repeats; r++) {
      kernels->and_count_many(v, columns, n_words, NULL, n_columns, n_words, counts);
      sink += counts[0];
    }
    const double bytes = (double)(n_words * n_columns * 8 * repeats);
    const double speed = bytes / (irl_clock_now() - start) / 1e9;
    if (speed > best) best = speed;
  }
  return best;
}

static void measure(irl_env *env, const char *where, size_t n_words, size_t n_columns,
                    size_t repeats) {
  const irl_kernels *tables[8];
  const size_t n_tables = irl_bits_kernels_list(tables, 8);
  uint64_t *columns = draw(&env->allocator, n_words * n_columns),
           *v = draw(&env->allocator, n_words);
  uint32_t *counts = irl_mem_alloc(&env->allocator, n_columns, sizeof *counts);
  const double limit = sum_speed(columns, n_words * n_columns, repeats);
  printf("%-14s %-8s %8.1f GB/s\n", where, "sum", limit);
  for (size_t i = 0; i < n_tables; i++) {
    const double speed = kernel_speed(tables[i], v, columns, n_words, n_columns, repeats, counts);
    printf("%-14s %-8s %8.1f GB/s  %5.2f of sum\n", where, tables[i]->name, speed, speed / limit);
  }
  irl_mem_free_aligned(&env->allocator, columns);
  irl_mem_free_aligned(&env->allocator, v);
  irl_mem_free(&env->allocator, counts);
}

int main(void) {
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  printf("and_count_many against a plain sum, columns of 10,000 bits\n");
  measure(env, "out of cache", 160, 200000, 1);
  measure(env, "in L2", 160, 100, 2000);
  irl_env_free(env);
  return 0;
}
