/* Kernels for AVX-512 with VPOPCNTDQ: a block of IRL_BITS_BLOCK words is one register, and its
 * popcount one instruction.
 *
 * One vector against many columns: eight columns at a time, so that each block of the vector is
 * loaded once for eight, and the eight sums leave their registers together, by three rounds of
 * shuffles for all of them.
 *
 * Many vectors against many columns: the columns are laid out anew, eight side by side (the first
 * words of eight columns in one register, then their second words), once for all rows. Then a word
 * of a row, broadcast by the load itself, meets eight columns at once, and sums are those of eight
 * columns without a shuffle: three instructions for 64 bytes, AND, popcount and addition. */
#include "bits/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define LANE_WORDS  8
#define OWN_COLUMNS 1
#define OWN_BLOCK   1
#define OWN_WEIGHTS 1
#include "bits/kernels_shared.h"

INLINE __m512i load(const uint64_t *p) {
  return _mm512_load_si512(p);
}

/* Two sums hide the latency of the addition. */
INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words) {
  __m512i even = _mm512_setzero_si512(), odd = even;
#define COUNT(w) _mm512_popcnt_epi64((__m512i)make_lane(operation, into, a, b, w))
  size_t w = 0;
  for (; w + 16 <= n_words; w += 16) {
    even = _mm512_add_epi64(even, COUNT(w));
    odd = _mm512_add_epi64(odd, COUNT(w + 8));
  }
  if (w < n_words) even = _mm512_add_epi64(even, COUNT(w));
#undef COUNT
  return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd));
}

/* At most eight words: a register each for the planes, if they are three. */
INLINE void weigh_register(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                           size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                           int64_t *sums) {
  const __mmask8 live = (__mmask8)((1u << n_words) - 1);
  __m512i plane[3];
  for (size_t t = 0; t < n_planes; t++)
    plane[t] = _mm512_maskz_loadu_epi64(live, planes + t * n_words);
  for (size_t i = 0; i < n_columns; i++) {
    const __m512i column = _mm512_maskz_loadu_epi64(live, columns + (ids ? ids[i] : i) * stride);
    __m512i sum = _mm512_popcnt_epi64(_mm512_and_epi64(column, plane[n_planes - 1]));
    for (size_t t = n_planes - 1; t--;)
      sum = _mm512_add_epi64(_mm512_slli_epi64(sum, 1),
                             _mm512_popcnt_epi64(_mm512_and_epi64(column, plane[t])));
    sums[i] = _mm512_reduce_add_epi64(sum);
  }
}

/* A few words are counted one by one; more of them by registers, the last one masked. */
static void and_weigh_many(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                           size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                           int64_t *sums) {
#define CALL(function, n, words) function(planes, n, columns, stride, ids, n_columns, words, sums)
  if (n_planes == 1 && n_words == 1) {
    CALL(weigh_columns, 1, 1);
  } else if (n_planes == 1 && n_words == 2) {
    CALL(weigh_columns, 1, 2);
  } else if (n_planes == 1 && n_words == 3) {
    CALL(weigh_columns, 1, 3);
  } else if (n_planes == 1 && n_words == 4) {
    CALL(weigh_columns, 1, 4);
  } else if (n_planes == 3 && n_words == 1) {
    CALL(weigh_columns, 3, 1);
  } else if (n_planes == 3 && n_words == 2) {
    CALL(weigh_columns, 3, 2);
  } else if (n_planes == 1 && n_words <= 8) {
    CALL(weigh_register, 1, n_words);
  } else if (n_planes == 3 && n_words <= 8) {
    CALL(weigh_register, 3, n_words);
  } else {
    const __mmask8 tail = (__mmask8)((1u << n_words % 8) - 1);
    for (size_t i = 0; i < n_columns; i++) {
      const uint64_t *column = columns + (ids ? ids[i] : i) * stride;
      __m512i sum = _mm512_setzero_si512();
      for (size_t t = n_planes; t--;) {
        const uint64_t *plane = planes + t * n_words;
        sum = _mm512_slli_epi64(sum, 1);
        for (size_t w = 0; w < n_words; w += 8) {
          const __mmask8 live = n_words - w < 8 ? tail : 0xff;
          sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_epi64(
                                          _mm512_maskz_loadu_epi64(live, column + w),
                                          _mm512_maskz_loadu_epi64(live, plane + w))));
        }
      }
      sums[i] = _mm512_reduce_add_epi64(sum);
    }
  }
