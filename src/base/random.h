/* Random numbers: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. The same numbers on
 * every platform; `stream` gives independent sequences for parts of a job, so that results do not
 * depend on which thread does which part. */
#ifndef IRL_BASE_RANDOM_H
#define IRL_BASE_RANDOM_H

#include <stdint.h>

typedef struct irl_random {
  uint64_t state[4];
} irl_random;

void irl_random_init(irl_random *random, uint64_t seed, uint64_t stream);
uint64_t irl_random_next(irl_random *random);
/* Uniform in 0 .. n-1, without bias; n > 0. */
uint64_t irl_random_below(irl_random *random, uint64_t n);
/* Uniform in [0, 1), a multiple of 2^-53. */
double irl_random_real(irl_random *random);
/* 64 independent bits, each one with probability `chance` / 2^32. */
uint64_t irl_random_bits(irl_random *random, uint64_t chance);

#endif
