/* search: rounds of tasks and parallel jobs do the same on any number of threads. */
#include "base/memory.h"
#include "greatest.h"
#include "search/parallel_jobs.h"
#include "search/rounds.h"
#include "search/tree_rounds.h"
#include "support.h"
#include <stdatomic.h>
#include <string.h>

enum { MOST = 300 };

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- rounds ---- */

/* Task i needs cost[i] units of work; what was merged, in order, and how often each was tried. */
typedef struct trace {
  uint64_t cost[MOST];
  uint32_t order[10 * MOST], n;
  uint32_t n_tries[MOST];
  uint32_t ends_below; /* open tasks: with fewer the report ends the search */
} trace;

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  trace *t = user;
  (void)thread;
  *is_done = t->cost[task] <= max_work;
  return *is_done ? t->cost[task] : max_work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  trace *t = user;
  (void)is_done;
  t->order[t->n++] = task;
  t->n_tries[task]++;
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  (void)work;
  return n_open >= ((trace *)user)->ends_below;
}

static void begin(irl_search_rounds *rounds, irl_limit *limit, trace *t, uint32_t n, int threads) {
  *t = (trace){.n = 0};
  for (uint32_t i = 0; i < n; i++) t->cost[i] = i % 7 + 1;
  *limit = (irl_limit){.env = env, .max_work = UINT64_MAX};
  *rounds = (irl_search_rounds){.env = env,
                                .limit = limit,
                                .threads = threads,
                                .n_tasks = n,
                                .user = t,
                                .run = run_task,
                                .merge = merge_task};
}

TEST every_task_runs_once_in_order(void) {
  static trace t;
  irl_search_rounds rounds;
  irl_limit limit;
  for (int threads = 1; threads <= 3; threads++) {
    uint64_t work = 0;
    begin(&rounds, &limit, &t, MOST, threads);
    ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&rounds));
    ASSERT_EQ(0, rounds.n_open);
    ASSERT_EQ(MOST, t.n);
    for (uint32_t i = 0; i < MOST; i++) {
      ASSERT_EQ(i, t.order[i]);
      ASSERT_FALSE(rounds.is_open[i]);
      work += t.cost[i];
    }
    ASSERT_EQ(work, rounds.work);
    irl_mem_free(&env->allocator, rounds.is_open);
  }
  PASS();
}

TEST no_tasks_are_no_trouble(void) {
  static trace t;
  irl_search_rounds rounds;
  irl_limit limit;
  begin(&rounds, &limit, &t, 0, 2);
  ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&rounds));
  ASSERT_EQ(0, rounds.work);
  irl_mem_free(&env->allocator, rounds.is_open);
  PASS();
}

/* A task that needs more than its share is tried again with more; with too little work it stays
 * open, and all of it is the same for one thread and for three. */
TEST work_is_shared_out(void) {
  static trace t, again;
  irl_search_rounds rounds, other;
  irl_limit limit;
  begin(&rounds, &limit, &t, 4, 1);
  t.cost[0] = 500;
  limit.max_work = 1000;
  ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&rounds));
  ASSERT_EQ(0, rounds.n_open);
  ASSERT_EQ(2, t.n_tries[0]);
  ASSERT_EQ(1, t.n_tries[1]);
  irl_mem_free(&env->allocator, rounds.is_open);

  begin(&rounds, &limit, &t, 40, 1);
  t.cost[3] = t.cost[20] = 5000;
  limit.max_work = 1000;
  ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&rounds));
  ASSERT(rounds.n_open > 0 && rounds.is_open[20]);
  ASSERT(rounds.work <= 1000 + rounds.n_tasks);
  begin(&other, &limit, &again, 40, 3);
  again.cost[3] = again.cost[20] = 5000;
  limit.max_work = 1000;
  ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&other));
  ASSERT_EQ(rounds.work, other.work);
  ASSERT_EQ(rounds.n_open, other.n_open);
  ASSERT_MEM_EQ(t.order, again.order, sizeof t.order);
  irl_mem_free(&env->allocator, rounds.is_open);
  irl_mem_free(&env->allocator, other.is_open);
  PASS();
}

