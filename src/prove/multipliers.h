/* 0/1 multipliers of cases, by which few clauses can be part of a better rule; see multipliers.c.
 */
#ifndef IRL_PROVE_MULTIPLIERS_H
#define IRL_PROVE_MULTIPLIERS_H

#include "rule/merge_samples.h"
#include "state/clause_set.h"

typedef struct irl_multipliers {
  const irl_merged *merged;
  const irl_clause_set *known; /* covers over the merged samples */
  uint32_t K;
  int64_t required_gain; /* of a better rule against no rule */
  int64_t budget;        /* for its controls: clauses that cost more do not count */
  uint64_t *relaxed;     /* cases with multiplier 1: a set to start from, and the result */
  /* Results. */
  int64_t weight;  /* of the relaxed cases */
  int64_t largest; /* value of a known clause, or required_gain - weight if that is more */
  uint64_t work;
} irl_multipliers;

irl_status irl_multipliers_search(irl_env *env, irl_multipliers *task);

#endif
