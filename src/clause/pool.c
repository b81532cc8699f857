#include "clause/pool.h"
#include "base/memory.h"
#include <stdlib.h>

bool irl_clause_pool_init(irl_clause_pool *pool, const irl_allocator *allocator,
                          uint32_t capacity) {
  *pool = (irl_clause_pool){.allocator = *allocator, .capacity = capacity, .least = INT64_MIN};
  irl_hash_index_init(&pool->index, allocator);
  pool->clauses = irl_mem_grow(allocator, NULL, 2 * (size_t)capacity + 1, sizeof *pool->clauses);
  if (pool->clauses && irl_hash_index_reserve(&pool->index, capacity)) return true;
  irl_clause_pool_free(pool);
  return false;
}

void irl_clause_pool_free(irl_clause_pool *pool) {
  if (!pool->allocator.resize) return;
  irl_mem_free(&pool->allocator, pool->clauses);
  irl_hash_index_free(&pool->index);
  *pool = (irl_clause_pool){0};
}

static int compare(const void *a, const void *b) {
  return irl_clause_better(a, b) ? -1 : irl_clause_better(b, a);
}

#ifndef NDEBUG
bool irl_clause_pool_check(const irl_clause_pool *pool) {
  if (pool->n > pool->capacity || pool->index.n != pool->n) return false;
  for (uint32_t i = 0; i < pool->n; i++)
    if (!irl_clause_is_ascending(&pool->clauses[i]) ||
        !irl_clause_pool_wants(pool, pool->clauses[i].value) ||
        (i && !irl_clause_better(&pool->clauses[i - 1], &pool->clauses[i])))
      return false;
  return true;
}
#endif

void irl_clause_pool_trim(irl_clause_pool *pool) {
  uint32_t n = 0;
  assert(pool->n <= 2 * pool->capacity);
  qsort(pool->clauses, pool->n, sizeof *pool->clauses, compare);
  irl_hash_index_reset(&pool->index, pool->capacity); /* has its memory */
  for (uint32_t i = 0; i < pool->n && n < pool->capacity; i++) {
    const uint64_t hash = pool->clauses[i].hash; /* of 64 bits: stands for the cover */
    irl_hash_probe probe = irl_hash_probe_start(&pool->index, hash);
    uint32_t k;
    do k = irl_hash_probe_next(&probe);
    while (k != IRL_HASH_NONE && pool->clauses[k].hash != hash);
    if (k != IRL_HASH_NONE) continue;
    irl_hash_index_insert(&pool->index, hash, n);
    pool->clauses[n++] = pool->clauses[i];
  }
  pool->n = n;
  if (n && n == pool->capacity) {
    assert(pool->clauses[n - 1].value >= pool->least);
    pool->least = pool->clauses[n - 1].value;
  }
  assert(irl_clause_pool_check(pool));
}

void irl_clause_pool_add(irl_clause_pool *pool, const irl_clause *clause) {
  assert(clause->n && irl_clause_is_ascending(clause));
  if (!irl_clause_pool_wants(pool, clause->value)) return;
  if (pool->n == 2 * pool->capacity) irl_clause_pool_trim(pool);
  pool->clauses[pool->n++] = *clause;
}
