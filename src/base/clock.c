#include "base/clock.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The second number of the file is that of resident pages. */
double irl_clock_resident_mb(void) {
  char line[100] = "", *second;
  FILE *status = fopen("/proc/self/statm", "r");
  if (!status) return irl_clock_peak_mb();
  const bool is_read = fgets(line, sizeof line, status) != NULL;
  fclose(status);
  strtoul(line, &second, 10);
  const unsigned long pages = strtoul(second, NULL, 10);
  return is_read ? (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6 : irl_clock_peak_mb();
}
