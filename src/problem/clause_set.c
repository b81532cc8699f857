#include "problem/clause_set.h"
#include "base/endian.h"
#include "base/memory.h"
#include "rule/literal_columns.h"
#include <xxhash.h>

void irl_clause_set_init(irl_clause_set *pool, const irl_data *data, uint32_t max_size) {
  *pool = (irl_clause_set){.data = data, .allocator = data->allocator, .max_size = max_size};
  /* A set without clauses has the samples too: a rule without clauses misses all cases. */
  pool->cases.n_bits = data->n_cases;
  pool->controls.n_bits = data->n_controls;
  pool->cases.stride = irl_bits_stride(data->n_cases);
  pool->controls.stride = irl_bits_stride(data->n_controls);
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
  return IRL_STATUS_OK;
}

static uint64_t hash_at(const irl_clause_set *pool, size_t k) {
  const irl_bits_matrix *a = &pool->cases, *b = &pool->controls;
  const uint64_t hashes[2] = {XXH3_64bits(irl_bits_vector(a, k), a->stride * sizeof *a->words),
                              XXH3_64bits(irl_bits_vector(b, k), b->stride * sizeof *b->words)};
  return XXH3_64bits(hashes, sizeof hashes);
}

/* The clause with the cover of number k; IRL_HASH_NONE: there is none. */
static uint32_t find_equal(const irl_clause_set *pool, uint64_t hash, size_t k) {
  const irl_bits_matrix *a = &pool->cases, *b = &pool->controls;
  const size_t case_bytes = a->stride * sizeof *a->words,
               control_bytes = b->stride * sizeof *b->words;
  irl_hash_probe probe = irl_hash_probe_start(&pool->index, hash);
  uint32_t at;
  do at = irl_hash_probe_next(&probe);
  while (at != IRL_HASH_NONE &&
         (memcmp(irl_bits_vector(a, at), irl_bits_vector(a, k), case_bytes) ||
          memcmp(irl_bits_vector(b, at), irl_bits_vector(b, k), control_bytes)));
  return at;
}

/* Room for one more clause. */
static irl_status reserve(irl_env *env, irl_clause_set *pool) {
  if (pool->n < pool->capacity) return IRL_STATUS_OK;
  const size_t capacity = pool->capacity + pool->capacity / 4 + 64; /* covers may be large */
  irl_status status = grow_matrix(env, &pool->cases, capacity, pool->data->n_cases);
  if (!status) status = grow_matrix(env, &pool->controls, capacity, pool->data->n_controls);
  if (status) return status;
  uint32_t *sizes = irl_mem_grow(&pool->allocator, pool->sizes, capacity, sizeof *sizes);
  if (sizes) pool->sizes = sizes;
  uint32_t *literals =
      irl_mem_grow(&pool->allocator, pool->literals, capacity * pool->max_size, sizeof *literals);
  if (literals) pool->literals = literals;
  if (!sizes || !literals || !irl_hash_index_reserve(&pool->index, capacity))
    return irl_fail_memory(env);
  pool->capacity = capacity;
  return IRL_STATUS_OK;
}

irl_status irl_clause_set_add(irl_env *env, irl_clause_set *pool, const uint32_t *literals,
                              uint32_t n, uint32_t *number, bool *is_new) {
  assert(n <= pool->max_size);
  for (uint32_t i = 0; i < n; i++)
    assert(irl_literal_feature(literals[i]) < pool->data->n_features &&
           (!i || literals[i - 1] < literals[i]));
  irl_status status = reserve(env, pool);
  if (status) return status;
  const size_t k = pool->n;
  pool->cases.n_vectors = pool->controls.n_vectors = k + 1;
  irl_literals_cover(pool->data, false, literals, n, irl_bits_vector(&pool->cases, k));
  irl_literals_cover(pool->data, true, literals, n, irl_bits_vector(&pool->controls, k));
  const uint64_t hash = hash_at(pool, k);
  size_t at = find_equal(pool, hash, k);
  const bool is_added = at == IRL_HASH_NONE;
  if (is_added) {
    at = pool->n++;
    irl_hash_index_insert(&pool->index, hash, (uint32_t)at); /* has room */
  }
  pool->cases.n_vectors = pool->controls.n_vectors = pool->n;
  if (number) *number = (uint32_t)at;
  if (is_new) *is_new = is_added;
  if (!is_added && pool->sizes[at] <= n) return IRL_STATUS_OK;
  pool->sizes[at] = n;
  memcpy(pool->literals + at * pool->max_size, literals, n * sizeof *literals);
  return IRL_STATUS_OK;
}

