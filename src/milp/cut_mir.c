/* Mixed-integer rounding of single rows (Marchand and Wolsey 2001), for flows with fixed charges.
 *
 * In a row of the model each continuous column that has a variable bound (a row with it and one
 * integer column, x <= u y or x >= l y) is replaced by way of that row if the LP's point is nearer
 * to it than to the column's own bound; so the integer column takes its place. The sum is divided
 * by the entry of one of its integer columns, several are tried, and rounded by irl_milp_gomory,
 * for which these are multipliers of rows like any others. */
#include "milp/cut.h"
#include "milp/milp_tol.h"
#include <math.h>

#define MAX_DIVISORS 8u

/* The row that binds a continuous column to an integer one most closely at x; UINT32_MAX: none. */
static uint32_t variable_bound(const irl_milp_model *m, uint32_t j, const double *x,
                               double *entry) {
  const double own = fmin(x[j] - m->lower[j], m->upper[j] - x[j]);
  double best_slack = INFINITY;
  uint32_t best = UINT32_MAX;
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
    const uint32_t i = m->column_row[e];
    const size_t first = m->row_start[i];
    if (m->is_partial[i] || m->row_start[i + 1] - first != 2) continue;
    const size_t other = m->row_column[first] == j ? first + 1 : first;
    if (!m->is_integer[m->row_column[other]]) continue;
    const double activity =
        m->column_value[e] * x[j] + m->row_value[other] * x[m->row_column[other]];
    const double slack =
        fmin(activity - m->row_lower[i], m->row_upper[i] - activity) / fabs(m->column_value[e]);
    if (slack >= best_slack) continue;
    best_slack = slack;
    best = i;
    *entry = m->column_value[e];
  }
  return best_slack <= own + IRL_MILP_TOL_INTEGER ? best : UINT32_MAX;
}

irl_status irl_milp_mir(irl_milp_rounding *r, uint32_t row, double *multipliers,
                        irl_milp_cuts *found) {
  const irl_milp_model *m = r->out.model;
  const size_t n_rows = m->n_rows + r->cuts->n;
  const double *x = r->x;
  irl_milp_builder *work = &r->work;
  double divisors[MAX_DIVISORS], *scaled = multipliers + n_rows;
  uint32_t n = 0;
  /* multipliers = the row and what replaces its continuous columns; the summed row in `work`. */
  memset(multipliers, 0, n_rows * sizeof *multipliers);
  irl_milp_builder_clear(work);
  multipliers[row] = 1;
  for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
    const uint32_t j = m->row_column[e];
    double entry = 1;
    irl_milp_builder_add(work, j, m->row_value[e]);
    if (m->is_integer[j]) continue;
    const uint32_t bound = variable_bound(m, j, x, &entry);
    if (bound == UINT32_MAX || bound == row || multipliers[bound] != 0) continue;
    assert(entry != 0 && !m->is_partial[bound]);
    multipliers[bound] = -m->row_value[e] / entry;
    for (size_t k = m->row_start[bound]; k < m->row_start[bound + 1]; k++)
      irl_milp_builder_add(work, m->row_column[k], multipliers[bound] * m->row_value[k]);
  }
  /* Entries of integer columns that the LP's point has between their bounds, each once. */
  for (uint32_t k = 0; k < work->n_list && n < MAX_DIVISORS; k++) {
    const uint32_t j = work->list[k];
    const double a = fabs(work->sums[j].value);
    bool is_new = m->is_integer[j] && a > IRL_MILP_CUT_DEPTH &&
                  x[j] > m->lower[j] + IRL_MILP_TOL_INTEGER &&
                  x[j] < m->upper[j] - IRL_MILP_TOL_INTEGER;
    for (uint32_t d = 0; d < n && is_new; d++) is_new = a != divisors[d];
    if (is_new) divisors[n++] = a;
  }
  for (uint32_t d = 0; d < 2 * n; d++) {
    irl_milp_cut cut;
    const double factor = (d % 2 ? -1 : 1) / divisors[d / 2];
    assert(isfinite(factor) && factor != 0);
    for (size_t i = 0; i < n_rows; i++) scaled[i] = factor * multipliers[i];
    if (irl_milp_gomory(r, scaled, &cut) && !irl_milp_cuts_add(found, &cut))
      return irl_fail_memory(m->env);
  }
  return IRL_OK;
}
