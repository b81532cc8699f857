/* Kernels in plain C: the specification. */
#include "bits/bits.h"
#include "bits/kernels.h"

/* Sideways addition (Hacker's Delight 5-1); without a popcount instruction the compiler's builtin
 * would be a call into a table. */
static inline uint64_t ones(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return x * 0x0101010101010101u >> 56;
}

static uint64_t count(const uint64_t *a, size_t n_words) {
  assert(irl_bits_is_vector(a, n_words));
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(a[i]);
  return sum;
}

static uint64_t and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  assert(irl_bits_is_vector(a, n_words) && irl_bits_is_vector(b, n_words));
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(a[i] & b[i]);
  return sum;
}

#define INTO_KERNEL(name, word)                                                                    \
  static uint64_t name(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {     \
    assert(irl_bits_is_vector(a, n_words) && irl_bits_is_vector(b, n_words));                      \
    assert(irl_bits_is_vector(into, n_words));                                                     \
    uint64_t sum = 0;                                                                              \
    for (size_t i = 0; i < n_words; i++) sum += ones(into[i] = word);                              \
    return sum;                                                                                    \
  }
INTO_KERNEL(and_into, a[i] & b[i])
INTO_KERNEL(andnot_into, a[i] & ~b[i])
INTO_KERNEL(or_into, a[i] | b[i])

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  assert(irl_bits_are_columns(columns, stride, n_words));
  for (size_t i = 0; i < n_columns; i++)
    counts[i] = (uint32_t)and_count(v, columns + (ids ? ids[i] : i) * stride, n_words);
}

static void and_count_block(const uint64_t *rows, size_t row_stride, size_t n_rows,
                            const uint64_t *columns, size_t stride, size_t n_columns,
                            size_t n_words, uint32_t *counts, size_t counts_stride) {
  assert(irl_bits_are_columns(rows, row_stride, n_words));
  for (size_t i = 0; i < n_rows; i++)
    and_count_many(rows + i * row_stride, columns, stride, NULL, n_columns, n_words,
                   counts + i * counts_stride);
}

static size_t and_select(const uint64_t *v, const uint64_t *columns, size_t stride,
                         size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                         uint32_t *ids, uint32_t *counts) {
  size_t n = 0;
  for (size_t i = 0; i < n_columns; i++) {
    uint32_t count_i = 0;
    for (size_t w = 0; w < n_words; w++) count_i += (uint32_t)ones(v[w] & columns[i * stride + w]);
    ids[n] = base + (uint32_t)i;
    counts[n] = count_i;
    n += count_i >= least;
  }
  return n;
}

static void gather_many(uint64_t *into, size_t into_stride, size_t into_words,
                        const uint64_t *columns, size_t stride, const uint32_t *ids,
                        size_t n_columns, const uint64_t *mask, size_t n_words) {
  for (size_t i = 0; i < n_columns; i++) {
    const uint64_t *v = columns + (ids ? ids[i] : i) * stride;
    uint64_t *out = into + i * into_stride;
    size_t at = 0;
    for (size_t w = 0; w < into_words; w++) out[w] = 0;
    for (size_t w = 0; w < n_words; w++)
      for (uint64_t left = mask[w]; left; left &= left - 1, at++)
        if (v[w] & left & -left) out[at >> 6] |= (uint64_t)1 << (at & 63);
    assert(at <= 64 * into_words);
  }
}

static void and_weigh_many(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                           size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                           int64_t *sums) {
  for (size_t i = 0; i < n_columns; i++) {
    const uint64_t *column = columns + (ids ? ids[i] : i) * stride;
    uint64_t sum = 0;
    for (size_t t = n_planes; t--;) {
      sum *= 2;
      for (size_t w = 0; w < n_words; w++) sum += ones(planes[t * n_words + w] & column[w]);
    }
    sums[i] = (int64_t)sum;
  }
}

static size_t and_keep(const uint64_t *v, size_t n_words, const uint64_t *columns, size_t stride,
                       uint32_t *ids, size_t n, uint64_t least) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t *column = columns + ids[i] * stride;
    uint64_t sum = 0;
    for (size_t w = 0; w < n_words; w++) sum += ones(v[w] & column[w]);
    ids[kept] = ids[i];
    kept += sum >= least;
  }
  return kept;
}

#define PLANES 11u /* count more rows than IRL_ROWS_WORDS has */

/* Binary counters, one per bit position: started at 2^PLANES - 1 - limit, they overflow at hit
 * limit + 1. */
static bool rows_at_most(uint64_t *into, const uint64_t *from, size_t n_words, const uint64_t *rows,
                         size_t stride, const uint64_t *selected, size_t n_selected,
                         unsigned limit) {
  assert(n_words % (IRL_BITS_BLOCK / 2) == 0 && n_words <= stride);
  assert(limit <= IRL_ROWS_LIMIT || n_selected <= IRL_ROWS_WORDS);
  const unsigned most = (1u << PLANES) - 1, start = limit < most ? most - limit : 0;
  uint64_t any = 0;
  for (size_t w = 0; w < n_words; w++) {
    uint64_t plane[PLANES], alive = from[w];
    for (unsigned b = 0; b < PLANES; b++) plane[b] = -(uint64_t)(start >> b & 1);
    for (size_t i = 0; i < 64 * n_selected && alive; i++) {
      if (!(selected[i >> 6] >> (i & 63) & 1)) continue;
      uint64_t carry = rows[i * stride + w];
      for (unsigned b = 0; b < PLANES; b++) {
        const uint64_t both = plane[b] & carry;
        plane[b] ^= carry;
        carry = both;
      }
      alive &= ~carry;
    }
    into[w] = alive;
    any |= alive;
  }
  return any != 0;
}

const irl_kernels *irl_bits_kernels_scalar(void) {
  static const irl_kernels kernels = {
      "scalar",    count,   and_count,   and_count_many, and_count_block, and_select,  and_into,
      andnot_into, or_into, gather_many, and_keep,       and_weigh_many,  rows_at_most};
  return &kernels;
}
