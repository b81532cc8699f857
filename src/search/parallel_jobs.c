#include "search/parallel_jobs.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/threads.h"
#include <assert.h>
#include <math.h>

irl_status irl_parallel_jobs_run(const irl_parallel_jobs *jobs) {
  atomic_int failed; /* of the first job that failed, whose sentence is the environment's */
  atomic_uint n_done;
  assert(jobs->threads > 0 && jobs->run && jobs->title && jobs->unit);
  atomic_init(&failed, IRL_STATUS_OK);
  atomic_init(&n_done, 0);
  irl_callbacks_note(jobs->env, jobs->title, 0, NAN, NAN);
#pragma omp parallel for num_threads(irl_threads_here(jobs->threads)) schedule(dynamic, 1)
  for (uint32_t job = jobs->first; job < jobs->first + jobs->n; job++) {
    irl_env *env = NULL;
    int none = IRL_STATUS_OK;
    if (atomic_load(&failed) || irl_limit_poll(jobs->limit)) continue;
    irl_status status = irl_env_create_child(jobs->env, &env);
    const bool has_run = !status;
    if (has_run) status = jobs->run(env, jobs->user, job);
    if (status && atomic_compare_exchange_strong(&failed, &none, (int)status) && has_run)
      irl_fail(jobs->env, status, "%s", irl_env_error(env));
    irl_env_free(env);
    const unsigned done = atomic_fetch_add(&n_done, 1) + 1;
    if (!irl_thread_number()) /* the caller's thread: the log hook is called from no other */
      irl_log(jobs->env, IRL_LOG_PROGRESS, "%s: %u of %u %s, %.1f s", jobs->title,
              jobs->first + done, jobs->n_all ? jobs->n_all : jobs->first + jobs->n, jobs->unit,
              irl_clock_now() - jobs->env->started);
  }
  return (irl_status)atomic_load(&failed);
}
