/* The model behind irl_lp: entries in the order they came, compiled by columns and by rows when a
 * solve needs them. Only src/lp and src/model see this. */
#ifndef IRL_LP_LP_MODEL_H
#define IRL_LP_LP_MODEL_H

#include "lp/lp.h"
#include "lp/sparse.h"

/* The same entries by columns and by rows. */
typedef struct irl_lp_matrix {
  irl_lp_lists columns, rows;
} irl_lp_matrix;

typedef struct irl_lp_entry {
  uint32_t row, column;
  double value;
} irl_lp_entry;

/* What rows and columns have in common. */
typedef struct irl_lp_side {
  uint32_t count;
  size_t capacity;
  double *lower, *upper;
  uint8_t *at;    /* irl_lp_at */
  double *weight; /* dual steepest edge, while basic; 0: unknown */
  double *value;  /* x or activity */
  double *dual;   /* reduced cost or row dual */
} irl_lp_side;

/* A model with many more rows than columns, solved over the rows that matter (lazy_rows.c). */
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

struct irl_lp_simplex;

struct irl_lp {
  irl_env *env;
  irl_allocator allocator; /* of the env, which may be gone when the model is freed */
  irl_lp_side columns, rows;
  double *cost;
  size_t cost_capacity;
  double constant;
  irl_lp_entry *entries;
  size_t n_entries, entries_capacity;
  double *ray;
  struct irl_lp_simplex *simplex; /* kept between solves; NULL: none yet */
  irl_lp_lazy_rows *lazy;         /* if most rows may be left out; NULL: none are */
  bool has_no_lazy_rows;          /* tried, without a result */
  bool is_reshaped;               /* rows, columns or entries changed since the last solve */
  bool is_rebased;                /* the caller gave a basis */
  bool is_repriced;               /* costs changed */
};

irl_status irl_lp_matrix_compile(irl_env *env, const irl_lp *lp, irl_lp_matrix *matrix);
void irl_lp_matrix_free(const irl_allocator *allocator, irl_lp_matrix *matrix);

/* Has the model so many rows that most of them may be left out? */
bool irl_lp_lazy_rows_pay(const irl_lp *lp);
/* Like irl_lp_solve. `*is_solved` false: the smaller model could not tell, and the whole
 * one has to. */
irl_status irl_lp_lazy_rows_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result,
                                  bool *is_solved);
/* irl_lp_tableau_multipliers; lazy rows have none. */
bool irl_lp_lazy_rows_multipliers(irl_lp *lp, uint32_t column, double *y);
/* Do the two numberings of the rows belong together? For assertions. */
bool irl_lp_lazy_rows_check(const irl_lp *lp);
void irl_lp_lazy_rows_free(irl_lp_lazy_rows *lazy);
/* The whole model is going to be solved: what is known of its lazy rows would be out of date. */
void irl_lp_lazy_rows_drop(irl_lp *lp);

#endif
