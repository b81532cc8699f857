/* Children of the rule branch and bound from one list of clauses on a subset of the cases; see
 * rule_list.c. */
#ifndef IRL_PROVE_RULE_LIST_H
#define IRL_PROVE_RULE_LIST_H

#include "problem/clause_set.h"

/* Words that a node which lists clauses by itself reads for each pair of literals, about. */
#define IRL_RULE_LIST_OWN_WORDS 2.0

typedef struct irl_rule_bnb irl_rule_bnb;

/* What the tree is given. */
typedef struct irl_rule_list {
  const irl_clause_set
      *clauses;           /* all that cover `least` cases of the subset, within the controls */
  const uint64_t *subset; /* cases */
  int64_t unit;           /* what each of them weighs at least */
  uint32_t least;
  bool is_priced; /* only clauses c with 2 K unit (their cases - least + 1) > weight of controls */
} irl_rule_list;

/* What all workers read: the list as it is scanned. */
typedef struct irl_rule_list_view {
  const irl_rule_list *list;
  uint32_t *totals; /* cases of the subset that each clause covers */
  uint32_t *order;  /* the clauses by falling totals */
  uint64_t *packed; /* their covers on the subset; NULL: it is large */
  size_t n_words;   /* of a packed cover */
} irl_rule_list_view;

/* One worker's reading of the list. */
typedef struct irl_listed irl_listed;

/* Prepares the list with the first worker's memory. */
irl_status irl_rule_list_view_make(irl_rule_bnb *s, const irl_rule_list *list,
                                   irl_rule_list_view *view);
irl_status irl_listed_create(irl_rule_bnb *s, const irl_rule_list_view *view);
void irl_listed_free(irl_rule_bnb *s);
/* Does the list serve the node at that depth? If so, the node's children are from it. */
irl_status irl_listed_open(irl_rule_bnb *s, uint32_t depth, bool *is_served);
/* Child i of the node at that depth is closed, or handed out: it is left out for later ones. */
void irl_listed_close(irl_rule_bnb *s, uint32_t depth, size_t i);
/* Worker `to`, which has the node at that depth of `from`, is to go on from child `first`. */
bool irl_listed_give(const irl_rule_bnb *from, irl_rule_bnb *to, uint32_t depth, size_t first,
                     bool is_root);

#endif
