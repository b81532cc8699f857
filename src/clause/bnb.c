/* The exact phase: the root's children in blocks are tasks, and the tasks run in rounds
 * (search/rounds.h) which prune with what earlier rounds found. The root's own candidates are
 * offered, filtered and reduced first; what is left is packed again. */
#include "base/clock.h"
#include "base/memory.h"
#include "clause/distributed.h"
#include "clause/solve.h"
#include "clause/worker.h"
#include "search/rounds.h"
#include <math.h>
#include <stdio.h>

struct task {
  irl_clause best;
  int64_t open_bound;
  uint64_t nodes;
  bool is_out_of_memory, is_tightened;
};

struct prover {
  irl_env *env;
  const irl_clause_model *model;
  const irl_limit *limit;
  irl_clause_table table; /* of the root's candidates that are left */
  irl_clause_worker *workers;
  int threads;
  struct task *tasks;
  uint32_t n_tasks, block;
  irl_clause best;
  int64_t need;
  irl_clause_result *result;
  const irl_search_rounds *rounds;
  uint32_t *open; /* a cutoff: the tasks that are left; more is wanted than is known to be needed,
                     so what is left open is no bound */
  double started, reported; /* when the search began, when progress was last shown */
};

/* The last children come first: they cover most cases, so that the bound sinks as tasks end, and
 * have the shortest lists. */
static uint32_t first_child(const struct prover *prover, uint32_t task) {
  assert(task < prover->n_tasks);
  return (prover->n_tasks - 1 - task) * prover->block;
}

static uint64_t run_task(void *user, int thread, uint32_t number, uint64_t max_work,
                         bool *is_done) {
  struct prover *prover = user;
  if (prover->open) number = prover->open[number];
  struct task *task = &prover->tasks[number];
  irl_clause_worker *worker = &prover->workers[thread];
  const uint32_t first = first_child(prover, number);
  const uint32_t left = prover->table.set.n - first;
  assert(first < prover->table.set.n);
  irl_clause_worker_reset(worker, prover->model);
  worker->limit = prover->limit;
  worker->max_work = max_work;
  worker->need = prover->need;
  irl_clause_bnb_branch(worker, &prover->table, 0, first,
                        first + (left < prover->block ? left : prover->block),
                        prover->model->max_size);
  assert(worker->path.n == 0);
  assert(worker->ending || worker->open_bound == IRL_CLAUSE_NO_VALUE);
  task->best = worker->best;
  task->nodes += worker->nodes;
  if (!prover->open && worker->open_bound < task->open_bound) task->open_bound = worker->open_bound;
  task->is_out_of_memory = worker->ending == IRL_ENDED_BY_MEMORY;
  *is_done = !worker->ending;
  return worker->work;
}

static void merge_task(void *user, uint32_t number, bool is_done) {
  (void)is_done; /* what a cut task found counts too */
  struct prover *prover = user;
  const struct task *task = &prover->tasks[prover->open ? prover->open[number] : number];
  if (!task->best.n || !irl_clause_better(&task->best, &prover->best)) return;
  assert(!prover->best.n || task->best.value >= prover->best.value);
  assert(irl_clause_model_check(prover->model, &task->best, prover->workers[0].cover.words));
  prover->best = task->best;
  prover->need = task->best.value + 1;
}

static int64_t open_bound(const struct prover *prover, const bool *is_open) {
  int64_t bound = prover->best.n ? prover->best.value : IRL_CLAUSE_NO_VALUE;
  for (uint32_t i = 0; i < prover->n_tasks; i++)
    if (is_open[i] && prover->tasks[i].open_bound > bound) bound = prover->tasks[i].open_bound;
  return bound;
}

/* Seconds between two lines of progress. */
#define PROGRESS_PERIOD 0.25

/* What share of the pairs of literals is in tasks that have ended: for two literals that is the
 * work itself, for more a good guess, since a pair leads to about as many clauses as any other. */
static double share_done(const struct prover *prover, const bool *is_open) {
  const double n = prover->table.set.n;
  double open = 0;
  for (uint32_t i = 0; i < prover->n_tasks; i++) {
    const double first = first_child(prover, i), end = fmin(n, first + prover->block);
    if (is_open[i]) open += (end - first) * (2 * n - first - end - 1) / 2;
  }
  return n > 1 ? fmax(0, 1 - open / (n * (n - 1) / 2)) : 1;
}

