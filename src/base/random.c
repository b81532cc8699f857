#include "base/random.h"
#include <assert.h>

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void irl_random_init(irl_random *random, uint64_t seed, uint64_t stream) {
  uint64_t x = seed;
  x = splitmix(&x) ^ stream;
  for (int i = 0; i < 4; i++) random->state[i] = splitmix(&x);
}

static uint64_t rotate(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

uint64_t irl_random_next(irl_random *random) {
  uint64_t *s = random->state;
  const uint64_t result = rotate(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

/* Rejection below the largest multiple of n that fits. */
uint64_t irl_random_below(irl_random *random, uint64_t n) {
  assert(n > 0);
  const uint64_t reject = -n % n;
  uint64_t x;
  do x = irl_random_next(random);
  while (x < reject);
  return x % n;
}

double irl_random_real(irl_random *random) {
  return (double)(irl_random_next(random) >> 11) * 0x1p-53;
}

/* Bit by bit from the lowest binary digit of `chance`: OR with a random word for a one halves the
 * distance to 1, AND for a zero halves the value. One half costs one word. */
uint64_t irl_random_bits(irl_random *random, uint64_t chance) {
  assert(chance <= (uint64_t)1 << 32);
  if (chance >> 32) return UINT64_MAX;
  if (!chance) return 0;
  uint64_t bits = 0;
  for (int digit = __builtin_ctzll(chance); digit < 32; digit++) {
    const uint64_t word = irl_random_next(random);
    bits = chance >> digit & 1 ? bits | word : bits & word;
  }
  return bits;
}
