/* Cut points of a number column. */
#ifndef IRL_TABLE_CUTS_H
#define IRL_TABLE_CUTS_H

#include "base/env.h"

typedef struct irl_cut_plan {
  irl_cut_method method;
  uint32_t n_quantiles;
  uint32_t n_extra;   /* mdl: quantiles besides */
  const irl_env *env; /* whose limits count; NULL: none */
} irl_cut_plan;

/* A value and its class. */
typedef struct irl_cut_value {
  double value;
  bool is_case;
} irl_cut_value;

/* What the option means, defaults filled in. */
void irl_cut_make_plan(const irl_cuts *cuts, irl_cut_plan *plan);
/* Sorts `values`, none of them missing, and puts the cut points, ascending, into `cuts`, which has
 * room for n; returns how many. `stack` has room for 4 * n + 8. IRL_CUTS_STOPPED: a limit came. */
#define IRL_CUTS_STOPPED SIZE_MAX
size_t irl_cut_find(const irl_cut_plan *plan, irl_cut_value *values, size_t n, double *cuts,
                    size_t *stack);

#endif