static bool report_round(void *user, uint32_t n_open, uint64_t work) {
  struct prover *prover = user;
  uint64_t nodes = 0;
  for (uint32_t i = 0; i < prover->n_tasks; i++) {
    nodes += prover->tasks[i].nodes;
    if (prover->tasks[i].is_out_of_memory) return false;
  }
  const double now = irl_clock_now();
  if (now <= prover->reported + PROGRESS_PERIOD) return true;
  prover->reported = now;
  const int64_t bound = open_bound(prover, prover->rounds->is_open);
  char best[32] = "none", gap[32] = "-";
  if (prover->best.n) {
    snprintf(best, sizeof best, "%lld", (long long)prover->best.value);
    snprintf(gap, sizeof gap, "%lld", (long long)(bound - prover->best.value));
  }
  static const char part[] = "clause proof";
  const double share = share_done(prover, prover->rounds->is_open);
  const double left = share > 0 ? (now - prover->started) * (1 / share - 1) : NAN;
  irl_callbacks_note_engine(prover->env, part, work,
                            prover->best.n ? (double)prover->best.value : NAN, (double)bound);
  irl_callbacks_note_share(prover->env, part, share, left);
  irl_log(prover->env, IRL_LOG_PROGRESS,
          "prove  %.1f %% of the pairs, %.0f s left  nodes %llu  best %s  bound %lld  gap %s  "
          "open %u of %u  work %.3g",
          100 * share, share > 0 ? left : 0, (unsigned long long)nodes, best, (long long)bound, gap,
          n_open, prover->n_tasks, (double)work);
  return true;
}

/* No clause with a literal of the task and a further one is better than the best of these pairs
 * could become. */
static int64_t bound_of_pairs(struct prover *prover, uint32_t number) {
  const irl_clause_table *table = &prover->table;
  irl_clause_worker *worker = &prover->workers[0];
  const uint32_t first = first_child(prover, number), left = table->set.n - first;
  const uint32_t n = left < prover->block ? left : prover->block;
  int64_t bound = IRL_CLAUSE_NO_VALUE;
  irl_clause_worker_reset(worker, prover->model);
  worker->need = prover->need;
  if (!irl_clause_count_children(worker, table, &worker->frames[0], first, n))
    return prover->tasks[number].open_bound;
  for (uint32_t i = 0; i < n; i++) {
    const irl_literal_set *set = &worker->frames[0].children[i];
    const uint32_t controls = table->set.controls[first + i];
    const int64_t cost = table->set.cost[first + i];
    const irl_clause_removals most = irl_clause_largest_removals(prover->model, set, controls, cost,
                                                                 prover->model->max_size - 1);
    for (uint32_t j = 0; j < set->n; j++) {
      const int64_t of_pair = irl_clause_bound(worker, set, j, controls, cost, &most);
      if (of_pair > bound) bound = of_pair;
    }
  }
  return bound;
}

/* A limit leaves tasks open; their bound is the largest one. It is brought down, the largest first,
 * with a little work beyond the limit. */
#define TIGHTEN_SHARE 8u        /* of all work: one part in so many */
#define TIGHTEN_LATE  10000000u /* words, a few milliseconds, when time is up */
#define LEAST_CUTOFF  1000u     /* words that a cutoff is tried with */

static uint64_t tighten_work(const struct prover *prover) {
  const uint64_t max_work = prover->limit->max_work / TIGHTEN_SHARE;
  const bool is_late = max_work >= UINT64_MAX / TIGHTEN_SHARE || irl_limit_poll(prover->limit);
  return is_late && max_work > TIGHTEN_LATE ? TIGHTEN_LATE : max_work;
}

static void tighten(struct prover *prover, const bool *is_open) {
  const uint64_t allowed = tighten_work(prover);
  for (uint64_t work = 0; work < allowed; work += prover->workers[0].work) {
    uint32_t largest = UINT32_MAX;
    for (uint32_t i = 0; i < prover->n_tasks; i++)
      if (is_open[i] && (largest == UINT32_MAX ||
                         prover->tasks[i].open_bound > prover->tasks[largest].open_bound))
        largest = i;
    if (largest == UINT32_MAX || prover->tasks[largest].is_tightened) return;
    struct task *task = &prover->tasks[largest];
    const int64_t bound = bound_of_pairs(prover, largest);
    assert(!task->is_tightened && is_open[largest]);
    if (bound < task->open_bound) task->open_bound = bound;
    task->is_tightened = true;
    prover->result->work += prover->workers[0].work;
  }
}

/* Searches the tasks that a limit left open for a clause of at least `target`, which is more than
 * is needed, so that far more is pruned; where that ends, no clause is worth more than target - 1
 * or the best one. */
