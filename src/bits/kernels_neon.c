/* Kernels for 64-bit ARM: CNT counts bytes, pairwise additions widen the sums. */
#include "bits/kernels.h"

#if defined(__aarch64__)
#define LANE_WORDS 2
#include "bits/kernels_shared.h"
#include <arm_neon.h>

/* The byte counts of a block of eight words stay below 33. */
INLINE uint64_t count_lanes(enum operation operation, uint64_t *into, const uint64_t *a,
                            const uint64_t *b, size_t n_words) {
  uint64x2_t sums = vdupq_n_u64(0);
#define BYTES(w) vcntq_u8((uint8x16_t)make_lane(operation, into, a, b, w))
  for (size_t w = 0; w < n_words; w += 8) {
    const uint8x16_t low = vaddq_u8(BYTES(w), BYTES(w + 2));
    const uint8x16_t high = vaddq_u8(BYTES(w + 4), BYTES(w + 6));
    sums = vpadalq_u32(sums, vpaddlq_u16(vpaddlq_u8(vaddq_u8(low, high))));
  }
#undef BYTES
  return vaddvq_u64(sums);
}

const irl_kernels *irl_bits_kernels_neon(void) {
  static const irl_kernels kernels = KERNEL_TABLE("neon");
  return &kernels;
}

#else

const irl_kernels *irl_bits_kernels_neon(void) {
  return NULL;
}

#endif
