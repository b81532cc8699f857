/* A bound by a tree over sets of clauses; relaxed_tree.c. */
#ifndef IRL_PROVE_RELAXED_TREE_H
#define IRL_PROVE_RELAXED_TREE_H

#include "search/search.h"

typedef struct irl_relaxed_tree {
  irl_search *search;
  irl_limit limit;       /* its work counts from `start` on */
  uint64_t start;        /* work of the search before */
  const uint64_t *heavy; /* cases that weigh `unit` or more */
  int64_t unit;
  size_t cap, own_cap;   /* clauses of the list of the root, of that of another node */
  int64_t stem_controls; /* a literal with no more stands for all clauses that have it */
  int64_t target;        /* in units of the merged samples */
  /* Results. */
  bool is_closed; /* no rule has less loss than the target */
  bool is_cut;    /* otherwise: by a limit, or because there are too many clauses */
} irl_relaxed_tree;

irl_status irl_relaxed_tree_search(irl_relaxed_tree *task);

#endif