#undef CALL
}

/* ---- one vector, many columns ---- */

/* Pairs of 128-bit parts of a and of b, added: a's, then b's. */
INLINE __m512i fold(__m512i a, __m512i b) {
  return _mm512_add_epi64(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
}

/* The totals of eight registers of sums, in order. */
INLINE __m512i totals(const __m512i sums[8]) {
#define PAIR(i)                                                                                    \
  _mm512_add_epi64(_mm512_unpacklo_epi64(sums[i], sums[(i) + 1]),                                  \
                   _mm512_unpackhi_epi64(sums[i], sums[(i) + 1]))
  return fold(fold(PAIR(0), PAIR(2)), fold(PAIR(4), PAIR(6)));
#undef PAIR
}

/* |v & column| of eight columns, `at` words from `columns` on. */
INLINE __m512i and_count_eight(const uint64_t *v, const uint64_t *columns, const size_t at[8],
                               size_t n_words) {
  __m512i sums[8];
#pragma GCC unroll 8
  for (int k = 0; k < 8; k++) sums[k] = _mm512_setzero_si512();
  for (size_t w = 0; w < n_words; w += 8) {
    const __m512i x = load(v + w);
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++)
      sums[k] = _mm512_add_epi64(
          sums[k], _mm512_popcnt_epi64(_mm512_and_si512(x, load(columns + at[k] + w))));
  }
  return totals(sums);
}

/* Where eight columns from number i on begin. */
INLINE void find_eight(size_t stride, const uint32_t *ids, size_t i, size_t at[8]) {
#pragma GCC unroll 8
  for (size_t k = 0; k < 8; k++) at[k] = (ids ? ids[i + k] : i + k) * stride;
}

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  assert(irl_bits_is_vector(v, n_words) && irl_bits_are_columns(columns, stride, n_words));
  size_t i = 0, at[8];
  for (; i + 8 <= n_columns; i += 8) {
    find_eight(stride, ids, i, at);
    const __m512i sums = and_count_eight(v, columns, at, n_words);
    _mm256_storeu_si256((__m256i *)(counts + i), _mm512_cvtepi64_epi32(sums));
  }
  for (; i < n_columns; i++)
    counts[i] = (uint32_t)count_lanes(AND, NULL, v, columns + (ids ? ids[i] : i) * stride, n_words);
}

static size_t and_select(const uint64_t *v, const uint64_t *columns, size_t stride,
                         size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                         uint32_t *ids, uint32_t *counts) {
  n_words = (n_words + IRL_BITS_BLOCK - 1) / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
  assert(irl_bits_is_vector(v, n_words) && irl_bits_are_columns(columns, stride, n_words));
  const __m512i bound = _mm512_set1_epi64(least);
  const __m512i step = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  size_t n = 0, i = 0, at[8];
  for (; i + 8 <= n_columns; i += 8) {
    find_eight(stride, NULL, i, at);
    const __m512i sums = and_count_eight(v, columns, at, n_words);
    const __mmask8 wanted = _mm512_cmpge_epu64_mask(sums, bound);
    if (!wanted) continue;
    /* What is wanted moves to the front; n <= i, so all eight have room. */
    const __m512i numbers = _mm512_add_epi64(step, _mm512_set1_epi64((long long)(base + i)));
    _mm256_storeu_si256((__m256i *)(ids + n),
                        _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(wanted, numbers)));
    _mm256_storeu_si256((__m256i *)(counts + n),
                        _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(wanted, sums)));
    n += (size_t)__builtin_popcount(wanted);
  }
  for (; i < n_columns; i++) {
    const uint32_t sum = (uint32_t)count_lanes(AND, NULL, v, columns + i * stride, n_words);
    ids[n] = base + (uint32_t)i;
    counts[n] = sum;
    n += sum >= least;
  }
  return n;
}

/* ---- many vectors, many columns ---- */

#define GROUPS      4u  /* of eight columns, that a row meets at once */
#define CHUNK_WORDS 64u /* of each column: 16 KB of columns laid out anew */
#define FEW_ROWS    8u  /* that laying out anew is not worth */

/* Eight words of eight columns, which `from` holds, to eight rows of `into`: 8 x 8 words transposed
 * by words, then by pairs of words. */
