/* The working state of a solve: the scaled model with a logical variable per row.
 *
 *   [A  -I] (x, r) = 0,   lower <= (x, r) <= upper
 *
 * Variable v < n is column v, variable n + i is the activity of row i, so a row's dual is the
 * reduced cost of its activity and right-hand sides are bounds like any others. With y = B^-T c_B
 * the reduced costs are d = c - [A -I]'y. Everything is scaled (see scale.c): the true value of
 * variable v is x[v] * scale[v]. */
#ifndef IRL_LP_SIMPLEX_H
#define IRL_LP_SIMPLEX_H

#include "base/random.h"
#include "lp/lp_model.h"
#include "lp/lu.h"

/* A nonbasic variable whose sign of the pivot row lets its reduced cost reach zero. */
typedef struct irl_lp_candidate {
  double ratio, alpha; /* alpha > 0: its absolute value */
  uint32_t variable;
} irl_lp_candidate;

typedef struct irl_lp_simplex {
  irl_env *env;
  irl_allocator allocator;
  irl_arena arena; /* all arrays whose size stays */
  irl_lp *lp;
  const irl_lp_options *options;
  uint32_t m, n, total; /* total = n + m */
  irl_lp_matrix a;      /* scaled */
  bool wants_scaling;
  double *scale; /* by variable */
  double bound_unit, cost_unit;
  double *lower, *upper; /* what the simplex works with: the model's, or artificial ones */
  double *cost;          /* perturbed or shifted */
  double *true_cost;
  double *x, *d; /* by variable; d of basic variables is 0 */
  uint8_t *at;
  uint32_t *head; /* variable at each position */
  double *weight; /* dual steepest edge, by position */
  double *infeasibility;
  bool *is_banned;   /* positions that cannot leave now */
  double *reference; /* primal devex weights, by variable */
  irl_lp_lu lu;
  irl_lp_lists basis;                    /* its columns */
  irl_lp_vector rho, column, tau, flips; /* by position or row */
  uint32_t n_moves;                      /* nonbasic variables whose move is noted in flips */
  irl_lp_vector row;                     /* of the tableau, by variable */
  double *by_variable;                   /* scratch */
  irl_lp_candidate *candidates;
  irl_random random;
  double primal_tolerance, dual_tolerance;
  uint64_t iterations, work_other;
  uint32_t n_lost;                  /* times that the primal simplex found its point infeasible */
  uint64_t refactor_work, eta_work; /* of the last refactorisation; with the etas since then */
  bool is_fresh;                    /* nothing has been updated since the last factorisation */
  bool is_accurate;                 /* no pivot since x and d were computed accurately */
  bool has_factors;                 /* they fit the head */
  bool has_values;                  /* x and d fit the head, bounds and costs, up to rounding */
  bool is_shifted;                  /* cost differs from true_cost */
  bool is_loosened;                 /* bounds differ from the model's */
} irl_lp_simplex;

/* Inline, where the library's fmax would be a call. */
static inline double irl_lp_max(double a, double b) {
  return a > b ? a : b;
}

/* simplex.c */
irl_status irl_lp_simplex_load(irl_lp *lp, const irl_lp_options *options);
void irl_lp_simplex_free(irl_lp_simplex *s);
void irl_lp_simplex_store(irl_lp_simplex *s);
size_t irl_lp_simplex_bytes(const irl_lp_simplex *s);
void irl_lp_load_bounds(irl_lp_simplex *s);
void irl_lp_load_costs(irl_lp_simplex *s);
/* Puts a nonbasic variable on the bound that suits the sign of its reduced cost. */
void irl_lp_place(irl_lp_simplex *s, uint32_t v);
bool irl_lp_limit_reached(const irl_lp_simplex *s);
uint64_t irl_lp_work(const irl_lp_simplex *s);

/* lp_solve.c */
bool irl_lp_is_primal_feasible(const irl_lp_simplex *s);

