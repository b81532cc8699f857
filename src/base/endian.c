#define XXH_STATIC_LINKING_ONLY /* a state on the stack */
#include "base/endian.h"
#include <string.h>
#include <xxhash.h>

#define PIECE 512u /* words that are turned at a time */

_Static_assert(IRL_IS_LITTLE_ENDIAN || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
               "no third order is known");

void irl_endian_convert(uint64_t *words, size_t n) {
  if (IRL_IS_LITTLE_ENDIAN) return;
  for (size_t i = 0; i < n; i++) words[i] = irl_endian_64(words[i]);
}

uint64_t irl_endian_hash(const uint64_t *words, size_t n) {
  uint64_t piece[PIECE];
  XXH3_state_t state;
  if (IRL_IS_LITTLE_ENDIAN) return XXH3_64bits(words, n * sizeof *words);
  XXH3_64bits_reset(&state);
  for (size_t at = 0; at < n; at += PIECE) {
    const size_t taken = n - at < PIECE ? n - at : PIECE;
    memcpy(piece, words + at, taken * sizeof *piece);
    irl_endian_convert(piece, taken);
    XXH3_64bits_update(&state, piece, taken * sizeof *piece);
  }
  return XXH3_64bits_digest(&state);
}

int irl_endian_compare(const uint64_t *a, const uint64_t *b, size_t n) {
  if (IRL_IS_LITTLE_ENDIAN) return memcmp(a, b, n * sizeof *a);
  for (size_t i = 0; i < n; i++) {
    const uint64_t x = irl_endian_64(a[i]), y = irl_endian_64(b[i]);
    if (x != y) return memcmp(&x, &y, sizeof x);
  }
  return 0;
}
