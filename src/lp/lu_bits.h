/* The part of a factorisation that stays bits: see lu_bits.c. */
#ifndef IRL_LP_LU_BITS_H
#define IRL_LP_LU_BITS_H

#include "base/arena.h"
#include "lp/block.h"

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
