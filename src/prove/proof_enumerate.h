/* Proving by an enumeration of all clauses that a better rule may hold; see proof_enumerate.c. */
#ifndef IRL_PROVE_PROOF_ENUMERATE_H
#define IRL_PROVE_PROOF_ENUMERATE_H

#include "state/learner.h"

typedef struct irl_proof_enumeration {
  size_t cap; /* clauses, at most */
  /* Results. */
  bool is_full;  /* ended because there are more clauses than the cap */
  int64_t bound; /* no rule has less loss; IRL_SELECT_NO_LOSS: none has less than the best */
  irl_proof_evidence evidence; /* target -1: there is none; the caller's to free */
} irl_proof_enumeration;

/* Proves, or finds better rules and proves those, unless the limit or the cap ends it. */
irl_status irl_proof_enumerate(irl_learner *learner, const irl_limit *limit,
                               irl_proof_enumeration *task);

#endif
