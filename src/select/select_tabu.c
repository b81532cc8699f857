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
  irl_select_filler filler;
  irl_random random;
  irl_select_choice best;
  uint64_t *is_out_until; /* step, of each clause */
  uint64_t step, max_work;
  int64_t local; /* the least loss since the walk began again */
  uint64_t local_step;
} walk;

/* Puts the clause in that gains most, ties at random; false if none gains. */
static bool put_in(walk *w) {
  irl_select_filler *f = &w->filler;
  int64_t best = 0;
  uint32_t pick = 0, n_ties = 0;
  if (!irl_select_look(f)) return false;
  f->work += (uint64_t)f->pool->n * f->pool->n_words;
  for (uint32_t k = 0; k < f->pool->n; k++) {
    const int64_t gain = irl_select_gain(f, k);
    if (gain <= 0 || gain < best || w->is_out_until[k] > w->step) continue;
    n_ties = gain > best ? 1 : n_ties + 1;
    if (gain > best || irl_random_below(&w->random, n_ties) == 0) pick = k;
    best = gain;
  }
  if (n_ties) f->now.k[f->now.n++] = pick;
  return n_ties;
}

static void take_out(walk *w, uint32_t i) {
  irl_select_choice *now = &w->filler.now;
  assert(i < now->n && now->k[i] < w->filler.pool->n);
  w->is_out_until[now->k[i]] = w->step + LEAST_TABU + irl_random_below(&w->random, RANDOM_TABU);
  irl_select_remove(now, i);
}

static void run_walk(walk *w) {
  const irl_select_pool *pool = w->filler.pool;
  irl_select_choice *now = &w->filler.now;
  while (w->filler.work < w->max_work && w->best.loss > pool->lost &&
         !irl_limit_poll(w->filler.limit)) {
    w->step++;
    if (now->n) take_out(w, (uint32_t)irl_random_below(&w->random, now->n));
    while (put_in(w)) continue;
    irl_select_weigh(pool, now, w->filler.scratch);
    assert(now->n <= pool->problem->K && now->loss >= pool->lost);
    if (now->loss < w->best.loss) w->best = *now;
    if (now->loss < w->local) {
      w->local = now->loss;
      w->local_step = w->step;
    }
    if (w->step - w->local_step <= STALL) continue;
    const uint32_t n_kept = now->n / 2;
    while (now->n > n_kept) take_out(w, (uint32_t)irl_random_below(&w->random, now->n));
    w->local = IRL_NO_LOSS;
    w->local_step = w->step;
  }
}

irl_status irl_select_tabu(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                           irl_select_choice *best, uint64_t *work) {
  const size_t n_out = (pool->n + IRL_BITS_BLOCK - 1) / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
  const size_t n_words = n_out + irl_select_filler_size(pool);
  walk walks[N_WALKS];
  uint64_t *memory = irl_mem_alloc_aligned(&env->allocator, N_WALKS, n_words * sizeof *memory);
  if (!memory) return irl_fail_memory(env);
  for (uint32_t i = 0; i < N_WALKS; i++) {
    walk *w = &walks[i];
    *w = (walk){.filler = irl_select_filler_at(pool, limit, memory + i * n_words + n_out),
                .is_out_until = memory + i * n_words,
                .max_work = limit->max_work / N_WALKS};
    w->best.loss = w->local = IRL_NO_LOSS;
    irl_random_init(&w->random, 1, i);
  }
#pragma omp parallel for num_threads(irl_threads_here(pool->task->threads)) schedule(dynamic, 1)
  for (uint32_t i = 0; i < N_WALKS; i++) run_walk(&walks[i]);
  for (uint32_t i = 0; i < N_WALKS; i++) {
    *work += walks[i].filler.work;
    if (walks[i].best.loss >= best->loss) continue;
    *best = walks[i].best;
    irl_select_sort(best);
  }
  irl_mem_free_aligned(&env->allocator, memory);
  return IRL_STATUS_OK;
}
