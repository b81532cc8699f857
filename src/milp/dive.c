/* Heuristics: rounding with propagation, and dives.
 *
 * Rounding fixes the integer columns one by one near the LP's value, those that are integral
 * first, and draws conclusions after each; if one side fails the other is tried, then it gives up.
 *
 * A dive rounds one fractional column after the other and solves the LP in between, as branch and
 * bound would if it never came back: by the fraction, by the number of rows that a rounding may
 * violate, towards the incumbent, or by the pseudo-costs. */
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <math.h>
#include <stdlib.h>

/* ---- rounding ---- */

static bool fix_near(irl_milp_domain *d, uint32_t j, double x) {
  const size_t mark = d->trail.n;
  double first = fmin(fmax(nearbyint(x), d->lower[j]), d->upper[j]);
  assert(d->model->is_integer[j] && d->lower[j] <= d->upper[j]);
  if (!isfinite(first)) return false;
  irl_milp_domain_tighten(d, j, first, first);
  if (irl_milp_domain_propagate(d)) return true;
  irl_milp_domain_undo(d, mark);
  const double second = first > x ? first - 1 : first + 1;
  if (second < d->lower[j] || second > d->upper[j]) return false;
  irl_milp_domain_tighten(d, j, second, second);
  return irl_milp_domain_propagate(d);
}

void irl_milp_round(irl_milp_worker *w) {
  const irl_milp_model *m = &w->search->model;
  irl_milp_domain *d = &w->domain;
  const size_t mark = d->trail.n;
  const uint64_t before = w->iterations;
  const bool is_mixed = m->n_integer < m->n_columns;
  bool is_fixed = true;
  double objective;
  if (is_mixed) irl_lp_get_basis(w->lp, w->at);
  for (int is_fractional = 0; is_fractional < 2; is_fractional++) {
    for (uint32_t j = 0; j < m->n_columns && is_fixed; j++) {
      if (!m->is_integer[j] || d->lower[j] == d->upper[j]) continue;
      const bool differs = fabs(w->x[j] - nearbyint(w->x[j])) > IRL_MILP_TOL_INTEGER;
      if (differs != (is_fractional != 0)) continue;
      is_fixed = !irl_milp_worker_is_cut(w) && fix_near(d, j, w->x[j]);
    }
  }
  /* The LP finds the continuous columns. */
  if (is_fixed && (!is_mixed || irl_milp_worker_lp(w, UINT64_MAX, &objective) == IRL_LP_OPTIMAL))
    irl_milp_worker_offer(w, is_mixed ? irl_lp_primal(w->lp) : d->lower, IRL_MILP_TOL_STRICT);
  irl_milp_domain_undo(d, mark);
  if (w->iterations > before) irl_lp_set_basis(w->lp, w->at);
  w->dive_iterations += w->iterations - before;
}

/* ---- dives ---- */

typedef struct step {
  uint32_t column;
  bool is_up;
  double score; /* the least is taken */
} step;

static step by_fraction(const irl_milp_worker *w, uint32_t j, double f) {
  (void)w;
  return (step){j, f > 0.5, fmin(f, 1 - f)};
}

static step by_locks(const irl_milp_worker *w, uint32_t j, double f) {
  const irl_milp_model *m = &w->search->model;
  uint32_t down = 0, up = 0;
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
    const uint32_t i = m->column_row[e];
    const bool has_upper = m->row_upper[i]<INFINITY, has_lower = m->row_lower[i]> - INFINITY;
    const bool is_positive = m->column_value[e] > 0;
    up += is_positive ? has_upper : has_lower;
    down += is_positive ? has_lower : has_upper;
  }
  const bool is_up = down == up ? f > 0.5 : up < down;
  return (step){j, is_up, (is_up ? up : down) + (is_up ? 1 - f : f)};
}

static step by_incumbent(const irl_milp_worker *w, uint32_t j, double f) {
  const bool has_own = w->objective < w->search->objective;
  if (!has_own && !w->search->has_point) return (step){j, true, 1 - f};
  const double *point = has_own ? w->point : w->search->point;
  const bool is_up = point[j] > irl_lp_primal(w->lp)[j];
  return (step){j, is_up, is_up ? 1 - f : f};
}

static step by_pseudo(const irl_milp_worker *w, uint32_t j, double f) {
  const double down = irl_milp_pseudocost_expect(&w->pseudo, j, false, f);
  const double up = irl_milp_pseudocost_expect(&w->pseudo, j, true, 1 - f);
  const bool is_up = f < 0.3 ? false : f > 0.7 ? true : up < down;
  return (step){j, is_up, is_up ? (1 - f) * (1 + up) / (1 + down) : f * (1 + down) / (1 + up)};
}

/* Rounds the column that the rule takes; the other way if the first leads nowhere. */
static bool take_step(irl_milp_worker *w, unsigned rule, uint64_t max_iterations) {
  static step (*const rules[IRL_MILP_N_DIVES])(const irl_milp_worker *, uint32_t, double) = {
      by_fraction, by_locks, by_incumbent, by_pseudo};
  const double *x = irl_lp_primal(w->lp);
  const size_t mark = w->domain.trail.n;
  step best = {UINT32_MAX, false, INFINITY};
  double objective;
  for (uint32_t k = 0; k < w->n_fractional; k++) {
    const uint32_t j = w->fractional[k];
    assert(w->search->model.is_integer[j] && x[j] != nearbyint(x[j]));
    const step s = rules[rule](w, j, x[j] - floor(x[j]));
    if (s.score < best.score) best = s;
  }
  if (best.column == UINT32_MAX) return false;
  const double value = x[best.column];
  for (int k = 0; k < 2; k++) {
    const bool is_up = k == 0 ? best.is_up : !best.is_up;
    irl_milp_domain_branch(&w->domain, best.column, is_up ? ceil(value) : floor(value), is_up);
    if (irl_milp_domain_propagate(&w->domain) &&
        irl_milp_worker_lp(w, max_iterations, &objective) == IRL_LP_OPTIMAL)
      return true;
    irl_milp_domain_undo(&w->domain, mark);
    if (irl_milp_worker_is_cut(w)) return false;
  }
  return false;
}

void irl_milp_dive(irl_milp_worker *w, unsigned rule, uint64_t max_iterations) {
  assert(rule < IRL_MILP_N_DIVES);
  const size_t mark = w->domain.trail.n;
  const uint64_t before = w->iterations;
  double objective;
  irl_lp_get_basis(w->lp, w->at);
  if (irl_milp_worker_lp(w, max_iterations, &objective) == IRL_LP_OPTIMAL) {
    /* A step may cost no iteration, and a column without bounds may take steps for ever. */
    for (uint64_t steps = 0; w->iterations - before + steps <= max_iterations; steps++) {
      irl_milp_worker_find_fractional(w, irl_lp_primal(w->lp));
      if (!w->n_fractional) {
        irl_milp_worker_offer(w, irl_lp_primal(w->lp), IRL_MILP_TOL_STRICT);
        break;
      }
      if (!take_step(w, rule, max_iterations)) break;
    }
  }
  w->dive_iterations += w->iterations - before;
  irl_milp_domain_undo(&w->domain, mark);
  irl_lp_set_basis(w->lp, w->at);
}
