/* Cut points of a number column. */
#ifndef IRL_TABLE_CUTS_H
#define IRL_TABLE_CUTS_H

#include "base/env.h"

typedef enum irl_cut_method { IRL_CUT_QUANTILE, IRL_CUT_MDL, IRL_CUT_ALL } irl_cut_method;

typedef struct irl_cut_plan {
  irl_cut_method method;
  uint32_t n_quantiles;
  uint32_t n_extra; /* mdl: quantiles besides */
} irl_cut_plan;

/* A value and its class. */
typedef struct irl_cut_value {
  double value;
  bool is_case;
} irl_cut_value;

/* What stands for no text. */
#define IRL_CUT_DEFAULT "mdl:3"
/* quantile:9, mdl, mdl:3 or all. */
irl_status irl_cut_parse(irl_env *env, const char *text, irl_cut_plan *plan);
/* Sorts `values`, none of them missing, and puts the cut points, ascending, into `cuts`, which has
 * room for n; returns how many. `stack` has room for 4 * n + 8. */
size_t irl_cut_find(const irl_cut_plan *plan, irl_cut_value *values, size_t n, double *cuts,
                    size_t *stack);

#endif
