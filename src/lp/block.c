/* Products of a block of bits with vectors.
 *
 * y'block: the bits of a column are the rows, so byte g of a column selects among the 256 sums of
 * subsets of y[8g .. 8g+7]. IRL_LP_BLOCK_GROUPS tables (one word of the column, 16 KB) are built at
 * a time and all columns run over them. Words in which y is zero are skipped, so a sparse y costs
 * little. block x: eight columns with x not zero are taken together; 8 x 8 bits of theirs are
 * transposed in a register, so that a byte per row selects among the sums of subsets of their x.
 * The complement is the sum of all minus the sum of the selected. */
#include "lp/block.h"
#include <math.h>

void irl_lp_block_scatter(const irl_lp_block *block, uint32_t column, double factor, double *x) {
  if (!irl_lp_block_has_column(block, column)) return;
  const irl_bits_matrix *bits = block->bits;
  const uint64_t *vector = irl_bits_vector(bits, column - block->first_column);
  const double value = factor * block->coefficient;
  double *to = x + block->first_row;
  for (size_t w = 0; w * 64 < bits->n_bits; w++) {
    uint64_t word = irl_lp_block_word(block, vector, w);
    for (; word; word &= word - 1) to[w * 64 + (size_t)__builtin_ctzll(word)] += value;
  }
}

double irl_lp_block_dot(const irl_lp_block *block, uint32_t column, const double *y) {
  if (!irl_lp_block_has_column(block, column)) return 0;
  const irl_bits_matrix *bits = block->bits;
  const uint64_t *vector = irl_bits_vector(bits, column - block->first_column);
  const double *from = y + block->first_row;
  double sum = 0;
  for (size_t w = 0; w * 64 < bits->n_bits; w++) {
    uint64_t word = irl_lp_block_word(block, vector, w);
    for (; word; word &= word - 1) sum += from[w * 64 + (size_t)__builtin_ctzll(word)];
  }
  return sum * block->coefficient;
}

void irl_lp_fill_table(const double value[8], double *table) {
  table[0] = 0;
  for (unsigned k = 0; k < 8; k++)
    for (unsigned b = 0; b < 1u << k; b++) table[(1u << k) + b] = table[b] + value[k];
}

static inline double look_up(const double *table, uint64_t word) {
  return ((table[word & 255] + table[256 + (word >> 8 & 255)]) +
          (table[512 + (word >> 16 & 255)] + table[768 + (word >> 24 & 255)])) +
         ((table[1024 + (word >> 32 & 255)] + table[1280 + (word >> 40 & 255)]) +
          (table[1536 + (word >> 48 & 255)] + table[1792 + (word >> 56)]));
}

uint64_t irl_lp_block_price(const irl_lp_block *block, const double *y, double *table,
                            double *result) {
  const irl_bits_matrix *bits = block->bits;
  const double *from = y + block->first_row;
  double *to = result + block->first_column;
  double total = 0;
  uint64_t work = bits->n_bits;
  const double sign = block->is_complemented ? -block->coefficient : block->coefficient;
  for (size_t w = 0; w * 64 < bits->n_bits; w++) {
    const size_t left = bits->n_bits - w * 64;
    double value[64] = {0};
    bool has_any = false;
    for (size_t i = 0; i < left && i < 64; i++) {
      value[i] = from[w * 64 + i];
      has_any |= value[i] != 0;
      total += value[i];
    }
    if (!has_any) continue;
    for (unsigned g = 0; g < IRL_LP_BLOCK_GROUPS; g++)
      irl_lp_fill_table(value + 8 * g, table + 256 * g);
    const uint64_t *word = bits->words + w;
    for (size_t j = 0; j < bits->n_vectors; j++, word += bits->stride)
      to[j] += sign * look_up(table, *word);
    work += bits->n_vectors * IRL_LP_BLOCK_GROUPS;
  }
  if (block->is_complemented && total != 0)
    for (size_t j = 0; j < bits->n_vectors; j++) to[j] += block->coefficient * total;
  return work;
}

uint64_t irl_lp_block_price_sparse(const irl_lp_block *block, const irl_bits_matrix *rows,
                                   const double *y, const uint32_t *index, uint32_t n,
                                   double *result) {
  double *to = result + block->first_column, total = 0;
  const double sign = block->is_complemented ? -block->coefficient : block->coefficient;
  const size_t n_words = (rows->n_bits + 63) / 64;
  uint64_t work = n;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t i = index[k];
    assert(k == 0 || index[k - 1] < i);
    if (i < block->first_row || i - block->first_row >= rows->n_vectors) continue;
    const uint64_t *row = irl_bits_vector(rows, i - block->first_row);
    const double value = sign * y[i];
    total += y[i];
    for (size_t w = 0; w < n_words; w++)
      for (uint64_t word = row[w]; word; word &= word - 1)
        to[w * 64 + (size_t)__builtin_ctzll(word)] += value;
    work += rows->n_bits / 2;
  }
  if (block->is_complemented && total != 0)
    for (size_t j = 0; j < rows->n_bits; j++) to[j] += block->coefficient * total;
  return work;
}

uint64_t irl_lp_block_multiply(const irl_lp_block *block, const double *x, double *table,
                               double *activity) {
  const irl_bits_matrix *bits = block->bits;
  const double *from = x + block->first_column;
  double *to = activity + block->first_row;
  const double sign = block->is_complemented ? -block->coefficient : block->coefficient;
  double total = 0;
  uint64_t work = bits->n_vectors;
  for (size_t j = 0; j < bits->n_vectors;) {
    size_t column[8] = {0}, n = 0; /* unused ones have value 0 */
    double value[8] = {0};
    for (; j < bits->n_vectors && n < 8; j++) {
      if (from[j] == 0) continue;
      column[n] = j;
      value[n++] = sign * from[j];
      total += from[j];
    }
    if (!n) break;
    assert(n <= 8 && value[n - 1] != 0);
    irl_lp_fill_table(value, table);
    for (size_t i = 0; i < bits->n_bits; i += 8) {
      uint64_t square = 0;
      for (unsigned k = 0; k < 8; k++)
        square |= (bits->words[column[k] * bits->stride + i / 64] >> i % 64 & 255) << 8 * k;
      square = irl_lp_transpose_8x8(square);
      for (size_t k = i; k < i + 8 && k < bits->n_bits; k++, square >>= 8)
        to[k] += table[square & 255];
    }
    work += 2 * bits->n_bits;
  }
  if (block->is_complemented && total != 0)
    for (size_t i = 0; i < bits->n_bits; i++) to[i] += block->coefficient * total;
  return work;
}
