/* The bounded dual simplex (Koberstein 2005 has all of it in one place).
 *
 * An iteration: the position with the largest infeasibility^2 / weight leaves (dual steepest edge,
 * Forrest and Goldfarb 1992); rho = B^-T e_p gives the pivot row; the ratio test names the entering
 * variable and those that flip; column = B^-1 a_q is the pivot column, and must agree with the row
 * on the pivot; tau = B^-1 rho updates the weights. Reduced costs that end with the wrong sign by
 * less than the tolerance have their costs shifted so that they are zero: the basis stays dual
 * feasible for the shifted costs, and lp_solve.c removes the shifts at the end.
 *
 * 'Optimal' is only said of values that were computed accurately since the last pivot, 'infeasible'
 * on fresh factors alone; before that the loop recomputes or refactors and tries again. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

/* Iterations without dual progress after which the costs are perturbed. */
#define STALL_LIMIT 100u
/* Iterations between two looks at the cutoff. */
#define CUTOFF_EVERY 8u

static uint32_t choose_row(const irl_lp_simplex *s) {
  uint32_t best = UINT32_MAX;
  double best_value = 0;
  for (uint32_t p = 0; p < s->m; p++) {
    assert(s->weight[p] > 0 && s->infeasibility[p] >= 0);
    if (s->infeasibility[p] <= best_value * s->weight[p] || s->is_banned[p]) continue;
    best_value = s->infeasibility[p] / s->weight[p];
    best = p;
  }
  return best;
}

/* Is the weight of the chosen row near its true value, now known? It is corrected in any case. */
static bool is_weight_right(irl_lp_simplex *s, uint32_t p) {
  const double true_weight = irl_lp_max(irl_lp_vector_norm2(&s->rho), IRL_LP_WEIGHT_MIN);
  const double old = s->weight[p];
  s->weight[p] = true_weight;
  return old * IRL_LP_WEIGHT_TRUST >= true_weight;
}

/* The step, once row and column agree on the pivot. */
static irl_status take_step(irl_lp_simplex *s, uint32_t p, uint32_t q, uint32_t n_flips,
                            double delta) {
  const uint32_t leaving = s->head[p];
  assert(delta != 0 && s->at[leaving] == IRL_LP_BASIC && s->at[q] != IRL_LP_BASIC);
  assert(fabs(s->row.x[q]) >= IRL_LP_TOL_PIVOT_FRESH);
  assert(fabs(s->column.x[p]) >= IRL_LP_TOL_PIVOT_FRESH);
  if (irl_lp_has_wrong_sign(s, q)) irl_lp_shift_to_zero(s, q);
  irl_lp_update_weights(s, p);
  /* The first candidates flip, and the basic variables move accordingly. */
  for (uint32_t k = 0; k < n_flips; k++) {
    const uint32_t v = s->candidates[k].variable;
    assert(isfinite(s->lower[v]) && isfinite(s->upper[v]) && s->at[v] != IRL_LP_ZERO);
    s->at[v] = s->at[v] == IRL_LP_LOWER ? IRL_LP_UPPER : IRL_LP_LOWER;
    irl_lp_move(s, v, s->at[v] == IRL_LP_LOWER ? s->lower[v] : s->upper[v]);
  }
  irl_lp_apply_moves(s);
  const double dual_step = s->d[q] / s->row.x[q];
  for (uint32_t k = 0; k < s->row.n; k++) {
    const uint32_t v = s->row.index[k];
    s->d[v] -= dual_step * s->row.x[v];
    if (v != q && irl_lp_has_wrong_sign(s, v)) irl_lp_shift_to_zero(s, v);
  }
  s->d[q] = 0;
  s->d[leaving] = -dual_step;
  const double bound = delta > 0 ? s->upper[leaving] : s->lower[leaving];
  const double step = (s->x[leaving] - bound) / s->column.x[p];
  assert(isfinite(bound));
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    if (i == p) continue;
    s->x[s->head[i]] -= step * s->column.x[i];
    irl_lp_note_infeasibility(s, i);
  }
  s->x[leaving] = bound;
  s->x[q] += step;
  s->at[leaving] = delta > 0 ? IRL_LP_UPPER : IRL_LP_LOWER;
  const irl_status status = irl_lp_pivot(s, p, q);
  if (!status) irl_lp_note_infeasibility(s, p);
  return status;
}

static double infeasibility_of(const irl_lp_simplex *s, uint32_t p) {
  const uint32_t v = s->head[p];
  return s->x[v] > s->upper[v] ? s->x[v] - s->upper[v] : s->x[v] - s->lower[v];
}

typedef enum verdict { GO_ON, REFACTOR, BAN, NO_ENTERING } verdict;

