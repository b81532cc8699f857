/* Columns and the listing of clauses.
 *
 * The listing is a plain depth-first walk: a clause is its literals in the order of the columns,
 * which stand by ascending weight of cases. At a node every later column is a candidate if the
 * clause with it can still be wanted, or become so with the literals that are left: its cases only
 * shrink, and the further literals remove at most the sum of what each of them removes by itself.
 */
#include "base/little.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <stdlib.h>

/* ---- columns ---- */

void irl_verify_scope_free(irl_verify_scope *scope) {
  if (!scope->allocator.resize) return;
  irl_mem_free(&scope->allocator, scope->literals);
  irl_mem_free_aligned(&scope->allocator, scope->columns);
  irl_mem_free(&scope->allocator, scope->case_of);
  irl_mem_free_aligned(&scope->allocator, scope->cases.planes);
  irl_mem_free_aligned(&scope->allocator, scope->controls.planes);
  *scope = (irl_verify_scope){0};
}

static irl_status make_scope(irl_env *env, irl_verify_scope *scope, uint32_t n, uint64_t n_cases,
                             uint64_t n_controls) {
  const size_t case_words = irl_bits_stride(n_cases), control_words = irl_bits_stride(n_controls);
  *scope = (irl_verify_scope){.allocator = env->allocator,
                              .kernels = irl_bits_kernels(),
                              .n = n,
                              .n_cases = (uint32_t)n_cases,
                              .n_controls = (uint32_t)n_controls,
                              .cases = {.words = case_words},
                              .controls = {.offset = case_words, .words = control_words},
                              .stride = case_words + control_words};
  scope->literals = irl_mem_alloc(&env->allocator, n, sizeof *scope->literals);
  if (n && scope->stride > SIZE_MAX / n) return irl_fail_memory(env);
  scope->columns =
      irl_mem_alloc_aligned(&env->allocator, n * scope->stride, sizeof *scope->columns);
  return scope->literals && scope->columns ? IRL_OK : irl_fail_memory(env);
}

