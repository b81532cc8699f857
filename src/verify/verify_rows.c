/* Counting by rows.
 *
 * Columns of bits, one for each literal or clause, are packed to the cases that matter and turned:
 * a row for each case has a one where a column misses it. The kernel adds up the rows of some cases
 * for 512 columns at once, and leaves those that miss at most so many. */
#include "verify/verify_rows.h"
#include <assert.h>

#define MANY 48u /* columns, from which on they are counted by rows */

bool irl_verify_rows_make(irl_arena *arena, uint32_t max_columns, size_t max_words,
                          irl_verify_rows *rows) {
  const size_t n_rows = 64 * max_words;
  *rows = (irl_verify_rows){.kernels = irl_bits_row_kernels()};
  assert(n_rows <= IRL_ROWS_MAX + 128u);
  rows->packed = irl_arena_alloc_aligned(arena, (max_columns + 1u) * max_words, sizeof(uint64_t));
  rows->rows = irl_arena_alloc_aligned(arena, irl_verify_rows_stride(max_columns) * n_rows,
                                       sizeof(uint64_t));
  rows->alive = irl_arena_alloc_aligned(arena, IRL_BITS_BLOCK, sizeof(uint64_t));
  rows->list = irl_arena_alloc(arena, n_rows + IRL_ROWS_SLACK, sizeof *rows->list);
  return rows->packed && rows->rows && rows->alive && rows->list;
}

/* The rows of a block. */
static uint64_t *block_of(const irl_verify_rows *rows, size_t block) {
  assert(block * IRL_ROWS_COLUMNS < rows->n);
  return rows->rows + block * 64 * rows->words * IRL_BITS_BLOCK;
}

void irl_verify_rows_turn(irl_verify_rows *rows) {
  uint64_t tile[64];
  for (uint32_t g = 0; g < rows->n; g += 64)
    for (size_t k = 0; k < rows->words; k++) {
      uint64_t *into = block_of(rows, g / IRL_ROWS_COLUMNS) + 64 * k * IRL_BITS_BLOCK +
                       g % IRL_ROWS_COLUMNS / 64;
      for (uint32_t i = 0; i < 64; i++)
        tile[i] = g + i < rows->n ? ~rows->packed[(g + i) * rows->words + k] : ~(uint64_t)0;
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < 64; i++) into[i * IRL_BITS_BLOCK] = tile[i];
    }
}

/* Of the columns of a block that rows->alive has, those that miss at most `slack` of the n_rows
 * rows of the list, into `ids`; how many. */
static uint32_t few_missed(irl_verify_rows *rows, size_t block, size_t n_rows, uint32_t slack,
                           uint32_t *ids) {
  uint32_t n = 0;
  if (!rows->kernels->few_rows(rows->alive, rows->alive, block_of(rows, block), rows->list, n_rows,
                               slack))
    return 0;
  for (uint32_t k = 0; k < IRL_BITS_BLOCK; k++)
    for (uint64_t bits = rows->alive[k]; bits; bits &= bits - 1)
      ids[n++] = (uint32_t)block * IRL_ROWS_COLUMNS + 64 * k + (uint32_t)__builtin_ctzll(bits);
  return n;
}

uint32_t irl_verify_rows_find(irl_verify_rows *rows, const uint64_t *vector, const uint64_t *open,
                              uint32_t first, uint32_t slack, uint32_t *ids) {
  const size_t end = irl_verify_rows_stride(rows->n);
  const size_t n_rows = rows->kernels->list_rows(vector, rows->words, IRL_BITS_BLOCK, rows->list);
  uint32_t n = 0;
  for (size_t w = irl_verify_rows_stride(first + 1) - IRL_BITS_BLOCK; w < end;
       w += IRL_BITS_BLOCK) {
    memcpy(rows->alive, open + w, IRL_BITS_BLOCK * sizeof *open);
    n += few_missed(rows, w / IRL_BITS_BLOCK, n_rows, slack, ids + n);
  }
  assert(!n || ids[n - 1] < rows->n);
  return n;
}

uint32_t irl_verify_rows_keep(irl_verify_rows *rows, const uint64_t *vector, uint32_t *ids,
                              uint32_t n, uint32_t slack) {
  uint32_t left = 0;
  assert(!n || ids[n - 1] < rows->n);
  if (n < MANY)
    return (uint32_t)rows->kernels->keep_close(vector, rows->words, rows->packed, rows->words, ids,
                                               n, slack);
  const size_t n_rows = rows->kernels->list_rows(vector, rows->words, IRL_BITS_BLOCK, rows->list);
  for (uint32_t i = 0; i < n;) {
    const uint32_t block = ids[i] / IRL_ROWS_COLUMNS;
    memset(rows->alive, 0, IRL_BITS_BLOCK * sizeof *rows->alive);
    for (; i < n && ids[i] / IRL_ROWS_COLUMNS == block; i++)
      irl_bits_set(rows->alive, ids[i] % IRL_ROWS_COLUMNS);
    left += few_missed(rows, block, n_rows, slack, ids + left);
  }
  return left;
}
