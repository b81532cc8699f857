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

/* A block of candidates: binary counters of `planes` bits, one per bit position, that overflow at
 * hit limit + 1: they start at 2^planes - 1 - limit. `planes` is a constant where this is inlined.
 */
static inline __attribute__((always_inline)) void
rows_block(uint64_t *mask, const uint64_t *rows, size_t stride, const uint64_t *selected,
           size_t n_selected, unsigned limit, const unsigned planes) {
  irl_lane *const into = (irl_lane *)mask;
  irl_lane alive0 = into[0], alive1 = into[1], plane0[6], plane1[6];
  if (are_zero(&alive0, &alive1)) return;
  const unsigned start = (1u << planes) - 1 - limit;
#pragma GCC unroll 6
  for (unsigned b = 0; b < planes; b++)
    plane0[b] = plane1[b] = (irl_lane){0} - (uint64_t)(start >> b & 1);
  for (size_t w = 0; w < n_selected; w++) {
    unsigned n = 0;
    for (uint64_t bits = selected[w]; bits; bits &= bits - 1) {
      const size_t row = 64 * w + (size_t)__builtin_ctzll(bits);
      const irl_lane *at = (const irl_lane *)(rows + row * stride);
      irl_lane carry0 = at[0], carry1 = at[1];
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
      if ((n++ & 3) == 3 && are_zero(&alive0, &alive1)) {
        into[0] = into[1] = (irl_lane){0};
        return;
      }
    }
  }
  into[0] = alive0;
  into[1] = alive1;
}

static void rows_at_most(uint64_t *mask, size_t n_words, const uint64_t *rows, size_t stride,
                         const uint64_t *selected, size_t n_selected, unsigned limit) {
  assert(limit <= IRL_ROWS_LIMIT);
  for (size_t w = 0; w < n_words; w += IRL_BITS_BLOCK) {
    uint64_t *into = mask + w;
    const uint64_t *from = rows + w;
    if (limit == 0)
      rows_block(into, from, stride, selected, n_selected, limit, 0);
    else if (limit == 1)
      rows_block(into, from, stride, selected, n_selected, limit, 1);
    else if (limit <= 3)
      rows_block(into, from, stride, selected, n_selected, limit, 2);
    else if (limit <= 7)
      rows_block(into, from, stride, selected, n_selected, limit, 3);
    else if (limit <= 15)
      rows_block(into, from, stride, selected, n_selected, limit, 4);
    else if (limit <= 31)
      rows_block(into, from, stride, selected, n_selected, limit, 5);
    else
      rows_block(into, from, stride, selected, n_selected, limit, 6);
  }
}

#endif
