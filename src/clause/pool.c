#include "clause/pool.h"
#include "base/memory.h"

bool irl_clause_pool_init(irl_clause_pool *pool, const irl_allocator *allocator,
                          uint32_t capacity) {
  *pool = (irl_clause_pool){.allocator = *allocator, .capacity = capacity};
  pool->clauses = irl_mem_alloc(allocator, (size_t)capacity + 1, sizeof *pool->clauses);
  pool->hashes = irl_mem_alloc(allocator, (size_t)capacity + 1, sizeof *pool->hashes);
  if (pool->clauses && pool->hashes) return true;
  irl_clause_pool_free(pool);
  return false;
}

void irl_clause_pool_free(irl_clause_pool *pool) {
  if (!pool->allocator.resize) return;
  irl_mem_free(&pool->allocator, pool->clauses);
  irl_mem_free(&pool->allocator, pool->hashes);
  *pool = (irl_clause_pool){0};
}

static void remove_at(irl_clause_pool *pool, uint32_t i) {
  pool->n--;
  memmove(pool->clauses + i, pool->clauses + i + 1, (pool->n - i) * sizeof *pool->clauses);
  memmove(pool->hashes + i, pool->hashes + i + 1, (pool->n - i) * sizeof *pool->hashes);
}

void irl_clause_pool_add(irl_clause_pool *pool, const irl_clause *clause, uint64_t hash) {
  for (uint32_t i = 0; i < pool->n; i++)
    if (pool->hashes[i] == hash) {
      if (!irl_clause_better(clause, &pool->clauses[i])) return;
      remove_at(pool, i);
      break;
    }
  uint32_t at = pool->n;
  while (at && irl_clause_better(clause, &pool->clauses[at - 1])) at--;
  if (at == pool->capacity) return;
  if (pool->n == pool->capacity) pool->n--;
  memmove(pool->clauses + at + 1, pool->clauses + at, (pool->n - at) * sizeof *pool->clauses);
  memmove(pool->hashes + at + 1, pool->hashes + at, (pool->n - at) * sizeof *pool->hashes);
  pool->clauses[at] = *clause;
  pool->hashes[at] = hash;
  pool->n++;
}
