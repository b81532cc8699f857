#include "data/sample_weights.h"
#include "base/memory.h"
#include "bits/kernels.h"

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
  const uint64_t *plane = weights->planes;
  int64_t sum = 0;
  if (!plane) {
    sum = (int64_t)(x == y ? kernels->count(x, n_words) : kernels->and_count(x, y, n_words));
    return weights->each ? weights->unit * sum : sum;
  }
  for (unsigned b = 0; b < weights->n_planes && x == y; b++, plane += n_words)
    sum += (int64_t)(kernels->and_count(x, plane, n_words) << b);
  for (size_t w = 0; w < n_words && x != y; w++)
    for (unsigned b = 0; x[w] & y[w] && b < weights->n_planes; b++)
      sum += (int64_t)__builtin_popcountll(x[w] & y[w] & plane[b * n_words + w]) << b;
  return weights->unit * sum;
}
