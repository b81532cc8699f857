/* Solving a selection problem: prepare the pool, a good choice by greed, then the exact search
 * whose tasks are the first clauses of a choice, in rounds (search/rounds.h). Processes that all
 * have a copy of the merged samples share these rounds: they get the clauses as literals, make
 * their covers, and run the same search in step. */
#include "base/clock.h"
#include "base/memory.h"
#include "search/rounds.h"
#include "search/search.h"
#include "select/select_search.h"
#include <math.h>
#include <stdlib.h>

#define PAIRS_SHARE     4u   /* of the work, if it did not suffice for a proof: greed from pairs, */
#define TABU_SHARE      4u   /* and tabu search */
#define PROGRESS_PERIOD 0.25 /* seconds between two lines */
#define MANY_TASKS      1024u /* from so many on a task has several candidates, */
#define MAX_BLOCK       16u   /* but no more than this */

/* What there is to know about a task of the rounds: candidates of a root of which one comes first.
 * Several have one task where there are many, so that they learn from each other. */
typedef struct job {
  uint32_t root, first, end;
  int64_t bound;            /* the least of theirs */
  uint64_t nodes;           /* in its last run */
  irl_select_choice *found; /* in its last run; NULL: nothing */
} job;

typedef struct solver {
  irl_env *env;
  const irl_select_pool *pool;
  const irl_limit *limit;
  irl_select_worker *workers;
  irl_select_root roots[IRL_SELECT_MAX_RANGES];
  uint32_t n_roots;
  job *tasks;
  uint32_t n;
  irl_select_choice best;
  uint64_t nodes;
  const irl_search_rounds *rounds;
  double last_line; /* when the progress line was printed */
  bool is_shared;   /* with other processes */
} solver;

/* What a choice must stay below. */
static int64_t to_beat(const solver *s) {
  const int64_t wanted = s->pool->task->to_beat;
  return s->best.loss < wanted ? s->best.loss : wanted;
}

/* ---- tasks ---- */

static bool keep_found(solver *s, uint32_t number, const irl_select_choice *choice) {
  job *t = &s->tasks[number];
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
  if (worker->ending == IRL_ENDED_BY_LIMIT) worker->ending = IRL_ENDED; /* in another task */
  worker->best.n = UINT32_MAX;
  assert(s->tasks[number].root < s->n_roots && !s->tasks[number].found);
  irl_select_begin(worker, &s->roots[s->tasks[number].root]);
  const job *t = &s->tasks[number];
  for (uint32_t i = t->first; i < t->end && t->bound < worker->to_beat; i++)
    if (irl_select_limit_reached(worker) || !irl_select_branch(worker, 0, i)) break;
  if (worker->best.n != UINT32_MAX && !keep_found(s, number, &worker->best))
    worker->ending = IRL_ENDED_BY_MEMORY;
  s->tasks[number].nodes = worker->nodes_done;
  *is_done = !worker->ending;
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
  irl_select_weigh(s->pool, found, s->workers[0].memory);
  assert(found->loss == loss); /* its budget may be in another range than the task's */
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

/* What the open tasks will take. Of n tasks the i-th has to do with the n - i later ones, of which
 * it chooses K - 1: the first ones take most, and the part y of them takes the part 1 - (1 - y)^(K
 * - 1) of the work, about (measured with K = 4: 0.05 to 0.1 of the tasks took 0.1 to 0.25 of it,
 * 0.25 took 0.5 to 0.6, half of them 0.8 to 0.9). */
static double work_left(const solver *s, uint32_t n_open, uint64_t work) {
  const uint32_t K = s->pool->problem->K;
  const double open = s->n ? (double)n_open / s->n : 0;
  const double part = 1 - pow(open, K > 2 ? K - 1 : 1);
  return part > 1e-9 ? (double)work * (1 - part) / part : 1e18;
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  solver *s = user;
  const irl_select_task *task = s->pool->task;
  const irl_search *search = task->search;
  const double now = irl_clock_now();
  if (task->trial_work && work >= task->trial_work &&
      (double)work + work_left(s, n_open, work) > (double)s->limit->max_work)
    return false;
  if (!search || now - s->last_line < PROGRESS_PERIOD) return true;
  s->last_line = now;
  const int64_t found = irl_problem_full_loss(task->problem, s->best.loss);
  const int64_t open = irl_problem_full_loss(task->problem, open_bound(s));
  const int64_t known = irl_search_target(search);
  const double loss = irl_problem_objective(task->problem, found < known ? found : known);
  const double bound =
      irl_problem_objective(task->problem, open > search->proof.bound ? open : search->proof.bound);
  irl_log(s->env, IRL_LOG_PROGRESS,
          "choose  nodes %llu  open %u of %u  best %.6g  bound %.6g  gap %.1f %%  work %.3g",
          (unsigned long long)s->nodes, n_open, s->n, loss, bound,
          loss > 0 ? 100 * (loss - bound) / loss : 0, (double)work);
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
  return found.n <= s->pool->problem->K &&
         irl_message_copy(message, found.k, found.n * sizeof *found.k) &&
         keep_found(s, number, &found);
}

static bool is_well(void *user) {
  const solver *s = user;
  for (int t = 0; t < s->pool->task->threads; t++)
    if (s->workers[t].ending == IRL_ENDED_BY_MEMORY) return false;
  return true;
}

/* ---- the search ---- */

static int by_first(const void *x, const void *y) {
  const job *a = x, *b = y;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->root > b->root) - (a->root < b->root);
}

