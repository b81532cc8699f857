/* The clause problem: maximise the weight of covered cases minus the weight of covered controls
 * over clauses of at most max_size literals that cover at most `budget` controls. Everything is
 * in integers, so that pruning is exact. */
#ifndef IRL_CLAUSE_PROBLEM_H
#define IRL_CLAUSE_PROBLEM_H

#include "base/limit.h"
#include "bits/kernels.h"
#include "data/dataset.h"
#include "rule/literal.h"

#define IRL_CLAUSE_NO_VALUE  (INT64_MIN / 4) /* less than any clause's value */
#define IRL_CLAUSE_ANY_VALUE (IRL_CLAUSE_NO_VALUE + 1)
#define IRL_CLAUSE_NO_LIMIT  UINT64_MAX

typedef struct irl_clause {
  int64_t value;
  uint32_t cases, controls; /* live ones that it covers */
  uint64_t hash;            /* of its live cover, where a pool keeps it */
  uint32_t n;
  irl_literal literals[IRL_CLAUSE_MAX]; /* ascending; last, so that messages may leave out unused */
} irl_clause;

typedef struct irl_clause_problem {
  const irl_data *data;
  /* Bit vectors over the data's cases and controls, as bits.h wants them; NULL: all live. Dead
   * samples do not count. */
  const uint64_t *live_cases, *live_controls;
  /* Weights, not negative: one per sample of the class, or NULL for that of the class. */
  const int64_t *case_weights, *control_weights;
  int64_t case_weight, control_weight;
  bool is_priced;    /* case_weights are prices, which say nothing of how many samples there are */
  int64_t max_cost;  /* of covered controls, by their weights; for the heuristic alone */
  uint64_t budget;   /* covered controls; IRL_CLAUSE_NO_LIMIT: any number */
  uint32_t max_size; /* 1 .. IRL_CLAUSE_MAX */
  bool negations;
  uint64_t min_cases; /* covered cases, at least */
  /* Per feature, 0 for none; NULL. Literals of features in one group are nested or disjoint, or the
   * group binds (dataset.h), so a clause holds at most one of each group. */
  const uint32_t *groups;
  /* A listing gives every set of literals, also where another covers no fewer cases and no more
   * controls. */
  bool keeps_all;
  const irl_kernels *kernels; /* NULL: irl_bits_kernels() */
  int threads;                /* that prepare it */
} irl_clause_problem;

/* Unit weights for cases, none for controls, no negations, a covered case at least. */
void irl_clause_problem_init(irl_clause_problem *problem, const irl_data *data);
irl_status irl_clause_problem_check(irl_env *env, const irl_clause_problem *problem);

/* Is a better than b? By value, then fewer literals, then lexicographically: a total order. */
bool irl_clause_better(const irl_clause *a, const irl_clause *b);
void irl_clause_sort_literals(irl_clause *clause);
/* Are the literals ascending, none of them twice? For assertions. */
bool irl_clause_is_ascending(const irl_clause *clause);

#endif
