/* Kernels for AVX2. Popcount by nibble tables (Mula), byte sums gathered by SAD; vectors of 16 or
 * more 32-byte lanes first go through carry-save adders (Harley-Seal), which leave one popcount in
 * eight. */
#include "bits/kernels.h"

#if defined(__AVX2__)
#define LANE_WORDS 4
#define OWN_COLUMNS
#include "bits/kernels_shared.h"

static inline __m256i load(const uint64_t *p) {
  return _mm256_load_si256((const __m256i *)p);
}

static inline __m256i byte_ones(__m256i x) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                         1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
  const __m256i b = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
  return _mm256_add_epi8(a, b);
}

/* Bits in x, as four 64-bit sums. */
static inline __m256i lane_ones(__m256i x) {
  return _mm256_sad_epu8(byte_ones(x), _mm256_setzero_si256());
}

static inline uint64_t total(__m256i sums) {
  const __m128i half =
      _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

/* Carry-save adder: a + b + c = 2 * carry + sum, bit by bit. The sum so far comes last: the next
 * addition waits for one operation alone. */
static inline __m256i add3(__m256i *carry, __m256i a, __m256i b, __m256i c) {
  const __m256i u = _mm256_xor_si256(a, b);
  *carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, c));
  return _mm256_xor_si256(u, c);
}

/* Eight lanes at a time, then two (a block of 64 bytes). */
INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words) {
  __m256i total8 = _mm256_setzero_si256(), rest = total8, s1 = total8, s2 = total8, s4 = total8;
#define LANE(i) ((__m256i)make_lane(operation, into, a, b, w + LANE_WORDS * (i)))
  size_t w = 0;
  for (; w + 8 * LANE_WORDS <= n_words; w += 8 * LANE_WORDS) {
    __m256i c2a, c2b, c4a, c4b, c8;
    s1 = add3(&c2a, LANE(0), LANE(1), s1);
    s1 = add3(&c2b, LANE(2), LANE(3), s1);
    s2 = add3(&c4a, c2a, c2b, s2);
    s1 = add3(&c2a, LANE(4), LANE(5), s1);
    s1 = add3(&c2b, LANE(6), LANE(7), s1);
    s2 = add3(&c4b, c2a, c2b, s2);
    s4 = add3(&c8, c4a, c4b, s4);
    total8 = _mm256_add_epi64(total8, lane_ones(c8));
  }
  for (; w < n_words; w += 2 * LANE_WORDS)
    rest = _mm256_add_epi64(rest,
                            _mm256_sad_epu8(_mm256_add_epi8(byte_ones(LANE(0)), byte_ones(LANE(1))),
                                            _mm256_setzero_si256()));
#undef LANE
  rest = _mm256_add_epi64(rest, _mm256_slli_epi64(total8, 3));
  if (n_words >= 8 * LANE_WORDS) {
    rest = _mm256_add_epi64(rest, _mm256_slli_epi64(lane_ones(s4), 2));
    rest = _mm256_add_epi64(rest, _mm256_slli_epi64(lane_ones(s2), 1));
    rest = _mm256_add_epi64(rest, lane_ones(s1));
  }
  return total(rest);
}

/* Byte counts of v & column; at most SHORT_LANES lanes, so that no byte overflows. */
#define SHORT_LANES 28u

INLINE __m256i and_bytes(const uint64_t *v, const uint64_t *column, size_t n_words) {
  __m256i sum = byte_ones(_mm256_and_si256(load(v), load(column)));
  for (size_t w = 4; w < n_words; w += 4)
    sum = _mm256_add_epi8(sum, byte_ones(_mm256_and_si256(load(v + w), load(column + w))));
  return _mm256_sad_epu8(sum, _mm256_setzero_si256());
}

/* Four columns at a time: their sums leave the registers together. */
INLINE __m128i and_count_four(const uint64_t *v, const uint64_t *const column[4], size_t n_words) {
  const __m256i a = and_bytes(v, column[0], n_words), b = and_bytes(v, column[1], n_words);
  const __m256i c = and_bytes(v, column[2], n_words), d = and_bytes(v, column[3], n_words);
  /* Sums are below 2^16, at the even 32-bit places. */
  const __m256i ab = _mm256_or_si256(a, _mm256_slli_epi64(b, 32));
  const __m256i cd = _mm256_or_si256(c, _mm256_slli_epi64(d, 32));
  const __m256i x = _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
  return _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}

