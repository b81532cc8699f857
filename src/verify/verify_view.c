/* The samples as columns of bits, one per literal: as they are, with equal samples merged, or
 * packed to those that count; and the weight of a set of samples.
 *
 * Merging is sound since a rule covers all samples of equal features or none: it loses at least the
 * lesser of the weights of their cases and of their controls (the offset), and the rest of the
 * greater one is what a rule can still lose or save. A listing that
 * counts some of the cases alone packs the columns to these and to the live controls. */
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

/* ---- columns ---- */

void irl_verify_view_free(irl_verify_view *view) {
  if (!view->env) return;
  const irl_allocator *allocator = &view->env->allocator;
  irl_mem_free(allocator, view->literals);
  irl_mem_free_aligned(allocator, view->columns);
  irl_mem_free(allocator, view->case_of);
  irl_mem_free_aligned(allocator, view->cases.planes);
  irl_mem_free_aligned(allocator, view->controls.planes);
  *view = (irl_verify_view){0};
}

irl_verify_meter irl_verify_start_meter(const irl_limit *limit, size_t size) {
  const double third = limit->max_mb * 1e6 / 3; /* a list that grows is there twice */
  irl_verify_meter meter = {.limit = *limit, .max_bytes = IRL_VERIFY_LIST_BYTES};
  if (limit->max_mb > 0)
    meter.max_bytes = third < (double)(SIZE_MAX / 2) ? (size_t)third : SIZE_MAX / 2;
  meter.is_guarded = limit->max_work == UINT64_MAX && limit->deadline <= 0;
  if (meter.is_guarded) meter.limit.max_work = IRL_VERIFY_WORK + size * IRL_VERIFY_WORK_PER_BYTE;
  assert(meter.limit.max_work >= IRL_VERIFY_WORK || !meter.is_guarded);
  return meter;
}

bool irl_verify_spend(irl_verify_meter *meter, uint64_t work) {
  meter->work += work;
  meter->is_cut = meter->is_cut || irl_limit_reached(&meter->limit, meter->work);
  return meter->is_cut;
}

irl_status irl_verify_meter_status(irl_env *env, const irl_verify_meter *meter) {
  if (!meter->is_cut) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_LIMIT, "the certificate was not checked to its end");
}

static irl_status make_view(irl_env *env, irl_verify_meter *meter, irl_verify_view *view,
                            uint32_t n, uint64_t n_cases, uint64_t n_controls) {
  const size_t case_words = irl_bits_stride(n_cases), control_words = irl_bits_stride(n_controls);
  *view = (irl_verify_view){.env = env,
                            .meter = meter,
                            .kernels = irl_bits_kernels(),
                            .n = n,
                            .n_cases = (uint32_t)n_cases,
                            .n_controls = (uint32_t)n_controls,
                            .cases = {.words = case_words},
                            .controls = {.offset = case_words, .words = control_words},
                            .stride = case_words + control_words};
  view->literals = irl_mem_alloc(&env->allocator, n, sizeof *view->literals);
  if (n && view->stride > SIZE_MAX / n) return irl_fail_memory(env);
  if (!irl_limit_affords(&meter->limit, (double)n * (double)view->stride * sizeof(uint64_t))) {
    meter->is_cut = true;
    return irl_fail(env, IRL_STATUS_LIMIT, "the memory limit has no room for the data");
  }
  view->columns = irl_mem_alloc_aligned(&env->allocator, n * view->stride, sizeof *view->columns);
  return view->literals && view->columns ? IRL_STATUS_OK : irl_fail_memory(env);
}

uint64_t *irl_verify_new_column(const irl_verify_view *view) {
  return irl_mem_alloc_aligned(&view->env->allocator, view->stride, sizeof(uint64_t));
}

void irl_verify_fill(const irl_verify_view *view, uint64_t *column) {
  irl_bits_fill(column, view->n_cases, view->cases.words);
  irl_bits_fill(column + view->controls.offset, view->n_controls, view->controls.words);
}

bool irl_verify_view_has(const irl_verify_view *view, const uint64_t *column) {
  const irl_bits_matrix cases = {.words = (uint64_t *)column,
                                 .n_vectors = 1,
                                 .n_bits = view->n_cases,
                                 .stride = view->cases.words};
  const irl_bits_matrix controls = {.words = (uint64_t *)column + view->controls.offset,
                                    .n_vectors = 1,
                                    .n_bits = view->n_controls,
                                    .stride = view->controls.words};
  return irl_bits_tails_are_zero(&cases) && irl_bits_tails_are_zero(&controls);
}

/* What a sample of the data weighs by itself. */
static int64_t weight_at(const irl_data *data, bool is_case, uint32_t i) {
  const int64_t *each = data->weights[!is_case].each;
  return each ? each[i] : 1;
}

/* ---- equal samples ---- */

/* A sample: the answers of all features, and its weight, more than 0 for a case. */
typedef struct sample {
  const uint64_t *bits;
  size_t n_words;
  uint32_t index; /* in its class */
  int64_t net;
} sample;

