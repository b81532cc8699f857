/* A light presolve for models read from files. */
#ifndef IRL_MODEL_PRESOLVE_H
#define IRL_MODEL_PRESOLVE_H

#include "lp/lp.h"

/* Solves `lp` by way of a smaller model; the answer stands in `lp` as after irl_lp_solve, and has
 * passed the same check. Falls back to irl_lp_solve where that fails. */
irl_status irl_lp_solve_presolved(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result);

#endif
