/* Columns and the listing of clauses.
 *
 * The listing is a plain depth-first walk: a clause is its literals in the order of the columns,
 * which stand by ascending weight of cases. At a node every later column is a candidate if the
 * clause with it can still be wanted, or become so with the literals that are left: its cases only
 * shrink, and the further literals remove at most the sum of what each of them removes by itself.
 */
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

/* ---- columns ---- */

void irl_verify_view_free(irl_verify_view *view) {
  if (!view->allocator.resize) return;
  irl_mem_free(&view->allocator, view->literals);
  irl_mem_free_aligned(&view->allocator, view->columns);
  irl_mem_free(&view->allocator, view->case_of);
  irl_mem_free_aligned(&view->allocator, view->cases.planes);
  irl_mem_free_aligned(&view->allocator, view->controls.planes);
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

static irl_status make_view(irl_env *env, irl_verify_meter *meter, irl_verify_view *view,
                            uint32_t n, uint64_t n_cases, uint64_t n_controls) {
  const size_t case_words = irl_bits_stride(n_cases), control_words = irl_bits_stride(n_controls);
  *view = (irl_verify_view){.allocator = env->allocator,
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
    return irl_fail(env, IRL_E_LIMIT, "the memory limit has no room for the data");
  }
  view->columns = irl_mem_alloc_aligned(&env->allocator, n * view->stride, sizeof *view->columns);
  return view->literals && view->columns ? IRL_OK : irl_fail_memory(env);
}

uint64_t *irl_verify_new_column(irl_env *env, const irl_verify_view *view) {
  uint64_t *column = irl_mem_alloc_aligned(&env->allocator, view->stride, sizeof *column);
  if (!column) irl_fail_memory(env);
  return column;
}

/* The bits of a feature, or all samples without them. */
static void put_bits(const irl_bits_matrix *matrix, irl_literal literal, uint64_t *into) {
  const uint64_t *bits = irl_bits_vector(matrix, irl_literal_feature(literal));
  if (!irl_literal_is_negated(literal)) {
    memcpy(into, bits, matrix->stride * sizeof *into);
    return;
  }
  irl_bits_fill(into, matrix->n_bits, matrix->stride);
  for (size_t w = 0; w < matrix->stride; w++) into[w] &= ~bits[w];
}

irl_status irl_verify_view_init(irl_env *env, irl_verify_meter *meter, irl_verify_view *view,
                                const irl_data *data, bool negations,
                                const irl_verify_weights *weights) {
  const uint32_t per_feature = negations ? 2 : 1;
  const irl_status status =
      make_view(env, meter, view, data->n_features * per_feature, data->n_cases, data->n_controls);
  if (status) return status;
  view->cases.weight = weights->of_case;
  view->controls.weight = weights->of_control;
  for (uint32_t i = 0; i < view->n; i++) {
    uint64_t *column = view->columns + i * view->stride;
    view->literals[i] = irl_literal_make(i / per_feature, i % per_feature);
    put_bits(&data->cases, view->literals[i], column);
    put_bits(&data->controls, view->literals[i], column + view->controls.offset);
  }
  return IRL_OK;
}

/* ---- equal samples ---- */

typedef struct row {
  const uint64_t *bits;
  size_t n_words;
  uint32_t index; /* in its class */
  bool is_case;
} row;

static int by_bits(const void *x, const void *y) {
  const row *a = x, *b = y;
  return irl_endian_compare(a->bits, b->bits, a->n_words);
}

/* The rows of all samples, equal ones together. */
static irl_status sort_rows(irl_env *env, const irl_data *data, const irl_data_rows *bits,
                            row **rows) {
  row *all = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *all);
  if (!all) return irl_fail_memory(env);
  for (uint32_t i = 0; i < data->n_cases; i++)
    all[i] = (row){irl_bits_vector(&bits->cases, i), bits->cases.stride, i, true};
  for (uint32_t i = 0; i < data->n_controls; i++)
    all[data->n_cases + i] =
        (row){irl_bits_vector(&bits->controls, i), bits->controls.stride, i, false};
  qsort(all, data->n_samples, sizeof *all, by_bits);
  *rows = all;
  return IRL_OK;
}

/* A sample of the view: a row and its weight, more than 0 for a case. */
typedef struct sample {
  const uint64_t *bits;
  int64_t net;
} sample;

