/* The good clauses of a search, each live cover once: the best `capacity` of all that came, in
 * whatever order they came. They are sorted and cut now and then, not at each addition, so that a
 * pool of thousands costs no more per clause than a small one; trim does it before reading. A type
 * of its own, because it sorts whole clauses and forgets the worse ones, where irl_clause_array
 * keeps millions in few bytes each and irl_clause_set keeps covers. */
#ifndef IRL_CLAUSE_POOL_H
#define IRL_CLAUSE_POOL_H

#include "base/hash_index.h"
#include "clause/clause_problem.h"

typedef struct irl_clause_pool {
  irl_allocator allocator;
  irl_clause *clauses;  /* room for twice the capacity */
  irl_hash_index index; /* by cover, used while trimming */
  uint32_t n, capacity;
  int64_t least; /* a lower value is not among the best */
} irl_clause_pool;

bool irl_clause_pool_init(irl_clause_pool *pool, const irl_allocator *allocator, uint32_t capacity);
void irl_clause_pool_free(irl_clause_pool *pool);
/* Would a clause of this value have a chance? */
static inline bool irl_clause_pool_wants(const irl_clause_pool *pool, int64_t value) {
  return value >= pool->least;
}
/* The clause carries the hash of its cover. */
void irl_clause_pool_add(irl_clause_pool *pool, const irl_clause *clause);
/* Afterwards `clauses` are sorted, best first, and at most `capacity`. */
void irl_clause_pool_trim(irl_clause_pool *pool);
/* Is it trimmed: sorted, each cover once, none below the least value? For assertions. */
bool irl_clause_pool_check(const irl_clause_pool *pool);

#endif
