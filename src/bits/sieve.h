/* Some bits of a vector picked out, or put back to their places, a word at a time: the moves that a
 * word needs depend on which bits are kept alone, so they are found once for many vectors. */
#ifndef IRL_BITS_SIEVE_H
#define IRL_BITS_SIEVE_H

#include "bits/bits.h"

#define IRL_SIEVE_MOVES 6u /* by 1, 2, 4, ..., 32 places */

typedef struct irl_sieve_word {
  uint64_t mask; /* of the bits that are kept */
  uint64_t moves[IRL_SIEVE_MOVES];
  size_t before; /* bits kept of the words before */
} irl_sieve_word;

typedef struct irl_sieve {
  irl_allocator allocator;
  irl_sieve_word *words;
  size_t n_words, n_kept;
} irl_sieve;

/* `mask` has a bit for each one that is kept. */
irl_status irl_sieve_init(irl_env *env, irl_sieve *sieve, const uint64_t *mask, size_t n_words);
/* One for the bits of a mask, and one for all others of the first `n_bits`. */
irl_status irl_sieve_init_pair(irl_env *env, irl_sieve pair[2], const uint64_t *mask,
                               size_t n_bits);
void irl_sieve_free(irl_sieve *sieve);

/* Mask and moves of one word. */
void irl_sieve_word_init(irl_sieve_word *sieve, uint64_t mask);

/* The bits of `word` that are kept, side by side from bit 0 on. */
static inline uint64_t irl_sieve_word_gather(const irl_sieve_word *sieve, uint64_t word) {
  uint64_t x = word & sieve->mask;
  for (unsigned i = 0; i < IRL_SIEVE_MOVES; i++) {
    const uint64_t moved = x & sieve->moves[i];
    x = (x ^ moved) | moved >> (1u << i);
  }
  return x;
}

/* The bits of `word`, which is word w of a vector, that are kept, to their places in `to`, which is
 * zero there. */
static inline void irl_sieve_gather(const irl_sieve *sieve, size_t w, uint64_t word, uint64_t *to) {
  assert(w < sieve->n_words);
  const irl_sieve_word *s = &sieve->words[w];
  const uint64_t x = irl_sieve_word_gather(s, word);
  const size_t shift = s->before % 64;
  if (!x) return;
  assert(s->before < sieve->n_kept);
  to[s->before / 64] |= x << shift;
  if (shift && x >> (64 - shift)) to[s->before / 64 + 1] |= x >> (64 - shift);
}

/* Word w of the vector whose kept bits are those of `from`; the others are zero. */
static inline uint64_t irl_sieve_scatter(const irl_sieve *sieve, size_t w, const uint64_t *from) {
  assert(w < sieve->n_words);
  const irl_sieve_word *s = &sieve->words[w];
  const size_t shift = s->before % 64;
  if (!s->mask) return 0;
  uint64_t x = from[s->before / 64] >> shift;
  if (shift && (size_t)__builtin_popcountll(s->mask) > 64 - shift)
    x |= from[s->before / 64 + 1] << (64 - shift);
  for (unsigned i = IRL_SIEVE_MOVES; i-- > 0;)
    x = (x & ~s->moves[i]) | (x << (1u << i) & s->moves[i]);
  return x & s->mask;
}

#endif
