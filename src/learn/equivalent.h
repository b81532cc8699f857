/* Literals that could stand in the place of one of a rule. */
#ifndef IRL_LEARN_EQUIVALENT_H
#define IRL_LEARN_EQUIVALENT_H

#include "learn/learner.h"
#include "rule/rule.h"

#define IRL_EQUIVALENT_MOST 100u /* that are kept for one place */

typedef struct irl_equivalent {
  irl_literal literal; /* of the data */
  int64_t change;      /* of the loss */
} irl_equivalent;

/* For one literal of a rule: the others, those that change least first. */
typedef struct irl_equivalents {
  uint32_t n, n_all; /* kept; found */
  irl_equivalent others[IRL_EQUIVALENT_MOST];
} irl_equivalents;

/* All of `clause` at `place` that raise the loss by at most `most`. */
irl_status irl_equivalents_find(irl_env *env, const irl_bound_rule *bound,
                                const irl_learn_settings *settings, int64_t most, size_t clause,
                                uint32_t place, irl_equivalents *found);

#endif
