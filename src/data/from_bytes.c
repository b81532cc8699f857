/* Data from the caller's memory: a byte per cell. */
#include "base/memory.h"
#include "data/dataset.h"

static irl_status pack(irl_env *env, uint32_t n_samples, uint32_t n_features, const uint8_t *cells,
                       irl_bits_matrix *rows) {
  for (uint32_t i = 0; i < n_samples; i++)
    for (uint32_t j = 0; j < n_features; j++) {
      const uint8_t cell = cells[(size_t)i * n_features + j];
      if (cell > 1)
        return irl_fail(env, IRL_BAD_ARGUMENT, "cell of sample %u, feature %u is %u, not 0 or 1", i,
                        j, cell);
      if (cell) irl_bits_set(irl_bits_vector(rows, i), j);
    }
  return IRL_OK;
}

static bool add_names(irl_names *names, uint32_t n, const char *const *given) {
  if (!given) return irl_names_add_numbered(names, n);
  for (uint32_t j = 0; j < n; j++)
    if (!irl_names_add(names, given[j], strlen(given[j]))) return false;
  return true;
}

irl_status irl_names_given(irl_env *env, uint32_t n, const char *const *given, irl_names *names) {
  irl_names_init(names, &env->allocator);
  if (add_names(names, n, given)) return IRL_OK;
  irl_names_free(names);
  return irl_fail_memory(env);
}

irl_status irl_data_from_bytes(irl_env *env, uint32_t n_samples, uint32_t n_features,
                               const uint8_t *cells, const uint8_t *labels,
                               const char *const *names, irl_data **out) {
  irl_bits_matrix rows = {0};
  if (!n_samples) return irl_fail(env, IRL_BAD_ARGUMENT, "a data set needs at least one sample");
  const uint64_t **pointers = irl_mem_alloc(&env->allocator, n_samples, sizeof *pointers);
  irl_data *data = NULL;
  irl_names made = {0};
  irl_status status =
      pointers ? irl_names_given(env, n_features, names, &made) : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &rows, n_samples, n_features);
  if (!status) status = pack(env, n_samples, n_features, cells, &rows);
  const irl_data_labels called = {0};
  if (!status)
    status = irl_data_create(env, "data in memory", &made, n_samples, labels, &called, &data);
  for (uint32_t i = 0; !status && i < n_samples; i++) pointers[i] = irl_bits_vector(&rows, i);
  if (!status) status = irl_data_fill(env, data, pointers, 1);
  if (!status)
    *out = data;
  else
    irl_data_free(data);
  irl_names_free(&made);
  irl_bits_matrix_free(&rows);
  irl_mem_free(&env->allocator, pointers);
  return status;
}
