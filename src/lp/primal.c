/* The bounded primal simplex, second phase: what is left to do once the dual simplex has found a
 * feasible basis for perturbed costs, or where the true costs have no dual feasible basis.
 *
 * Pricing is devex (Harris 1973) on reduced costs that are updated from the pivot row; the ratio
 * test is Harris' in two passes. Against stalling, bounds of basic variables are moved outward by
 * random amounts; lp_solve.c restores them and mends with the dual simplex what that leaves. Dual
 * steepest edge weights are kept up to date, so that the dual simplex can go on from here. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

/* Degenerate iterations in a row after which bounds are perturbed. */
#define STALL_LIMIT 60u
/* Entering variables passed over for their pivots; in the second half small ones will do. */
#define MAX_FAILURES 20u

static uint32_t choose_entering(const irl_lp_simplex *s) {
  uint32_t best = UINT32_MAX;
  double best_value = 0;
  for (uint32_t v = 0; v < s->total; v++) {
    if (s->at[v] == IRL_LP_BASIC || fabs(s->d[v]) <= s->dual_tolerance) continue;
    if (!irl_lp_has_wrong_sign(s, v)) continue;
    const double value = s->d[v] * s->d[v];
    assert(s->reference[v] > 0);
    if (value <= best_value * s->reference[v]) continue;
    best_value = value / s->reference[v];
    best = v;
  }
  return best;
}

/* Distance that position i can move at `rate` before its bound. */
static double distance_to_bound(const irl_lp_simplex *s, uint32_t i, double rate) {
  const uint32_t v = s->head[i];
  return rate > 0 ? s->upper[v] - s->x[v] : s->x[v] - s->lower[v];
}

/* The position that blocks first when the entering variable moves in `direction`, and the step;
 * UINT32_MAX: none does. */
static uint32_t choose_leaving(const irl_lp_simplex *s, double direction, double *step) {
  const double least = s->is_fresh ? IRL_LP_TOL_PIVOT_FRESH : IRL_LP_TOL_PIVOT;
  double relaxed = INFINITY, best_rate = 0;
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    const double rate = -direction * s->column.x[i];
    if (fabs(rate) < least) continue;
    relaxed = fmin(relaxed, (irl_lp_max(distance_to_bound(s, i, rate), 0) + s->primal_tolerance) /
                                fabs(rate));
  }
  *step = INFINITY;
  if (relaxed == INFINITY) return best;
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    const double rate = -direction * s->column.x[i], space = distance_to_bound(s, i, rate);
    if (fabs(rate) < least || fabs(rate) <= best_rate || space > relaxed * fabs(rate)) continue;
    best = i;
    best_rate = fabs(rate);
    *step = irl_lp_max(space, 0) / best_rate;
    assert(best_rate >= least && *step >= 0);
  }
  return best;
}

static void move_basics(irl_lp_simplex *s, double change) {
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    s->x[s->head[i]] -= change * s->column.x[i];
    irl_lp_note_infeasibility(s, i);
  }
}

static void flip_entering(irl_lp_simplex *s, uint32_t q) {
  assert(isfinite(s->lower[q]) && isfinite(s->upper[q]) && s->at[q] != IRL_LP_BASIC);
  const double old = s->x[q];
  s->at[q] = s->at[q] == IRL_LP_LOWER ? IRL_LP_UPPER : IRL_LP_LOWER;
  s->x[q] = s->at[q] == IRL_LP_LOWER ? s->lower[q] : s->upper[q];
  move_basics(s, s->x[q] - old);
  s->iterations++;
}

/* Row and column must agree on the pivot, and it should not be small unless it is the last. */
static bool is_pivot_right(irl_lp_simplex *s, uint32_t p, uint32_t q, bool is_last) {
  irl_lp_compute_rho(s, p);
  irl_lp_price(s, &s->rho);
  const double by_row = s->row.x[q], by_column = s->column.x[p];
  const double off = fabs(by_row - by_column), size = fmin(fabs(by_row), fabs(by_column));
  double largest = 1;
  for (uint32_t k = 0; k < s->column.n; k++)
    largest = irl_lp_max(largest, fabs(s->column.x[s->column.index[k]]));
  return size >= (is_last ? IRL_LP_TOL_PIVOT_FRESH : IRL_LP_TOL_PIVOT_PRIMAL * largest) &&
         off <= (s->is_fresh ? IRL_LP_TOL_PIVOT_HOPELESS * size
                             : IRL_LP_TOL_PIVOT_MISMATCH * (1 + size));
}

static irl_status exchange(irl_lp_simplex *s, uint32_t p, uint32_t q, double direction,
                           double step) {
  const uint32_t leaving = s->head[p];
  const bool goes_up = -direction * s->column.x[p] > 0;
  assert(fabs(direction) == 1 && step >= 0 && isfinite(step));
  assert(isfinite(goes_up ? s->upper[leaving] : s->lower[leaving]));
  s->weight[p] = irl_lp_max(irl_lp_vector_norm2(&s->rho), IRL_LP_WEIGHT_MIN);
  irl_lp_update_weights(s, p);
  /* Reduced costs and devex weights from the pivot row. */
  const double pivot = s->row.x[q], ratio = s->d[q] / pivot, weight = s->reference[q];
  assert(fabs(pivot) >= IRL_LP_TOL_PIVOT_FRESH && weight > 0);
  for (uint32_t k = 0; k < s->row.n; k++) {
    const uint32_t v = s->row.index[k];
    const double share = s->row.x[v] / pivot;
    s->d[v] -= ratio * s->row.x[v];
    s->reference[v] = irl_lp_max(s->reference[v], share * share * weight);
  }
  s->d[q] = 0;
  s->d[leaving] = -ratio;
  s->reference[leaving] = irl_lp_max(weight / (pivot * pivot), 1);
  move_basics(s, direction * step);
  s->x[q] += direction * step;
  s->at[leaving] = goes_up ? IRL_LP_UPPER : IRL_LP_LOWER;
  s->x[leaving] = goes_up ? s->upper[leaving] : s->lower[leaving];
  const irl_status status = irl_lp_pivot(s, p, q);
  if (!status) irl_lp_note_infeasibility(s, p);
  return status;
}