static inline const uint64_t *pick(const uint64_t *columns, size_t stride, const uint32_t *ids,
                                   size_t i) {
  return columns + (ids ? ids[i] : i) * stride;
}

INLINE void and_count_short(const uint64_t *v, const uint64_t *columns, size_t stride,
                            const uint32_t *ids, size_t n_columns, size_t n_words,
                            uint32_t *counts) {
  size_t i = 0;
  for (; i + 4 <= n_columns; i += 4) {
    const uint64_t *const four[4] = {
        pick(columns, stride, ids, i), pick(columns, stride, ids, i + 1),
        pick(columns, stride, ids, i + 2), pick(columns, stride, ids, i + 3)};
    _mm_storeu_si128((__m128i *)(counts + i), and_count_four(v, four, n_words));
  }
  for (; i < n_columns; i++)
    counts[i] = (uint32_t)total(and_bytes(v, pick(columns, stride, ids, i), n_words));
}

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  assert(irl_bits_is_vector(v, n_words) && irl_bits_are_columns(columns, stride, n_words));
  if (n_words == 8)
    and_count_short(v, columns, stride, ids, n_columns, 8, counts);
  else if (n_words == 16)
    and_count_short(v, columns, stride, ids, n_columns, 16, counts);
  else if (n_words && n_words <= 4 * SHORT_LANES)
    and_count_short(v, columns, stride, ids, n_columns, n_words, counts);
  else
    for (size_t i = 0; i < n_columns; i++)
      counts[i] = (uint32_t)count_lanes(AND, NULL, v, pick(columns, stride, ids, i), n_words);
}

INLINE size_t and_select_short(const uint64_t *v, const uint64_t *columns, size_t stride,
                               size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                               uint32_t *ids, uint32_t *counts) {
  const __m128i below = _mm_set1_epi32((int)least - 1);
  size_t n = 0, i = 0;
  for (; i + 4 <= n_columns; i += 4) {
    const uint64_t *const four[4] = {columns + i * stride, columns + (i + 1) * stride,
                                     columns + (i + 2) * stride, columns + (i + 3) * stride};
    const __m128i sums = and_count_four(v, four, n_words);
    unsigned wanted = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(sums, below)));
    if (!wanted) continue;
    uint32_t four_counts[4];
    _mm_storeu_si128((__m128i *)four_counts, sums);
    for (; wanted; wanted &= wanted - 1) {
      const unsigned at = (unsigned)__builtin_ctz(wanted);
      ids[n] = base + (uint32_t)i + at;
      counts[n++] = four_counts[at];
    }
  }
  for (; i < n_columns; i++) {
    counts[n] = (uint32_t)total(and_bytes(v, columns + i * stride, n_words));
    ids[n] = base + (uint32_t)i;
    n += counts[n] >= least;
  }
  return n;
}

static size_t and_select(const uint64_t *v, const uint64_t *columns, size_t stride,
                         size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                         uint32_t *ids, uint32_t *counts) {
  assert(n_words % LANE_WORDS == 0 && irl_bits_are_columns(columns, stride, n_words));
  /* Counts compare as signed numbers. */
  if (least > INT32_MAX) return 0;
  if (n_words == 4)
    return and_select_short(v, columns, stride, n_columns, 4, least, base, ids, counts);
  if (n_words == 8)
    return and_select_short(v, columns, stride, n_columns, 8, least, base, ids, counts);
  if (n_words == 16)
    return and_select_short(v, columns, stride, n_columns, 16, least, base, ids, counts);
  if (n_words && n_words <= 4 * SHORT_LANES)
    return and_select_short(v, columns, stride, n_columns, n_words, least, base, ids, counts);
  size_t n = 0;
  for (size_t i = 0; i < n_columns; i++) {
    counts[n] = (uint32_t)count_lanes(AND, NULL, v, columns + i * stride, n_words);
    ids[n] = base + (uint32_t)i;
    n += counts[n] >= least;
  }
  return n;
}

const irl_kernels *irl_bits_kernels_avx2(void) {
  static const irl_kernels kernels = KERNEL_TABLE("avx2");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_avx2(void) {
  return NULL;
}

#endif
