#include "clause/pool.h"
#include "base/memory.h"
#include <stdlib.h>

bool irl_clause_pool_init(irl_clause_pool *pool, const irl_allocator *allocator,
                          uint32_t capacity) {
  *pool = (irl_clause_pool){.allocator = *allocator, .capacity = capacity, .n_slots = 64};
  while (pool->n_slots < 4 * (uint64_t)capacity) pool->n_slots *= 2;
  pool->least = INT64_MIN;
  pool->clauses = irl_mem_grow(allocator, NULL, 2 * (size_t)capacity + 1, sizeof *pool->clauses);
  pool->slots = irl_mem_grow(allocator, NULL, pool->n_slots, sizeof *pool->slots);
  if (pool->clauses && pool->slots) return true;
  irl_clause_pool_free(pool);
  return false;
}

void irl_clause_pool_free(irl_clause_pool *pool) {
  if (!pool->allocator.resize) return;
  irl_mem_free(&pool->allocator, pool->clauses);
  irl_mem_free(&pool->allocator, pool->slots);
  *pool = (irl_clause_pool){0};
}

static int compare(const void *a, const void *b) {
  return irl_clause_better(a, b) ? -1 : irl_clause_better(b, a);
}

/* Is this cover new? Then clause `i` stands for it. */
static bool claim(irl_clause_pool *pool, uint32_t i, uint64_t hash) {
  uint32_t slot = (uint32_t)hash & (pool->n_slots - 1);
  for (; pool->slots[slot]; slot = (slot + 1) & (pool->n_slots - 1))
    if (pool->clauses[pool->slots[slot] - 1].hash == hash) return false;
  pool->slots[slot] = i + 1;
  return true;
}

void irl_clause_pool_settle(irl_clause_pool *pool) {
  uint32_t n = 0;
  qsort(pool->clauses, pool->n, sizeof *pool->clauses, compare);
  memset(pool->slots, 0, pool->n_slots * sizeof *pool->slots);
  for (uint32_t i = 0; i < pool->n && n < pool->capacity; i++)
    if (claim(pool, n, pool->clauses[i].hash)) pool->clauses[n++] = pool->clauses[i];
  pool->n = n;
  if (n && n == pool->capacity) pool->least = pool->clauses[n - 1].value;
}

void irl_clause_pool_add(irl_clause_pool *pool, const irl_clause *clause) {
  if (!irl_clause_pool_wants(pool, clause->value)) return;
  if (pool->n == 2 * pool->capacity) irl_clause_pool_settle(pool);
  pool->clauses[pool->n++] = *clause;
}
