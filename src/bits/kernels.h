/* The hot loops: AND and popcount over bit vectors, fused. One table per instruction set, chosen
 * once at run time; kernels_scalar.c is the specification and every other table gives the same
 * results. Vectors as in bits.h: 64-byte aligned, `n_words` a multiple of IRL_BITS_BLOCK, zero
 * tails. */
#ifndef IRL_BITS_KERNELS_H
#define IRL_BITS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IRL_ROWS_LIMIT 63u
#define IRL_ROWS_WORDS 16u

typedef struct irl_kernels {
  const char *name;
  uint64_t (*count)(const uint64_t *a, size_t n_words);
  uint64_t (*and_count)(const uint64_t *a, const uint64_t *b, size_t n_words);
  /* counts[i] = |v & column i| for n_columns columns that start `stride` words apart at `columns`:
   * those that `ids` names, or 0, 1, 2, ... if it is NULL. */
  void (*and_count_many)(const uint64_t *v, const uint64_t *columns, size_t stride,
                         const uint32_t *ids, size_t n_columns, size_t n_words, uint32_t *counts);
  /* counts[i * counts_stride + j] = |row i & column j| for n_rows rows, `row_stride` words apart at
   * `rows`, and n_columns columns: all pairs of a block. */
  void (*and_count_block)(const uint64_t *rows, size_t row_stride, size_t n_rows,
                          const uint64_t *columns, size_t stride, size_t n_columns, size_t n_words,
                          uint32_t *counts, size_t counts_stride);
  /* Of the columns 0 .. n_columns - 1 those with |v & column i| >= least: base + i into ids and the
   * count into counts, both with room for n_columns; returns how many. Here n_words may be a
   * multiple of half a block, the vectors still being whole blocks with zero tails. */
  size_t (*and_select)(const uint64_t *v, const uint64_t *columns, size_t stride, size_t n_columns,
                       size_t n_words, uint32_t least, uint32_t base, uint32_t *ids,
                       uint32_t *counts);
  /* into = a & b, a & ~b, a | b; `into` may be a or b. The count of the result is returned. */
  uint64_t (*and_into)(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words);
  uint64_t (*andnot_into)(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words);
  uint64_t (*or_into)(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words);
  /* Column i of `into` = the bits of a column (as above) at the ones of `mask`, moved together;
   * zeros up to `into_words`. Columns of `into` start `into_stride` words apart. */
  void (*gather_many)(uint64_t *into, size_t into_stride, size_t into_words,
                      const uint64_t *columns, size_t stride, const uint32_t *ids, size_t n_columns,
                      const uint64_t *mask, size_t n_words);
  /* Of the columns that `ids` names, keeps those with |v & column| >= least, in their order;
   * returns how many. For few columns and any n_words: no alignment, no tails. */
  size_t (*and_keep)(const uint64_t *v, size_t n_words, const uint64_t *columns, size_t stride,
                     uint32_t *ids, size_t n, uint64_t least);
  /* sums[i] = sum over t of 2^t * |plane t & column i| for n_planes planes n_words apart: the
   * weight of a column whose samples have weights with these binary digits. Columns as for
   * and_count_many, any n_words: no alignment, no tails. */
  void (*and_weigh_many)(const uint64_t *planes, size_t n_planes, const uint64_t *columns,
                         size_t stride, const uint32_t *ids, size_t n_columns, size_t n_words,
                         int64_t *sums);
  /* into = the bits of `from` that are one in at most `limit` of the rows that the ones of
   * `selected` name; is any left? `into` may be `from`. The limit is at most IRL_ROWS_LIMIT, or
   * else n_selected at most IRL_ROWS_WORDS. n_words may be a multiple of half a block. */
  bool (*rows_at_most)(uint64_t *into, const uint64_t *from, size_t n_words, const uint64_t *rows,
                       size_t stride, const uint64_t *selected, size_t n_selected, unsigned limit);
} irl_kernels;

/* The best table for this CPU, or the one named by the environment variable IRELAND_KERNEL (scalar,
 * avx2, avx512, neon, wasm) if this CPU has it. Never NULL. */
const irl_kernels *irl_bits_kernels(void);
/* All tables that this CPU can run, the scalar one first, up to `capacity`; returns how many. */
size_t irl_bits_kernels_list(const irl_kernels **tables, size_t capacity);

/* One per file; NULL where the architecture has no such instructions. */
const irl_kernels *irl_bits_kernels_scalar(void);
const irl_kernels *irl_bits_kernels_avx2(void);
const irl_kernels *irl_bits_kernels_avx512(void);
const irl_kernels *irl_bits_kernels_neon(void);
const irl_kernels *irl_bits_kernels_wasm(void);

#endif
