/* XXH3 with 64 bits after the specification of xxHash (doc/xxhash_spec.md there).
 *
 * This header stands in for <xxhash.h> where that is not installed, and in the packages for Python
 * and R, which may ask for no other library: `make XXHASH=` puts its folder on the path. It has the
 * calls that ireland makes and gives the same numbers, so files and certificates are the same bytes
 * (tests/package/test_xxh3.c compares the two). Loops are plain: long inputs take about three times
 * as long as with the vector code of the library.
 *
 * Inputs of up to 16, 128 and 240 bytes have ways of their own. Longer ones are cut into stripes of
 * 64 bytes, eight lanes wide; each lane multiplies the halves of its word, mixed with a secret that
 * moves on by eight bytes a stripe; after the 16 stripes of a block the lanes are scrambled. The
 * last stripe is the last 64 bytes, whatever was read of them before. */
#ifndef IRL_XXH3_H
#define IRL_XXH3_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define XXH_VERSION_NUMBER 803 /* of the specification */
#define XXH3_LANES         8
#define XXH3_STRIPE        64
#define XXH3_SECRET        192
#define XXH3_BLOCK         16 /* stripes */
#define XXH3_SHORT         240
#define XXH3_BUFFER        256

static const uint8_t xxh3_secret[XXH3_SECRET] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

#define XXH3_PRIME32_1 0x9E3779B1u
#define XXH3_PRIME32_2 0x85EBCA77u
#define XXH3_PRIME32_3 0xC2B2AE3Du
#define XXH3_PRIME64_1 UINT64_C(0x9E3779B185EBCA87)
#define XXH3_PRIME64_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define XXH3_PRIME64_3 UINT64_C(0x165667B19E3779F9)
#define XXH3_PRIME64_4 UINT64_C(0x85EBCA77C2B2AE63)
#define XXH3_PRIME64_5 UINT64_C(0x27D4EB2F165667C5)
#define XXH3_MIX_1     UINT64_C(0x165667919E3779F9)
#define XXH3_MIX_2     UINT64_C(0x9FB21C651E98DF25)

static inline unsigned XXH_versionNumber(void) {
  return XXH_VERSION_NUMBER;
}

static inline uint64_t xxh3_swap(uint64_t x) {
  x = (x & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0x00ff00ff00ff00ff));
  x = (x & UINT64_C(0x0000ffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0x0000ffff0000ffff));
  return x << 32 | x >> 32;
}

/* Words are little-endian on every machine. */
static inline uint64_t xxh3_read64(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = xxh3_swap(word);
#endif
  return word;
}

static inline uint64_t xxh3_read32(const uint8_t *p) {
  return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static inline uint64_t xxh3_rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

/* The two halves of the product of 128 bits, XORed. */
static inline uint64_t xxh3_fold(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 wide;
  const wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
  const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), left = (a >> 32) * (b & UINT32_MAX);
  const uint64_t right = (a & UINT32_MAX) * (b >> 32), high = (a >> 32) * (b >> 32);
  const uint64_t middle = (low >> 32) + (left & UINT32_MAX) + right;
  return (middle << 32 | (low & UINT32_MAX)) ^ ((left >> 32) + (middle >> 32) + high);
#endif
}

static inline uint64_t xxh3_avalanche(uint64_t h) {
  h = (h ^ h >> 37) * XXH3_MIX_1;
  return h ^ h >> 32;
}

/* That of XXH64, for the shortest ones. */
static inline uint64_t xxh3_avalanche64(uint64_t h) {
  h = (h ^ h >> 33) * XXH3_PRIME64_2;
  h = (h ^ h >> 29) * XXH3_PRIME64_3;
  return h ^ h >> 32;
}

/* Sixteen bytes with sixteen of the secret. */
static inline uint64_t xxh3_mix16(const uint8_t *p, const uint8_t *secret, uint64_t seed) {
  return xxh3_fold(xxh3_read64(p) ^ (xxh3_read64(secret) + seed),
                   xxh3_read64(p + 8) ^ (xxh3_read64(secret + 8) - seed));
}

static inline uint64_t xxh3_key(size_t first) {
  return xxh3_read64(xxh3_secret + first) ^ xxh3_read64(xxh3_secret + first + 8);
}

