/* A tabu search for choices from pools that are too large to prove anything about. A
 * step takes a clause out at random and puts the best one in that was not taken out lately, also if
 * that makes the choice worse. A walk that has found nothing better for a while begins again with
 * half of its clauses drawn anew. Walks do not see each other and have random streams of their own,
 * so they run in parallel and their best is the same for any number of threads. */
#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "select/select_pool.h"

#define N_WALKS     4u
#define STALL       4000u /* steps without a better choice before a walk begins again */
#define LEAST_TABU  5u    /* steps for which a clause stays out, */
#define RANDOM_TABU 10u   /* and up to so many more */

typedef struct walk {
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_random random;
  irl_select_choice now, best;
  uint64_t *live, *scratch;
  irl_select_additions additions;
  uint64_t *is_out_until; /* step, of each clause */
  uint64_t step, work, max_work;
  int64_t local; /* the least loss since the walk began again */
  uint64_t local_step;
} walk;

/* The allowed clause that gains most, ties at random; pool->n if none gains. */
static uint32_t best_addition(walk *w) {
  const irl_select_pool *pool = w->pool;
  const irl_problem *problem = pool->problem;
  const bool is_short = irl_select_misses_cases(pool, &w->now);
  assert(w->now.n < problem->K && w->now.controls <= pool->max_controls);
  const uint64_t controls_left = pool->max_controls - w->now.controls;
  const uint64_t max_size = irl_problem_literal_budget(problem, w->now.n, w->now.literals);
  int64_t best = 0;
  uint32_t pick = pool->n, n_ties = 0;
  for (uint32_t k = 0; k < pool->n; k++) {
    const int64_t controls = w->additions.weights[1][k];
    const int64_t gain = irl_select_gain(pool, k, is_short, w->additions.weights[0][k], controls);
    if (gain <= 0 || gain < best || w->is_out_until[k] > w->step) continue;
    if ((uint64_t)controls > controls_left || pool->size[k] > max_size) continue;
    n_ties = gain > best ? 1 : n_ties + 1;
    if (gain > best || irl_random_below(&w->random, n_ties) == 0) pick = k;
    best = gain;
  }
  return pick;
}

static void take_out(walk *w, uint32_t i) {
  assert(i < w->now.n && w->now.k[i] < w->pool->n);
  const uint32_t k = w->now.k[i];
  w->is_out_until[k] = w->step + LEAST_TABU + irl_random_below(&w->random, RANDOM_TABU);
  irl_select_remove(&w->now, i);
}

/* Puts the best clause in, if one gains. */
static bool put_in(walk *w) {
  const irl_select_pool *pool = w->pool;
  irl_select_weigh(pool, &w->now, w->scratch);
  if (w->now.controls > pool->max_controls) return false;
  irl_select_leave(pool, &w->now, w->live);
  irl_select_add_up(pool, w->live, &w->additions);
  w->work += (uint64_t)pool->n * pool->n_words;
  const uint32_t k = best_addition(w);
  if (k == pool->n) return false;
  assert(w->now.n < pool->problem->K);
  w->now.k[w->now.n++] = k;
  return true;
}

static void run_walk(walk *w) {
  const uint32_t K = w->pool->problem->K;
  while (w->work < w->max_work && w->best.loss > w->pool->lost && !irl_limit_poll(w->limit)) {
    w->step++;
    if (w->now.n) take_out(w, (uint32_t)irl_random_below(&w->random, w->now.n));
    while (w->now.n < K && put_in(w)) continue;
    irl_select_weigh(w->pool, &w->now, w->scratch);
    assert(w->now.n <= K && w->now.loss >= w->pool->lost);
    if (w->now.loss < w->best.loss) w->best = w->now;
    if (w->now.loss < w->local) {
      w->local = w->now.loss;
      w->local_step = w->step;
    }
    if (w->step - w->local_step <= STALL) continue;
    const uint32_t n_kept = w->now.n / 2;
    while (w->now.n > n_kept) take_out(w, (uint32_t)irl_random_below(&w->random, w->now.n));
    w->local = IRL_NO_LOSS;
    w->local_step = w->step;
  }
}

irl_status irl_select_tabu(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                           irl_select_choice *best, uint64_t *work) {
  const size_t n = pool->n;
  const size_t n_out = (n + IRL_BITS_BLOCK - 1) / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
  const size_t n_words = 2 * pool->n_words + n_out + irl_select_additions_size(pool);
  walk walks[N_WALKS];
  assert(!pool->problem->is_merged); /* which is searched as it stands */
  uint64_t *memory = irl_mem_alloc_aligned(&env->allocator, N_WALKS, n_words * sizeof *memory);
  if (!memory) return irl_fail_memory(env);
  for (uint32_t i = 0; i < N_WALKS; i++) {
    walk *w = &walks[i];
    *w = (walk){.pool = pool, .limit = limit, .max_work = limit->max_work / N_WALKS};
    w->best.loss = w->local = IRL_NO_LOSS;
    irl_random_init(&w->random, 1, i);
    w->live = memory + i * n_words;
    w->scratch = w->live + pool->n_words;
    w->is_out_until = w->scratch + pool->n_words;
    w->additions = irl_select_additions_at(pool, w->is_out_until + n_out);
  }
#pragma omp parallel for num_threads(irl_threads_here(pool->task->threads)) schedule(dynamic, 1)
  for (uint32_t i = 0; i < N_WALKS; i++) run_walk(&walks[i]);
  for (uint32_t i = 0; i < N_WALKS; i++) {
    *work += walks[i].work;
    if (walks[i].best.loss >= best->loss) continue;
    *best = walks[i].best;
    irl_select_sort(best);
  }
  irl_mem_free_aligned(&env->allocator, memory);
  return IRL_STATUS_OK;
}
