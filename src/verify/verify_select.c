/* States of a proof, and lists of clauses by what they cover.
 *
 * Lemma. With r clauses left and a required gain g, the values r * (a - c) - b of the clauses
 * selected sum up to at least r * g, where a is the weight of cases that a clause newly covers, b
 * that of controls, and c its penalty. For a control is paid once, so each of the r clauses that
 * may share it is charged 1/r of it at least; and s < r clauses that gain g have s * (a - c) - b
 * summing up to s * g or more, and their a - c to g or more. Under the Hamming loss controls are
 * shared by nobody, and the value is r * (a - b - c). */
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

#define MIN_INDEXED ((size_t)256)     /* so many are indexed by their cases, */
#define MAX_INDEX   ((size_t)1 << 25) /* if the index has at most so many numbers */

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
  const uint64_t used = irl_verify_complexity(limits, state) + 1;
  const uint64_t room = limits->max_complexity > used ? limits->max_complexity - used : 0;
  uint64_t left =
      limits->max_literals > state->literals ? limits->max_literals - state->literals : 0;
  if (room < left) left = room;
  return (uint32_t)(left < limits->M ? left : limits->M);
}

/* Lemma. Suppose that a better rule adds clauses of more than m = `small` literals only, and that
 * the gain g that they need together is positive. For each of them let n be the most clauses that a
 * rule may add if it adds this one and no other is shorter than m + 1. Then n * (a - c) - b >= g
 * for one of them, where a and b are what it newly covers and c what it costs. Proof. Let q be
 * their number, and B the weight of the new controls of all: the a - c sum up to g + B or more, so
 * one of them has q * (a - c) >= g + B, where B >= b. And n >= q, as q clauses are added, with this
 * one among them, and a - c is positive. QED. Under the Hamming loss each pays b, and with a - b -
 * c in place of a - c the same holds without B. That clauses have to cover cases of some weight
 * together is the same with c = b = 0. All clauses have literals and complexity within the limits,
 * and cost no more than the budget together. */
int64_t irl_verify_clauses_beside(const irl_verify_limits *limits, const irl_verify_state *state,
                                  uint32_t size, uint32_t small) {
  int64_t others = (int64_t)state->left - 1;
  assert(state->left && size);
  if (limits->max_literals != UINT64_MAX) {
    const uint64_t used = state->literals + size;
    const uint64_t rest = limits->max_literals > used ? limits->max_literals - used : 0;
    if (rest / (small + (uint64_t)1) < (uint64_t)others)
      others = (int64_t)(rest / (small + (uint64_t)1));
  }
  if (limits->max_complexity != UINT64_MAX) {
    const uint64_t used = irl_verify_complexity(limits, state) + 1 + size;
    const uint64_t rest = limits->max_complexity > used ? limits->max_complexity - used : 0;
    if (rest / (small + (uint64_t)2) < (uint64_t)others)
      others = (int64_t)(rest / (small + (uint64_t)2));
  }
  if (limits->penalty) {
    const int64_t rest = irl_verify_budget(limits, state) - irl_verify_cost(limits->penalty, size);
    const int64_t most = rest > 0 ? rest / irl_verify_cost(limits->penalty, small + 1) : 0;
    if (most < others) others = most;
  }
  return others + 1;
}

bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->cost_so_far + state->uncovered < limits->best &&
         state->uncovered <= limits->max_uncovered && state->controls <= limits->max_controls &&
         state->literals <= limits->max_literals &&
         irl_verify_complexity(limits, state) <= limits->max_complexity;
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
  return (a->clause > b->clause) - (a->clause < b->clause);
}

/* The clauses that were kept, by the cases that they cover: whatever dominates a clause is among
 * those of each of its cases, and one of these lists is short. */
typedef struct case_index {
  size_t *start; /* of the clauses of a case; NULL: there is no index */
  uint32_t *n, *items;
} case_index;

/* Room for all clauses of the pool; none if that is too much, or too little to be worth it. */
static void init_index(const irl_verify_view *view, const irl_verify_pool *pool,
                       case_index *index) {
  const irl_allocator *allocator = &view->allocator;
  size_t all = 0;
  *index = (case_index){0};
  if (pool->n < MIN_INDEXED) return;
  size_t *start = irl_mem_alloc(allocator, view->n_cases + 1u, sizeof *start);
  for (size_t k = 0; k < pool->n && start; k++)
    for (size_t w = 0; w < view->cases.words; w++)
      for (uint64_t bits = pool->covers[k * view->stride + w]; bits; bits &= bits - 1)
        start[64 * w + (size_t)__builtin_ctzll(bits)]++;
  for (uint32_t i = 0; i < view->n_cases && start; i++) {
    const size_t n = start[i];
    start[i] = all;
    all += n;
  }
  if (start && all <= MAX_INDEX) {
    index->n = irl_mem_alloc(allocator, view->n_cases + 1u, sizeof *index->n);
    index->items = irl_mem_alloc(allocator, all + 1, sizeof *index->items);
  }
  if (index->n && index->items)
    index->start = start;
  else
    irl_mem_free(allocator, start);
}

