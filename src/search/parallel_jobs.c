#include "search/parallel_jobs.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/threads.h"
#include <assert.h>
#include <math.h>

/* The failure whose sentence is the environment's: the loss of a process, else of the first job. */
typedef struct failure {
  irl_status status;
  uint64_t rank;
} failure;

static void note_failure(irl_env *env, const irl_env *own, irl_status status, uint32_t job,
                         failure *first) {
  const uint64_t rank = status == IRL_STATUS_PROCESS_LOST ? 0 : (uint64_t)job + 1;
  if (first->status && first->rank <= rank) return;
  *first = (failure){status, rank};
  if (own) irl_fail(env, status, "%s", irl_env_error(own));
}

irl_status irl_parallel_jobs_run(irl_parallel_jobs *jobs) {
  failure first = {IRL_STATUS_OK, 0};
  irl_lock lock;       /* of that and of the sentence */
  atomic_bool is_lost; /* a process: nothing goes on without it */
  atomic_uint n_done, n_failed;
  assert(jobs->threads > 0 && jobs->run && jobs->title && jobs->unit);
  irl_lock_init(&lock);
  atomic_init(&is_lost, false);
  atomic_init(&n_done, 0);
  atomic_init(&n_failed, 0);
  irl_callbacks_note(jobs->env, jobs->title, 0, NAN, NAN);
#pragma omp parallel for num_threads(irl_threads_here(jobs->threads)) schedule(dynamic, 1)
  for (uint32_t job = jobs->first; job < jobs->first + jobs->n; job++) {
    irl_env *env = NULL;
    if (atomic_load(&is_lost) || irl_limit_poll(jobs->limit)) continue;
    irl_status status = irl_env_create_child(jobs->env, &env);
    if (!status) status = jobs->run(env, jobs->user, job);
    if (status) {
      irl_lock_set(&lock);
      note_failure(jobs->env, env, status, job, &first);
      irl_lock_unset(&lock);
      atomic_fetch_add(&n_failed, 1);
      if (status == IRL_STATUS_PROCESS_LOST) atomic_store(&is_lost, true);
    }
    irl_env_free(env);
    const unsigned done = atomic_fetch_add(&n_done, 1) + 1;
    if (!irl_thread_number()) /* the caller's thread: the log hook is called from no other */
      irl_log(jobs->env, IRL_LOG_PROGRESS, "%s: %u of %u %s, %.1f s", jobs->title,
              jobs->first + done, jobs->n_all ? jobs->n_all : jobs->first + jobs->n, jobs->unit,
              irl_clock_now() - jobs->env->started);
  }
  irl_lock_free(&lock);
  jobs->n_failed = atomic_load(&n_failed);
  jobs->n_done = atomic_load(&n_done) - jobs->n_failed;
  return first.status;
}
