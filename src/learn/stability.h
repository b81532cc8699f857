/* How much of a rule comes back when the samples are drawn anew: what validate/stability_test.c
 * finds.
 *
 * A literal is told by its column, its sense and its value; cut points of numbers are learnt anew
 * in each resample and may differ, so `age > 54.5` and `age > 57` are both `age >`. */
#ifndef IRL_LEARN_STABILITY_H
#define IRL_LEARN_STABILITY_H

#include "data/names.h"

#define IRL_SUBSTITUTES 5u /* that are kept for a literal */

/* A literal that stood in rules in which another was missing, and goes with that one. */
typedef struct irl_substitute {
  uint32_t literal, count; /* number, and resamples */
  double r;                /* correlation of the two over the samples, on average */
} irl_substitute;

typedef struct irl_stable_literal {
  bool is_in_rule;
  uint32_t count;   /* resamples whose rule has it */
  double low, high; /* of its cut points there; NaN: it has none */
  uint32_t n_others;
  irl_substitute others[IRL_SUBSTITUTES]; /* of a literal of the rule, the most frequent first */
} irl_stable_literal;

typedef struct irl_stable_clause {
  uint32_t count; /* resamples whose rule has a clause of the same literals */
  double overlap; /* with its nearest clause in each, on average: shared samples over all of both */
} irl_stable_clause;

typedef struct irl_stability {
  irl_allocator allocator;
  uint32_t n_asked, n_done; /* resamples */
  uint32_t n_same;          /* that gave the same clauses */
  double agreement;         /* share of the samples that are predicted alike, on average */
  irl_names names;          /* of the literals: those of the rule first, in its order */
  irl_stable_literal *literals;
  uint32_t *order; /* of the literals: those of the rule, then the others by count */
  irl_stable_clause *clauses;
  size_t n_clauses;
  const char *none_since; /* why nothing was done; NULL: something was */
} irl_stability;

void irl_stability_free(irl_stability *stability);

#endif
