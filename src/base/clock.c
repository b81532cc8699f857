#include "base/clock.h"
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double irl_clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double irl_clock_peak_mb(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage)) return 0;
#ifdef __APPLE__
  return (double)usage.ru_maxrss / 1e6;
#else
  return (double)usage.ru_maxrss * 1024 / 1e6;
#endif
}

double irl_clock_resident_mb(void) {
  unsigned long size, pages;
  FILE *status = fopen("/proc/self/statm", "r");
  if (!status) return irl_clock_peak_mb();
  const int n = fscanf(status, "%lu %lu", &size, &pages);
  fclose(status);
  return n == 2 ? (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6 : irl_clock_peak_mb();
}
