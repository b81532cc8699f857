/* Packed cells: 0, 1, 2 or missing, two bits each, kept as two vectors of bits over the samples in
 * the order of the file. Columns of 0/1 and of SNPs are packed, so that a question to all samples
 * is a few operations per 64 of them. A column of 0/1 without missing cells has one vector. */
#ifndef IRL_TABLE_PACKED_H
#define IRL_TABLE_PACKED_H

#include "bits/bits.h"
#include <assert.h>

#define IRL_CELL_MISSING 3u

typedef struct irl_packed {
  uint64_t *low, *high; /* the two bits of a cell, in one block; `high` NULL: all are 0 */
} irl_packed;

/* Words of one of the two vectors. */
static inline size_t irl_packed_words(size_t n_cells) {
  return (n_cells + 63) / 64;
}

/* Word w of the high bits. */
static inline uint64_t irl_packed_high(const irl_packed *cells, size_t w) {
  return cells->high ? cells->high[w] : 0;
}

/* Is everything beyond the last cell zero? */
bool irl_packed_tails_are_zero(const irl_packed *cells, size_t n_cells);
size_t irl_packed_count(const irl_packed *cells, size_t n_cells, unsigned value);

static inline unsigned irl_packed_get(const irl_packed *cells, size_t i) {
  assert(cells->low);
  return (unsigned)(cells->low[i >> 6] >> (i & 63) & 1) +
         2 * (unsigned)(irl_packed_high(cells, i >> 6) >> (i & 63) & 1);
}

/* Sets a cell that is 0. Threads may do so at once. */
static inline void irl_packed_set(irl_packed *cells, size_t i, unsigned value) {
  const uint64_t bit = (uint64_t)1 << (i & 63);
  assert(value <= IRL_CELL_MISSING && (value < 2 || cells->high));
  if (value & 1) {
#pragma omp atomic
    cells->low[i >> 6] |= bit;
  }
  if (value & 2) {
#pragma omp atomic
    cells->high[i >> 6] |= bit;
  }
}

/* Which of the cells of word w have one of the values in `accepted`, a bit per value. */
static inline uint64_t irl_packed_are(const irl_packed *cells, size_t w, unsigned accepted) {
  const uint64_t low = cells->low[w], high = irl_packed_high(cells, w);
  return (accepted & 1 ? ~low & ~high : 0) | (accepted & 2 ? low & ~high : 0) |
         (accepted & 4 ? ~low & high : 0) | (accepted & 8 ? low & high : 0);
}

#endif
