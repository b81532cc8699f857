/* Which cases to give away before clauses are listed; see multipliers.c. */
#ifndef IRL_PROVE_MULTIPLIERS_H
#define IRL_PROVE_MULTIPLIERS_H

#include "rule/merge_samples.h"
#include "state/clause_set.h"

typedef struct irl_multipliers {
  const irl_merged *merged;
  const irl_clause_set *known; /* covers over the reduced samples */
  uint32_t K;
  int64_t required_gain; /* what a better rule must gain, */
  int64_t budget;        /* and what it may pay for controls: clauses that pay more do not count */
  uint64_t *relaxed;     /* bits over the reduced cases: a set to start from, and the result */
  /* Results. */
  int64_t weight;  /* of them */
  int64_t largest; /* value of a known clause without them, at least need - weight */
  uint64_t work;
} irl_multipliers;

irl_status irl_multipliers_search(irl_env *env, irl_multipliers *task);

#endif