/* `case_of`: the number among the samples that are cases, of each case of the data. */
static uint32_t merge_rows(const row *rows, uint32_t n, const irl_verify_weights *weights,
                           sample *samples, uint32_t *case_of, int64_t *offset) {
  uint32_t n_samples = 0, n_cases = 0;
  for (uint32_t i = 0, first = 0; i < n; i = first) {
    int64_t cases = 0, controls = 0;
    for (; first < n && !by_bits(&rows[i], &rows[first]); first++)
      if (rows[first].is_case)
        cases += weights->of_case;
      else
        controls += weights->of_control;
    *offset += cases < controls ? cases : controls;
    for (uint32_t k = i; k < first; k++)
      if (rows[k].is_case) case_of[rows[k].index] = cases > controls ? n_cases : UINT32_MAX;
    n_cases += cases > controls;
    if (cases != controls) samples[n_samples++] = (sample){rows[i].bits, cases - controls};
  }
  return n_samples;
}

static int64_t common_divisor(const sample *samples, uint32_t n) {
  int64_t divisor = 0;
  for (uint32_t i = 0; i < n; i++)
    for (int64_t rest = samples[i].net < 0 ? -samples[i].net : samples[i].net; rest;) {
      const int64_t next = divisor % rest;
      divisor = rest;
      rest = next;
    }
  return divisor ? divisor : 1;
}

static irl_status slice_weights(irl_env *env, irl_verify_class *class, const sample *samples,
                                uint32_t n, int64_t sign) {
  int64_t most = 1;
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++)
    if (sign * samples[i].net > most) most = sign * samples[i].net;
  while (most >> class->n_planes) class->n_planes++;
  class->planes =
      irl_mem_alloc_aligned(&env->allocator, class->n_planes * class->words, sizeof *class->planes);
  if (!class->planes) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    if (sign * samples[i].net <= 0) continue;
    for (unsigned b = 0; b < class->n_planes; b++)
      if (sign * samples[i].net >> b & 1) irl_bits_set(class->planes + b * class->words, at);
    at++;
  }
  return IRL_OK;
}

static irl_status make_merged(irl_env *env, irl_verify_view *view, const sample *samples,
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
  }
  return IRL_OK;
}

irl_status irl_verify_view_merge(irl_env *env, irl_verify_view *view, const irl_data *data,
                                 bool negations, const irl_verify_weights *weights,
                                 irl_verify_merged *merged) {
  irl_data_rows bits;
  row *rows = NULL;
  irl_status status = irl_data_rows_init(env, &bits, data, 1);
  if (status) return status;
  sample *samples = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *samples);
  uint32_t *case_of = irl_mem_alloc(&env->allocator, data->n_cases, sizeof *case_of);
  status = samples && case_of ? sort_rows(env, data, &bits, &rows) : irl_fail_memory(env);
  if (!status) {
    const uint32_t n =
        merge_rows(rows, data->n_samples, weights, samples, case_of, &merged->offset);
    merged->unit = common_divisor(samples, n);
    status = make_merged(env, view, samples, n, data->n_features, negations ? 2 : 1);
  }
  if (!status)
    view->case_of = case_of;
  else
    irl_mem_free(&env->allocator, case_of);
  irl_mem_free(&env->allocator, rows);
  irl_mem_free(&env->allocator, samples);
  irl_data_rows_free(&bits);
  return status;
}

/* ---- fewer samples ---- */

/* One class of n columns, on the samples of `live` alone. */
static void gather(const irl_verify_view *from, const irl_verify_class *class, const uint64_t *live,
                   const uint64_t *columns, size_t stride, size_t n, uint64_t *into,
                   size_t into_stride, size_t into_words) {
  from->kernels->gather_many(into, into_stride, into_words, columns, stride, NULL, n,
                             live + class->offset, class->words);
}

static irl_status pack_class(irl_env *env, const irl_verify_view *from, const uint64_t *live,
                             const irl_verify_class *old, const irl_verify_view *view,
                             irl_verify_class *class) {
  gather(from, old, live, from->columns + old->offset, from->stride, from->n,
         view->columns + class->offset, view->stride, class->words);
  class->weight = old->weight;
  class->n_planes = old->n_planes;
  if (!old->planes) return IRL_OK;
  class->planes =
      irl_mem_alloc_aligned(&env->allocator, class->n_planes * class->words, sizeof *class->planes);
  if (!class->planes) return irl_fail_memory(env);
  gather(from, old, live, old->planes, old->words, old->n_planes, class->planes, class->words,
         class->words);
  return IRL_OK;
}

