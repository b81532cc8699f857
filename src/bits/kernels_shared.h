/* Kernels that vector extensions of the compiler express well enough for every instruction set:
 * included by the kernel files, so that each compiles them with its own flags. Their specification
 * stands in kernels_scalar.c. */
#ifndef IRL_BITS_KERNELS_SHARED_H
#define IRL_BITS_KERNELS_SHARED_H

#include "bits/bits.h"
#include "bits/kernels.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

typedef uint64_t irl_block __attribute__((vector_size(64), may_alias));

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

static inline bool block_is_zero(const irl_block *x) {
  const irl_block b = *x;
  return !(b[0] | b[1] | b[2] | b[3] | b[4] | b[5] | b[6] | b[7]);
}

/* Binary counters of `planes` bits, one per bit position, that overflow at hit limit + 1: they
 * start at 2^planes - 1 - limit. `planes` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void rows_block(irl_block *mask, const uint64_t *rows,
                                                             size_t stride, const uint32_t *ids,
                                                             size_t n_rows, unsigned limit,
                                                             const unsigned planes) {
  irl_block alive = *mask, plane[6];
  const unsigned start = (1u << planes) - 1 - limit;
  for (unsigned b = 0; b < planes; b++) plane[b] = (irl_block){0} - (uint64_t)(start >> b & 1);
  for (size_t i = 0; i < n_rows; i++) {
    irl_block carry = *(const irl_block *)(rows + ids[i] * stride);
    for (unsigned b = 0; b < planes; b++) {
      const irl_block both = plane[b] & carry;
      plane[b] ^= carry;
      carry = both;
    }
    alive &= ~carry;
    if ((i & 3) == 3 && block_is_zero(&alive)) break;
  }
  *mask = alive;
}

static void rows_at_most(uint64_t *mask, size_t n_words, const uint64_t *rows, size_t stride,
                         const uint32_t *ids, size_t n_rows, unsigned limit) {
  assert(limit <= IRL_ROWS_LIMIT);
  for (size_t w = 0; w < n_words; w += IRL_BITS_BLOCK) {
    irl_block *block = (irl_block *)(mask + w);
    if (block_is_zero(block)) continue;
    const uint64_t *at = rows + w;
    if (limit == 0)
      rows_block(block, at, stride, ids, n_rows, limit, 0);
    else if (limit == 1)
      rows_block(block, at, stride, ids, n_rows, limit, 1);
    else if (limit <= 3)
      rows_block(block, at, stride, ids, n_rows, limit, 2);
    else if (limit <= 7)
      rows_block(block, at, stride, ids, n_rows, limit, 3);
    else if (limit <= 15)
      rows_block(block, at, stride, ids, n_rows, limit, 4);
    else if (limit <= 31)
      rows_block(block, at, stride, ids, n_rows, limit, 5);
    else
      rows_block(block, at, stride, ids, n_rows, limit, 6);
  }
}

#endif
