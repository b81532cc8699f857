/* Row kernels for AVX2. */
#include "bits/row_kernels.h"

#if defined(__AVX2__)
#define ROW_LANE_WORDS 4
#include "bits/row_kernels_shared.h"

const irl_row_kernels *irl_bits_row_kernels_avx2(void) {
  static const irl_row_kernels kernels = {"avx2",       list_rows,      few_rows,   keep_close,
                                          sign_columns, disjoint_pairs, close_pairs};
  return &kernels;
}

#else

const irl_row_kernels *irl_bits_row_kernels_avx2(void) {
  return NULL;
}

#endif