/* The case of a cover of which there are fewest; UINT32_MAX: it has none. */
static uint32_t rarest_case(const irl_verify_view *view, const case_index *index,
                            const uint64_t *cover) {
  uint32_t rarest = UINT32_MAX;
  for (size_t w = 0; w < view->cases.words; w++)
    for (uint64_t bits = cover[w]; bits; bits &= bits - 1) {
      const uint32_t i = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
      if (rarest == UINT32_MAX || index->n[i] < index->n[rarest]) rarest = i;
    }
  return rarest;
}

static void index_clause(const irl_verify_view *view, case_index *index, const uint64_t *cover,
                         uint32_t number) {
  for (size_t w = 0; w < view->cases.words && index->start; w++)
    for (uint64_t bits = cover[w]; bits; bits &= bits - 1) {
      const size_t i = 64 * w + (size_t)__builtin_ctzll(bits);
      index->items[index->start[i] + index->n[i]++] = number;
    }
}

/* The pool comes into a new order. */
bool irl_verify_pool_reduce(const irl_verify_view *view, irl_verify_pool *pool, size_t compared) {
  irl_verify_pool kept = {0};
  const size_t bytes = pool->capacity * view->stride * sizeof *pool->covers;
  view->meter->bytes -= bytes; /* what is kept takes its place */
  ranked *order = irl_mem_alloc(&view->allocator, pool->n, sizeof *order);
  /* The first words of both classes of those that are kept: they decide most pairs. */
  uint64_t *heads = irl_mem_alloc(&view->allocator, 2 * pool->n, sizeof *heads);
  const size_t offset = view->controls.offset;
  const bool has_both = offset && view->stride > offset;
  bool is_ready = order && heads;
  for (size_t k = 0; k < pool->n && is_ready; k++) {
    const uint64_t *cover = pool->covers + k * view->stride;
    order[k] =
        (ranked){irl_endian_hash(cover, view->stride), irl_verify_weigh(view, &view->cases, cover),
                 irl_verify_weigh(view, &view->controls, cover), (uint32_t)k, pool->sizes[k]};
  }
  if (is_ready) qsort(order, pool->n, sizeof *order, by_rank);
  const bool are_few = pool->n <= compared;
  case_index index = {0};
  if (are_few) init_index(view, pool, &index);
  for (size_t i = 0; i < pool->n && is_ready; i++) {
    const uint64_t *cover = pool->covers + order[i].clause * view->stride;
    bool is_dominated = false;
    const size_t first = are_few || !kept.n ? 0 : kept.n - 1;
    const uint64_t cases = has_both ? cover[0] : 0, others = has_both ? ~cover[offset] : 0;
    const uint32_t rarest = index.start ? rarest_case(view, &index, cover) : UINT32_MAX;
    const uint32_t *those = rarest < UINT32_MAX ? index.items + index.start[rarest] : NULL;
    const size_t n = those ? index.n[rarest] : kept.n - first;
    if (irl_verify_spend(view->meter, n)) break;
    for (size_t t = 0; t < n && !is_dominated; t++) {
      const size_t j = those ? those[t] : first + t;
      is_dominated = !((cases & ~heads[2 * j]) | (heads[2 * j + 1] & others)) &&
                     irl_verify_dominates(view, &kept, j, cover, order[i].size);
    }
    if (is_dominated) continue;
    index_clause(view, &index, cover, (uint32_t)kept.n);
    heads[2 * kept.n] = cases;
    heads[2 * kept.n + 1] = ~others;
    is_ready = irl_verify_pool_add(view, &kept, cover, order[i].size);
  }
  assert(kept.n <= pool->n && (kept.n || !pool->n || !is_ready || view->meter->is_cut));
  irl_mem_free(&view->allocator, order);
  irl_mem_free(&view->allocator, heads);
  irl_mem_free(&view->allocator, index.start);
  irl_mem_free(&view->allocator, index.n);
  irl_mem_free(&view->allocator, index.items);
  view->meter->bytes += bytes;
  irl_verify_pool_free(view, pool);
  *pool = kept;
  return is_ready;
}
