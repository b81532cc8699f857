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

double irl_clock_available_mb(void) {
  unsigned long long kb = 0;
  char line[128];
  FILE *about = fopen("/proc/meminfo", "r");
  while (about && !kb && fgets(line, sizeof line, about)) sscanf(line, "MemAvailable: %llu", &kb);
  if (about) fclose(about);
  if (kb) return (double)kb * 1024 / 1e6;
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e6;
}
