/* Going through all selections of a few clauses from a list.
 *
 * Checked: no selection of at most r clauses of the pool makes a better rule out of the state.
 *
 * Lemma. With r clauses left and a required gain g, the values r * (a - c) - b of the clauses
 * selected sum up to at least r * g, where a is the weight of cases that a clause newly covers, b
 * that of controls, and c its penalty. For a control is paid once, so each of the r clauses that
 * may share it is charged 1/r of it at least; and s < r clauses that gain g have s * (a - c) - b
 * summing up to s * g or more, and their a - c to g or more. Under the Hamming loss controls are
 * shared by nobody, and the value is r * (a - b - c).
 *
 * So a clause whose value with the r - 1 largest others stays below r * g is in no better rule.
 * The clause taken is the first of the selection in the order of values, the others come after it.
 * With two left, pairs are tried by falling a: no pair gains more than both a less the larger b and
 * both c. */
#include "base/arena.h"
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

#define MAX_COMPARED ((size_t)40000) /* covers that are compared with each other, all pairs */

/* ---- states ---- */

int64_t irl_verify_budget(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->best - 1 - state->cost_so_far;
}

int64_t irl_verify_required_gain(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->uncovered - irl_verify_budget(limits, state);
}

/* Under the Hamming loss a clause pays for controls that are covered already, too. */
int64_t irl_verify_max_controls(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->is_hamming ? INT64_MAX : limits->max_controls - state->controls;
}

int64_t irl_verify_required_cases(const irl_verify_limits *limits, const irl_verify_state *state) {
  const int64_t by_loss = irl_verify_budget(limits, state);
  return state->uncovered - (by_loss < limits->max_uncovered ? by_loss : limits->max_uncovered);
}

uint32_t irl_verify_max_size(const irl_verify_limits *limits, const irl_verify_state *state) {
  const uint64_t left =
      limits->max_literals > state->literals ? limits->max_literals - state->literals : 0;
  return (uint32_t)(left < limits->M ? left : limits->M);
}

bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->cost_so_far + state->uncovered < limits->best &&
         state->uncovered <= limits->max_uncovered && state->controls <= limits->max_controls &&
         state->literals <= limits->max_literals;
}

irl_status irl_verify_state_init(irl_env *env, const irl_verify_view *view,
                                 irl_verify_state *state) {
  state->live = irl_mem_alloc_aligned(&env->allocator, 2 * view->stride, sizeof *state->live);
  state->touched = state->live ? state->live + view->stride : NULL;
  return state->live ? IRL_STATUS_OK : irl_fail_memory(env);
}

void irl_verify_state_free(irl_env *env, irl_verify_state *state) {
  irl_mem_free_aligned(&env->allocator, state->live);
}

bool irl_verify_state_check(const irl_verify_view *view, const irl_verify_limits *limits,
                            const irl_verify_state *state) {
  const size_t offset = view->controls.offset, words = view->controls.words;
  bool is_apart = true; /* what is paid for is not live, but under the Hamming loss */
  for (size_t w = offset; w < offset + words; w++)
    is_apart = is_apart && !(state->live[w] & state->touched[w]);
  return state->left <= limits->K && (limits->is_hamming || is_apart) &&
         state->uncovered == irl_verify_weigh(view, &view->cases, state->live) &&
         state->controls >= irl_verify_weigh(view, &view->controls, state->touched) &&
         irl_verify_view_has(view, state->live) && irl_verify_view_has(view, state->touched);
}

