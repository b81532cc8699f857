/* Data from the caller's bits: copied from vectors over all samples, or used where they are. */
#include "base/memory.h"
#include "data/dataset.h"

#define PLACE "data in memory"

/* Bits of the samples of one class, packed together. */
static void split(const uint64_t *column, const irl_data *data, uint64_t *cases,
                  uint64_t *controls) {
  uint32_t a = 0, b = 0;
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_one = irl_bits_get(column, i);
    if (irl_bits_get(data->labels, i)) {
      if (is_one) irl_bits_set(cases, a);
      a++;
    } else {
      if (is_one) irl_bits_set(controls, b);
      b++;
    }
  }
}

static irl_status unpack_labels(irl_env *env, uint32_t n, const uint64_t *bits, uint8_t **labels) {
  *labels = NULL;
  if (!bits) return IRL_OK;
  *labels = irl_mem_alloc(&env->allocator, n, 1);
  if (!*labels) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) (*labels)[i] = irl_bits_get(bits, i);
  return IRL_OK;
}

irl_status irl_data_from_bits(irl_env *env, uint32_t n_samples, uint32_t n_features,
                              const uint64_t *const *columns, const uint64_t *labels,
                              const char *const *names, irl_data **out) {
  const irl_data_labels called = {0};
  irl_names made;
  irl_data *data = NULL;
  uint8_t *bytes;
  if (!n_samples) return irl_fail(env, IRL_BAD_ARGUMENT, "a data set needs at least one sample");
  irl_status status = irl_names_given(env, n_features, names, &made);
  if (status) return status;
  status = unpack_labels(env, n_samples, labels, &bytes);
  if (!status) status = irl_data_create(env, PLACE, &made, n_samples, bytes, &called, &data);
  for (uint32_t j = 0; j < n_features && !status; j++)
    split(columns[j], data, data->n_cases ? irl_bits_vector(&data->cases, j) : NULL,
          data->n_controls ? irl_bits_vector(&data->controls, j) : NULL);
  assert(status || irl_data_check(data));
  irl_mem_free(&env->allocator, bytes);
  irl_names_free(&made);
  if (!status) *out = data;
  return status;
}

size_t irl_data_stride(uint32_t n_samples) {
  return irl_bits_stride(n_samples);
}

/* Its words are the caller's: no allocator, so nothing is freed. */
static irl_bits_matrix borrow(const uint64_t *words, size_t n_vectors, size_t n_bits) {
  return (irl_bits_matrix){.words = (uint64_t *)words,
                           .n_vectors = n_vectors,
                           .n_bits = n_bits,
                           .stride = irl_bits_stride(n_bits)};
}

irl_status irl_data_borrow(irl_env *env, uint32_t n_features, const irl_class_bits *cases,
                           const irl_class_bits *controls, const char *const *names,
                           irl_data **out) {
  const irl_data_labels called = {0};
  const uint64_t sum = (uint64_t)cases->n_samples + controls->n_samples;
  const size_t n_samples = sum < SIZE_MAX ? (size_t)sum : SIZE_MAX; /* too many, on 32 bits */
  irl_names made;
  irl_data *data = NULL;
  if (((uintptr_t)cases->words | (uintptr_t)controls->words) % 64 || !n_samples)
    return irl_fail(env, IRL_BAD_ARGUMENT, "borrowed bits must be aligned to 64 bytes, and some");
  irl_status status = irl_names_given(env, n_features, names, &made);
  if (status) return status;
  status = irl_data_create_unfilled(env, PLACE, &made, n_samples, &called, &data);
  irl_names_free(&made);
  if (status) return status;
  data->has_labels = true;
  data->n_cases = cases->n_samples;
  data->n_controls = controls->n_samples;
  irl_bits_fill(data->labels, data->n_cases, irl_bits_stride(n_samples));
  data->cases = borrow(cases->words, n_features, data->n_cases);
  data->controls = borrow(controls->words, n_features, data->n_controls);
  if (!irl_data_check(data)) {
    irl_data_free(data);
    return irl_fail(env, IRL_BAD_ARGUMENT, "borrowed bits beyond the last sample must be 0");
  }
  *out = data;
  return IRL_OK;
}
