/* An arena: many blocks of one lifetime, freed by one call, which is safe on an arena that is all
 * zero. One thread allocates from it at a time: workers have one each. */
#ifndef IRL_BASE_ARENA_H
#define IRL_BASE_ARENA_H

#include "ireland.h"

typedef struct irl_arena_block irl_arena_block;

typedef struct irl_arena {
  irl_allocator allocator;
  irl_arena_block *blocks; /* the newest first */
} irl_arena;

void irl_arena_init(irl_arena *arena, const irl_allocator *allocator);
/* Zeroed and 16-byte aligned; NULL: out of memory. */
void *irl_arena_alloc(irl_arena *arena, size_t count, size_t size);
/* 64-byte aligned, for bit vectors. */
void *irl_arena_alloc_aligned(irl_arena *arena, size_t count, size_t size);
/* 64-byte aligned and not zeroed: for much room of which little may be needed. */
void *irl_arena_alloc_unset(irl_arena *arena, size_t count, size_t size);
char *irl_arena_copy_text(irl_arena *arena, const char *text, size_t length);
/* Frees all blocks; the arena is empty then and may be used again. */
void irl_arena_free(irl_arena *arena);

#endif
