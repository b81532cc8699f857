/* Which cases to give away before clauses are listed; see give.c. */
#ifndef IRL_LEARN_GIVE_H
#define IRL_LEARN_GIVE_H

#include "learn/learn_pool.h"
#include "learn/reduced.h"

typedef struct irl_learn_giving {
  const irl_learn_reduced *reduced;
  const irl_learn_pool *known; /* covers over the reduced samples */
  uint32_t K;
  int64_t need;    /* what a better rule must gain, */
  int64_t room;    /* and what it may pay for controls: clauses that pay more do not count */
  uint64_t *given; /* bits over the reduced cases: a set to start from, and the result */
  /* Results. */
  int64_t weight;  /* of them */
  int64_t largest; /* value of a known clause without them, at least need - weight */
  uint64_t work;
} irl_learn_giving;

irl_status irl_learn_give(irl_env *env, irl_learn_giving *giving);

#endif
