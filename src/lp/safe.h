/* Bounds that no rounding error can make false. */
#ifndef IRL_LP_SAFE_H
#define IRL_LP_SAFE_H

#include "lp/lp.h"

/* A number that is at most c'x + constant for every x that satisfies rows and bounds, from any
 * vector y (one entry per row; the better the dual, the better the bound). -INFINITY where a
 * variable without a bound stands in the way; models with boxed columns always get a number. */
irl_status irl_lp_safe_bound(const irl_lp *lp, const double *y, double *bound);

#endif
