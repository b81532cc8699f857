/* Samples with equal features are covered together by every rule. With n1 cases and n0 controls
 * among them a rule loses w0 * n0 if it covers them and w1 * n1 if it does not: always the lesser
 * of the two, and the difference if it decides against the greater. So they are one sample of that
 * difference's weight, a case or a control by its sign, and the lesser loss is an offset: a bound
 * from the start. On real data with few features most samples merge, and what a better rule may
 * still lose beyond the offset is little, so that all thresholds of a proof are sharp.
 *
 * The Hamming loss counts covered controls once for each clause, and limits on sensitivity count
 * samples: neither can be merged this way. */
#include "learn/reduced.h"
#include "base/memory.h"
#include <stdlib.h>

typedef struct row {
  const uint64_t *bits;
  size_t n_words;
  uint32_t index; /* in its class */
  bool is_case;
} row;

static int compare_rows(const void *x, const void *y) {
  const row *a = x, *b = y;
  return memcmp(a->bits, b->bits, a->n_words * sizeof *a->bits);
}

/* A group of equal rows: what it weighs, more than 0 for a case. */
typedef struct groups {
  uint32_t n;
  const uint64_t **rows;
  int64_t *net;
  uint32_t *index; /* of a case in it */
  uint8_t *labels;
  int64_t offset;
  uint32_t n_class[2];
} groups;

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* Groups of the sorted rows that weigh anything. */
static void make_groups(const row *rows, uint32_t n, int64_t w1, int64_t w0, groups *g) {
  for (uint32_t first = 0, last; first < n; first = last) {
    int64_t cases = 0, controls = 0;
    for (last = first; last < n && !compare_rows(&rows[first], &rows[last]); last++) {
      *(rows[last].is_case ? &cases : &controls) += 1;
      if (rows[last].is_case) g->index[g->n] = rows[last].index;
    }
    const int64_t net = w1 * cases - w0 * controls;
    g->offset += net > 0 ? w0 * controls : w1 * cases;
    if (!net) continue;
    g->rows[g->n] = rows[first].bits;
    g->labels[g->n] = net > 0;
    g->net[g->n++] = net;
    g->n_class[net < 0]++;
  }
}

static irl_status make_planes(irl_env *env, irl_learn_reduced *r, int class) {
  const irl_bits_matrix *matrix = class ? &r->data->controls : &r->data->cases;
  const int64_t *weights = r->weights[class];
  int64_t most = 0;
  for (size_t i = 0; i < matrix->n_bits; i++) {
    if (weights[i] > most) most = weights[i];
    if (!i || weights[i] < r->weight[class]) r->weight[class] = weights[i];
  }
  r->n_planes[class] = 64 - (unsigned)__builtin_clzll((uint64_t)most);
  r->planes[class] = irl_mem_alloc_aligned(&env->allocator, r->n_planes[class] * matrix->stride,
                                           sizeof *r->planes[class]);
  if (!r->planes[class]) return irl_fail_memory(env);
  for (size_t i = 0; i < matrix->n_bits; i++)
    for (unsigned b = 0; b < r->n_planes[class]; b++)
      if (weights[i] >> b & 1) irl_bits_set(r->planes[class] + b * matrix->stride, i);
  return IRL_OK;
}

/* The groups as a data set with weights. */
static irl_status make_data(irl_env *env, irl_learn_reduced *r, const groups *g,
                            uint32_t n_features, int threads) {
  const irl_data_labels called = {0};
  irl_names names;
  uint32_t at[2] = {0, 0};
  irl_names_init(&names, &env->allocator);
  irl_status status = irl_names_add_numbered(&names, n_features) ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_data_create(env, "merged", &names, g->n, g->labels, &called, &r->own);
  irl_names_free(&names);
  if (!status) status = irl_data_fill(env, r->own, g->rows, threads);
  if (status) return status;
  r->data = r->own;
  r->offset = g->offset;
  for (uint32_t i = 0; i < g->n; i++) r->unit = common_divisor(r->unit, g->net[i]);
  for (int class = 0; class < 2; class ++) {
    r->weights[class] =
        irl_mem_alloc(&env->allocator, g->n_class[class], sizeof *r->weights[class]);
    if (!r->weights[class]) return irl_fail_memory(env);
  }
  r->case_index = irl_mem_alloc(&env->allocator, g->n_class[0], sizeof *r->case_index);
  if (!r->case_index) return irl_fail_memory(env);
  for (uint32_t i = 0; i < g->n; i++) {
    const int class = g->net[i] < 0;
    if (!class) r->case_index[at[0]] = g->index[i];
    r->weights[class][at[class]++] = (class ? -g->net[i] : g->net[i]) / r->unit;
  }
  status = make_planes(env, r, 0);
  return status ? status : make_planes(env, r, 1);
}

