#include "base/clock.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <windows.h>

#include <psapi.h>
#elif defined(__EMSCRIPTEN__)
#include <emscripten/heap.h>
#include <unistd.h>
#else
#include <sys/resource.h>
#include <unistd.h>
#endif

double irl_clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#ifdef _WIN32

static PROCESS_MEMORY_COUNTERS memory_of_process(void) {
  PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters;
}

double irl_clock_peak_mb(void) {
  return (double)memory_of_process().PeakWorkingSetSize / 1e6;
}

double irl_clock_available_mb(void) {
  MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
  GlobalMemoryStatusEx(&memory);
  return (double)memory.ullAvailPhys / 1e6;
}

double irl_clock_resident_mb(void) {
  return (double)memory_of_process().WorkingSetSize / 1e6;
}

#elif defined(__EMSCRIPTEN__)

/* The memory of a WebAssembly module grows and never shrinks: its peak is what it has. */
double irl_clock_peak_mb(void) {
  return (double)(uintptr_t)sbrk(0) / 1e6;
}

double irl_clock_available_mb(void) {
  return (double)emscripten_get_heap_max() / 1e6 - irl_clock_peak_mb();
}

double irl_clock_resident_mb(void) {
  return irl_clock_peak_mb();
}

#else

double irl_clock_peak_mb(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage)) return 0;
#ifdef __APPLE__
  return (double)usage.ru_maxrss / 1e6;
#else
  return (double)usage.ru_maxrss * 1024 / 1e6;
#endif
}

/* The first line of a file of the kernel that begins so, after that; "" if there is none. */
static void read_line(const char *path, const char *start, char *rest, int size) {
  const size_t length = strlen(start);
  char line[128] = "";
  FILE *file = fopen(path, "r");
  bool is_found = false;
  while (file && !is_found && fgets(line, sizeof line, file))
    is_found = !strncmp(line, start, length);
  if (file) fclose(file);
  snprintf(rest, (size_t)size, "%s", is_found ? line + length : "");
}

double irl_clock_available_mb(void) {
  char text[128];
  read_line("/proc/meminfo", "MemAvailable:", text, sizeof text);
  const unsigned long long kb = strtoull(text, NULL, 10);
  if (kb) return (double)kb * 1024 / 1e6;
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

double irl_clock_resident_mb(void) {
  char text[128], *at;
  read_line("/proc/self/statm", "", text, sizeof text);
  strtoul(text, &at, 10); /* all pages; then those that are resident */
  const unsigned long pages = strtoul(at, NULL, 10);
  return pages ? (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6 : irl_clock_peak_mb();
}

#endif
