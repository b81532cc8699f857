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
  int64_t clause_penalty;              /* of each clause, besides */
  bool is_hamming;                     /* a control counts for each clause that covers it */
  uint64_t min_cases, max_controls;    /* that a rule must, and may, cover: their weight */
  uint64_t max_literals;               /* in the whole rule; UINT64_MAX: any number */
  uint64_t max_complexity;             /* sum of 1 + literals; UINT64_MAX: any */
  double divisor; /* a loss over this is an objective: a sum of weights that the user knows */
  double all;     /* the loss of a rule that is wrong everywhere */
  const irl_scope *scope; /* the problem in words; NULL: there is no certificate */
  bool is_merged; /* data, weights and losses are those of `merged`: irl_problem_on_merged */
} irl_problem;

/* What a choice of clauses covers together: weights of samples. */
typedef struct irl_cover_counts {
  uint64_t cases, controls;
  uint64_t control_covers; /* a control counts for each clause that covers it */
  uint64_t literals;
} irl_cover_counts;

/* Can the loss of every rule be counted? */
irl_status irl_problem_check(irl_env *env, const irl_problem *problem);
/* What the samples of a class weigh, each (class 0 are the cases) and all together. */
const irl_sample_weights *irl_problem_weights(const irl_problem *problem, int class);
uint64_t irl_problem_total(const irl_problem *problem, int class);
/* The loss of a rule of n clauses; IRL_NO_LOSS: it is not within the limits. */
int64_t irl_problem_loss(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts);
/* Is a rule of n clauses within all limits? Is what it covers, and its size? */
bool irl_problem_allows(const irl_problem *problem, uint32_t n, const irl_cover_counts *counts);
bool irl_problem_allows_cover(const irl_problem *problem, const irl_cover_counts *counts);
bool irl_problem_allows_size(const irl_problem *problem, uint32_t n, uint64_t literals);
/* The most literals that one more clause may have beside n others; 0: none is allowed. */
uint64_t irl_problem_literal_budget(const irl_problem *problem, uint32_t n, uint64_t literals);
/* What a clause of so many literals costs by itself, whatever it covers; and with what it pays for
 * controls of so much weight that it does not share with other clauses. */
int64_t irl_problem_cost(const irl_problem *problem, uint32_t n_literals);
int64_t irl_problem_clause_cost(const irl_problem *problem, uint32_t n_literals, uint64_t controls);
/* What covering more cases and controls brings, without what clauses cost by themselves. */
static inline int64_t irl_problem_gain(const irl_problem *problem, int64_t cases,
                                       int64_t controls) {
  const int64_t paid = problem->is_hamming ? 0 : problem->control_weight * controls;
  return problem->case_weight * cases - paid;
}
/* So much that what the samples of a class weigh counts before all of the other class, or as much
 * as can be counted. */
int64_t irl_problem_first(const irl_problem *problem, int class);
/* More than the loss of any rule that is within the limits. */
int64_t irl_problem_max_loss(const irl_problem *problem);
/* Do limits or the loss count literals, so that a longer clause dominates no shorter one? */
bool irl_problem_counts_literals(const irl_problem *problem);
/* Is a control that several clauses cover paid once? */
bool irl_problem_shares_controls(const irl_problem *problem);
/* Are errors all that is paid, each once? And what the loss is called if not; NULL otherwise. */
bool irl_problem_is_weighted(const irl_problem *problem);
const char *irl_problem_loss_name(const irl_problem *problem);
/* Are there limits on the cases or controls that a rule covers? */
bool irl_problem_has_floors(const irl_problem *problem);
/* Is there nothing but weights of the classes and a limit on literals, so that a proof may merge
 * samples and relax cases? */
bool irl_problem_is_simple(const irl_problem *problem);
/* A loss as the public sees it. */
double irl_problem_objective(const irl_problem *problem, int64_t loss);
/* A loss in the terms of the problem from which a merged one was made. */
int64_t irl_problem_full_loss(const irl_problem *problem, int64_t loss);

/* ---- problems that searches pose beside that of the run ---- */

/* Weights of the classes alone, of these sizes: neither penalty nor limits on samples. */
irl_problem irl_problem_weighted(const irl_problem *problem, int64_t case_weight,
                                 int64_t control_weight);
/* With other weights, no penalty, and controls of at most so much weight. */
irl_problem irl_problem_aimed(const irl_problem *problem, int64_t case_weight,
                              int64_t control_weight, uint64_t budget);
/* The most cases that controls of at most so much weight allow. */
irl_problem irl_problem_within(const irl_problem *problem, uint64_t budget);
/* Among the rules of least loss the one of fewest clauses, among those the one of fewest literals;
 * at most K clauses. *is_countable: such losses can be counted. */
irl_problem irl_problem_simplest(const irl_problem *problem, uint32_t K, bool *is_countable);
/* On a sample of the data, by the loss that is expected on the n[0] cases and n[1] controls that it
 * was drawn from, in units of its own. */
irl_problem irl_problem_on_sample(const irl_problem *problem, const irl_data *data,
                                  const uint64_t n[2]);
/* On merged samples, with losses in their units; the problem is simple. */
irl_problem irl_problem_on_merged(const irl_problem *problem);
/* Such a one as a message to processes that have a copy of its samples. What is got owns its
 * `merged`. */
void irl_problem_put(irl_message *message, const irl_problem *problem);
irl_status irl_problem_get(irl_env *env, irl_message *message, irl_problem *problem);

#endif
