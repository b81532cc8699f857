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

/* A place of the rule, and what could stand there. */
typedef struct irl_equivalent_place {
  const irl_rule *rule;
  const irl_data *data;
  size_t clause;
  irl_literal literal; /* of the rule */
  const irl_equivalents *found;
  double divisor; /* a change over this is one of the objective */
} irl_equivalent_place;

/* Which others are wanted: by how much they change the loss, and what the rule must then cover. */
typedef struct irl_equivalent_search {
  const irl_bound_rule *bound;
  const irl_problem *problem;
  int threads;
  int64_t least, most;
  uint64_t tp, fp; /* of the rule as it is */
} irl_equivalent_search;

/* All that could stand at `place` of `clause`. */
irl_status irl_equivalents_find(irl_env *env, const irl_equivalent_search *search, size_t clause,
                                uint32_t place, irl_equivalents *found);

/* Every place of the rule of a fit where others could stand, within the change that the fit's
 * option allows. None where the loss counts otherwise: Hamming loss, weights per sample. */
irl_status irl_equivalents_walk(irl_env *env, const irl_fit_result *result,
                                void (*visit)(void *user, const irl_equivalent_place *place),
                                void *user);

#endif
