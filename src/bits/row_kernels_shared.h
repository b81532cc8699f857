/* The body of row_kernels.h for vectors of ROW_LANE_WORDS words, included by the file of each
 * instruction set, which compiles it with its own flags.
 *
 * Every column has a binary counter, a plane of bits for each of its digits, which starts so that
 * hit limit + 1 carries out of the highest plane. Sixteen rows go through carry-save adders into
 * the planes of weight 1, 2, 4 and 8 (Harley and Seal), and only what they carry goes on to the
 * `high` planes above: about two operations and a half for a row. */
#ifndef IRL_BITS_ROW_KERNELS_SHARED_H
#define IRL_BITS_ROW_KERNELS_SHARED_H

#include "bits/row_kernels.h"
#include <assert.h>
#if ROW_LANE_WORDS > 1
#include <immintrin.h>
#endif

#define ROW_INLINE static inline __attribute__((always_inline))

#if ROW_LANE_WORDS > 1
typedef uint64_t row_lane __attribute__((vector_size(8 * ROW_LANE_WORDS), may_alias));
#else
typedef uint64_t row_lane;
#endif

#if ROW_LANE_WORDS == 8
ROW_INLINE row_lane row_sum(row_lane a, row_lane b, row_lane c) {
  return (row_lane)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}
ROW_INLINE row_lane row_carry(row_lane a, row_lane b, row_lane c) {
  return (row_lane)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0xe8);
}
ROW_INLINE bool row_is_zero(row_lane a) {
  return !_mm512_test_epi64_mask((__m512i)a, (__m512i)a);
}
#else
ROW_INLINE row_lane row_sum(row_lane a, row_lane b, row_lane c) {
  return a ^ b ^ c;
}
ROW_INLINE row_lane row_carry(row_lane a, row_lane b, row_lane c) {
  return (a & b) | ((a ^ b) & c);
}
ROW_INLINE bool row_is_zero(row_lane a) {
#if ROW_LANE_WORDS == 4
  return _mm256_testz_si256((__m256i)a, (__m256i)a);
#else
  return !a;
#endif
}
#endif

/* plane + b + c = 2 * (what is returned) + plane, bit by bit. */
ROW_INLINE row_lane row_add(row_lane *plane, row_lane b, row_lane c) {
  const row_lane a = *plane;
  *plane = row_sum(a, b, c);
  return row_carry(a, b, c);
}

/* The carry into the planes first .. last - 1; what comes out of the last one. */
ROW_INLINE row_lane row_ripple(row_lane *plane, row_lane carry, const unsigned first,
                               const unsigned last) {
#pragma GCC unroll 12
  for (unsigned b = first; b < last; b++) {
    const row_lane both = plane[b] & carry;
    plane[b] ^= carry;
    carry = both;
  }
  return carry;
}

#define ROW_AT(j) (*(const row_lane *)(rows + list[i + (j)]))

/* One lane of the columns; `high` is a constant where this is inlined. */
ROW_INLINE row_lane row_count(row_lane alive, const uint64_t *rows, const uint16_t *list, size_t n,
                              unsigned limit, const unsigned high) {
  row_lane plane[12];
  const unsigned start = (16u << high) - 1 - limit;
  assert(limit < 16u << high);
#pragma GCC unroll 12
  for (unsigned b = 0; b < 4 + high; b++) plane[b] = (row_lane){0} - (uint64_t)(start >> b & 1);
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    row_lane two[2], four[2], eight[2];
#pragma GCC unroll 2
    for (unsigned half = 0; half < 2; half++) {
#pragma GCC unroll 2
      for (unsigned part = 0; part < 2; part++) {
        const unsigned j = 8 * half + 4 * part;
        two[0] = row_add(&plane[0], ROW_AT(j), ROW_AT(j + 1));
        two[1] = row_add(&plane[0], ROW_AT(j + 2), ROW_AT(j + 3));
        four[part] = row_add(&plane[1], two[0], two[1]);
      }
      eight[half] = row_add(&plane[2], four[0], four[1]);
    }
    alive &= ~row_ripple(plane, row_add(&plane[3], eight[0], eight[1]), 4, 4 + high);
    if (i + 16 > limit && row_is_zero(alive)) return alive;
  }
  for (; i < n; i++) alive &= ~row_ripple(plane, ROW_AT(0), 0, 4 + high);
  return alive;
}

#if ROW_LANE_WORDS == 8
static size_t list_rows(const uint64_t *vector, size_t n_words, uint32_t step, uint16_t *list) {
  const __m512i all = _mm512_set1_epi32((int)(16 * step));
  __m512i places =
      _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32((int)step));
  size_t n = 0;
  for (size_t w = 0; w < n_words; w++) {
    uint64_t word = vector[w];
    for (unsigned i = 0; i < 4; i++, word >>= 16) { /* 16 bits at a time */
      const __m512i ones = _mm512_maskz_compress_epi32((__mmask16)word, places);
      _mm256_storeu_si256((__m256i *)(list + n), _mm512_cvtepi32_epi16(ones));
      places = _mm512_add_epi32(places, all);
      n += (size_t)__builtin_popcount((unsigned)word & 0xffff);
    }
  }
  return n;
}
#else
static size_t list_rows(const uint64_t *vector, size_t n_words, uint32_t step, uint16_t *list) {
  size_t n = 0;
  for (size_t w = 0; w < n_words; w++)
    for (uint64_t bits = vector[w]; bits; bits &= bits - 1) {
      const size_t place = step * (64 * w + (size_t)__builtin_ctzll(bits));
      assert(place <= UINT16_MAX);
      list[n++] = (uint16_t)place;
    }
  return n;
}
#endif

static size_t keep_close(const uint64_t *v, size_t n_words, const uint64_t *columns, size_t stride,
                         uint32_t *ids, size_t n, uint32_t slack) {
  size_t kept = 0;
  assert(n_words <= stride);
  for (size_t i = 0; i < n; i++) {
    const uint64_t *column = columns + ids[i] * stride;
    uint32_t missed = 0;
    for (size_t w = 0; w < n_words && missed <= slack; w++)
      missed += (uint32_t)__builtin_popcountll(v[w] & ~column[w]);
    ids[kept] = ids[i];
    kept += missed <= slack;
  }
  return kept;
}

static bool few_rows(uint64_t *into, const uint64_t *from, const uint64_t *rows,
                     const uint16_t *list, size_t n, unsigned limit) {
  bool is_any = false;
  assert(n <= IRL_ROWS_MAX);
  for (size_t w = 0; w < 8; w += ROW_LANE_WORDS) {
    row_lane alive = *(const row_lane *)(from + w);
    if (limit < n && !row_is_zero(alive))
      alive = limit < 64    ? row_count(alive, rows + w, list, n, limit, 2)
              : limit < 256 ? row_count(alive, rows + w, list, n, limit, 4)
                            : row_count(alive, rows + w, list, n, limit, 8);
    *(row_lane *)(into + w) = alive;
    is_any = is_any || !row_is_zero(alive);
  }
  return is_any;
}

#undef ROW_AT
#endif
