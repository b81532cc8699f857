/* A clock for LD_PRELOAD that jumps ahead by up to a second at every tenth question: whatever goes
 * by the clock comes early. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  static _Atomic unsigned n_questions;
  static _Atomic long ahead; /* milliseconds */
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const int status = real(clock, now);
  const unsigned n = n_questions++;
  if (n % 10 == 9) ahead += (n * 2654435761u >> 8) % 1000;
  now->tv_sec += ahead / 1000;
  now->tv_nsec += ahead % 1000 * 1000000;
  if (now->tv_nsec >= 1000000000) now->tv_nsec -= 1000000000, now->tv_sec++;
  return status;
}