/* A choice to start from: that of nothing, the given one in the pool's numbers, or a better one by
 * greed. Given clauses that are not in the pool stand for nothing, or for what made them
 * superfluous, which the greedy method finds. */
static irl_status find_start(solver *s, const uint32_t *chosen, uint64_t *work) {
  irl_select_choice start = {.n = 0};
  const irl_problem *problem = s->pool->problem;
  const uint32_t n_given = s->pool->task->n_start;
  irl_select_weigh(s->pool, &s->best, s->workers[0].memory);
  for (uint32_t k = 0; n_given && k < s->pool->n; k++)
    for (uint32_t i = 0; i < n_given && start.n < problem->K; i++)
      if (irl_select_id(s->pool, k) == chosen[i]) start.k[start.n++] = k;
  irl_select_weigh(s->pool, &start, s->workers[0].memory);
  if (start.loss < s->best.loss) s->best = start;
  return problem->is_merged ? IRL_STATUS_OK
                            : irl_select_greedy(s->env, s->pool, s->limit, &s->best, work);
}

/* The roots' candidates that may be the first of a choice, as tasks with their bounds: of all roots
 * the first ones first. */
static irl_status list_tasks(solver *s) {
  irl_select_worker *worker = &s->workers[0];
  uint32_t n = 0;
  for (uint32_t r = 0; r < s->n_roots; r++) n += s->roots[r].node.n;
  s->tasks = irl_mem_alloc(&s->env->allocator, n, sizeof *s->tasks);
  if (!s->tasks) return irl_fail_memory(s->env);
  uint32_t size = n / MANY_TASKS;
  if (size > MAX_BLOCK) size = MAX_BLOCK;
  if (!size) size = 1;
  for (uint32_t r = 0; r < s->n_roots; r++) {
    irl_select_begin(worker, &s->roots[r]);
    for (uint32_t i = 0; i < s->roots[r].node.n; i += size) {
      const uint32_t rest = s->roots[r].node.n - i;
      job t = {r, i, i + (rest < size ? rest : size), INT64_MAX, 0, NULL};
      for (uint32_t k = t.first; k < t.end; k++) {
        const int64_t bound = irl_select_bound(worker, k);
        if (bound < t.bound) t.bound = bound;
      }
      assert(t.first < t.end && t.end <= s->roots[r].node.n && s->n < n);
      if (t.bound < worker->to_beat) s->tasks[s->n++] = t;
    }
  }
  if (s->n) qsort(s->tasks, s->n, sizeof *s->tasks, by_first);
  return IRL_STATUS_OK;
}

/* Is the exact search tried? In a pool that may be chosen whole there is nothing to walk in. */
static bool tries_proof(const irl_select_pool *pool) {
  return pool->task->proof_share || pool->n <= pool->problem->K;
}

/* The workers, the roots and their tasks. */
static irl_status make_tasks(solver *s, const uint32_t *chosen, uint64_t *work) {
  const irl_select_pool *pool = s->pool;
  const int threads = pool->task->threads;
  s->workers = irl_mem_alloc(&s->env->allocator, (size_t)threads, sizeof *s->workers);
  if (!s->workers) return irl_fail_memory(s->env);
  for (int t = 0; t < threads; t++)
    if (!irl_select_worker_init(&s->workers[t], pool, s->limit)) return irl_fail_memory(s->env);
  const irl_status status = find_start(s, chosen, work);
  if (status) return status;
  if (!tries_proof(pool)) return IRL_STATUS_OK;
  irl_select_worker *first = &s->workers[0];
  first->to_beat = to_beat(s);
  first->threads = threads;
  s->n_roots = irl_select_make_roots(first, s->roots);
  first->threads = 1;
  *work += first->work;
  if (first->ending == IRL_ENDED_BY_MEMORY) return irl_fail_memory(s->env);
  return list_tasks(s);
}

