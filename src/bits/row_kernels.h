/* Counting for many columns at once: of a block of 512 columns, a bit each in every row, which are
 * one in at most so many of some rows? The rows of a block stand next to each other, so that those
 * of a thousand samples stay in the first cache while many lists of rows go through them. Chosen
 * with the other kernels (bits/kernels.h); the scalar form is the specification.
 *
 * Beside it, pairs of columns: which of all pairs have (almost) no sample of a few in common? */
#ifndef IRL_BITS_ROW_KERNELS_H
#define IRL_BITS_ROW_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IRL_ROWS_COLUMNS 512u  /* of a block: IRL_BITS_BLOCK words */
#define IRL_ROWS_MAX     4095u /* rows of a list, at most: so far the counters go */
#define IRL_ROWS_SLACK   16u   /* entries beyond its end that a list has room for */

#define IRL_ROWS_PAIRED 16u /* columns whose pairs are listed by one call, at most */

/* Columns i < j. */
typedef struct irl_row_pair {
  uint32_t i, j;
} irl_row_pair;

/* A word for each column, twice: the samples that it has, and those that it takes from another; and
 * how many of its own column i may lose. */
typedef struct irl_row_signatures {
  const uint64_t *has, *takes; /* 64-byte aligned, with room for IRL_ROWS_SLACK entries more */
  const uint32_t *limits;
  uint32_t n;
} irl_row_signatures;

typedef struct irl_row_kernels {
  const char *name;
  /* The ones of a vector of n_words words as a list: `step` times the number of each, ascending,
   * none of them beyond 65,535; how many. There is room for IRL_ROWS_SLACK entries more. */
  size_t (*list_rows)(const uint64_t *vector, size_t n_words, uint32_t step, uint16_t *list);
  /* into = the bits of `from` that are one in at most `limit` of the n rows of the list; is any
   * left? Both are blocks of 8 words, 64-byte aligned, and may be the same; so is each row, which
   * stands list[i] words from `rows` on; n is at most IRL_ROWS_MAX. */
  bool (*few_rows)(uint64_t *into, const uint64_t *from, const uint64_t *rows, const uint16_t *list,
                   size_t n, unsigned limit);
  /* Of the columns that `ids` names, keeps those that miss at most `slack` ones of v, in their
   * order; how many. Ends with a column at the first word that is one too many. */
  size_t (*keep_close)(const uint64_t *v, size_t n_words, const uint64_t *columns, size_t stride,
                       uint32_t *ids, size_t n, uint32_t slack);
  /* signatures[i] = the bits of words[ids[i]] at the ones of the mask, at most 32, side by side
   * from bit 0 on; is one of them empty? */
  bool (*sign_columns)(const uint64_t *words, uint64_t mask, const uint32_t *ids, uint32_t n,
                       uint32_t *signatures);
  /* The pairs i < j of n signatures of 32 bits that have no bit in common, for first <= i < last,
   * by i and then j; how many. There is room for n pairs for each i, and the signatures are 64-byte
   * aligned with room for IRL_ROWS_SLACK entries more. */
  size_t (*disjoint_pairs)(const uint32_t *signatures, uint32_t n, uint32_t first, uint32_t last,
                           irl_row_pair *pairs);
  /* In the same way the pairs of which j takes at most limits[i] samples from i. */
  size_t (*close_pairs)(const irl_row_signatures *signatures, uint32_t first, uint32_t last,
                        irl_row_pair *pairs);
} irl_row_kernels;

/* Those for the kernels in use. */
const irl_row_kernels *irl_bits_row_kernels(void);
/* Those for a name of kernels.h; the scalar ones where it has none of its own. */
const irl_row_kernels *irl_bits_row_kernels_named(const char *name);

/* One per file; NULL where the architecture has no such instructions. */
const irl_row_kernels *irl_bits_row_kernels_avx2(void);
const irl_row_kernels *irl_bits_row_kernels_avx512(void);

#endif
