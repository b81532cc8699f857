/* Data from the caller's memory: a byte per cell, or bits of vectors over all samples, as the only
 * block of a builder; or bits that are used where they are. */
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
  irl_builder *rows;
  irl_status status = irl_builder_create(env, n_features, names, &rows);
  if (status) return status;
  status = irl_builder_add_bytes(env, rows, n_samples, cells, labels);
  if (!status) status = irl_builder_finish(env, rows, out);
  irl_builder_free(rows);
  return status;
}

irl_status irl_data_from_bits(irl_env *env, uint32_t n_samples, uint32_t n_features,
                              const uint64_t *const *columns, const uint64_t *labels,
                              const char *const *names, irl_data **out) {
  IRL_NEED(env, "env, data", env, out);
  if (n_features) IRL_NEED(env, "columns", columns);
  for (uint32_t j = 0; j < n_features; j++)
    if (!columns[j]) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "feature %u has no bits", j + 1);
  irl_builder *rows;
  irl_status status = irl_builder_create(env, n_features, names, &rows);
  if (status) return status;
  status = irl_builder_add_bits(env, rows, n_samples, columns, labels);
  if (!status) status = irl_builder_finish(env, rows, out);
  irl_builder_free(rows);
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
