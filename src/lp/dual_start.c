/* A dual feasible start from any basis.
 *
 * Boxed variables are put on the bound that their reduced cost asks for. If others have a reduced
 * cost of the wrong sign, the dual simplex first solves a problem with artificial bounds
 * (Koberstein 2005, 4.5): free variables in [-1000, 1000], those with one bound in [0, 1] or [-1,
 * 0], boxed ones at 0. All of it is boxed, so it starts at once, and where its optimum is 0 the
 * basis is dual feasible for the real bounds. If infeasibilities stay (the model may be unbounded),
 * their costs are shifted to make them zero: the dual simplex then finds a feasible point or proves
 * that there is none, and the primal simplex goes on from it with the true costs.
 *
 * Before that, boxed models in which few columns decide get a better basis than that of slacks,
 * from which the dual simplex mends violated rows one pivot each. A column with a cost and a single
 * entry can be basic in its row: the row's dual becomes cost / entry, which pushes the cost on to
 * the other columns of the row. In a master problem this prices every clause by the samples it
 * covers, and the first ratio test, on the row that limits their number, flips all but the best
 * clauses to zero at once (10,000 samples and 500 clauses: 386 iterations instead of 29,411). Where
 * the other columns outnumber the rows taken (BP1: a t per sample and clause) it only moves the
 * work (2,267 iterations instead of 1,687 on 1,000 x 200, K = 3), so the slack basis stays. All
 * columns are boxed, so every basis is dual feasible after flips; a row is only taken if the bound
 * that its dual asks for exists. The basis is diagonal by construction. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

#define BOX_FREE 1000.0

/* The row that column j can take, or UINT32_MAX. */
static uint32_t row_to_take(const irl_lp_simplex *s, uint32_t j) {
  const size_t e = s->a.columns.start[j];
  if (s->a.columns.start[j + 1] - e != 1 || s->cost[j] == 0 || s->lower[j] == s->upper[j])
    return UINT32_MAX;
  const uint32_t v = s->n + s->a.columns.index[e];
  const double y = s->cost[j] / s->a.columns.value[e];
  return isfinite(y > 0 ? s->lower[v] : s->upper[v]) ? s->a.columns.index[e] : UINT32_MAX;
}

/* From the slack basis to the better one, where the model lets it. */
static void crash(irl_lp_simplex *s) {
  uint32_t n_takers = 0, n_deciders = 0, n = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    if (!isfinite(s->lower[j]) || !isfinite(s->upper[j])) return;
    n_takers += row_to_take(s, j) != UINT32_MAX;
    n_deciders += s->a.columns.start[j + 1] - s->a.columns.start[j] > 1;
  }
  if (n_takers <= n_deciders) return;
  for (uint32_t j = 0; j < s->n; j++) {
    const uint32_t i = row_to_take(s, j);
    if (i == UINT32_MAX || s->at[s->n + i] != IRL_LP_BASIC) continue;
    const double y = s->cost[j] / s->a.columns.value[s->a.columns.start[j]];
    s->at[j] = IRL_LP_BASIC;
    s->at[s->n + i] = y > 0 ? IRL_LP_LOWER : IRL_LP_UPPER;
  }
  for (uint32_t v = 0; v < s->total; v++)
    if (s->at[v] == IRL_LP_BASIC) s->head[n++] = v;
  assert(n == s->m);
  for (uint32_t p = 0; p < s->m; p++) s->weight[p] = 1;
  s->has_factors = s->has_values = false;
}

/* Only nonbasic ones, away from zero: what is dual feasible stays so. */
void irl_lp_perturb_costs(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    const double size = IRL_LP_PERTURB * (1 + fabs(s->cost[v])) * (1 + irl_random_real(&s->random));
    if (s->at[v] == IRL_LP_BASIC || s->lower[v] == s->upper[v] || s->at[v] == IRL_LP_ZERO) continue;
    const double change = s->at[v] == IRL_LP_LOWER ? size : -size;
    s->cost[v] += change;
    s->d[v] += change;
  }
  s->is_shifted = true;
}