static inline uint64_t xxh3_up_to_16(const uint8_t *p, size_t n, uint64_t seed) {
  if (n > 8) {
    const uint64_t low = xxh3_read64(p) ^ (xxh3_key(24) + seed);
    const uint64_t high = xxh3_read64(p + n - 8) ^ (xxh3_key(40) - seed);
    return xxh3_avalanche(n + xxh3_swap(low) + high + xxh3_fold(low, high));
  }
  if (n >= 4) {
    const uint64_t mixed = seed ^ (xxh3_swap(seed & UINT32_MAX) >> 32) << 32;
    uint64_t h = (xxh3_read32(p + n - 4) + (xxh3_read32(p) << 32)) ^ (xxh3_key(8) - mixed);
    h = (h ^ xxh3_rotate(h, 49) ^ xxh3_rotate(h, 24)) * XXH3_MIX_2;
    h = (h ^ ((h >> 35) + n)) * XXH3_MIX_2;
    return h ^ h >> 28;
  }
  if (!n) return xxh3_avalanche64(seed ^ xxh3_key(56));
  const uint64_t all = (uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 24 | p[n - 1] | n << 8;
  return xxh3_avalanche64(all ^ ((xxh3_read32(xxh3_secret) ^ xxh3_read32(xxh3_secret + 4)) + seed));
}

/* Pairs of sixteen bytes from both ends to the middle. */
static inline uint64_t xxh3_up_to_128(const uint8_t *p, size_t n, uint64_t seed) {
  uint64_t sum = n * XXH3_PRIME64_1;
  for (size_t i = (n - 1) / 32 + 1; i-- > 0;) {
    sum += xxh3_mix16(p + 16 * i, xxh3_secret + 32 * i, seed);
    sum += xxh3_mix16(p + n - 16 * (i + 1), xxh3_secret + 32 * i + 16, seed);
  }
  return xxh3_avalanche(sum);
}

static inline uint64_t xxh3_up_to_240(const uint8_t *p, size_t n, uint64_t seed) {
  uint64_t sum = n * XXH3_PRIME64_1;
  for (size_t i = 0; i < 8; i++) sum += xxh3_mix16(p + 16 * i, xxh3_secret + 16 * i, seed);
  sum = xxh3_avalanche(sum);
  for (size_t i = 8; i < n / 16; i++)
    sum += xxh3_mix16(p + 16 * i, xxh3_secret + 16 * (i - 8) + 3, seed);
  return xxh3_avalanche(sum + xxh3_mix16(p + n - 16, xxh3_secret + 136 - 17, seed));
}

static inline void xxh3_start(uint64_t lanes[XXH3_LANES]) {
  static const uint64_t first[XXH3_LANES] = {XXH3_PRIME32_3, XXH3_PRIME64_1, XXH3_PRIME64_2,
                                             XXH3_PRIME64_3, XXH3_PRIME64_4, XXH3_PRIME32_2,
                                             XXH3_PRIME64_5, XXH3_PRIME32_1};
  memcpy(lanes, first, sizeof first);
}

static inline void xxh3_stripe(uint64_t lanes[XXH3_LANES], const uint8_t *p,
                               const uint8_t *secret) {
  for (size_t i = 0; i < XXH3_LANES; i++) {
    const uint64_t word = xxh3_read64(p + 8 * i), key = word ^ xxh3_read64(secret + 8 * i);
    lanes[i ^ 1] += word;
    lanes[i] += (key & UINT32_MAX) * (key >> 32);
  }
}

static inline void xxh3_scramble(uint64_t lanes[XXH3_LANES], const uint8_t *secret) {
  secret += XXH3_SECRET - XXH3_STRIPE;
  for (size_t i = 0; i < XXH3_LANES; i++)
    lanes[i] = (lanes[i] ^ lanes[i] >> 47 ^ xxh3_read64(secret + 8 * i)) * XXH3_PRIME32_1;
}

/* Stripes that are not the last one; `done` of this block are behind. */
static inline void xxh3_stripes(uint64_t lanes[XXH3_LANES], size_t *done, const uint8_t *p,
                                size_t n_stripes, const uint8_t *secret) {
  for (size_t i = 0; i < n_stripes; i++) {
    xxh3_stripe(lanes, p + XXH3_STRIPE * i, secret + 8 * *done);
    if (++*done < XXH3_BLOCK) continue;
    xxh3_scramble(lanes, secret);
    *done = 0;
  }
}

static inline uint64_t xxh3_finish(uint64_t lanes[XXH3_LANES], const uint8_t *last, uint64_t n,
                                   const uint8_t *secret) {
  uint64_t sum = n * XXH3_PRIME64_1;
  xxh3_stripe(lanes, last, secret + XXH3_SECRET - XXH3_STRIPE - 7);
  for (size_t i = 0; i < XXH3_LANES; i += 2)
    sum += xxh3_fold(lanes[i] ^ xxh3_read64(secret + 11 + 8 * i),
                     lanes[i + 1] ^ xxh3_read64(secret + 11 + 8 * i + 8));
  return xxh3_avalanche(sum);
}

static inline uint64_t xxh3_long(const uint8_t *p, size_t n, const uint8_t *secret) {
  uint64_t lanes[XXH3_LANES];
  size_t done = 0;
  xxh3_start(lanes);
  xxh3_stripes(lanes, &done, p, (n - 1) / XXH3_STRIPE, secret);
  return xxh3_finish(lanes, p + n - XXH3_STRIPE, n, secret);
}

/* Long inputs have a secret of their own, made of the seed. */
static inline uint64_t xxh3_long_with_seed(const uint8_t *p, size_t n, uint64_t seed) {
  uint8_t secret[XXH3_SECRET];
  for (size_t i = 0; i < XXH3_SECRET; i += 8) {
    const uint64_t word = xxh3_read64(xxh3_secret + i) + (i % 16 ? 0 - seed : seed);
    for (size_t b = 0; b < 8; b++) secret[i + b] = (uint8_t)(word >> 8 * b);
  }
  return xxh3_long(p, n, secret);
}

static inline uint64_t XXH3_64bits_withSeed(const void *bytes, size_t n, uint64_t seed) {
  const uint8_t *p = bytes;
  if (n <= 16) return xxh3_up_to_16(p, n, seed);
  if (n <= 128) return xxh3_up_to_128(p, n, seed);
  if (n <= XXH3_SHORT) return xxh3_up_to_240(p, n, seed);
  return seed ? xxh3_long_with_seed(p, n, seed) : xxh3_long(p, n, xxh3_secret);
}

static inline uint64_t XXH3_64bits(const void *bytes, size_t n) {
  return XXH3_64bits_withSeed(bytes, n, 0);
}

/* ---- bytes that come in parts ---- */

/* The buffer keeps what has not gone into the lanes; its end, when it is emptied, stays where it
 * is: the last stripe may need it. */
typedef struct XXH3_state_s {
  uint64_t lanes[XXH3_LANES], total;
  size_t done, used;
  uint8_t buffer[XXH3_BUFFER];
} XXH3_state_t;

static inline XXH3_state_t *XXH3_createState(void) {
  return malloc(sizeof(XXH3_state_t));
}

static inline int XXH3_freeState(XXH3_state_t *state) {
  free(state);
  return 0;
}

static inline int XXH3_64bits_reset(XXH3_state_t *state) {
  memset(state, 0, sizeof *state);
  xxh3_start(state->lanes);
  return 0;
}

static inline int XXH3_64bits_update(XXH3_state_t *state, const void *bytes, size_t n) {
  const uint8_t *p = bytes;
  state->total += n;
  while (n) {
    if (state->used == XXH3_BUFFER) {
      xxh3_stripes(state->lanes, &state->done, state->buffer, XXH3_BUFFER / XXH3_STRIPE,
                   xxh3_secret);
      state->used = 0;
    }
    const size_t room = XXH3_BUFFER - state->used, part = n < room ? n : room;
    memcpy(state->buffer + state->used, p, part);
    state->used += part;
    p += part;
    n -= part;
  }
  return 0;
}

static inline uint64_t XXH3_64bits_digest(const XXH3_state_t *state) {
  uint64_t lanes[XXH3_LANES];
  uint8_t last[XXH3_STRIPE];
  size_t done = state->done;
  const size_t used = state->used;
  if (state->total <= XXH3_SHORT) return XXH3_64bits(state->buffer, (size_t)state->total);
  memcpy(lanes, state->lanes, sizeof lanes);
  xxh3_stripes(lanes, &done, state->buffer, (used - 1) / XXH3_STRIPE, xxh3_secret);
  if (used >= XXH3_STRIPE) {
    memcpy(last, state->buffer + used - XXH3_STRIPE, XXH3_STRIPE);
  } else {
    memcpy(last, state->buffer + XXH3_BUFFER - (XXH3_STRIPE - used), XXH3_STRIPE - used);
    memcpy(last + XXH3_STRIPE - used, state->buffer, used);
  }
  return xxh3_finish(lanes, last, state->total, xxh3_secret);
}

#endif