uint64_t *irl_verify_new_column(irl_env *env, const irl_verify_scope *scope) {
  uint64_t *column = irl_mem_alloc_aligned(&env->allocator, scope->stride, sizeof *column);
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

irl_status irl_verify_scope_init(irl_env *env, irl_verify_scope *scope, const irl_data *data,
                                 bool negations, int64_t case_weight, int64_t control_weight) {
  const uint32_t per_feature = negations ? 2 : 1;
  const irl_status status =
      make_scope(env, scope, data->n_features * per_feature, data->n_cases, data->n_controls);
  if (status) return status;
  scope->cases.weight = case_weight;
  scope->controls.weight = control_weight;
  for (uint32_t i = 0; i < scope->n; i++) {
    uint64_t *column = scope->columns + i * scope->stride;
    scope->literals[i] = irl_literal_make(i / per_feature, i % per_feature);
    put_bits(&data->cases, scope->literals[i], column);
    put_bits(&data->controls, scope->literals[i], column + scope->controls.offset);
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
  return irl_little_compare(a->bits, b->bits, a->n_words);
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

/* A sample of the scope: a row and its weight, more than 0 for a case. */
typedef struct sample {
  const uint64_t *bits;
  int64_t net;
} sample;

/* `case_of`: the number among the samples that are cases, of each case of the data. */
static uint32_t merge_rows(const row *rows, uint32_t n, int64_t case_weight, int64_t control_weight,
                           sample *samples, uint32_t *case_of, int64_t *offset) {
  uint32_t n_samples = 0, n_cases = 0;
  for (uint32_t i = 0, first = 0; i < n; i = first) {
    int64_t cases = 0, controls = 0;
    for (; first < n && !by_bits(&rows[i], &rows[first]); first++)
      if (rows[first].is_case)
        cases += case_weight;
      else
        controls += control_weight;
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

static irl_status make_merged(irl_env *env, irl_verify_scope *scope, const sample *samples,
                              uint32_t n, uint32_t n_features, uint32_t per_feature) {
  uint32_t n_cases = 0;
  for (uint32_t i = 0; i < n; i++) n_cases += samples[i].net > 0;
  irl_status status = make_scope(env, scope, n_features * per_feature, n_cases, n - n_cases);
  if (!status) status = slice_weights(env, &scope->cases, samples, n, 1);
  if (!status) status = slice_weights(env, &scope->controls, samples, n, -1);
  if (status) return status;
  for (uint32_t c = 0; c < scope->n; c++) {
    uint64_t *column = scope->columns + c * scope->stride;
    size_t at[2] = {0, 64 * scope->controls.offset};
    scope->literals[c] = irl_literal_make(c / per_feature, c % per_feature);
    for (uint32_t i = 0; i < n; i++) {
      const size_t place = at[samples[i].net < 0]++;
      if (irl_bits_get(samples[i].bits, c / per_feature) != c % per_feature)
        irl_bits_set(column, place);
    }
  }
  return IRL_OK;
}

irl_status irl_verify_scope_merge(irl_env *env, irl_verify_scope *scope, const irl_data *data,
                                  bool negations, int64_t case_weight, int64_t control_weight,
                                  int64_t *offset, int64_t *unit) {
  irl_data_rows bits;
  row *rows = NULL;
  irl_status status = irl_data_rows_init(env, &bits, data, 1);
  if (status) return status;
  sample *samples = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *samples);
  uint32_t *case_of = irl_mem_alloc(&env->allocator, data->n_cases, sizeof *case_of);
  status = samples && case_of ? sort_rows(env, data, &bits, &rows) : irl_fail_memory(env);
  if (!status) {
    const uint32_t n =
        merge_rows(rows, data->n_samples, case_weight, control_weight, samples, case_of, offset);
    *unit = common_divisor(samples, n);
    status = make_merged(env, scope, samples, n, data->n_features, negations ? 2 : 1);
  }
  if (!status)
    scope->case_of = case_of;
  else
    irl_mem_free(&env->allocator, case_of);
  irl_mem_free(&env->allocator, rows);
  irl_mem_free(&env->allocator, samples);
  irl_data_rows_free(&bits);
  return status;
}

/* ---- fewer samples ---- */

/* One class of n columns, on the samples of `live` alone. */
static void gather(const irl_verify_scope *from, const irl_verify_class *class,
                   const uint64_t *live, const uint64_t *columns, size_t stride, size_t n,
                   uint64_t *into, size_t into_stride, size_t into_words) {
  from->kernels->gather_many(into, into_stride, into_words, columns, stride, NULL, n,
                             live + class->offset, class->words);
}

static irl_status pack_class(irl_env *env, const irl_verify_scope *from, const uint64_t *live,
                             const irl_verify_class *old, const irl_verify_scope *scope,
                             irl_verify_class *class) {
  gather(from, old, live, from->columns + old->offset, from->stride, from->n,
         scope->columns + class->offset, scope->stride, class->words);
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

irl_status irl_verify_scope_pack(irl_env *env, irl_verify_scope *scope,
                                 const irl_verify_scope *from, const uint64_t *live) {
  const irl_kernels *kernels = from->kernels;
  const uint64_t *controls = live + from->controls.offset;
  irl_status status = make_scope(env, scope, from->n, kernels->count(live, from->cases.words),
                                 kernels->count(controls, from->controls.words));
  if (status) return status;
  memcpy(scope->literals, from->literals, from->n * sizeof *scope->literals);
  status = pack_class(env, from, live, &from->cases, scope, &scope->cases);
  return status ? status : pack_class(env, from, live, &from->controls, scope, &scope->controls);
}

bool irl_verify_cover(const irl_verify_scope *scope, const uint64_t *live,
                      const irl_literal *literals, uint32_t n, uint64_t *cover) {
  memcpy(cover, live, scope->stride * sizeof *cover);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t low = 0, high = scope->n; /* literals ascend */
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (scope->literals[middle] < literals[i])
        low = middle + 1;
      else
        high = middle;
    }
    if (low == scope->n || scope->literals[low] != literals[i]) return false;
    scope->kernels->and_into(cover, cover, irl_verify_column(scope, low), scope->stride);
  }
  return true;
}

int64_t irl_verify_weigh(const irl_verify_scope *scope, const irl_verify_class *class,
                         const uint64_t *column) {
  const uint64_t *vector = column + class->offset;
  int64_t sum = 0;
  if (!class->planes) return class->weight * (int64_t)scope->kernels->count(vector, class->words);
  for (unsigned b = 0; b < class->n_planes; b++)
    sum +=
        (int64_t)scope->kernels->and_count(vector, class->planes + b * class->words, class->words)
        << b;
  return sum;
}

int64_t irl_verify_weigh_both(const irl_verify_scope *scope, const irl_verify_class *class,
                              const uint64_t *x, const uint64_t *y) {
  int64_t sum = 0;
  x += class->offset;
  y += class->offset;
  if (!class->planes) return class->weight * (int64_t)scope->kernels->and_count(x, y, class->words);
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
  irl_env *env;
  const irl_verify_scope *scope;
  const irl_verify_wanted *wanted;
  irl_verify_visit visit;
  void *user;
  frame frames[IRL_VERIFY_MAX_M + 1];
  uint32_t n_frames;
  irl_literal path[IRL_VERIFY_MAX_M];
  uint64_t *cover; /* of a clause that is shown */
  bool is_ended;
} walk;

static bool is_wanted(const irl_verify_wanted *wanted, int64_t a, int64_t b) {
  if (b < 0) b = 0;
  return a >= wanted->min_cover && b <= wanted->room &&
         wanted->case_factor * a - wanted->control_factor * b >= wanted->min_value;
}

static int compare_literals(const void *x, const void *y) {
  const irl_literal a = *(const irl_literal *)x, b = *(const irl_literal *)y;
  return (a > b) - (a < b);
}

static void show(walk *w, uint32_t depth, const candidate *c) {
  const irl_verify_scope *scope = w->scope;
  irl_literal literals[IRL_VERIFY_MAX_M];
  scope->kernels->and_into(w->cover, w->frames[depth].cover, irl_verify_column(scope, c->column),
                           scope->stride);
  memcpy(literals, w->path, (depth + 1) * sizeof *literals);
  qsort(literals, depth + 1, sizeof *literals, compare_literals);
  const irl_verify_clause clause = {w->cover, c->a, c->b, depth + 1, literals};
  w->is_ended = w->visit(w->user, &clause);
}

/* Drops candidates that `left` literals, themselves among them, cannot make wanted. */
static void drop_hopeless(const walk *w, frame *f, uint32_t left) {
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
    if (is_wanted(w->wanted, f->list[i].a, f->list[i].b - sum)) f->list[kept++] = f->list[i];
  f->n = kept;
}

/* Candidates after number i of frame `depth`, for the path with that one. */
static void fill_child(walk *w, uint32_t depth, uint32_t i) {
  const irl_verify_scope *scope = w->scope;
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  const candidate *taken = &f->list[i];
  const uint32_t left = w->wanted->max_literals - depth - 1;
  scope->kernels->and_into(child->cover, f->cover, irl_verify_column(scope, taken->column),
                           scope->stride);
  child->b = taken->b;
  child->n = 0;
  for (uint32_t j = i + 1; j < f->n; j++) {
    const candidate *other = &f->list[j];
    const uint64_t *column = irl_verify_column(scope, other->column);
    /* With one literal left, both together remove at most what each does. */
    const int64_t least_b = left == 1 ? taken->b + other->b - f->b : 0;
    if (!is_wanted(w->wanted, taken->a < other->a ? taken->a : other->a, least_b)) continue;
    const int64_t a = irl_verify_weigh_both(scope, &scope->cases, child->cover, column);
    if (!is_wanted(w->wanted, a, least_b)) continue;
    const int64_t b = irl_verify_weigh_both(scope, &scope->controls, child->cover, column);
    child->list[child->n++] = (candidate){other->column, a, b};
  }
  drop_hopeless(w, child, left);
}

static void descend(walk *w, uint32_t depth) {
  const frame *f = &w->frames[depth];
  for (uint32_t i = 0; i < f->n && !w->is_ended; i++) {
    if (irl_stopped(w->env)) w->is_ended = true;
    w->path[depth] = w->scope->literals[f->list[i].column];
    if (is_wanted(w->wanted, f->list[i].a, f->list[i].b)) show(w, depth, &f->list[i]);
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
  const irl_verify_scope *scope = w->scope;
  frame *root = &w->frames[0];
  memcpy(root->cover, live, scope->stride * sizeof *live);
  root->b = irl_verify_weigh(scope, &scope->controls, live);
  for (uint32_t i = 0; i < scope->n; i++) {
    const uint64_t *column = irl_verify_column(scope, i);
    const int64_t a = irl_verify_weigh_both(scope, &scope->cases, live, column);
    if (!is_wanted(w->wanted, a, 0)) continue;
    root->list[root->n++] =
        (candidate){i, a, irl_verify_weigh_both(scope, &scope->controls, live, column)};
  }
  drop_hopeless(w, root, w->wanted->max_literals);
  qsort(root->list, root->n, sizeof *root->list, by_cases);
}

irl_status irl_verify_list(irl_env *env, const irl_verify_scope *scope, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user) {
  walk *w = irl_mem_alloc(&env->allocator, 1, sizeof *w);
  if (!w) return irl_fail_memory(env);
  w->env = env;
  w->scope = scope;
  w->wanted = wanted;
  w->visit = visit;
  w->user = user;
  irl_status status = IRL_OK;
  w->cover = irl_verify_new_column(env, scope);
  for (; w->n_frames < wanted->max_literals && !status; w->n_frames++) {
    frame *f = &w->frames[w->n_frames];
    f->cover = irl_verify_new_column(env, scope);
    f->list = irl_mem_alloc(&env->allocator, scope->n, sizeof *f->list);
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
