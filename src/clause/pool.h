/* The good clauses of a search: sorted best first, each live cover once. */
#ifndef IRL_CLAUSE_POOL_H
#define IRL_CLAUSE_POOL_H

#include "clause/problem.h"

typedef struct irl_clause_pool {
  irl_allocator allocator;
  irl_clause *clauses;
  uint64_t *hashes; /* of the covers */
  uint32_t n, capacity;
} irl_clause_pool;

bool irl_clause_pool_init(irl_clause_pool *pool, const irl_allocator *allocator, uint32_t capacity);
void irl_clause_pool_free(irl_clause_pool *pool);
/* Would a clause of this value have a chance? */
static inline bool irl_clause_pool_wants(const irl_clause_pool *pool, int64_t value) {
  return pool->n < pool->capacity || value >= pool->clauses[pool->n - 1].value;
}
/* The best `capacity` clauses with different covers, whatever the order in which they come. */
void irl_clause_pool_add(irl_clause_pool *pool, const irl_clause *clause, uint64_t hash);

#endif