static irl_status try_cutoff(struct prover *prover, uint32_t n_open, int64_t target,
                             const irl_limit *part, bool *is_proven) {
  irl_search_rounds rounds = {.env = prover->env,
                              .limit = part,
                              .threads = prover->threads,
                              .n_tasks = n_open,
                              .task_work = irl_clause_task_work(prover->model),
                              .user = prover,
                              .run = run_task,
                              .merge = merge_task};
  const irl_limit *limit = prover->limit;
  assert(prover->open && (!prover->best.n || target > prover->best.value));
  prover->limit = part;
  prover->need = target;
  const irl_status status = irl_search_run(&rounds);
  prover->limit = limit;
  if (status) return status;
  *is_proven = !rounds.n_open;
  prover->result->work += rounds.work;
  irl_mem_free(&prover->env->allocator, rounds.is_open);
  for (uint32_t i = 0; i < prover->n_tasks; i++)
    if (prover->tasks[i].is_out_of_memory) return irl_fail_memory(prover->env);
  return IRL_STATUS_OK;
}

/* Brings the bound down by cutoffs between it and the best clause, halving: each attempt may take
 * half of the work, and of the time, that is left for all. */
static irl_status lower_bound(struct prover *prover, uint32_t n_open, int64_t *bound) {
  const irl_limit *limit = prover->limit;
  const bool is_counted = limit->max_work != UINT64_MAX;
  uint64_t left = is_counted ? limit->max_work / TIGHTEN_SHARE : UINT64_MAX;
  int64_t low = prover->best.n ? prover->best.value : 0;
  if (!is_counted && !limit->deadline) return IRL_STATUS_OK;
  while (*bound > low + 1 && left > LEAST_CUTOFF && !irl_limit_poll(limit)) {
    const int64_t target = low + (*bound - low + 1) / 2;
    const uint64_t before = prover->result->work;
    const double now = irl_clock_now();
    irl_limit part = *limit;
    bool is_proven = false;
    if (is_counted) part.max_work = left / 2;
    if (limit->deadline) part.deadline = now + (limit->deadline - now) / 2;
    const irl_status status = try_cutoff(prover, n_open, target, &part, &is_proven);
    if (status) return status;
    const uint64_t work = prover->result->work - before;
    if (is_counted) left -= work < left ? work : left;
    const int64_t best = prover->best.n ? prover->best.value : IRL_CLAUSE_NO_VALUE;
    if (is_proven) *bound = best > target - 1 ? best : target - 1;
    if (!is_proven) low = target;
    if (best > low) low = best;
  }
  return IRL_STATUS_OK;
}

/* Lowers the bound by cutoffs on the tasks that are open. */
static irl_status run_cutoffs(struct prover *prover, const bool *is_open, int64_t *bound) {
  uint32_t n_open = 0;
  prover->open = irl_mem_alloc(&prover->env->allocator, prover->n_tasks, sizeof *prover->open);
  if (!prover->open) return irl_fail_memory(prover->env);
  for (uint32_t i = 0; i < prover->n_tasks; i++)
    if (is_open[i]) prover->open[n_open++] = i;
  const irl_status status = lower_bound(prover, n_open, bound);
  irl_mem_free(&prover->env->allocator, prover->open);
  prover->open = NULL;
  return status;
}

static void put_task(void *user, uint32_t number, irl_message *message) {
  const struct prover *prover = user;
  irl_message_put(message, &prover->tasks[number], sizeof prover->tasks[number]);
}

static bool get_task(void *user, uint32_t number, irl_message *message) {
  struct prover *prover = user;
  return irl_message_copy(message, &prover->tasks[number], sizeof prover->tasks[number]);
}

static irl_status search(struct prover *prover) {
  irl_search_rounds rounds = {.env = prover->env,
                              .limit = prover->limit,
                              .threads = prover->threads,
                              .n_tasks = prover->n_tasks,
                              .task_work = irl_clause_task_work(prover->model),
                              .user = prover,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report_round,
                              .put = prover->model->root.own ? put_task : NULL,
                              .get = prover->model->root.own ? get_task : NULL};
  irl_clause_result *result = prover->result;
  const irl_limit *limit = prover->limit;
  irl_limit most = *limit;
  prover->rounds = &rounds;
  prover->started = prover->reported = irl_clock_now();
  if (limit->deadline && !prover->model->root.own) { /* time for cutoffs is kept back */
    most.deadline -= fmax(0, limit->deadline - prover->started) / TIGHTEN_SHARE;
    prover->limit = rounds.limit = &most;
  }
  irl_status status = irl_search_run(&rounds);
  prover->limit = limit;
  if (status) return status;
  result->work += rounds.work;
  if (rounds.n_open) tighten(prover, rounds.is_open);
  result->bound = open_bound(prover, rounds.is_open);
  assert(!prover->best.n || result->bound >= prover->best.value);
  if (rounds.n_open && !prover->model->root.own)
    status = run_cutoffs(prover, rounds.is_open, &result->bound);
  if (rounds.n_open && result->bound > (prover->best.n ? prover->best.value : IRL_CLAUSE_NO_VALUE))
    result->outcome = irl_limit_outcome(prover->limit);
  irl_mem_free(&prover->env->allocator, rounds.is_open);
  if (status) return status;
  for (uint32_t i = 0; i < prover->n_tasks; i++) {
    result->nodes += prover->tasks[i].nodes;
    if (prover->tasks[i].is_out_of_memory) return irl_fail_memory(prover->env);
  }
  return IRL_STATUS_OK;
}

