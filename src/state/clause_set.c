#include "state/clause_set.h"
#include "base/endian.h"
#include "base/memory.h"
#include "rule/literal_columns.h"
#include <xxhash.h>

void irl_clause_set_init(irl_clause_set *pool, const irl_data *data, uint32_t max_literals) {
  *pool =
      (irl_clause_set){.data = data, .allocator = data->allocator, .max_literals = max_literals};
  irl_hash_index_init(&pool->index, &data->allocator);
}

void irl_clause_set_free(irl_clause_set *pool) {
  irl_bits_matrix_free(&pool->cases);
  irl_bits_matrix_free(&pool->controls);
  irl_mem_free(&pool->allocator, pool->sizes);
  irl_mem_free(&pool->allocator, pool->literals);
  irl_hash_index_free(&pool->index);
}

static irl_status grow_matrix(irl_env *env, irl_bits_matrix *matrix, size_t capacity,
                              size_t n_bits) {
  irl_bits_matrix grown;
  const irl_status status = irl_bits_matrix_init(env, &grown, capacity, n_bits);
  if (status) return status;
  grown.n_vectors = matrix->n_vectors;
  if (matrix->words)
    memcpy(grown.words, matrix->words, matrix->n_vectors * matrix->stride * sizeof *grown.words);
  irl_bits_matrix_free(matrix);
  *matrix = grown;
  return IRL_OK;
}

static uint64_t hash_at(const irl_clause_set *pool, size_t k) {
  const irl_bits_matrix *a = &pool->cases, *b = &pool->controls;
  const uint64_t hashes[2] = {XXH3_64bits(a->words + k * a->stride, a->stride * sizeof *a->words),
                              XXH3_64bits(b->words + k * b->stride, b->stride * sizeof *b->words)};
  return XXH3_64bits(hashes, sizeof hashes);
}

static bool are_equal(const irl_clause_set *pool, size_t i, size_t k) {
  const irl_bits_matrix *a = &pool->cases, *b = &pool->controls;
  return !memcmp(a->words + i * a->stride, a->words + k * a->stride,
                 a->stride * sizeof *a->words) &&
         !memcmp(b->words + i * b->stride, b->words + k * b->stride, b->stride * sizeof *b->words);
}

/* Room for one more clause. */
static irl_status reserve(irl_env *env, irl_clause_set *pool) {
  if (pool->n < pool->capacity) return IRL_OK;
  const size_t capacity = pool->capacity + pool->capacity / 4 + 64; /* covers may be large */
  irl_status status = grow_matrix(env, &pool->cases, capacity, pool->data->n_cases);
  if (!status) status = grow_matrix(env, &pool->controls, capacity, pool->data->n_controls);
  if (status) return status;
  uint32_t *sizes = irl_mem_grow(&pool->allocator, pool->sizes, capacity, sizeof *sizes);
  if (sizes) pool->sizes = sizes;
  uint32_t *literals = irl_mem_grow(&pool->allocator, pool->literals, capacity * pool->max_literals,
                                    sizeof *literals);
  if (literals) pool->literals = literals;
  if (!sizes || !literals || !irl_hash_index_reserve(&pool->index, capacity))
    return irl_fail_memory(env);
  pool->capacity = capacity;
  return IRL_OK;
}

irl_status irl_clause_set_add(irl_env *env, irl_clause_set *pool, const uint32_t *literals,
                              uint32_t n, uint32_t *number, bool *is_new) {
  assert(n <= pool->max_literals);
  irl_status status = reserve(env, pool);
  if (!status) status = irl_literals_want(env, pool->data, literals, n);
  if (status) return status;
  const size_t k = pool->n;
  pool->cases.n_vectors = pool->controls.n_vectors = k + 1;
  irl_literals_cover(pool->data, false, literals, n, irl_bits_vector(&pool->cases, k));
  irl_literals_cover(pool->data, true, literals, n, irl_bits_vector(&pool->controls, k));
  const uint64_t hash = hash_at(pool, k);
  irl_hash_probe probe = irl_hash_probe_start(&pool->index, hash);
  do *number = irl_hash_probe_next(&probe);
  while (*number != IRL_HASH_NONE && !are_equal(pool, *number, k));
  *is_new = *number == IRL_HASH_NONE;
  if (*is_new) {
    *number = (uint32_t)k;
    irl_hash_index_insert(&pool->index, hash, *number);
    pool->n++;
  }
  pool->cases.n_vectors = pool->controls.n_vectors = pool->n;
  if (!*is_new && pool->sizes[*number] <= n) return IRL_OK;
  pool->sizes[*number] = n;
  memcpy(pool->literals + (size_t)*number * pool->max_literals, literals, n * sizeof *literals);
  return IRL_OK;
}

uint64_t irl_clause_set_hash(const irl_clause_set *pool) {
  uint64_t hash = pool->n;
  for (size_t k = 0; k < pool->n; k++)
    for (uint32_t i = 0; i <= pool->sizes[k]; i++) {
      const uint32_t next = i ? irl_clause_set_literals(pool, k)[i - 1] : pool->sizes[k];
      hash = irl_endian_hash((const uint64_t[]){hash, next}, 2);
    }
  return hash;
}
