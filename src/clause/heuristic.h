/* The heuristic phase. */
#ifndef IRL_CLAUSE_HEURISTIC_H
#define IRL_CLAUSE_HEURISTIC_H

#include "clause/pool.h"
#include "clause/table.h"

typedef struct irl_clause_heuristic_settings {
  uint64_t max_work; /* of the whole phase */
  uint64_t seed;
  uint32_t width; /* of a single pass over all pairs; 0: the usual passes */
} irl_clause_heuristic_settings;

/* Fills the pool, which is empty, with good clauses, best first. */
irl_status irl_clause_heuristic(const irl_clause_search *search,
                                const irl_clause_heuristic_settings *settings,
                                irl_clause_pool *pool);

/* Is the best of the pool so good that even the best of all clauses would not be if labels had
 * nothing to do with features? The chance that one clause covers so many cases among the samples it
 * covers, times the number of clauses, far below one. */
bool irl_clause_is_beyond_chance(const irl_clause_model *model, const irl_clause_pool *pool);

/* Improves the first `n` clauses of the pool by local moves. */
irl_status irl_clause_local_search(const irl_clause_search *search, uint32_t n,
                                   irl_clause_pool *pool);

#endif
