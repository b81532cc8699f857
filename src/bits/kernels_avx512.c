/* Kernels for AVX-512 with VPOPCNTDQ: a block of IRL_BITS_BLOCK words is one register, and its
 * popcount one instruction. */
#include "bits/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define LANE_WORDS 8
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

const irl_kernels *irl_bits_kernels_avx512(void) {
  static const irl_kernels kernels = KERNEL_TABLE("avx512");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_avx512(void) {
  return NULL;
}

#endif
