/* Parallel jobs that know nothing of each other (folds, permutations). Each has an environment of
 * its own and writes to its own place, so nothing depends on the number of threads. */
#ifndef IRL_SEARCH_PARALLEL_JOBS_H
#define IRL_SEARCH_PARALLEL_JOBS_H

#include "base/limit.h"

typedef struct irl_parallel_jobs {
  irl_env *env;
  const irl_limit *limit; /* jobs that have not begun when it cuts are left out */
  int threads;
  uint32_t first, n;        /* jobs first .. first + n - 1 */
  uint32_t n_all;           /* that there are in the end, for the progress line; 0: first + n */
  const char *title, *unit; /* for the progress line: 'title: 3 of 10 unit' */
  void *user;
  irl_status (*run)(irl_env *env, void *user, uint32_t job);
  uint32_t n_done, n_failed; /* of those that began, for the caller to read */
} irl_parallel_jobs;

/* Runs all jobs, whichever fail; only the loss of a process ends it. Fails with the status and the
 * sentence of the first that failed. */
irl_status irl_parallel_jobs_run(irl_parallel_jobs *jobs);

#endif
