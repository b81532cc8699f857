/* The nested exact search over rules; see nest.c. */
#ifndef IRL_LEARN_NEST_H
#define IRL_LEARN_NEST_H

#include "learn/learner.h"

/* Proves that no rule is better than the best (or finds better ones and proves those), unless the
 * limit or the cap on the clauses listed at a node ends it: then *is_proven is false, and *is_full
 * says that it was the cap. */
irl_status irl_learn_nest(irl_learner *learner, const irl_limit *limit, size_t cap, bool *is_proven,
                          bool *is_full);

#endif
