/* Solving a selection problem: prepare the pool, a good choice by greed, then the exact search
 * whose tasks are the first clauses of a choice, in rounds (search/rounds.h). */
#include "base/memory.h"
#include "search/rounds.h"
#include "select/select_search.h"
#include <stdlib.h>

#define TABU_SHARE 2u /* of the work, if it did not suffice for a proof */

typedef struct solver {
  irl_env *env;
  const irl_select_pool *pool;
  irl_select_worker *workers;
  irl_select_node root;
  irl_select_candidate *list; /* of the root: a task each */
  uint32_t n;
  irl_select_choice best;
  irl_select_choice *found; /* by each task of the round; k NULL: nothing */
  uint64_t nodes, *task_nodes;
  int64_t *bounds;
} solver;

/* What a choice must stay below. */
static int64_t to_beat(const solver *s) {
  const int64_t wanted = s->pool->problem->to_beat;
  return s->best.loss < wanted ? s->best.loss : wanted;
}

static void keep_found(solver *s, irl_select_worker *worker, uint32_t task) {
  const uint32_t K = s->pool->problem->K;
  uint32_t *k = irl_mem_alloc(&s->env->allocator, K, sizeof *k);
  if (!k) {
    worker->is_out_of_memory = true;
    return;
  }
  memcpy(k, worker->best.k, worker->best.n * sizeof *k);
  irl_mem_free(&s->env->allocator, s->found[task].k);
  s->found[task] = worker->best;
  s->found[task].k = k;
}

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  solver *s = user;
  irl_select_worker *worker = &s->workers[thread];
  worker->to_beat = to_beat(s);
  worker->nodes = worker->work = worker->next_check = 0;
  worker->max_work = max_work;
  worker->is_cut = false;
  worker->best.n = UINT32_MAX;
  worker->path.n = 0;
  if (s->bounds[task] < worker->to_beat)
    irl_select_bnb_branch(worker, 0, &s->root, s->list, s->n, task);
  if (worker->best.n != UINT32_MAX) keep_found(s, worker, task);
  s->task_nodes[task] = worker->nodes;
  *is_done = !worker->is_cut && !worker->is_out_of_memory;
  return worker->work;
}

static int compare_numbers(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  solver *s = user;
  irl_select_choice *found = &s->found[task];
  (void)is_done;
  s->nodes += s->task_nodes[task];
  if (!found->k) return;
  qsort(found->k, found->n, sizeof *found->k, compare_numbers);
  irl_select_weigh(s->pool, found, s->workers[0].cover);
  if (irl_select_better(s->pool, found, &s->best)) {
    uint32_t *k = s->best.k;
    s->best = *found;
    found->k = k;
  }
  irl_mem_free(&s->env->allocator, found->k);
  found->k = NULL;
}

/* The least bound of the tasks that are open. */
static int64_t open_bound(const solver *s, const irl_search_rounds *rounds) {
  int64_t bound = to_beat(s);
  for (uint32_t i = 0; i < rounds->n_tasks; i++)
    if (rounds->is_open[i] && s->bounds[i] < bound) bound = s->bounds[i];
  return bound;
}

static irl_status search(solver *s, const irl_limit *limit, int threads,
                         irl_select_result *result) {
  irl_search_rounds rounds = {.env = s->env,
                              .limit = limit,
                              .threads = threads,
                              .n_tasks = s->n,
                              .user = s,
                              .run = run_task,
                              .merge = merge_task};
  irl_status status = irl_search_run(&rounds);
  for (int t = 0; t < threads; t++)
    if (s->workers[t].is_out_of_memory) status = irl_fail_memory(s->env);
  result->work += rounds.work;
  result->nodes = s->nodes;
  if (!status) {
    const bool is_proven = open_bound(s, &rounds) >= to_beat(s);
    result->bound = open_bound(s, &rounds);
    result->outcome = !is_proven                          ? irl_limit_outcome(limit)
                      : s->best.loss < IRL_SELECT_NO_LOSS ? IRL_OPTIMAL
                                                          : IRL_INFEASIBLE;
  }
  irl_mem_free(&s->env->allocator, rounds.is_open);
  return status;
}

