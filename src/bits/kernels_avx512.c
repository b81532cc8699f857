/* Kernels for AVX-512 with VPOPCNTDQ: a block of IRL_BITS_BLOCK words is one register, and its
 * popcount one instruction. */
#include "bits/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define LANE_WORDS  8
#define OWN_WEIGHTS 1
#include "bits/kernels_shared.h"

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

const irl_kernels *irl_bits_kernels_avx512(void) {
  static const irl_kernels kernels = KERNEL_TABLE("avx512");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_avx512(void) {
  return NULL;
}

#endif
