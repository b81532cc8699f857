/* What the parts of the choice share: a thread's branch and bound over clauses of a list, see
 * choose.c. */
#ifndef IRL_PROVE_CHOOSE_WORKER_H
#define IRL_PROVE_CHOOSE_WORKER_H

#include "prove/choose.h"

#define IRL_CHOOSE_MAX_K 64u
#define IRL_CHOOSE_CHUNK 128u /* covers that are weighed while they are in cache */

typedef struct irl_choose_candidate {
  int64_t value, a, b;
  uint32_t k;
} irl_choose_candidate;

typedef struct irl_choose_frame {
  uint64_t *live;    /* cases, then controls, that the choice leaves uncovered */
  uint64_t *relaxed; /* cases that are given away */
  irl_choose_candidate *list;
  uint32_t n;
  uint32_t left;
  int64_t loss, cost_so_far;
  uint64_t literals;
  int64_t relaxed_weight; /* weight of what is given away */
} irl_choose_frame;

typedef struct irl_choose_worker {
  const irl_learn_choosing *choosing;
  const irl_limit *limit;
  size_t case_words, control_words;
  irl_choose_frame frames[IRL_CHOOSE_MAX_K + 1];
  uint32_t path[IRL_CHOOSE_MAX_K], best[IRL_CHOOSE_MAX_K];
  uint32_t n_path, n_best;
  int64_t target;
  uint32_t *ids, *places;
  uint32_t counts[IRL_CHOOSE_CHUNK];
  int64_t *weights, *sums;
  uint64_t *counted, *once, *twice, *relaxed, *cover; /* scratch: cases; cover has controls too */
  uint32_t n_first;                                   /* with what is in `given` */
  uint64_t nodes, work, max_work, next_check;
  bool is_cut;
} irl_choose_worker;

static inline const uint64_t *irl_choose_cases(const irl_choose_worker *w, uint32_t k) {
  return irl_bits_vector(&w->choosing->list->cases, k);
}

static inline const uint64_t *irl_choose_controls(const irl_choose_worker *w, uint32_t k) {
  return irl_bits_vector(&w->choosing->list->controls, k);
}

/* What the clauses left must gain for a better choice. */
static inline int64_t irl_choose_need(const irl_choose_worker *w, const irl_choose_frame *f) {
  return f->loss - (w->target - 1);
}

/* choose_fill.c */
/* The weight that each of n clauses (in w->ids) shares with a vector of one class, to w->weights.
 */
void irl_choose_weigh(irl_choose_worker *w, int class, const uint64_t *vector, uint32_t n);
/* Candidates that may be part of a better choice, from n of a list (NULL: all clauses), by value
 * unless two are left below the root. */
void irl_choose_fill(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *from,
                     uint32_t n);

/* choose_node.c */
/* The least loss of a choice with candidate i and later ones of a list by value. */
int64_t irl_choose_bound(const irl_choose_frame *f, const irl_choose_candidate *list, uint32_t n,
                         uint32_t i);
/* Goes through all choices with candidate i and later ones of the list at that depth. */
void irl_choose_branch(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *list,
                       uint32_t n, uint32_t i);

#endif
