/* The model behind irl_lp: entries in the order they came, compiled by columns and by rows when a
 * solve needs them. Only src/lp sees this. */
#ifndef IRL_LP_LP_MODEL_H
#define IRL_LP_LP_MODEL_H

#include "base/arena.h"
#include "lp/lp.h"

/* Compressed columns and rows of the same entries. */
typedef struct irl_lp_matrix {
  irl_arena arena;
  uint32_t n_rows, n_columns;
  size_t n_entries;
  size_t *column_start, *row_start; /* n_columns + 1, n_rows + 1 */
  uint32_t *column_row, *row_column;
  double *column_value, *row_value;
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

struct irl_lp_simplex;
struct irl_lp_lazy_rows;

struct irl_lp {
  irl_env *env;
  irl_allocator allocator; /* of the env, which may be gone when the model is freed */
  irl_lp_side columns, rows;
  double *cost;
  size_t cost_capacity;
  double constant;
  irl_lp_entry *entries;
  size_t n_entries, entries_capacity;
  irl_lp_block *blocks;
  size_t n_blocks, blocks_capacity;
  double *ray;
  struct irl_lp_simplex *simplex; /* kept between solves; NULL: none yet */
  struct irl_lp_lazy_rows *lazy;  /* if most rows may be left out; NULL: none are */
  bool has_no_lazy_rows;          /* tried, without an answer */
  bool is_reshaped;               /* rows, columns or entries changed since the last solve */
  bool is_rebased;                /* the caller gave a basis */
  bool is_repriced;               /* costs changed */
};

/* Where a nonbasic variable with these bounds starts. */
irl_lp_at irl_lp_at_some_bound(double lower, double upper);

irl_status irl_lp_matrix_compile(irl_env *env, const irl_lp *lp, irl_lp_matrix *matrix);
void irl_lp_matrix_free(irl_lp_matrix *matrix);
/* Fills the row copy from the columns. */
void irl_lp_matrix_transpose(irl_lp_matrix *matrix);

#endif
