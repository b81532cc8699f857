#include "rule/literal_columns.h"
#include "base/memory.h"
#include "bits/kernels.h"

void irl_literals_cover(const irl_data *data, bool is_control, const irl_literal *literals,
                        size_t n, uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_bits_matrix *matrix = is_control ? &data->controls : &data->cases;
  irl_bits_fill(cover, matrix->n_bits, matrix->stride);
  for (size_t i = 0; i < n; i++) {
    const uint64_t *bits = irl_data_column(data, is_control, irl_literal_feature(literals[i]));
    if (irl_literal_is_negated(literals[i]))
      kernels->andnot_into(cover, cover, bits, matrix->stride);
    else
      kernels->and_into(cover, cover, bits, matrix->stride);
  }
}
