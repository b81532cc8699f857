/* The pool of learning: clauses of a data set with their covers, each cover once, the shortest
 * clause for it. */
#ifndef IRL_LEARN_LEARN_POOL_H
#define IRL_LEARN_LEARN_POOL_H

#include "clause/problem.h"

typedef struct irl_learn_pool {
  const irl_data *data;
  irl_allocator allocator;
  uint32_t max_literals;
  size_t n, capacity;
  irl_bits_matrix cases, controls; /* a cover per clause; n_vectors is n */
  uint32_t *sizes;
  uint32_t *literals; /* max_literals each, ascending */
  uint32_t *slots;    /* hash of the cover -> number + 1 */
  size_t n_slots;
} irl_learn_pool;

void irl_learn_pool_init(irl_learn_pool *pool, const irl_data *data, uint32_t max_literals);
void irl_learn_pool_free(irl_learn_pool *pool);
/* `*number`: where the clause or one with its cover stands; `*is_new`: it was not there. */
irl_status irl_learn_pool_add(irl_env *env, irl_learn_pool *pool, const uint32_t *literals,
                              uint32_t n, uint32_t *number, bool *is_new);

/* Of all clauses, in order. */
uint64_t irl_learn_pool_hash(const irl_learn_pool *pool);

static inline const uint32_t *irl_learn_pool_literals(const irl_learn_pool *pool, size_t k) {
  return pool->literals + k * pool->max_literals;
}

#endif
