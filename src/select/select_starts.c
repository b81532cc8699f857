/* Choices from all pairs of good clauses, for pools that are too large to prove anything about. In
 * such pools clauses that chance made are as good as those that matter, and greed from one clause
 * goes astray: but two that matter leave cases among which the others begin to stand out, so greed
 * from the right pair finds them, and among some hundred good clauses a right pair is soon tried.
 * The best of these choices are then improved by exchanges. Pairs do not see each other, so they
 * run in parallel and their best is the same for any number of threads. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "select/select_pool.h"
#include <stdlib.h>

#define N_IMPROVED 64u  /* choices that are improved by exchanges */
#define MOST_FIRST 400u /* clauses whose pairs are tried */

typedef struct start {
  int64_t loss;
  uint32_t a, b;
} start;

/* Of each thread: a filler and the best choice that came of it. */
typedef struct starts {
  const irl_select_pool *pool;
  irl_select_filler *fillers;
  irl_select_choice *best;
  start *list;
} starts;

static void try_start(starts *all, int thread, start *at) {
  irl_select_filler *f = &all->fillers[thread];
  assert(at->a < all->pool->n && at->b < all->pool->n && at->a != at->b);
  f->now = (irl_select_choice){.n = 2, .k = {at->a, at->b}};
  irl_select_fill_up(f);
  at->loss = f->now.loss;
}

static void improve(starts *all, int thread, start *at) {
  irl_select_filler *f = &all->fillers[thread];
  f->now = (irl_select_choice){.n = 2, .k = {at->a, at->b}};
  irl_select_improve(f, &all->best[thread]);
}

static int compare_starts(const void *x, const void *y) {
  const start *a = x, *b = y;
  if (a->loss != b->loss) return a->loss < b->loss ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

static void run_all(starts *all, uint32_t n, void (*act)(starts *, int, start *)) {
  const irl_select_pool *pool = all->pool;
  (void)pool; /* without OpenMP */
#pragma omp parallel for num_threads(irl_threads_for(                                              \
    pool->task->threads, n, (double)pool->n *(double)pool->n_words)) schedule(dynamic, 4)
  for (uint32_t i = 0; i < n; i++)
    if (!irl_limit_poll(all->fillers->limit)) act(all, irl_thread_number(), &all->list[i]);
}

/* All pairs of the best `most` clauses. */
static void run(starts *all, const irl_select_first *firsts, uint32_t n_firsts, uint32_t most) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < n_firsts && i < most; i++)
    for (uint32_t j = 0; j < i; j++)
      all->list[n++] = (start){IRL_NO_LOSS, firsts[j].k, firsts[i].k};
  run_all(all, n, try_start);
  if (n) qsort(all->list, n, sizeof *all->list, compare_starts);
  run_all(all, n < N_IMPROVED ? n : N_IMPROVED, improve);
}

irl_status irl_select_from_pairs(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                                 irl_select_choice *best, uint64_t *work) {
  const irl_allocator *allocator = &env->allocator;
  const size_t n_threads = (size_t)pool->task->threads, n_words = irl_select_filler_size(pool);
  /* As many first clauses as half of the work allows; the other half is for exchanges. */
  const uint64_t each = (uint64_t)pool->n * (pool->n_words + 1) * pool->problem->K;
  uint32_t most = 2;
  while (most < MOST_FIRST && most < pool->n && (uint64_t)most * most * each < limit->max_work)
    most++;
  starts all = {.pool = pool};
  all.fillers = irl_mem_alloc(allocator, n_threads, sizeof *all.fillers);
  all.best = irl_mem_alloc(allocator, n_threads, sizeof *all.best);
  all.list = irl_mem_alloc(allocator, (size_t)most * most, sizeof *all.list);
  irl_select_first *firsts = irl_mem_alloc(allocator, pool->n + 1, sizeof *firsts);
  uint64_t *memory = irl_mem_alloc_aligned(allocator, n_threads, n_words * sizeof *memory);
  const bool is_ready = all.fillers && all.best && all.list && firsts && memory;
  for (size_t t = 0; is_ready && t < n_threads; t++) {
    all.fillers[t] = irl_select_filler_at(pool, limit, memory + t * n_words);
    all.best[t].loss = IRL_NO_LOSS;
  }
  if (is_ready && pool->problem->K > 1)
    run(&all, firsts, irl_select_list_firsts(all.fillers, firsts), most);
  for (size_t t = 0; is_ready && t < n_threads; t++) {
    *work += all.fillers[t].work;
    if (irl_select_better(pool, &all.best[t], best)) *best = all.best[t];
  }
  irl_mem_free_aligned(allocator, memory);
  irl_mem_free(allocator, firsts);
  irl_mem_free(allocator, all.list);
  irl_mem_free(allocator, all.best);
  irl_mem_free(allocator, all.fillers);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}
