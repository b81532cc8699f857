/* Factors of a basis matrix and the solves with them.
 *
 * Positions of the basis are numbered by their pivot row: after irl_lp_lu_factor the column whose
 * pivot lies in row i stands at position i, so that one index space serves right-hand sides
 * (rows) and solutions (positions) and all solves work in place. */
#ifndef IRL_LP_LU_H
#define IRL_LP_LU_H

#include "base/limit.h"
#include "lp/sparse.h"

typedef struct irl_lp_lu {
  irl_env *env;
  irl_allocator allocator;
  irl_arena arena; /* all arrays whose size stays */
  uint32_t m;
  double threshold;   /* Markowitz */
  uint32_t *step_row; /* rows in the order of their pivots */
  double *pivot;      /* by row */
  uint32_t *l_row;    /* pivot row of each nonempty column of L, in order */
  irl_lp_lists l_columns;
  uint32_t *lt_row; /* rows of L that are not empty, the last pivot first */
  irl_lp_lists l_rows;
  irl_lp_lists u_rows, u_columns; /* by step; without the pivots */
  uint32_t *step_of_row;
  /* Steps whose column of U has entries above its pivot. The others, slacks above all, get nothing
   * from later steps of a solve, so loops over steps can leave them out. */
  uint32_t *busy, n_busy;
  bool *is_busy; /* by row */
  /* Updates: B = L T_1 T_2 ... U with T_k = I + v_k w_k'. */
  uint32_t n_updates;
  double *eta_pivot;          /* 1 + w_k'v_k */
  irl_lp_lists spikes, units; /* v_k and w_k */
  irl_lp_vector spike, unit;  /* kept from the last solves with the entering column and row */
  size_t size_fresh;          /* entries in the factors before the first update */
  uint64_t work;              /* multiplications so far */
  /* The last factorisation: which row each column got (UINT32_MAX: none, dependent), and how many
   * rows were active when the singletons were gone. */
  uint32_t *row_of_column;
  uint32_t *column_of_row;
  uint32_t n_deficient, n_active, n_dense;
  const irl_limit *limit; /* its clock and stop request end a factorisation; NULL: none */
  bool is_cut;            /* the last one ended so: there are no factors */
} irl_lp_lu;

/* Updates that there is room for; the simplex refactors earlier. */
#define IRL_LP_MAX_UPDATES 200u

irl_status irl_lp_lu_init(irl_env *env, irl_lp_lu *lu, uint32_t m);
void irl_lp_lu_free(irl_lp_lu *lu);
/* Factors the m columns: column j is list j. If some columns are dependent, n_deficient says how
 * many; row_of_column names them and the free rows are those without a column: the caller puts the
 * rows' own columns in their place and factors again. If is_cut, nothing of the factors may be
 * used. */
irl_status irl_lp_lu_factor(irl_lp_lu *lu, const irl_lp_lists *columns);
/* v = B^-1 v and v = B^-T v; v->n = v->size on entry: the index is not known. `keeps`: v is the
 * column that may enter, or the unit vector of the position that may leave; what irl_lp_lu_update
 * needs of it is noted on the way. */
void irl_lp_lu_ftran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps);
void irl_lp_lu_btran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps);
/* Replaces the column at `position` by the kept one; `pivot` is the entry at `position` of its
 * ftran. */
irl_status irl_lp_lu_update(irl_lp_lu *lu, uint32_t position, double pivot);
/* Entries in the updates. */
static inline size_t irl_lp_lu_growth(const irl_lp_lu *lu) {
  return lu->spikes.used + lu->units.used;
}

#endif
