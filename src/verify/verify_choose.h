/* What going through selections of a list (verify_choose.c) shares with the values and masks of its
 * options (verify_values.c). */
#ifndef IRL_VERIFY_VERIFY_CHOOSE_H
#define IRL_VERIFY_VERIFY_CHOOSE_H

#include "bits/bits.h"
#include "verify/verify_demand.h"

#define IRL_VERIFY_FINE 100 /* multipliers are looked for in so many parts of each part of one */

/* A clause of the pool and what it would add to the state of a level. */
typedef struct irl_verify_option {
  int64_t value, new_cases, new_controls, cost;
  uint64_t mask;
  uint32_t clause, size;
} irl_verify_option;

typedef struct irl_verify_level {
  irl_verify_state state;
  irl_verify_option *options;
  uint32_t n;
  uint16_t *fine;   /* multipliers of all cases, in IRL_VERIFY_PARTS * IRL_VERIFY_FINE */
  uint64_t *planes; /* of the live and coverable ones times their weights */
  int64_t given;    /* the h of the multipliers */
} irl_verify_level;

typedef struct irl_verify_selector {
  const irl_verify_view *view;
  const irl_verify_limits *limits;
  const irl_verify_pool *pool;
  irl_verify_level *levels;
  int64_t *weights;  /* of each case, in units, */
  int64_t unit;      /* the weight of one */
  uint32_t n_planes; /* binary digits of IRL_VERIFY_PARTS times the largest */
  irl_verify_budgets budgets;
  uint64_t *coverable, *masked, *live_planes;
  int64_t *sums;
  uint32_t *ids, *counts, *order;
  irl_verify_option *spare; /* where options are moved to when they are sorted */
  unsigned weakest;         /* the bit whose f leaves the most */
  int64_t weakest_top;
  bool is_better;
} irl_verify_selector;

static inline const uint64_t *irl_verify_cover_of(const irl_verify_selector *s, uint32_t clause) {
  assert(clause < s->pool->n);
  return s->pool->covers + clause * s->view->stride;
}

/* What an option's value loses beside the sum over its cases. */
static inline int64_t irl_verify_charge(const irl_verify_selector *s, const irl_verify_option *o) {
  return IRL_VERIFY_PARTS * (o->cost + (s->limits->is_hamming ? o->new_controls : 0));
}

static inline uint32_t irl_verify_part(uint16_t fine) {
  return (fine + IRL_VERIFY_FINE / 2u) / IRL_VERIFY_FINE;
}

/* The sums of n options, in s->sums. */
void irl_verify_weigh_options(irl_verify_selector *s, const uint64_t *planes,
                              const irl_verify_option *options, uint32_t n);
/* Masks tightened by plain values, then by multipliers; values and planes of the best of these,
 * which `best` has room for. The options stand by value afterwards. */
void irl_verify_bound_level(irl_verify_selector *s, irl_verify_level *l, uint16_t *best);

#endif
