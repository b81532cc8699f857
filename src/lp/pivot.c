/* Parts of an iteration that the dual and the primal simplex share: columns and rows of the tableau
 * over entries and logicals, weights, moves, and the pivot itself. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

#define REFACTOR_AFTER 100u /* updates */
/* Iterations, per variable and for the smallest models, that no model should need: an attempt that
 * gets there is going in circles. */
#define LOST_AFTER 200u
#define SOLVES     4u /* with the factors, in an iteration */
/* A unit of work in a refactorisation takes this many times as long as one in a solve. */
#define REFACTOR_WEIGHT 10u

/* The average cost of an iteration, refactorisation included, falls at first and then rises with
 * the etas: refactor where it is least, counted in work so that it is the same on every machine. */
bool irl_lp_is_time_to_refactor(const irl_lp_simplex *s) {
  const uint64_t now = SOLVES * irl_lp_lu_growth(&s->lu);
  return !s->has_factors || s->lu.n_updates >= REFACTOR_AFTER ||
         now * s->lu.n_updates > REFACTOR_WEIGHT * s->refactor_work + s->eta_work;
}

bool irl_lp_is_lost(const irl_lp_simplex *s) {
  return s->iterations > LOST_AFTER * ((uint64_t)s->total + LOST_AFTER);
}

/* x += factor * the entries of column v. */
static void scatter(const irl_lp_simplex *s, uint32_t v, double factor, double *x) {
  assert(v < s->total);
  if (v >= s->n) {
    x[v - s->n] -= factor;
    return;
  }
  for (size_t e = s->a.columns.start[v]; e < s->a.columns.start[v + 1]; e++)
    x[s->a.columns.index[e]] += factor * s->a.columns.value[e];
}

/* Only the rows where y is not zero are touched. */
static void price_by_rows(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  size_t touched = 0;
  for (uint32_t k = 0; k < y->n; k++) {
    const uint32_t i = y->index[k];
    const double t = y->x[i];
    touched += s->a.rows.start[i + 1] - s->a.rows.start[i];
    for (size_t e = s->a.rows.start[i]; e < s->a.rows.start[i + 1]; e++) {
      const uint32_t j = s->a.rows.index[e];
      const double old = row->x[j];
      if (old == 0) row->index[row->n++] = j;
      row->x[j] = old + t * s->a.rows.value[e];
      /* Stays in the index once, even if it cancels. */
      if (row->x[j] == 0) row->x[j] = 1e-300;
    }
  }
  s->work_other += touched;
}

static void price_by_columns(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  for (uint32_t j = 0; j < s->n; j++) {
    if (s->at[j] == IRL_LP_BASIC) continue;
    double sum = 0;
    for (size_t e = s->a.columns.start[j]; e < s->a.columns.start[j + 1]; e++)
      sum += y->x[s->a.columns.index[e]] * s->a.columns.value[e];
    if (sum == 0) continue;
    row->x[j] = sum;
    row->index[row->n++] = j;
  }
  s->work_other += s->a.columns.used;
}

void irl_lp_price(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  irl_lp_vector_clear(row);
  assert(irl_lp_vector_check(y));
  if (y->n > s->m / 2)
    price_by_columns(s, y);
  else
    price_by_rows(s, y);
  uint32_t n = 0;
  for (uint32_t k = 0; k < row->n; k++) {
    const uint32_t j = row->index[k];
    if (s->at[j] != IRL_LP_BASIC && fabs(row->x[j]) > IRL_LP_TOL_DROP)
      row->index[n++] = j;
    else
      row->x[j] = 0;
  }
  for (uint32_t k = 0; k < y->n; k++) {
    const uint32_t v = s->n + y->index[k];
    if (s->at[v] == IRL_LP_BASIC) continue;
    row->x[v] = -y->x[y->index[k]];
    row->index[n++] = v;
  }
  row->n = n;
  assert(irl_lp_vector_check(row));
}

void irl_lp_compute_rho(irl_lp_simplex *s, uint32_t p) {
  assert(p < s->m && s->has_factors);
  irl_lp_vector_clear(&s->rho);
  s->rho.x[p] = 1;
  s->rho.index[0] = p;
  s->rho.n = 1;
  irl_lp_lu_btran(&s->lu, &s->rho, true);
}

/* rho of the row where the column is basic. */
static bool find_rho(irl_lp *lp, uint32_t column) {
  irl_lp_simplex *s = lp->simplex;
  uint32_t p = 0;
  if (!s || !s->has_factors) return false;
  while (p < s->m && s->head[p] != column) p++;
  if (p == s->m) return false;
  irl_lp_compute_rho(s, p);
  return true;
}