void irl_verify_take(const irl_verify_view *view, const irl_verify_limits *limits,
                     const irl_verify_state *state, const uint64_t *cover, uint32_t size,
                     irl_verify_state *next) {
  const irl_kernels *kernels = view->kernels;
  const irl_verify_class *controls = &view->controls;
  const size_t offset = controls->offset;
  assert(state->left && size <= limits->M);
  next->left = state->left - 1;
  next->literals = state->literals + size;
  next->cost_so_far = state->cost_so_far + irl_verify_cost(limits->penalty, size);
  kernels->andnot_into(next->live, state->live, cover, view->cases.words);
  kernels->or_into(next->touched + offset, state->touched + offset, cover + offset,
                   controls->words);
  next->uncovered = irl_verify_weigh(view, &view->cases, next->live);
  const int64_t more = irl_verify_weigh(view, controls, next->touched) -
                       irl_verify_weigh(view, controls, state->touched);
  next->controls = state->controls + more;
  if (limits->is_hamming) {
    memcpy(next->live + offset, state->live + offset, controls->words * sizeof *cover);
    next->cost_so_far += irl_verify_weigh(view, controls, cover);
  } else {
    kernels->andnot_into(next->live + offset, state->live + offset, cover + offset,
                         controls->words);
    next->cost_so_far += more;
  }
  assert(more >= 0 && next->uncovered <= state->uncovered);
  assert(next->cost_so_far >= state->cost_so_far);
}

/* ---- the list ---- */

bool irl_verify_pool_add(const irl_verify_view *view, irl_verify_pool *pool, const uint64_t *cover,
                         uint32_t size) {
  assert(irl_verify_view_has(view, cover));
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
  assert(pool->n < pool->capacity);
  memcpy(pool->covers + pool->n * view->stride, cover, view->stride * sizeof *cover);
  pool->sizes[pool->n++] = size;
  return true;
}

void irl_verify_pool_free(const irl_verify_view *view, irl_verify_pool *pool) {
  const size_t bytes = pool->capacity * view->stride * sizeof *pool->covers;
  if (bytes) view->meter->bytes -= bytes; /* an empty pool may be of a view that was not made */
  irl_mem_free_aligned(&view->allocator, pool->covers);
  irl_mem_free(&view->allocator, pool->sizes);
  *pool = (irl_verify_pool){0};
}

bool irl_verify_dominates(const irl_verify_view *view, const irl_verify_pool *pool, size_t i,
                          const uint64_t *cover, uint32_t size) {
  const uint64_t *own = pool->covers + i * view->stride;
  assert(i < pool->n);
  if (pool->sizes[i] > size) return false;
  for (size_t w = 0; w < view->controls.offset; w++)
    if (cover[w] & ~own[w]) return false;
  for (size_t w = view->controls.offset; w < view->stride; w++)
    if (own[w] & ~cover[w]) return false;
  return true;
}

/* ---- the search ---- */

/* A clause of the pool and what it would add to the state of a level. */
typedef struct option {
  int64_t value, new_cases, new_controls, cost;
  uint32_t clause, size;
} option;

typedef struct level {
  irl_verify_state state;
  option *options; /* as many as the pool has clauses, at most */
} level;

typedef struct selector {
  const irl_verify_view *view;
  const irl_verify_limits *limits;
  const irl_verify_pool *pool;
  level levels[IRL_VERIFY_MAX_K + 1];
  bool is_better;
} selector;

static const uint64_t *cover_of(const selector *s, uint32_t clause) {
  assert(clause < s->pool->n);
  return s->pool->covers + clause * s->view->stride;
}

/* The options of a level among `n` of the level before, or all of the pool, that may be part of a
 * better rule by the lemma; none if all together cover too few cases. */
