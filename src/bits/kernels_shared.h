/* The body of the wide kernels, which differ in the width of their vectors and in how they count
 * bits alone. Included by the kernel files, so that each compiles it with its own flags, after
 *   LANE_WORDS    words of a vector register;
 *   OWN_COLUMNS   if the file has and_count_many and and_select of its own,
 *   OWN_BLOCK     and and_count_block;
 *   OWN_WEIGHTS   if it has and_weigh_many of its own.
 * Their specification stands in kernels_scalar.c. */
#ifndef IRL_BITS_KERNELS_SHARED_H
#define IRL_BITS_KERNELS_SHARED_H

#include "bits/bits.h"
#include "bits/kernels.h"

#if defined(__BMI2__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef uint64_t lane __attribute__((vector_size(8 * LANE_WORDS), may_alias));
typedef uint64_t half_block __attribute__((vector_size(32), may_alias));

/* ---- counting ---- */

/* How a vector is made whose bits are counted: a, a & b, a & ~b or a | b. */
enum operation { COPY, AND, ANDNOT, OR };

/* The lane at word w, which is stored too unless `into` is NULL. The operation is a constant where
 * this is inlined. */
INLINE lane make_lane(enum operation operation, uint64_t *into, const uint64_t *a,
                      const uint64_t *b, size_t w) {
  lane x = *(const lane *)(a + w);
  if (operation == AND) x &= *(const lane *)(b + w);
  if (operation == ANDNOT) x &= ~*(const lane *)(b + w);
  if (operation == OR) x |= *(const lane *)(b + w);
  if (into) *(lane *)(into + w) = x;
  return x;
}

/* The bits of a vector of n_words words: what each file has for its instructions. */
INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words);

static uint64_t count(const uint64_t *a, size_t n_words) {
  assert(irl_bits_is_vector(a, n_words));
  return count_lanes(COPY, NULL, a, a, n_words);
}

static uint64_t and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  assert(irl_bits_is_vector(a, n_words) && irl_bits_is_vector(b, n_words));
  return count_lanes(AND, NULL, a, b, n_words);
}

#define INTO_KERNEL(name, operation)                                                               \
  static uint64_t name(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {     \
    assert(irl_bits_is_vector(a, n_words) && irl_bits_is_vector(b, n_words));                      \
    assert(irl_bits_is_vector(into, n_words));                                                     \
    return count_lanes(operation, into, a, b, n_words);                                            \
  }
INTO_KERNEL(and_into, AND)
INTO_KERNEL(andnot_into, ANDNOT)
INTO_KERNEL(or_into, OR)

#if !defined(OWN_COLUMNS)

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  assert(irl_bits_is_vector(v, n_words) && irl_bits_are_columns(columns, stride, n_words));
  for (size_t i = 0; i < n_columns; i++)
    counts[i] = (uint32_t)count_lanes(AND, NULL, v, columns + (ids ? ids[i] : i) * stride, n_words);
}

static size_t and_select(const uint64_t *v, const uint64_t *columns, size_t stride,
                         size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                         uint32_t *ids, uint32_t *counts) {
  n_words = (n_words + IRL_BITS_BLOCK - 1) / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
  assert(irl_bits_is_vector(v, n_words) && irl_bits_are_columns(columns, stride, n_words));
  size_t n = 0;
  for (size_t i = 0; i < n_columns; i++) {
    const uint32_t count_i = (uint32_t)count_lanes(AND, NULL, v, columns + i * stride, n_words);
    ids[n] = base + (uint32_t)i;
    counts[n] = count_i;
    n += count_i >= least;
  }
  return n;
}

#endif

#if defined(OWN_COLUMNS)
static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words, uint32_t *counts);
#endif

#if !defined(OWN_BLOCK)

#define BLOCK_WORDS 2048u /* of columns that stay in the first-level cache, 16 KB */

