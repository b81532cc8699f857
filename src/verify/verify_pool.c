/* Lists of clauses by what they cover, and what makes a clause superfluous there: another one that
 * covers no fewer of the live cases, no more controls, and is no longer. */
#include "base/endian.h"
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

#define COMPARED    200000u           /* clauses, of which more are not compared with each other */
#define MIN_INDEXED ((size_t)256)     /* so many are indexed by their cases, */
#define MAX_INDEX   ((size_t)1 << 25) /* if the index has at most so many numbers */

irl_status irl_verify_pool_add(const irl_verify_view *view, irl_verify_pool *pool,
                               const uint64_t *cover, const irl_literal *literals, uint32_t size) {
  const irl_allocator *allocator = &view->env->allocator;
  assert(irl_verify_view_has(view, cover) && size < pool->width);
  if (pool->n == pool->capacity) {
    const size_t capacity = 2 * pool->capacity + 64;
    const size_t bytes = view->stride * sizeof *cover + pool->width * sizeof *pool->words;
    irl_verify_meter *meter = view->meter;
    const double more = (double)(capacity - pool->capacity) * (double)bytes;
    if ((double)meter->bytes + more > (double)meter->max_bytes) {
      meter->is_cut = meter->is_full = true;
      return irl_verify_meter_status(view->env, meter);
    }
    uint32_t *words = irl_mem_grow(allocator, pool->words, capacity * pool->width, sizeof *words);
    if (!words) return irl_fail_memory(view->env);
    pool->words = words;
    uint64_t *covers = irl_mem_alloc_aligned(allocator, capacity * view->stride, sizeof *covers);
    if (!covers) return irl_fail_memory(view->env);
    if (pool->n) memcpy(covers, pool->covers, pool->n * view->stride * sizeof *covers);
    irl_mem_free_aligned(allocator, pool->covers);
    pool->covers = covers;
    pool->capacity = capacity;
    meter->bytes += (size_t)more;
  }
  uint32_t *words = pool->words + pool->n * pool->width;
  memset(words, 0, pool->width * sizeof *words);
  words[0] = size;
  if (literals) memcpy(words + 1, literals, size * sizeof *literals);
  memcpy(pool->covers + pool->n++ * view->stride, cover, view->stride * sizeof *cover);
  return IRL_STATUS_OK;
}

/* What the meter has for it. */
static size_t bytes_of(const irl_verify_view *view, const irl_verify_pool *pool) {
  return pool->capacity * (view->stride * sizeof *pool->covers + pool->width * sizeof *pool->words);
}

void irl_verify_pool_free(const irl_verify_view *view, irl_verify_pool *pool) {
  const uint32_t width = pool->width;
  if (pool->capacity) view->meter->bytes -= bytes_of(view, pool);
  irl_mem_free_aligned(&view->env->allocator, pool->covers);
  irl_mem_free(&view->env->allocator, pool->words);
  *pool = (irl_verify_pool){.width = width};
}