static uint32_t list_options(selector *s, uint32_t depth, const option *from, uint32_t n) {
  const irl_verify_view *view = s->view;
  level *l = &s->levels[depth];
  const uint32_t left = l->state.left, max_size = irl_verify_max_size(s->limits, &l->state);
  const int64_t budget = irl_verify_budget(s->limits, &l->state);
  const int64_t max_controls = irl_verify_max_controls(s->limits, &l->state);
  int64_t values[IRL_VERIFY_MAX_K] = {0}, covers[IRL_VERIFY_MAX_K] = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    option o = {.clause = from ? from[i].clause : i};
    const uint64_t *cover = cover_of(s, o.clause);
    o.size = s->pool->sizes[o.clause];
    if (o.size > max_size) continue;
    o.new_cases = irl_verify_weigh_both(view, &view->cases, l->state.live, cover);
    if (!o.new_cases) continue;
    o.new_controls = irl_verify_weigh_both(view, &view->controls, l->state.live, cover);
    o.cost = irl_verify_cost(s->limits->penalty, o.size);
    if (o.new_controls > max_controls || o.new_controls + o.cost > budget) continue;
    o.value = left * (o.new_cases - o.cost) - (s->limits->is_hamming ? left : 1) * o.new_controls;
    irl_verify_put_largest(values, left, o.value);
    irl_verify_put_largest(covers, left, o.new_cases);
    l->options[kept++] = o;
  }
  int64_t covered = covers[left - 1], others = 0; /* by all that follow; of all but one */
  for (uint32_t i = 0; i + 1 < left; i++) covered += covers[i], others += values[i];
  if (covered < irl_verify_required_cases(s->limits, &l->state)) return 0;
  const int64_t needed = left * irl_verify_required_gain(s->limits, &l->state);
  n = kept;
  kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (l->options[i].value + others >= needed) l->options[kept++] = l->options[i];
  return kept;
}

static int by_value(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->clause < b->clause ? -1 : 1;
}

static int by_cases(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->new_cases != b->new_cases) return a->new_cases > b->new_cases ? -1 : 1;
  return a->clause < b->clause ? -1 : 1;
}

/* The state with one more option, in the next level; is it better than the best? */
static bool take(selector *s, uint32_t depth, const option *o) {
  irl_verify_state *next = &s->levels[depth + 1].state;
  irl_verify_take(s->view, s->limits, &s->levels[depth].state, cover_of(s, o->clause), o->size,
                  next);
  return s->is_better = irl_verify_is_better(s->limits, next);
}

static void try_pairs(selector *s, uint32_t depth, option *list, uint32_t n) {
  const irl_verify_state *state = &s->levels[depth].state, *next = &s->levels[depth + 1].state;
  const int64_t required = irl_verify_required_gain(s->limits, state);
  assert(state->left == 2);
  qsort(list, n, sizeof *list, by_cases);
  for (uint32_t i = 0; i < n; i++) {
    const option *first = &list[i];
    if (take(s, depth, first)) return;
    for (uint32_t j = i + 1; j < n; j++) {
      const option *second = &list[j];
      assert(second->new_cases <= first->new_cases);
      const int64_t cases = first->new_cases + second->new_cases - first->cost;
      const int64_t larger =
          first->new_controls > second->new_controls ? first->new_controls : second->new_controls;
      if (cases - first->new_controls < required) break;
      if (cases - second->cost -
              (s->limits->is_hamming ? first->new_controls + second->new_controls : larger) <
          required)
        continue;
      /* What the second really adds to the first may be less. */
      const int64_t more =
          irl_verify_weigh_both(s->view, &s->view->cases, next->live, cover_of(s, second->clause));
      assert(more <= second->new_cases);
      if (first->new_cases + more - larger - first->cost - second->cost < required) continue;
      if (take(s, depth + 1, second)) return;
    }
    if (irl_verify_spend(s->view->meter, (n - i) * s->view->stride)) return;
  }
}

