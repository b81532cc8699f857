/* What each budget of controls asks of the clauses of a selection (lemma 8). */
#ifndef IRL_VERIFY_DEMAND_H
#define IRL_VERIFY_DEMAND_H

#include "verify/verify_parts.h"
#include <assert.h>

#define IRL_VERIFY_PARTS   7  /* multipliers are so many of one at most */
#define IRL_VERIFY_BUDGETS 64 /* bits of a mask */

/* Bit i of a mask stands for the budgets base + i * width + 0 ... width - 1, of which the least
 * counts in every test. Under the Hamming loss there is one for all, bit 0. */
typedef struct irl_verify_budgets {
  const irl_verify_limits *limits;
  int64_t base, width;
} irl_verify_budgets;

/* The largest budget of a better rule. */
int64_t irl_verify_budgets_largest(const irl_verify_budgets *budgets,
                                   const irl_verify_state *state);
/* The bits of budgets of at least, and of at most that much. */
uint64_t irl_verify_budgets_from(const irl_verify_budgets *budgets, int64_t controls);
uint64_t irl_verify_budgets_to(const irl_verify_budgets *budgets, int64_t controls);
/* T of the lemma at the least budget of a bit, in parts; `given` is its h. */
int64_t irl_verify_needed(const irl_verify_budgets *budgets, const irl_verify_state *state,
                          int64_t given, unsigned bit);

static inline unsigned irl_verify_lowest(uint64_t mask) {
  assert(mask);
  return (unsigned)__builtin_ctzll(mask);
}
/* May a clause of that value be the largest of a selection that needs so much? */
static inline bool irl_verify_may_lead(int64_t value, uint32_t left, int64_t needed) {
  assert(left);
  return needed > 0 ? left * value >= needed : value >= needed;
}

/* The fast form of the test: cleared, then values are counted, then it is set. */
typedef struct irl_verify_demand {
  int64_t top[IRL_VERIFY_BUDGETS];    /* the largest value of the clauses whose least budget is
                                       * that; f of the lemma once it is set */
  int64_t needed[IRL_VERIFY_BUDGETS]; /* T */
  int64_t least[IRL_VERIFY_BUDGETS];  /* value of a clause with the budget; INT64_MAX: no selection
                                       * has it */
  int64_t from[IRL_VERIFY_BUDGETS];   /* value of a clause with that least budget */
} irl_verify_demand;

void irl_verify_demand_clear(irl_verify_demand *demand);
static inline void irl_verify_demand_count(irl_verify_demand *demand, uint64_t mask,
                                           int64_t value) {
  const unsigned bit = irl_verify_lowest(mask);
  if (value > demand->top[bit]) demand->top[bit] = value;
}
/* All of it by the values that were counted. Returns the budgets that some selection may have. */
uint64_t irl_verify_demand_set(const irl_verify_budgets *budgets, const irl_verify_state *state,
                               int64_t given, irl_verify_demand *demand);

#endif
