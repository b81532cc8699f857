/* bits: every kernel against the scalar one and that one against single bits; transposition. */
#include "base/memory.h"
#include "base/random.h"
#include "bits/bits.h"
#include "bits/kernels.h"
#include "bits/sieve.h"
#include "greatest.h"

#define MAX_WORDS 520u
#define SEED      20240101u

static irl_env *env;
static irl_random numbers;

static uint64_t *draw(size_t n_words, unsigned kind) {
  static const uint64_t chances[] = {0, 1u << 26, 1u << 31, 0xf0000000u, (uint64_t)1 << 32};
  uint64_t *words = irl_mem_alloc_aligned(&env->allocator, n_words, sizeof *words);
  for (size_t i = 0; i < n_words; i++) words[i] = irl_random_bits(&numbers, chances[kind % 5]);
  return words;
}

static uint64_t slow_count(const uint64_t *a, const uint64_t *b, size_t n_words, char op) {
  uint64_t n = 0;
  for (size_t i = 0; i < 64 * n_words; i++) {
    const bool x = irl_bits_get(a, i), y = irl_bits_get(b, i);
    n += op == '&' ? x && y : op == '|' ? x || y : op == '-' ? x && !y : x;
  }
  return n;
}

static enum greatest_test_res check_counts(const irl_kernels *k, const uint64_t *a,
                                           const uint64_t *b, size_t n) {
  const uint64_t both = slow_count(a, b, n, '&');
  ASSERT_EQ_FMT((size_t)slow_count(a, b, n, '1'), (size_t)k->count(a, n), "%zu");
  ASSERT_EQ_FMT((size_t)both, (size_t)k->and_count(a, b, n), "%zu");
  PASS();
}

static enum greatest_test_res check_results(const irl_kernels *k, const uint64_t *a,
                                            const uint64_t *b, size_t n) {
  const irl_kernels *scalar = irl_bits_kernels_scalar();
  uint64_t *x = draw(n, 2), *y = draw(n, 2);
  ASSERT_EQ(scalar->and_into(x, a, b, n), k->and_into(y, a, b, n));
  ASSERT_MEM_EQ(x, y, n * sizeof *x);
  ASSERT_EQ(slow_count(a, b, n, '&'), scalar->count(x, n));
  ASSERT_EQ(scalar->andnot_into(x, a, b, n), k->andnot_into(y, a, b, n));
  ASSERT_MEM_EQ(x, y, n * sizeof *x);
  ASSERT_EQ(scalar->or_into(x, a, b, n), k->or_into(y, a, b, n));
  ASSERT_MEM_EQ(x, y, n * sizeof *x);
  ASSERT_EQ(slow_count(a, b, n, '|'), scalar->count(x, n));
  memcpy(x, a, n * sizeof *x);
  ASSERT_EQ(slow_count(a, b, n, '-'), k->andnot_into(x, x, b, n));
  irl_mem_free_aligned(&env->allocator, x);
  irl_mem_free_aligned(&env->allocator, y);
  PASS();
}

TEST kernel_equals_single_bits(const irl_kernels *k) {
  for (unsigned round = 0; round < 60; round++) {
    const size_t n = 8 * (size_t)irl_random_below(&numbers, MAX_WORDS / 8);
    uint64_t *a = draw(n, round), *b = draw(n, round / 5);
    CHECK_CALL(check_counts(k, a, b, n));
    CHECK_CALL(check_results(k, a, b, n));
    irl_mem_free_aligned(&env->allocator, a);
    irl_mem_free_aligned(&env->allocator, b);
  }
  PASS();
}

TEST kernel_counts_many_columns(const irl_kernels *k) {
  uint32_t ids[50], counts[50], listed[50];
  for (unsigned round = 0; round < 20; round++) {
    const size_t n = 8 * (size_t)(1 + irl_random_below(&numbers, 30)), stride = n + 8;
    uint64_t *columns = draw(50 * stride, 2), *v = draw(n, 2);
    for (size_t i = 0; i < 50; i++) ids[i] = (uint32_t)irl_random_below(&numbers, 50);
    k->and_count_many(v, columns, stride, NULL, 50, n, counts);
    k->and_count_many(v, columns, stride, ids, 50, n, listed);
    for (size_t i = 0; i < 50; i++) {
      ASSERT_EQ(irl_bits_kernels_scalar()->and_count(v, columns + i * stride, n), counts[i]);
      ASSERT_EQ(counts[ids[i]], listed[i]);
    }
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, v);
  }
  PASS();
}

/* Bits counted one by one, whatever a kernel does. */
static uint32_t naive_and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint32_t sum = 0;
  for (size_t w = 0; w < n_words; w++)
    for (uint64_t both = a[w] & b[w]; both; both &= both - 1) sum++;
  return sum;
}

#define GUARD 0xdeadbeefu /* must not be written over */

