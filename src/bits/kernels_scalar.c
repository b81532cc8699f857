/* Kernels in plain C: the specification. */
#include "bits/kernels.h"

/* Sideways addition (Hacker's Delight 5-1); without a popcount instruction the compiler's builtin
 * would be a call into a table. */
static inline uint64_t ones(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return x * 0x0101010101010101u >> 56;
}

static uint64_t count(const uint64_t *a, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(a[i]);
  return sum;
}

static uint64_t and_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(a[i] & b[i]);
  return sum;
}

static uint64_t andnot_count(const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(a[i] & ~b[i]);
  return sum;
}

static void and_count_many(const uint64_t *v, const uint64_t *columns, size_t stride,
                           const uint32_t *ids, size_t n_columns, size_t n_words,
                           uint32_t *counts) {
  for (size_t i = 0; i < n_columns; i++)
    counts[i] = (uint32_t)and_count(v, columns + (ids ? ids[i] : i) * stride, n_words);
}

static uint64_t and_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(into[i] = a[i] & b[i]);
  return sum;
}

static uint64_t andnot_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(into[i] = a[i] & ~b[i]);
  return sum;
}

static uint64_t or_into(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) sum += ones(into[i] = a[i] | b[i]);
  return sum;
}

static bool and_exceeds(const uint64_t *a, const uint64_t *b, size_t n_words, uint64_t threshold) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n_words; i++) {
    sum += ones(a[i] & b[i]);
    if (sum > threshold) return true;
  }
  return false;
}

const irl_kernels *irl_bits_kernels_scalar(void) {
  static const irl_kernels kernels = {"scalar",     count,          and_count,
                                      andnot_count, and_count_many, and_into,
                                      andnot_into,  or_into,        and_exceeds};
  return &kernels;
}