irl_status irl_clause_set_take(irl_env *env, irl_clause_set *to, const irl_clause_set *from,
                               uint32_t k, uint32_t *number) {
  assert(to != from && to->data->n_features == from->data->n_features && k < from->n);
  return irl_clause_set_add(env, to, irl_clause_set_literals(from, k), from->sizes[k], number,
                            NULL);
}

irl_status irl_clause_set_add_all(irl_env *env, irl_clause_set *to, const irl_clause_set *from) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t k = 0; k < from->n && !status; k++)
    status = irl_clause_set_take(env, to, from, k, NULL);
  return status;
}

#ifndef NDEBUG
/* Clause k: literals ascending, covers those of the literals, found by its hash. */
static bool is_consistent(const irl_clause_set *pool, size_t k) {
  const irl_bits_matrix *classes[2] = {&pool->cases, &pool->controls};
  const uint32_t *literals = irl_clause_set_literals(pool, k);
  const uint32_t n = pool->sizes[k];
  if (n > pool->max_size || find_equal(pool, hash_at(pool, k), k) != k) return false;
  for (uint32_t i = 0; i < n; i++)
    if (irl_literal_feature(literals[i]) >= pool->data->n_features ||
        (i && literals[i - 1] >= literals[i]))
      return false;
  bool is_same = true;
  for (int class = 0; class < 2 && is_same; class ++) {
    const size_t words = classes[class]->stride;
    uint64_t *cover = irl_mem_alloc_aligned(&pool->allocator, words, sizeof *cover);
    if (!cover) break; /* nothing is known to be wrong */
    irl_literals_cover(pool->data, class, literals, n, cover);
    is_same = !memcmp(cover, irl_bits_vector(classes[class], k), words * sizeof *cover);
    irl_mem_free_aligned(&pool->allocator, cover);
  }
  return is_same;
}

bool irl_clause_set_check(const irl_clause_set *pool) {
  enum { SAMPLE = 16 }; /* clauses that are looked at, first and last among them */
  if (pool->n > pool->capacity || pool->index.n != pool->n) return false;
  if (pool->cases.n_vectors != pool->n || pool->controls.n_vectors != pool->n) return false;
  const size_t step = pool->n / SAMPLE + 1;
  for (size_t k = 0; k < pool->n; k += step)
    if (!is_consistent(pool, k)) return false;
  return !pool->n || is_consistent(pool, pool->n - 1);
}
#endif

irl_cover_counts irl_clause_set_count(const irl_clause_set *pool, const uint32_t *clauses,
                                      uint32_t n, uint64_t *scratch) {
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t case_words = pool->data->cases.stride, control_words = pool->data->controls.stride;
  uint64_t *cases = scratch, *controls = scratch + case_words;
  irl_cover_counts counts = {0};
  memset(scratch, 0, (case_words + control_words) * sizeof *scratch);
  for (uint32_t i = 0; i < n; i++) {
    assert(clauses[i] < pool->n);
    const uint64_t *cover = irl_bits_vector(&pool->controls, clauses[i]);
    kernels->or_into(cases, cases, irl_bits_vector(&pool->cases, clauses[i]), case_words);
    kernels->or_into(controls, controls, cover, control_words);
    counts.control_covers += irl_data_weigh(pool->data, 1, cover);
    counts.literals += pool->sizes[clauses[i]];
  }
  counts.cases = irl_data_weigh(pool->data, 0, cases);
  counts.controls = irl_data_weigh(pool->data, 1, controls);
  assert(counts.control_covers >= counts.controls);
  return counts;
}

void irl_clause_set_copy(const irl_clause_set *pool, const uint32_t *clauses, uint32_t n,
                         uint32_t *sizes, uint32_t *literals) {
  for (uint32_t i = 0; i < n; i++, literals += pool->max_size) {
    assert(clauses[i] < pool->n && pool->sizes[clauses[i]] <= pool->max_size);
    sizes[i] = pool->sizes[clauses[i]];
    memcpy(literals, irl_clause_set_literals(pool, clauses[i]), sizes[i] * sizeof *literals);
  }
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