/* Makes the tasks: offers the single literals, and packs those that may be part of a better clause
 * into the table. */
static irl_status make_tasks(struct prover *prover) {
  irl_env *env = prover->env;
  const irl_clause_model *model = prover->model;
  irl_clause_table *table = &prover->table;
  irl_clause_worker *worker = prover->workers = irl_clause_workers_create(model, prover->threads);
  irl_status status = worker ? IRL_STATUS_OK : irl_fail_memory(env);
  if (model->root.own) status = irl_comm_agree(env, status);
  if (status) return status;
  worker->need = prover->need;
  status = irl_clause_open_root(env, worker, model->root.own, table);
  if (status) return status;
  if (worker->best.n) prover->best = worker->best;
  prover->need = worker->need;
  prover->result->work += worker->work + (uint64_t)worker->sorted.n * model->root.stride;
  /* Blocks are as large as counting wants them where that leaves enough tasks. */
  prover->block = IRL_CLAUSE_BLOCK;
  while (prover->block > 1 && table->set.n / prover->block < 64) prover->block /= 2;
  prover->n_tasks = model->max_size < 2 ? 0 : (table->set.n + prover->block - 1) / prover->block;
  prover->tasks =
      irl_mem_alloc(&env->allocator, (size_t)prover->n_tasks + 1, sizeof *prover->tasks);
  if (!prover->tasks) status = irl_fail_memory(env);
  if (model->root.own) status = irl_comm_agree(env, status);
  if (status || !prover->n_tasks) return status;
  /* Before a task ran, its bound is that of its literals. */
  const irl_clause_removals most = irl_clause_largest_removals(
      model, &table->set, table->n_controls, table->cost, model->max_size);
  for (uint32_t i = 0; i < table->set.n; i++) {
    struct task *task = &prover->tasks[prover->n_tasks - 1 - i / prover->block];
    const int64_t bound =
        irl_clause_bound(worker, &table->set, i, table->n_controls, table->cost, &most);
    if (i % prover->block == 0 || bound > task->open_bound) task->open_bound = bound;
  }
  return IRL_STATUS_OK;
}

irl_status irl_clause_serve_bnb(irl_env *env, const irl_clause_model *model, irl_message *message) {
  irl_limit limit;
  irl_clause start = {0};
  irl_clause_result result;
  irl_limit_get(message, env, &limit);
  const int threads = (int)irl_message_get_number(message);
  const bool has_start = irl_message_copy(message, &start, sizeof start);
  return irl_clause_bnb(env, model, &limit, threads, has_start ? &start : NULL, &result);
}

irl_status irl_clause_bnb(irl_env *env, const irl_clause_model *model, const irl_limit *limit,
                          int threads, const irl_clause *start, irl_clause_result *result) {
  *result =
      (irl_clause_result){.outcome = IRL_OUTCOME_OPTIMAL, .bound = IRL_CLAUSE_NO_VALUE, .nodes = 1};
  struct prover prover = {.env = env, .model = model, .limit = limit, .threads = threads};
  prover.result = result;
  prover.best = start ? *start : (irl_clause){.value = IRL_CLAUSE_NO_VALUE};
  assert(!start || irl_clause_is_ascending(start));
  prover.need = start && start->n ? start->value + 1 : IRL_CLAUSE_ANY_VALUE;
  irl_status status = IRL_STATUS_OK;
  if (model->id) { /* the other processes take part */
    irl_message message;
    irl_message_init(&message, env);
    irl_message_put_number(&message, model->id);
    irl_limit_put(&message, limit);
    irl_message_put_number(&message, (uint64_t)threads);
    if (start) irl_message_put(&message, start, sizeof *start);
    status = irl_comm_call(env, IRL_COMM_PROVE, &message);
    irl_message_free(&message);
  }
  if (!status) status = make_tasks(&prover);
  if (!status) status = search(&prover);
  result->best = prover.best;
  irl_clause_workers_free(prover.workers, threads, &env->allocator);
  irl_mem_free(&env->allocator, prover.tasks);
  irl_clause_table_free(&env->allocator, &prover.table);
  if (!status && result->outcome == IRL_OUTCOME_OPTIMAL && !result->best.n)
    result->outcome = IRL_OUTCOME_INFEASIBLE;
  return status;
}
