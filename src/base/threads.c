/* How many threads a job may have.
 *
 * OpenMP ends the process if the system gives it no thread (a limit of processes or of address
 * space). So before a job is given more threads than an earlier one had, as many are started for a
 * moment, and OpenMP then makes its own. Where they are not all to be had the job gets a quarter of
 * those that are, so that room is left for its data and for stacks of threads that have ended, of
 * which the C library keeps some; it is slower then, and its answer is the same.
 *
 * OpenMP keeps the threads of a region, for the next one that the same thread begins. A fork copies
 * what it remembers of them but not the threads themselves, and in the new process that thread's
 * next region would wait for them for ever. So a thread notes in which process it has had a region
 * of several threads, and in any other one its regions have one thread. Threads that the new
 * process starts are not concerned. Regions of the host itself are not seen: OpenMP does not tell
 * which threads it remembers, and one thread for whoever was forked would slow down every daemon;
 * ireland.h says what helps.
 */
#include "base/threads.h"
#include "base/env.h"
#include "base/memory.h"
#include "base/parallel.h"
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static _Thread_local pid_t threads_home; /* 0: this thread has had none */

int irl_threads_here(int threads) {
  if (threads <= 1 || !IRL_OPENMP) return 1;
  const pid_t here = getpid();
  if (!threads_home) threads_home = here;
  return threads_home == here ? threads : 1;
}

/* A region costs some 10 microseconds, and a multiple of it on a machine with other work, where the
 * threads that wait for the next one keep a core from others. */
#define WORTH_THREADS 262144.0

int irl_threads_for(int threads, double n, double words) {
  assert(n >= 0 && words >= 0);
  return n * words < WORTH_THREADS ? 1 : irl_threads_here(threads);
}

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
} gate;

static void *wait_at(void *user) {
  gate *g = user;
  pthread_mutex_lock(&g->lock);
  while (!g->is_open) pthread_cond_wait(&g->opened, &g->lock);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

/* Threads beside this one, all at once: as many as are wanted, or a quarter of those that there
 * are. */
static int count_available(const irl_env *env, int wanted) {
  gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
  pthread_t *threads = irl_mem_alloc(&env->allocator, (size_t)wanted, sizeof *threads);
  int n = 0;
  while (threads && n < wanted && !pthread_create(&threads[n], NULL, wait_at, &g)) n++;
  pthread_mutex_lock(&g.lock);
  g.is_open = true;
  pthread_cond_broadcast(&g.opened);
  pthread_mutex_unlock(&g.lock);
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  irl_mem_free(&env->allocator, threads);
  return n < wanted ? n / 4 : n;
}

int irl_threads(irl_env *env, int64_t wanted) {
  const int sharing = env->sharing > 1 ? env->sharing : 1;
  const int cores = irl_default_threads() / sharing > 1 ? irl_default_threads() / sharing : 1;
  int threads = irl_threads_here(wanted > 0 ? (int)wanted : cores);
  if (threads > 1 && threads > env->threads_used) {
    /* OpenMP makes its threads in the first region that needs them. */
    const int available = 1 + count_available(env, threads - 1);
    (void)available; /* without OpenMP */
    threads = 0;
#pragma omp parallel num_threads(irl_threads_here(available)) reduction(+ : threads)
    threads++;
  }
  if (threads > env->threads_used) env->threads_used = threads;
  return threads;
}
