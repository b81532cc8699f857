/* search: rounds of tasks and parallel jobs do the same on any number of threads. */
#include "base/memory.h"
#include "greatest.h"
#include "search/parallel_jobs.h"
#include "search/rounds.h"
#include "support.h"
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
  uint32_t fails_at;
} squares;

static irl_status run_job(irl_env *own, void *user, uint32_t job) {
  squares *s = user;
  s->n_runs[job]++;
  if (job == s->fails_at)
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
    squares s = {.fails_at = UINT32_MAX};
    const irl_parallel_jobs jobs = jobs_of(&s, &limit, threads);
    ASSERT_EQ(IRL_STATUS_OK, irl_parallel_jobs_run(&jobs));
    for (uint32_t i = 0; i < MOST; i++) {
      ASSERT_EQ(1, s.n_runs[i]);
      ASSERT_EQ(i * i, s.values[i]);
    }
  }
  PASS();
}

TEST a_job_that_fails_is_heard(void) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  for (int threads = 1; threads <= 3; threads++) {
    squares s = {.fails_at = 5};
    const irl_parallel_jobs jobs = jobs_of(&s, &limit, threads);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_parallel_jobs_run(&jobs));
    ASSERT_STR_EQ("job 5 does not like it", irl_env_error(env));
    ASSERT(threads > 1 || !s.n_runs[6]);
  }
  PASS();
}

TEST jobs_end_with_the_limit(void) {
  const irl_limit limit = {.env = env, .deadline = 1e-9, .max_work = UINT64_MAX};
  squares s = {.fails_at = 0};
  const irl_parallel_jobs jobs = jobs_of(&s, &limit, 2);
  ASSERT_EQ(IRL_STATUS_OK, irl_parallel_jobs_run(&jobs));
  for (uint32_t i = 0; i < MOST; i++) ASSERT_EQ(0, s.n_runs[i]);
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
  RUN_TEST(a_job_that_fails_is_heard);
  RUN_TEST(jobs_end_with_the_limit);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(search_suite);
  GREATEST_MAIN_END();
}
