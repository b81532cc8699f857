/* Going through all choices of a few clauses from a list.
 *
 * With r clauses left and `need` still to gain, r * (a - c) - b of each (a: cases it would newly
 * cover, b: controls; c: its penalty, which it pays alone; a control is paid once, so each of the r
 * clauses that may share it is charged 1/r) sums up to at least r * need, for fewer than r clauses
 * too: s of them gain at least need, so their s * (a - c) - b sum up to s * need or more, and their
 * a - c to need or more. The clause taken is the first of the choice in the order of this value,
 * the others come after it. With two left, pairs are tried by falling a: no pair gains more than
 * both a less the larger b and both c. Under the Hamming loss controls are shared by nobody, so
 * that the value is r * (a - b - c). */
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <stdlib.h>

#define MAX_COMPARED ((size_t)40000) /* covers that are compared with each other, all pairs */

/* ---- states ---- */

int64_t irl_verify_budget(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->best - 1 - state->paid;
}

/* Under the Hamming loss a clause pays for controls that are covered already, too. */
int64_t irl_verify_max_controls(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->is_hamming ? INT64_MAX : limits->max_controls - state->controls;
}

int64_t irl_verify_missing(const irl_verify_limits *limits, const irl_verify_state *state) {
  const int64_t by_loss = limits->best - 1 - state->paid;
  return state->uncovered - (by_loss < limits->max_uncovered ? by_loss : limits->max_uncovered);
}

uint32_t irl_verify_max_size(const irl_verify_limits *limits, const irl_verify_state *state) {
  const uint64_t room =
      limits->max_literals > state->literals ? limits->max_literals - state->literals : 0;
  return (uint32_t)(room < limits->M ? room : limits->M);
}

bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->paid + state->uncovered < limits->best &&
         state->uncovered <= limits->max_uncovered && state->controls <= limits->max_controls &&
         state->literals <= limits->max_literals;
}

void irl_verify_take(const irl_verify_view *view, const irl_verify_limits *limits,
                     const irl_verify_state *state, const uint64_t *cover, uint32_t size,
                     irl_verify_state *next) {
  const irl_kernels *kernels = view->kernels;
  const irl_verify_class *controls = &view->controls;
  const size_t offset = controls->offset;
  next->left = state->left - 1;
  next->literals = state->literals + size;
  next->paid = state->paid + irl_verify_cost(limits->penalty, size);
  kernels->andnot_into(next->live, state->live, cover, view->cases.words);
  kernels->or_into(next->touched + offset, state->touched + offset, cover + offset,
                   controls->words);
  next->uncovered = irl_verify_weigh(view, &view->cases, next->live);
  const int64_t more = irl_verify_weigh(view, controls, next->touched) -
                       irl_verify_weigh(view, controls, state->touched);
  next->controls = state->controls + more;
  if (limits->is_hamming) {
    memcpy(next->live + offset, state->live + offset, controls->words * sizeof *cover);
    next->paid += irl_verify_weigh(view, controls, cover);
  } else {
    kernels->andnot_into(next->live + offset, state->live + offset, cover + offset,
                         controls->words);
    next->paid += more;
  }
}

/* ---- the list ---- */

bool irl_verify_pool_add(const irl_verify_view *view, irl_verify_pool *pool, const uint64_t *cover,
                         uint32_t size) {
  if (pool->n == pool->capacity) {
    const size_t capacity = 2 * pool->capacity + 64;
    irl_verify_meter *meter = view->meter;
    const double more = (double)(capacity - pool->capacity) * (double)view->stride * sizeof *cover;
    if ((double)meter->bytes + more > (double)meter->max_bytes) {
      meter->is_cut = meter->is_full = true;
      return false;
    }
    meter->bytes += (size_t)more;
    uint64_t *covers =
        irl_mem_alloc_aligned(&view->allocator, capacity * view->stride, sizeof *covers);
    uint32_t *sizes = irl_mem_grow(&view->allocator, pool->sizes, capacity, sizeof *sizes);
    if (sizes) pool->sizes = sizes;
    if (!covers || !sizes) {
      irl_mem_free_aligned(&view->allocator, covers);
      return false;
    }
    if (pool->n) memcpy(covers, pool->covers, pool->n * view->stride * sizeof *covers);
    irl_mem_free_aligned(&view->allocator, pool->covers);
    pool->covers = covers;
    pool->capacity = capacity;
  }
  memcpy(pool->covers + pool->n * view->stride, cover, view->stride * sizeof *cover);
  pool->sizes[pool->n++] = size;
  return true;
}

void irl_verify_pool_free(const irl_verify_view *view, irl_verify_pool *pool) {
  if (pool->capacity) view->meter->bytes -= pool->capacity * view->stride * sizeof *pool->covers;
  irl_mem_free_aligned(&view->allocator, pool->covers);
  irl_mem_free(&view->allocator, pool->sizes);
  *pool = (irl_verify_pool){0};
}

