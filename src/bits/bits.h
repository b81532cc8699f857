/* Bit vectors and matrices.
 *
 * A bit vector is an array of 64-bit words, bit i in word i/64 at position i%64. Every vector that
 * a kernel sees is 64-byte aligned, its length a multiple of IRL_BITS_BLOCK words, and the bits
 * past its end are zero: so no kernel handles a tail, and AND and popcount need no mask. */
#ifndef IRL_BITS_BITS_H
#define IRL_BITS_BITS_H

#include "base/env.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define IRL_BITS_BLOCK 8u /* words in 64 bytes */

/* `n_vectors` vectors of `n_bits` bits, `stride` words apart. A data set has two, cases and
 * controls, with a vector per feature; transposed it is a vector per sample. */
typedef struct irl_bits_matrix {
  uint64_t *words;
  size_t n_vectors, n_bits;
  size_t stride;           /* words per vector, a multiple of IRL_BITS_BLOCK; 0 if n_bits is 0 */
  irl_allocator allocator; /* resize NULL: the words belong to somebody else */
} irl_bits_matrix;

static inline size_t irl_bits_stride(size_t n_bits) {
  return (n_bits + 511) / 512 * IRL_BITS_BLOCK;
}

/* What kernels ask of their vectors and columns; for assertions. */
static inline bool irl_bits_is_vector(const uint64_t *vector, size_t n_words) {
  return !n_words || ((uintptr_t)vector % IRL_MEM_ALIGNMENT == 0 && n_words % IRL_BITS_BLOCK == 0);
}
static inline bool irl_bits_are_columns(const uint64_t *columns, size_t stride, size_t n_words) {
  return irl_bits_is_vector(columns, stride) && n_words <= stride;
}

static inline bool irl_bits_get(const uint64_t *vector, size_t i) {
  return vector[i >> 6] >> (i & 63) & 1;
}

static inline void irl_bits_set(uint64_t *vector, size_t i) {
  vector[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void irl_bits_clear(uint64_t *vector, size_t i) {
  vector[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static inline uint64_t *irl_bits_vector(const irl_bits_matrix *matrix, size_t i) {
  assert(i < matrix->n_vectors);
  return matrix->words + i * matrix->stride;
}

/* Are all ones of a in b? */
static inline bool irl_bits_is_subset(const uint64_t *a, const uint64_t *b, size_t n_words) {
  for (size_t w = 0; w < n_words; w++)
    if (a[w] & ~b[w]) return false;
  return true;
}

/* Sets the first n bits and clears the rest of `stride` words. */
void irl_bits_fill(uint64_t *vector, size_t n, size_t stride);

/* to[at + i] |= from[i] for i below n; bits of `from` beyond are zero, and nothing beyond is
 * touched. */
void irl_bits_or_at(uint64_t *to, size_t at, const uint64_t *from, size_t n);

/* All zero. */
irl_status irl_bits_matrix_init(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                                size_t n_bits);
/* The same, its words whatever they are. */
irl_status irl_bits_matrix_take(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                                size_t n_bits);
void irl_bits_matrix_free(irl_bits_matrix *matrix);
/* Are the tails zero? For assertions and files. */
bool irl_bits_tails_are_zero(const irl_bits_matrix *matrix);

/* out[j] bit i = rows[i] bit j: n_rows rows of at least `out->n_vectors` bits into `out`, whose
 * n_bits is n_rows. Blockwise over 64 x 64 bits, in parallel. */
void irl_bits_transpose(const uint64_t *const *rows, size_t n_rows, irl_bits_matrix *out,
                        int threads);
/* 64 x 64 bits in place. */
void irl_bits_transpose_tile(uint64_t tile[64]);
/* The transposed copy of a matrix. */
irl_status irl_bits_transposed(irl_env *env, const irl_bits_matrix *matrix, irl_bits_matrix *out,
                               int threads);

/* Groups of equal vectors: samples that no rule tells apart. The arrays are the caller's, each with
 * room for all vectors. */
typedef struct irl_equal_rows {
  uint32_t n;         /* groups, numbered by their first vectors */
  uint32_t *group_of; /* each vector */
  uint32_t *first;    /* vector of each group */
  uint32_t *size;     /* vectors of each group */
} irl_equal_rows;
/* Groups the vectors of one or two matrices (NULL: one) of equal length; those of the second are
 * numbered after those of the first. */
irl_status irl_equal_rows_find(irl_env *env, const irl_bits_matrix *a, const irl_bits_matrix *b,
                               irl_equal_rows *groups);

#endif
