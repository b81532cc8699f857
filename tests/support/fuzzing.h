/* What suites of random puzzles share: how many and from where, as the environment says, and memory
 * that stays. */
#ifndef FUZZING_H
#define FUZZING_H

#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* A number from the environment: IRL_FUZZ (how many puzzles), IRL_FUZZ_FIRST, IRL_FUZZ_SEED. */
static inline uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

/* A run's memory is mapped and cleared anew for every puzzle otherwise: ten times as long. */
static inline void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

#endif