static void search_level(selector *s, uint32_t depth, const option *from, uint32_t n) {
  level *l = &s->levels[depth];
  const uint32_t left = l->state.left;
  assert(irl_verify_state_check(s->view, s->limits, &l->state));
  if (!left || irl_verify_spend(s->view->meter, n * s->view->stride)) return;
  n = list_options(s, depth, from, n);
  if (left == 2) {
    try_pairs(s, depth, l->options, n);
    return;
  }
  const option *list = l->options;
  const int64_t needed = left * irl_verify_required_gain(s->limits, &l->state);
  qsort(l->options, n, sizeof *list, by_value);
  for (uint32_t i = 0; i < n && !s->is_better && !s->view->meter->is_cut; i++) {
    int64_t most = list[i].value, last = 0; /* with the largest after it; the last of these */
    for (uint32_t j = i + 1; j < n && j < i + left && list[j].value > 0; j++) {
      most += list[j].value;
      last = j == i + left - 1 ? list[j].value : 0;
    }
    if (most < needed || take(s, depth, &list[i])) return;
    /* Options so small that with this one and the largest after it they gain too little end it. */
    uint32_t end = i + 1;
    while (end < n && most - last + list[end].value >= needed) end++;
    search_level(s, depth + 1, list + i + 1, end - i - 1);
  }
}

/* ---- making the list small ---- */

typedef struct ranked {
  uint64_t hash;
  int64_t cases, controls;
  uint32_t clause, size;
} ranked;

/* Whatever dominates a clause stands before it. */
static int by_rank(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->cases != b->cases) return a->cases > b->cases ? -1 : 1;
  if (a->controls != b->controls) return a->controls < b->controls ? -1 : 1;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return a->clause < b->clause ? -1 : 1;
}

/* The pool in a new order without dominated clauses: equal ones always, the rest if they are not
 * too many to compare. */
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
    const uint64_t *cover = pool->covers + order[i].clause * view->stride;
    bool is_dominated = false;
    const size_t first = are_few || !kept.n ? 0 : kept.n - 1;
    if (irl_verify_spend(view->meter, (kept.n - first) * view->stride)) break;
    for (size_t j = first; j < kept.n && !is_dominated; j++)
      is_dominated = irl_verify_dominates(view, &kept, j, cover, order[i].size);
    if (!is_dominated) is_ready = irl_verify_pool_add(view, &kept, cover, order[i].size);
  }
  assert(kept.n <= pool->n && (kept.n || !pool->n || !is_ready || view->meter->is_cut));
  irl_mem_free(&view->allocator, order);
  view->meter->bytes += bytes;
  irl_verify_pool_free(view, pool);
  *pool = kept;
  return is_ready;
}

irl_status irl_verify_select(irl_env *env, const irl_verify_view *view,
                             const irl_verify_limits *limits, const irl_verify_state *state,
                             irl_verify_pool *pool, bool *is_better) {
  const bool is_reduced = irl_verify_pool_reduce(view, pool);
  irl_arena arena;
  assert(state->left <= IRL_VERIFY_MAX_K);
  if (view->meter->is_cut) return IRL_STATUS_OK;
  if (!is_reduced) return irl_fail_memory(env);
  const size_t n_levels = state->left + 1, bytes = view->stride * sizeof(uint64_t);
  irl_arena_init(&arena, &env->allocator);
  selector *s = irl_arena_alloc(&arena, 1, sizeof *s);
  uint64_t *columns = irl_arena_alloc_aligned(&arena, 2 * n_levels, bytes);
  option *options = irl_arena_alloc(&arena, n_levels, pool->n * sizeof *options);
  const bool is_made = s && columns && options;
  if (is_made) {
    *s = (selector){.view = view, .limits = limits, .pool = pool};
    s->levels[0].state = *state;
    for (size_t i = 0; i < n_levels; i++) {
      s->levels[i].state.live = columns + 2 * i * view->stride;
      s->levels[i].state.touched = columns + (2 * i + 1) * view->stride;
      s->levels[i].options = options + i * pool->n;
    }
    memcpy(s->levels[0].state.live, state->live, bytes);
    memcpy(s->levels[0].state.touched, state->touched, bytes);
    search_level(s, 0, NULL, (uint32_t)pool->n);
    *is_better = s->is_better;
  }
  irl_arena_free(&arena);
  return is_made ? IRL_STATUS_OK : irl_fail_memory(env);
}