/* refactor.c: factors the basis (repairing it if need be), then primal values and reduced costs.
 * If the time is over in the meantime (lu.is_cut), everything stays as it was, without factors. */
irl_status irl_lp_refactor(irl_lp_simplex *s);
/* Does the basis have one variable per row, each once, and does every other one stand at a bound
 * that it has? For assertions: it looks at every variable, and uses by_variable as scratch. */
bool irl_lp_basis_check(const irl_lp_simplex *s);
/* Primal values and reduced costs, with the factors as they are if they are accurate. */
irl_status irl_lp_recompute(irl_lp_simplex *s);
void irl_lp_compute_primal(irl_lp_simplex *s);
/* Changes the value of a nonbasic variable. The basic ones follow when irl_lp_apply_moves is
 * called, all moves at once; irl_lp_compute_primal does without. */
void irl_lp_move(irl_lp_simplex *s, uint32_t v, double to);
void irl_lp_apply_moves(irl_lp_simplex *s);
static inline void irl_lp_note_infeasibility(irl_lp_simplex *s, uint32_t p) {
  const uint32_t v = s->head[p];
  const double worst = irl_lp_max(s->lower[v] - s->x[v], s->x[v] - s->upper[v]);
  s->infeasibility[p] = worst > s->primal_tolerance ? worst * worst : 0;
}

/* pivot.c: parts of an iteration that primal and dual share. */
/* row = [A -I]'y over the nonbasic variables. */
void irl_lp_price(irl_lp_simplex *s, const irl_lp_vector *y);
void irl_lp_compute_rho(irl_lp_simplex *s, uint32_t position);
void irl_lp_compute_column(irl_lp_simplex *s, uint32_t entering);
/* Dual steepest edge weights after a pivot; rho, column and the weight at the position are set. */
void irl_lp_update_weights(irl_lp_simplex *s, uint32_t position);
bool irl_lp_has_wrong_sign(const irl_lp_simplex *s, uint32_t v);
/* Changes the cost of v so that its reduced cost is zero. */
void irl_lp_shift_to_zero(irl_lp_simplex *s, uint32_t v);
bool irl_lp_is_time_to_refactor(const irl_lp_simplex *s);
/* So many iterations that this attempt cannot be trusted to end. */
bool irl_lp_is_lost(const irl_lp_simplex *s);
irl_status irl_lp_pivot(irl_lp_simplex *s, uint32_t position, uint32_t entering);

/* dual.c, dual_ratio.c, dual_start.c: phases end as a solve does. Optimal: the phase has reached
 * its goal, a primal feasible basis (dual simplex) or a dual feasible one (primal simplex).
 * Infeasible: rho is a Farkas proof. Unbounded: column is a ray. */
irl_status irl_lp_run_dual(irl_lp_simplex *s, irl_lp_end *end);
/* Which variable enters if the one at `position` leaves with infeasibility `delta` (> 0: it is
 * above its bound). UINT32_MAX: none. The first *n_flips candidates change their bounds. */
uint32_t irl_lp_dual_ratio(irl_lp_simplex *s, double delta, uint32_t *n_flips);
irl_status irl_lp_dual_start(irl_lp_simplex *s, bool is_cold, irl_lp_end *end);
/* Makes what is dual infeasible feasible, by flips and then by shifts of costs. */
void irl_lp_force_dual_feasible(irl_lp_simplex *s);
void irl_lp_perturb_costs(irl_lp_simplex *s);
/* How many nonbasic variables have a reduced cost of the wrong sign that no flip can mend. */
uint32_t irl_lp_count_dual_infeasible(const irl_lp_simplex *s);

/* primal.c */
irl_status irl_lp_run_primal(irl_lp_simplex *s, irl_lp_end *end);

/* farkas.c: fill lp->ray from rho or column; false: it does not prove anything. */
bool irl_lp_store_farkas(irl_lp_simplex *s);
bool irl_lp_store_direction(irl_lp_simplex *s, uint32_t entering);

#endif