INLINE void lay_out_eight(uint64_t (*into)[8 * GROUPS], const __m512i from[8]) {
  for (unsigned odd = 0; odd < 2; odd++) {
    __m512i pairs[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
      pairs[k] = odd ? _mm512_unpackhi_epi64(from[2 * k], from[2 * k + 1])
                     : _mm512_unpacklo_epi64(from[2 * k], from[2 * k + 1]);
    const __m512i a = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0x44),
                  b = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0x44),
                  c = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0xee),
                  d = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0xee);
    _mm512_store_si512(into[odd], _mm512_shuffle_i64x2(a, b, 0x88));
    _mm512_store_si512(into[odd + 2], _mm512_shuffle_i64x2(a, b, 0xdd));
    _mm512_store_si512(into[odd + 4], _mm512_shuffle_i64x2(c, d, 0x88));
    _mm512_store_si512(into[odd + 6], _mm512_shuffle_i64x2(c, d, 0xdd));
  }
}

/* Word w of column c, of n columns, goes to [w][c]; up to 8 * GROUPS there are zeros. */
INLINE void lay_out(uint64_t (*into)[8 * GROUPS], const uint64_t *columns, size_t stride, size_t n,
                    size_t n_words) {
  for (size_t g = 0; g < GROUPS; g++)
    for (size_t w = 0; w < n_words; w += 8) {
      __m512i from[8];
#pragma GCC unroll 8
      for (size_t c = 0; c < 8; c++)
        from[c] = 8 * g + c < n ? load(columns + (8 * g + c) * stride + w) : _mm512_setzero_si512();
      lay_out_eight((uint64_t(*)[8 * GROUPS])(into[w] + 8 * g), from);
    }
}

/* A row against all that is laid out. */
INLINE void count_laid_out(const uint64_t *row, uint64_t (*laid)[8 * GROUPS], size_t n_words,
                           __m512i sums[GROUPS]) {
#pragma GCC unroll 4
  for (unsigned g = 0; g < GROUPS; g++) sums[g] = _mm512_setzero_si512();
  for (size_t w = 0; w < n_words; w++) {
    const __m512i x = _mm512_set1_epi64((long long)row[w]);
#pragma GCC unroll 4
    for (unsigned g = 0; g < GROUPS; g++)
      sums[g] = _mm512_add_epi64(sums[g],
                                 _mm512_popcnt_epi64(_mm512_and_si512(x, load(&laid[w][8 * g]))));
  }
}

static void and_count_block(const uint64_t *rows, size_t row_stride, size_t n_rows,
                            const uint64_t *columns, size_t stride, size_t n_columns,
                            size_t n_words, uint32_t *counts, size_t counts_stride) {
  assert(irl_bits_are_columns(rows, row_stride, n_words) && n_words % 8 == 0);
  if (n_rows < FEW_ROWS || !n_words) {
    for (size_t i = 0; i < n_rows; i++)
      and_count_many(rows + i * row_stride, columns, stride, NULL, n_columns, n_words,
                     counts + i * counts_stride);
    return;
  }
  _Alignas(64) uint64_t laid[CHUNK_WORDS][8 * GROUPS];
  for (size_t j = 0; j < n_columns; j += 8 * GROUPS) {
    const size_t n = n_columns - j < 8 * GROUPS ? n_columns - j : 8 * GROUPS;
    for (size_t first = 0; first < n_words; first += CHUNK_WORDS) {
      const size_t length = n_words - first < CHUNK_WORDS ? n_words - first : CHUNK_WORDS;
      lay_out(laid, columns + j * stride + first, stride, n, length);
      for (size_t i = 0; i < n_rows; i++) {
        __m512i sums[GROUPS];
        uint32_t *into = counts + i * counts_stride + j;
        count_laid_out(rows + i * row_stride + first, laid, length, sums);
#pragma GCC unroll 2
        for (unsigned g = 0; g < GROUPS; g += 2) {
          __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(sums[g])),
                                            _mm512_cvtepi64_epi32(sums[g + 1]), 1);
          const size_t left = n < 8 * g ? 0 : n - 8 * g;
          const __mmask16 mask = (__mmask16)(left >= 16 ? 0xffff : (1u << left) - 1);
          if (first) both = _mm512_add_epi32(both, _mm512_maskz_loadu_epi32(mask, into + 8 * g));
          _mm512_mask_storeu_epi32(into + 8 * g, mask, both);
        }
      }
    }
  }
}

const irl_kernels *irl_bits_kernels_avx512(void) {
  static const irl_kernels kernels = KERNEL_TABLE("avx512");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_avx512(void) {
  return NULL;
}

#endif
