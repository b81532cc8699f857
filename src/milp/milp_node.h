/* Open nodes: the branchings that lead there from the root, and the basis to start from. */
#ifndef IRL_MILP_MILP_NODE_H
#define IRL_MILP_MILP_NODE_H

#include "ireland.h"

/* column <= value, or >= if is_up. */
typedef struct irl_milp_branching {
  double value;
  uint32_t column;
  bool is_up;
} irl_milp_branching;

/* What is known of a node before its LP is solved. */
typedef struct irl_milp_place {
  double bound;            /* no point below this node is better */
  double parent_objective; /* of the parent's LP, for the pseudo-costs; NAN: not of use any more */
  double distance;         /* the branching column's way to its new bound */
} irl_milp_place;

/* One block of memory: the branchings that lead there and the basis stand behind it. */
typedef struct irl_milp_node {
  irl_milp_place at;
  uint64_t number; /* breaks ties */
  size_t mark;     /* length of the trail at the parent, while its task runs */
  uint32_t depth;
  size_t bytes;
  uint8_t *basis; /* two bits per variable */
  irl_milp_branching branchings[];
} irl_milp_node;

/* Are the branchings those of columns of the model, to integers, and is the bound a number? For
 * assertions. */
bool irl_milp_node_check(const irl_milp_node *node, uint32_t n_columns);

/* A heap of open nodes, the least bound on top. */
typedef struct irl_milp_frontier {
  irl_allocator allocator;
  irl_milp_node **nodes;
  size_t n, capacity;
  size_t bytes;
} irl_milp_frontier;

/* Takes the node; false: out of memory, it is freed. */
bool irl_milp_frontier_push(irl_milp_frontier *frontier, irl_milp_node *node);
irl_milp_node *irl_milp_frontier_pop(irl_milp_frontier *frontier);
/* Frees all nodes with a bound above `cutoff`. */
void irl_milp_frontier_prune(irl_milp_frontier *frontier, double cutoff);
/* Are the nodes a heap whose bytes add up? For assertions. */
bool irl_milp_frontier_check(const irl_milp_frontier *frontier, uint32_t n_columns);
void irl_milp_frontier_free(irl_milp_frontier *frontier);

#endif
