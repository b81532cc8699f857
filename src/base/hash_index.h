/* An index from hashes to numbers: open addressing, at most three quarters full. It keeps 32 bits
 * of each hash and no keys: the caller looks at the entries of a hash one after another and
 * compares them himself.
 *
 *   irl_hash_probe probe = irl_hash_probe_start(&index, hash);
 *   uint32_t k;
 *   while ((k = irl_hash_probe_next(&probe)) != IRL_HASH_NONE && !is_equal(k)) continue;
 */
#ifndef IRL_BASE_HASH_INDEX_H
#define IRL_BASE_HASH_INDEX_H

#include "ireland.h"

#define IRL_HASH_NONE UINT32_MAX

typedef struct irl_hash_slot {
  uint32_t hash;
  uint32_t number; /* plus 1; 0: the slot is free */
} irl_hash_slot;

typedef struct irl_hash_index {
  irl_allocator allocator;
  irl_hash_slot *slots;
  size_t n;
  size_t n_slots, capacity; /* of slots: in use, a power of two or 0, and allocated */
  uint64_t seed;            /* of irl_hash_of */
} irl_hash_index;

/* An empty index has no memory yet. */
void irl_hash_index_init(irl_hash_index *index, const irl_allocator *allocator);
void irl_hash_index_free(irl_hash_index *index);
/* Removes all entries and makes room for `n`, so that insertions up to there cannot fail; memory is
 * reused, in time for n entries whatever there were before. False: out of memory. */
bool irl_hash_index_reset(irl_hash_index *index, size_t n);
/* Room for `n` entries, those that are there included. False: out of memory, nothing changed. */
bool irl_hash_index_reserve(irl_hash_index *index, size_t n);
/* Adds an entry, whatever else has this hash. False: out of memory, nothing changed. */
bool irl_hash_index_insert(irl_hash_index *index, uint64_t hash, uint32_t number);

/* The hash of bytes that came from a file. Each table of each run has another seed, so that nobody
 * can write a file whose entries all collide; since callers compare entries, no answer depends on
 * it. */
uint64_t irl_hash_of(const irl_hash_index *index, const void *bytes, size_t size);

/* A walk over the entries of one hash. */
typedef struct irl_hash_probe {
  const irl_hash_index *index;
  size_t slot;
  uint32_t hash;
} irl_hash_probe;

static inline irl_hash_probe irl_hash_probe_start(const irl_hash_index *index, uint64_t hash) {
  return (irl_hash_probe){index, index->n_slots ? hash & (index->n_slots - 1) : 0, (uint32_t)hash};
}
/* The number of the next entry, IRL_HASH_NONE after the last one. */
uint32_t irl_hash_probe_next(irl_hash_probe *probe);

#endif
