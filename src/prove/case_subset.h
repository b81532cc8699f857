/* Proving on few cases; see case_subset.c. */
#ifndef IRL_PROVE_CASE_SUBSET_H
#define IRL_PROVE_CASE_SUBSET_H

#include "search/search.h"

typedef struct irl_case_subset {
  size_t cap;                  /* clauses of the list, at most */
  bool is_whole;               /* a proof is wanted or nothing, not a bound */
  uint64_t tree_work;          /* for a tree, if its list took less */
  bool is_closed;              /* the best rule is proven */
  irl_proof_evidence evidence; /* then; target -1: there is none; the caller's to free */
} irl_case_subset;

/* Is the problem one that it is for? */
bool irl_case_subset_applies(const irl_search *search);
/* Raises the bound, finds better rules or proves the best one, if that is expected to take no more
 * work than the limit allows. */
irl_status irl_prove_case_subset(irl_search *search, const irl_limit *limit, irl_case_subset *task);

#endif
