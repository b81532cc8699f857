/* A fixed amount of work that no change of the library touches: the unit of bench/times.csv.
 *
 * Half of it is AND and popcount over a buffer of the second-level cache, word by word, half is a
 * walk through a random cycle of the same buffer, so that arithmetic and memory both count. It must
 * stay as it is: who changes it changes the unit. Prints a number that depends on all of it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS  (UINT32_C(1) << 15)
#define PASSES 1500u
#define STEPS  (UINT32_C(1) << 24)

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uint32_t count_bits(uint64_t word) {
  word -= (word >> 1) & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (uint32_t)((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* One cycle through all places (Sattolo's shuffle). */
static void make_cycle(uint64_t *next, uint64_t *state) {
  for (uint32_t i = 0; i < WORDS; i++) next[i] = i;
  for (uint32_t i = WORDS - 1; i > 0; i--) {
    const uint32_t j = (uint32_t)(next_random(state) % i);
    const uint64_t kept = next[i];
    next[i] = next[j];
    next[j] = kept;
  }
}

int main(void) {
  uint64_t state = 88172645463325252u, bits = 0;
  uint64_t *words = malloc(2 * (size_t)WORDS * sizeof *words);
  if (!words) return 1;
  uint64_t *next = words + WORDS;
  for (uint32_t i = 0; i < WORDS; i++) words[i] = next_random(&state);
  make_cycle(next, &state);
  for (uint32_t pass = 0; pass < PASSES; pass++) {
    const uint64_t mask = next_random(&state);
    for (uint32_t i = 0; i < WORDS; i++) bits += count_bits(words[i] & mask);
  }
  uint64_t at = 0;
  for (uint32_t step = 0; step < STEPS; step++) at = next[at];
  printf("%llu %llu\n", (unsigned long long)bits, (unsigned long long)at);
  free(words);
  return 0;
}
