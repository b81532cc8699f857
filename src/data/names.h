/* Names of features, in order, with a hash index from name to number. */
#ifndef IRL_DATA_NAMES_H
#define IRL_DATA_NAMES_H

#include "base/env.h"
#include "base/hash_index.h"
#include <assert.h>

#define IRL_NO_NAME UINT32_MAX

typedef struct irl_names {
  irl_allocator allocator;
  char *text; /* NUL after each name */
  size_t text_used, text_capacity;
  size_t *start; /* of each name in text */
  size_t n, capacity;
  irl_hash_index index; /* without slots until irl_names_index */
} irl_names;

void irl_names_init(irl_names *names, const irl_allocator *allocator);
/* False: out of memory. */
bool irl_names_add(irl_names *names, const char *name, size_t length);
/* Fills `names` with f1, f2, ..., fn. */
bool irl_names_add_numbered(irl_names *names, size_t n);
/* A copy without an index; `into` is initialised here. */
bool irl_names_copy(irl_names *into, const irl_names *from, const irl_allocator *allocator);
/* Makes irl_names_find work. `*twice` (NULL: not wanted) becomes the first name that stands there
 * before, or IRL_NO_NAME. False: out of memory. */
bool irl_names_index(irl_names *names, uint32_t *twice);
/* The number of a name, added at the end if it is new; makes the index and keeps it. False: out of
 * memory. */
bool irl_names_intern(irl_names *names, const char *name, size_t length, uint32_t *number);
uint32_t irl_names_find(const irl_names *names, const char *name, size_t length);
/* The name that is most like this text, NULL if none is like it: for "did you mean". */
const char *irl_names_suggest(const irl_names *names, const char *text, size_t length);
/* What follows a sentence on an unknown name, by IRL_HINT; `nearest` NULL: nothing. */
#define IRL_HINT "%s%s%s"
#define IRL_HINT_OF(nearest)                                                                       \
  (nearest) ? "; did you mean '" : "", (nearest) ? (nearest) : "", (nearest) ? "'?" : ""
/* Fails: the table in `path` has no column of that name, which an option asks for. */
irl_status irl_names_no_column(irl_env *env, const irl_names *names, const char *path,
                               const char *option, const char *name, size_t length);
void irl_names_free(irl_names *names);

static inline const char *irl_names_get(const irl_names *names, size_t i) {
  assert(i < names->n);
  return names->text + names->start[i];
}

#endif
