/* Samples with equal features are covered together by every rule. With n1 cases and n0 controls
 * among them a rule loses w0 * n0 if it covers them and w1 * n1 if it does not: always the lesser
 * of the two, and the difference if it decides against the greater. So they are one sample of that
 * difference's weight, a case or a control by its sign, and the lesser loss is an offset: a bound
 * from the start. On real data with few features most samples merge, and what a better rule may
 * still lose beyond the offset is little, so that all thresholds of a proof are sharp.
 *
 * The Hamming loss counts covered controls once for each clause, and limits on sensitivity count
 * samples: neither can be merged this way. */
#include "rule/merge_samples.h"
#include "base/endian.h"
#include "base/memory.h"
#include <stdlib.h>

/* Equal rows: what they weigh together, more than 0 for a case. */
typedef struct group {
  const uint64_t *row;
  size_t n_words;
  int64_t sums[2]; /* of the weights of its cases, of its controls */
  int64_t net;
  uint32_t index; /* of a case in it */
  uint32_t rank;  /* among the groups, by its row */
} group;

typedef struct groups {
  uint32_t n;
  group *list;
  int64_t offset;
  uint32_t n_class[2];
} groups;

static int64_t weight_of(const group *g) {
  return g->net < 0 ? -g->net : g->net;
}

