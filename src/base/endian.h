/* Numbers in binary files and under checksums are little-endian, whatever the machine: these turn
 * them from and to its own order, and do nothing where that is the same. */
#ifndef IRL_BASE_ENDIAN_H
#define IRL_BASE_ENDIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IRL_IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

static inline uint32_t irl_endian_32(uint32_t x) {
  return IRL_IS_LITTLE_ENDIAN ? x : __builtin_bswap32(x);
}
static inline uint64_t irl_endian_64(uint64_t x) {
  return IRL_IS_LITTLE_ENDIAN ? x : __builtin_bswap64(x);
}
/* In place. */
void irl_endian_convert(uint64_t *words, size_t n);
/* XXH3 of the words as they stand in a file. */
uint64_t irl_endian_hash(const uint64_t *words, size_t n);
/* The order that memcmp has on the words as they stand in a file. */
int irl_endian_compare(const uint64_t *a, const uint64_t *b, size_t n);

#endif
