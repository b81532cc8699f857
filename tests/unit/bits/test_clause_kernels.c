/* The kernels of the clause search: the scalar ones against single bits, the others against them.
 */
#include "base/memory.h"
#include "base/random.h"
#include "bits/bits.h"
#include "bits/kernels.h"
#include "greatest.h"

static irl_env *env;
static irl_random numbers;

static uint64_t *draw(size_t n_words) {
  uint64_t *words = irl_mem_alloc_aligned(&env->allocator, n_words + 8, sizeof *words);
  const uint64_t chance = irl_random_below(&numbers, (uint64_t)1 << 32);
  for (size_t i = 0; i < n_words; i++) words[i] = irl_random_bits(&numbers, chance);
  return words;
}

TEST gathers_bits(const irl_kernels *k) {
  for (int round = 0; round < 200; round++) {
    const size_t n = 8 * (size_t)(1 + irl_random_below(&numbers, 6)), stride = n + 8;
    const uint32_t n_columns = 1 + (uint32_t)irl_random_below(&numbers, 5);
    uint32_t ids[5];
    uint64_t *columns = draw(n_columns * stride), *mask = draw(n);
    const size_t bits = irl_bits_kernels_scalar()->count(mask, n);
    const size_t words = irl_bits_stride(bits), into_stride = words + 3;
    uint64_t *into = draw(n_columns * into_stride);
    for (uint32_t i = 0; i < n_columns; i++) ids[i] = n_columns - 1 - i;
    k->gather_many(into, into_stride, words, columns, stride, round % 2 ? ids : NULL, n_columns,
                   mask, n);
    for (uint32_t c = 0; c < n_columns; c++) {
      const uint64_t *from = columns + (round % 2 ? ids[c] : c) * stride;
      size_t at = 0;
      for (size_t i = 0; i < 64 * n; i++)
        if (irl_bits_get(mask, i))
          ASSERT_EQ(irl_bits_get(from, i), irl_bits_get(into + c * into_stride, at++));
      for (; at < 64 * words; at++) ASSERT(!irl_bits_get(into + c * into_stride, at));
    }
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, mask);
    irl_mem_free_aligned(&env->allocator, into);
  }
  PASS();
}

TEST strikes_out_rows(const irl_kernels *k) {
  for (int round = 0; round < 300; round++) {
    const size_t n = 4 * (size_t)(1 + irl_random_below(&numbers, 5)), stride = (n + 15) / 8 * 8;
    const size_t n_selected = 1 + irl_random_below(&numbers, round % 8 ? 4 : 16);
    const unsigned limit = (unsigned)irl_random_below(
        &numbers, (const uint64_t[]){4, 64, 64 * (uint64_t)n_selected + 2}[round % 3]);
    uint64_t *rows = draw(64 * n_selected * stride), *selected = draw(n_selected);
    uint64_t *mask = draw(n), *before = draw(n);
    memcpy(before, mask, n * sizeof *mask);
    const bool is_any = k->rows_at_most(mask, round % 2 ? mask : before, n, rows, stride, selected,
                                        n_selected, limit);
    bool is_left = false;
    for (size_t i = 0; i < 64 * n; i++) {
      unsigned hits = 0;
      for (size_t r = 0; r < 64 * n_selected; r++)
        hits += irl_bits_get(selected, r) && irl_bits_get(rows + r * stride, i);
      ASSERT_EQ(irl_bits_get(before, i) && hits <= limit, irl_bits_get(mask, i));
      is_left = is_left || irl_bits_get(mask, i);
    }
    ASSERT_EQ(is_left, is_any);
    irl_mem_free_aligned(&env->allocator, rows);
    irl_mem_free_aligned(&env->allocator, selected);
    irl_mem_free_aligned(&env->allocator, mask);
    irl_mem_free_aligned(&env->allocator, before);
  }
  PASS();
}

