/* The last word on every incumbent. It reads the rows as they came, not what presolve or cuts have
 * made of them, so an error anywhere else cannot produce a wrong solution. */
#include "milp/milp_model.h"
#include "milp/milp_tol.h"
#include <math.h>

static bool put_in_place(const irl_milp_model *m, double *x) {
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (!isfinite(x[j]) || m->lower[j] > m->upper[j]) return false;
    if (m->is_integer[j]) {
      if (fabs(x[j]) > IRL_MILP_MAX_INTEGER) return false;
      x[j] = nearbyint(x[j]) + 0.0; /* no negative zero */
      if (x[j] < m->lower[j] || x[j] > m->upper[j]) return false;
    } else {
      if (fabs(x[j] - nearbyint(x[j])) <= IRL_MILP_TOL_SNAP) x[j] = nearbyint(x[j]) + 0.0;
      x[j] = fmin(fmax(x[j], m->lower[j]), m->upper[j]);
    }
  }
  return true;
}

bool irl_milp_check_solution(const irl_milp_model *m, double *x, double share, double *objective) {
  assert(share >= 0 && share <= 1);
  bool is_feasible = put_in_place(m, x);
  for (uint32_t i = 0; i < m->n_rows && is_feasible; i++) {
    double sum = 0, size = 0;
    for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
      sum += m->row_value[e] * x[m->row_column[e]];
      size += fabs(m->row_value[e] * x[m->row_column[e]]);
    }
    is_feasible = !(m->is_exact[i] && size > IRL_MILP_MAX_INTEGER) &&
                  m->row_lower[i] <= m->row_upper[i] &&
                  sum >= m->row_lower[i] - share * m->tolerance[i] &&
                  sum <= m->row_upper[i] + share * m->tolerance[i];
  }
  if (!is_feasible) return false;
  *objective = m->constant;
  for (uint32_t j = 0; j < m->n_columns; j++) *objective += m->cost[j] * x[j];
  return true;
}
