/* What is used of OpenMP beside its pragmas, and the same for a library that is built without it:
 * there is one thread then, for which pragmas are ignored and locks need not hold anybody off. */
#ifndef IRL_BASE_PARALLEL_H
#define IRL_BASE_PARALLEL_H

#ifdef _OPENMP

#include <omp.h>

#define IRL_OPENMP _OPENMP

typedef omp_lock_t irl_lock;

/* Of the thread within its region, from 0 on. */
static inline int irl_thread_number(void) {
  return omp_get_thread_num();
}

/* Threads where none are asked for: one per core, or fewer where OMP_NUM_THREADS says so. */
static inline int irl_default_threads(void) {
  const int cores = omp_get_num_procs(), wanted = omp_get_max_threads();
  return wanted < cores ? wanted : cores;
}

static inline void irl_lock_init(irl_lock *lock) {
  omp_init_lock(lock);
}

static inline void irl_lock_free(irl_lock *lock) {
  omp_destroy_lock(lock);
}

static inline void irl_lock_set(irl_lock *lock) {
  omp_set_lock(lock);
}

static inline void irl_lock_unset(irl_lock *lock) {
  omp_unset_lock(lock);
}

#else

#define IRL_OPENMP 0

typedef char irl_lock;

static inline int irl_thread_number(void) {
  return 0;
}

static inline int irl_default_threads(void) {
  return 1;
}

static inline void irl_lock_init(irl_lock *lock) {
  *lock = 0;
}

static inline void irl_lock_free(irl_lock *lock) {
  (void)lock;
}

static inline void irl_lock_set(irl_lock *lock) {
  (void)lock;
}

static inline void irl_lock_unset(irl_lock *lock) {
  (void)lock;
}

#endif
#endif