static void and_count_block(const uint64_t *rows, size_t row_stride, size_t n_rows,
                            const uint64_t *columns, size_t stride, size_t n_columns,
                            size_t n_words, uint32_t *counts, size_t counts_stride) {
  assert(irl_bits_are_columns(rows, row_stride, n_words));
  const size_t step = n_words && n_words < BLOCK_WORDS ? BLOCK_WORDS / n_words : 1;
  for (size_t j = 0; j < n_columns; j += step)
    for (size_t i = 0; i < n_rows; i++)
      and_count_many(rows + i * row_stride, columns + j * stride, stride, NULL,
                     n_columns - j < step ? n_columns - j : step, n_words,
                     counts + i * counts_stride + j);
}

#endif

#define KERNEL_TABLE(name)                                                                         \
  {                                                                                                \
    name, count, and_count, and_count_many, and_count_block, and_select, and_into, andnot_into,    \
        or_into, gather_many, and_keep, and_weigh_many, rows_at_most                               \
  }

/* ---- moving bits together ---- */

/* The bits of x at the ones of mask, side by side from bit 0 on. */
static inline uint64_t gather_word(uint64_t x, uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(x, mask);
#else
  uint64_t out = 0;
  for (unsigned at = 0; mask; mask &= mask - 1, at++)
    out |= (uint64_t)((x & mask & -mask) != 0) << at;
  return out;
#endif
}

static void gather_many(uint64_t *into, size_t into_stride, size_t into_words,
                        const uint64_t *columns, size_t stride, const uint32_t *ids,
                        size_t n_columns, const uint64_t *mask, size_t n_words) {
  assert(into_words <= into_stride || n_columns < 2);
  for (size_t i = 0; i < n_columns; i++, into += into_stride) {
    const uint64_t *v = columns + (ids ? ids[i] : i) * stride;
    uint64_t word = 0;
    size_t fill = 0, out = 0;
    for (size_t w = 0; w < n_words; w++) {
      const uint64_t bits = gather_word(v[w], mask[w]);
      word |= bits << fill;
      const size_t n = (size_t)__builtin_popcountll(mask[w]);
      if (fill + n >= 64) {
        into[out++] = word;
        word = fill ? bits >> (64 - fill) : 0;
      }
      fill = (fill + n) & 63;
    }
    if (fill) into[out++] = word;
    assert(out <= into_words);
    for (; out < into_words; out++) into[out] = 0;
  }
}

/* The number of words is a constant where this is inlined, so that the loops over them are not. */
INLINE void weigh_columns(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                          size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                          int64_t *sums) {
  for (size_t i = 0; i < n_columns; i++) {
    const uint64_t *column = columns + (ids ? ids[i] : i) * stride;
    uint64_t sum = 0;
    for (size_t t = n_planes; t--;) {
      sum *= 2;
      for (size_t w = 0; w < n_words; w++)
        sum += (uint64_t)__builtin_popcountll(planes[t * n_words + w] & column[w]);
    }
    sums[i] = (int64_t)sum;
  }
}

#if !defined(OWN_WEIGHTS)

static void and_weigh_many(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                           size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                           int64_t *sums) {
#define WORDS(n)                                                                                   \
  case n:                                                                                          \
    weigh_columns(planes, n_planes, columns, stride, ids, n_columns, n, sums);                     \
    break
  switch (n_words) {
    WORDS(1);
    WORDS(2);
    WORDS(3);
    WORDS(4);
    WORDS(5);
    WORDS(6);
  default:
    weigh_columns(planes, n_planes, columns, stride, ids, n_columns, n_words, sums);
  }
#undef WORDS
}

#endif

static size_t and_keep(const uint64_t *v, size_t n_words, const uint64_t *columns, size_t stride,
                       uint32_t *ids, size_t n, uint64_t least) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t *column = columns + ids[i] * stride;
    uint64_t sum = 0;
    for (size_t w = 0; w < n_words; w++) sum += (uint64_t)__builtin_popcountll(v[w] & column[w]);
    ids[kept] = ids[i];
    kept += sum >= least;
  }
  return kept;
}

