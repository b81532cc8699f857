/* The pool, prepared for the search: useless, equal and dominated clauses dropped, samples that no
 * clause covers dropped unless samples have weights, covers side by side in one array.
 */
#ifndef IRL_SELECT_SELECT_POOL_H
#define IRL_SELECT_SELECT_POOL_H

#include "bits/kernels.h"
#include "select/select.h"

/* Clauses between two looks at the clock in a loop over all of them: a millisecond or so. */
#define IRL_SELECT_CLOCK 4096u
/* Multipliers are multiples of one part in this number (select_mask.c). */
#define IRL_SELECT_PARTS 7

/* The covers of one class, `stride` words apart. */
typedef struct irl_select_covers {
  const uint64_t *words;
  size_t stride, n_words;
  uint32_t n_samples;
} irl_select_covers;

struct irl_select_pool {
  irl_allocator allocator;
  const irl_select_task *task;
  const irl_problem *problem; /* the task's */
  const irl_kernels *kernels;
  uint32_t n;
  irl_select_covers covers[2]; /* of cases, of controls */
  const uint32_t *id;          /* among the task's clauses */
  const uint32_t *size;
  const int64_t *cost;                  /* with its controls, if the loss is Hamming's */
  const irl_sample_weights *weights[2]; /* of the samples: the problem's */
  bool counts_controls;                 /* do controls matter to the search? */
  /* The weights for the search: a sample has sample_weights / divisor units, or one unit if
   * there are no such weights; the loss of a control is unit[1] each, which may be 0. */
  int64_t unit[2], divisor[2];
  const int64_t *sample_weights[2];
  uint32_t n_planes[2], n_value_planes; /* binary digits of units; of cases times multipliers */
  int64_t control_units;                /* of all controls that clauses cover, or fewer allowed */
  int64_t case_units;                   /* that have to be covered */
  size_t n_words;                       /* of a vector of both classes: cases, then controls */
  int64_t all;                          /* the loss of no clause, */
  int64_t lost;                         /* and of the cases that no clause covers */
  int64_t before_all;                   /* so much that a case comes before controls */
  uint64_t max_controls;                /* weight, as in the problem or all there are */
  uint64_t work;
  bool is_cut;      /* clock or stop request came before it was ready: it says nothing */
  uint64_t *memory; /* of all arrays */
};

irl_status irl_select_pool_init(irl_env *env, irl_select_pool *pool, const irl_select_task *task,
                                const irl_limit *limit);
void irl_select_pool_free(irl_select_pool *pool);
/* Turns a pool to another task, with the same clauses and penalties, and with limits that are not
 * looser than those it was made for: what is dominated stays dominated. A pool whose problem did
 * not look at controls cannot be turned to one that does, nor one with the Hamming loss. */
void irl_select_pool_aim(irl_select_pool *pool, const irl_select_task *task);
/* Do all numbers of the pool agree with its covers, are tails zero and clauses in order? */
bool irl_select_pool_check(const irl_select_pool *pool);

static inline const uint64_t *irl_select_cover(const irl_select_pool *pool, int class, uint32_t k) {
  assert(k < pool->n);
  return pool->covers[class].words + k * pool->covers[class].stride;
}
static inline uint32_t irl_select_id(const irl_select_pool *pool, uint32_t k) {
  assert(k < pool->n);
  return pool->id[k];
}
static inline int64_t irl_select_cost(const irl_select_pool *pool, uint32_t k) {
  assert(k < pool->n);
  return pool->cost[k];
}

/* live = all samples of both classes. */
void irl_select_fill(const irl_select_pool *pool, uint64_t *live);
/* live = those of `from` that clause k does not cover. */
void irl_select_uncover(const irl_select_pool *pool, uint64_t *live, const uint64_t *from,
                        uint32_t k);
/* What the samples of a class that are in both vectors weigh by themselves. */
static inline int64_t irl_select_weigh_both(const irl_select_pool *pool, int class,
                                            const uint64_t *x, const uint64_t *y) {
  return irl_sample_weights_sum(pool->weights[class], x, y, pool->covers[class].n_words);
}