static int by_weight(const void *x, const void *y) {
  const group *a = x, *b = y;
  if (weight_of(a) != weight_of(b)) return weight_of(a) < weight_of(b) ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_rank(const void *x, const void *y) {
  const group *a = x, *b = y;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_row(const void *x, const void *y) {
  const group *a = x, *b = y;
  return irl_endian_compare(a->row, b->row, a->n_words);
}

/* What a sample of the original weighs. */
static int64_t weight_at(const irl_merged *r, int class, uint32_t i) {
  const int64_t *each = r->data->weights[class].each;
  return each ? r->weight[class] * each[i] : r->weight[class];
}

/* Groups of equal samples that weigh anything, in the order of their rows. */
static irl_status make_groups(irl_env *env, const irl_data_rows *rows, const irl_merged *r,
                              groups *g) {
  const uint32_t n_cases = (uint32_t)rows->cases.n_vectors,
                 n = n_cases + (uint32_t)rows->controls.n_vectors;
  uint32_t *numbers = irl_mem_alloc(&env->allocator, 3 * (size_t)n, sizeof *numbers);
  if (!numbers) return irl_fail_memory(env);
  irl_equal_rows equal = {
      .group_of = numbers, .first = numbers + n, .size = numbers + 2 * (size_t)n};
  irl_status status = irl_equal_rows_find(env, &rows->cases, &rows->controls, &equal);
  for (uint32_t i = 0; i < n && !status; i++) {
    group *to = &g->list[equal.group_of[i]];
    const bool is_case = i < n_cases;
    to->row = irl_bits_vector(is_case ? &rows->cases : &rows->controls, is_case ? i : i - n_cases);
    to->n_words = rows->cases.stride;
    to->sums[!is_case] += weight_at(r, !is_case, is_case ? i : i - n_cases);
    if (is_case) to->index = i;
  }
  for (uint32_t i = 0; i < equal.n && !status; i++) {
    group *from = &g->list[i];
    from->net = from->sums[0] - from->sums[1];
    g->offset += from->sums[from->net > 0];
    g->n_class[0] += from->net > 0;
    g->n_class[1] += from->net < 0;
    if (from->net) g->list[g->n++] = *from;
  }
  irl_mem_free(&env->allocator, numbers);
  if (status) return status;
  qsort(g->list, g->n, sizeof *g->list, by_row);
  for (uint32_t i = 0; i < g->n; i++) {
    assert(!i || by_row(&g->list[i - 1], &g->list[i]) < 0);
    g->list[i].rank = i;
  }
  return IRL_STATUS_OK;
}

/* The longest run of one weight in a class, of groups by weight, comes first. */
static void put_commonest_first(groups *g, bool is_case) {
  uint32_t best = 0, longest = 0, length = 0;
  int64_t last = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    if ((g->list[i].net > 0) != is_case) continue;
    length = weight_of(&g->list[i]) == last ? length + 1 : 1;
    last = weight_of(&g->list[i]);
    if (length <= longest) continue;
    longest = length;
    best = i;
  }
  const int64_t commonest = weight_of(&g->list[best]);
  for (uint32_t i = 0; i < g->n; i++)
    if ((g->list[i].net > 0) == is_case)
      g->list[i].rank = weight_of(&g->list[i]) == commonest ? i : g->n + i;
}

/* What follows from the weights. */
static irl_status set_weights(irl_env *env, irl_merged *r) {
  irl_status status = IRL_STATUS_OK;
  for (int class = 0; class < 2 && !status; class ++) {
    irl_sample_weights *sums = &r->sums[class];
    status = irl_sample_weights_finish(env, sums, class ? r->data->n_controls : r->data->n_cases);
    r->weights[class] = sums->each;
    r->weight[class] = sums->least;
  }
  return status;
}

/* The groups as a data set with weights. */
static irl_status make_data(irl_env *env, irl_merged *r, const groups *g, uint32_t n_features,
                            int threads) {
  const irl_allocator *allocator = &env->allocator;
  irl_names names;
  irl_names_init(&names, allocator);
  const uint64_t **rows = irl_mem_alloc(allocator, g->n, sizeof *rows);
  uint8_t *labels = irl_mem_alloc(allocator, g->n, sizeof *labels);
  bool is_ready = rows && labels && irl_names_add_numbered(&names, n_features);
  for (uint32_t i = 0; is_ready && i < g->n; i++) {
    rows[i] = g->list[i].row;
    labels[i] = g->list[i].net > 0;
  }
  const irl_data_frame frame = {"merged", &names, g->n, labels, {0}};
  irl_status status = is_ready ? irl_data_create(env, &frame, &r->own) : irl_fail_memory(env);
  if (!status) status = irl_data_fill(env, r->own, rows, threads);
  irl_names_free(&names);
  irl_mem_free(allocator, rows);
  irl_mem_free(allocator, labels);
  if (status) return status;
  /* The weights, in units of their greatest common divisor. */
  r->data = r->own;
  r->offset = g->offset;
  r->case_index = irl_mem_alloc(allocator, g->n_class[0], sizeof *r->case_index);
  is_ready = r->case_index;
  for (int class = 0; class < 2 && !status; class ++)
    status = irl_sample_weights_init(env, &r->sums[class], g->n_class[class]);
  if (!is_ready) status = irl_fail_memory(env);
  if (status) return status;
  for (uint32_t i = 0; i < g->n; i++) r->unit = irl_common_divisor(r->unit, g->list[i].net);
  uint32_t at[2] = {0, 0};
  for (uint32_t i = 0; i < g->n; i++) {
    const group *from = &g->list[i];
    const int class = from->net < 0;
    assert(from->net % r->unit == 0 && at[class] < g->n_class[class]);
    if (!class) r->case_index[at[0]] = from->index;
    r->sums[class].each[at[class]++] = weight_of(from) / r->unit;
  }
  for (int class = 0; class < 2; class ++) r->common[class] = r->sums[class].each[0];
  return set_weights(env, r);
}

static irl_status merge(irl_env *env, irl_merged *r, const irl_data *data, int threads) {
  irl_data_rows rows = {{0}, {0}};
  groups g = {.list = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *g.list)};
  irl_status status = g.list ? irl_data_rows_init(env, &rows, data, threads) : irl_fail_memory(env);
  if (!status) status = make_groups(env, &rows, r, &g);
  if (!status) {
    qsort(g.list, g.n, sizeof *g.list, by_weight);
    put_commonest_first(&g, true);
    put_commonest_first(&g, false);
    qsort(g.list, g.n, sizeof *g.list, by_rank);
  }
  const bool is_other = g.n < data->n_samples || irl_data_has_weights(data);
  if (!status && is_other && g.n_class[0] && g.n_class[1])
    status = make_data(env, r, &g, data->n_features, threads);
  irl_data_rows_free(&rows);
  irl_mem_free(&env->allocator, g.list);
  return status;
}

