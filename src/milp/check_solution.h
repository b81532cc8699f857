/* Points that are to be believed: checked against the model as it was given. */
#ifndef IRL_MILP_CHECK_SOLUTION_H
#define IRL_MILP_CHECK_SOLUTION_H

#include "milp/milp_model.h"

/* Rounds the integer columns of x, puts the others within their bounds and checks all rows of
 * `original`: without any tolerance where row and columns are integers, elsewhere with `share` of
 * it. *objective is set if it holds. */
irl_status irl_milp_check_solution(const irl_milp_model *original, double *x, double share,
                                   bool *is_feasible, double *objective);

#endif