INLINE bool are_zero(const half_block *a, const half_block *b) {
#if defined(__AVX2__)
  const __m256i both = _mm256_or_si256(*(const __m256i *)a, *(const __m256i *)b);
  return _mm256_testz_si256(both, both);
#else
  const half_block both = *a | *b;
  return !(both[0] | both[1] | both[2] | both[3]);
#endif
}

/* A block of candidates or half of it: binary counters of `planes` bits, one per bit position, that
 * overflow at hit limit + 1: they start at 2^planes - 1 - limit. `lanes` and `planes` are constants
 * where this is inlined. */
INLINE bool rows_block(uint64_t *mask, const uint64_t *from, const uint64_t *rows, size_t stride,
                       const uint64_t *selected, size_t n_selected, unsigned limit,
                       const unsigned lanes, const unsigned planes) {
  half_block *const into = (half_block *)mask;
  half_block alive0 = ((const half_block *)from)[0], alive1 = alive0;
  half_block plane0[6], plane1[6];
  const unsigned start = (1u << planes) - 1 - limit;
  if (lanes == 2) alive1 = ((const half_block *)from)[1];
#pragma GCC unroll 6
  for (unsigned b = 0; b < planes; b++)
    plane0[b] = plane1[b] = (half_block){0} - (uint64_t)(start >> b & 1);
  bool is_any = !are_zero(&alive0, &alive1);
  for (size_t w = 0; w < n_selected && is_any; w++) {
    unsigned n = 0;
    for (uint64_t bits = selected[w]; bits; bits &= bits - 1) {
      const size_t row = 64 * w + (size_t)__builtin_ctzll(bits);
      const half_block *at = (const half_block *)(rows + row * stride);
      half_block carry0 = at[0], carry1 = carry0;
      if (lanes == 2) carry1 = at[1];
#pragma GCC unroll 6
      for (unsigned b = 0; b < planes; b++) {
        const half_block both0 = plane0[b] & carry0, both1 = plane1[b] & carry1;
        plane0[b] ^= carry0;
        plane1[b] ^= carry1;
        carry0 = both0;
        carry1 = both1;
      }
      alive0 &= ~carry0;
      alive1 &= ~carry1;
      if ((n++ & 3) == 3 && are_zero(&alive0, &alive1)) break;
    }
    is_any = !are_zero(&alive0, &alive1);
  }
  into[0] = alive0;
  if (lanes == 2) into[1] = alive1;
  return is_any;
}

INLINE bool rows_lanes(uint64_t *into, const uint64_t *from, const uint64_t *rows, size_t stride,
                       const uint64_t *selected, size_t n_selected, unsigned limit,
                       const unsigned lanes) {
#define BLOCK(planes)                                                                              \
  rows_block(into, from, rows, stride, selected, n_selected, limit, lanes, planes)
  if (limit == 0) return BLOCK(0);
  if (limit == 1) return BLOCK(1);
  if (limit <= 3) return BLOCK(2);
  if (limit <= 7) return BLOCK(3);
  if (limit <= 15) return BLOCK(4);
  if (limit <= 31) return BLOCK(5);
  return BLOCK(6);
#undef BLOCK
}

/* Carry-save adder: a + b + c = 2 * carry + sum, bit by bit. */
INLINE void add_three(half_block *carry, half_block *a, half_block b, half_block c) {
  const half_block u = *a ^ b;
  *carry = (*a & b) | (u & c);
  *a = u ^ c;
}

/* Half a block and large limits: eight rows go through carry-save adders into planes
 * of weight 1, 2 and 4, and only what they carry goes on to the `high` planes. */