/* Finds the entering variable for row p and computes its column. */
static verdict choose_entering(irl_lp_simplex *s, uint32_t p, uint32_t *q, uint32_t *n_flips) {
  irl_lp_price(s, &s->rho);
  *q = irl_lp_dual_ratio(s, infeasibility_of(s, p), n_flips);
  if (*q == UINT32_MAX) return s->is_fresh ? NO_ENTERING : REFACTOR;
  irl_lp_compute_column(s, *q);
  const double by_row = s->row.x[*q], by_column = s->column.x[p];
  const double off = fabs(by_row - by_column), size = fmin(fabs(by_row), fabs(by_column));
  if (size < IRL_LP_TOL_PIVOT_FRESH) return s->is_fresh ? BAN : REFACTOR;
  if (off > IRL_LP_TOL_PIVOT_MISMATCH * (1 + size))
    return !s->is_fresh ? REFACTOR : off > IRL_LP_TOL_PIVOT_HOPELESS * size ? BAN : GO_ON;
  return GO_ON;
}

static bool is_any_banned(const irl_lp_simplex *s) {
  for (uint32_t p = 0; p < s->m; p++)
    if (s->is_banned[p] && s->infeasibility[p] > 0) return true;
  return false;
}

/* Is the optimum known to be above the cutoff? Any y gives a safe bound, perturbed costs or not. */
static irl_status check_cutoff(irl_lp_simplex *s, bool *is_above) {
  double bound;
  *is_above = false;
  if (s->options->cutoff == INFINITY || s->is_loosened) return IRL_STATUS_OK;
  for (uint32_t i = 0; i < s->m; i++)
    s->by_variable[i] = (s->d[s->n + i] - s->cost[s->n + i]) / s->scale[s->n + i] * s->cost_unit;
  const irl_status status = irl_lp_safe_bound(s->lp, s->by_variable, &bound);
  if (!status) *is_above = bound > s->options->cutoff;
  return status;
}

/* With the nonbasic variables on the bounds that their reduced costs ask for, the cost of the point
 * is the dual objective, which only grows: is it above the cutoff, as far as rounding lets one see?
 */
static bool may_be_above_cutoff(const irl_lp_simplex *s) {
  double sum = 0;
  if (s->options->cutoff == INFINITY || s->iterations % CUTOFF_EVERY || s->is_loosened)
    return false;
  for (uint32_t v = 0; v < s->total; v++) sum += s->cost[v] * s->x[v];
  return sum * s->bound_unit * s->cost_unit + s->lp->constant > s->options->cutoff;
}

irl_status irl_lp_run_dual(irl_lp_simplex *s, irl_lp_end *end) {
  irl_status status = IRL_STATUS_OK;
  uint32_t stalled = 0, q, n_flips;
  bool must_refactor = false, must_recompute = !s->has_values, is_above;
  memset(s->is_banned, 0, s->m * sizeof *s->is_banned);
  for (;;) {
    if (must_refactor || must_recompute || irl_lp_is_time_to_refactor(s)) {
      status = must_recompute && !must_refactor ? irl_lp_recompute(s) : irl_lp_refactor(s);
      if (status) return status;
      if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
      must_refactor = must_recompute = false;
      if ((status = check_cutoff(s, &is_above))) return status;
      if (is_above) return *end = IRL_LP_CUTOFF, IRL_STATUS_OK;
    }
    if (irl_lp_limit_reached(s)) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
    if (irl_lp_is_lost(s)) return *end = IRL_LP_TROUBLE, IRL_STATUS_OK;
    if (may_be_above_cutoff(s)) {
      if ((status = check_cutoff(s, &is_above))) return status;
      if (is_above) return *end = IRL_LP_CUTOFF, IRL_STATUS_OK;
    }
    const uint32_t p = choose_row(s);
    if (p == UINT32_MAX) {
      if (is_any_banned(s) && s->is_fresh) return *end = IRL_LP_TROUBLE, IRL_STATUS_OK;
      if (!is_any_banned(s) && s->is_accurate) {
        assert(irl_lp_is_primal_feasible(s));
        return *end = IRL_LP_OPTIMAL, IRL_STATUS_OK;
      }
      must_refactor = is_any_banned(s);
      must_recompute = true;
      continue;
    }
    assert(fabs(infeasibility_of(s, p)) > s->primal_tolerance);
    irl_lp_compute_rho(s, p);
    if (!is_weight_right(s, p)) continue;
    switch (choose_entering(s, p, &q, &n_flips)) {
    case REFACTOR:
      must_refactor = true;
      continue;
    case BAN:
      s->is_banned[p] = true;
      continue;
    case NO_ENTERING:
      /* What the working tolerance accepts is not infeasible, even where the final one is asked. */
      if (s->is_loosened ||
          (fabs(infeasibility_of(s, p)) > IRL_LP_TOL_PRIMAL && irl_lp_store_farkas(s)))
        return *end = IRL_LP_INFEASIBLE, IRL_STATUS_OK;
      s->is_banned[p] = true;
      continue;
    case GO_ON:
      break;
    }
    const bool is_stalling = fabs(s->d[q]) < IRL_LP_TOL_FINAL && !n_flips;
    stalled = is_stalling ? stalled + 1 : 0;
    if ((status = take_step(s, p, q, n_flips, infeasibility_of(s, p)))) return status;
    if (stalled > STALL_LIMIT) {
      irl_lp_perturb_costs(s);
      stalled = 0;
    }
  }
}
