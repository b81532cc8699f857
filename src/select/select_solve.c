/* Solving a selection problem: prepare the pool, a good choice by greed, then the exact search
 * whose tasks are the first clauses of a choice, in rounds (search/rounds.h). Processes that all
 * have a copy of the merged samples share these rounds (select_comm.c). */
#include "base/clock.h"
#include "base/memory.h"
#include "search/rounds.h"
#include "select/select_comm.h"
#include "select/select_search.h"
#include <stdlib.h>

#define TABU_SHARE      2u   /* of the work, if it did not suffice for a proof */
#define PROGRESS_PERIOD 0.25 /* seconds between two lines */

/* What there is to know about a task: the candidate of the root that comes first. */
typedef struct task {
  int64_t bound;
  uint64_t nodes;           /* in its last run */
  irl_select_choice *found; /* in its last run; NULL: nothing */
} task;

typedef struct solver {
  irl_env *env;
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_select_worker *workers;
  irl_select_candidate *list; /* of the root: a task each */
  task *tasks;
  uint32_t n;
  irl_select_choice best;
  uint64_t nodes;
  const irl_search_rounds *rounds;
  double last_line; /* when the progress line was printed */
  bool is_shared;   /* with other processes */
} solver;

/* What a choice must stay below. */
static int64_t to_beat(const solver *s) {
  const int64_t wanted = s->pool->problem->to_beat;
  return s->best.loss < wanted ? s->best.loss : wanted;
}

/* ---- tasks ---- */

static bool keep_found(solver *s, uint32_t number, const irl_select_choice *choice) {
  task *t = &s->tasks[number];
  if (!t->found) t->found = irl_mem_alloc(&s->env->allocator, 1, sizeof *t->found);
  if (!t->found) return false;
  *t->found = *choice;
  return true;
}

static uint64_t run_task(void *user, int thread, uint32_t number, uint64_t max_work,
                         bool *is_done) {
  solver *s = user;
  irl_select_worker *worker = &s->workers[thread];
  worker->to_beat = to_beat(s);
  worker->nodes_done = worker->work = worker->next_check = 0;
  worker->max_work = max_work;
  worker->is_cut = false;
  worker->best.n = UINT32_MAX;
  worker->path.n = 0;
  if (s->tasks[number].bound < worker->to_beat) irl_select_branch(worker, 0, s->list, s->n, number);
  if (worker->best.n != UINT32_MAX && !keep_found(s, number, &worker->best))
    worker->is_out_of_memory = true;
  s->tasks[number].nodes = worker->nodes_done;
  *is_done = !worker->is_cut && !worker->is_out_of_memory;
  return worker->work;
}

static void merge_task(void *user, uint32_t number, bool is_done) {
  solver *s = user;
  irl_select_choice *found = s->tasks[number].found;
  (void)is_done;
  s->nodes += s->tasks[number].nodes;
  assert(number < s->n);
  if (!found) return;
  const int64_t loss = found->loss;
  irl_select_sort(found);
  irl_select_weigh(s->pool, found, s->workers[0].cover);
  assert(found->loss == loss && loss >= s->tasks[number].bound);
  (void)loss;
  if (irl_select_better(s->pool, found, &s->best)) s->best = *found;
  irl_mem_free(&s->env->allocator, found);
  s->tasks[number].found = NULL;
}

/* The least bound of the tasks that are open. What the candidates could gain may be more than there
 * is to lose. */
static int64_t open_bound(const solver *s) {
  int64_t bound = to_beat(s);
  for (uint32_t i = 0; i < s->n; i++)
    if (s->rounds->is_open[i] && s->tasks[i].bound < bound) bound = s->tasks[i].bound;
  return bound > 0 ? bound : 0;
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  solver *s = user;
  const irl_select_problem *problem = s->pool->problem;
  const double now = irl_clock_now();
  if (now - s->last_line < PROGRESS_PERIOD) return true;
  s->last_line = now;
  const double loss = (double)irl_merged_loss(problem->merged, to_beat(s));
  const double bound = (double)irl_merged_loss(problem->merged, open_bound(s));
  irl_log(s->env, IRL_LOG_PROGRESS,
          "choose  nodes %llu  open %u of %u  best %.6g  bound %.6g  gap %.1f %%  work %.3g",
          (unsigned long long)s->nodes, n_open, s->n, loss / problem->divisor,
          bound / problem->divisor, loss > 0 ? 100 * (loss - bound) / loss : 0, (double)work);
  return true;
}

/* Writes what a task found for the other processes. */
static void put_task(void *user, uint32_t number, irl_message *message) {
  const solver *s = user;
  const irl_select_choice *found = s->tasks[number].found;
  irl_message_put_number(message, s->tasks[number].nodes);
  irl_message_put_number(message, found ? found->n : UINT32_MAX);
  if (!found) return;
  irl_message_put_number(message, (uint64_t)found->loss);
  irl_message_put(message, found->k, found->n * sizeof *found->k);
}