TEST a_report_ends_the_search(void) {
  static trace t;
  irl_search_rounds rounds;
  irl_limit limit;
  begin(&rounds, &limit, &t, MOST, 2);
  t.ends_below = MOST - 20;
  rounds.report = report;
  ASSERT_EQ(IRL_STATUS_OK, irl_search_run(&rounds));
  ASSERT(rounds.n_open < MOST - 20 && rounds.n_open > 0);
  ASSERT_EQ(MOST - rounds.n_open, t.n);
  irl_mem_free(&env->allocator, rounds.is_open);
  PASS();
}

/* ---- jobs ---- */

typedef struct squares {
  uint32_t values[MOST], n_runs[MOST];
  uint32_t fails_at, lost_at;
} squares;

static irl_status run_job(irl_env *own, void *user, uint32_t job) {
  squares *s = user;
  s->n_runs[job]++;
  if (job == s->lost_at) return irl_fail(own, IRL_STATUS_PROCESS_LOST, "a process is lost");
  if (job >= s->fails_at)
    return irl_fail(own, IRL_STATUS_BAD_INPUT, "job %u does not like it", job);
  s->values[job] = job * job;
  return IRL_STATUS_OK;
}

static irl_parallel_jobs jobs_of(squares *s, const irl_limit *limit, int threads) {
  return (irl_parallel_jobs){.env = env,
                             .limit = limit,
                             .threads = threads,
                             .n = MOST,
                             .title = "squares",
                             .unit = "numbers",
                             .user = s,
                             .run = run_job};
}

TEST jobs_run_once_each(void) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  for (int threads = 1; threads <= 3; threads++) {
    squares s = {.fails_at = UINT32_MAX, .lost_at = UINT32_MAX};
    irl_parallel_jobs jobs = jobs_of(&s, &limit, threads);
    ASSERT_EQ(IRL_STATUS_OK, irl_parallel_jobs_run(&jobs));
    for (uint32_t i = 0; i < MOST; i++) {
      ASSERT_EQ(1, s.n_runs[i]);
      ASSERT_EQ(i * i, s.values[i]);
    }
  }
  PASS();
}

TEST jobs_that_fail_cost_no_others(void) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  for (int threads = 1; threads <= 3; threads++) {
    squares s = {.fails_at = 5, .lost_at = UINT32_MAX};
    irl_parallel_jobs jobs = jobs_of(&s, &limit, threads);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_parallel_jobs_run(&jobs));
    ASSERT_STR_EQ("job 5 does not like it", irl_env_error(env));
    ASSERT_EQ(5u, jobs.n_done);
    ASSERT_EQ(MOST - 5u, jobs.n_failed);
    for (uint32_t i = 0; i < MOST; i++) ASSERT_EQ(1, s.n_runs[i]);
  }
  PASS();
}

TEST a_lost_process_ends_all(void) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  squares s = {.fails_at = 3, .lost_at = 5};
  irl_parallel_jobs jobs = jobs_of(&s, &limit, 1);
  ASSERT_EQ(IRL_STATUS_PROCESS_LOST, irl_parallel_jobs_run(&jobs));
  ASSERT_STR_EQ("a process is lost", irl_env_error(env));
  ASSERT(!s.n_runs[6]);
  PASS();
}

TEST jobs_end_with_the_limit(void) {
  const irl_limit limit = {.env = env, .deadline = 1e-9, .max_work = UINT64_MAX};
  squares s = {.fails_at = 0};
  irl_parallel_jobs jobs = jobs_of(&s, &limit, 2);
  ASSERT_EQ(IRL_STATUS_OK, irl_parallel_jobs_run(&jobs));
  for (uint32_t i = 0; i < MOST; i++) ASSERT_EQ(0, s.n_runs[i]);
  PASS();
}

/* ---- trees ---- */

enum { DEPTH = 6, MOST_LEAVES = 20000, MOST_OPEN = 400 };

/* A tree that its numbers define: a node is the way to it. */
typedef struct way {
  uint32_t n;
  uint8_t step[DEPTH];
} way;

