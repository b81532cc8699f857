/* Transposition of bit matrices in tiles of 64 x 64 bits (Hacker's Delight 7-3: six rounds that
 * swap halves, quarters, ... of the tile). Eight tiles below each other fill one 64-byte line of
 * each of 64 output vectors, so every line of the output is written once. */
#include "base/memory.h"
#include "base/threads.h"
#include "bits/bits.h"

void irl_bits_transpose_tile(uint64_t tile[64]) {
  uint64_t mask = 0x00000000ffffffffu;
  for (unsigned half = 32; half; half >>= 1, mask ^= mask << half) {
    for (unsigned i = 0; i < 64; i = (i + half + 1) & ~half) {
      const uint64_t swap = (tile[i] >> half ^ tile[i + half]) & mask;
      tile[i] ^= swap << half;
      tile[i + half] ^= swap;
    }
  }
}

void irl_bits_transpose(const uint64_t *const *rows, size_t n_rows, irl_bits_matrix *out,
                        int threads) {
  assert(out->n_bits == n_rows);
  const size_t n_words = (out->n_vectors + 63) / 64;
#pragma omp parallel for num_threads(irl_threads_here(threads)) schedule(static)
  for (size_t word = 0; word < n_words; word++)
    for (size_t first = 0; first < n_rows; first += 512) { /* a line of the output */
      uint64_t tiles[IRL_BITS_BLOCK][64];
      for (size_t b = 0; b < IRL_BITS_BLOCK; b++) {
        const size_t start = first + 64 * b;
        for (size_t i = 0; i < 64; i++)
          tiles[b][i] = start + i < n_rows ? rows[start + i][word] : 0;
        if (start < n_rows) irl_bits_transpose_tile(tiles[b]);
      }
      const size_t n_columns = out->n_vectors - 64 * word < 64 ? out->n_vectors - 64 * word : 64;
      for (size_t j = 0; j < n_columns; j++) {
        uint64_t *line = irl_bits_vector(out, 64 * word + j) + first / 64;
        for (size_t b = 0; b < IRL_BITS_BLOCK; b++) line[b] = tiles[b][j];
      }
    }
}

irl_status irl_bits_transposed(irl_env *env, const irl_bits_matrix *matrix, irl_bits_matrix *out,
                               int threads) {
  irl_bits_matrix made;
  const uint64_t **rows = irl_mem_alloc(&env->allocator, matrix->n_vectors, sizeof *rows);
  if (!rows) return irl_fail_memory(env);
  const irl_status status = irl_bits_matrix_init(env, &made, matrix->n_bits, matrix->n_vectors);
  if (!status) {
    for (size_t i = 0; i < matrix->n_vectors; i++) rows[i] = irl_bits_vector(matrix, i);
    irl_bits_transpose(rows, matrix->n_vectors, &made, threads);
    *out = made;
  }
  irl_mem_free(&env->allocator, rows);
  return status;
}
