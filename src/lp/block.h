/* Products with blocks of bits, by tables of partial sums: eight bits select one of 256 sums, so a
 * product costs an eighth of a table look-up per bit instead of a multiplication. */
#ifndef IRL_LP_BLOCK_H
#define IRL_LP_BLOCK_H

#include "lp/lp.h"

/* Doubles of scratch that irl_lp_block_price and irl_lp_block_multiply want. */
#define IRL_LP_BLOCK_GROUPS 8u
#define IRL_LP_BLOCK_TABLE  (IRL_LP_BLOCK_GROUPS * 256u)

static inline bool irl_lp_block_has_column(const irl_lp_block *block, uint32_t column) {
  return column >= block->first_column && column - block->first_column < block->bits->n_vectors;
}

/* Is entry (i, j) of the block its coefficient? */
static inline bool irl_lp_block_get(const irl_lp_block *block, uint32_t i, uint32_t j) {
  assert(i < block->bits->n_bits && j < block->bits->n_vectors);
  return irl_bits_get(irl_bits_vector(block->bits, j), i) != block->is_complemented;
}

/* Word w of a column of the block: complemented if it is to be, without a tail. */
static inline uint64_t irl_lp_block_word(const irl_lp_block *block, const uint64_t *vector,
                                         size_t w) {
  assert(w * 64 < block->bits->n_bits);
  const size_t left = block->bits->n_bits - w * 64;
  const uint64_t word = block->is_complemented ? ~vector[w] : vector[w];
  return left < 64 ? word & (((uint64_t)1 << left) - 1) : word;
}

/* table[b] = sum of value[k] over the bits k of b, for all 256 b. */
void irl_lp_fill_table(const double value[8], double *table);

/* Byte i of the result has bit k where byte k of x has bit i (Hacker's Delight 7-3). */
static inline uint64_t irl_lp_transpose_8x8(uint64_t x) {
  uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
  return x ^ t ^ t << 28;
}

/* x += factor * the block's part of `column` of the model. */
void irl_lp_block_scatter(const irl_lp_block *block, uint32_t column, double factor, double *x);
double irl_lp_block_dot(const irl_lp_block *block, uint32_t column, const double *y);
/* result += y'block, over all of its columns; returns the work in table look-ups. */
uint64_t irl_lp_block_price(const irl_lp_block *block, const double *y, double *table,
                            double *result);
/* result += y'block for a y with few nonzeros, those of `index` (ascending), from the bits by rows.
 */
uint64_t irl_lp_block_price_sparse(const irl_lp_block *block, const irl_bits_matrix *rows,
                                   const double *y, const uint32_t *index, uint32_t n,
                                   double *result);
/* The block with rows and columns exchanged, given its bits by rows: pricing it is a product with
 * the block itself. */
static inline irl_lp_block irl_lp_block_transposed(const irl_lp_block *block,
                                                   const irl_bits_matrix *rows) {
  assert(rows->n_bits == block->bits->n_vectors && rows->n_vectors == block->bits->n_bits);
  return (irl_lp_block){rows, block->first_column, block->first_row, block->coefficient,
                        block->is_complemented};
}
/* activity += block x, without bits by rows. */
uint64_t irl_lp_block_multiply(const irl_lp_block *block, const double *x, double *table,
                               double *activity);

#endif
