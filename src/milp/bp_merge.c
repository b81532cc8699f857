/* The samples of one class; equal ones become one with a weight. */
#include "base/memory.h"
#include "milp/bp.h"

void irl_bp_class_free(irl_bp_class *class, const irl_allocator *allocator) {
  irl_bits_matrix_free(&class->bits);
  irl_mem_free(allocator, class->weight);
  irl_mem_free(allocator, class->sample);
  *class = (irl_bp_class){0};
}

/* sample[g] = the number in the file of the first sample of group g; groups come in the order of
 * their first samples. */
static void number_samples(irl_bp_class *class, const irl_data *data, bool is_case,
                           const uint32_t *first) {
  uint32_t n = 0, g = 0;
  for (uint32_t i = 0; i < data->n_samples && g < class->n; i++)
    if (irl_bits_get(data->labels, i) == is_case && n++ == first[g]) class->sample[g++] = i + 1;
  assert(g == class->n);
}

static irl_status gather(irl_bp_class *class, irl_env *env, const irl_bits_matrix *all,
                         const uint32_t *first) {
  const irl_status status = irl_bits_matrix_init(env, &class->bits, all->n_vectors, class->n);
  if (status) return status;
  for (uint32_t j = 0; j < all->n_vectors; j++) {
    const uint64_t *from = irl_bits_vector(all, j);
    uint64_t *to = irl_bits_vector(&class->bits, j);
    for (uint32_t g = 0; g < class->n; g++)
      if (irl_bits_get(from, first[g])) irl_bits_set(to, g);
  }
  return IRL_OK;
}

irl_status irl_bp_class_init(irl_bp_class *class, irl_env *env, const irl_data *data, bool is_case,
                             bool merges) {
  const irl_bits_matrix *all = is_case ? &data->cases : &data->controls;
  const uint32_t n = is_case ? data->n_cases : data->n_controls;
  irl_bits_matrix rows = {0};
  *class = (irl_bp_class){.n = n};
  irl_status status = irl_data_check_whole(env, data);
  if (status) return status;
  class->weight = irl_mem_alloc(&env->allocator, n, sizeof *class->weight);
  class->sample = irl_mem_alloc(&env->allocator, n, sizeof *class->sample);
  uint32_t *first = irl_mem_alloc(&env->allocator, 2 * (size_t)n, sizeof *first);
  if (!class->weight || !class->sample || !first) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) {
    first[i] = i;
    class->weight[i] = 1;
  }
  if (!status && merges) {
    irl_equal_rows groups = {.group_of = first + n, .first = first, .size = class->weight};
    status = irl_bits_transposed(env, all, &rows, 1);
    if (!status) status = irl_equal_rows_find(env, &rows, NULL, &groups);
    if (!status) class->n = groups.n;
    irl_bits_matrix_free(&rows);
  }
  if (!status) number_samples(class, data, is_case, first);
  if (!status) status = gather(class, env, all, first);
  irl_mem_free(&env->allocator, first);
  if (status) irl_bp_class_free(class, &env->allocator);
  return status;
}