/* Of a root's child if nothing is pruned, at most two levels deep. */
static double task_work(const solver *s) {
  const double scan = (double)s->pool->n * (double)s->pool->n_words;
  return s->pool->problem->K > 2 ? scan * s->pool->n : scan;
}

/* A better choice by greed from pairs and by tabu search, for a part of the work. */
static irl_status improve(solver *s, irl_select_result *result) {
  irl_limit part = *s->limit;
  assert(part.max_work != UINT64_MAX && !s->pool->problem->is_merged && s->pool->problem->K > 1);
  part.max_work = s->limit->max_work / PAIRS_SHARE;
  irl_status status = irl_select_from_pairs(s->env, s->pool, &part, &s->best, &result->work);
  part.max_work = s->limit->max_work / TABU_SHARE;
  if (!status) status = irl_select_tabu(s->env, s->pool, &part, &s->best, &result->work);
  if (s->best.loss <= result->bound) result->outcome = IRL_OUTCOME_OPTIMAL;
  return status;
}

/* Where work ends the search, a part of it is spent on a better choice. */
static irl_status run_tasks(solver *s, irl_select_result *result) {
  const irl_problem *problem = s->pool->problem;
  const irl_select_task *task = s->pool->task;
  irl_limit part = *s->limit; /* for the proof */
  if (part.max_work != UINT64_MAX && task->proof_share)
    part.max_work = part.max_work / task->proof_share + 1;
  irl_search_rounds rounds = {.env = s->env,
                              .limit = &part,
                              .threads = task->threads,
                              .n_tasks = s->n,
                              .task_work = task_work(s),
                              .user = s,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report,
                              .put = s->is_shared ? put_task : NULL,
                              .get = s->is_shared ? get_task : NULL,
                              .is_well = s->is_shared ? is_well : NULL};
  s->rounds = &rounds;
  irl_status status = irl_search_run(&rounds);
  if (!status && !is_well(s)) status = irl_fail_memory(s->env);
  result->work += rounds.work;
  result->nodes = s->nodes;
  if (!status) {
    const double left = work_left(s, rounds.n_open, rounds.work);
    result->bound = open_bound(s);
    if (result->bound < to_beat(s))
      result->work_left = left < 1e18 ? (uint64_t)left : (uint64_t)1e18;
    result->outcome = result->bound < to_beat(s)   ? irl_limit_outcome(s->limit)
                      : s->best.loss < IRL_NO_LOSS ? IRL_OUTCOME_OPTIMAL
                                                   : IRL_OUTCOME_INFEASIBLE;
  }
  irl_mem_free(&s->env->allocator, rounds.is_open);
  if (status || result->outcome != IRL_OUTCOME_LIMIT || part.max_work == UINT64_MAX ||
      problem->is_merged || problem->K < 2 || irl_limit_poll(s->limit))
    return status;
  return improve(s, result);
}

static int compare_numbers(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* The result's work begins with that of making the pool. */
static irl_status solve(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                        bool is_shared, uint32_t *chosen, irl_select_result *result) {
  irl_select_result r = {.outcome = irl_limit_outcome(limit), .loss = IRL_NO_LOSS};
  if (pool->is_cut) { /* then nothing is known but that no loss is negative */
    *result = r;
    return IRL_STATUS_OK;
  }
  solver s = {.env = env, .pool = pool, .limit = limit, .is_shared = is_shared};
  r.work = pool->work;
  irl_status status = make_tasks(&s, chosen, &r.work);
  if (is_shared) status = irl_comm_agree(env, status);
  if (!status) status = tries_proof(pool) ? run_tasks(&s, &r) : improve(&s, &r);
  if (!status) {
    r.n = s.best.loss < IRL_NO_LOSS ? s.best.n : 0;
    r.loss = s.best.loss;
    r.cases = s.best.cases;
    r.controls = s.best.controls;
    r.literals = s.best.literals;
    assert(r.bound <= r.loss && r.n <= pool->problem->K);
    for (uint32_t i = 0; i < r.n; i++) chosen[i] = irl_select_id(pool, s.best.k[i]);
    qsort(chosen, r.n, sizeof *chosen, compare_numbers);
    *result = r;
  }
  for (int t = 0; s.workers && t < pool->task->threads; t++) irl_select_worker_free(&s.workers[t]);
  for (uint32_t i = 0; s.tasks && i < s.n; i++) irl_mem_free(&env->allocator, s.tasks[i].found);
  for (uint32_t i = 0; i < IRL_SELECT_MAX_RANGES; i++) irl_select_node_free(pool, &s.roots[i].node);
  irl_mem_free(&env->allocator, s.workers);
  irl_mem_free(&env->allocator, s.tasks);
  return status;
}

/* ---- tasks of callers ---- */

static irl_status check_task(irl_env *env, const irl_select_task *task) {
  const uint32_t K = task->problem->K;
  assert(task->threads > 0 && irl_problem_gain(task->problem, 1, -1) >= 0);
  if (K && K <= IRL_MAX_K) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "K must be from 1 to %u, not %u", IRL_MAX_K, K);
}

