/* An independent look at an answer: residuals from the model itself, not from the simplex. */
#ifndef IRL_LP_KKT_H
#define IRL_LP_KKT_H

#include "lp/lp.h"

/* Each relative to 1 + the magnitudes that enter it. */
typedef struct irl_lp_residuals {
  double primal; /* worst violation of a row or column bound */
  double dual;   /* worst reduced cost or row dual whose sign no bound supports */
  double gap;    /* of primal and dual objective: complementary slackness */
} irl_lp_residuals;

irl_status irl_lp_kkt(const irl_lp *lp, irl_lp_residuals *residuals);
bool irl_lp_residuals_are_small(const irl_lp_residuals *residuals);

#endif
