/* Kernels for AVX-512 with VPOPCNTDQ: a block of IRL_BITS_BLOCK words is one register, and its
 * popcount one instruction. */
#include "bits/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#include "bits/kernels_shared.h"
#include <immintrin.h>

static inline __m512i load(const uint64_t *p) {
  return _mm512_load_si512(p);
}

/* F(i) makes the block that starts at word i. Two sums hide the latency of the addition. */
#define COUNT_BLOCKS(F, n_words, sum)                                                              \
  do {                                                                                             \
    __m512i even = _mm512_setzero_si512(), odd = even;                                             \
    size_t w = 0;                                                                                  \
    for (; w + 16 <= (n_words); w += 16) {                                                         \
      even = _mm512_add_epi64(even, _mm512_popcnt_epi64(F(w)));                                    \
      odd = _mm512_add_epi64(odd, _mm512_popcnt_epi64(F(w + 8)));                                  \
    }                                                                                              \
    if (w < (n_words)) even = _mm512_add_epi64(even, _mm512_popcnt_epi64(F(w)));                   \
    sum = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd));                          \
  } while (0)

static uint64_t count(const uint64_t *a, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) load(a + (i))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

static inline uint64_t and_count_inline(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) _mm512_and_si512(load(a + (i)), load(b + (i)))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

static uint64_t and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  return and_count_inline(a, b, n_words);
}

static uint64_t andnot_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) _mm512_andnot_si512(load(b + (i)), load(a + (i)))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  for (size_t i = 0; i < n_columns; i++)
    counts[i] = (uint32_t)and_count_inline(v, columns + (ids ? ids[i] : i) * stride, n_words);
}

static size_t and_select(const uint64_t *v, const uint64_t *columns, size_t stride,
                         size_t n_columns, size_t n_words, uint32_t least, uint32_t base,
                         uint32_t *ids, uint32_t *counts) {
  n_words = (n_words + 7) & ~(size_t)7;
  size_t n = 0;
  for (size_t i = 0; i < n_columns; i++) {
    const uint32_t count_i = (uint32_t)and_count_inline(v, columns + i * stride, n_words);
    ids[n] = base + (uint32_t)i;
    counts[n] = count_i;
    n += count_i >= least;
  }
  return n;
}

static inline __m512i store(uint64_t *into, __m512i x) {
  _mm512_store_si512(into, x);
  return x;
}

static uint64_t and_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) store(into + (i), _mm512_and_si512(load(a + (i)), load(b + (i))))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

static uint64_t andnot_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) store(into + (i), _mm512_andnot_si512(load(b + (i)), load(a + (i))))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

static uint64_t or_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define BLOCK(i) store(into + (i), _mm512_or_si512(load(a + (i)), load(b + (i))))
  COUNT_BLOCKS(BLOCK, n_words, sum);
#undef BLOCK
  return sum;
}

/* Checked every four blocks. */
static bool and_exceeds(const uint64_t *a, const uint64_t *b, size_t n_words, uint64_t threshold) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i += 32) {
    const size_t n = n_words - i < 32 ? n_words - i : 32;
    sum += and_count_inline(a + i, b + i, n);
    if (sum > threshold) return true;
  }
  return false;
}

const irl_kernels *irl_bits_kernels_avx512(void) {
  static const irl_kernels kernels = {
      "avx512",    count,   and_count,   andnot_count, and_count_many, and_select,  and_into,
      andnot_into, or_into, and_exceeds, gather_many,  and_keep,       rows_at_most};
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_avx512(void) {
  return NULL;
}

#endif
