#include "data/complement.h"
#include "base/memory.h"

/* Everything borrowed, the classes exchanged. */
static void swap(const irl_data *data, irl_data *swapped) {
  *swapped = *data;
  swapped->cases = data->controls;
  swapped->controls = data->cases;
  swapped->n_cases = data->n_controls;
  swapped->n_controls = data->n_cases;
  swapped->positive = data->negative;
  swapped->negative = data->positive;
}

static irl_status flip(irl_env *env, const irl_bits_matrix *from, bool inverts,
                       irl_bits_matrix *into) {
  const irl_status status = irl_bits_matrix_init(env, into, from->n_vectors, from->n_bits);
  for (size_t j = 0; !status && j < from->n_vectors; j++) {
    uint64_t *bits = irl_bits_vector(into, j);
    const uint64_t *old = irl_bits_vector(from, j);
    irl_bits_fill(bits, from->n_bits, from->stride);
    for (size_t w = 0; w < from->stride; w++) bits[w] &= inverts ? ~old[w] : old[w];
  }
  return status;
}

irl_status irl_complement_init(irl_env *env, irl_complement *complement, const irl_data *data) {
  irl_complement made = {irl_mem_alloc(&env->allocator, 1, sizeof(irl_data)),
                         irl_mem_alloc(&env->allocator, 1, sizeof(irl_data)),
                         irl_data_may_negate(data)};
  irl_status status = made.swapped && made.flipped ? IRL_OK : irl_fail_memory(env);
  if (!status) {
    swap(data, made.swapped);
    swap(data, made.flipped);
    made.flipped->allocator = made.swapped->allocator = env->allocator;
    made.flipped->cases = made.flipped->controls = (irl_bits_matrix){0};
    status = flip(env, &made.swapped->cases, made.is_inverted, &made.flipped->cases);
  }
  if (!status)
    status = flip(env, &made.swapped->controls, made.is_inverted, &made.flipped->controls);
  if (status) {
    irl_mem_free(&env->allocator, made.swapped);
    if (made.flipped) irl_bits_matrix_free(&made.flipped->cases);
    irl_mem_free(&env->allocator, made.flipped);
    return status;
  }
  *complement = made;
  return IRL_OK;
}

void irl_complement_free(irl_complement *complement) {
  if (!complement->flipped) return;
  const irl_allocator allocator = complement->flipped->allocator;
  irl_bits_matrix_free(&complement->flipped->cases);
  irl_bits_matrix_free(&complement->flipped->controls);
  irl_mem_free(&allocator, complement->flipped);
  irl_mem_free(&allocator, complement->swapped);
  *complement = (irl_complement){0};
}
