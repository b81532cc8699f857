/* The selection problem: choose at most K clauses of a pool so that the loss
 *
 *   weight of the cases left out + weight of the controls covered + cost of each clause chosen
 *
 * is least, with limits on covered controls, covered cases, literals and complexity. All of the
 * paper's master problems are of this kind: (MP) has the class weights, (MP)_u and (MP)_sens bound
 * the controls, (MP)_spec the cases; the Hamming loss counts a control once for each clause that
 * covers it, so that it is a cost of the clause. The proof selects from all clauses that a better
 * rule may have, with the weights of merged samples and with multipliers.
 * Integers throughout, so that every pruning is exact. */
#ifndef IRL_SELECT_SELECT_H
#define IRL_SELECT_SELECT_H

#include "base/limit.h"
#include "bits/bits.h"
#include "bits/kernels.h"
#include "problem/problem.h"
#include "rule/literal.h"

#define IRL_SELECT_MAX_K IRL_MAX_K

/* Rules of the search (select_mask.c) that tests and measurements leave out; and one to use them
 * all however few the candidates are. */
enum {
  IRL_SELECT_WITHOUT_MASKS = 1,
  IRL_SELECT_WITHOUT_MULTIPLIERS = 2,
  IRL_SELECT_WITHOUT_PREFIX = 4,
  IRL_SELECT_WITHOUT_EARLY_TESTS = 8,
  IRL_SELECT_WITHOUT_RANGES = 16,
  IRL_SELECT_WITHOUT_DOMINANCE = 32,
  IRL_SELECT_ALWAYS = 64
};

typedef struct irl_select_problem {
  const irl_bits_matrix *cases, *controls; /* the covers: a vector per clause */
  const uint32_t *sizes;                   /* literals of each clause; NULL: one each */
  const int64_t *costs;                    /* of each clause, not negative; NULL: none */
  int64_t clause_cost, literal_cost;       /* of any clause and of each literal, besides */
  uint32_t K;
  int64_t case_weight, control_weight; /* of every sample of a class, not negative; */
  const int64_t *weights[2];           /* times what each weighs; NULL: one */
  /* These are those of merged samples: losses are then in their terms, the pool is searched as it
   * stands, and there are neither costs nor limits but that on literals. NULL: they are not. */
  const irl_merged *merged;
  /* Then only choices that cover controls of so much weight are of interest. */
  int64_t least_controls, most_controls;
  bool is_hamming;         /* a control is paid once for each clause that covers it */
  uint64_t max_controls;   /* weight of those covered, at most; UINT64_MAX: any */
  uint64_t min_cases;      /* weight of those covered, at least */
  uint64_t max_literals;   /* of all chosen clauses; UINT64_MAX: any number */
  uint64_t max_complexity; /* sum of 1 + literals of the chosen; UINT64_MAX: any */
  int64_t to_beat;         /* only choices with less loss are of interest */
  uint32_t n_start;        /* so many of `chosen` are a choice to start from, feasible or not */
  /* The exact search gets this part of the limit's work: a half, a third, ...; 0: there is none
   * but for small pools, and nothing is proven; then samples are not merged and K is 2 or more. */
  uint32_t proof_share;
  /* After so much work the search ends unless it seems to end within the limit's; 0: never. */
  uint64_t trial_work;
  int threads;
  unsigned rules;             /* IRL_SELECT_WITHOUT_... and IRL_SELECT_ALWAYS */
  const irl_kernels *kernels; /* NULL: irl_bits_kernels() */
  /* With merged samples of which all processes have a copy, these share the search; they make the
   * covers themselves from the literals of each clause, max_size apart. */
  const irl_literal *literals;
  uint32_t max_size;
  /* For the progress line: a loss over the divisor is an objective (0: no such line), of the best
   * that is known, and no choice has less than the bound. */
  double divisor;
  int64_t known_loss, known_bound;
} irl_select_problem;

typedef struct irl_select_result {
  irl_outcome outcome;      /* optimal, infeasible, limit, interrupted */
  uint32_t n;               /* clauses chosen, ascending in the array that the caller gave */
  uint64_t cases, controls; /* weight of those covered */
  uint64_t literals;
  int64_t loss;  /* IRL_NO_LOSS: nothing feasible was found */
  int64_t bound; /* no choice has less; at most to_beat */
  uint64_t nodes, work;
  uint64_t work_left; /* that the search would still have taken, about; 0: it ended */
} irl_select_result;

/* Everything unbounded, weights 1, one thread. */
void irl_select_problem_init(irl_select_problem *problem, const irl_bits_matrix *cases,
                             const irl_bits_matrix *controls, uint32_t K);

/* The samples are merged ones. */
void irl_select_problem_merge(irl_select_problem *problem, const irl_merged *merged);

/* Proves the best choice, or ends at the limit. `chosen` has room for K. */
irl_status irl_select_solve(irl_env *env, const irl_select_problem *problem, const irl_limit *limit,
                            uint32_t *chosen, irl_select_result *result);
/* What the other processes do when they are called to share a search (IRL_COMM_SELECT). */
irl_status irl_select_serve(irl_env *env, irl_message *message);

/* A pool that is made ready once, for many problems on it. */
typedef struct irl_select_pool irl_select_pool;
irl_status irl_select_prepare(irl_env *env, const irl_select_problem *loosest,
                              const irl_limit *limit, irl_select_pool **pool);
void irl_select_release(irl_select_pool *pool);
/* Solves a problem with the covers, sizes and costs of the loosest one, with any weights, and with
 * limits that are not looser. Its work counts from here. */
irl_status irl_select_solve_prepared(irl_env *env, const irl_select_pool *pool,
                                     const irl_select_problem *problem, const irl_limit *limit,
                                     uint32_t *chosen, irl_select_result *result);

#endif