static void loosen_bounds(irl_lp_simplex *s) {
  for (uint32_t p = 0; p < s->m; p++) {
    const uint32_t v = s->head[p];
    s->lower[v] -=
        IRL_LP_PERTURB_BOUND * (1 + fabs(s->lower[v])) * (1 + irl_random_real(&s->random));
    s->upper[v] +=
        IRL_LP_PERTURB_BOUND * (1 + fabs(s->upper[v])) * (1 + irl_random_real(&s->random));
  }
  s->is_loosened = true;
}

/* The reduced cost of q computed from its column, which is more accurate than the updated one. */
static bool is_entering_right(irl_lp_simplex *s, uint32_t q) {
  double sum = s->cost[q];
  for (uint32_t k = 0; k < s->column.n; k++) {
    const uint32_t i = s->column.index[k];
    sum -= s->cost[s->head[i]] * s->column.x[i];
  }
  const bool is_near = fabs(sum - s->d[q]) <= IRL_LP_TOL_PIVOT_HOPELESS * fabs(s->d[q]);
  s->d[q] = sum;
  return is_near || (irl_lp_has_wrong_sign(s, q) && fabs(sum) > s->dual_tolerance);
}

/* A recomputation may show that the point is not feasible. If it is nearly so, bounds move to where
 * it is: the reduced costs then still end right, and the dual simplex mends the rest in a few
 * steps. Otherwise steps from it mean nothing. */
static bool adopt_point(irl_lp_simplex *s) {
  double worst = 0;
  for (uint32_t p = 0; p < s->m; p++) {
    const uint32_t v = s->head[p];
    const double x = s->x[v], size = 1 + fabs(x);
    const double out = irl_lp_max(s->lower[v] - x, x - s->upper[v]) / size;
    worst = irl_lp_max(worst, out);
    if (out <= IRL_LP_TOL_ADOPT || out > IRL_LP_TOL_LOST) continue;
    if (x < s->lower[v]) s->lower[v] = x;
    if (x > s->upper[v]) s->upper[v] = x;
    s->is_loosened = true;
  }
  return worst <= IRL_LP_TOL_LOST;
}

irl_status irl_lp_run_primal(irl_lp_simplex *s, irl_lp_end *end) {
  irl_status status = IRL_STATUS_OK;
  uint32_t stalled = 0, failures = 0;
  bool must_refactor = !s->has_factors;
  double step;
  for (uint32_t v = 0; v < s->total; v++) s->reference[v] = 1;
  for (;;) {
    if (must_refactor || irl_lp_is_time_to_refactor(s)) {
      if ((status = irl_lp_refactor(s))) return status;
      if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
      must_refactor = false;
      if (!adopt_point(s)) {
        s->lu.threshold = IRL_LP_TOL_MARKOWITZ_SAFE;
        s->n_lost++;
        return *end = IRL_LP_OPTIMAL, IRL_STATUS_OK;
      }
    }
    if (irl_lp_limit_reached(s)) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
    if (irl_lp_is_lost(s)) return *end = IRL_LP_TROUBLE, IRL_STATUS_OK;
    const uint32_t q = choose_entering(s);
    if (q == UINT32_MAX) {
      if (s->is_accurate) {
        assert(!irl_lp_count_dual_infeasible(s));
        return *end = IRL_LP_OPTIMAL, IRL_STATUS_OK;
      }
      if ((status = irl_lp_recompute(s))) return status;
      if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
      continue;
    }
    irl_lp_compute_column(s, q);
    if (!is_entering_right(s, q)) {
      must_refactor = !s->is_fresh;
      continue;
    }
    const double direction = s->d[q] < 0 ? 1 : -1;
    const uint32_t p = choose_leaving(s, direction, &step);
    if (s->upper[q] - s->lower[q] <= step && s->upper[q] < INFINITY && s->lower[q] > -INFINITY) {
      flip_entering(s, q);
      continue;
    }
    if (p == UINT32_MAX) {
      if (!s->is_fresh) {
        must_refactor = true;
        continue;
      }
      *end = irl_lp_store_direction(s, q) ? IRL_LP_UNBOUNDED : IRL_LP_TROUBLE;
      return IRL_STATUS_OK;
    }
    if (!is_pivot_right(s, p, q, failures > MAX_FAILURES / 2)) {
      if (s->is_fresh && ++failures > MAX_FAILURES) return *end = IRL_LP_TROUBLE, IRL_STATUS_OK;
      if (s->is_fresh) s->reference[q] *= 1e12; /* look elsewhere first */
      must_refactor = !s->is_fresh;
      continue;
    }
    stalled = step < IRL_LP_TOL_FINAL ? stalled + 1 : 0;
    if ((status = exchange(s, p, q, direction, step))) return status;
    if (stalled > STALL_LIMIT) {
      loosen_bounds(s);
      stalled = 0;
    }
  }
}
