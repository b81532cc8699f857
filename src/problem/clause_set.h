/* The pool of learning: clauses of a data set with their covers, each cover once, the shortest
 * clause for it. A type of its own, because selections want all covers of a class side by side;
 * clauses without covers are an irl_clause_array, the best few of a search an irl_clause_pool. */
#ifndef IRL_PROBLEM_CLAUSE_SET_H
#define IRL_PROBLEM_CLAUSE_SET_H

#include "base/hash_index.h"
#include "problem/problem.h"

#define IRL_CLAUSE_SET_CLOCK 4096u /* clauses that are added between two looks at the clock */

typedef struct irl_clause_set {
  const irl_data *data;
  irl_allocator allocator;
  uint32_t max_size;
  size_t n, capacity;
  irl_bits_matrix cases, controls; /* a cover per clause; n_vectors is n */
  uint32_t *sizes;
  uint32_t *literals;   /* max_size each, ascending */
  irl_hash_index index; /* by cover */
} irl_clause_set;

void irl_clause_set_init(irl_clause_set *pool, const irl_data *data, uint32_t max_size);
void irl_clause_set_free(irl_clause_set *pool);
/* `*number`: where the clause or one with its cover stands; `*is_new`: it was not there. Either may
 * be NULL. */
irl_status irl_clause_set_add(irl_env *env, irl_clause_set *pool, const uint32_t *literals,
                              uint32_t n, uint32_t *number, bool *is_new);

/* Adds a clause, or all, of another set, which may be over other samples. */
irl_status irl_clause_set_take(irl_env *env, irl_clause_set *to, const irl_clause_set *from,
                               uint32_t k, uint32_t *number);
irl_status irl_clause_set_add_all(irl_env *env, irl_clause_set *to, const irl_clause_set *from);
/* Are clauses, covers and hash consistent? Looks at a sample of the clauses; for assertions. */
bool irl_clause_set_check(const irl_clause_set *pool);

/* `scratch` has room for a vector of cases and one of controls. */
irl_cover_counts irl_clause_set_count(const irl_clause_set *pool, const uint32_t *clauses,
                                      uint32_t n, uint64_t *scratch);

/* Sizes and literals of some clauses, max_size each, for a rule. */
void irl_clause_set_copy(const irl_clause_set *pool, const uint32_t *clauses, uint32_t n,
                         uint32_t *sizes, uint32_t *literals);

/* Of all clauses, in order. */
uint64_t irl_clause_set_hash(const irl_clause_set *pool);

static inline const uint32_t *irl_clause_set_literals(const irl_clause_set *pool, size_t k) {
  return pool->literals + k * pool->max_size;
}

#endif
