/* Linear programs: minimise c'x + constant subject to row bounds on Ax and column bounds on x.
 *
 * Rows and columns may be added and bounds and costs changed between solves; the basis stays, so
 * that the next solve starts where the last one ended.
 *
 * Any bound at or beyond +-IRL_LP_INFINITY (tol.h) means none. */
#ifndef IRL_LP_LP_H
#define IRL_LP_LP_H

#include "base/limit.h"
#include <assert.h>
#include <string.h>

typedef struct irl_lp irl_lp;

/* Where a variable (a column, or a row's activity) stands. */
typedef enum irl_lp_at { IRL_LP_LOWER, IRL_LP_UPPER, IRL_LP_ZERO, IRL_LP_BASIC } irl_lp_at;

/* How a solve ended. Trouble: the numbers did not allow a solution that passes the checks. */
typedef enum irl_lp_end {
  IRL_LP_OPTIMAL,
  IRL_LP_INFEASIBLE, /* irl_lp_ray: a Farkas proof, one entry per row */
  IRL_LP_UNBOUNDED,  /* irl_lp_ray: a direction, one entry per column */
  IRL_LP_CUTOFF,     /* the optimum is above the cutoff */
  IRL_LP_LIMIT,
  IRL_LP_TROUBLE
} irl_lp_end;

typedef struct irl_lp_options {
  irl_limit limit;
  uint64_t max_iterations; /* UINT64_MAX: none */
  double cutoff;           /* stop once the optimum is known to be above; INFINITY: never */
  uint64_t seed;           /* of the perturbation */
  bool no_scaling;
} irl_lp_options;

typedef struct irl_lp_result {
  irl_lp_end end;
  double objective; /* with the constant; of the last point if there was a limit */
  uint64_t iterations, work;
} irl_lp_result;

irl_status irl_lp_create(irl_env *env, irl_lp **lp);
void irl_lp_free(irl_lp *lp);
/* Errors and requests to stop go by this environment from now on. */
void irl_lp_use_env(irl_lp *lp, irl_env *env);

/* The entries of a row or of a column, each place once. */
typedef struct irl_lp_terms {
  uint32_t n;
  const uint32_t *index; /* columns of a row, rows of a column */
  const double *value;
} irl_lp_terms;

/* Adds the last row or column; terms NULL: without entries. New rows are basic. */
irl_status irl_lp_add_row(irl_lp *lp, double lower, double upper, const irl_lp_terms *terms);
irl_status irl_lp_add_column(irl_lp *lp, double cost, double lower, double upper,
                             const irl_lp_terms *terms);
/* One more entry; there must be none at this place. */
irl_status irl_lp_add_entry(irl_lp *lp, uint32_t row, uint32_t column, double value);
/* Removes the rows i with is_gone[i]. */
irl_status irl_lp_delete_rows(irl_lp *lp, const bool *is_gone);
void irl_lp_set_cost(irl_lp *lp, uint32_t column, double cost);
void irl_lp_set_constant(irl_lp *lp, double constant);
void irl_lp_set_bounds(irl_lp *lp, uint32_t column, double lower, double upper);
void irl_lp_set_row_bounds(irl_lp *lp, uint32_t row, double lower, double upper);

uint32_t irl_lp_n_rows(const irl_lp *lp);
uint32_t irl_lp_n_columns(const irl_lp *lp);
/* Columns and rows: what a basis has entries for. */
size_t irl_lp_n_variables(const irl_lp *lp);
/* Bytes that the model takes with its working state and factors, near enough for a limit. */
size_t irl_lp_bytes(const irl_lp *lp);
size_t irl_lp_n_entries(const irl_lp *lp);
/* Entry e, in the order they came. */
void irl_lp_get_entry(const irl_lp *lp, size_t e, uint32_t *row, uint32_t *column, double *value);
double irl_lp_cost(const irl_lp *lp, uint32_t column);
double irl_lp_constant(const irl_lp *lp);
void irl_lp_bounds(const irl_lp *lp, uint32_t column, double *lower, double *upper);
void irl_lp_row_bounds(const irl_lp *lp, uint32_t row, double *lower, double *upper);

void irl_lp_options_init(irl_lp_options *options, const irl_env *env);
irl_status irl_lp_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result);

/* The last solve's solution: valid until the model changes its size. */
const double *irl_lp_primal(const irl_lp *lp);   /* per column */
const double *irl_lp_activity(const irl_lp *lp); /* per row */
const double *irl_lp_dual(const irl_lp *lp);     /* per row */
const double *irl_lp_reduced(const irl_lp *lp);  /* per column: cost - dual'A */
/* NULL if there is no proof to show: also where a lower bound is above its upper bound. */
const double *irl_lp_ray(const irl_lp *lp);

/* The basis: one entry per column, then one per row. A wrong number of basic ones, or dependent
 * ones, are repaired when the next solve factors them. */
void irl_lp_get_basis(const irl_lp *lp, uint8_t *at);
void irl_lp_set_basis(irl_lp *lp, const uint8_t *at);
/* As if it had never been solved: the next solve is that of a new model. */
void irl_lp_forget_basis(irl_lp *lp);

/* The multipliers of the rows (one each) whose sum of rows is the tableau row of `column`, up to
 * rounding. False: it is not basic, or there are no factors. */
bool irl_lp_tableau_multipliers(irl_lp *lp, uint32_t column, double *y);

/* What a basic column would add to the objective per unit that it has to fall or rise, up to the
 * first ratio of the dual simplex; INFINITY: it cannot. False as above. The effort is added to
 * `*work`. */
bool irl_lp_slopes(irl_lp *lp, uint32_t column, double *down, double *up, uint64_t *work);

/* activity = A x and result = y'A over all entries. */
void irl_lp_multiply(const irl_lp *lp, const double *x, double *activity);
void irl_lp_multiply_transposed(const irl_lp *lp, const double *y, double *result);

/* An independent look at the solution: residuals from the model itself, not from the simplex, each
 * relative to 1 + the magnitudes that enter it. */
typedef struct irl_lp_residuals {
  double primal; /* worst violation of a row or column bound */
  double dual;   /* worst reduced cost or row dual whose sign no bound supports */
  double gap;    /* of primal and dual objective: complementary slackness */
} irl_lp_residuals;

irl_status irl_lp_kkt(const irl_lp *lp, irl_lp_residuals *residuals);
bool irl_lp_residuals_are_small(const irl_lp_residuals *residuals);

/* Bounds that no rounding error can make false (safe.c). The first is a number that is at most
 * c'x + constant for every x that satisfies rows and bounds, from any vector y (one entry per row;
 * the better the dual, the better the bound). -INFINITY where a variable without a bound stands in
 * the way; models with boxed columns always get a number. */
irl_status irl_lp_safe_bound(const irl_lp *lp, const double *y, double *bound);
/* A safe bound, and reduced[j] gets what a unit of column j away from its better bound adds at
 * least: positive at the lower bound, negative at the upper one, 0 if rounding leaves the sign
 * open. */
irl_status irl_lp_safe_reduced(const irl_lp *lp, const double *y, double *bound, double *reduced);
/* Does y or -y (as irl_lp_ray) prove, whatever the costs, that no point satisfies rows and bounds?
 */
irl_status irl_lp_safe_infeasible(const irl_lp *lp, const double *y, bool *is_proven);

#endif