int irl_verify_by_words(const void *x, const void *y) {
  const uint32_t *a = *(const uint32_t *const *)x, *b = *(const uint32_t *const *)y;
  for (uint32_t i = 0; i <= a[0]; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

bool irl_verify_dominates(const irl_verify_view *view, const irl_verify_pool *pool, size_t i,
                          const uint64_t *cover, uint32_t size) {
  const uint64_t *own = irl_verify_pool_cover(view, pool, i);
  assert(i < pool->n);
  if (*irl_verify_pool_words(pool, i) > size) return false;
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
  const irl_allocator *allocator = &view->env->allocator;
  size_t all = 0;
  *index = (case_index){0};
  if (pool->n < MIN_INDEXED) return;
  size_t *start = irl_mem_alloc(allocator, view->n_cases + 1u, sizeof *start);
  for (size_t k = 0; k < pool->n && start; k++)
    for (size_t w = 0; w < view->cases.words; w++)
      for (uint64_t bits = irl_verify_pool_cover(view, pool, k)[w]; bits; bits &= bits - 1)
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

/* The first word of a class: those of both decide most pairs. */
static uint64_t head_of(const irl_verify_class *class, const uint64_t *cover) {
  return class->words ? cover[class->offset] : 0;
}

/* Is a clause dominated by one of those that were kept? */
static bool is_dominated(const irl_verify_view *view, const irl_verify_pool *kept,
                         const case_index *index, size_t first, const uint64_t *heads,
                         const uint64_t *cover, uint32_t size) {
  const uint64_t cases = head_of(&view->cases, cover), others = ~head_of(&view->controls, cover);
  const uint32_t rarest = index->start ? rarest_case(view, index, cover) : UINT32_MAX;
  const uint32_t *those = rarest < UINT32_MAX ? index->items + index->start[rarest] : NULL;
  const size_t n = those ? index->n[rarest] : kept->n - first;
  if (irl_verify_spend(view->meter, n)) return true;
  for (size_t t = 0; t < n; t++) {
    const size_t j = those ? those[t] : first + t;
    if (!((cases & ~heads[2 * j]) | (heads[2 * j + 1] & others)) &&
        irl_verify_dominates(view, kept, j, cover, size))
      return true;
  }
  return false;
}

/* The pool comes into a new order. */
irl_status irl_verify_pool_reduce(const irl_verify_view *view, irl_verify_pool *pool) {
  irl_verify_pool kept = {.width = pool->width};
  const size_t bytes = bytes_of(view, pool);
  if (!pool->n) return IRL_STATUS_OK;
  view->meter->bytes -= bytes; /* what is kept takes its place */
  ranked *order = irl_mem_alloc(&view->env->allocator, pool->n, sizeof *order);
  uint64_t *heads = irl_mem_alloc(&view->env->allocator, 2 * pool->n, sizeof *heads);
  irl_status status = order && heads ? IRL_STATUS_OK : irl_fail_memory(view->env);
  for (size_t k = 0; k < pool->n && !status; k++) {
    const uint64_t *cover = irl_verify_pool_cover(view, pool, k);
    order[k] =
        (ranked){irl_endian_hash(cover, view->stride), irl_verify_weigh(view, &view->cases, cover),
                 irl_verify_weigh(view, &view->controls, cover), (uint32_t)k,
                 *irl_verify_pool_words(pool, k)};
  }
  if (!status) qsort(order, pool->n, sizeof *order, by_rank);
  const bool are_few = pool->n <= COMPARED; /* otherwise equal ones alone, next to each other */
  case_index index = {0};
  if (are_few) init_index(view, pool, &index);
  for (size_t i = 0; i < pool->n && !status && !view->meter->is_cut; i++) {
    const uint64_t *cover = irl_verify_pool_cover(view, pool, order[i].clause);
    const size_t first = are_few || !kept.n ? 0 : kept.n - 1;
    if (is_dominated(view, &kept, &index, first, heads, cover, order[i].size)) continue;
    index_clause(view, &index, cover, (uint32_t)kept.n);
    heads[2 * kept.n] = head_of(&view->cases, cover);
    heads[2 * kept.n + 1] = head_of(&view->controls, cover);
    status = irl_verify_pool_add(view, &kept, cover,
                                 irl_verify_pool_words(pool, order[i].clause) + 1, order[i].size);
  }
  assert(kept.n <= pool->n && (kept.n || status || view->meter->is_cut));
  irl_mem_free(&view->env->allocator, order);
  irl_mem_free(&view->env->allocator, heads);
  irl_mem_free(&view->env->allocator, index.start);
  irl_mem_free(&view->env->allocator, index.n);
  irl_mem_free(&view->env->allocator, index.items);
  view->meter->bytes += bytes;
  irl_verify_pool_free(view, pool);
  *pool = kept;
  return status ? status : irl_verify_meter_status(view->env, view->meter);
}
