#include "base/memory.h"
#include "bits/bits.h"

void irl_bits_fill(uint64_t *vector, size_t n, size_t stride) {
  assert(n <= stride * 64);
  memset(vector, 0, stride * sizeof *vector);
  memset(vector, 0xff, n / 64 * sizeof *vector);
  if (n % 64) vector[n / 64] = ((uint64_t)1 << n % 64) - 1;
}

void irl_bits_or_at(uint64_t *to, size_t at, const uint64_t *from, size_t n) {
  const unsigned shift = at % 64;
  to += at / 64;
  for (size_t i = 0; 64 * i < n; i++) {
    const size_t left = n - 64 * i < 64 ? n - 64 * i : 64;
    to[i] |= from[i] << shift;
    if (shift + left > 64) to[i + 1] |= from[i] >> (64 - shift);
  }
}

irl_status irl_bits_matrix_init(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                                size_t n_bits) {
  const size_t stride = irl_bits_stride(n_bits);
  size_t n_words;
  uint64_t *words = NULL;
  if (!__builtin_mul_overflow(n_vectors, stride, &n_words))
    words = irl_mem_alloc_aligned(&env->allocator, n_words, sizeof *words);
  if (!words) return irl_fail_memory(env);
  *matrix = (irl_bits_matrix){words, n_vectors, n_bits, stride, env->allocator};
  return IRL_OK;
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
