/* Wandering: a tabu search for choices from pools that are too large to prove anything about. A
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
  uint32_t *cases, *controls; /* that each clause would add */
  uint64_t *is_out_until;     /* step, of each clause */
  uint64_t step, work, max_work;
  int64_t local; /* the least loss since the walk began again */
  uint64_t local_step;
} walk;

static bool walk_init(walk *w, irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                      uint32_t number) {
  const irl_allocator *allocator = &env->allocator;
  *w = (walk){.pool = pool, .limit = limit};
  irl_random_init(&w->random, 1, number);
  w->now.k = irl_mem_alloc(allocator, pool->problem->K, sizeof *w->now.k);
  w->best.k = irl_mem_alloc(allocator, pool->problem->K, sizeof *w->best.k);
  w->live = irl_mem_alloc_aligned(allocator, pool->stride, sizeof *w->live);
  w->scratch = irl_mem_alloc_aligned(allocator, pool->stride, sizeof *w->scratch);
  w->cases = irl_mem_alloc(allocator, pool->n, sizeof *w->cases);
  w->controls = irl_mem_alloc(allocator, pool->n, sizeof *w->controls);
  w->is_out_until = irl_mem_alloc(allocator, pool->n, sizeof *w->is_out_until);
  return w->now.k && w->best.k && w->live && w->scratch && w->cases && w->controls &&
         w->is_out_until;
}

static void walk_free(walk *w, irl_env *env) {
  const irl_allocator *allocator = &env->allocator;
  irl_mem_free(allocator, w->now.k);
  irl_mem_free(allocator, w->best.k);
  irl_mem_free_aligned(allocator, w->live);
  irl_mem_free_aligned(allocator, w->scratch);
  irl_mem_free(allocator, w->cases);
  irl_mem_free(allocator, w->controls);
  irl_mem_free(allocator, w->is_out_until);
}

/* What each clause would add to the choice. */
static void count_all(walk *w) {
  const irl_select_pool *pool = w->pool;
  irl_bits_fill(w->live, pool->n_cases, pool->case_words);
  irl_bits_fill(w->live + pool->case_words, pool->n_controls, pool->control_words);
  for (uint32_t i = 0; i < w->now.n; i++)
    pool->kernels->andnot_into(w->live, w->live, irl_select_cases(pool, w->now.k[i]), pool->stride);
  pool->kernels->and_count_many(w->live, pool->words, pool->stride, NULL, pool->n, pool->case_words,
                                w->cases);
  pool->kernels->and_count_many(w->live + pool->case_words, pool->words + pool->case_words,
                                pool->stride, NULL, pool->n, pool->control_words, w->controls);
  w->work += (uint64_t)pool->n * pool->stride;
}

/* The allowed clause that gains most, ties at random; pool->n if none gains. */
static uint32_t best_addition(walk *w) {
  const irl_select_pool *pool = w->pool;
  const irl_select_problem *problem = pool->problem;
  const bool is_short = w->now.cases < pool->min_cases;
  const uint64_t controls_left = pool->max_controls - w->now.controls;
  const uint64_t room = irl_select_literal_budget(problem, w->now.n, w->now.literals);
  int64_t best = 0;
  uint32_t pick = pool->n, n_ties = 0;
  for (uint32_t k = 0; k < pool->n; k++) {
    const int64_t cases = w->cases[k], controls = w->controls[k];
    int64_t gain = problem->case_weight * cases - pool->control_weight * controls - pool->cost[k];
    if (is_short) gain = cases * ((int64_t)1 << 32) - controls;
    if (gain <= 0 || gain < best || w->is_out_until[k] > w->step) continue;
    if ((uint64_t)controls > controls_left || pool->size[k] > room) continue;
    n_ties = gain > best ? 1 : n_ties + 1;
    if (gain > best || irl_random_below(&w->random, n_ties) == 0) pick = k;
    best = gain;
  }
  return pick;
}

static void take_out(walk *w, uint32_t i) {
  const uint32_t k = w->now.k[i];
  w->is_out_until[k] = w->step + LEAST_TABU + irl_random_below(&w->random, RANDOM_TABU);
  memmove(w->now.k + i, w->now.k + i + 1, (w->now.n - i - 1) * sizeof *w->now.k);
  w->now.n--;
}

/* Puts the best clause in, if one gains. */
static bool put_in(walk *w) {
  irl_select_weigh(w->pool, &w->now, w->scratch);
  if (w->now.controls > w->pool->max_controls) return false;
  count_all(w);
  const uint32_t k = best_addition(w);
  if (k == w->pool->n) return false;
  w->now.k[w->now.n++] = k;
  return true;
}

static void keep_better(walk *w) {
  const uint32_t K = w->pool->problem->K;
  irl_select_weigh(w->pool, &w->now, w->scratch);
  if (w->now.loss < w->local) {
    w->local = w->now.loss;
    w->local_step = w->step;
  }
  if (w->now.loss >= w->best.loss) return;
  uint32_t *k = w->best.k;
  memcpy(k, w->now.k, K * sizeof *k);
  w->best = w->now;
  w->best.k = k;
}

static void begin_again(walk *w) {
  const uint32_t n_kept = w->now.n / 2;
  while (w->now.n > n_kept) take_out(w, (uint32_t)irl_random_below(&w->random, w->now.n));
  w->local = IRL_SELECT_NO_LOSS;
  w->local_step = w->step;
}

static void run_walk(walk *w) {
  const uint32_t K = w->pool->problem->K;
  while (w->work < w->max_work && w->best.loss > w->pool->lost && !irl_limit_poll(w->limit)) {
    w->step++;
    if (w->now.n) take_out(w, (uint32_t)irl_random_below(&w->random, w->now.n));
    while (w->now.n < K && put_in(w)) continue;
    keep_better(w);
    if (w->step - w->local_step > STALL) begin_again(w);
  }
}

/* The best of the walks replaces `best` if it is better. */
static void take_walks(const irl_select_pool *pool, const walk *walks, irl_select_choice *best) {
  const walk *winner = NULL;
  for (uint32_t i = 0; i < N_WALKS; i++)
    if (walks[i].best.loss < (winner ? winner->best.loss : best->loss)) winner = &walks[i];
  if (!winner) return;
  uint32_t *k = best->k;
  *best = winner->best;
  best->k = k;
  memcpy(k, winner->best.k, pool->problem->K * sizeof *k);
  irl_select_sort(best);
}

irl_status irl_select_tabu(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                           int threads, uint64_t max_work, irl_select_choice *best,
                           uint64_t *work) {
  walk walks[N_WALKS];
  bool is_ready = true;
  for (uint32_t i = 0; i < N_WALKS; i++) {
    is_ready = walk_init(&walks[i], env, pool, limit, i) && is_ready;
    walks[i].max_work = max_work / N_WALKS;
    walks[i].best.loss = walks[i].local = IRL_SELECT_NO_LOSS;
  }
  if (is_ready) {
#pragma omp parallel for num_threads(irl_threads_here(threads)) schedule(dynamic, 1)
    for (uint32_t i = 0; i < N_WALKS; i++) run_walk(&walks[i]);
    take_walks(pool, walks, best);
  }
  for (uint32_t i = 0; i < N_WALKS; i++) {
    *work += walks[i].work;
    walk_free(&walks[i], env);
  }
  return is_ready ? IRL_OK : irl_fail_memory(env);
}
