/* Speed of the kernels, each beside a limit that is measured in the same run.
 *
 * One vector against many columns reads the columns once: its limit is reading the same memory with
 * a plain sum, out of cache (256 MB) and in the second-level cache (1 MB). Many vectors against
 * many columns read from registers and the first-level cache: the limit is arithmetic, AND and
 * popcount over one vector that stays in the cache. Bytes are those of the columns, once for each
 * vector. Time is that of the thread, so that other processes do not count, and each figure the
 * best of many short passes. */
#include "bits/kernels.h"
#include "base/env.h"
#include "base/memory.h"
#include "base/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t *draw(const irl_allocator *allocator, size_t n) {
  irl_random random;
  uint64_t *words = irl_mem_alloc_aligned(allocator, n, sizeof *words);
  if (!words) exit(1);
  irl_random_init(&random, 1, 0);
  for (size_t i = 0; i < n; i++) words[i] = irl_random_next(&random);
  return words;
}

/* ---- limits ---- */

/* Four sums of vectors, so that additions do not wait for each other. */
#define PLAIN_SUM(name, bytes, attributes)                                                         \
  attributes static uint64_t name(const uint64_t *words, size_t n) {                               \
    typedef uint64_t lanes __attribute__((vector_size(bytes)));                                    \
    const lanes *at = (const lanes *)words, *end = at + n * sizeof *words / (bytes);               \
    lanes a = {0}, b = a, c = a, d = a;                                                            \
    for (; at + 4 <= end; at += 4) a += at[0], b += at[1], c += at[2], d += at[3];                 \
    a += b + c + d;                                                                                \
    uint64_t sum = 0;                                                                              \
    for (size_t i = 0; i < (bytes) / sizeof *words; i++) sum += a[i];                              \
    return sum;                                                                                    \
  }
PLAIN_SUM(sum16, 16, )
#if defined(__x86_64__)
PLAIN_SUM(sum32, 32, __attribute__((target("avx2"))))
PLAIN_SUM(sum64, 64, __attribute__((target("avx512f"))))
#endif

/* With the widest vectors that the table's instructions have. */
static uint64_t plain_sum(const irl_kernels *kernels, const uint64_t *words, size_t n) {
#if defined(__x86_64__)
  if (kernels == irl_bits_kernels_avx512()) return sum64(words, n);
  if (kernels == irl_bits_kernels_avx2()) return sum32(words, n);
#endif
  (void)kernels;
  return sum16(words, n);
}

/* ---- passes ---- */

typedef struct work {
  const irl_kernels *kernels;
  const uint64_t *rows, *columns;
  size_t n_words, n_rows, n_columns;
  uint32_t *counts;
} work;

static void read_all(const work *w) {
  for (size_t i = 0; i < w->n_rows; i++)
    sink += plain_sum(w->kernels, w->columns, w->n_words * w->n_columns);
}

static void count_all(const work *w) {
  for (size_t i = 0; i < w->n_rows; i++)
    w->kernels->and_count_many(w->rows + i * w->n_words, w->columns, w->n_words, NULL, w->n_columns,
                               w->n_words, w->counts);
  sink += w->counts[0];
}

static void count_block(const work *w) {
  w->kernels->and_count_block(w->rows, w->n_words, w->n_rows, w->columns, w->n_words, w->n_columns,
                              w->n_words, w->counts, w->n_columns);
  sink += w->counts[0];
}

#define L1_WORDS 1024u /* two vectors of 8 KB */

static void count_cached(const work *w) {
  for (size_t done = 0; done < w->n_words * w->n_rows * w->n_columns; done += L1_WORDS)
    sink += w->kernels->and_count(w->columns, w->columns + L1_WORDS, L1_WORDS);
}

/* GB/s, the best of the passes. */
static double speed(const work *w, void (*pass)(const work *w), unsigned n_passes) {
  double least = 1e9;
  for (unsigned i = 0; i < n_passes; i++) {
    const double start = thread_seconds();
    pass(w);
    const double seconds = thread_seconds() - start;
    if (seconds < least) least = seconds;
  }
  return (double)(w->n_words * w->n_columns * w->n_rows) * sizeof(uint64_t) / least / 1e9;
}

/* Every table that this CPU has. */
static void measure(irl_env *env, const char *where, work w, bool is_block, unsigned n_passes) {
  const irl_kernels *tables[8];
  const size_t n_tables = irl_bits_kernels_list(tables, 8);
  uint64_t *columns = draw(&env->allocator, w.n_words * w.n_columns + 2 * L1_WORDS),
           *rows = draw(&env->allocator, w.n_words * w.n_rows);
  w.rows = rows;
  w.columns = columns;
  w.counts = irl_mem_alloc(&env->allocator, w.n_columns * w.n_rows, sizeof *w.counts);
  if (!w.counts) exit(1);
  for (size_t i = 0; i < n_tables; i++) {
    w.kernels = tables[i];
    const double limit = speed(&w, is_block ? count_cached : read_all, n_passes);
    const double reached = speed(&w, is_block ? count_block : count_all, n_passes);
    printf("%-34s %-7s %8.1f of %8.1f GB/s  %5.2f\n", where, tables[i]->name, reached, limit,
           reached / limit);
  }
  irl_mem_free_aligned(&env->allocator, columns);
  irl_mem_free_aligned(&env->allocator, rows);
  irl_mem_free(&env->allocator, w.counts);
}

int main(void) {
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  printf("one vector against many columns, of what reading them alone reaches\n");
  measure(env, "10,000 bits, 256 MB", (work){.n_words = 160, .n_columns = 200000, .n_rows = 1},
          false, 5);
  measure(env, "10,000 bits, 1 MB", (work){.n_words = 160, .n_columns = 800, .n_rows = 1}, false,
          400);
  measure(env, "1,000 bits, 1 MB", (work){.n_words = 16, .n_columns = 8000, .n_rows = 1}, false,
          400);
  printf("many vectors against many columns, of what AND and popcount in the cache reach\n");
  measure(env, "10,000 bits, 64 x 256", (work){.n_words = 160, .n_columns = 256, .n_rows = 64},
          true, 200);
  measure(env, "1,000 bits, 64 x 256", (work){.n_words = 16, .n_columns = 256, .n_rows = 64}, true,
          400);
  irl_env_free(env);
  return 0;
}
