/* What the parts of a proof on few cases share; see case_subset.c. */
#ifndef IRL_PROVE_SUBSET_PLAN_H
#define IRL_PROVE_SUBSET_PLAN_H

#include "base/arena.h"
#include "clause/enumerate.h"
#include "prove/methods.h"

/* A choice of cases for a target, and what it is expected to take. */
typedef struct irl_subset_plan {
  int64_t target;    /* in units of the merged samples */
  uint32_t every;    /* one case of so many is kept, of all; 0: by the level */
  uint32_t level;    /* k */
  bool is_priced;    /* the list asks for more cases of clauses that cover controls (rule_list.c) */
  uint32_t n_kept;   /* cases */
  uint32_t least;    /* kept cases that the clauses of the list cover */
  double work;       /* that listing and tree take; INFINITY: out of reach */
  double n_expected; /* clauses of the list */
  double n_triples;  /* of literals that cover enough */
} irl_subset_plan;

/* The best rule, on the merged samples. */
typedef struct irl_subset {
  irl_search *search;
  const irl_prover *prover;
  const irl_merged *merged;
  size_t cap; /* clauses of a list, at most */
  irl_limit limit;
  uint64_t start;              /* work of the search before */
  int64_t unit;                /* what every kept case weighs or more */
  uint32_t n;                  /* clauses */
  uint64_t *cover[IRL_MAX_K];  /* cases of each, */
  uint64_t *single[IRL_MAX_K]; /* those that no other covers, heavy enough */
  uint32_t n_single[IRL_MAX_K];
  int64_t cost[IRL_MAX_K]; /* of its controls */
  uint64_t *missed;        /* cases that none covers, heavy enough */
  uint64_t *heavy;         /* all that weigh enough */
  uint64_t *keep;          /* the cases that are kept */
  irl_arena arena;
} irl_subset;

/* ---- subset_plan.c ---- */

/* Work since the proof began, and what is left of its limit. */
uint64_t irl_subset_work(const irl_subset *x);
irl_limit irl_subset_limit(const irl_subset *x);
/* What the best rule covers and misses; false: out of memory. */
bool irl_subset_look_at_rule(irl_subset *x);
/* The kept cases of a plan. */
void irl_subset_choose_cases(irl_subset *x, irl_subset_plan *p);
/* The largest threshold of a list that serves a node with so many kept cases uncovered, so much
 * paid and so many clauses left; 0: none. */
int64_t irl_subset_threshold(const irl_subset *x, const irl_subset_plan *p, int64_t uncovered,
                             int64_t paid, int64_t left);
/* The clauses that a plan lists. */
irl_status irl_subset_make_model(const irl_subset *x, const irl_subset_plan *p,
                                 irl_clause_problem *problem, irl_clause_model *model);
irl_clause_thresholds irl_subset_thresholds(const irl_subset *x, const irl_subset_plan *p);
bool irl_subset_needs_price(const irl_subset *x, int64_t target);
/* What a plan would take: with that threshold, with the best one, and the cheapest for a target. */
irl_status irl_subset_estimate_list(irl_subset *x, irl_subset_plan *p);
irl_status irl_subset_estimate(irl_subset *x, irl_subset_plan *p);
irl_status irl_subset_make_plan(irl_subset *x, int64_t target, irl_subset_plan *best);
/* A proof of more work begins with a bound. */
double irl_subset_long_work(const irl_subset *x);
/* Does the target raise the bound? Does the plan, within the work that is left? */
bool irl_subset_is_above(const irl_subset *x, int64_t target);
bool irl_subset_is_worth(const irl_subset *x, const irl_subset_plan *p);

/* ---- subset_list.c ---- */

/* Lists the clauses of a plan and goes through the tree, with one part in so many of the work that
 * is left. *is_closed: no rule is below the target, but for those that were offered. */
irl_status irl_subset_run(irl_subset *x, irl_subset_plan *p, bool *is_closed);
irl_status irl_subset_run_part(irl_subset *x, irl_subset_plan *p, double part, bool *is_closed);

/* ---- subset_bounds.c ---- */

/* Bounds by lists and their trees, at most at that share of the loss. */
irl_status irl_subset_raise_bounds(irl_subset *x, double most_share);

#endif
