#include "search/parallel_jobs.h"
#include "base/clock.h"
#include "base/threads.h"
#include <math.h>
#include <omp.h>

/* What the threads share. */
typedef struct state {
  atomic_int status; /* of the first job that failed, whose sentence is the environment's */
  atomic_uint n_done;
} state;

static irl_status run_job(const irl_parallel_jobs *crowd, uint32_t job, state *shared) {
  irl_env *env;
  irl_status status = irl_env_create_child(crowd->env, &env);
  if (status) return status;
  status = crowd->run(env, crowd->user, job);
  int none = IRL_OK;
  if (status && atomic_compare_exchange_strong(&shared->status, &none, (int)status))
    irl_fail(crowd->env, status, "%s", irl_env_error(env));
  irl_env_free(env);
  return status;
}

irl_status irl_parallel_jobs_run(const irl_parallel_jobs *crowd) {
  state shared;
  atomic_init(&shared.status, IRL_OK);
  atomic_init(&shared.n_done, 0);
  irl_callbacks_note(crowd->env, crowd->title, 0, NAN, NAN);
#pragma omp parallel for num_threads(irl_threads_here(crowd->threads)) schedule(dynamic, 1)
  for (uint32_t job = 0; job < crowd->n; job++) {
    int none = IRL_OK;
    if (atomic_load(&shared.status) || irl_limit_poll(crowd->limit)) continue;
    const irl_status status = run_job(crowd, job, &shared);
    if (status) atomic_compare_exchange_strong(&shared.status, &none, (int)status);
    const unsigned done = atomic_fetch_add(&shared.n_done, 1) + 1;
    if (!omp_get_thread_num()) /* the caller's: the log hook is called from no other */
      irl_log(crowd->env, IRL_LOG_PROGRESS, "%s: %u of %u %s, %.1f s", crowd->title, done, crowd->n,
              crowd->unit, irl_clock_now() - crowd->env->started);
  }
  return (irl_status)atomic_load(&shared.status);
}
