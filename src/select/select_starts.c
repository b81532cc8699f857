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

/* What a thread writes. */
typedef struct starter {
  irl_select_choice now, best;
  uint64_t *live, *scratch;
  irl_select_additions additions;
  uint64_t work;
} starter;

typedef struct starts {
  const irl_select_pool *pool;
  const irl_limit *limit;
  starter *starters;
  start *list;
  uint32_t n;
} starts;

/* Adds the clause that gains most; false if none gains. */
static bool add_best(const irl_select_pool *pool, starter *s) {
  assert(s->now.n < pool->problem->K && s->now.controls <= pool->max_controls);
  const uint64_t controls_left = pool->max_controls - s->now.controls;
  const uint64_t max_size = irl_problem_literal_budget(pool->problem, s->now.n, s->now.literals);
  int64_t best = 0;
  uint32_t pick = pool->n;
  irl_select_add_up(pool, s->live, &s->additions);
  s->work += (uint64_t)pool->n * pool->n_words;
  for (uint32_t k = 0; k < pool->n; k++) {
    const int64_t cases = s->additions.weights[0][k], controls = s->additions.weights[1][k];
    const int64_t gain = irl_select_gain(pool, k, false, cases, controls);
    if (gain <= best || (uint64_t)controls > controls_left || pool->size[k] > max_size) continue;
    best = gain;
    pick = k;
  }
  if (pick == pool->n) return false;
  s->now.k[s->now.n++] = pick;
  s->now.controls += (uint64_t)s->additions.weights[1][pick];
  s->now.literals += pool->size[pick];
  irl_select_uncover(pool, s->live, s->live, pick);
  return true;
}

/* Goes on from the clauses chosen so far until none gains. */
static void fill_up(const irl_select_pool *pool, starter *s) {
  irl_select_weigh(pool, &s->now, s->scratch);
  irl_select_leave(pool, &s->now, s->live);
  if (s->now.controls <= pool->max_controls)
    while (s->now.n < pool->problem->K && add_best(pool, s)) continue;
  irl_select_weigh(pool, &s->now, s->scratch);
}

static void try_start(starts *all, starter *s, start *at) {
  assert(at->a < all->pool->n && at->b < all->pool->n && at->a != at->b);
  s->now = (irl_select_choice){.n = 2, .k = {at->a, at->b}};
  fill_up(all->pool, s);
  at->loss = s->now.loss;
}

/* One clause is taken out and the choice filled up again, as long as that gains. */
static void improve(starts *all, starter *s, start *at) {
  try_start(all, s, at);
  irl_select_choice kept = s->now;
  for (uint32_t i = 0; i < kept.n && !irl_limit_poll(all->limit); i++) {
    s->now = kept;
    irl_select_remove(&s->now, i);
    fill_up(all->pool, s);
    if (s->now.loss >= kept.loss) continue;
    kept = s->now;
    i = UINT32_MAX; /* from the first on */
  }
  irl_select_sort(&kept);
  if (irl_select_better(all->pool, &kept, &s->best)) s->best = kept;
}

static int compare_starts(const void *x, const void *y) {
  const start *a = x, *b = y;
  if (a->loss != b->loss) return a->loss < b->loss ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

static void run_all(starts *all, uint32_t n, void (*act)(starts *, starter *, start *)) {
  const irl_select_pool *pool = all->pool;
  (void)pool; /* without OpenMP */
#pragma omp parallel for num_threads(irl_threads_for(                                              \
    pool->task->threads, n, (double)pool->n *(double)pool->n_words)) schedule(dynamic, 4)
  for (uint32_t i = 0; i < n; i++)
    if (!irl_limit_poll(all->limit)) act(all, &all->starters[irl_thread_number()], &all->list[i]);
}

/* The first clauses by what they gain alone, as loss the negative of it; how many there are. */
static uint32_t list_first(starts *all, uint32_t most) {
  const irl_select_pool *pool = all->pool;
  starter *s = all->starters;
  uint32_t n = 0;
  for (uint32_t k = 0; k < pool->n; k++) {
    s->now = (irl_select_choice){.n = 1, .k = {k}};
    irl_select_weigh(pool, &s->now, s->scratch);
    if (s->now.loss < pool->all) all->list[n++] = (start){s->now.loss, k, 0};
  }
  s->work += (uint64_t)pool->n * pool->n_words;
  qsort(all->list, n, sizeof *all->list, compare_starts);
  return n < most ? n : most;
}

static void run(starts *all, uint32_t most) {
  uint32_t first[MOST_FIRST];
  const uint32_t n = list_first(all, most);
  for (uint32_t i = 0; i < n; i++) first[i] = all->list[i].a;
  all->n = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++) all->list[all->n++] = (start){IRL_NO_LOSS, first[j], first[i]};
  run_all(all, all->n, try_start);
  qsort(all->list, all->n, sizeof *all->list, compare_starts);
  run_all(all, all->n < N_IMPROVED ? all->n : N_IMPROVED, improve);
}

irl_status irl_select_from_pairs(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                                 irl_select_choice *best, uint64_t *work) {
  const size_t n_threads = (size_t)pool->task->threads;
  const size_t n_words = 2 * pool->n_words + irl_select_additions_size(pool);
  /* As many first clauses as half of the work allows; the other half is for exchanges. */
  const uint64_t each = (uint64_t)pool->n * (pool->n_words + 1) * pool->problem->K;
  uint32_t most = 2;
  assert(!pool->problem->is_merged); /* which is searched as it stands */
  while (most < MOST_FIRST && most < pool->n && (uint64_t)most * most * each < limit->max_work)
    most++;
  const size_t n_list = (size_t)most * most > pool->n ? (size_t)most * most : pool->n;
  starts all = {.pool = pool, .limit = limit};
  all.starters = irl_mem_alloc(&env->allocator, n_threads, sizeof *all.starters);
  all.list = irl_mem_alloc(&env->allocator, n_list, sizeof *all.list);
  uint64_t *memory = irl_mem_alloc_aligned(&env->allocator, n_threads, n_words * sizeof *memory);
  const bool done = all.starters && all.list && memory;
  for (size_t t = 0; done && t < n_threads; t++) {
    starter *s = &all.starters[t];
    *s = (starter){.best.loss = IRL_NO_LOSS, .live = memory + t * n_words};
    s->scratch = s->live + pool->n_words;
    s->additions = irl_select_additions_at(pool, s->scratch + pool->n_words);
  }
  if (done && pool->n > 1 && pool->problem->K > 1) run(&all, most);
  for (size_t t = 0; done && t < n_threads; t++) {
    *work += all.starters[t].work;
    if (irl_select_better(pool, &all.starters[t].best, best)) *best = all.starters[t].best;
  }
  irl_mem_free_aligned(&env->allocator, memory);
  irl_mem_free(&env->allocator, all.list);
  irl_mem_free(&env->allocator, all.starters);
  return done ? IRL_STATUS_OK : irl_fail_memory(env);
}