typedef struct walker {
  way at;
  uint64_t work;
  uint32_t n_closed[DEPTH + 1]; /* earlier siblings that count as closed at each level */
} walker;

typedef struct wood {
  uint64_t seed;
  walker walkers[IRL_TREE_WORKERS];
  atomic_uint seen[MOST_LEAVES]; /* by the order of the tree */
  uint32_t n_rounds, ends_after; /* 0: not */
  double share;
  uint64_t work, trace;
  way open[MOST_OPEN];
  uint32_t n_open;
  atomic_bool is_wrong;
} wood;

static uint64_t mix(const wood *w, const way *at) {
  uint64_t h = w->seed * 0x9e3779b97f4a7c15u + at->n;
  for (uint32_t i = 0; i < at->n; i++) h = (h ^ at->step[i]) * 0xff51afd7ed558ccdu ^ h >> 29;
  return h ^ h >> 31;
}

static uint32_t n_below(const wood *w, const way *at) {
  return at->n == DEPTH ? 0 : at->n == 0 ? 3 + w->seed % 20 : (uint32_t)(mix(w, at) % 7);
}

/* Calls for each node without children, in the order of the tree. */
static uint32_t walk(const wood *w, way *at, uint32_t number,
                     void (*visit)(const wood *, const way *, uint32_t)) {
  const uint32_t n = n_below(w, at);
  if (!n) {
    if (visit) visit(w, at, number);
    return number + 1;
  }
  at->n++;
  for (uint32_t i = 0; i < n; i++) {
    at->step[at->n - 1] = (uint8_t)i;
    number = walk(w, at, number, visit);
  }
  at->n--;
  return number;
}

static irl_tree_answer enter(void *user, uint32_t worker, uint32_t depth, size_t i, size_t *n) {
  wood *w = user;
  walker *x = &w->walkers[worker];
  if (x->n_closed[depth] != i) w->is_wrong = true;
  x->at.n = depth + 1;
  x->at.step[depth] = (uint8_t)i;
  x->n_closed[depth + 1] = 0;
  x->work += mix(w, &x->at) % 3000;
  *n = n_below(w, &x->at);
  if (!*n) atomic_fetch_add(&w->seen[mix(w, &x->at) % MOST_LEAVES], 1);
  return IRL_TREE_ENTERED;
}

static void leave(void *user, uint32_t worker, uint32_t depth, size_t i) {
  walker *x = &((wood *)user)->walkers[worker];
  if (x->n_closed[depth] != i || x->at.n < depth) ((wood *)user)->is_wrong = true;
  x->n_closed[depth] = (uint32_t)i + 1;
}

static uint64_t work_of(void *user, uint32_t worker) {
  return ((wood *)user)->walkers[worker].work;
}

static bool give(void *user, uint32_t from, uint32_t to, uint32_t depth, size_t first) {
  wood *w = user;
  walker *x = &w->walkers[to];
  if (from != IRL_TREE_ROOT) x->at = w->walkers[from].at;
  if (from == to || (from == IRL_TREE_ROOT && depth)) w->is_wrong = true;
  x->at.n = depth;
  x->n_closed[depth] = (uint32_t)first;
  w->trace = (w->trace ^ (from * 31 + to * 7 + depth * 3 + first)) * 0x100000001b3u;
  return true;
}

static bool merge(void *user, double share) {
  wood *w = user;
  if (share < w->share - 1e-9 || share > 1) w->is_wrong = true;
  w->share = share;
  for (uint32_t i = 0; i < IRL_TREE_WORKERS; i++) {
    w->work += w->walkers[i].work;
    w->trace = (w->trace ^ w->walkers[i].work) * 0x100000001b3u;
    w->walkers[i].work = 0;
  }
  return ++w->n_rounds != w->ends_after;
}

static void leave_open(void *user, uint32_t worker, uint32_t depth, size_t i) {
  wood *w = user;
  way at = worker == IRL_TREE_ROOT ? (way){.n = 0} : w->walkers[worker].at;
  at.n = depth + 1;
  at.step[depth] = (uint8_t)i;
  if (w->n_open < MOST_OPEN) w->open[w->n_open++] = at;
}

