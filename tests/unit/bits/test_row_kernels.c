/* Row kernels of every width against single bits, with sizes that cross every boundary: lists of
 * rows around multiples of 16, limits around the widths of the counters. */
#include "base/memory.h"
#include "base/random.h"
#include "bits/bits.h"
#include "bits/kernels.h"
#include "bits/row_kernels.h"
#include "greatest.h"

static irl_env *env;
static irl_random numbers;

static uint64_t *draw(size_t n_words, uint64_t chance) {
  uint64_t *words = irl_mem_alloc_aligned(&env->allocator, n_words + 8, sizeof *words);
  for (size_t i = 0; i < n_words; i++) words[i] = irl_random_bits(&numbers, chance);
  return words;
}

static const uint32_t sizes[] = {0,   1,   2,   15,  16,  17,  31,  32,   33,   63,   64,
                                 65,  79,  80,  127, 128, 129, 255, 256,  257,  300,  511,
                                 512, 513, 767, 959, 960, 961, 976, 1023, 1024, 2047, 4095};
#define N_SIZES (sizeof sizes / sizeof *sizes)

TEST lists_ones(const irl_row_kernels *k) {
  for (int round = 0; round < 400; round++) {
    const size_t n_words = irl_random_below(&numbers, 65);
    uint64_t *vector = draw(n_words, irl_random_below(&numbers, ((uint64_t)1 << 32) + 1));
    uint16_t *list = irl_mem_alloc(&env->allocator, 64 * n_words + IRL_ROWS_SLACK, sizeof *list);
    const uint32_t step = 1 + (uint32_t)irl_random_below(&numbers, 16);
    const size_t n = k->list_rows(vector, n_words, step, list);
    size_t at = 0;
    for (size_t i = 0; i < 64 * n_words; i++)
      if (irl_bits_get(vector, i)) ASSERT_EQ(step * i, list[at++]);
    ASSERT_EQ(n, at);
    irl_mem_free(&env->allocator, list);
    irl_mem_free_aligned(&env->allocator, vector);
  }
  PASS();
}

static enum greatest_test_res check_block(const irl_row_kernels *k, uint32_t n, unsigned limit) {
  static const uint64_t chances[] = {0, 1u << 26, 1u << 29, 1u << 31, 0xf0000000u, 1ull << 32};
  const uint32_t n_rows = n + 1 + (uint32_t)irl_random_below(&numbers, 20);
  uint64_t *rows = draw(8 * (size_t)n_rows, chances[irl_random_below(&numbers, 6)]);
  uint64_t *from = draw(8, chances[1 + irl_random_below(&numbers, 5)]), *into = draw(8, 1u << 31);
  uint16_t list[IRL_ROWS_MAX + 1];
  for (uint32_t i = 0; i < n; i++) list[i] = (uint16_t)(8 * irl_random_below(&numbers, n_rows));
  const bool is_same = irl_random_below(&numbers, 2);
  uint64_t before[8];
  memcpy(before, from, sizeof before);
  const bool is_any = k->few_rows(is_same ? from : into, from, rows, list, n, limit);
  const uint64_t *result = is_same ? from : into;
  bool is_left = false;
  for (uint32_t c = 0; c < IRL_ROWS_COLUMNS; c++) {
    uint32_t hits = 0;
    for (uint32_t i = 0; i < n; i++) hits += irl_bits_get(rows + list[i], c);
    const bool stays = irl_bits_get(before, c) && hits <= limit;
    ASSERT_EQ(stays, irl_bits_get(result, c));
    is_left = is_left || stays;
  }
  ASSERT_EQ(is_left, is_any);
  irl_mem_free_aligned(&env->allocator, rows);
  irl_mem_free_aligned(&env->allocator, from);
  irl_mem_free_aligned(&env->allocator, into);
  PASS();
}

TEST counts_rows(const irl_row_kernels *k) {
  for (size_t i = 0; i < N_SIZES; i++)
    for (int round = 0; round < (sizes[i] < 600 ? 40 : 6); round++) {
      const uint32_t n = sizes[i];
      /* Around half of the rows, where limits decide, around the widths of counters, any. */
      const unsigned limits[] = {n / 2 + (unsigned)irl_random_below(&numbers, 9),
                                 (unsigned)irl_random_below(&numbers, n + 2),
                                 63,
                                 64,
                                 255,
                                 256,
                                 n ? n - 1 : 0,
                                 n};
      CHECK_CALL(check_block(k, n, limits[irl_random_below(&numbers, 8)]));
    }
  PASS();
}

TEST keeps_close_columns(const irl_row_kernels *k) {
  for (int round = 0; round < 300; round++) {
    const size_t n_words = 1 + irl_random_below(&numbers, 20), stride = n_words + 1;
    const uint32_t n = (uint32_t)irl_random_below(&numbers, 30);
    const uint32_t slack = (uint32_t)irl_random_below(&numbers, 20 * n_words);
    uint64_t *columns = draw(31 * stride, 1u << 31), *v = draw(n_words, 1u << 31);
    uint32_t ids[30], before[30];
    for (uint32_t i = 0; i < n; i++) ids[i] = before[i] = (uint32_t)irl_random_below(&numbers, 31);
    const size_t kept = k->keep_close(v, n_words, columns, stride, ids, n, slack);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t missed = 0;
      for (size_t b = 0; b < 64 * n_words; b++)
        missed += irl_bits_get(v, b) && !irl_bits_get(columns + before[i] * stride, b);
      if (missed <= slack) ASSERT_EQ(before[i], ids[at++]);
    }
    ASSERT_EQ(at, kept);
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, v);
  }
  PASS();
}

