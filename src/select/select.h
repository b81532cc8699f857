/* Selecting a rule: of a list of clauses at most K so that the loss of a problem is least, within
 * its limits (problem/loss.c). All of the paper's master problems are of this kind: (MP) has the
 * class weights, (MP)_u and (MP)_sens bound the controls, (MP)_spec the cases. The proof selects
 * from all clauses that a better rule may have, on merged samples.
 * Integers throughout, so that every pruning is exact. */
#ifndef IRL_SELECT_SELECT_H
#define IRL_SELECT_SELECT_H

#include "base/limit.h"
#include "problem/clause_set.h"

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

struct irl_search;

/* On merged samples the list is searched as it stands: without a choice to start from. */
typedef struct irl_select_task {
  const irl_problem *problem;
  const irl_clause_set *clauses;
  int64_t to_beat;  /* only choices with less loss are of interest */
  uint32_t n_start; /* so many of `chosen` are a choice to start from, feasible or not */
  /* The exact search gets this part of the limit's work: a half, a third, ...; 0: there is none
   * but for small pools, and nothing is proven; then samples are not merged and K is 2 or more. */
  uint32_t proof_share;
  /* After so much work the search ends unless it seems to end within the limit's; 0: never. */
  uint64_t trial_work;
  int threads;
  unsigned rules;                  /* IRL_SELECT_WITHOUT_... and IRL_SELECT_ALWAYS */
  const struct irl_search *search; /* whose rule and bound the progress line shows; NULL: no line */
} irl_select_task;

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

/* All choices are of interest, and the whole limit is for the proof. */
irl_select_task irl_select_task_of(const irl_problem *problem, const irl_clause_set *clauses,
                                   int threads);

/* Proves the best choice, or ends at the limit. `chosen` has room for K. */
irl_status irl_select_solve(irl_env *env, const irl_select_task *task, const irl_limit *limit,
                            uint32_t *chosen, irl_select_result *result);
/* What the other processes do when they are called to share a search (IRL_COMM_SELECT). */
irl_status irl_select_serve(irl_env *env, irl_message *message);

/* A pool that is made ready once, for many tasks on it. */
typedef struct irl_select_pool irl_select_pool;
irl_status irl_select_prepare(irl_env *env, const irl_select_task *loosest, const irl_limit *limit,
                              irl_select_pool **pool);
void irl_select_release(irl_select_pool *pool);
/* Solves a task with the clauses and penalties of the loosest one, with any weights, and with
 * limits that are not looser. Its work counts from here. */
irl_status irl_select_solve_prepared(irl_env *env, const irl_select_pool *pool,
                                     const irl_select_task *task, const irl_limit *limit,
                                     uint32_t *chosen, irl_select_result *result);

#endif
