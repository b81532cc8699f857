#include "data/names.h"
#include "base/memory.h"
#include "base/suggest.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

void irl_names_init(irl_names *names, const irl_allocator *allocator) {
  *names = (irl_names){.allocator = *allocator};
  irl_hash_index_init(&names->index, allocator);
}

/* Appends a name; the index is the caller's care. */
static bool append(irl_names *names, const char *name, size_t length) {
  const irl_allocator *allocator = &names->allocator;
  assert(names->n < IRL_NO_NAME);
  if (names->text_capacity - names->text_used <= length) {
    if (length > SIZE_MAX / 4 || names->text_capacity > SIZE_MAX / 4) return false;
    const size_t wanted = 2 * names->text_capacity + length + 64;
    char *grown = irl_mem_grow(allocator, names->text, wanted, 1);
    if (!grown) return false;
    names->text = grown;
    names->text_capacity = wanted;
  }
  if (!irl_mem_reserve(allocator, &names->start, &names->capacity, names->n, sizeof *names->start))
    return false;
  names->start[names->n++] = names->text_used;
  memcpy(names->text + names->text_used, name, length);
  names->text[names->text_used + length] = '\0';
  names->text_used += length + 1;
  return true;
}

bool irl_names_add(irl_names *names, const char *name, size_t length) {
  assert(!names->index.n_slots);
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
  if (!from->n) return true;
  into->text = irl_mem_alloc(allocator, from->text_used, 1);
  into->start = irl_mem_alloc(allocator, from->n, sizeof *into->start);
  if (!into->text || !into->start) return false;
  memcpy(into->text, from->text, from->text_used);
  memcpy(into->start, from->start, from->n * sizeof *into->start);
  into->text_used = into->text_capacity = from->text_used;
  into->n = into->capacity = from->n;
  return true;
}

static uint32_t look_up(const irl_names *names, const char *name, size_t length) {
  irl_hash_probe probe =
      irl_hash_probe_start(&names->index, irl_hash_of(&names->index, name, length));
  for (;;) {
    const uint32_t i = irl_hash_probe_next(&probe);
    if (i == IRL_HASH_NONE) return IRL_NO_NAME;
    const char *other = irl_names_get(names, i);
    if (!strncmp(other, name, length) && !other[length]) return i;
  }
}

bool irl_names_index(irl_names *names, uint32_t *twice) {
  if (!irl_hash_index_reset(&names->index, names->n)) return false;
  if (twice) *twice = IRL_NO_NAME;
  for (size_t i = 0; i < names->n; i++) {
    const char *name = irl_names_get(names, i);
    const size_t length = strlen(name);
    if (look_up(names, name, length) == IRL_NO_NAME)
      irl_hash_index_insert(&names->index, irl_hash_of(&names->index, name, length), (uint32_t)i);
    else if (twice && *twice == IRL_NO_NAME)
      *twice = (uint32_t)i;
  }
  return true;
}

bool irl_names_intern(irl_names *names, const char *name, size_t length, uint32_t *number) {
  if (!names->index.n_slots && !irl_names_index(names, NULL)) return false;
  *number = irl_names_find(names, name, length);
  if (*number != IRL_NO_NAME) return true;
  if (!append(names, name, length)) return false;
  *number = (uint32_t)names->n - 1;
  return irl_hash_index_insert(&names->index, irl_hash_of(&names->index, name, length), *number);
}

uint32_t irl_names_find(const irl_names *names, const char *name, size_t length) {
  assert(names->index.n_slots || !names->n);
  return !names->n || memchr(name, '\0', length) ? IRL_NO_NAME : look_up(names, name, length);
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

irl_status irl_names_no_column(irl_env *env, const irl_names *names, const char *path,
                               const char *option, const char *name, size_t length) {
  const char *nearest = irl_names_suggest(names, name, length);
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: there is no column '%.*s' for --%s" IRL_HINT,
                  path, (int)length, name, option, IRL_HINT_OF(nearest));
}

void irl_names_free(irl_names *names) {
  if (!names->allocator.resize) return;
  irl_mem_free(&names->allocator, names->text);
  irl_mem_free(&names->allocator, names->start);
  irl_hash_index_free(&names->index);
  *names = (irl_names){0};
}
