/* Data from the caller's memory: a byte per cell; bits, copied from vectors over all samples or
 * used where they are. */
#include "base/contract.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "ireland_data.h"
#include <inttypes.h>

#define PLACE "data in memory"

irl_status irl_names_take(irl_env *env, uint32_t n, const char *const *given, irl_names *names) {
  irl_names_init(names, &env->allocator);
  for (uint32_t j = 0; given && j < n; j++)
    if (!given[j])
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "feature %" PRIu32 " has no name", j + 1);
  bool done = given || irl_names_add_numbered(names, n);
  for (uint32_t j = 0; given && j < n && done; j++)
    done = irl_names_add(names, given[j], strlen(given[j]));
  if (done) return IRL_STATUS_OK;
  irl_names_free(names);
  return irl_fail_memory(env);
}

irl_status irl_data_from_bytes(irl_env *env, uint32_t n_samples, uint32_t n_features,
                               const uint8_t *cells, const uint8_t *labels,
                               const char *const *names, irl_data **out) {
  IRL_NEED(env, "env, data", env, out);
  if (n_features) IRL_NEED(env, "cells", cells);
  irl_bits_matrix rows = {0};
  irl_names made = {0};
  irl_data *data = NULL;
  if (!n_samples)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a data set needs at least one sample");
  const uint64_t **pointers = irl_mem_alloc(&env->allocator, n_samples, sizeof *pointers);
  irl_status status =
      pointers ? irl_names_take(env, n_features, names, &made) : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &rows, n_samples, n_features);
  for (uint32_t i = 0; i < n_samples && !status; i++) {
    pointers[i] = irl_bits_vector(&rows, i);
    for (uint32_t j = 0; j < n_features && !status; j++) {
      const uint8_t cell = cells[(size_t)i * n_features + j];
      if (cell > 1)
        status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                          "cell of sample %u, feature %u is %u, not 0 or 1", i, j, cell);
      else if (cell)
        irl_bits_set(irl_bits_vector(&rows, i), j);
    }
  }
  const irl_data_frame frame = {PLACE, &made, n_samples, labels, {0}};
  if (!status) status = irl_data_create(env, &frame, &data);
  if (!status) status = irl_data_fill(env, data, pointers, 1);
  irl_names_free(&made);
  irl_bits_matrix_free(&rows);
  irl_mem_free(&env->allocator, pointers);
  return irl_data_deliver(status, data, out);
}

irl_status irl_data_from_bits(irl_env *env, uint32_t n_samples, uint32_t n_features,
                              const uint64_t *const *columns, const uint64_t *labels,
                              const char *const *names, irl_data **out) {
  IRL_NEED(env, "env, data", env, out);
  if (n_features) IRL_NEED(env, "columns", columns);
  for (uint32_t j = 0; j < n_features; j++)
    if (!columns[j]) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "feature %u has no bits", j + 1);
  irl_names made;
  irl_data *data = NULL;
  if (!n_samples)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a data set needs at least one sample");
  irl_status status = irl_names_take(env, n_features, names, &made);
  if (status) return status;
  uint8_t *bytes = labels ? irl_mem_alloc(&env->allocator, n_samples, 1) : NULL;
  if (labels && !bytes) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n_samples && bytes; i++) bytes[i] = irl_bits_get(labels, i);
  const irl_data_frame frame = {PLACE, &made, n_samples, bytes, {0}};
  if (!status) status = irl_data_create(env, &frame, &data);
  /* The bits of the samples of each class, packed together. */
  for (uint32_t j = 0; j < n_features && !status; j++) {
    uint32_t at[2] = {0, 0};
    for (uint32_t i = 0; i < n_samples; i++) {
      const bool is_control = !irl_bits_get(data->labels, i);
      const uint32_t sample = at[is_control]++;
      if (irl_bits_get(columns[j], i))
        irl_bits_set(irl_bits_vector(is_control ? &data->controls : &data->cases, j), sample);
    }
  }
  assert(status || irl_data_check(data));
  irl_mem_free(&env->allocator, bytes);
  irl_names_free(&made);
  if (!status) *out = data;
  return status;
}

size_t irl_data_stride(uint32_t n_samples) {
  return irl_bits_stride(n_samples);
}

irl_status irl_data_borrow(irl_env *env, uint32_t n_features, const irl_class_bits *cases,
                           const irl_class_bits *controls, const char *const *names,
                           irl_data **out) {
  IRL_NEED(env, "env, cases, controls, data", env, cases, controls, out);
  irl_class_bits own[2];
  irl_status status = irl_sized_need(env, cases, "cases");
  if (!status) status = irl_sized_need(env, controls, "controls");
  if (status) return status;
  irl_sized_copy_in(cases, &own[0], sizeof own[0]);
  irl_sized_copy_in(controls, &own[1], sizeof own[1]);
  cases = &own[0];
  controls = &own[1];
  if (n_features && cases->n_samples) IRL_NEED(env, "cases->words", cases->words);
  if (n_features && controls->n_samples) IRL_NEED(env, "controls->words", controls->words);
  const uint64_t sum = (uint64_t)cases->n_samples + controls->n_samples;
  const size_t n_samples = sum < SIZE_MAX ? (size_t)sum : SIZE_MAX; /* too many, on 32 bits */
  irl_names made;
  irl_data *data = NULL;
  if (((uintptr_t)cases->words | (uintptr_t)controls->words) % 64 || !n_samples)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "borrowed bits must be aligned to 64 bytes, and some");
  status = irl_names_take(env, n_features, names, &made);
  if (status) return status;
  const irl_data_frame frame = {PLACE, &made, n_samples, NULL, {0}};
  status = irl_data_create_unfilled(env, &frame, &data);
  irl_names_free(&made);
  if (status) return status;
  data->has_labels = true;
  data->n_cases = cases->n_samples;
  data->n_controls = controls->n_samples;
  irl_bits_fill(data->labels, data->n_cases, irl_bits_stride(n_samples));
  data->cases = irl_bits_borrow(cases->words, n_features, data->n_cases);
  data->controls = irl_bits_borrow(controls->words, n_features, data->n_controls);
  if (!irl_data_check(data)) {
    irl_data_free(data);
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "borrowed bits beyond the last sample must be 0");
  }
  *out = data;
  return IRL_STATUS_OK;
}
