/* The plain form, and which form is in use. */
#include "bits/row_kernels.h"
#include "bits/kernels.h"
#include <string.h>

#define ROW_LANE_WORDS 1
#include "bits/row_kernels_shared.h"

const irl_row_kernels *irl_bits_row_kernels_named(const char *name) {
  static const irl_row_kernels scalar = {"scalar",     list_rows,      few_rows,   keep_close,
                                         sign_columns, disjoint_pairs, close_pairs};
  const irl_row_kernels *wide = !strcmp(name, "avx512") ? irl_bits_row_kernels_avx512()
                                : !strcmp(name, "avx2") ? irl_bits_row_kernels_avx2()
                                                        : NULL;
  return wide ? wide : &scalar;
}

const irl_row_kernels *irl_bits_row_kernels(void) {
  return irl_bits_row_kernels_named(irl_bits_kernels()->name);
}