TEST signs_columns(const irl_row_kernels *k) {
  for (int round = 0; round < 400; round++) {
    uint64_t *words = draw(80, irl_random_below(&numbers, ((uint64_t)1 << 32) + 1));
    uint64_t mask = irl_random_bits(&numbers, irl_random_below(&numbers, ((uint64_t)1 << 32) + 1));
    while (__builtin_popcountll(mask) > 32) mask &= mask - 1;
    const uint32_t n = (uint32_t)irl_random_below(&numbers, 70);
    uint32_t ids[70], signatures[70];
    for (uint32_t i = 0; i < n; i++) ids[i] = (uint32_t)irl_random_below(&numbers, 80);
    const bool is_empty = k->sign_columns(words, mask, ids, n, signatures);
    bool expected = false;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t signature = 0, at = 0;
      for (uint32_t b = 0; b < 64; b++)
        if (mask >> b & 1) signature |= (uint32_t)(words[ids[i]] >> b & 1) << at++;
      ASSERT_EQ(signature, signatures[i]);
      expected = expected || !signature;
    }
    ASSERT_EQ(expected, is_empty);
    irl_mem_free_aligned(&env->allocator, words);
  }
  PASS();
}

/* Pairs of n columns, asked for as the search does, against each pair by itself. */
static enum greatest_test_res check_pairs(const irl_row_kernels *k, uint32_t n, bool is_short) {
  static const uint64_t chances[] = {0, 1u << 28, 1u << 30, 1u << 31, 0xc0000000u, 1ull << 32};
  uint64_t *has = draw(n + IRL_ROWS_SLACK, chances[irl_random_below(&numbers, 6)]);
  uint64_t *takes = draw(n + IRL_ROWS_SLACK, chances[irl_random_below(&numbers, 6)]);
  uint32_t *limits = irl_mem_alloc(&env->allocator, (size_t)n + 1, sizeof *limits);
  irl_row_pair *pairs =
      irl_mem_alloc(&env->allocator, (size_t)n * IRL_ROWS_PAIRED + 1, sizeof *pairs);
  const uint32_t *shorts = (const uint32_t *)has;
  for (uint32_t i = 0; i < n; i++) limits[i] = (uint32_t)irl_random_below(&numbers, 66);
  const irl_row_signatures signatures = {has, takes, limits, n};
  for (uint32_t first = 0, last; first < n; first = last) {
    last = first + 1 + (uint32_t)irl_random_below(&numbers, IRL_ROWS_PAIRED);
    last = last < n ? last : n;
    const size_t n_pairs = is_short ? k->disjoint_pairs(shorts, n, first, last, pairs)
                                    : k->close_pairs(&signatures, first, last, pairs);
    size_t at = 0;
    for (uint32_t i = first; i < last; i++)
      for (uint32_t j = i + 1; j < n; j++) {
        const uint32_t taken = (uint32_t)__builtin_popcountll(has[i] & takes[j]);
        if (is_short ? shorts[i] & shorts[j] : taken > limits[i]) continue;
        ASSERT(at < n_pairs && pairs[at].i == i && pairs[at].j == j);
        at++;
      }
    ASSERT_EQ(at, n_pairs);
  }
  irl_mem_free(&env->allocator, pairs);
  irl_mem_free(&env->allocator, limits);
  irl_mem_free_aligned(&env->allocator, has);
  irl_mem_free_aligned(&env->allocator, takes);
  PASS();
}

TEST lists_pairs(const irl_row_kernels *k) {
  for (uint32_t n = 0; n <= 70; n++)
    for (int round = 0; round < 12; round++) CHECK_CALL(check_pairs(k, n, round % 2));
  for (int round = 0; round < 4; round++) CHECK_CALL(check_pairs(k, 513, round % 2));
  PASS();
}

TEST names_have_kernels(void) {
  ASSERT_STR_EQ("scalar", irl_bits_row_kernels_named("scalar")->name);
  ASSERT_STR_EQ("scalar", irl_bits_row_kernels_named("neon")->name);
  ASSERT(irl_bits_row_kernels());
  PASS();
}

SUITE(row_kernels) {
  const irl_kernels *tables[8];
  const size_t n = irl_bits_kernels_list(tables, 8);
  irl_random_init(&numbers, 5, 0);
  for (size_t i = 0; i < n; i++) {
    const irl_row_kernels *k = irl_bits_row_kernels_named(tables[i]->name);
    RUN_TESTp(lists_ones, k);
    RUN_TESTp(counts_rows, k);
    RUN_TESTp(keeps_close_columns, k);
    RUN_TESTp(signs_columns, k);
    RUN_TESTp(lists_pairs, k);
  }
  RUN_TEST(names_have_kernels);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(row_kernels);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