irl_status irl_verify_view_pack(irl_env *env, irl_verify_view *view, const irl_verify_view *from,
                                const uint64_t *live) {
  const irl_kernels *kernels = from->kernels;
  const uint64_t *controls = live + from->controls.offset;
  irl_status status =
      make_view(env, from->meter, view, from->n, kernels->count(live, from->cases.words),
                kernels->count(controls, from->controls.words));
  if (status) return status;
  memcpy(view->literals, from->literals, from->n * sizeof *view->literals);
  status = pack_class(env, from, live, &from->cases, view, &view->cases);
  return status ? status : pack_class(env, from, live, &from->controls, view, &view->controls);
}

bool irl_verify_cover(const irl_verify_view *view, const uint64_t *live,
                      const irl_literal *literals, uint32_t n, uint64_t *cover) {
  memcpy(cover, live, view->stride * sizeof *cover);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t low = 0, high = view->n; /* literals ascend */
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
  return sum;
}

int64_t irl_verify_weigh_both(const irl_verify_view *view, const irl_verify_class *class,
                              const uint64_t *x, const uint64_t *y) {
  int64_t sum = 0;
  x += class->offset;
  y += class->offset;
  if (!class->planes) return class->weight * (int64_t)view->kernels->and_count(x, y, class->words);
  for (size_t w = 0; w < class->words; w++)
    for (unsigned b = 0; x[w] & y[w] && b < class->n_planes; b++)
      sum += (int64_t)__builtin_popcountll(x[w] & y[w] & class->planes[b * class->words + w]) << b;
  return sum;
}

/* ---- listing ---- */

/* A candidate: a column, and what the path with it covers. */
typedef struct candidate {
  uint32_t column;
  int64_t a, b;
} candidate;

typedef struct frame {
  uint64_t *cover; /* of the path */
  int64_t b;       /* weight of its controls */
  candidate *list;
  uint32_t n;
} frame;

typedef struct walk {
  const irl_verify_view *view;
  const irl_verify_wanted *wanted;
  irl_verify_visit visit;
  void *user;
  frame frames[IRL_VERIFY_MAX_M + 1];
  uint32_t n_frames;
  irl_literal path[IRL_VERIFY_MAX_M];
  uint64_t *cover; /* of a clause that is shown */
  bool is_ended;
} walk;

/* Can a clause of n literals or more, with at most a of the cases and at least b of the controls,
 * be wanted? */
static bool is_wanted(const irl_verify_wanted *wanted, int64_t a, int64_t b, uint32_t n) {
  const int64_t cost = irl_verify_cost(wanted->penalty, n);
  if (b < 0) b = 0;
  return a >= wanted->min_cover && b <= wanted->max_controls && b + cost <= wanted->room &&
         wanted->case_factor * (a - cost) - wanted->control_factor * b >= wanted->min_value;
}

static int compare_literals(const void *x, const void *y) {
  const irl_literal a = *(const irl_literal *)x, b = *(const irl_literal *)y;
  return (a > b) - (a < b);
}

static void show(walk *w, uint32_t depth, const candidate *c) {
  const irl_verify_view *view = w->view;
  irl_literal literals[IRL_VERIFY_MAX_M];
  view->kernels->and_into(w->cover, w->frames[depth].cover, irl_verify_column(view, c->column),
                          view->stride);
  memcpy(literals, w->path, (depth + 1) * sizeof *literals);
  qsort(literals, depth + 1, sizeof *literals, compare_literals);
  const irl_verify_clause clause = {w->cover, c->a, c->b, depth + 1, literals};
  w->is_ended = w->visit(w->user, &clause);
}

/* Drops candidates for literal number n of a path that it and those after it cannot make wanted. */
static void drop_hopeless(const walk *w, frame *f, uint32_t n) {
  const uint32_t left = w->wanted->max_literals - n + 1;
  int64_t most[IRL_VERIFY_MAX_M] = {0}, sum = 0; /* the left - 1 largest removals, descending */
  for (uint32_t i = 0; i < f->n; i++) {
    int64_t removal = f->b - f->list[i].b;
    for (uint32_t k = 0; k + 1 < left; k++)
      if (removal > most[k]) {
        const int64_t smaller = most[k];
        most[k] = removal;
        removal = smaller;
      }
  }
  for (uint32_t k = 0; k + 1 < left; k++) sum += most[k];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++)
    if (is_wanted(w->wanted, f->list[i].a, f->list[i].b - sum, n)) f->list[kept++] = f->list[i];
  f->n = kept;
}

