#include "data/sample_weights.h"
#include "base/memory.h"
#include "bits/kernels.h"

#define CHUNK (8 * IRL_BITS_BLOCK) /* words that are weighed together */

int64_t irl_common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

irl_status irl_sample_weights_init(irl_env *env, irl_sample_weights *weights, size_t n) {
  *weights = (irl_sample_weights){.each = irl_mem_alloc(&env->allocator, n, sizeof *weights->each)};
  return weights->each ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_sample_weights_finish(irl_env *env, irl_sample_weights *w, size_t n) {
  const size_t stride = irl_bits_stride(n);
  w->unit = w->total = w->most = 0;
  w->least = n ? w->each[0] : 0;
  for (size_t i = 0; i < n; i++) {
    assert(w->each[i] >= 0);
    w->unit = irl_common_divisor(w->unit, w->each[i]);
    w->total += w->each[i];
    if (w->each[i] < w->least) w->least = w->each[i];
    if (w->each[i] > w->most) w->most = w->each[i];
  }
  if (w->least == w->most) return IRL_STATUS_OK;
  size_t n_first = 1;
  while (w->each[n_first] == w->each[0]) n_first++;
  w->head = n_first / 64 / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
  w->n_planes = 64 - (unsigned)__builtin_clzll((uint64_t)(w->most / w->unit));
  w->planes = irl_mem_alloc_aligned(&env->allocator, w->n_planes * stride, sizeof *w->planes);
  if (!w->planes) return irl_fail_memory(env);
  for (size_t i = 0; i < n; i++)
    for (int64_t left = w->each[i] / w->unit; left; left &= left - 1)
      irl_bits_set(w->planes + (size_t)__builtin_ctzll((uint64_t)left) * stride, i);
  return IRL_STATUS_OK;
}

void irl_sample_weights_free(irl_sample_weights *weights, const irl_allocator *allocator) {
  irl_mem_free(allocator, weights->each);
  irl_mem_free_aligned(allocator, weights->planes);
  *weights = (irl_sample_weights){0};
}

int64_t irl_sample_weights_sum(const irl_sample_weights *weights, const uint64_t *x,
                               const uint64_t *y, size_t n_words) {
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t head = weights->planes ? weights->head : n_words;
  const int64_t first = weights->each ? weights->each[0] : 1;
  uint64_t both[CHUNK] __attribute__((aligned(64)));
  uint32_t counts[64];
  int64_t sum = 0;
  for (size_t w = head; w < n_words; w += CHUNK) {
    const size_t n = n_words - w < CHUNK ? n_words - w : CHUNK;
    if (!kernels->and_into(both, x + w, y + w, n)) continue;
    kernels->and_count_many(both, weights->planes + w, n_words, NULL, weights->n_planes, n, counts);
    for (unsigned b = 0; b < weights->n_planes; b++) sum += (int64_t)counts[b] << b;
  }
  sum *= weights->unit;
  return head ? sum + first * (int64_t)kernels->and_count(x, y, head) : sum;
}
