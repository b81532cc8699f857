#include "base/arena.h"
#include "base/memory.h"
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define GRAIN      16u

struct irl_arena_block {
  irl_arena_block *older;
  size_t used, size;
  alignas(GRAIN) char bytes[];
};

void irl_arena_init(irl_arena *arena, const irl_allocator *allocator) {
  arena->allocator = *allocator;
  arena->blocks = NULL;
}

static bool add_block(irl_arena *arena, size_t bytes) {
  const size_t size = bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE;
  irl_arena_block *block = irl_mem_grow(&arena->allocator, NULL, sizeof *block + size, 1);
  if (!block) return false;
  *block = (irl_arena_block){arena->blocks, 0, size};
  arena->blocks = block;
  return true;
}

void *irl_arena_alloc(irl_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) return NULL;
  bytes = (bytes + GRAIN - 1) / GRAIN * GRAIN;
  irl_arena_block *block = arena->blocks;
  if ((!block || block->size - block->used < bytes) && !add_block(arena, bytes)) return NULL;
  block = arena->blocks;
  void *memory = block->bytes + block->used;
  block->used += bytes;
  return memset(memory, 0, bytes);
}

char *irl_arena_copy_text(irl_arena *arena, const char *text, size_t length) {
  char *copy = irl_arena_alloc(arena, length + 1, 1);
  return copy ? memcpy(copy, text, length) : NULL;
}

irl_arena_mark irl_arena_get_mark(const irl_arena *arena) {
  return (irl_arena_mark){arena->blocks, arena->blocks ? arena->blocks->used : 0};
}

void irl_arena_reset(irl_arena *arena, irl_arena_mark mark) {
  while (arena->blocks != mark.block) {
    irl_arena_block *older = arena->blocks->older;
    irl_mem_free(&arena->allocator, arena->blocks);
    arena->blocks = older;
  }
  if (mark.block) {
    assert(mark.used <= mark.block->used);
    mark.block->used = mark.used;
  }
}

void irl_arena_free(irl_arena *arena) {
  irl_arena_reset(arena, (irl_arena_mark){NULL, 0});
}
