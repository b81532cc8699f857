/* The samples of one class; equal ones become one with a weight. Their rows of bits are hashed, and
 * an open hash table finds the group of each. */
#include "base/memory.h"
#include "milp/bp.h"
#include <xxhash.h>

void irl_bp_class_free(irl_bp_class *class, const irl_allocator *allocator) {
  irl_bits_matrix_free(&class->bits);
  irl_mem_free(allocator, class->weight);
  irl_mem_free(allocator, class->sample);
  *class = (irl_bp_class){0};
}

/* sample[i] = the number in the file of the i-th sample of the class. */
static void number_samples(irl_bp_class *class, const irl_data *data, bool is_case) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < data->n_samples; i++)
    if (irl_bits_get(data->labels, i) == is_case) class->sample[n++] = i + 1;
}

/* Merges by the rows; first[g] is a sample of group g. */
static irl_status merge(irl_bp_class *class, irl_env *env, const irl_bits_matrix *rows,
                        uint32_t *first) {
  const size_t bytes = rows->stride * sizeof *rows->words;
  size_t n_slots = 16;
  while (n_slots < 2 * rows->n_vectors) n_slots *= 2;
  uint32_t *slots = irl_mem_alloc(&env->allocator, n_slots, sizeof *slots);
  if (!slots) return irl_fail_memory(env);
  class->n = 0;
  for (uint32_t i = 0; i < rows->n_vectors; i++) {
    const uint64_t *row = irl_bits_vector(rows, i);
    size_t slot = XXH3_64bits(row, bytes) & (n_slots - 1);
    while (slots[slot] && memcmp(irl_bits_vector(rows, first[slots[slot] - 1]), row, bytes))
      slot = (slot + 1) & (n_slots - 1);
    if (!slots[slot]) {
      first[class->n] = i;
      class->sample[class->n] = class->sample[i];
      slots[slot] = ++class->n;
    }
    class->weight[slots[slot] - 1]++;
  }
  irl_mem_free(&env->allocator, slots);
  return IRL_OK;
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
  class->weight = irl_mem_alloc(&env->allocator, n, sizeof *class->weight);
  class->sample = irl_mem_alloc(&env->allocator, n, sizeof *class->sample);
  uint32_t *first = irl_mem_alloc(&env->allocator, n, sizeof *first);
  irl_status status = class->weight && class->sample && first ? irl_data_check_whole(env, data)
                                                              : irl_fail_memory(env);
  if (!status) number_samples(class, data, is_case);
  if (!status && merges) {
    status = irl_bits_transposed(env, all, &rows, 1);
    if (!status) status = merge(class, env, &rows, first);
    irl_bits_matrix_free(&rows);
  }
  for (uint32_t i = 0; i < n && !merges && !status; i++) {
    first[i] = i;
    class->weight[i] = 1;
  }
  if (!status) status = gather(class, env, all, first);
  irl_mem_free(&env->allocator, first);
  if (status) irl_bp_class_free(class, &env->allocator);
  return status;
}
