/* The model as branch and bound sees it: rows and columns of all entries, bounds, integrality. */
#ifndef IRL_MILP_MILP_MODEL_H
#define IRL_MILP_MILP_MODEL_H

#include "base/arena.h"
#include "milp/milp.h"

typedef struct irl_milp_model {
  irl_env *env;
  irl_allocator allocator;
  irl_arena arena; /* all arrays */
  const irl_milp_problem *problem;
  uint32_t n_rows, n_columns;
  size_t *row_start; /* the entries of row i: row_start[i] .. row_start[i + 1] - 1 */
  uint32_t *row_column;
  double *row_value;
  size_t *column_start;
  uint32_t *column_row;
  double *column_value;
  double *row_lower, *row_upper, *lower, *upper, *cost;
  double constant;
  bool *is_integer;
  uint8_t *priority;
  bool *is_exact;    /* rows of integers: no tolerance */
  double *tolerance; /* by row, absolute; 0 if exact */
  uint32_t n_integer;
  double grid, offset;  /* objectives are offset + multiples of grid; 0: no grid */
  bool is_grid_rounded; /* the grid is not an integer, so only nearly true */
  bool is_infeasible;   /* found while making or presolving it */
} irl_milp_model;

irl_status irl_milp_model_init(irl_milp_model *model, irl_env *env,
                               const irl_milp_problem *problem);
void irl_milp_model_free(irl_milp_model *model);
/* Rows after the model has changed them: their kind and tolerance, the columns' copy. */
void irl_milp_model_refresh(irl_milp_model *model);
/* After columns became integer: kinds and tolerances of rows, the grid. */
void irl_milp_model_reclassify(irl_milp_model *model);
/* The LP of the model as it is now. */
irl_status irl_milp_model_lp(const irl_milp_model *model, irl_env *env, irl_lp **lp);

static inline bool irl_milp_is_binary(const irl_milp_model *m, uint32_t j) {
  return m->is_integer[j] && m->lower[j] == 0 && m->upper[j] == 1;
}
/* Is `value` an integer that doubles count exactly? */
bool irl_milp_is_whole(double value);
/* check_solution.c: rounds the integer columns of x, puts the others within their bounds and checks
 * all rows of the model as it was given: without any tolerance where row and columns are integers,
 * elsewhere with `share` of it. *objective is set if it holds. */
bool irl_milp_check_solution(const irl_milp_model *original, double *x, double share,
                             double *objective);
/* The least bound above which nothing better than `incumbent` is left. */
double irl_milp_cutoff(const irl_milp_model *model, double incumbent);
/* The least objective value that is not below `bound`: the grid rounds it up. */
double irl_milp_round_bound(const irl_milp_model *model, double bound);

#endif
