/* What the parts of the rule branch and bound share; see rule_bnb_node.c. */
#ifndef IRL_PROVE_RULE_BNB_NODE_H
#define IRL_PROVE_RULE_BNB_NODE_H

#include "base/arena.h"
#include "clause/enumerate.h"
#include "prove/rule_bnb.h"

/* A node: what is chosen so far, and a bound on what may come of it. */
typedef struct irl_rule_bnb_node {
  uint32_t n; /* clauses */
  int64_t cost_so_far, uncovered;
  uint64_t controls, literals;
  uint32_t closed_size; /* clauses of at most so many literals are all closed */
  int64_t bound;
} irl_rule_bnb_node;

static inline int64_t irl_rule_bnb_loss(const irl_rule_bnb_node *at) {
  return at->cost_so_far + at->uncovered;
}

typedef struct irl_rule_bnb_level {
  irl_rule_bnb_node node;
  int64_t base;               /* what a value is taken from to give a bound */
  uint64_t *cases, *controls; /* uncovered */
  irl_clause_array clauses;   /* one of them is part of a better rule */
  int64_t *scaled;            /* weights of all samples, times those of a value; NULL: none */
  uint32_t *order;            /* the children: numbers of clauses, by falling value */
  size_t n_order, order_capacity;
  size_t n_closed; /* clauses that were closed when the node was entered */
  bool is_cover;   /* enumerated by cover, not by value: values are no bounds then */
  bool is_listed;  /* its clauses are those of the task's list */
  uint32_t small;  /* all clauses of at most so many literals are children, and the first ones */
} irl_rule_bnb_level;

/* Covers of closed clauses on what is uncovered at a node. */
typedef struct irl_rule_dominators {
  size_t n;
  uint64_t *covers; /* cases, then controls; NULL before the first is needed */
  uint32_t *sizes;
} irl_rule_dominators;

/* Nodes of a part of the tree as lines of a certificate. */
typedef struct irl_rule_bnb_text {
  irl_text text;
  uint64_t n_lines;
  struct irl_rule_bnb_text *next;
} irl_rule_bnb_text;

/* All that one worker of the search writes. */
struct irl_rule_bnb {
  irl_env *env;             /* for its errors */
  const irl_search *search; /* which none of them writes */
  const irl_merged *merged; /* what is counted here: losses are in its terms */
  const irl_data *data;
  const irl_rule_bnb_task *task;
  int64_t target;       /* falls with what the worker finds, */
  int64_t best;         /* and so does this: a rule of less loss is better than all before */
  irl_limit limit;      /* of a round: all that is left */
  uint64_t work, nodes; /* of the round so far */
  irl_arena arena;      /* of all vectors */
  irl_rule_bnb_level levels[IRL_MAX_K + 1];
  irl_clause path[IRL_MAX_K];
  irl_clause_array closed; /* earlier siblings of the node and its ancestors */
  irl_clause_array other;  /* clauses of a node with another size of small ones */
  irl_rule_dominators dominators;
  int threads;
  irl_ending ending;
  bool is_divided;
  irl_status status;
  /* The best rule that it found in the round. */
  uint32_t n_found; /* clauses; UINT32_MAX: none */
  irl_clause found[IRL_MAX_K];
  irl_rule_bnb_text *text; /* gets the nodes; NULL: they are not recorded */
  irl_listed *listed;      /* the list as the worker reads it; NULL: there is none */
};

/* rule_sizes.c */
/* What further clauses of a better rule may have: clauses, literals in all, and these and their
 * literals together. */
typedef struct irl_rule_room {
  uint64_t clauses, literals, complexity;
} irl_rule_room;
irl_rule_room irl_rule_room_left(const irl_rule_bnb *s, const irl_rule_bnb_node *at);
/* A choice with a clause of `size` literals has at most so many of more than `small` literals; 0:
 * no clause of that size fits. */
uint32_t irl_rule_room_count(const irl_rule_room *room, uint32_t size, uint32_t small);
/* What searching the children of a list takes, about. */
double irl_rule_room_work(const irl_rule_bnb *s, const irl_rule_room *room,
                          const irl_clause_array *list);
/* The same for all clauses of that size. */
double irl_rule_room_work_of_all(const irl_rule_bnb *s, const irl_rule_room *room, uint32_t size);

/* rule_bnb_node.c */
/* The controls that a further clause of the node at that depth pays for: all of its own, or those
 * that no other covers. */
const uint64_t *irl_rule_bnb_unpaid(const irl_rule_bnb *s, uint32_t depth);
/* The node at that depth, whose clauses and covers are there: its rule, if it is sought, and its
 * children. Not IRL_ENDED: a limit, the cap or task->found ended it. */
irl_status irl_rule_bnb_open(irl_rule_bnb *s, uint32_t depth);
/* Makes child i of the node at that depth the next node. False: neither it nor a later one has a
 * rule that is sought. */
bool irl_rule_bnb_descend(irl_rule_bnb *s, uint32_t depth, size_t i);
/* No rule of child i or a later one has less loss. */
int64_t irl_rule_bnb_open_bound(const irl_rule_bnb *s, uint32_t depth, size_t i);

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