/* One vector, and a block of vectors, against columns; which of them have so many. */
static enum greatest_test_res check_block(const irl_kernels *k, size_t n_words, size_t n_rows,
                                          size_t n_columns, unsigned kind) {
  const size_t stride = n_words + 8 * (n_columns % 3), row_stride = n_words + 8 * (n_rows % 2);
  const size_t counts_stride = n_columns + n_rows % 4, n_counts = n_rows * counts_stride;
  uint64_t *columns = draw(n_columns * stride, kind), *rows = draw(n_rows * row_stride, kind);
  uint32_t *counts = malloc((n_counts + 1) * sizeof *counts);
  uint32_t *many = malloc((n_columns + 1) * sizeof *many);
  uint32_t *ids = malloc((n_columns + 1) * sizeof *ids);
  uint32_t *kept = malloc((n_columns + 1) * sizeof *kept);
  for (size_t i = 0; i <= n_counts; i++) counts[i] = GUARD;
  many[n_columns] = ids[n_columns] = kept[n_columns] = GUARD;
  k->and_count_block(rows, row_stride, n_rows, columns, stride, n_columns, n_words, counts,
                     counts_stride);
  for (size_t i = 0; i < n_rows; i++) {
    const uint64_t *row = rows + i * row_stride;
    k->and_count_many(row, columns, stride, NULL, n_columns, n_words, many);
    const uint32_t least = n_columns ? many[n_columns / 2] : 0;
    const size_t n_kept =
        k->and_select(row, columns, stride, n_columns, n_words, least, 7, ids, kept);
    size_t at = 0;
    for (size_t j = 0; j < n_columns; j++) {
      const uint32_t count = naive_and_count(row, columns + j * stride, n_words);
      ASSERT_EQ(count, counts[i * counts_stride + j]);
      ASSERT_EQ(count, many[j]);
      if (count < least) continue;
      ASSERT(at < n_kept);
      ASSERT_EQ(7 + j, ids[at]);
      ASSERT_EQ(count, kept[at++]);
    }
    ASSERT_EQ(n_kept, at);
    for (size_t j = n_columns; j < counts_stride; j++)
      ASSERT_EQ(GUARD, counts[i * counts_stride + j]);
  }
  ASSERT_EQ(GUARD, counts[n_counts]);
  ASSERT_EQ(GUARD, many[n_columns]);
  ASSERT_EQ(GUARD, ids[n_columns]);
  ASSERT_EQ(GUARD, kept[n_columns]);
  irl_mem_free_aligned(&env->allocator, columns);
  irl_mem_free_aligned(&env->allocator, rows);
  free(counts);
  free(many);
  free(ids);
  free(kept);
  PASS();
}

/* Sizes on both sides of every boundary: of registers, tiles, chunks, and of 2^16 in a count. */
TEST kernel_counts_blocks(const irl_kernels *k) {
  static const size_t words[] = {0, 8, 16, 24, 56, 64, 72, 104, 112, 120, 128, 136, 512};
  static const size_t columns[] = {0, 1, 3, 4, 7, 8, 9, 31, 32, 33, 40, 63, 64, 65};
  static const size_t rows[] = {0, 1, 2, 7, 8, 9, 17};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      CHECK_CALL(
          check_block(k, words[w], rows[(w + c) % 7], columns[c], 2 + (unsigned)(w + c) % 3));
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    CHECK_CALL(check_block(k, 16, rows[r], 1000 + r, 2)); /* many columns */
  CHECK_CALL(check_block(k, 2048, 9, 35, 4));             /* all ones: 131,072 of them */
  CHECK_CALL(check_block(k, 2056, 8, 33, 2));
  PASS();
}

/* A kernel that this CPU has not got cannot be tested on it. */
TEST kernel_is_available(const char *name) {
  const irl_kernels *tables[8];
  const size_t n = irl_bits_kernels_list(tables, 8);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(tables[i]->name, name)) PASS();
  SKIPm("this CPU does not have these instructions");
}

TEST fill_sets_the_first_bits(void) {
  uint64_t vector[16] __attribute__((aligned(64)));
  for (size_t n = 0; n <= 1024; n++) {
    irl_bits_fill(vector, n, 16);
    ASSERT_EQ(n, irl_bits_kernels_scalar()->count(vector, 16));
    if (n) ASSERT(irl_bits_get(vector, n - 1));
  }
  PASS();
}

TEST or_at_moves_every_bit(void) {
  uint64_t to[4], before[4], from[3];
  for (size_t n = 0; n <= 128; n++)
    for (size_t at = 0; at + n <= 192 && at < 130; at++) {
      irl_bits_fill(from, n, 3);
      for (size_t i = 0; i < 3; i++) from[i] &= irl_random_next(&numbers);
      for (size_t i = 0; i < 4; i++) to[i] = before[i] = irl_random_bits(&numbers, 1u << 26);
      irl_bits_or_at(to, at, from, n);
      for (size_t i = 0; i < 256; i++) {
        const bool is_moved = i >= at && i < at + n && irl_bits_get(from, i - at);
        ASSERT(irl_bits_get(to, i) == (irl_bits_get(before, i) || is_moved));
      }
    }
  PASS();
}

