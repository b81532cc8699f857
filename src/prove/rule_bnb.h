/* Branch and bound over rules, clause by clause; see rule_bnb.c. */
#ifndef IRL_PROVE_RULE_BNB_H
#define IRL_PROVE_RULE_BNB_H

#include "base/text.h"
#include "clause/clause_problem.h"
#include "prove/rule_list.h"
#include "search/ending.h"
#include "search/search.h"

typedef struct irl_rule_bnb_task {
  size_t cap;          /* clauses enumerated at a node, at most */
  int64_t target;      /* only rules of less loss are of interest; falls with a better incumbent */
  uint64_t trial_work; /* after so much the search goes on only if it gets on; 0: always */
  const irl_rule_list *list; /* clauses that serve many nodes; NULL: each enumerates its own */
  bool has_no_bound;         /* what is proven already is not used */
  /* For tests and measurements: sizes of clauses do not count, and children stand in another order
   * than a certificate has; clauses of at most so many literals are children of every node by
   * value. */
  bool ignores_sizes;
  uint32_t least_small;
  irl_text *nodes; /* gets the nodes as lines of a certificate; NULL: they are not recorded */
  /* Called for every rule of less loss, if not NULL: the target stays, and all rules in which no
   * literal is superfluous by itself are met, each once. True ends the search. */
  bool (*found)(void *user, const irl_clause *clauses, uint32_t n);
  void *user;
  /* Results. */
  irl_ending ending; /* IRL_ENDED: no rule has less loss than the target, or than the best found
                      * meanwhile; IRL_ENDED_BY_CAP: a node has more clauses than the cap */
  int64_t bound;     /* no rule has less loss */
  double share;      /* about how much of the search is done */
  uint64_t n_nodes;  /* that were recorded */
} irl_rule_bnb_task;

/* The literals of a clause as words of a certificate. */
void irl_rule_bnb_put_literals(irl_text *text, const irl_literal *literals, uint32_t n);

/* Proves, or finds better rules and proves those, unless the limit or the cap ends it. */
irl_status irl_rule_bnb_solve(irl_search *search, const irl_limit *limit, irl_rule_bnb_task *task);

#endif