/* The root's candidates, each a task with its bound. */
static irl_status make_tasks(solver *s, const irl_limit *limit, irl_select_result *result) {
  const irl_allocator *allocator = &s->env->allocator;
  irl_select_worker *first = &s->workers[0];
  s->root = irl_select_root(s->pool);
  first->to_beat = to_beat(s);
  first->limit = limit;
  s->n = irl_select_list(first, 0, &s->root);
  s->list = irl_mem_alloc(allocator, s->n, sizeof *s->list);
  s->found = irl_mem_alloc(allocator, s->n, sizeof *s->found);
  s->task_nodes = irl_mem_alloc(allocator, s->n, sizeof *s->task_nodes);
  s->bounds = irl_mem_alloc(allocator, s->n, sizeof *s->bounds);
  if (!s->list || !s->found || !s->task_nodes || !s->bounds) return irl_fail_memory(s->env);
  if (s->n) memcpy(s->list, first->frames[0].list, s->n * sizeof *s->list);
  for (uint32_t i = 0; i < s->n; i++) s->bounds[i] = irl_select_bound(&s->root, s->list, s->n, i);
  result->work += first->work;
  return IRL_OK;
}

/* The start in the pool's numbers; clauses that are not there stand for nothing, or for what made
 * them superfluous, which the greedy method finds. */
static void take_start(solver *s, const uint32_t *chosen, uint32_t n_start) {
  irl_select_choice *best = &s->best;
  for (uint32_t k = 0; k < s->pool->n; k++)
    for (uint32_t i = 0; i < n_start && best->n < s->pool->problem->K; i++)
      if (s->pool->id[k] == chosen[i]) best->k[best->n++] = k;
}

static irl_status make_workers(solver *s, const irl_limit *limit, int threads) {
  s->workers = irl_mem_alloc(&s->env->allocator, (size_t)threads, sizeof *s->workers);
  if (!s->workers) return irl_fail_memory(s->env);
  for (int t = 0; t < threads; t++) {
    if (!irl_select_worker_init(&s->workers[t], s->pool)) return irl_fail_memory(s->env);
    s->workers[t].limit = limit;
  }
  return IRL_OK;
}

static irl_status solve_pool(solver *s, const irl_limit *limit, int threads, const uint32_t *chosen,
                             uint32_t n_start, irl_select_result *result) {
  s->best.k = irl_mem_alloc(&s->env->allocator, s->pool->problem->K, sizeof *s->best.k);
  irl_status status = s->best.k ? make_workers(s, limit, threads) : irl_fail_memory(s->env);
  if (status) return status;
  irl_select_weigh(s->pool, &s->best, s->workers[0].cover); /* choosing nothing */
  const irl_select_choice nothing = s->best;
  take_start(s, chosen, n_start);
  irl_select_weigh(s->pool, &s->best, s->workers[0].cover);
  if (nothing.loss <= s->best.loss) s->best = nothing;
  status = irl_select_greedy(s->env, s->pool, limit, &s->best, &result->work);
  if (!status) status = make_tasks(s, limit, result);
  if (!status) status = search(s, limit, threads, result);
  return status;
}

/* Where work ended the search, a part of it is spent on a better choice. */
static irl_status go_further(solver *s, const irl_limit *limit, int threads,
                             irl_select_result *result) {
  const bool is_open = result->outcome == IRL_LIMIT && limit->max_work != UINT64_MAX;
  if (!is_open || s->pool->problem->K < 2 || irl_limit_poll(limit)) return IRL_OK;
  const irl_status status = irl_select_tabu(s->env, s->pool, limit, threads,
                                            limit->max_work / TABU_SHARE, &s->best, &result->work);
  if (s->best.loss <= result->bound) result->outcome = IRL_OPTIMAL;
  return status;
}

