/* Many columns at once: which of them miss few of some cases? (verify_rows.c) */
#ifndef IRL_VERIFY_VERIFY_ROWS_H
#define IRL_VERIFY_VERIFY_ROWS_H

#include "base/arena.h"
#include "bits/bits.h"
#include "bits/row_kernels.h"

typedef struct irl_verify_rows {
  const irl_row_kernels *kernels;
  uint32_t n;       /* columns */
  size_t words;     /* of each */
  uint64_t *packed; /* the columns, one after another */
  uint64_t *rows;   /* the same as rows, a block of columns after another */
  uint64_t *alive;  /* what is left of a block */
  uint16_t *list;   /* rows that are counted */
} irl_verify_rows;

/* Words of a vector with a bit for each of n columns, whole blocks of them. */
static inline size_t irl_verify_rows_stride(uint32_t n) {
  return ((size_t)n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS * IRL_BITS_BLOCK;
}
/* Room for so many columns and words. False: out of memory. */
bool irl_verify_rows_make(irl_arena *arena, uint32_t max_columns, size_t max_words,
                          irl_verify_rows *rows);
/* The rows of the packed columns. */
void irl_verify_rows_turn(irl_verify_rows *rows);
/* Of the columns of `open`, a vector of bits, from number `first` on, those that miss at most
 * `slack` ones of the vector, ascending; how many. */
uint32_t irl_verify_rows_find(irl_verify_rows *rows, const uint64_t *vector, const uint64_t *open,
                              uint32_t first, uint32_t slack, uint32_t *ids);
/* Of n columns, ascending, those that miss at most `slack` ones of the vector, in their place; how
 * many. */
uint32_t irl_verify_rows_keep(irl_verify_rows *rows, const uint64_t *vector, uint32_t *ids,
                              uint32_t n, uint32_t slack);

#endif
