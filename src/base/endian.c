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

/* The next words of *n, turned; *words and *n move on. */
static size_t take_piece(const uint64_t **words, size_t *n, uint64_t piece[PIECE]) {
  const size_t taken = *n < PIECE ? *n : PIECE;
  memcpy(piece, *words, taken * sizeof *piece);
  irl_endian_convert(piece, taken);
  *words += taken;
  *n -= taken;
  return taken * sizeof *piece;
}

uint64_t irl_endian_hash(const uint64_t *words, size_t n) {
  uint64_t piece[PIECE];
  XXH3_state_t state;
  if (IRL_IS_LITTLE_ENDIAN) return XXH3_64bits(words, n * sizeof *words);
  XXH3_64bits_reset(&state);
  while (n) {
    const size_t size = take_piece(&words, &n, piece);
    XXH3_64bits_update(&state, piece, size);
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

void irl_endian_write(const uint64_t *words, size_t n, FILE *stream) {
  uint64_t piece[PIECE];
  if (IRL_IS_LITTLE_ENDIAN) {
    if (n) fwrite(words, sizeof *words, n, stream);
    return;
  }
  while (n) {
    const size_t size = take_piece(&words, &n, piece);
    fwrite(piece, 1, size, stream);
  }
}
