/* Generating clauses for the pool of a search; generate_clauses.c. */
#ifndef IRL_CLAUSE_GENERATE_CLAUSES_H
#define IRL_CLAUSE_GENERATE_CLAUSES_H

#include "clause/pool.h"
#include "search/search.h"

/* What to ask of the clause engine. */
typedef struct irl_subproblem {
  irl_problem goal; /* its data, weights of the classes, M, negations and limit on controls count */
  const uint64_t *live_cases, *live_controls; /* NULL: all */
  uint64_t max_work;
  uint32_t width;    /* of a single pass over all pairs; 0: the usual passes */
  uint32_t n_wanted; /* clauses for the pool: the best ones; 0: few, but varied */
  /* One per case (NULL: the class has one): then only clauses are wanted that are worth min_value
   * and literal_weight for each literal. */
  const int64_t *case_weights;
  int64_t min_value, literal_weight;
} irl_subproblem;

/* What a search brought. */
typedef struct irl_generated {
  uint32_t n_new; /* clauses that were not in the pool */
  bool is_chance; /* the best one might be chance, though the search went far */
  bool is_small;  /* K clauses like the best one do not cover what is live */
} irl_generated;

/* Generates clauses and puts the good and varied ones into the pool; generate_clauses.c. */
irl_status irl_search_generate(irl_search *search, const irl_subproblem *subproblem,
                               irl_generated *generated);
/* Generates clauses with true positives before all else: the most live cases within a budget. */
irl_status irl_search_generate_within(irl_search *search, const uint64_t *live_cases,
                                      uint64_t budget, uint64_t max_work, irl_generated *generated);

/* Clauses of one search that go to the pool, at most: few where their covers are large, so that
 * selections stay fast. */
uint32_t irl_search_n_added(const irl_search *search);

#endif
