/* Both phases: find, then prove. */
#ifndef IRL_CLAUSE_SOLVE_H
#define IRL_CLAUSE_SOLVE_H

#include "clause/bnb.h"
#include "clause/pool.h"

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
