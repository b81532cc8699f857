/* The exact phase. */
#ifndef IRL_CLAUSE_BNB_H
#define IRL_CLAUSE_BNB_H

#include "clause/problem.h"
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

#endif