/* Candidates after number i of frame `depth`, for the path with that one. */
static void fill_child(walk *w, uint32_t depth, uint32_t i) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  const candidate *taken = &f->list[i];
  const uint32_t n = depth + 2, left = w->wanted->max_literals - depth - 1;
  view->kernels->and_into(child->cover, f->cover, irl_verify_column(view, taken->column),
                          view->stride);
  child->b = taken->b;
  child->n = 0;
  for (uint32_t j = i + 1; j < f->n; j++) {
    const candidate *other = &f->list[j];
    const uint64_t *column = irl_verify_column(view, other->column);
    /* With one literal left, both together remove at most what each does. */
    const int64_t least_b = left == 1 ? taken->b + other->b - f->b : 0;
    if (!is_wanted(w->wanted, taken->a < other->a ? taken->a : other->a, least_b, n)) continue;
    const int64_t a = irl_verify_weigh_both(view, &view->cases, child->cover, column);
    if (!is_wanted(w->wanted, a, least_b, n)) continue;
    const int64_t b = irl_verify_weigh_both(view, &view->controls, child->cover, column);
    child->list[child->n++] = (candidate){other->column, a, b};
  }
  drop_hopeless(w, child, n);
}

static void descend(walk *w, uint32_t depth) {
  const frame *f = &w->frames[depth];
  for (uint32_t i = 0; i < f->n && !w->is_ended; i++) {
    if (irl_verify_spend(w->view->meter, (f->n - i) * w->view->stride)) w->is_ended = true;
    if (w->is_ended) return;
    w->path[depth] = w->view->literals[f->list[i].column];
    if (is_wanted(w->wanted, f->list[i].a, f->list[i].b, depth + 1)) show(w, depth, &f->list[i]);
    if (w->is_ended || depth + 1 == w->wanted->max_literals || i + 1 == f->n) continue;
    fill_child(w, depth, i);
    if (w->frames[depth + 1].n) descend(w, depth + 1);
  }
}

static int by_cases(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return a->column < b->column ? -1 : 1;
}

static void fill_root(walk *w, const uint64_t *live) {
  const irl_verify_view *view = w->view;
  frame *root = &w->frames[0];
  memcpy(root->cover, live, view->stride * sizeof *live);
  root->b = irl_verify_weigh(view, &view->controls, live);
  for (uint32_t i = 0; i < view->n; i++) {
    const uint64_t *column = irl_verify_column(view, i);
    const int64_t a = irl_verify_weigh_both(view, &view->cases, live, column);
    if (!is_wanted(w->wanted, a, 0, 1)) continue;
    root->list[root->n++] =
        (candidate){i, a, irl_verify_weigh_both(view, &view->controls, live, column)};
  }
  drop_hopeless(w, root, 1);
  qsort(root->list, root->n, sizeof *root->list, by_cases);
}

irl_status irl_verify_list(irl_env *env, const irl_verify_view *view, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user) {
  walk *w = irl_mem_alloc(&env->allocator, 1, sizeof *w);
  if (!w) return irl_fail_memory(env);
  w->view = view;
  w->wanted = wanted;
  w->visit = visit;
  w->user = user;
  irl_status status = IRL_OK;
  w->cover = irl_verify_new_column(env, view);
  for (; w->n_frames < wanted->max_literals && !status; w->n_frames++) {
    frame *f = &w->frames[w->n_frames];
    f->cover = irl_verify_new_column(env, view);
    f->list = irl_mem_alloc(&env->allocator, view->n, sizeof *f->list);
    if (!f->cover || !f->list) status = irl_fail_memory(env);
  }
  if (!w->cover) status = irl_fail_memory(env);
  if (!status && wanted->room >= 0 && wanted->max_literals) {
    fill_root(w, live);
    descend(w, 0);
  }
  for (uint32_t i = 0; i < w->n_frames; i++) {
    irl_mem_free_aligned(&env->allocator, w->frames[i].cover);
    irl_mem_free(&env->allocator, w->frames[i].list);
  }
  irl_mem_free_aligned(&env->allocator, w->cover);
  irl_mem_free(&env->allocator, w);
  return status;
}