/* Solves the task here, alone or in step with all other processes. */
static irl_status solve_here(irl_env *env, const irl_select_task *task, const irl_limit *limit,
                             bool is_shared, uint32_t *chosen, irl_select_result *result) {
  irl_select_pool pool;
  irl_status status = irl_select_pool_init(env, &pool, task, limit);
  if (status) return status;
  status = solve(env, &pool, limit, is_shared, chosen, result);
  irl_select_pool_free(&pool);
  return status;
}

/* Calls the other processes to share the search. */
static irl_status call_others(irl_env *env, const irl_select_task *task, const irl_limit *limit) {
  const irl_clause_set *clauses = task->clauses;
  irl_message message;
  irl_message_init(&message, env);
  irl_problem_put(&message, task->problem);
  irl_message_put_number(&message, clauses->n);
  for (size_t k = 0; k < clauses->n; k++) {
    irl_message_put_number(&message, clauses->sizes[k]);
    irl_message_put(&message, irl_clause_set_literals(clauses, k),
                    clauses->sizes[k] * sizeof(irl_literal));
  }
  irl_message_put_number(&message, (uint64_t)task->to_beat);
  irl_message_put_number(&message, task->trial_work);
  irl_message_put_number(&message, (uint64_t)task->threads);
  irl_limit_put(&message, limit);
  return irl_comm_call_and_agree(env, IRL_COMM_SELECT, &message);
}

static irl_status get_clauses(irl_env *env, irl_message *message, irl_clause_set *clauses) {
  irl_literal literals[IRL_CLAUSE_MAX];
  irl_status status = IRL_STATUS_OK;
  for (size_t n = irl_message_get_number(message); n && !status; n--) {
    const uint32_t size = (uint32_t)irl_message_get_number(message);
    if (size > clauses->max_size || !irl_message_copy(message, literals, size * sizeof *literals))
      return irl_fail_memory(env);
    status = irl_clause_set_add(env, clauses, literals, size, NULL, NULL);
  }
  return status;
}

irl_status irl_select_serve(irl_env *env, irl_message *message) {
  irl_problem problem = {0};
  irl_clause_set clauses = {0};
  irl_select_task task;
  irl_select_result result;
  irl_limit limit = {.env = env};
  uint32_t chosen[IRL_MAX_K];
  irl_status status = irl_problem_get(env, message, &problem);
  if (!status) {
    irl_clause_set_init(&clauses, problem.data, problem.M);
    status = get_clauses(env, message, &clauses);
  }
  if (!status) {
    task = irl_select_task_of(&problem, &clauses, 1);
    task.to_beat = (int64_t)irl_message_get_number(message);
    task.trial_work = irl_message_get_number(message);
    task.threads = (int)irl_message_get_number(message);
    irl_limit_get(message, env, &limit);
  }
  status = irl_comm_agree(env, status);
  if (!status) status = solve_here(env, &task, &limit, true, chosen, &result);
  if (clauses.data) irl_clause_set_free(&clauses);
  irl_merged_free(&problem.merged);
  return status;
}

irl_status irl_select_solve(irl_env *env, const irl_select_task *task, const irl_limit *limit,
                            uint32_t *chosen, irl_select_result *result) {
  const bool is_shared = task->problem->is_merged && task->problem->data->copy_id;
  irl_status status = check_task(env, task);
  if (!status && is_shared) status = call_others(env, task, limit);
  if (status) return status;
  return solve_here(env, task, limit, is_shared, chosen, result);
}

irl_status irl_select_prepare(irl_env *env, const irl_select_task *loosest, const irl_limit *limit,
                              irl_select_pool **out) {
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
                                     const irl_select_task *task, const irl_limit *limit,
                                     uint32_t *chosen, irl_select_result *result) {
  const irl_status status = check_task(env, task);
  if (status) return status;
  irl_select_pool pool = *prepared; /* borrows its arrays */
  pool.work = 0;
  irl_select_pool_aim(&pool, task);
  return solve(env, &pool, limit, false, chosen, result);
}
