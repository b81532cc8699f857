/* A model with many more rows than columns, solved over the rows that matter (lazy_rows.c). */
#ifndef IRL_LP_LAZY_ROWS_H
#define IRL_LP_LAZY_ROWS_H

#include "lp/lp_model.h"

typedef struct irl_lp_lazy_rows {
  irl_allocator allocator;
  irl_arena arena;
  irl_lp *lp;           /* the smaller model: all columns, the active rows */
  irl_lp_matrix matrix; /* of the whole model */
  uint32_t *row_of;     /* by active row: its number in the model */
  uint32_t *place_of;   /* by row of the model: its active number, UINT32_MAX if lazy */
  uint32_t most;        /* active rows beyond which those that do not bind become lazy */
  double *by_row;       /* scratch, by active row */
  struct irl_lp_violated *violated; /* scratch: lazy rows that the point violates */
} irl_lp_lazy_rows;

/* Has the model so many rows that most of them may be left out? */
bool irl_lp_lazy_rows_pay(const irl_lp *lp);
/* Like irl_lp_solve. `*has_answer` false: the smaller model could not tell, and the whole
 * one has to. */
irl_status irl_lp_lazy_rows_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result,
                                  bool *has_answer);
/* irl_lp_tableau_multipliers; lazy rows have none. */
bool irl_lp_lazy_rows_multipliers(irl_lp *lp, uint32_t column, double *y);
/* Do the two numberings of the rows belong together? For assertions. */
bool irl_lp_lazy_rows_check(const irl_lp *lp);
void irl_lp_lazy_rows_free(irl_lp_lazy_rows *lazy);
/* The whole model is going to be solved: what is known of its lazy rows would be out of date. */
void irl_lp_lazy_rows_drop(irl_lp *lp);

#endif