static int by_bits(const void *x, const void *y) {
  const sample *a = x, *b = y;
  return irl_endian_compare(a->bits, b->bits, a->n_words);
}

/* Makes n samples in the order of their bits fewer; how many. `case_of`: the number among the
 * samples that are cases, of each case of the data. */
static uint32_t merge_equal(sample *samples, uint32_t n, uint32_t *case_of, int64_t *offset) {
  uint32_t n_samples = 0, n_cases = 0;
  for (uint32_t i = 0, first = 0; i < n; i = first) {
    sample one = samples[i];
    int64_t cases = 0, controls = 0;
    for (; first < n && !by_bits(&one, &samples[first]); first++)
      *(samples[first].net > 0 ? &cases : &controls) += llabs(samples[first].net);
    assert(first > i && n_samples <= i && (cases || controls));
    *offset += cases < controls ? cases : controls;
    for (uint32_t k = i; k < first; k++)
      if (samples[k].net > 0) case_of[samples[k].index] = cases > controls ? n_cases : UINT32_MAX;
    n_cases += cases > controls;
    one.net = cases - controls;
    if (one.net) samples[n_samples++] = one;
  }
  return n_samples;
}

/* The greatest divisor of both. */
static int64_t common(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The weights of the samples of that sign: their unit, and planes if they differ. */
static irl_status slice_weights(irl_env *env, irl_verify_class *class, const sample *samples,
                                uint32_t n, int64_t sign) {
  int64_t most = 0, unit = 0;
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    const int64_t weight = sign * samples[i].net;
    if (weight > 0) unit = common(weight, unit);
    if (weight > most) most = weight;
  }
  class->weight = unit ? unit : 1;
  if (most == unit) return IRL_STATUS_OK;
  most /= unit;
  while (most >> class->n_planes) class->n_planes++;
  class->planes =
      irl_mem_alloc_aligned(&env->allocator, class->n_planes * class->words, sizeof *class->planes);
  if (!class->planes) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    if (sign * samples[i].net <= 0) continue;
    for (unsigned b = 0; b < class->n_planes; b++)
      if (sign * samples[i].net / unit >> b & 1) irl_bits_set(class->planes + b * class->words, at);
    at++;
  }
  assert(at <= 64 * class->words && most >> class->n_planes == 0);
  return IRL_STATUS_OK;
}

static irl_status make_columns(irl_env *env, irl_verify_view *view, const sample *samples,
                               uint32_t n, uint32_t n_features, uint32_t per_feature) {
  uint32_t n_cases = 0;
  for (uint32_t i = 0; i < n; i++) n_cases += samples[i].net > 0;
  irl_status status =
      make_view(env, view->meter, view, n_features * per_feature, n_cases, n - n_cases);
  if (!status) status = slice_weights(env, &view->cases, samples, n, 1);
  if (!status) status = slice_weights(env, &view->controls, samples, n, -1);
  if (status) return status;
  for (uint32_t c = 0; c < view->n; c++) {
    uint64_t *column = view->columns + c * view->stride;
    size_t at[2] = {0, 64 * view->controls.offset};
    view->literals[c] = irl_literal_make(c / per_feature, c % per_feature);
    for (uint32_t i = 0; i < n; i++) {
      const size_t place = at[samples[i].net < 0]++;
      if (irl_bits_get(samples[i].bits, c / per_feature) != c % per_feature)
        irl_bits_set(column, place);
    }
    assert(at[0] == n_cases && at[1] - 64 * view->controls.offset == n - n_cases);
  }
  return IRL_STATUS_OK;
}

/* The greatest divisor of all weights. */
static int64_t unit_of(const sample *samples, uint32_t n) {
  int64_t divisor = 0;
  for (uint32_t i = 0; i < n; i++) divisor = common(llabs(samples[i].net), divisor);
  return divisor ? divisor : 1;
}

irl_status irl_verify_view_init(irl_env *env, irl_verify_view *view, const irl_data *data,
                                bool negations, const irl_verify_weights *weights,
                                irl_verify_merged *merged) {
  const uint32_t n1 = data->n_cases, n_all = data->n_samples;
  irl_data_rows bits;
  assert(irl_data_check(data) && weights->of_case > 0 && weights->of_control > 0);
  irl_status status = irl_data_rows_init(env, &bits, data, 1);
  if (status) return status;
  sample *samples = irl_mem_alloc(&env->allocator, n_all, sizeof *samples);
  uint32_t *case_of = irl_mem_alloc(&env->allocator, n1, sizeof *case_of), n = n_all;
  if (!samples || !case_of) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n_all && !status; i++) {
    const bool is_case = i < n1;
    const uint32_t own = is_case ? i : i - n1;
    const int64_t unit = is_case ? weights->of_case : -weights->of_control;
    samples[i] = (sample){irl_bits_vector(is_case ? &bits.cases : &bits.controls, own),
                          bits.cases.stride, own, unit * weight_at(data, is_case, own)};
    assert(samples[i].net);
    if (is_case) case_of[own] = own;
  }
  if (!status && merged) {
    qsort(samples, n_all, sizeof *samples, by_bits);
    n = merge_equal(samples, n_all, case_of, &merged->offset);
    merged->unit = unit_of(samples, n);
    assert(n <= n_all && merged->unit > 0 && merged->offset >= 0);
  }
  if (!status) status = make_columns(env, view, samples, n, data->n_features, negations ? 2 : 1);
  if (!status) {
    view->case_of = case_of;
    view->groups = data->groups;
  } else {
    irl_mem_free(&env->allocator, case_of);
  }
  irl_mem_free(&env->allocator, samples);
  irl_data_rows_free(&bits);
  return status;
}

