#include "base/hash_index.h"
#include "bits/bits.h"
#include <xxhash.h>

irl_status irl_equal_rows_find(irl_env *env, const irl_bits_matrix *a, const irl_bits_matrix *b,
                               irl_equal_rows *groups) {
  const size_t n_a = a->n_vectors, n = n_a + (b ? b->n_vectors : 0);
  const size_t bytes = a->stride * sizeof *a->words;
  irl_hash_index index;
  assert(!b || (a->n_bits == b->n_bits && a->stride == b->stride));
  assert(irl_bits_tails_are_zero(a) && (!b || irl_bits_tails_are_zero(b)));
  irl_hash_index_init(&index, &env->allocator);
  if (!irl_hash_index_reset(&index, n)) return irl_fail_memory(env);
  groups->n = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t *row = i < n_a ? irl_bits_vector(a, i) : irl_bits_vector(b, i - n_a);
    const uint64_t hash = XXH3_64bits(row, bytes);
    irl_hash_probe probe = irl_hash_probe_start(&index, hash);
    uint32_t g;
    while ((g = irl_hash_probe_next(&probe)) != IRL_HASH_NONE) {
      const size_t first = groups->first[g];
      if (!memcmp(first < n_a ? irl_bits_vector(a, first) : irl_bits_vector(b, first - n_a), row,
                  bytes))
        break;
    }
    if (g == IRL_HASH_NONE) {
      g = groups->n++;
      groups->first[g] = (uint32_t)i;
      groups->size[g] = 0;
      irl_hash_index_insert(&index, hash, g); /* there is room */
    }
    groups->group_of[i] = g;
    groups->size[g]++;
  }
  irl_hash_index_free(&index);
  return IRL_OK;
}
