/* Proving on few cases; see kept_cases.c. */
#ifndef IRL_PROVE_KEPT_CASES_H
#define IRL_PROVE_KEPT_CASES_H

#include "search/search.h"

typedef struct irl_kept_cases {
  size_t cap;                  /* clauses of the list, at most */
  bool is_whole;               /* a proof is wanted or nothing, not a bound */
  uint64_t tree_work;          /* for a tree, if its list took less */
  bool is_closed;              /* the best rule is proven */
  irl_proof_evidence evidence; /* then; target -1: there is none; the caller's to free */
} irl_kept_cases;

/* Raises the bound, finds better rules or proves the best one, if that is expected to take no more
 * work than the limit allows. */
irl_status irl_prove_kept_cases(irl_search *search, const irl_limit *limit, irl_kept_cases *task);

/* The tree over one list of clauses; kept_tree.c. */
typedef struct irl_kept_tree {
  irl_search *search;
  irl_limit limit;            /* its work counts from `start` on */
  uint64_t start;             /* work of the search before */
  const irl_clause_set *list; /* every clause of at least `least` kept cases, within the controls */
  const uint64_t *keep;       /* the kept cases */
  int64_t unit;               /* what each of them weighs at least */
  uint32_t least;
  bool is_priced; /* only clauses c with 2 K unit (kept cases - least + 1) > weight of controls */
  int64_t target; /* in units of the merged samples: sought are rules of less loss */
  /* Results. */
  bool is_closed; /* there are none but those that were offered */
} irl_kept_tree;

irl_status irl_kept_tree_search(irl_kept_tree *task);

#endif
