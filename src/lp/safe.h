/* Bounds that no rounding error can make false. */
#ifndef IRL_LP_SAFE_H
#define IRL_LP_SAFE_H

#include "lp/lp.h"

/* A number that is at most c'x + constant for every x that satisfies rows and bounds, from any
 * vector y (one entry per row; the better the dual, the better the bound). -INFINITY where a
 * variable without a bound stands in the way; models with boxed columns always get a number. */
irl_status irl_lp_safe_bound(const irl_lp *lp, const double *y, double *bound);
/* A safe bound, and reduced[j] gets what a unit of column j away from its better bound adds at
 * least: positive at the lower bound, negative at the upper one, 0 if rounding leaves the sign
 * open. */
irl_status irl_lp_safe_reduced(const irl_lp *lp, const double *y, double *bound, double *reduced);
/* Does y or -y (as irl_lp_ray) prove, whatever the costs, that no point satisfies rows and bounds?
 */
irl_status irl_lp_safe_infeasible(const irl_lp *lp, const double *y, bool *is_proven);

#endif
