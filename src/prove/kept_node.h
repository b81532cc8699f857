/* What the parts of the tree over one list of clauses share; see kept_node.c. */
#ifndef IRL_PROVE_KEPT_NODE_H
#define IRL_PROVE_KEPT_NODE_H

#include "base/arena.h"
#include "clause/enumerate.h"
#include "prove/kept_cases.h"
#include "prove/ranked.h"

#define IRL_KEPT_PACKED_WORDS 6u /* of the kept cases: more are counted faster in whole blocks */

/* A node: its level is the number of clauses that are chosen. */
typedef struct irl_kept_level {
  uint64_t *cases, *kept, *controls; /* uncovered ones; `kept` of the kept cases */
  int64_t uncovered, paid;
  /* Of the list, by falling kept cases: what reaches its threshold here and is not out, as far as
   * children had to look. */
  uint32_t *ids;
  uint32_t n_ids;
  size_t id_capacity;
  uint32_t n_seen;      /* of the parent's ids */
  irl_ranked *children; /* in the list, or among the node's own clauses */
  size_t n_children, capacity;
  size_t n_out;         /* so many of them are out */
  int64_t gain, target; /* what was required, for which target, when they were listed */
  bool is_own;          /* listed by the node itself: */
  irl_clause_array own; /* its clauses */
  irl_clause clause;    /* that leads to the node */
} irl_kept_level;

/* What all workers read: the list as it is scanned. */
typedef struct irl_kept_view {
  const irl_kept_tree *task;
  const irl_search *search;
  const irl_merged *merged;
  const irl_kernels *kernels;
  uint64_t *packed; /* the list on the kept cases, NULL if these are many */
  size_t n_words;   /* of a packed column */
  uint32_t *totals; /* of the list: kept cases */
  uint32_t *order;  /* the list by falling kept cases */
  uint64_t *all_controls;
} irl_kept_view;

/* All that one worker writes. */
typedef struct irl_kept_worker {
  const irl_kept_view *view;
  irl_env *env; /* for its errors */
  int threads;
  int64_t target;       /* in units of the merged samples, falls with what the worker finds */
  int64_t best;         /* a rule of less loss is better than all before */
  irl_limit limit;      /* of a round: all that is left */
  uint64_t work, nodes; /* of the round so far */
  irl_kept_level *levels;
  uint32_t *counts, *kept_of_part; /* scratch for a scan of the list */
  size_t count_capacity, part_capacity;
  bool *is_out; /* of the list: in no rule sought with the clauses of the path */
  irl_arena arena;
  bool is_cut;
  irl_status status;
  /* The best rule that it found in the round. */
  uint32_t n_found; /* clauses; UINT32_MAX: none */
  irl_clause found[IRL_MAX_K];
} irl_kept_worker;

/* The node of that level, whose covers are there: its rule, if it is better, and its children.
 * is_cut: a limit ended it. */
irl_status irl_kept_open(irl_kept_worker *t, uint32_t n);
/* Makes child i of level n the next node. False: neither it nor a later one has a rule that is
 * sought. */
bool irl_kept_descend(irl_kept_worker *t, uint32_t n, size_t i);
/* Child i of level n is closed, or handed out: a clause of the list is out for the later ones. */
void irl_kept_close(irl_kept_worker *t, uint32_t n, size_t i);
/* Kept cases that each of these clauses covers, in t->counts, which has room. */
void irl_kept_count(irl_kept_worker *t, const uint64_t *kept, const uint32_t *ids, uint32_t n);
/* Room for scans of so many clauses. */
bool irl_kept_reserve(irl_kept_worker *t, size_t n);

#endif
