/* What the stages of a factorisation share: singletons (lu_singletons.c), Markowitz pivots
 * and a dense end (lu_markowitz.c), each of which appends pivots to the factors in lu. */
#ifndef IRL_LP_LU_WORK_H
#define IRL_LP_LU_WORK_H

#include "lp/lu.h"

typedef struct irl_lp_lu_work {
  irl_lp_lu *lu;
  irl_arena arena; /* all arrays here, until the factorisation ends */
  const irl_lp_lists *columns;
  uint32_t n_steps;
  uint32_t n_l;      /* nonempty columns of L so far */
  irl_lp_lists rows; /* the columns, transposed */
  /* Entries in active columns (of an active row), in active rows (of an active column). */
  uint32_t *row_count, *column_count;
  bool *row_done, *column_done;
  uint32_t *stack; /* scratch, a row or column each */
  bool failed;     /* out of memory */
} irl_lp_lu_work;

/* Notes the next pivot. Its row of U and its column of L are pushed to lu->u_rows (indices are
 * columns until the end) and lu->l_columns (rows) before irl_lp_lu_end_pivot. */
void irl_lp_lu_begin_pivot(irl_lp_lu_work *w, uint32_t row, uint32_t column, double value);
void irl_lp_lu_push_u(irl_lp_lu_work *w, uint32_t column, double value);
void irl_lp_lu_push_l(irl_lp_lu_work *w, uint32_t row, double value);
void irl_lp_lu_end_pivot(irl_lp_lu_work *w);
/* Is the time over? Sets is_cut. Reads the clock, which is little beside a pivot. */
bool irl_lp_lu_limit_reached(irl_lp_lu_work *w);

void irl_lp_lu_singletons(irl_lp_lu_work *w);
void irl_lp_lu_markowitz(irl_lp_lu_work *w);

#endif
