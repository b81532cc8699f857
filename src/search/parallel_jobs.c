#include "search/parallel_jobs.h"
#include "base/clock.h"
#include "base/threads.h"
#include <assert.h>
#include <math.h>
#include <omp.h>

/* What the threads share. */
typedef struct state {
  atomic_int status; /* of the first job that failed, whose sentence is the environment's */
  atomic_uint n_done;
} state;

static irl_status run_job(const irl_parallel_jobs *jobs, uint32_t job, state *shared) {
  irl_env *env;
  irl_status status = irl_env_create_child(jobs->env, &env);
  if (status) return status;
  status = jobs->run(env, jobs->user, job);
  int none = IRL_OK;
  if (status && atomic_compare_exchange_strong(&shared->status, &none, (int)status))
    irl_fail(jobs->env, status, "%s", irl_env_error(env));
  irl_env_free(env);
  return status;
}

irl_status irl_parallel_jobs_run(const irl_parallel_jobs *jobs) {
  state shared;
  assert(jobs->threads > 0 && jobs->run && jobs->title && jobs->unit);
  atomic_init(&shared.status, IRL_OK);
  atomic_init(&shared.n_done, 0);
  irl_callbacks_note(jobs->env, jobs->title, 0, NAN, NAN);
#pragma omp parallel for num_threads(irl_threads_here(jobs->threads)) schedule(dynamic, 1)
  for (uint32_t job = 0; job < jobs->n; job++) {
    int none = IRL_OK;
    if (atomic_load(&shared.status) || irl_limit_poll(jobs->limit)) continue;
    const irl_status status = run_job(jobs, job, &shared);
    if (status) atomic_compare_exchange_strong(&shared.status, &none, (int)status);
    const unsigned done = atomic_fetch_add(&shared.n_done, 1) + 1;
    if (!omp_get_thread_num()) /* the caller's thread: the log hook is called from no other */
      irl_log(jobs->env, IRL_LOG_PROGRESS, "%s: %u of %u %s, %.1f s", jobs->title, done, jobs->n,
              jobs->unit, irl_clock_now() - jobs->env->started);
  }
  return (irl_status)atomic_load(&shared.status);
}