bool irl_verify_dominates(const irl_verify_view *view, const irl_verify_pool *pool, size_t i,
                          const uint64_t *cover, uint32_t size) {
  const uint64_t *own = pool->covers + i * view->stride;
  if (pool->sizes[i] > size) return false;
  for (size_t w = 0; w < view->controls.offset; w++)
    if (cover[w] & ~own[w]) return false;
  for (size_t w = view->controls.offset; w < view->stride; w++)
    if (own[w] & ~cover[w]) return false;
  return true;
}

/* ---- the search ---- */

typedef struct option {
  int64_t value, a, b, cost;
  uint32_t k, size;
} option;

typedef struct level {
  irl_verify_state state;
  option *list;
} level;

typedef struct chooser {
  const irl_verify_view *view;
  const irl_verify_limits *limits;
  const irl_verify_pool *pool;
  level levels[IRL_VERIFY_MAX_K + 1];
  uint32_t n_levels;
  bool is_better;
} chooser;

static const uint64_t *cover_of(const chooser *c, uint32_t k) {
  return c->pool->covers + k * c->view->stride;
}

/* Sums of the largest positive numbers. */
typedef struct largest {
  int64_t number[IRL_VERIFY_MAX_K];
  uint32_t n;
} largest;

static void put_largest(largest *l, int64_t number) {
  for (uint32_t i = 0; i < l->n && number > 0; i++)
    if (number > l->number[i]) {
      const int64_t smaller = l->number[i];
      l->number[i] = number;
      number = smaller;
    }
}

static int64_t sum_largest(const largest *l, uint32_t n) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += l->number[i];
  return sum;
}

/* Options of a level among `n` of the level before, or all of the pool: what each would add. */
static uint32_t fill(chooser *c, uint32_t depth, const option *from, uint32_t n) {
  const irl_verify_view *view = c->view;
  level *l = &c->levels[depth];
  const uint32_t left = l->state.left, max_size = irl_verify_max_size(c->limits, &l->state);
  const int64_t room = irl_verify_budget(c->limits, &l->state);
  const int64_t max_controls = irl_verify_max_controls(c->limits, &l->state);
  const int64_t missing = irl_verify_missing(c->limits, &l->state);
  const int64_t need = l->state.paid + l->state.uncovered - (c->limits->best - 1);
  largest values = {.n = left}, covers = {.n = left};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    option o = {.k = from ? from[i].k : i};
    o.size = c->pool->sizes[o.k];
    if (o.size > max_size) continue;
    const uint64_t *cover = cover_of(c, o.k);
    o.a = irl_verify_weigh_both(view, &view->cases, l->state.live, cover);
    if (!o.a) continue;
    o.b = irl_verify_weigh_both(view, &view->controls, l->state.live, cover);
    o.cost = irl_verify_cost(c->limits->penalty, o.size);
    if (o.b > max_controls || o.b + o.cost > room) continue;
    o.value = left * (o.a - o.cost) - (c->limits->is_hamming ? left : 1) * o.b;
    put_largest(&values, o.value);
    put_largest(&covers, o.a);
    l->list[kept++] = o;
  }
  if (sum_largest(&covers, left) < missing) return 0;
  const int64_t others = sum_largest(&values, left - 1);
  n = kept;
  kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (l->list[i].value + others >= left * need) l->list[kept++] = l->list[i];
  return kept;
}

