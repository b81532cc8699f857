/* Kernels for WebAssembly with its vectors of 128 bits: popcnt counts bytes, pairwise additions
 * widen the sums. */
#include "bits/kernels.h"

#if defined(__wasm_simd128__)
#define LANE_WORDS 2
#include "bits/kernels_shared.h"
#include <wasm_simd128.h>

/* The byte counts of a block of eight words stay below 33; a sum of 32 bits has a quarter of the
 * vector's ones, which are samples and counted in 32 bits. */
INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words) {
  v128_t sums = wasm_i32x4_const_splat(0);
#define BYTES(w) wasm_i8x16_popcnt((v128_t)make_lane(operation, into, a, b, w))
  for (size_t w = 0; w < n_words; w += 8) {
    const v128_t low = wasm_i8x16_add(BYTES(w), BYTES(w + 2));
    const v128_t high = wasm_i8x16_add(BYTES(w + 4), BYTES(w + 6));
    const v128_t pairs = wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_add(low, high));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(pairs));
  }
#undef BYTES
  return (uint64_t)wasm_u32x4_extract_lane(sums, 0) + wasm_u32x4_extract_lane(sums, 1) +
         wasm_u32x4_extract_lane(sums, 2) + wasm_u32x4_extract_lane(sums, 3);
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