/* What each clause of the pool would add to a choice. */
typedef struct irl_select_additions {
  int64_t *weights[2]; /* of cases, of controls */
  uint32_t *counts;    /* scratch: of one class, */
  uint64_t *mask;      /* and the planes of what is live */
} irl_select_additions;
/* Words that they take, and where they are. */
size_t irl_select_additions_size(const irl_select_pool *pool);
irl_select_additions irl_select_additions_at(const irl_select_pool *pool, uint64_t *memory);
void irl_select_add_up(const irl_select_pool *pool, const uint64_t *live,
                       irl_select_additions *additions);
/* A choice of clauses of the pool and what it is worth. */
typedef struct irl_select_choice {
  uint32_t n;
  uint32_t k[IRL_MAX_K]; /* in the pool's numbers, ascending once it is complete */
  int64_t loss;
  uint64_t cases, controls, literals;
} irl_select_choice;

/* Computes all numbers of a choice; loss is IRL_NO_LOSS if it is not feasible. `scratch` has
 * pool->n_words words. */
void irl_select_weigh(const irl_select_pool *pool, irl_select_choice *choice, uint64_t *scratch);
/* By loss, then fewer clauses, fewer literals, then the caller's numbers: a total order. */
bool irl_select_better(const irl_select_pool *pool, const irl_select_choice *a,
                       const irl_select_choice *b);
/* The clauses of a choice in ascending order. */
void irl_select_sort(irl_select_choice *choice);
/* Takes number i out of a choice. */
void irl_select_remove(irl_select_choice *choice, uint32_t i);
/* A choice that grows clause by clause. */
typedef struct irl_select_filler {
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_select_choice now;
  uint64_t *live, *scratch; /* vectors of samples: what the choice leaves uncovered */
  irl_select_additions additions;
  bool misses_cases; /* it has to cover more */
  uint64_t controls_left, max_size;
  uint64_t work;
} irl_select_filler;

/* Words of memory that it takes, and an empty choice there. */
size_t irl_select_filler_size(const irl_select_pool *pool);
irl_select_filler irl_select_filler_at(const irl_select_pool *pool, const irl_limit *limit,
                                       uint64_t *memory);
/* Computes the numbers of the choice, and what each clause would add to it. False: none may be
 * added, or the limit is reached. */
bool irl_select_look(irl_select_filler *filler);
/* What clause k then gains; 0: it is not allowed. While cases are missed that have to be covered,
 * these count before all else. */
static inline int64_t irl_select_gain(const irl_select_filler *f, uint32_t k) {
  const int64_t cases = f->additions.weights[0][k], controls = f->additions.weights[1][k];
  if ((uint64_t)controls > f->controls_left || f->pool->size[k] > f->max_size) return 0;
  if (f->misses_cases) return f->pool->before_all * cases - controls;
  return irl_problem_gain(f->pool->problem, cases, controls) - f->pool->cost[k];
}
/* Adds the clause that gains most until none gains. */
void irl_select_fill_up(irl_select_filler *filler);
/* Fills the choice up, then takes single clauses out and fills up again as long as that gains.
 * `best` is kept if it is better. */
void irl_select_improve(irl_select_filler *filler, irl_select_choice *best);
/* The clauses that gain by themselves, the best first; room for all of the pool. */
typedef struct irl_select_first {
  int64_t gain;
  uint32_t k;
} irl_select_first;
uint32_t irl_select_list_firsts(irl_select_filler *filler, irl_select_first *list);

/* A good choice: greedy from several first clauses, each improved by exchanges, as long as the
 * limit allows. `best` is kept if nothing better is found. */
irl_status irl_select_greedy(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                             irl_select_choice *best, uint64_t *work);
/* A better choice by greed from pairs of good clauses, if one is found; `best` is kept otherwise.
 */
irl_status irl_select_from_pairs(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                                 irl_select_choice *best, uint64_t *work);
/* A better choice by tabu search, if one is found within the limit's work; `best` is kept
 * otherwise. */
irl_status irl_select_tabu(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                           irl_select_choice *best, uint64_t *work);

#endif