bool irl_lp_slopes(irl_lp *lp, uint32_t column, double *down, double *up, uint64_t *work) {
  if (lp->is_reshaped || lp->is_rebased) return false;
  if (lp->lazy) return irl_lp_slopes(lp->lazy->lp, column, down, up, work);
  irl_lp_simplex *s = lp->simplex;
  const uint64_t before = s ? irl_lp_work(s) : 0;
  if (!find_rho(lp, column)) return false;
  irl_lp_price(s, &s->rho);
  /* The least ratio of those that let the variable of the row fall, or rise. */
  *down = *up = INFINITY;
  for (uint32_t k = 0; k < s->row.n; k++) {
    const uint32_t v = s->row.index[k];
    const double alpha = s->row.x[v];
    if (s->lower[v] == s->upper[v] || fabs(alpha) < IRL_LP_TOL_PIVOT) continue;
    const double own = fabs(s->d[v] / alpha);
    assert(s->at[v] != IRL_LP_BASIC && own >= 0);
    const bool falls = (s->at[v] == IRL_LP_UPPER) == (alpha < 0);
    if (falls || s->at[v] == IRL_LP_ZERO) *down = fmin(*down, own);
    if (!falls || s->at[v] == IRL_LP_ZERO) *up = fmin(*up, own);
  }
  *down = *down / s->scale[column] * s->cost_unit;
  *up = *up / s->scale[column] * s->cost_unit;
  *work += irl_lp_work(s) - before;
  return true;
}

bool irl_lp_tableau_multipliers(irl_lp *lp, uint32_t column, double *y) {
  if (lp->is_reshaped || lp->is_rebased) return false;
  if (lp->lazy) return irl_lp_lazy_rows_multipliers(lp, column, y);
  if (!find_rho(lp, column)) return false;
  irl_lp_simplex *s = lp->simplex;
  for (uint32_t i = 0; i < s->m; i++) y[i] = s->rho.x[i] * s->scale[column] / s->scale[s->n + i];
  return true;
}

void irl_lp_compute_column(irl_lp_simplex *s, uint32_t q) {
  assert(s->at[q] != IRL_LP_BASIC && s->has_factors);
  irl_lp_vector_clear(&s->column);
  scatter(s, q, 1, s->column.x);
  s->column.n = s->m;
  irl_lp_lu_ftran(&s->lu, &s->column, true);
}

/* Row i of the new inverse is rho_i - ratio * rho_p, so its norm needs rho_i'rho_p = tau_i, unless
 * no row but p changes. */
void irl_lp_update_weights(irl_lp_simplex *s, uint32_t p) {
  const double pivot = s->column.x[p], weight = s->weight[p];
  assert(fabs(pivot) >= IRL_LP_TOL_PIVOT_FRESH && weight >= IRL_LP_WEIGHT_MIN);
  if (s->column.n > 1) {
    irl_lp_vector_copy(&s->tau, &s->rho);
    irl_lp_lu_ftran(&s->lu, &s->tau, false);
  }
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    if (i == p) continue;
    const double ratio = s->column.x[i] / pivot;
    const double updated = s->weight[i] + ratio * (ratio * weight - 2 * s->tau.x[i]);
    s->weight[i] = irl_lp_max(updated, IRL_LP_WEIGHT_MIN);
  }
  s->weight[p] = irl_lp_max(weight / (pivot * pivot), IRL_LP_WEIGHT_MIN);
}

void irl_lp_move(irl_lp_simplex *s, uint32_t v, double to) {
  assert(s->at[v] != IRL_LP_BASIC && isfinite(to));
  if (s->x[v] == to) return;
  if (s->n_moves++ == 0) irl_lp_vector_clear(&s->flips);
  scatter(s, v, to - s->x[v], s->flips.x);
  s->flips.n = s->m;
  s->x[v] = to;
}

void irl_lp_apply_moves(irl_lp_simplex *s) {
  if (!s->n_moves) return;
  irl_lp_lu_ftran(&s->lu, &s->flips, false);
  for (uint32_t k = 0; k < s->flips.n; k++) {
    const uint32_t i = s->flips.index[k];
    s->x[s->head[i]] -= s->flips.x[i];
    irl_lp_note_infeasibility(s, i);
  }
  s->n_moves = 0;
  s->is_accurate = false;
}

void irl_lp_shift_to_zero(irl_lp_simplex *s, uint32_t v) {
  assert(s->at[v] != IRL_LP_BASIC && isfinite(s->d[v]));
  s->cost[v] -= s->d[v];
  s->d[v] = 0;
  s->is_shifted = true;
}

bool irl_lp_has_wrong_sign(const irl_lp_simplex *s, uint32_t v) {
  if (s->lower[v] == s->upper[v]) return false;
  if (s->at[v] == IRL_LP_LOWER) return s->d[v] < 0;
  if (s->at[v] == IRL_LP_UPPER) return s->d[v] > 0;
  return s->at[v] == IRL_LP_ZERO && s->d[v] != 0;
}

irl_status irl_lp_pivot(irl_lp_simplex *s, uint32_t position, uint32_t entering) {
  assert(s->at[entering] != IRL_LP_BASIC && s->at[s->head[position]] != IRL_LP_BASIC);
  assert(s->d[entering] == 0 && s->n_moves == 0);
  const irl_status status = irl_lp_lu_update(&s->lu, position, s->column.x[position]);
  if (status) return status;
  s->head[position] = entering;
  s->at[entering] = IRL_LP_BASIC;
  s->is_fresh = s->is_accurate = false;
  s->iterations++;
  s->eta_work += SOLVES * irl_lp_lu_growth(&s->lu);
  return IRL_STATUS_OK;
}
