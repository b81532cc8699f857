/* Proving by a list of all clauses that matter; see listed.c. */
#ifndef IRL_LEARN_LISTED_H
#define IRL_LEARN_LISTED_H

#include "learn/learner.h"

typedef struct irl_learn_listing {
  size_t cap; /* clauses, at most */
  /* Results. */
  bool is_full;  /* ended because the list would be longer than the cap */
  int64_t bound; /* no rule has less loss; IRL_SELECT_NO_LOSS: none has less than the best */
} irl_learn_listing;

/* Proves, or finds better rules and proves those, unless the limit or the cap ends it. */
irl_status irl_learn_list(irl_learner *learner, const irl_limit *limit, irl_learn_listing *listing);

#endif
