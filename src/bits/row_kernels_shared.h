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
#include "bits/sieve.h"
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

/* ---- pairs of columns ---- */

#if defined(__BMI2__)
static bool sign_columns(const uint64_t *words, uint64_t mask, const uint32_t *ids, uint32_t n,
                         uint32_t *signatures) {
  bool is_empty = false;
  assert(__builtin_popcountll(mask) <= 32);
  for (uint32_t i = 0; i < n; i++) {
    signatures[i] = (uint32_t)_pext_u64(words[ids[i]], mask);
    is_empty |= !signatures[i];
  }
  return is_empty;
}
#else
static bool sign_columns(const uint64_t *words, uint64_t mask, const uint32_t *ids, uint32_t n,
                         uint32_t *signatures) {
  irl_sieve_word sieve;
  bool is_empty = false;
  assert(__builtin_popcountll(mask) <= 32);
  irl_sieve_word_init(&sieve, mask);
  for (uint32_t i = 0; i < n; i++) {
    signatures[i] = (uint32_t)irl_sieve_word_gather(&sieve, words[ids[i]]);
    is_empty |= !signatures[i];
  }
  return is_empty;
}
#endif

/* Of a lane of columns: which are disjoint from `signature`, which take at most `limit` from it, a
 * bit each? */
#if ROW_LANE_WORDS == 8
#define ROW_SHORTS 16u /* signatures of 32 bits in a lane */
#define ROW_LONGS  8u
ROW_INLINE uint32_t row_disjoint(const uint32_t *columns, uint32_t signature) {
  return _mm512_testn_epi32_mask(_mm512_load_si512(columns), _mm512_set1_epi32((int)signature));
}
ROW_INLINE uint32_t row_close(const uint64_t *columns, uint64_t signature, uint32_t limit) {
  const __m512i common =
      _mm512_and_si512(_mm512_load_si512(columns), _mm512_set1_epi64((long long)signature));
  return _mm512_cmple_epu64_mask(_mm512_popcnt_epi64(common), _mm512_set1_epi64(limit));
}
/* Which of four signatures, a bit each, have a disjoint column from `j` on? The least product of
 * each is zero then. */
ROW_INLINE uint32_t row_any_disjoint(const uint32_t *columns, uint32_t j, uint32_t n,
                                     const uint32_t *four) {
  __m512i signature[4], least[4];
#pragma GCC unroll 4
  for (unsigned k = 0; k < 4; k++) {
    signature[k] = _mm512_set1_epi32((int)four[k]);
    least[k] = _mm512_set1_epi32(-1);
  }
  for (; j < n; j += ROW_SHORTS) {
    const __m512i v = _mm512_load_si512(columns + j);
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++)
      least[k] = _mm512_min_epu32(least[k], _mm512_and_si512(v, signature[k]));
  }
  const __m512i of_all =
      _mm512_min_epu32(_mm512_min_epu32(least[0], least[1]), _mm512_min_epu32(least[2], least[3]));
  if (!_mm512_testn_epi32_mask(of_all, of_all)) return 0;
  uint32_t bits = 0;
#pragma GCC unroll 4
  for (unsigned k = 0; k < 4; k++)
    bits |= (uint32_t)(_mm512_testn_epi32_mask(least[k], least[k]) != 0) << k;
  return bits;
}
/* Which of the columns i .. i + 3 have a column from `j` on that takes no more than they may lose?
 */
ROW_INLINE uint32_t row_any_close(const irl_row_signatures *signatures, uint32_t i, uint32_t j) {
  __m512i signature[4], least[4];
#pragma GCC unroll 4
  for (unsigned k = 0; k < 4; k++) {
    signature[k] = _mm512_set1_epi64((long long)signatures->has[i + k]);
    least[k] = _mm512_set1_epi64(64);
  }
  for (; j < signatures->n; j += ROW_LONGS) {
    const __m512i v = _mm512_load_si512(signatures->takes + j);
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++) /* 32 bits are enough for a count */
      least[k] = _mm512_min_epu32(least[k], _mm512_popcnt_epi64(_mm512_and_si512(v, signature[k])));
  }
  uint32_t bits = 0;
