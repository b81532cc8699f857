/* A dual feasible start from any basis.
 *
 * Boxed variables are put on the bound that their reduced cost asks for. If others have a reduced
 * cost of the wrong sign, the dual simplex first solves a problem with artificial bounds
 * (Koberstein 2005, 4.5): free variables in [-1000, 1000], those with one bound in [0, 1] or [-1,
 * 0], boxed ones at 0. All of it is boxed, so it starts at once, and where its optimum is 0 the
 * basis is dual feasible for the real bounds. If infeasibilities stay (the model may be unbounded),
 * their costs are shifted to make them zero: the dual simplex then finds a feasible point or proves
 * that there is none, and the primal simplex goes on from it with the true costs. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

#define BOX_FREE 1000.0

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

/* Nonbasic variables stay where they are if there still is a bound, or else on their side: a bound
 * that is taken back leaves the point feasible, and the primal simplex goes on from it. */
static double stay(irl_lp_simplex *s, uint32_t v) {
  assert(s->at[v] != IRL_LP_BASIC);
  if (s->x[v] == s->lower[v]) s->at[v] = IRL_LP_LOWER;
  if (s->x[v] == s->upper[v]) s->at[v] = IRL_LP_UPPER;
  const double bound = s->at[v] == IRL_LP_LOWER ? s->lower[v] : s->upper[v], old = s->x[v];
  if (s->at[v] != IRL_LP_ZERO && isfinite(bound)) return bound;
  irl_lp_place(s, v);
  const double now = s->x[v];
  s->x[v] = old;
  return now;
}

/* From the values of the last solve to those for the bounds of this one. */
static void stay_all(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    if (s->at[v] == IRL_LP_BASIC) continue;
    const double to = stay(s, v);
    if (s->has_values)
      irl_lp_move(s, v, to);
    else
      s->x[v] = to;
  }
  if (!s->has_values) return;
  irl_lp_apply_moves(s);
  for (uint32_t p = 0; p < s->m; p++) irl_lp_note_infeasibility(s, p);
}

static void set_box(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    const bool has_lower = isfinite(s->lower[v]), has_upper = isfinite(s->upper[v]);
    s->lower[v] = has_lower ? 0 : has_upper ? -1 : -BOX_FREE;
    s->upper[v] = has_upper ? 0 : has_lower ? 1 : BOX_FREE;
    assert(s->lower[v] <= s->upper[v]);
  }
  s->is_loosened = true;
}

static void shift_infeasible(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++)
    if (s->at[v] != IRL_LP_BASIC && irl_lp_has_wrong_sign(s, v)) irl_lp_shift_to_zero(s, v);
}

void irl_lp_force_dual_feasible(irl_lp_simplex *s) {
  place_moving(s);
  shift_infeasible(s);
}

irl_status irl_lp_dual_start(irl_lp_simplex *s, bool is_cold, irl_lp_phase *end) {
  irl_status status = IRL_OK;
  *end = IRL_LP_PHASE_DONE;
  if (is_cold) irl_lp_crash(s);
  /* Values for the basis as it is: those of the last solve, moved to the new bounds, or new ones.
   */
  if (s->has_factors)
    stay_all(s);
  else
    place_all(s);
  if (!s->has_values && (status = irl_lp_recompute(s))) return status;
  if (s->lu.is_cut) return *end = IRL_LP_PHASE_LIMIT, IRL_OK;
  if (irl_lp_is_primal_feasible(s) && (!is_cold || !irl_lp_count_dual_infeasible(s))) return IRL_OK;
  assert(s->has_values && irl_lp_basis_check(s));
  place_moving(s);
  irl_lp_perturb_costs(s);
  if (irl_lp_count_dual_infeasible(s)) {
    set_box(s);
    place_all(s);
    s->has_values = false;
    status = irl_lp_run_dual(s, end);
    irl_lp_load_bounds(s);
    place_all(s);
    if (status || *end == IRL_LP_PHASE_LIMIT) return s->has_values = false, status;
    *end = IRL_LP_PHASE_DONE;
    irl_lp_compute_primal(s);
  }
  shift_infeasible(s);
  assert(!irl_lp_count_dual_infeasible(s));
  return IRL_OK;
}
