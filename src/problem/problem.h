/* The problem: which rule of at most K clauses of at most M literals has the least loss?
 *
 * An irl_problem is made once, from data and options, and does not change while it is solved. All
 * that searches for rules, selects clauses or proves bounds takes it. What a loss is (false
 * negatives and false positives by weight, penalties, the Hamming loss, limits) is known to loss.c
 * alone; losses are integers, so that every comparison is exact. */
#ifndef IRL_PROBLEM_PROBLEM_H
#define IRL_PROBLEM_PROBLEM_H

#include "rule/merge_samples.h"
#include "rule/scope.h"

#define IRL_MAX_K 64u
/* More than any loss; 64 times it still fits. */
#define IRL_NO_LOSS (INT64_MAX / 256)

typedef struct irl_problem {
  const irl_data *data;  /* may be divided among processes */
  const irl_data *whole; /* the same in one piece, for proofs */
  irl_merged merged;     /* equal samples as one with a weight: what proofs are about */
  uint32_t K, M;
  bool negations;
  int64_t case_weight, control_weight; /* of a false negative, of a false positive */
  int64_t penalty;                     /* of each clause and of each literal */
  bool is_hamming;                     /* a control counts for each clause that covers it */
  uint64_t min_cases, max_controls;    /* that a rule must, and may, cover: their weight */
  uint64_t max_literals;               /* in the whole rule; UINT64_MAX: any number */
  uint64_t max_complexity;             /* sum of 1 + literals; UINT64_MAX: any */
  double divisor; /* a loss over this is an objective: a sum of weights that the user knows */
  double all;     /* the loss of a rule that is wrong everywhere */
  const irl_scope *scope; /* the problem in words; NULL: there is no certificate */
} irl_problem;

/* What a choice of clauses covers together: weights of samples. */
typedef struct irl_cover_counts {
  uint64_t cases, controls;
  uint64_t control_covers; /* a control counts for each clause that covers it */
  uint64_t literals;
} irl_cover_counts;

/* Can the loss of every rule be counted? */
irl_status irl_problem_check(irl_env *env, const irl_problem *problem);
/* The loss of a rule of n clauses; IRL_NO_LOSS: it is not within the limits. */
int64_t irl_problem_loss(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts);
/* So much that what the samples of a class weigh counts before all of the other class, or as much
 * as can be counted. */
int64_t irl_problem_first(const irl_problem *problem, int class);
/* What a clause of so many literals costs by itself. */
int64_t irl_problem_cost(const irl_problem *problem, uint32_t n_literals);
/* More than the loss of any rule that is within the limits. */
int64_t irl_problem_max_loss(const irl_problem *problem);
/* Do limits or the loss count literals, so that a longer clause dominates no shorter one? */
bool irl_problem_counts_literals(const irl_problem *problem);
/* Is there nothing but weights of the classes and a limit on literals, so that a proof may merge
 * samples and relax cases? */
bool irl_problem_is_simple(const irl_problem *problem);
/* Does a clause pay for all its controls, also those that others cover: the Hamming loss? */
bool irl_problem_pays_each(const irl_problem *problem);
/* Are clauses and literals of a rule limited together? */
bool irl_problem_limits_size(const irl_problem *problem);
/* Is a rule of n clauses and so many literals within those limits? */
bool irl_problem_allows_size(const irl_problem *problem, uint32_t n, uint64_t literals);
/* A loss as the public sees it. */
double irl_problem_objective(const irl_problem *problem, int64_t loss);

#endif