static bool get_task(void *user, uint32_t number, irl_message *message) {
  solver *s = user;
  irl_select_choice found = {.n = 0};
  s->tasks[number].nodes = irl_message_get_number(message);
  found.n = (uint32_t)irl_message_get_number(message);
  if (found.n == UINT32_MAX) return true;
  found.loss = (int64_t)irl_message_get_number(message);
  const void *k = irl_message_get(message, found.n * sizeof *found.k);
  if (!k || found.n > s->pool->problem->K) return false;
  memcpy(found.k, k, found.n * sizeof *found.k);
  return keep_found(s, number, &found);
}

static bool is_well(void *user) {
  const solver *s = user;
  for (int t = 0; t < s->pool->problem->threads; t++)
    if (s->workers[t].is_out_of_memory) return false;
  return true;
}

static irl_status run_tasks(solver *s, irl_select_result *result) {
  irl_search_rounds rounds = {.env = s->env,
                              .limit = s->limit,
                              .threads = s->pool->problem->threads,
                              .n_tasks = s->n,
                              .user = s,
                              .run = run_task,
                              .merge = merge_task,
                              .report = s->pool->problem->divisor > 0 ? report : NULL};
  if (s->is_shared) {
    rounds.put = put_task;
    rounds.get = get_task;
    rounds.is_well = is_well;
  }
  s->rounds = &rounds;
  irl_status status = irl_search_run(&rounds);
  if (!status && !is_well(s)) status = irl_fail_memory(s->env);
  result->work += rounds.work;
  result->nodes = s->nodes;
  if (!status) {
    result->bound = open_bound(s);
    result->outcome = result->bound < to_beat(s)          ? irl_limit_outcome(s->limit)
                      : s->best.loss < IRL_SELECT_NO_LOSS ? IRL_OPTIMAL
                                                          : IRL_INFEASIBLE;
  }
  irl_mem_free(&s->env->allocator, rounds.is_open);
  return status;
}

/* ---- before and after the search ---- */

static irl_status make_workers(solver *s) {
  const int threads = s->pool->problem->threads;
  s->workers = irl_mem_alloc(&s->env->allocator, (size_t)threads, sizeof *s->workers);
  if (!s->workers) return irl_fail_memory(s->env);
  for (int t = 0; t < threads; t++)
    if (!irl_select_worker_init(&s->workers[t], s->pool, s->limit)) return irl_fail_memory(s->env);
  return IRL_OK;
}

/* The start in the pool's numbers; clauses that are not there stand for nothing, or for what made
 * them superfluous, which the greedy method finds. */
static irl_status find_start(solver *s, const uint32_t *chosen, uint64_t *work) {
  irl_select_choice start = {.n = 0};
  const irl_select_problem *problem = s->pool->problem;
  irl_select_weigh(s->pool, &s->best, s->workers[0].cover); /* choosing nothing */
  for (uint32_t k = 0; problem->n_start && k < s->pool->n; k++)
    for (uint32_t i = 0; i < problem->n_start && start.n < problem->K; i++)
      if (irl_select_id(s->pool, k) == chosen[i]) start.k[start.n++] = k;
  irl_select_weigh(s->pool, &start, s->workers[0].cover);
  if (start.loss < s->best.loss) s->best = start;
  return problem->merged ? IRL_OK : irl_select_greedy(s->env, s->pool, s->limit, &s->best, work);
}

/* The root's candidates, each a task with its bound. */
static irl_status make_tasks(solver *s, uint64_t *work) {
  const irl_allocator *allocator = &s->env->allocator;
  const irl_select_pool *pool = s->pool;
  irl_select_worker *first = &s->workers[0];
  irl_select_node *root = &first->nodes[0];
  first->to_beat = to_beat(s);
  irl_select_list(first, 0, NULL, pool->n);
  irl_select_sort_by_value(root);
  for (int t = 1; t < pool->problem->threads; t++) {
    irl_select_node *other = &s->workers[t].nodes[0];
    memcpy(other->relaxed, root->relaxed, pool->covers[0].n_words * sizeof *root->relaxed);
    other->relaxed_weight = root->relaxed_weight;
  }
  *work += first->work;
  s->n = root->n;
  s->list = irl_mem_alloc(allocator, s->n, sizeof *s->list);
  s->tasks = irl_mem_alloc(allocator, s->n, sizeof *s->tasks);
  if (!s->list || !s->tasks || first->is_out_of_memory) return irl_fail_memory(s->env);
  if (s->n) memcpy(s->list, root->list, s->n * sizeof *s->list);
  for (uint32_t i = 0; i < s->n; i++) {
    s->tasks[i].bound = irl_select_bound(root, s->list, s->n, i);
    assert(!i || s->tasks[i].bound >= s->tasks[i - 1].bound);
  }
  return IRL_OK;
}

