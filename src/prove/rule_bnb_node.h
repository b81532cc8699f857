/* What the parts of the rule branch and bound share; see rule_bnb.c. */
#ifndef IRL_PROVE_RULE_BNB_NODE_H
#define IRL_PROVE_RULE_BNB_NODE_H

#include "base/arena.h"
#include "clause/enumerate.h"
#include "prove/rule_bnb.h"

typedef struct irl_rule_bnb_level {
  uint64_t *cases, *controls; /* uncovered */
  irl_clause_array clauses;   /* one of them is part of a better rule */
  int64_t *scaled;            /* weights of the cases, times the clauses left; NULL: all the same */
  uint32_t *order;            /* the children: numbers of clauses, by falling value */
  size_t n_order, order_capacity;
  size_t n_done; /* children that are closed */
  bool is_cover; /* enumerated by cover, not by value: values are no bounds then */
} irl_rule_bnb_level;

/* Covers of closed clauses on what is uncovered at a node. */
typedef struct irl_rule_dominators {
  size_t n;
  uint64_t *covers; /* cases, then controls; NULL before the first is needed */
  uint32_t *sizes;
} irl_rule_dominators;

typedef struct irl_rule_bnb {
  irl_learner *learner;
  const irl_merged *merged; /* what is counted here: losses are in its terms */
  const irl_data *data;
  int64_t target, bound;
  irl_limit limit; /* for a trial less work than in the end: */
  uint64_t max_work;
  irl_rule_bnb_task *task;
  uint64_t start;  /* work before it */
  irl_arena arena; /* of all vectors */
  irl_rule_bnb_level levels[IRL_LEARN_MAX_K + 1];
  irl_clause path[IRL_LEARN_MAX_K];
  irl_clause_array closed; /* earlier siblings of the node and its ancestors */
  irl_rule_dominators dominators;
  int threads;
  bool is_cut;
  double last_line; /* of progress: when */
} irl_rule_bnb;

/* A node: what is chosen so far, and a bound on what may come of it. */
typedef struct irl_rule_bnb_node {
  uint32_t n; /* clauses */
  int64_t cost_so_far, uncovered;
  uint64_t controls, literals;
  int64_t bound;
} irl_rule_bnb_node;

static inline int64_t irl_rule_bnb_loss(const irl_rule_bnb_node *at) {
  return at->cost_so_far + at->uncovered;
}

/* rule_dominance.c */
/* What the clause covers of the live samples of one class. */
void irl_rule_bnb_cover(const irl_data *data, bool is_control, const irl_clause *clause,
                        const uint64_t *live, uint64_t *cover);
/* The clauses of a level by falling value. */
irl_status irl_rule_bnb_sort(irl_rule_bnb *s, irl_rule_bnb_level *here);
/* Drops the children that others dominate. */
irl_status irl_rule_bnb_drop_dominated(irl_rule_bnb *s, const irl_rule_bnb_node *at);
/* Where all rules are wanted: drops what was branched on before, and longer forms of clauses. */
irl_status irl_rule_bnb_drop_repeated(irl_rule_bnb *s, const irl_rule_bnb_node *at);

#endif
