/* The branch and bound over choices; see select_bnb.c. */
#ifndef IRL_SELECT_SELECT_SEARCH_H
#define IRL_SELECT_SELECT_SEARCH_H

#include "select/select_pool.h"

/* A candidate at a node: what it would add to the choice so far. */
typedef struct irl_select_candidate {
  int64_t benefit; /* weight of the new cases less the cost of the clause */
  int64_t price;   /* weight of the new controls */
  int64_t value;   /* left * (benefit without relaxed cases) - price */
  uint32_t k, cases, controls;
} irl_select_candidate;

/* A choice in progress. */
typedef struct irl_select_node {
  uint32_t left;     /* clauses that may still be added */
  int64_t loss;      /* of the choice so far */
  int64_t uncovered; /* weight of the cases that it leaves out */
  uint64_t cases, controls, literals;
  uint64_t *live;         /* samples that it leaves uncovered: cases, then controls */
  uint64_t *relaxed;      /* cases with multiplier 1 */
  int64_t relaxed_weight; /* weight of the live ones among them */
  irl_select_candidate *list;
  uint32_t n, capacity;
} irl_select_node;

/* A second clause of a pair: its place in the node's list and what the pair gains. */
typedef struct irl_select_partner {
  int64_t gain; /* at least: as if one paid for the controls of both */
  uint32_t place;
} irl_select_partner;

/* All that one thread writes. */
typedef struct irl_select_worker {
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_select_node *nodes; /* by the number of clauses chosen: K + 1 */
  /* Scratch, one entry per clause of the pool. */
  uint32_t *ids, *counts;
  int64_t *weights;
  irl_select_partner *partners;
  /* Scratch vectors: cover over both classes, the others over the cases. */
  uint64_t *cover, *counted, *once, *twice, *best_relaxed;
  uint32_t n_first;             /* clauses that may be the first, with best_relaxed */
  irl_select_choice path, best; /* chosen so far; best of this task */
  int64_t to_beat;              /* only a smaller loss is of interest */
  uint64_t nodes_done, work, max_work, next_check;
  bool is_cut, is_out_of_memory;
  uint64_t *memory; /* of all arrays but the lists */
} irl_select_worker;

/* The first node is the choice of nothing. */
bool irl_select_worker_init(irl_select_worker *worker, const irl_select_pool *pool,
                            const irl_limit *limit);
void irl_select_worker_free(irl_select_worker *worker);

/* What the clauses left must gain for a better choice. */
static inline int64_t irl_select_required_gain(const irl_select_worker *worker,
                                               const irl_select_node *node) {
  return node->loss - (worker->to_beat - 1);
}

/* ---- select_bound.c ---- */
/* What each of the n clauses in worker->ids has in common with a vector of one class: how many
 * samples, to worker->counts, and their weight, to worker->weights. */
void irl_select_weigh_many(irl_select_worker *worker, int class, const uint64_t *vector,
                           uint32_t n);
/* Lists the candidates of node `depth` out of n of a list (NULL: the first n clauses of the pool),
 * in their order; those that cannot be in a better choice are left out. */
void irl_select_list(irl_select_worker *worker, uint32_t depth, const irl_select_candidate *from,
                     uint32_t n);
/* By value, the largest first. */
void irl_select_sort_by_value(irl_select_node *node);
/* The least loss of a choice that adds candidate i and only later ones of n in a list by value. */
int64_t irl_select_bound(const irl_select_node *node, const irl_select_candidate *list, uint32_t n,
                         uint32_t i);
/* Do loss, weights and counts of the node at that depth agree with the clauses chosen? */
bool irl_select_node_check(const irl_select_worker *worker, uint32_t depth);

/* ---- select_pairs.c ---- */
/* All choices of one or two of the candidates of a node with two clauses left. */
void irl_select_try_pairs(irl_select_worker *worker, uint32_t depth);

/* ---- select_bnb.c ---- */
/* Everything below adding candidate i of n in a list by value of node `depth` and later ones. */
void irl_select_branch(irl_select_worker *worker, uint32_t depth, const irl_select_candidate *list,
                       uint32_t n, uint32_t i);
bool irl_select_limit_reached(irl_select_worker *worker);
/* The choice so far and `more` further clauses have that loss, less than any before. */
void irl_select_accept(irl_select_worker *worker, int64_t loss, const uint32_t *more,
                       uint32_t n_more);
/* The choice so far and one candidate, if that is better and allowed. */
void irl_select_try_single(irl_select_worker *worker, const irl_select_node *node,
                           const irl_select_candidate *candidate);

#endif
