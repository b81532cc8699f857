/* The exact search over choices; see select_bnb.c. */
#ifndef IRL_SELECT_SELECT_SEARCH_H
#define IRL_SELECT_SELECT_SEARCH_H

#include "select/select_pool.h"

/* A candidate at a node: what it would add to the choice so far. */
typedef struct irl_select_candidate {
  int64_t benefit; /* case_weight * new cases - cost */
  int64_t value;   /* left * benefit - control_weight * new controls */
  uint32_t k, cases, controls;
} irl_select_candidate;

typedef struct irl_select_frame {
  uint64_t *live; /* samples that the choice so far leaves uncovered */
  irl_select_candidate *list;
  uint32_t capacity;
} irl_select_frame;

/* A choice in progress. */
typedef struct irl_select_node {
  uint32_t left; /* clauses that may still be added */
  int64_t loss;  /* of the choice so far */
  uint64_t cases, controls, literals;
} irl_select_node;

/* All that one thread writes. */
typedef struct irl_select_worker {
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_select_frame *frames;     /* one per clause chosen */
  uint32_t *ids, *counts;       /* scratch, pool->n each */
  uint64_t *cover;              /* scratch, a cover */
  irl_select_choice path, best; /* chosen so far; best of this task */
  int64_t to_beat;              /* only a smaller loss is of interest */
  uint64_t nodes, work, max_work, next_check;
  bool is_cut, is_out_of_memory;
} irl_select_worker;

bool irl_select_worker_init(irl_select_worker *worker, const irl_select_pool *pool);
void irl_select_worker_free(irl_select_worker *worker);

/* The node before anything is chosen. */
irl_select_node irl_select_root(const irl_select_pool *pool);
/* Candidates of a node out of the whole pool, by value, best first, into the frame `depth`; those
 * that cannot be in a better choice are left out. */
uint32_t irl_select_list(irl_select_worker *worker, uint32_t depth, const irl_select_node *node);
/* The least loss of a choice that adds candidate i and only later ones of a list by value. */
int64_t irl_select_bound(const irl_select_node *node, const irl_select_candidate *list, uint32_t n,
                         uint32_t i);
/* Everything below adding candidate i of the list in frame `depth` and later ones. */
void irl_select_bnb_branch(irl_select_worker *worker, uint32_t depth, const irl_select_node *node,
                           const irl_select_candidate *list, uint32_t n, uint32_t i);

#endif
