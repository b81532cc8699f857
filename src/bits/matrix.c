#include "base/hash_index.h"
#include "base/memory.h"
#include "base/threads.h"
#include "bits/bits.h"

void irl_bits_fill(uint64_t *vector, size_t n, size_t stride) {
  assert(n <= stride * 64);
  if (!stride) return; /* of no bits there may be no vector */
  memset(vector, 0, stride * sizeof *vector);
  memset(vector, 0xff, n / 64 * sizeof *vector);
  if (n % 64) vector[n / 64] = ((uint64_t)1 << n % 64) - 1;
}

void irl_bits_or_at(uint64_t *to, size_t at, const uint64_t *from, size_t n) {
  const unsigned shift = at % 64;
  to += at / 64;
  for (size_t i = 0; 64 * i < n; i++) {
    const size_t left = n - 64 * i < 64 ? n - 64 * i : 64;
    assert(left == 64 || !(from[i] >> left));
    to[i] |= from[i] << shift;
    if (shift + left > 64) to[i + 1] |= from[i] >> (64 - shift);
  }
}

irl_status irl_bits_matrix_init(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                                size_t n_bits) {
  const irl_status status = irl_bits_matrix_take(env, matrix, n_vectors, n_bits);
  if (!status) memset(matrix->words, 0, n_vectors * matrix->stride * sizeof *matrix->words);
  return status;
}

irl_status irl_bits_matrix_take(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                                size_t n_bits) {
  const size_t stride = irl_bits_stride(n_bits);
  size_t n_words;
  uint64_t *words = NULL;
  if (!__builtin_mul_overflow(n_vectors, stride, &n_words))
    words = irl_mem_take_aligned(&env->allocator, n_words, sizeof *words);
  if (!words) return irl_fail_memory(env);
  *matrix = (irl_bits_matrix){words, n_vectors, n_bits, stride, env->allocator};
  return IRL_STATUS_OK;
}

void irl_bits_matrix_free(irl_bits_matrix *matrix) {
  if (matrix->allocator.resize) irl_mem_free_aligned(&matrix->allocator, matrix->words);
  *matrix = (irl_bits_matrix){0};
}

bool irl_bits_tails_are_zero(const irl_bits_matrix *matrix) {
  const size_t whole = matrix->n_bits / 64;
  const uint64_t used = ((uint64_t)1 << matrix->n_bits % 64) - 1;
  uint64_t found = 0;
  for (size_t i = 0; i < matrix->n_vectors; i++) {
    const uint64_t *vector = irl_bits_vector(matrix, i);
    for (size_t w = whole; w < matrix->stride; w++) found |= vector[w] & ~(w == whole ? used : 0);
  }
  return !found;
}

/* Transposition in tiles of 64 x 64 bits (Hacker's Delight 7-3: six rounds that swap halves,
 * quarters, ... of the tile). Eight tiles below each other fill one 64-byte line of each of 64
 * output vectors, so every line of the output is written once. */
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
  (void)threads; /* without OpenMP */
  assert(out->n_bits == n_rows);
  const size_t n_words = (out->n_vectors + 63) / 64;
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(threads, (double)n_rows, 8.0 * (double)n_words)) schedule(static)
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

irl_status irl_equal_rows_find(irl_env *env, const irl_bits_matrix *a, const irl_bits_matrix *b,
                               irl_equal_rows *groups) {
  const size_t n_a = a->n_vectors, n = n_a + (b ? b->n_vectors : 0);
  const size_t bytes = a->stride * sizeof *a->words;
  irl_hash_index index;
  assert(!b || (a->n_bits == b->n_bits && a->stride == b->stride));
  assert(irl_bits_tails_are_zero(a) && (!b || irl_bits_tails_are_zero(b)));
  irl_hash_index_init(&index, &env->allocator);
  assert(n < IRL_HASH_NONE); /* groups have numbers of 32 bits */
  if (!irl_hash_index_reset(&index, n)) return irl_fail_memory(env);
  groups->n = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t *row = i < n_a ? irl_bits_vector(a, i) : irl_bits_vector(b, i - n_a);
    const uint64_t hash = irl_hash_of(&index, row, bytes);
    irl_hash_probe probe = irl_hash_probe_start(&index, hash);
    uint32_t g;
    while ((g = irl_hash_probe_next(&probe)) != IRL_HASH_NONE) {
      const size_t first = groups->first[g];
      if (!memcmp(first < n_a ? irl_bits_vector(a, first) : irl_bits_vector(b, first - n_a), row,
                  bytes))
        break;
    }
    if (g == IRL_HASH_NONE) {
      g = groups->n++;
      groups->first[g] = (uint32_t)i;
      groups->size[g] = 0;
      irl_hash_index_insert(&index, hash, g); /* there is room */
    }
    groups->group_of[i] = g;
    groups->size[g]++;
  }
  irl_hash_index_free(&index);
  return IRL_STATUS_OK;
}
