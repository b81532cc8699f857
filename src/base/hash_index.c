#include "base/hash_index.h"
#include "base/clock.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#define LEAST_SLOTS 16u

void irl_hash_index_init(irl_hash_index *index, const irl_allocator *allocator) {
  const double now = irl_clock_now();
  *index = (irl_hash_index){.allocator = *allocator,
                            .seed = XXH3_64bits_withSeed(&now, sizeof now, (uintptr_t)index)};
}

uint64_t irl_hash_of(const irl_hash_index *index, const void *bytes, size_t size) {
  return XXH3_64bits_withSeed(bytes, size, index->seed);
}

void irl_hash_index_free(irl_hash_index *index) {
  if (index->slots) irl_mem_free(&index->allocator, index->slots);
  *index = (irl_hash_index){0};
}

static void put(irl_hash_index *index, uint32_t hash, uint32_t number) {
  size_t slot = hash & (index->n_slots - 1);
  while (index->slots[slot].number) slot = (slot + 1) & (index->n_slots - 1);
  index->slots[slot] = (irl_hash_slot){hash, number + 1};
  index->n++;
  assert(index->n < index->n_slots);
}

static size_t slots_for(size_t n) {
  size_t n_slots = LEAST_SLOTS;
  while (n_slots / 4 * 3 < n) n_slots *= 2;
  return n_slots;
}

bool irl_hash_index_reset(irl_hash_index *index, size_t n) {
  assert(index->allocator.resize && n < IRL_HASH_NONE);
  const size_t n_slots = slots_for(n);
  index->n = index->n_slots = 0;
  if (n_slots > index->capacity) {
    irl_mem_free(&index->allocator, index->slots);
    index->capacity = 0;
    index->slots = irl_mem_grow(&index->allocator, NULL, n_slots, sizeof *index->slots);
    if (!index->slots) return false;
    index->capacity = n_slots;
  }
  memset(index->slots, 0, n_slots * sizeof *index->slots);
  index->n_slots = n_slots;
  return true;
}

bool irl_hash_index_reserve(irl_hash_index *index, size_t n) {
  const size_t n_slots = slots_for(n);
  if (n_slots <= index->n_slots) return true;
  irl_hash_index grown = {.allocator = index->allocator, .seed = index->seed};
  if (!irl_hash_index_reset(&grown, n)) return false;
  for (size_t i = 0; i < index->n_slots; i++)
    if (index->slots[i].number) put(&grown, index->slots[i].hash, index->slots[i].number - 1);
  assert(grown.n == index->n);
  irl_mem_free(&index->allocator, index->slots);
  *index = grown;
  return true;
}

bool irl_hash_index_insert(irl_hash_index *index, uint64_t hash, uint32_t number) {
  assert(number != IRL_HASH_NONE);
  if (!irl_hash_index_reserve(index, index->n + 1)) return false;
  put(index, (uint32_t)hash, number);
  return true;
}

uint32_t irl_hash_probe_next(irl_hash_probe *probe) {
  const irl_hash_index *index = probe->index;
  if (!index->n_slots) return IRL_HASH_NONE;
  assert(probe->slot < index->n_slots && index->n < index->n_slots);
  for (;;) {
    const irl_hash_slot slot = index->slots[probe->slot];
    if (!slot.number) return IRL_HASH_NONE;
    probe->slot = (probe->slot + 1) & (index->n_slots - 1);
    if (slot.hash == probe->hash) return slot.number - 1;
  }
}