TEST selects_columns(const irl_kernels *k) {
  for (int round = 0; round < 200; round++) {
    const size_t n = 4 * (size_t)irl_random_below(&numbers, 50), padded = (n + 7) / 8 * 8;
    const size_t stride = padded + 8;
    uint64_t *columns = draw(50 * stride), *v = draw(padded);
    uint32_t ids[50], counts[50];
    for (size_t w = n; w < padded; w++) v[w] = 0;
    const size_t n_columns = irl_random_below(&numbers, 51);
    const uint32_t least =
        round % 7 ? (uint32_t)irl_random_below(&numbers, 16 * n + 1) : UINT32_MAX;
    const size_t found = k->and_select(v, columns, stride, n_columns, n, least, 1000, ids, counts);
    size_t expected = 0;
    for (size_t i = 0; i < n_columns; i++) {
      const uint64_t count = irl_bits_kernels_scalar()->and_count(v, columns + i * stride, padded);
      if (count < least) continue;
      ASSERT(expected < found);
      ASSERT_EQ(1000 + i, ids[expected]);
      ASSERT_EQ(count, counts[expected]);
      expected++;
    }
    ASSERT_EQ(expected, found);
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, v);
  }
  PASS();
}

TEST keeps_columns(const irl_kernels *k) {
  for (int round = 0; round < 200; round++) {
    const size_t n = irl_random_below(&numbers, 12), stride = n + 1;
    uint64_t *columns = draw(50 * stride), *v = draw(n);
    uint32_t ids[20], expected[20];
    size_t n_expected = 0;
    const uint64_t least = irl_random_below(&numbers, 16 * n + 2);
    for (size_t i = 0; i < 20; i++) {
      uint64_t count = 0;
      ids[i] = (uint32_t)irl_random_below(&numbers, 50);
      for (size_t b = 0; b < 64 * n; b++)
        count += irl_bits_get(v, b) && irl_bits_get(columns + ids[i] * stride, b);
      if (count >= least) expected[n_expected++] = ids[i];
    }
    ASSERT_EQ(n_expected, k->and_keep(v, n, columns, stride, ids, 20, least));
    ASSERT_MEM_EQ(expected, ids, n_expected * sizeof *ids);
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, v);
  }
  PASS();
}

/* Against the naive sum, for all numbers of words across the widths of registers. */
TEST weighs_columns(const irl_kernels *k) {
  for (int round = 0; round < 600; round++) {
    const size_t n = round % 40, stride = n + irl_random_below(&numbers, 3);
    const size_t n_planes = 1 + irl_random_below(&numbers, 6);
    uint64_t *columns = draw(50 * stride + 1), *planes = draw(n_planes * n + 1);
    uint32_t ids[20];
    int64_t sums[20];
    const bool is_named = irl_random_below(&numbers, 2);
    for (size_t i = 0; i < 20; i++) ids[i] = (uint32_t)irl_random_below(&numbers, 50);
    k->and_weigh_many(planes, n_planes, columns, stride, is_named ? ids : NULL, 20, n, sums);
    for (size_t i = 0; i < 20; i++) {
      const uint64_t *column = columns + (is_named ? ids[i] : i) * stride;
      int64_t expected = 0;
      for (size_t t = 0; t < n_planes; t++)
        for (size_t b = 0; b < 64 * n; b++)
          expected += (int64_t)(irl_bits_get(planes + t * n, b) && irl_bits_get(column, b)) << t;
      ASSERT_EQ(expected, sums[i]);
    }
    irl_mem_free_aligned(&env->allocator, columns);
    irl_mem_free_aligned(&env->allocator, planes);
  }
  PASS();
}

SUITE(clause_kernels) {
  const irl_kernels *tables[8];
  const size_t n = irl_bits_kernels_list(tables, 8);
  for (size_t i = 0; i < n; i++) {
    greatest_set_test_suffix(tables[i]->name);
    RUN_TEST1(gathers_bits, tables[i]);
    greatest_set_test_suffix(tables[i]->name);
    RUN_TEST1(strikes_out_rows, tables[i]);
    greatest_set_test_suffix(tables[i]->name);
    RUN_TEST1(selects_columns, tables[i]);
    greatest_set_test_suffix(tables[i]->name);
    RUN_TEST1(keeps_columns, tables[i]);
    greatest_set_test_suffix(tables[i]->name);
    RUN_TEST1(weighs_columns, tables[i]);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, 20261116, 0);
  RUN_SUITE(clause_kernels);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
