/* How many threads a job, and a region of it, may have. */
#ifndef IRL_BASE_THREADS_H
#define IRL_BASE_THREADS_H

#include "ireland.h"

/* The number of threads that the option asks for (0: one per core), or as many of them as there
 * are to be had, one without OpenMP; noted for irl_env_run. */
int irl_threads(irl_env *env, int64_t wanted);

/* What every parallel region has for a number of threads: as many as it was to have, or one in the
 * thread that a forked process has of its parent's. */
int irl_threads_here(int threads);

/* The same for a region of n pieces of about so many words of work each: one where waking the
 * others would take longer than they save. */
int irl_threads_for(int threads, double n, double words);

#endif