/* ---- fewer samples ---- */

/* One class of all columns, and of the weights, on the samples of `live` alone. */
static irl_status pack_class(const irl_verify_view *from, const uint64_t *live,
                             const irl_verify_class *old, const irl_verify_view *view,
                             irl_verify_class *class) {
  const irl_kernels *kernels = from->kernels;
  kernels->gather_many(view->columns + class->offset, view->stride, class->words,
                       from->columns + old->offset, from->stride, NULL, from->n, live + old->offset,
                       old->words);
  class->weight = old->weight;
  class->n_planes = old->n_planes;
  if (!old->planes) return IRL_STATUS_OK;
  class->planes = irl_mem_alloc_aligned(&from->env->allocator, class->n_planes * class->words,
                                        sizeof *class->planes);
  if (!class->planes) return irl_fail_memory(from->env);
  kernels->gather_many(class->planes, class->words, class->words, old->planes, old->words, NULL,
                       old->n_planes, live + old->offset, old->words);
  return IRL_STATUS_OK;
}

irl_status irl_verify_view_pack(irl_verify_view *view, const irl_verify_view *from,
                                const uint64_t *live) {
  const irl_kernels *kernels = from->kernels;
  const uint64_t *controls = live + from->controls.offset;
  assert(irl_verify_view_has(from, live));
  irl_status status =
      make_view(from->env, from->meter, view, from->n, kernels->count(live, from->cases.words),
                kernels->count(controls, from->controls.words));
  if (status) return status;
  memcpy(view->literals, from->literals, from->n * sizeof *view->literals);
  view->groups = from->groups;
  status = pack_class(from, live, &from->cases, view, &view->cases);
  return status ? status : pack_class(from, live, &from->controls, view, &view->controls);
}

/* ---- covers and weights ---- */

bool irl_verify_cover(const irl_verify_view *view, const uint64_t *live,
                      const irl_literal *literals, uint32_t n, uint64_t *cover) {
  memcpy(cover, live, view->stride * sizeof *cover);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t low = 0, high = view->n; /* literals ascend */
    assert(!i || literals[i - 1] < literals[i]);
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (view->literals[middle] < literals[i])
        low = middle + 1;
      else
        high = middle;
    }
    if (low == view->n || view->literals[low] != literals[i]) return false;
    view->kernels->and_into(cover, cover, irl_verify_column(view, low), view->stride);
  }
  return true;
}

int64_t irl_verify_weigh(const irl_verify_view *view, const irl_verify_class *class,
                         const uint64_t *column) {
  const uint64_t *vector = column + class->offset;
  int64_t sum = 0;
  if (!class->planes) return class->weight * (int64_t)view->kernels->count(vector, class->words);
  for (unsigned b = 0; b < class->n_planes; b++)
    sum += (int64_t)view->kernels->and_count(vector, class->planes + b * class->words, class->words)
           << b;
  assert(sum >= 0);
  return class->weight * sum;
}

int64_t irl_verify_weight_of(const irl_verify_class *class, uint32_t i) {
  int64_t weight = 0;
  if (!class->planes) return class->weight;
  for (unsigned b = 0; b < class->n_planes; b++)
    if (irl_bits_get(class->planes + b * class->words, i)) weight |= (int64_t)1 << b;
  return class->weight * weight;
}

uint64_t *irl_verify_new_mask(irl_arena *arena, const irl_verify_view *view) {
  const irl_verify_class *cases = &view->cases, *controls = &view->controls;
  const size_t a = irl_verify_n_planes(cases) * cases->words;
  const size_t b = irl_verify_n_planes(controls) * controls->words;
  return irl_arena_alloc_aligned(arena, a > b ? a : b, sizeof(uint64_t));
}

void irl_verify_mask(const irl_verify_class *class, const uint64_t *x, uint64_t *masked) {
  const size_t words = class->words;
  x += class->offset;
  if (!class->planes) memcpy(masked, x, words * sizeof *masked);
  for (unsigned b = 0; b < class->n_planes && class->planes; b++)
    for (size_t w = 0; w < words; w++) masked[b * words + w] = x[w] & class->planes[b * words + w];
}

void irl_verify_weigh_many(const irl_verify_view *view, const irl_verify_class *class,
                           const uint64_t *masked, const uint64_t *columns, const uint32_t *ids,
                           uint32_t n, int64_t *sums) {
  view->kernels->and_weigh_many(masked, irl_verify_n_planes(class), columns + class->offset,
                                view->stride, ids, n, class->words, sums);
  for (uint32_t i = 0; i < n; i++) sums[i] *= class->weight;
}
