/* An arena: many small blocks of one lifetime, freed together. */
#ifndef IRL_BASE_ARENA_H
#define IRL_BASE_ARENA_H

#include "ireland.h"

typedef struct irl_arena_block irl_arena_block;

typedef struct irl_arena {
  irl_allocator allocator;
  irl_arena_block *blocks; /* the newest first */
} irl_arena;

/* A mark to return to: what was allocated after it is freed. */
typedef struct irl_arena_mark {
  irl_arena_block *block;
  size_t used;
} irl_arena_mark;

void irl_arena_init(irl_arena *arena, const irl_allocator *allocator);
/* Zeroed and 16-byte aligned; NULL: out of memory. */
void *irl_arena_alloc(irl_arena *arena, size_t count, size_t size);
char *irl_arena_copy_text(irl_arena *arena, const char *text, size_t length);
irl_arena_mark irl_arena_get_mark(const irl_arena *arena);
void irl_arena_reset(irl_arena *arena, irl_arena_mark mark);
void irl_arena_free(irl_arena *arena);

#endif