uint32_t irl_lp_count_dual_infeasible(const irl_lp_simplex *s) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < s->total; v++)
    n += s->at[v] != IRL_LP_BASIC && irl_lp_has_wrong_sign(s, v) &&
         fabs(s->d[v]) > s->dual_tolerance;
  return n;
}

static void place_all(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) irl_lp_place(s, v);
}

/* Moves nonbasic variables, and the basic ones follow. */
static void place_moving(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    const double old = s->x[v];
    if (s->at[v] == IRL_LP_BASIC) continue;
    irl_lp_place(s, v);
    const double now = s->x[v];
    s->x[v] = old;
    irl_lp_move(s, v, now);
  }
  irl_lp_apply_moves(s);
}

/* From the values of the last solve to those for the bounds of this one. Nonbasic variables stay
 * where they are if there still is a bound, or else on their side: a bound that is taken back
 * leaves the point feasible, and the primal simplex goes on from it. */
static void stay_all(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    if (s->at[v] == IRL_LP_BASIC) continue;
    if (s->x[v] == s->lower[v]) s->at[v] = IRL_LP_LOWER;
    if (s->x[v] == s->upper[v]) s->at[v] = IRL_LP_UPPER;
    const double old = s->x[v];
    double to = s->at[v] == IRL_LP_LOWER ? s->lower[v] : s->upper[v];
    if (s->at[v] == IRL_LP_ZERO || !isfinite(to)) {
      irl_lp_place(s, v);
      to = s->x[v];
      s->x[v] = old;
    }
    if (s->has_values)
      irl_lp_move(s, v, to);
    else
      s->x[v] = to;
  }
  if (!s->has_values) return;
  irl_lp_apply_moves(s);
  for (uint32_t p = 0; p < s->m; p++) irl_lp_note_infeasibility(s, p);
}

static void shift_infeasible(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++)
    if (s->at[v] != IRL_LP_BASIC && irl_lp_has_wrong_sign(s, v)) irl_lp_shift_to_zero(s, v);
}

void irl_lp_force_dual_feasible(irl_lp_simplex *s) {
  place_moving(s);
  shift_infeasible(s);
}

irl_status irl_lp_dual_start(irl_lp_simplex *s, bool is_cold, irl_lp_end *end) {
  irl_status status = IRL_STATUS_OK;
  *end = IRL_LP_OPTIMAL;
  if (is_cold) crash(s);
  /* Values for the basis as it is: those of the last solve, moved to new bounds, or new ones. */
  if (s->has_factors)
    stay_all(s);
  else
    place_all(s);
  if (!s->has_values && (status = irl_lp_recompute(s))) return status;
  if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
  if (irl_lp_is_primal_feasible(s) && (!is_cold || !irl_lp_count_dual_infeasible(s)))
    return IRL_STATUS_OK;
  assert(s->has_values && irl_lp_basis_check(s));
  place_moving(s);
  irl_lp_perturb_costs(s);
  if (irl_lp_count_dual_infeasible(s)) {
    for (uint32_t v = 0; v < s->total; v++) {
      const bool has_lower = isfinite(s->lower[v]), has_upper = isfinite(s->upper[v]);
      s->lower[v] = has_lower ? 0 : has_upper ? -1 : -BOX_FREE;
      s->upper[v] = has_upper ? 0 : has_lower ? 1 : BOX_FREE;
      assert(s->lower[v] <= s->upper[v]);
    }
    s->is_loosened = true;
    place_all(s);
    s->has_values = false;
    status = irl_lp_run_dual(s, end);
    irl_lp_load_bounds(s);
    place_all(s);
    if (status || *end == IRL_LP_LIMIT) return s->has_values = false, status;
    *end = IRL_LP_OPTIMAL;
    irl_lp_compute_primal(s);
  }
  shift_infeasible(s);
  assert(!irl_lp_count_dual_infeasible(s));
  return IRL_STATUS_OK;
}