static void free_solver(solver *s, int threads) {
  const irl_allocator *allocator = &s->env->allocator;
  for (int t = 0; s->workers && t < threads; t++)
    if (s->workers[t].pool) irl_select_worker_free(&s->workers[t]);
  for (uint32_t i = 0; s->found && i < s->n; i++) irl_mem_free(allocator, s->found[i].k);
  irl_mem_free(allocator, s->workers);
  irl_mem_free(allocator, s->list);
  irl_mem_free(allocator, s->found);
  irl_mem_free(allocator, s->task_nodes);
  irl_mem_free(allocator, s->bounds);
  irl_mem_free(allocator, s->best.k);
}

static irl_status check_K(irl_env *env, const irl_select_problem *problem) {
  if (problem->K && problem->K <= 64) return IRL_OK;
  return irl_fail(env, IRL_BAD_ARGUMENT, "K must be from 1 to 64, not %u", problem->K);
}

/* `work` is what making the pool took. */
static irl_status solve(irl_env *env, const irl_select_pool *pool, uint64_t work,
                        const irl_limit *limit, int threads, uint32_t *chosen, uint32_t n_start,
                        irl_select_result *result) {
  irl_select_result r = {.outcome = IRL_OPTIMAL, .work = work};
  if (pool->is_cut) { /* nothing is known but that no loss is negative */
    *result = (irl_select_result){.outcome = irl_limit_outcome(limit), .loss = IRL_SELECT_NO_LOSS};
    return IRL_OK;
  }
  solver s = {.env = env, .pool = pool};
  irl_status status = solve_pool(&s, limit, threads, chosen, n_start, &r);
  if (!status) status = go_further(&s, limit, threads, &r);
  if (!status) {
    r.n = s.best.loss < IRL_SELECT_NO_LOSS ? s.best.n : 0;
    r.loss = s.best.loss;
    r.cases = s.best.cases;
    r.controls = s.best.controls;
    r.literals = s.best.literals;
    for (uint32_t i = 0; i < r.n; i++) chosen[i] = pool->id[s.best.k[i]];
    qsort(chosen, r.n, sizeof *chosen, compare_numbers);
    *result = r;
  }
  free_solver(&s, threads);
  return status;
}

irl_status irl_select_solve(irl_env *env, const irl_select_problem *problem, const irl_limit *limit,
                            int threads, uint32_t *chosen, uint32_t n_start,
                            irl_select_result *result) {
  irl_select_pool pool;
  irl_status status = check_K(env, problem);
  if (!status) status = irl_select_pool_init(env, &pool, problem, limit, threads);
  if (status) return status;
  status = solve(env, &pool, pool.work, limit, threads, chosen, n_start, result);
  irl_select_pool_free(&pool);
  return status;
}

irl_status irl_select_prepare(irl_env *env, const irl_select_problem *loosest,
                              const irl_limit *limit, int threads, irl_select_pool **out) {
  irl_select_pool *pool = irl_mem_alloc(&env->allocator, 1, sizeof *pool);
  if (!pool) return irl_fail_memory(env);
  const irl_status status = irl_select_pool_init(env, pool, loosest, limit, threads);
  if (status)
    irl_mem_free(&env->allocator, pool);
  else
    *out = pool;
  return status;
}

void irl_select_release(irl_select_pool *pool) {
  if (!pool) return;
  const irl_allocator allocator = pool->allocator;
  irl_select_pool_free(pool);
  irl_mem_free(&allocator, pool);
}

irl_status irl_select_solve_prepared(irl_env *env, const irl_select_pool *prepared,
                                     const irl_select_problem *problem, const irl_limit *limit,
                                     int threads, uint32_t *chosen, uint32_t n_start,
                                     irl_select_result *result) {
  const irl_status status = check_K(env, problem);
  if (status) return status;
  irl_select_pool pool = *prepared; /* borrows its arrays */
  irl_select_pool_aim(&pool, problem);
  return solve(env, &pool, 0, limit, threads, chosen, n_start, result);
}
