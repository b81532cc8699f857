/* Kernels for 64-bit ARM: CNT counts bytes, pairwise additions widen the sums. */
#include "bits/kernels.h"

#if defined(__aarch64__)
#include "bits/kernels_shared.h"
#include <arm_neon.h>

static inline uint64x2_t load(const uint64_t *p) {
  return vld1q_u64(p);
}

static inline uint8x16_t byte_ones(uint64x2_t x) {
  return vcntq_u8(vreinterpretq_u8_u64(x));
}

/* F(i) makes the two words from word i on. The byte counts of a block of eight words stay below 33.
 */
#define COUNT_BLOCKS(F, n_words, sum)                                                              \
  do {                                                                                             \
    uint64x2_t sums = vdupq_n_u64(0);                                                              \
    for (size_t w = 0; w < (n_words); w += 8) {                                                    \
      const uint8x16_t low = vaddq_u8(byte_ones(F(w)), byte_ones(F(w + 2)));                       \
      const uint8x16_t high = vaddq_u8(byte_ones(F(w + 4)), byte_ones(F(w + 6)));                  \
      sums = vpadalq_u32(sums, vpaddlq_u16(vpaddlq_u8(vaddq_u8(low, high))));                      \
    }                                                                                              \
    sum = vaddvq_u64(sums);                                                                        \
  } while (0)

static uint64_t count(const uint64_t *a, size_t n_words) {
  uint64_t sum;
#define PAIR(i) load(a + (i))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
  return sum;
}

static inline uint64_t and_count_inline(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define PAIR(i) vandq_u64(load(a + (i)), load(b + (i)))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
  return sum;
}

static uint64_t and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  return and_count_inline(a, b, n_words);
}

static uint64_t andnot_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define PAIR(i) vbicq_u64(load(a + (i)), load(b + (i)))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
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

static inline uint64x2_t store(uint64_t *into, uint64x2_t x) {
  vst1q_u64(into, x);
  return x;
}

static uint64_t and_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define PAIR(i) store(into + (i), vandq_u64(load(a + (i)), load(b + (i))))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
  return sum;
}

static uint64_t andnot_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define PAIR(i) store(into + (i), vbicq_u64(load(a + (i)), load(b + (i))))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
  return sum;
}

static uint64_t or_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum;
#define PAIR(i) store(into + (i), vorrq_u64(load(a + (i)), load(b + (i))))
  COUNT_BLOCKS(PAIR, n_words, sum);
#undef PAIR
  return sum;
}

/* Checked every 16 words. */
static bool and_exceeds(const uint64_t *a, const uint64_t *b, size_t n_words, uint64_t threshold) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i += 16) {
    const size_t n = n_words - i < 16 ? n_words - i : 16;
    sum += and_count_inline(a + i, b + i, n);
    if (sum > threshold) return true;
  }
  return false;
}

const irl_kernels *irl_bits_kernels_neon(void) {
  static const irl_kernels kernels = {
      "neon",      count,   and_count,   andnot_count, and_count_many, and_select,  and_into,
      andnot_into, or_into, and_exceeds, gather_many,  and_keep,       rows_at_most};
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_neon(void) {
  return NULL;
}

#endif