/* Counts each leaf once more than it was seen, at its place. */
static void expect_leaf(const wood *w, const way *at, uint32_t number) {
  (void)number;
  atomic_fetch_sub(&((wood *)(uintptr_t)w)->seen[mix(w, at) % MOST_LEAVES], 1);
}

/* A leaf that was not seen is at or behind what was left open at one of its nodes. */
static void expect_open(const wood *w, const way *at, uint32_t number) {
  (void)number;
  if (atomic_load(&w->seen[mix(w, at) % MOST_LEAVES])) return;
  for (uint32_t i = 0; i < w->n_open; i++) {
    const way *o = &w->open[i];
    if (o->n <= at->n && !memcmp(o->step, at->step, o->n - 1) &&
        o->step[o->n - 1] <= at->step[o->n - 1])
      return;
  }
  atomic_store(&((wood *)(uintptr_t)w)->is_wrong, true);
}

static irl_status run_tree(wood *w, uint64_t seed, uint32_t ends_after, int threads, bool *is_cut) {
  irl_tree_rounds rounds = {.env = env,
                            .threads = threads,
                            .n_workers = seed % 5 ? IRL_TREE_WORKERS : 1,
                            .max_depth = DEPTH,
                            .turn = seed % 3 ? 3000 : 1,
                            .user = w,
                            .enter = enter,
                            .leave = leave,
                            .work = work_of,
                            .give = give,
                            .merge = merge,
                            .leave_open = leave_open};
  memset(w, 0, sizeof *w);
  w->seed = seed;
  w->ends_after = ends_after;
  rounds.n_root = n_below(w, &(way){.n = 0});
  const irl_status status = irl_tree_rounds_run(&rounds);
  *is_cut = rounds.is_cut;
  return status;
}

TEST trees_are_walked_once(void) {
  static wood one, many;
  bool is_cut;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    way root = {.n = 0};
    ASSERT_EQ(IRL_STATUS_OK, run_tree(&one, seed, 0, 1, &is_cut));
    ASSERT(!is_cut && !one.is_wrong && one.share > 1 - 1e-6);
    ASSERT_EQ(IRL_STATUS_OK, run_tree(&many, seed, 0, 4, &is_cut));
    ASSERT(!is_cut && !many.is_wrong);
    ASSERT_EQ(one.trace, many.trace);
    ASSERT_EQ(one.work, many.work);
    ASSERT_EQ(one.n_rounds, many.n_rounds);
    walk(&one, &root, 0, expect_leaf);
    for (uint32_t i = 0; i < MOST_LEAVES; i++) ASSERT_EQ(0, atomic_load(&one.seen[i]));
  }
  PASS();
}

TEST cut_trees_say_what_is_open(void) {
  static wood w;
  bool is_cut;
  uint32_t n_cut = 0;
  for (uint64_t seed = 1; seed <= 120; seed++) {
    way root = {.n = 0};
    ASSERT_EQ(IRL_STATUS_OK, run_tree(&w, seed, 1 + (uint32_t)(seed % 9), 1 + seed % 4, &is_cut));
    ASSERT(w.n_open < MOST_OPEN && is_cut == (w.n_open > 0));
    walk(&w, &root, 0, expect_open);
    ASSERT(!w.is_wrong);
    n_cut += is_cut;
  }
  ASSERT(n_cut > 30);
  PASS();
}

SUITE(search_suite) {
  GREATEST_SET_SETUP_CB(set_up, NULL);
  GREATEST_SET_TEARDOWN_CB(tear_down, NULL);
  RUN_TEST(every_task_runs_once_in_order);
  RUN_TEST(no_tasks_are_no_trouble);
  RUN_TEST(work_is_shared_out);
  RUN_TEST(a_report_ends_the_search);
  RUN_TEST(jobs_run_once_each);
  RUN_TEST(jobs_that_fail_cost_no_others);
  RUN_TEST(a_lost_process_ends_all);
  RUN_TEST(jobs_end_with_the_limit);
  RUN_TEST(trees_are_walked_once);
  RUN_TEST(cut_trees_say_what_is_open);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(search_suite);
  GREATEST_MAIN_END();
}
