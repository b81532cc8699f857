/* Columns and the listing of clauses.
 *
 * The listing is a plain depth-first walk: a clause is its literals in the order of the columns,
 * which stand by ascending weight of cases. At a node every later column is a candidate if the
 * clause with it can still be wanted, or become so with the literals that are left: its cases only
 * shrink, and the further literals remove at most the sum of what each of them removes by itself.
 */
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <stdlib.h>

/* ---- columns ---- */

void irl_verify_scope_free(irl_verify_scope *scope) {
  if (!scope->allocator.resize) return;
  irl_mem_free(&scope->allocator, scope->literals);
  irl_mem_free_aligned(&scope->allocator, scope->columns);
  *scope = (irl_verify_scope){0};
}

static irl_status make_scope(irl_env *env, irl_verify_scope *scope, uint32_t n, size_t case_words,
                             size_t control_words) {
  *scope = (irl_verify_scope){.allocator = env->allocator,
                              .kernels = irl_bits_kernels(),
                              .n = n,
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
  const irl_status status = make_scope(env, scope, data->n_features * per_feature,
                                       data->cases.stride, data->controls.stride);
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

irl_status irl_verify_scope_pack(irl_env *env, irl_verify_scope *scope,
                                 const irl_verify_scope *from, const uint64_t *live) {
  const irl_kernels *kernels = from->kernels;
  const uint64_t *controls = live + from->controls.offset;
  const irl_status status =
      make_scope(env, scope, from->n, irl_bits_stride(kernels->count(live, from->cases.words)),
                 irl_bits_stride(kernels->count(controls, from->controls.words)));
  if (status) return status;
  scope->cases.weight = from->cases.weight;
  scope->controls.weight = from->controls.weight;
  memcpy(scope->literals, from->literals, from->n * sizeof *scope->literals);
  kernels->gather_many(scope->columns, scope->stride, scope->cases.words, from->columns,
                       from->stride, NULL, from->n, live, from->cases.words);
  kernels->gather_many(scope->columns + scope->controls.offset, scope->stride,
                       scope->controls.words, from->columns + from->controls.offset, from->stride,
                       NULL, from->n, controls, from->controls.words);
  return IRL_OK;
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
                         const uint64_t *vector) {
  return class->weight * (int64_t)scope->kernels->count(vector + class->offset, class->words);
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

static int64_t weigh_both(const irl_verify_scope *scope, const irl_verify_class *class,
                          const uint64_t *x, const uint64_t *y) {
  return class->weight *
         (int64_t)scope->kernels->and_count(x + class->offset, y + class->offset, class->words);
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
    const int64_t a = weigh_both(scope, &scope->cases, child->cover, column);
    if (!is_wanted(w->wanted, a, least_b)) continue;
    const int64_t b = weigh_both(scope, &scope->controls, child->cover, column);
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
    const int64_t a = weigh_both(scope, &scope->cases, live, column);
    if (!is_wanted(w->wanted, a, 0)) continue;
    root->list[root->n++] = (candidate){i, a, weigh_both(scope, &scope->controls, live, column)};
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
