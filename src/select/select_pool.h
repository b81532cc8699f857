/* The pool, prepared for the search: useless, equal and dominated clauses dropped, samples that no
 * clause covers dropped, covers side by side in one array. */
#ifndef IRL_SELECT_SELECT_POOL_H
#define IRL_SELECT_SELECT_POOL_H

#include "select/select.h"

/* Clauses between two looks at the clock in a loop over all of them: a millisecond or so. */
#define IRL_SELECT_CLOCK 4096u

/* A clause of the prepared pool: case words, then control words. */
struct irl_select_pool {
  irl_allocator allocator;
  const irl_select_problem *problem;
  const irl_kernels *kernels;
  uint32_t n;
  uint32_t *id;               /* in the caller's pool */
  uint32_t *cases, *controls; /* covered */
  uint32_t *size;
  int64_t *cost;          /* with its controls, if the loss is Hamming's */
  int64_t control_weight; /* of a control that is covered, however often; 0 for the Hamming loss */
  bool counts_controls;   /* do controls matter to the search? */
  uint64_t *words;
  size_t case_words, control_words, stride;
  uint32_t n_cases, n_controls; /* that some clause covers */
  int64_t lost;                 /* loss of the cases that none covers */
  uint64_t max_controls;
  uint64_t min_cases; /* of those that remain; more than n_cases: infeasible */
  uint64_t work;
  bool is_cut; /* clock or stop request came before it was ready: it says nothing */
};

irl_status irl_select_pool_init(irl_env *env, irl_select_pool *pool,
                                const irl_select_problem *problem, const irl_limit *limit,
                                int threads);
void irl_select_pool_free(irl_select_pool *pool);
/* Turns a pool to another problem, with the same covers, sizes and costs, and with bounds that are
 * not looser than those it was made for: what is dominated stays dominated. A pool whose problem
 * did not look at controls cannot be turned to one that does, nor one with the Hamming loss. */
void irl_select_pool_aim(irl_select_pool *pool, const irl_select_problem *problem);

static inline const uint64_t *irl_select_cases(const irl_select_pool *pool, uint32_t k) {
  return pool->words + k * pool->stride;
}
static inline const uint64_t *irl_select_controls(const irl_select_pool *pool, uint32_t k) {
  return pool->words + k * pool->stride + pool->case_words;
}

/* The most literals that one more clause may have beside n chosen ones; 0: there is no room. */
static inline uint64_t irl_select_literal_budget(const irl_select_problem *problem, uint32_t n,
                                                 uint64_t literals) {
  const uint64_t used = literals + n + 1;
  if (problem->max_literals <= literals || problem->max_complexity <= used) return 0;
  const uint64_t left = problem->max_literals - literals, other = problem->max_complexity - used;
  return left < other ? left : other;
}
/* Are so many clauses with so many literals allowed? */
static inline bool irl_select_is_short(const irl_select_problem *problem, uint32_t n,
                                       uint64_t literals) {
  return n <= problem->K && literals <= problem->max_literals &&
         literals + n <= problem->max_complexity;
}

/* A choice of clauses of the pool and what it is worth. */
typedef struct irl_select_choice {
  uint32_t *k; /* K of them, in the pool's numbers, ascending */
  uint32_t n;
  int64_t loss;
  uint64_t cases, controls, literals;
} irl_select_choice;

/* Computes all numbers of a choice; loss is IRL_SELECT_NO_LOSS if it is not feasible. `scratch` has
 * pool->stride words. */
void irl_select_weigh(const irl_select_pool *pool, irl_select_choice *choice, uint64_t *scratch);
/* By loss, then fewer clauses, fewer literals, then the callers' numbers: a total order. */
bool irl_select_better(const irl_select_pool *pool, const irl_select_choice *a,
                       const irl_select_choice *b);

/* A good choice: greedy from several first clauses, each improved by exchanges, as long as the
 * limit allows. `best` is kept if nothing better is found. */
irl_status irl_select_greedy(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                             irl_select_choice *best, uint64_t *work);
/* A better choice by wandering, if there is one within reach of the work; `best` is kept otherwise.
 */
irl_status irl_select_tabu(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                           int threads, uint64_t max_work, irl_select_choice *best, uint64_t *work);
/* The clauses of a choice in ascending order. */
void irl_select_sort(irl_select_choice *choice);

#endif