/* Where work ended the search, a part of it is spent on a better choice. */
static irl_status search_further(solver *s, irl_select_result *result) {
  const irl_select_problem *problem = s->pool->problem;
  irl_limit part = *s->limit;
  if (result->outcome != IRL_LIMIT || part.max_work == UINT64_MAX) return IRL_OK;
  if (problem->merged || problem->K < 2 || irl_limit_poll(s->limit)) return IRL_OK;
  part.max_work /= TABU_SHARE;
  const irl_status status = irl_select_tabu(s->env, s->pool, &part, &s->best, &result->work);
  if (s->best.loss <= result->bound) result->outcome = IRL_OPTIMAL;
  return status;
}

static void free_solver(solver *s) {
  const irl_allocator *allocator = &s->env->allocator;
  for (int t = 0; s->workers && t < s->pool->problem->threads; t++)
    irl_select_worker_free(&s->workers[t]);
  for (uint32_t i = 0; s->tasks && i < s->n; i++) irl_mem_free(allocator, s->tasks[i].found);
  irl_mem_free(allocator, s->workers);
  irl_mem_free(allocator, s->list);
  irl_mem_free(allocator, s->tasks);
}

static int compare_numbers(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static irl_status check_problem(irl_env *env, const irl_select_problem *problem) {
  assert(problem->case_weight >= 0 && problem->control_weight >= 0 && problem->threads > 0);
  assert(problem->cases->n_vectors == problem->controls->n_vectors);
  if (problem->K && problem->K <= IRL_SELECT_MAX_K) return IRL_OK;
  return irl_fail(env, IRL_BAD_ARGUMENT, "K must be from 1 to %u, not %u", IRL_SELECT_MAX_K,
                  problem->K);
}

/* The result's work begins with that of making the pool. */
static irl_status solve_pool(solver *s, uint32_t *chosen, irl_select_result *result) {
  irl_status status = make_workers(s);
  if (!status) status = find_start(s, chosen, &result->work);
  if (!status) status = make_tasks(s, &result->work);
  if (s->is_shared) status = irl_comm_agree(s->env, status);
  if (!status) status = run_tasks(s, result);
  if (!status) status = search_further(s, result);
  if (status) return status;
  result->n = s->best.loss < IRL_SELECT_NO_LOSS ? s->best.n : 0;
  result->loss = s->best.loss;
  result->cases = s->best.cases;
  result->controls = s->best.controls;
  result->literals = s->best.literals;
  assert(result->bound <= result->loss && result->n <= s->pool->problem->K);
  for (uint32_t i = 0; i < result->n; i++) chosen[i] = irl_select_id(s->pool, s->best.k[i]);
  qsort(chosen, result->n, sizeof *chosen, compare_numbers);
  return IRL_OK;
}

static irl_status solve(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                        bool is_shared, uint32_t *chosen, irl_select_result *result) {
  irl_select_result r = {.outcome = irl_limit_outcome(limit), .loss = IRL_SELECT_NO_LOSS};
  irl_status status = IRL_OK;
  if (!pool->is_cut) { /* otherwise nothing is known but that no loss is negative */
    solver s = {.env = env, .pool = pool, .limit = limit, .is_shared = is_shared};
    r.work = pool->work;
    status = solve_pool(&s, chosen, &r);
    free_solver(&s);
  }
  if (!status) *result = r;
  return status;
}

irl_status irl_select_solve_here(irl_env *env, const irl_select_problem *problem,
                                 const irl_limit *limit, bool is_shared, uint32_t *chosen,
                                 irl_select_result *result) {
  irl_select_pool pool;
  irl_status status = irl_select_pool_init(env, &pool, problem, limit);
  if (status) return status;
  status = solve(env, &pool, limit, is_shared, chosen, result);
  irl_select_pool_free(&pool);
  return status;
}

irl_status irl_select_solve(irl_env *env, const irl_select_problem *problem, const irl_limit *limit,
                            uint32_t *chosen, irl_select_result *result) {
  const bool is_shared = problem->merged && problem->merged->data->copy_id;
  irl_status status = check_problem(env, problem);
  if (!status && is_shared) status = irl_select_call(env, problem, limit);
  if (status) return status;
  return irl_select_solve_here(env, problem, limit, is_shared, chosen, result);
}

irl_status irl_select_prepare(irl_env *env, const irl_select_problem *loosest,
                              const irl_limit *limit, irl_select_pool **out) {
  irl_select_pool *pool = irl_mem_alloc(&env->allocator, 1, sizeof *pool);
  if (!pool) return irl_fail_memory(env);
  const irl_status status = irl_select_pool_init(env, pool, loosest, limit);
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
                                     uint32_t *chosen, irl_select_result *result) {
  const irl_status status = check_problem(env, problem);
  if (status) return status;
  irl_select_pool pool = *prepared; /* borrows its arrays */
  pool.work = 0;
  irl_select_pool_aim(&pool, problem);
  return solve(env, &pool, limit, false, chosen, result);
}