static int by_value(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static int by_cover(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->a != b->a) return a->a > b->a ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* The state with one more option, in the next level; is it better than the best? */
static bool take(chooser *c, uint32_t depth, const option *o) {
  irl_verify_state *next = &c->levels[depth + 1].state;
  irl_verify_take(c->view, c->limits, &c->levels[depth].state, cover_of(c, o->k), o->size, next);
  return c->is_better = irl_verify_is_better(c->limits, next);
}

static void try_pairs(chooser *c, uint32_t depth, option *list, uint32_t n) {
  const irl_verify_state *state = &c->levels[depth].state, *next = &c->levels[depth + 1].state;
  const int64_t need = state->paid + state->uncovered - (c->limits->best - 1);
  qsort(list, n, sizeof *list, by_cover);
  for (uint32_t i = 0; i < n; i++) {
    if (take(c, depth, &list[i])) return;
    for (uint32_t j = i + 1; j < n; j++) {
      const int64_t cases = list[i].a + list[j].a - list[i].cost, cost = list[j].cost;
      const int64_t larger = list[i].b > list[j].b ? list[i].b : list[j].b;
      if (cases - list[i].b < need) break;
      if (cases - cost - (c->limits->is_hamming ? list[i].b + list[j].b : larger) < need) continue;
      /* The same with what the second really adds. */
      const int64_t more =
          irl_verify_weigh_both(c->view, &c->view->cases, next->live, cover_of(c, list[j].k));
      if (list[i].a + more - larger - list[i].cost - cost < need) continue;
      if (take(c, depth + 1, &list[j])) return;
    }
    if (irl_verify_spend(c->view->meter, (n - i) * c->view->stride)) return;
  }
}

static void choose(chooser *c, uint32_t depth, const option *from, uint32_t n) {
  level *l = &c->levels[depth];
  const uint32_t left = l->state.left;
  if (!left || irl_verify_spend(c->view->meter, n * c->view->stride)) return;
  n = fill(c, depth, from, n);
  const int64_t need = l->state.paid + l->state.uncovered - (c->limits->best - 1);
  if (left == 2) {
    try_pairs(c, depth, l->list, n);
    return;
  }
  qsort(l->list, n, sizeof *l->list, by_value);
  for (uint32_t i = 0; i < n && !c->is_better && !c->view->meter->is_cut; i++) {
    int64_t most = l->list[i].value;
    for (uint32_t j = i + 1; j < n && j < i + left && l->list[j].value > 0; j++)
      most += l->list[j].value;
    if (most < left * need || take(c, depth, &l->list[i])) return;
    /* Options so small that with this one and the largest after it they do not reach the need. */
    uint32_t end = i + 1;
    const int64_t others =
        most -
        (i + left - 1 < n && l->list[i + left - 1].value > 0 ? l->list[i + left - 1].value : 0);
    while (end < n && others + l->list[end].value >= left * need) end++;
    choose(c, depth + 1, l->list + i + 1, end - i - 1);
  }
}

/* ---- making the list small ---- */

typedef struct ranked {
  uint64_t hash;
  int64_t a, b;
  uint32_t k, size;
} ranked;

/* Whatever answers a clause stands before it. */
static int by_rank(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->a != b->a) return a->a > b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* The pool in a new order without clauses that others answer: equal ones always, the rest if they
 * are not too many to compare. */
bool irl_verify_pool_reduce(const irl_verify_view *view, irl_verify_pool *pool) {
  irl_verify_pool kept = {0};
  const size_t bytes = pool->capacity * view->stride * sizeof *pool->covers;
  view->meter->bytes -= bytes; /* what is kept takes its place */
  ranked *order = irl_mem_alloc(&view->allocator, pool->n, sizeof *order);
  bool is_ready = order != NULL;
  for (size_t k = 0; k < pool->n && is_ready; k++) {
    const uint64_t *cover = pool->covers + k * view->stride;
    order[k] =
        (ranked){irl_endian_hash(cover, view->stride), irl_verify_weigh(view, &view->cases, cover),
                 irl_verify_weigh(view, &view->controls, cover), (uint32_t)k, pool->sizes[k]};
  }
  if (is_ready) qsort(order, pool->n, sizeof *order, by_rank);
  const bool are_few = pool->n <= MAX_COMPARED;
  for (size_t i = 0; i < pool->n && is_ready; i++) {
    const uint64_t *cover = pool->covers + order[i].k * view->stride;
    bool is_answered = false;
    const size_t first = are_few || !kept.n ? 0 : kept.n - 1;
    if (irl_verify_spend(view->meter, (kept.n - first) * view->stride)) break;
    for (size_t j = first; j < kept.n && !is_answered; j++)
      is_answered = irl_verify_dominates(view, &kept, j, cover, order[i].size);
    if (!is_answered) is_ready = irl_verify_pool_add(view, &kept, cover, order[i].size);
  }
  irl_mem_free(&view->allocator, order);
  view->meter->bytes += bytes;
  irl_verify_pool_free(view, pool);
  *pool = kept;
  return is_ready;
}

irl_status irl_verify_select(irl_env *env, const irl_verify_view *view,
                             const irl_verify_limits *limits, const irl_verify_state *state,
                             irl_verify_pool *pool, bool *is_better) {
  irl_status status = irl_verify_pool_reduce(view, pool) ? IRL_OK : irl_fail_memory(env);
  if (status || view->meter->is_cut) return view->meter->is_cut ? IRL_OK : status;
  chooser *c = irl_mem_alloc(&env->allocator, 1, sizeof *c);
  if (!c) return irl_fail_memory(env);
  *c = (chooser){.view = view, .limits = limits, .pool = pool};
  for (; c->n_levels <= state->left && !status; c->n_levels++) {
    level *l = &c->levels[c->n_levels];
    l->state.live = irl_verify_new_column(env, view);
    l->state.touched = irl_verify_new_column(env, view);
    l->list = irl_mem_alloc(&env->allocator, pool->n, sizeof *l->list);
    if (!l->state.live || !l->state.touched || !l->list) status = irl_fail_memory(env);
  }
  if (!status) {
    irl_verify_state first = *state;
    first.live = c->levels[0].state.live;
    first.touched = c->levels[0].state.touched;
    memcpy(first.live, state->live, view->stride * sizeof *first.live);
    memcpy(first.touched, state->touched, view->stride * sizeof *first.touched);
    c->levels[0].state = first;
    choose(c, 0, NULL, (uint32_t)pool->n);
    *is_better = c->is_better;
  }
  for (uint32_t i = 0; i < c->n_levels; i++) {
    irl_mem_free_aligned(&env->allocator, c->levels[i].state.live);
    irl_mem_free_aligned(&env->allocator, c->levels[i].state.touched);
    irl_mem_free(&env->allocator, c->levels[i].list);
  }
  irl_mem_free(&env->allocator, c);
  return status;
}