#pragma GCC unroll 4
  for (unsigned k = 0; k < 4; k++) {
    const __m512i limit = _mm512_set1_epi64(signatures->limits[i + k]);
    bits |= (uint32_t)(_mm512_cmple_epu64_mask(least[k], limit) != 0) << k;
  }
  return bits;
}
#elif ROW_LANE_WORDS == 4
#define ROW_SHORTS 8u
#define ROW_LONGS  1u
ROW_INLINE uint32_t row_disjoint(const uint32_t *columns, uint32_t signature) {
  const __m256i common =
      _mm256_and_si256(*(const __m256i *)columns, _mm256_set1_epi32((int)signature));
  const __m256i is_none = _mm256_cmpeq_epi32(common, _mm256_setzero_si256());
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_none));
}
#else
#define ROW_SHORTS 1u
#define ROW_LONGS  1u
ROW_INLINE uint32_t row_disjoint(const uint32_t *columns, uint32_t signature) {
  return !(*columns & signature);
}
#endif
#if ROW_LANE_WORDS < 8
ROW_INLINE uint32_t row_close(const uint64_t *columns, uint64_t signature, uint32_t limit) {
  return (uint32_t)__builtin_popcountll(*columns & signature) <= limit;
}
ROW_INLINE uint32_t row_any_close(const irl_row_signatures *signatures, uint32_t i, uint32_t j) {
  uint32_t bits = 0;
  for (; j < signatures->n; j++)
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++)
      bits |= row_close(signatures->takes + j, signatures->has[i + k], signatures->limits[i + k])
              << k;
  return bits;
}
ROW_INLINE uint32_t row_any_disjoint(const uint32_t *columns, uint32_t j, uint32_t n,
                                     const uint32_t *four) {
  uint32_t is_any[4] = {0};
  for (; j < n; j += ROW_SHORTS)
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++) is_any[k] |= row_disjoint(columns + j, four[k]);
  return (is_any[0] != 0) | (is_any[1] != 0) << 1 | (is_any[2] != 0) << 2 | (is_any[3] != 0) << 3;
}
#endif

/* Appends the pairs of i and the columns j + bit that are after i and before n. */
ROW_INLINE size_t row_put_pairs(irl_row_pair *pairs, size_t n_pairs, uint32_t bits, uint32_t i,
                                uint32_t j, uint32_t n) {
  for (; bits; bits &= bits - 1) {
    const uint32_t at = j + (uint32_t)__builtin_ctz(bits);
    if (at > i && at < n) pairs[n_pairs++] = (irl_row_pair){i, at};
  }
  return n_pairs;
}

/* Four columns at a time against all later ones; pairs are few, so that whether there is one is
 * asked of all, and only then of each. */
static size_t disjoint_pairs(const uint32_t *signatures, uint32_t n, uint32_t first, uint32_t last,
                             irl_row_pair *pairs) {
  size_t n_pairs = 0;
  assert(first <= last && last <= n && last - first <= IRL_ROWS_PAIRED);
  for (uint32_t i = first; i < last; i += 4) {
    const uint32_t end = last - i < 4 ? last : i + 4;
    const uint32_t start = (i + 1) / ROW_SHORTS * ROW_SHORTS;
    const uint32_t any = end - i < 4 ? ~0u : row_any_disjoint(signatures, start, n, signatures + i);
    for (uint32_t k = i; any && k < end; k++) {
      if (!(any >> (k - i) & 1)) continue;
      for (uint32_t j = (k + 1) / ROW_SHORTS * ROW_SHORTS; j < n; j += ROW_SHORTS)
        n_pairs =
            row_put_pairs(pairs, n_pairs, row_disjoint(signatures + j, signatures[k]), k, j, n);
    }
  }
  return n_pairs;
}

static size_t close_pairs(const irl_row_signatures *signatures, uint32_t first, uint32_t last,
                          irl_row_pair *pairs) {
  const uint64_t *has = signatures->has, *takes = signatures->takes;
  const uint32_t n = signatures->n, *limits = signatures->limits;
  size_t n_pairs = 0;
  assert(first <= last && last <= n && last - first <= IRL_ROWS_PAIRED);
  for (uint32_t i = first; i < last; i += 4) {
    const uint32_t end = last - i < 4 ? last : i + 4;
    const uint32_t start = (i + 1) / ROW_LONGS * ROW_LONGS;
    const uint32_t any = end - i < 4 ? ~0u : row_any_close(signatures, i, start);
    for (uint32_t k = i; any && k < end; k++) {
      if (!(any >> (k - i) & 1)) continue;
      for (uint32_t j = (k + 1) / ROW_LONGS * ROW_LONGS; j < n; j += ROW_LONGS)
        n_pairs = row_put_pairs(pairs, n_pairs, row_close(takes + j, has[k], limits[k]), k, j, n);
    }
  }
  return n_pairs;
}

#undef ROW_AT
#endif
