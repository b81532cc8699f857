/* The nested exact search over rules; see rule_bnb.c. */
#ifndef IRL_PROVE_RULE_BNB_H
#define IRL_PROVE_RULE_BNB_H

#include "base/text.h"
#include "state/learner.h"

typedef struct irl_rule_bnb_task {
  size_t cap;       /* clauses listed at a node, at most */
  int64_t target;   /* only rules of less loss are of interest */
  uint64_t trial;   /* for the children of the root, unless it gets on; 0: all there is */
  irl_text *record; /* gets the nodes of the proof as lines of a certificate; may be NULL */
  /* Called for every rule of less loss, if not NULL: the target stays, and all rules in which no
   * literal is superfluous by itself are met, each once. True ends the search. */
  bool (*found)(void *user, const irl_clause *clauses, uint32_t n);
  void *user;
  /* Results. */
  bool is_proven; /* no rule has less loss than the target, or than the best found meanwhile */
  bool is_full;   /* ended because a list would be longer than the cap */
  int64_t bound;  /* no rule has less loss */
  double share;   /* about how much of the search is done */
} irl_rule_bnb_task;

/* Proves, or finds better rules and proves those, unless the limit or the cap ends it. */
irl_status irl_rule_bnb_solve(irl_learner *learner, const irl_limit *limit,
                              irl_rule_bnb_task *task);

#endif
