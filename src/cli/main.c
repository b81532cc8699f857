/* The program of one process. */
#include "cli/cli.h"
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define GIVEN_BACK (1 << 20) /* bytes */

/* A block of some size is a mapping of its own, which the system has back as soon as it is freed;
 * left alone, malloc keeps blocks of up to 32 MB once one of them was freed, and the names of a
 * million literals, of which there are several copies while a file is read, stay to the end.
 *
 * Where the address space is bounded every thread of malloc takes 64 MB of it for blocks of its
 * own, and every thread of BLAS, which is there before main, 128 MB, or waits for them for ever. We
 * need neither: one arena will do, and the program starts anew without the threads. */
int main(int n, char **words) {
  struct rlimit limit;
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, GIVEN_BACK);
#endif
  if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
    if (!getenv("OPENBLAS_NUM_THREADS") && !setenv("OPENBLAS_NUM_THREADS", "1", true))
      execv("/proc/self/exe", words);
  }
  return cli_main(n, words, NULL);
}