INLINE bool rows_lane(uint64_t *mask, const uint64_t *from, const uint64_t *rows,
                      const size_t *list, size_t n, unsigned limit, const unsigned high) {
  half_block alive = *(const half_block *)from, plane[10];
  const unsigned start = (8u << high) - 1 - limit;
#pragma GCC unroll 10
  for (unsigned b = 0; b < 3 + high; b++) plane[b] = (half_block){0} - (uint64_t)(start >> b & 1);
#define ROW(j) (*(const half_block *)(rows + list[i + (j)]))
  size_t i = 0;
  for (; i + 8 <= n && !are_zero(&alive, &alive); i += 8) {
    half_block two, other_two, four, carry;
    add_three(&two, &plane[0], ROW(0), ROW(1));
    add_three(&other_two, &plane[0], ROW(2), ROW(3));
    add_three(&four, &plane[1], two, other_two);
    add_three(&two, &plane[0], ROW(4), ROW(5));
    add_three(&other_two, &plane[0], ROW(6), ROW(7));
    add_three(&carry, &plane[1], two, other_two);
    add_three(&carry, &plane[2], four, carry);
#pragma GCC unroll 10
    for (unsigned b = 3; b < 3 + high; b++) {
      const half_block both = plane[b] & carry;
      plane[b] ^= carry;
      carry = both;
    }
    alive &= ~carry;
  }
  for (; i < n && !are_zero(&alive, &alive); i++) {
    half_block carry = ROW(0);
#pragma GCC unroll 10
    for (unsigned b = 0; b < 3 + high; b++) {
      const half_block both = plane[b] & carry;
      plane[b] ^= carry;
      carry = both;
    }
    alive &= ~carry;
  }
#undef ROW
  *(half_block *)mask = alive;
  return !are_zero(&alive, &alive);
}

static bool rows_at_most_large(uint64_t *into, const uint64_t *from, size_t n_words,
                               const uint64_t *rows, size_t stride, const uint64_t *selected,
                               size_t n_selected, unsigned limit) {
  size_t list[64 * IRL_ROWS_WORDS], n = 0;
  assert(n_selected <= IRL_ROWS_WORDS);
  for (size_t w = 0; w < n_selected; w++)
    for (uint64_t bits = selected[w]; bits; bits &= bits - 1)
      list[n++] = (64 * w + (size_t)__builtin_ctzll(bits)) * stride;
  if (n <= limit) n = limit = 0; /* nothing can be struck out */
  bool is_any = false;
  for (size_t w = 0; w < n_words; w += 4) {
#define LANE(high) rows_lane(into + w, from + w, rows + w, list, n, limit, high)
    const bool is_left = limit <= 31    ? LANE(2)
                         : limit <= 63  ? LANE(3)
                         : limit <= 127 ? LANE(4)
                                        : LANE(7);
#undef LANE
    is_any = is_left || is_any;
  }
  return is_any;
}

#define LARGE_LIMIT 16u

static bool rows_at_most(uint64_t *into, const uint64_t *from, size_t n_words, const uint64_t *rows,
                         size_t stride, const uint64_t *selected, size_t n_selected,
                         unsigned limit) {
  assert(n_words % (IRL_BITS_BLOCK / 2) == 0 && n_words <= stride);
  if (limit >= LARGE_LIMIT && n_selected <= IRL_ROWS_WORDS)
    return rows_at_most_large(into, from, n_words, rows, stride, selected, n_selected, limit);
  assert(limit <= IRL_ROWS_LIMIT);
  bool is_any = false;
  for (size_t w = 0; w < n_words; w += IRL_BITS_BLOCK) {
    const bool is_left =
        n_words - w >= IRL_BITS_BLOCK
            ? rows_lanes(into + w, from + w, rows + w, stride, selected, n_selected, limit, 2)
            : rows_lanes(into + w, from + w, rows + w, stride, selected, n_selected, limit, 1);
    is_any = is_left || is_any;
  }
  return is_any;
}

#endif