static irl_status merge(irl_env *env, irl_learn_reduced *r, const irl_data *data, int64_t w1,
                        int64_t w0, int threads) {
  const irl_allocator *allocator = &env->allocator;
  irl_data_rows bits = {{0}, {0}};
  groups g = {0};
  const uint32_t n = data->n_samples;
  row *rows = irl_mem_alloc(allocator, n, sizeof *rows);
  g.rows = irl_mem_alloc(allocator, n, sizeof *g.rows);
  g.net = irl_mem_alloc(allocator, n, sizeof *g.net);
  g.labels = irl_mem_alloc(allocator, n, sizeof *g.labels);
  g.index = irl_mem_alloc(allocator, n, sizeof *g.index);
  irl_status status = rows && g.rows && g.net && g.labels && g.index
                          ? irl_data_rows_init(env, &bits, data, threads)
                          : irl_fail_memory(env);
  if (!status) {
    for (uint32_t i = 0; i < n; i++) {
      const bool is_case = i < data->n_cases;
      const irl_bits_matrix *matrix = is_case ? &bits.cases : &bits.controls;
      const uint32_t index = is_case ? i : i - data->n_cases;
      rows[i] = (row){irl_bits_vector(matrix, index), matrix->stride, index, is_case};
    }
    qsort(rows, n, sizeof *rows, compare_rows);
    make_groups(rows, n, w1, w0, &g);
    if (g.n < n && g.n_class[0] && g.n_class[1])
      status = make_data(env, r, &g, data->n_features, threads);
  }
  irl_data_rows_free(&bits);
  irl_mem_free(allocator, rows);
  irl_mem_free(allocator, g.rows);
  irl_mem_free(allocator, g.net);
  irl_mem_free(allocator, g.labels);
  irl_mem_free(allocator, g.index);
  return status;
}

irl_status irl_learn_reduced_init(irl_env *env, irl_learn_reduced *reduced, const irl_data *data,
                                  int64_t case_weight, int64_t control_weight, bool may_merge,
                                  int threads) {
  *reduced = (irl_learn_reduced){.allocator = env->allocator,
                                 .data = data,
                                 .weight = {case_weight, control_weight},
                                 .unit = 0};
  irl_status status = IRL_OK;
  if (may_merge) status = merge(env, reduced, data, case_weight, control_weight, threads);
  if (!reduced->own) reduced->unit = 1;
  return status;
}

void irl_learn_reduced_free(irl_learn_reduced *reduced) {
  if (!reduced->allocator.resize) return;
  irl_data_free(reduced->own);
  irl_mem_free(&reduced->allocator, reduced->case_index);
  for (int class = 0; class < 2; class ++) {
    irl_mem_free(&reduced->allocator, reduced->weights[class]);
    irl_mem_free_aligned(&reduced->allocator, reduced->planes[class]);
  }
  *reduced = (irl_learn_reduced){0};
}

int64_t irl_learn_reduced_weigh(const irl_learn_reduced *r, int class, const uint64_t *vector) {
  const size_t words = (class ? &r->data->controls : &r->data->cases)->stride;
  const irl_kernels *kernels = irl_bits_kernels();
  if (!r->planes[class]) return r->weight[class] * (int64_t)kernels->count(vector, words);
  int64_t sum = 0;
  for (unsigned b = 0; b < r->n_planes[class]; b++)
    sum += (int64_t)kernels->and_count(vector, r->planes[class] + b * words, words) << b;
  return sum;
}

int64_t irl_learn_reduced_weigh_both(const irl_learn_reduced *r, int class, const uint64_t *x,
                                     const uint64_t *y) {
  const size_t words = (class ? &r->data->controls : &r->data->cases)->stride;
  if (!r->planes[class])
    return r->weight[class] * (int64_t)irl_bits_kernels()->and_count(x, y, words);
  int64_t sum = 0;
  for (size_t w = 0; w < words; w++) {
    const uint64_t both = x[w] & y[w];
    for (unsigned b = 0; both && b < r->n_planes[class]; b++)
      sum += (int64_t)__builtin_popcountll(both & r->planes[class][b * words + w]) << b;
  }
  return sum;
}