/* The samples as they are, with their weights. */
static irl_status take_weights(irl_env *env, irl_merged *r) {
  for (int class = 0; class < 2; class ++) {
    const uint32_t n = class ? r->data->n_controls : r->data->n_cases;
    const irl_status status = irl_sample_weights_init(env, &r->sums[class], n);
    for (uint32_t i = 0; i < n && !status; i++) r->sums[class].each[i] = weight_at(r, class, i);
    if (status) return status;
  }
  return set_weights(env, r);
}

irl_status irl_merged_init(irl_env *env, irl_merged *merged, const irl_data *data,
                           const int64_t weight[2], bool may_merge, int threads) {
  assert(weight[0] >= 0 && weight[1] >= 0);
  *merged = (irl_merged){.allocator = env->allocator,
                         .data = data,
                         .weight = {weight[0], weight[1]},
                         .common = {weight[0], weight[1]}};
  irl_status status = may_merge ? merge(env, merged, data, threads) : IRL_STATUS_OK;
  if (merged->own) return status;
  merged->unit = 1;
  if (!status && irl_data_has_weights(data)) status = take_weights(env, merged);
  return status;
}

void irl_merged_put(irl_message *message, const irl_merged *merged) {
  const irl_data *data = merged->data;
  irl_message_put_number(message, data->copy_id);
  irl_message_put_number(message, (uint64_t)merged->offset);
  irl_message_put_number(message, (uint64_t)merged->unit);
  for (int class = 0; class < 2; class ++) {
    const size_t n = class ? data->n_controls : data->n_cases;
    irl_message_put_number(message, (uint64_t)merged->common[class]);
    irl_message_put_number(message, merged->weights[class] != NULL);
    if (merged->weights[class])
      irl_message_put(message, merged->weights[class], n * sizeof *merged->weights[class]);
  }
}

/* The weights of a class. */
static irl_status get_weights(irl_env *env, irl_message *message, int class, irl_merged *merged) {
  const size_t n = class ? merged->data->n_controls : merged->data->n_cases;
  merged->weight[class] = merged->common[class] = (int64_t)irl_message_get_number(message);
  if (!irl_message_get_number(message)) return IRL_STATUS_OK;
  const irl_status status = irl_sample_weights_init(env, &merged->sums[class], n);
  if (status) return status;
  return irl_message_copy(message, merged->sums[class].each, n * sizeof *merged->sums[class].each)
             ? IRL_STATUS_OK
             : irl_fail_memory(env);
}

irl_status irl_merged_get(irl_env *env, irl_message *message, irl_merged *merged) {
  *merged = (irl_merged){.allocator = env->allocator,
                         .data = irl_comm_find(env, irl_message_get_number(message))};
  if (!merged->data) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "a data set is not there");
  merged->offset = (int64_t)irl_message_get_number(message);
  merged->unit = (int64_t)irl_message_get_number(message);
  irl_status status = get_weights(env, message, 0, merged);
  if (!status) status = get_weights(env, message, 1, merged);
  return status || !merged->sums[0].each ? status : set_weights(env, merged);
}

void irl_merged_free(irl_merged *merged) {
  if (!merged->allocator.resize) return;
  irl_data_free(merged->own);
  irl_mem_free(&merged->allocator, merged->case_index);
  irl_sample_weights_free(&merged->sums[0], &merged->allocator);
  irl_sample_weights_free(&merged->sums[1], &merged->allocator);
  *merged = (irl_merged){0};
}

int64_t irl_merged_total(const irl_merged *r) {
  return r->weights[0] ? r->sums[0].total : r->weight[0] * (int64_t)r->data->n_cases;
}

int64_t irl_merged_weigh(const irl_merged *r, int class, const uint64_t *vector) {
  return irl_merged_weigh_both(r, class, vector, vector);
}

int64_t irl_merged_weigh_both(const irl_merged *r, int class, const uint64_t *x,
                              const uint64_t *y) {
  const size_t n_words = (class ? &r->data->controls : &r->data->cases)->stride;
  const int64_t sum = irl_sample_weights_sum(&r->sums[class], x, y, n_words);
  return r->weights[class] ? sum : r->weight[class] * sum;
}
