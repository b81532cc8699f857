/* Kernels that vector extensions of the compiler express well enough for every instruction set:
 * included by the kernel files, so that each compiles them with its own flags. Their specification
 * stands in kernels_scalar.c. */
#ifndef IRL_BITS_KERNELS_SHARED_H
#define IRL_BITS_KERNELS_SHARED_H

#include "bits/bits.h"
#include "bits/kernels.h"

#if defined(__BMI2__) || defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint64_t irl_lane __attribute__((vector_size(32), may_alias));

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

static inline void gather_one(uint64_t *into, size_t into_words, const uint64_t *v,
                              const uint64_t *mask, size_t n_words) {
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
  for (; out < into_words; out++) into[out] = 0;
}

static void gather_many(uint64_t *into, size_t into_stride, size_t into_words,
                        const uint64_t *columns, size_t stride, const uint32_t *ids,
                        size_t n_columns, const uint64_t *mask, size_t n_words) {
  for (size_t i = 0; i < n_columns; i++)
    gather_one(into + i * into_stride, into_words, columns + (ids ? ids[i] : i) * stride, mask,
               n_words);
}

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

static inline __attribute__((always_inline)) bool are_zero(const irl_lane *a, const irl_lane *b) {
#if defined(__AVX2__)
  const __m256i both = _mm256_or_si256(*(const __m256i *)a, *(const __m256i *)b);
  return _mm256_testz_si256(both, both);
#else
  const irl_lane both = *a | *b;
  return !(both[0] | both[1] | both[2] | both[3]);
#endif
}

/* A block of candidates or half of it: binary counters of `planes` bits, one per bit position, that
 * overflow at hit limit + 1: they start at 2^planes - 1 - limit. `lanes` and `planes` are constants
 * where this is inlined. */
static inline __attribute__((always_inline)) bool
rows_block(uint64_t *mask, const uint64_t *from, const uint64_t *rows, size_t stride,
           const uint64_t *selected, size_t n_selected, unsigned limit, const unsigned lanes,
           const unsigned planes) {
  irl_lane *const into = (irl_lane *)mask;
  irl_lane alive0 = ((const irl_lane *)from)[0], alive1 = alive0;
  irl_lane plane0[6], plane1[6];
  const unsigned start = (1u << planes) - 1 - limit;
  if (lanes == 2) alive1 = ((const irl_lane *)from)[1];
#pragma GCC unroll 6
  for (unsigned b = 0; b < planes; b++)
    plane0[b] = plane1[b] = (irl_lane){0} - (uint64_t)(start >> b & 1);
  bool is_any = !are_zero(&alive0, &alive1);
  for (size_t w = 0; w < n_selected && is_any; w++) {
    unsigned n = 0;
    for (uint64_t bits = selected[w]; bits; bits &= bits - 1) {
      const size_t row = 64 * w + (size_t)__builtin_ctzll(bits);
      const irl_lane *at = (const irl_lane *)(rows + row * stride);
      irl_lane carry0 = at[0], carry1 = carry0;
      if (lanes == 2) carry1 = at[1];
#pragma GCC unroll 6
      for (unsigned b = 0; b < planes; b++) {
        const irl_lane both0 = plane0[b] & carry0, both1 = plane1[b] & carry1;
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

static inline __attribute__((always_inline)) bool
rows_lanes(uint64_t *into, const uint64_t *from, const uint64_t *rows, size_t stride,
           const uint64_t *selected, size_t n_selected, unsigned limit, const unsigned lanes) {
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
static inline __attribute__((always_inline)) void add_three(irl_lane *carry, irl_lane *a,
                                                            irl_lane b, irl_lane c) {
  const irl_lane u = *a ^ b;
  *carry = (*a & b) | (u & c);
  *a = u ^ c;
}

/* The same for half a block and large limits: eight rows go through carry-save adders into planes
 * of weight 1, 2 and 4, and only what they carry goes on to the `high` planes. */
static inline __attribute__((always_inline)) bool rows_lane(uint64_t *mask, const uint64_t *from,
                                                            const uint64_t *rows,
                                                            const size_t *list, size_t n,
                                                            unsigned limit, const unsigned high) {
  irl_lane alive = *(const irl_lane *)from, plane[10];
  const unsigned start = (8u << high) - 1 - limit;
#pragma GCC unroll 10
  for (unsigned b = 0; b < 3 + high; b++) plane[b] = (irl_lane){0} - (uint64_t)(start >> b & 1);
#define ROW(j) (*(const irl_lane *)(rows + list[i + (j)]))
  size_t i = 0;
  for (; i + 8 <= n && !are_zero(&alive, &alive); i += 8) {
    irl_lane two, other_two, four, carry;
    add_three(&two, &plane[0], ROW(0), ROW(1));
    add_three(&other_two, &plane[0], ROW(2), ROW(3));
    add_three(&four, &plane[1], two, other_two);
    add_three(&two, &plane[0], ROW(4), ROW(5));
    add_three(&other_two, &plane[0], ROW(6), ROW(7));
    add_three(&carry, &plane[1], two, other_two);
    add_three(&carry, &plane[2], four, carry);
#pragma GCC unroll 10
    for (unsigned b = 3; b < 3 + high; b++) {
      const irl_lane both = plane[b] & carry;
      plane[b] ^= carry;
      carry = both;
    }
    alive &= ~carry;
  }
  for (; i < n && !are_zero(&alive, &alive); i++) {
    irl_lane carry = ROW(0);
#pragma GCC unroll 10
    for (unsigned b = 0; b < 3 + high; b++) {
      const irl_lane both = plane[b] & carry;
      plane[b] ^= carry;
      carry = both;
    }
    alive &= ~carry;
  }
#undef ROW
  *(irl_lane *)mask = alive;
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
    bool is_left;
    if (limit <= 31)
      is_left = rows_lane(into + w, from + w, rows + w, list, n, limit, 2);
    else if (limit <= 63)
      is_left = rows_lane(into + w, from + w, rows + w, list, n, limit, 3);
    else if (limit <= 127)
      is_left = rows_lane(into + w, from + w, rows + w, list, n, limit, 4);
    else
      is_left = rows_lane(into + w, from + w, rows + w, list, n, limit, 7);
    is_any = is_left || is_any;
  }
  return is_any;
}

#define LARGE_LIMIT 16u

static bool rows_at_most(uint64_t *into, const uint64_t *from, size_t n_words, const uint64_t *rows,
                         size_t stride, const uint64_t *selected, size_t n_selected,
                         unsigned limit) {
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
