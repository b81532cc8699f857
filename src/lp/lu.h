/* Factors of a basis matrix and the solves with them.
 *
 * Positions of the basis are numbered by their pivot row: after irl_lp_lu_factor the column whose
 * pivot lies in row i stands at position i, so that one index space serves right-hand sides
 * (rows) and solutions (positions) and all solves work in place. */
#ifndef IRL_LP_LU_H
#define IRL_LP_LU_H

#include "base/limit.h"
#include "lp/block.h"
#include "lp/sparse.h"

/* The rows of one block that lie in the leading triangle, and the bits that they have in the basic
 * columns of the block, row by row. */
typedef struct irl_lp_lu_panel {
  const irl_lp_block *block;
  uint32_t *row;    /* ascending, n_rows of them */
  uint32_t *place;  /* by row of the block: where in `row`, or UINT32_MAX */
  uint32_t *column; /* by bit: which of irl_lp_lu_bits.x */
  uint8_t *bytes;   /* bit c of row r: bytes[r * stride + c / 8] >> c % 8 */
  uint32_t n_rows, n_columns, stride;
  size_t bytes_capacity;
} irl_lp_lu_panel;

/* Columns of bits that a factorisation knows: those that were basic when it was made, then those
 * that have entered since. */
typedef struct irl_lp_lu_bits {
  irl_allocator allocator;
  const irl_lp_block *blocks; /* borrowed */
  size_t n_blocks;
  irl_lp_lu_panel *panels; /* one per block */
  uint32_t n, n_basic;     /* columns; of the factorisation itself */
  uint32_t *name;          /* column of the model */
  uint32_t *row;           /* pivot row, for the first n_basic */
  double *x;               /* multipliers or products of a solve, by column */
  double *kept;            /* those of the entering column */
  size_t capacity;
  double *table;
} irl_lp_lu_bits;

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
  /* The leading steps, whose rows keep the blocks as bits; how many of the busy ones they are. */
  uint32_t n_leading, n_busy_leading;
  irl_lp_lu_bits bits;
  uint32_t *bits_of_row; /* which column of bits has its pivot there, or UINT32_MAX */
  /* Updates: B = L T_1 T_2 ... U with T_k = I + v_k w_k'. */
  uint32_t n_updates;
  double *eta_pivot;          /* 1 + w_k'v_k */
  irl_lp_lists spikes, units; /* v_k and w_k */
  irl_lp_lists spike_bits;    /* v_k over columns of bits */
  irl_lp_lists unit_bits;     /* w_k again, in rows that have bits */
  irl_lp_vector spike, unit;  /* kept from the last solves with the entering column and row */
  uint32_t entering_bits;     /* column of bits of the entering column, or UINT32_MAX */
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

/* The blocks are those that basis columns may have a part in; borrowed. */
irl_status irl_lp_lu_init(irl_env *env, irl_lp_lu *lu, uint32_t m, const irl_lp_block *blocks,
                          size_t n_blocks);
void irl_lp_lu_free(irl_lp_lu *lu);
/* Factors the m columns: column j is list j and what the blocks have in column bits[j] of the
 * model, unless that is UINT32_MAX; bits NULL: no blocks. If some columns are dependent,
 * n_deficient says how many; row_of_column names them and the free rows are those without a column:
 * the caller puts the rows' own columns in their place and factors again. If is_cut, nothing of the
 * factors may be used. */
irl_status irl_lp_lu_factor(irl_lp_lu *lu, const irl_lp_lists *columns, const uint32_t *bits);
/* Are the fresh factors triangular, with permutations of the rows and pivots away from zero? For
 * assertions: it looks at every entry. */
bool irl_lp_lu_check(const irl_lp_lu *lu);
/* v = B^-1 (v + column `bits` of the blocks, unless UINT32_MAX) and v = B^-T v; v->n = v->size on
 * entry: the index is not known. `keeps`: v is the column that may enter, or the unit vector of the
 * position that may leave; what irl_lp_lu_update needs of it is noted on the way. */
void irl_lp_lu_ftran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps, uint32_t bits);
void irl_lp_lu_btran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps);
/* Replaces the column at `position` by the kept one; `pivot` is the entry at `position` of its
 * ftran. */
irl_status irl_lp_lu_update(irl_lp_lu *lu, uint32_t position, double pivot);
/* Entries in the updates; columns of bits that were appended cost a look-up for eight of them. */
static inline size_t irl_lp_lu_growth(const irl_lp_lu *lu) {
  return lu->spikes.used + lu->units.used + lu->spike_bits.used +
         (size_t)(lu->bits.n - lu->bits.n_basic) / 8 * lu->n_leading;
}

/* ---- the part of a factorisation that stays bits (lu_bits.c) ---- */

/* Room for `capacity` columns, in the arena; allocator and blocks are set. */
bool irl_lp_lu_bits_init(irl_lp_lu_bits *bits, irl_arena *arena, size_t capacity);
void irl_lp_lu_bits_free(irl_lp_lu_bits *bits);
bool irl_lp_lu_bits_has(const irl_lp_lu_bits *bits, uint32_t column);
/* New panels for the rows with is_leading and the columns named, which have these pivot rows; room
 * for `more` columns. */
bool irl_lp_lu_bits_build(irl_lp_lu_bits *bits, const bool *is_leading, uint32_t n,
                          const uint32_t *name, const uint32_t *row, uint32_t more);
/* One more column; there must be room. */
void irl_lp_lu_bits_append(irl_lp_lu_bits *bits, uint32_t column);
/* x += columns of bits times bits->x, over the leading rows. Returns the work. */
uint64_t irl_lp_lu_bits_multiply(irl_lp_lu_bits *bits, double *x);
/* bits->x = y'columns, over the leading rows. */
uint64_t irl_lp_lu_bits_price(irl_lp_lu_bits *bits, const double *y);
/* bits->x += value times row i of the columns. */
void irl_lp_lu_bits_add_row(irl_lp_lu_bits *bits, uint32_t i, double value);
/* Row i of the columns times bits->x. */
double irl_lp_lu_bits_dot_row(const irl_lp_lu_bits *bits, uint32_t i);
/* Entry (i, column) of the blocks; 0 if column is UINT32_MAX. */
double irl_lp_lu_bits_get(const irl_lp_lu_bits *bits, uint32_t i, uint32_t column);
/* x += a column, over the leading rows or over the others. */
void irl_lp_lu_bits_scatter(const irl_lp_lu_bits *bits, uint32_t column, bool is_leading,
                            double *x);
/* Does row i lie in a panel? */
bool irl_lp_lu_bits_has_row(const irl_lp_lu_bits *bits, uint32_t i);

#endif