TEST transposition_moves_every_bit(void) {
  for (unsigned round = 0; round < 40; round++) {
    irl_bits_matrix a, b, back;
    const size_t n_vectors = 1 + irl_random_below(&numbers, 700);
    const size_t n_bits = 1 + irl_random_below(&numbers, 700);
    ASSERT_EQ(IRL_STATUS_OK, irl_bits_matrix_init(env, &a, n_vectors, n_bits));
    for (size_t i = 0; i < n_vectors; i++)
      for (size_t j = 0; j < n_bits; j++)
        if (irl_random_next(&numbers) & 1) irl_bits_set(irl_bits_vector(&a, i), j);
    ASSERT_EQ(IRL_STATUS_OK, irl_bits_transposed(env, &a, &b, 1 + (int)(round % 3)));
    ASSERT(irl_bits_tails_are_zero(&b));
    for (size_t i = 0; i < n_vectors; i++)
      for (size_t j = 0; j < n_bits; j++)
        ASSERT_EQ(irl_bits_get(irl_bits_vector(&a, i), j), irl_bits_get(irl_bits_vector(&b, j), i));
    ASSERT_EQ(IRL_STATUS_OK, irl_bits_transposed(env, &b, &back, 2));
    ASSERT_MEM_EQ(a.words, back.words, n_vectors * a.stride * sizeof *a.words);
    irl_bits_matrix_free(&a);
    irl_bits_matrix_free(&b);
    irl_bits_matrix_free(&back);
  }
  PASS();
}

TEST tails_are_checked(void) {
  irl_bits_matrix m;
  ASSERT_EQ(IRL_STATUS_OK, irl_bits_matrix_init(env, &m, 3, 100));
  ASSERT(irl_bits_tails_are_zero(&m));
  irl_bits_set(irl_bits_vector(&m, 2), 99);
  ASSERT(irl_bits_tails_are_zero(&m));
  irl_bits_set(irl_bits_vector(&m, 1), 100);
  ASSERT_FALSE(irl_bits_tails_are_zero(&m));
  irl_bits_clear(irl_bits_vector(&m, 1), 100);
  irl_bits_set(irl_bits_vector(&m, 0), 511);
  ASSERT_FALSE(irl_bits_tails_are_zero(&m));
  irl_bits_matrix_free(&m);
  ASSERT_EQ(IRL_STATUS_NO_MEMORY, irl_bits_matrix_init(env, &m, SIZE_MAX / 2, 1000));
  PASS();
}

/* Bits picked out of a vector and put back, against a loop over single bits; masks of all
 * densities. */
TEST sieves_gather_and_scatter(void) {
  enum { WORDS = 5 };
  for (unsigned round = 0; round < 200; round++) {
    uint64_t mask[WORDS], from[WORDS], to[WORDS + 1] = {0}, wanted[WORDS + 1] = {0};
    size_t n = 0;
    irl_sieve sieve;
    for (unsigned w = 0; w < WORDS; w++) {
      static const uint64_t chances[] = {0, 0x10000000, 0x80000000, 0xf0000000, 0x100000000};
      mask[w] = irl_random_bits(&numbers, chances[irl_random_below(&numbers, 5)]);
      from[w] = irl_random_next(&numbers);
    }
    for (size_t i = 0; i < 64 * (size_t)WORDS; i++)
      if (irl_bits_get(mask, i)) {
        if (irl_bits_get(from, i)) irl_bits_set(wanted, n);
        n++;
      }
    ASSERT_EQ(IRL_STATUS_OK, irl_sieve_init(env, &sieve, mask, WORDS));
    ASSERT_EQ(n, sieve.n_kept);
    for (size_t w = 0; w < WORDS; w++) irl_sieve_gather(&sieve, w, from[w], to);
    ASSERT_MEM_EQ(wanted, to, sizeof to);
    for (size_t w = 0; w < WORDS; w++)
      ASSERT_EQ(from[w] & mask[w], irl_sieve_scatter(&sieve, w, to));
    irl_sieve_free(&sieve);
  }
  PASS();
}

SUITE(bits) {
  static const char *const names[] = {"avx2", "avx512", "neon"};
  const irl_kernels *tables[8];
  const size_t n = irl_bits_kernels_list(tables, 8);
  printf("seed %u\n", SEED);
  for (size_t i = 0; i < 3; i++) RUN_TEST1(kernel_is_available, names[i]);
  for (size_t i = 0; i < n; i++) {
    printf("kernel %s\n", tables[i]->name);
    RUN_TEST1(kernel_equals_single_bits, tables[i]);
    RUN_TEST1(kernel_counts_many_columns, tables[i]);
    RUN_TEST1(kernel_counts_blocks, tables[i]);
  }
  RUN_TEST(fill_sets_the_first_bits);
  RUN_TEST(or_at_moves_every_bit);
  RUN_TEST(transposition_moves_every_bit);
  RUN_TEST(tails_are_checked);
  RUN_TEST(sieves_gather_and_scatter);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, SEED, 0);
  RUN_SUITE(bits);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
