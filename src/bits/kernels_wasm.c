/* Kernels for WebAssembly with its vectors of 128 bits, where moving, comparing and weighing of
 * bits is done in vectors. Bits are counted word by word: engines make one instruction of
 * i64.popcnt and many of i8x16.popcnt, so that counts of words take half the time. */
#include "bits/kernels.h"

#if defined(__wasm_simd128__)
#define LANE_WORDS 2
#include "bits/kernels_shared.h"

INLINE uint64_t make_word(enum operation operation, uint64_t *into, const uint64_t *a,
                          const uint64_t *b, size_t w) {
  uint64_t x = a[w];
  if (operation == AND) x &= b[w];
  if (operation == ANDNOT) x &= ~b[w];
  if (operation == OR) x |= b[w];
  if (into) into[w] = x;
  return x;
}

INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words) {
  uint32_t sum = 0; /* samples are counted in 32 bits */
#define WORD(k) (uint32_t) __builtin_popcountll(make_word(operation, into, a, b, w + (k)))
  for (size_t w = 0; w < n_words; w += 8)
    sum += WORD(0) + WORD(1) + WORD(2) + WORD(3) + WORD(4) + WORD(5) + WORD(6) + WORD(7);
#undef WORD
  return sum;
}

const irl_kernels *irl_bits_kernels_wasm(void) {
  static const irl_kernels kernels = KERNEL_TABLE("wasm");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_wasm(void) {
  return NULL;
}

#endif
