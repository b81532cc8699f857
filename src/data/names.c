#include "data/names.h"
#include "base/memory.h"
#include "base/suggest.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

void irl_names_init(irl_names *names, const irl_allocator *allocator) {
  *names = (irl_names){.allocator = *allocator};
}

/* Appends a name; the index is the caller's care. */
static bool append(irl_names *names, const char *name, size_t length) {
  const irl_allocator *allocator = &names->allocator;
  assert(names->n < IRL_NO_NAME);
  if (names->text_capacity - names->text_used <= length) {
    const size_t wanted = 2 * names->text_capacity + length + 64;
    char *grown = irl_mem_grow(allocator, names->text, wanted, 1);
    if (!grown) return false;
    names->text = grown;
    names->text_capacity = wanted;
  }
  if (!irl_mem_reserve(allocator, (void **)&names->start, &names->capacity, names->n,
                       sizeof *names->start))
    return false;
  names->start[names->n++] = names->text_used;
  memcpy(names->text + names->text_used, name, length);
  names->text[names->text_used + length] = '\0';
  names->text_used += length + 1;
  return true;
}

bool irl_names_add(irl_names *names, const char *name, size_t length) {
  assert(!names->slots);
  return append(names, name, length);
}

bool irl_names_add_numbered(irl_names *names, size_t n) {
  char name[32];
  for (size_t i = 1; i <= n; i++) {
    const int length = snprintf(name, sizeof name, "f%zu", i);
    if (!irl_names_add(names, name, (size_t)length)) return false;
  }
  return true;
}

bool irl_names_copy(irl_names *into, const irl_names *from, const irl_allocator *allocator) {
  irl_names_init(into, allocator);
  for (size_t i = 0; i < from->n; i++) {
    const char *name = irl_names_get(from, i);
    if (!irl_names_add(into, name, strlen(name))) return false;
  }
  return true;
}

/* The slot that holds the name, or the free one where it would go. */
static size_t find_slot(const irl_names *names, const char *name, size_t length) {
  const size_t mask = names->n_slots - 1;
  size_t slot = XXH3_64bits(name, length) & mask;
  while (names->slots[slot]) {
    const char *other = irl_names_get(names, names->slots[slot] - 1);
    if (!strncmp(other, name, length) && !other[length]) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

bool irl_names_index(irl_names *names, uint32_t *twice) {
  size_t n_slots = 16;
  while (n_slots < 2 * names->n) n_slots *= 2;
  uint32_t *slots = irl_mem_alloc(&names->allocator, n_slots, sizeof *slots);
  if (!slots) return false;
  irl_mem_free(&names->allocator, names->slots);
  names->slots = slots;
  names->n_slots = n_slots;
  *twice = IRL_NO_NAME;
  for (size_t i = 0; i < names->n; i++) {
    const char *name = irl_names_get(names, i);
    const size_t slot = find_slot(names, name, strlen(name));
    if (!slots[slot])
      slots[slot] = (uint32_t)i + 1;
    else if (*twice == IRL_NO_NAME)
      *twice = (uint32_t)i;
  }
  return true;
}

bool irl_names_intern(irl_names *names, const char *name, size_t length, uint32_t *number) {
  uint32_t twice;
  *number = irl_names_find(names, name, length);
  if (*number != IRL_NO_NAME) return true;
  if (!append(names, name, length)) return false;
  *number = (uint32_t)names->n - 1;
  if (2 * names->n > names->n_slots) return irl_names_index(names, &twice);
  names->slots[find_slot(names, name, length)] = *number + 1;
  return true;
}

uint32_t irl_names_find(const irl_names *names, const char *name, size_t length) {
  assert(names->slots);
  if (memchr(name, '\0', length)) return IRL_NO_NAME;
  const uint32_t found = names->slots[find_slot(names, name, length)];
  return found ? found - 1 : IRL_NO_NAME;
}

const char *irl_names_suggest(const irl_names *names, const char *text, size_t length) {
  const char *nearest = NULL;
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < names->n; i++) {
    const char *name = irl_names_get(names, i);
    const size_t distance = irl_suggest_distance(text, length, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

void irl_names_free(irl_names *names) {
  if (!names->allocator.resize) return;
  irl_mem_free(&names->allocator, names->text);
  irl_mem_free(&names->allocator, names->start);
  irl_mem_free(&names->allocator, names->slots);
  *names = (irl_names){0};
}
