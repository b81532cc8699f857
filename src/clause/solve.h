/* The exact phase, and both phases: find, then prove. */
#ifndef IRL_CLAUSE_SOLVE_H
#define IRL_CLAUSE_SOLVE_H

#include "clause/pool.h"
#include "clause/table.h"

typedef struct irl_clause_result {
  irl_outcome outcome; /* optimal, infeasible, limit, interrupted */
  irl_clause best;     /* n = 0: none */
  int64_t bound;       /* no clause is better */
  uint64_t nodes, work;
} irl_clause_result;

/* Proves the best clause or improves on `start` (NULL: none) up to the limit. */
irl_status irl_clause_bnb(irl_env *env, const irl_clause_model *model, const irl_limit *limit,
                          int threads, const irl_clause *start, irl_clause_result *result);

typedef struct irl_clause_effort {
  int threads;
  uint64_t seed;
  bool proves; /* without a limit of its own */
} irl_clause_effort;

/* `pool` gets the good clauses that were met; NULL: nobody wants them. */
irl_status irl_clause_problem_solve(irl_env *env, const irl_clause_problem *problem,
                                    const irl_limit *limit, const irl_clause_effort *effort,
                                    irl_clause_pool *pool, irl_clause_result *result);

#endif
