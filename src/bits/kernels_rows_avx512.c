/* Row kernels for AVX-512. */
#include "bits/row_kernels.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define ROW_LANE_WORDS 8
#include "bits/row_kernels_shared.h"

const irl_row_kernels *irl_bits_row_kernels_avx512(void) {
  static const irl_row_kernels kernels = {"avx512",     list_rows,      few_rows,   keep_close,
                                          sign_columns, disjoint_pairs, close_pairs};
  return &kernels;
}

#else

const irl_row_kernels *irl_bits_row_kernels_avx512(void) {
  return NULL;
}

#endif
