/* The best choice of a few clauses out of a list; see choose.c. */
#ifndef IRL_PROVE_CHOOSE_H
#define IRL_PROVE_CHOOSE_H

#include "base/limit.h"
#include "comm/comm.h"
#include "rule/merge_samples.h"
#include "state/clause_set.h"

typedef struct irl_learn_choosing {
  const irl_merged *merged;
  const irl_clause_set *list; /* covers over the reduced samples */
  uint32_t K;
  uint64_t max_literals; /* of all chosen clauses */
  int64_t target; /* only choices of less loss, in reduced terms, are of interest: no more than
                   * that of no clause */
  double divisor; /* a loss over this is an objective: for the progress line */
  int threads;
  /* Results. */
  uint32_t *chosen; /* room for K; the best choice below the target, */
  uint32_t n;       /* so many clauses; UINT32_MAX: there is none */
  int64_t loss;     /* of it, or the target */
  int64_t bound;    /* no choice has less; `loss` if it is proven */
  uint64_t nodes, work;
} irl_learn_choosing;

/* Where all members of a team have a copy of the reduced samples, they share the search. */
irl_status irl_learn_choose(irl_env *env, const irl_limit *limit, irl_learn_choosing *choosing);
/* What the others do when they are called for it. */
irl_status irl_learn_serve_choose(irl_env *env, irl_message *message);

#endif
