/* The moves are those of compress and expand in H. S. Warren, Hacker's Delight, 2nd edition,
 * section 7-4 and 7-5: a kept bit goes down by as many places as bits before it are left out, one
 * binary digit of that number at a time. */
#include "bits/sieve.h"
#include "base/memory.h"

void irl_sieve_word_init(irl_sieve_word *sieve, uint64_t mask) {
  uint64_t m = mask, left_out = ~m << 1;
  sieve->mask = mask;
  for (unsigned i = 0; i < IRL_SIEVE_MOVES; i++) {
    uint64_t odd = left_out; /* bit b: is an odd number of the bits below b left out? */
    for (unsigned k = 1; k < 64; k *= 2) odd ^= odd << k;
    const uint64_t moves = sieve->moves[i] = odd & m;
    m = (m ^ moves) | moves >> (1u << i);
    left_out &= ~odd;
  }
  assert(!(m & (m + 1))); /* the kept bits stand together, at the low end */
}

irl_status irl_sieve_init(irl_env *env, irl_sieve *sieve, const uint64_t *mask, size_t n_words) {
  irl_sieve made = {.allocator = env->allocator, .n_words = n_words};
  made.words = irl_mem_alloc(&env->allocator, n_words, sizeof *made.words);
  if (!made.words) return irl_fail_memory(env);
  for (size_t w = 0; w < n_words; w++) {
    irl_sieve_word_init(&made.words[w], mask[w]);
    made.words[w].before = made.n_kept;
    made.n_kept += (size_t)__builtin_popcountll(mask[w]);
  }
  *sieve = made;
  return IRL_STATUS_OK;
}

irl_status irl_sieve_init_pair(irl_env *env, irl_sieve pair[2], const uint64_t *mask,
                               size_t n_bits) {
  const size_t n_words = (n_bits + 63) / 64;
  uint64_t *others = irl_mem_alloc(&env->allocator, n_words, sizeof *others);
  irl_status status = others ? irl_sieve_init(env, &pair[0], mask, n_words) : irl_fail_memory(env);
  for (size_t w = 0; w < n_words && !status; w++) others[w] = ~mask[w];
  if (!status && n_bits % 64) others[n_words - 1] &= ((uint64_t)1 << n_bits % 64) - 1;
  if (!status) status = irl_sieve_init(env, &pair[1], others, n_words);
  irl_mem_free(&env->allocator, others);
  return status;
}

void irl_sieve_free(irl_sieve *sieve) {
  if (!sieve->allocator.resize) return;
  irl_mem_free(&sieve->allocator, sieve->words);
  *sieve = (irl_sieve){0};
}
