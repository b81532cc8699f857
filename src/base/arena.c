#include "base/arena.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define GRAIN      16u

struct irl_arena_block {
  irl_arena_block *older;
  size_t used, size;
  char bytes[];
};

void irl_arena_init(irl_arena *arena, const irl_allocator *allocator) {
  arena->allocator = *allocator;
  arena->blocks = NULL;
}

/* A piece of the newest block, whose address is a multiple of `alignment`. */
static void *allocate(irl_arena *arena, size_t count, size_t size, size_t alignment) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) return NULL;
  bytes = (bytes + GRAIN - 1) / GRAIN * GRAIN;
  irl_arena_block *block = arena->blocks;
  const size_t most = bytes + alignment - 1; /* with what is skipped before the piece */
  if (!block || block->size - block->used < most) {
    const size_t room = most > BLOCK_SIZE ? most : BLOCK_SIZE;
    block = irl_mem_grow(&arena->allocator, NULL, sizeof *block + room, 1);
    if (!block) return NULL;
    *block = (irl_arena_block){arena->blocks, 0, room};
    arena->blocks = block;
  }
  const size_t offset = (uintptr_t)(block->bytes + block->used) % alignment;
  if (offset) block->used += alignment - offset;
  void *memory = block->bytes + block->used;
  block->used += bytes;
  assert((uintptr_t)memory % alignment == 0 && block->used <= block->size);
  return memory;
}

void *irl_arena_alloc(irl_arena *arena, size_t count, size_t size) {
  void *memory = allocate(arena, count, size, GRAIN);
  return memory ? memset(memory, 0, count * size) : NULL;
}

void *irl_arena_alloc_aligned(irl_arena *arena, size_t count, size_t size) {
  void *memory = allocate(arena, count, size, IRL_MEM_ALIGNMENT);
  return memory ? memset(memory, 0, count * size) : NULL;
}

void *irl_arena_alloc_unset(irl_arena *arena, size_t count, size_t size) {
  return allocate(arena, count, size, IRL_MEM_ALIGNMENT);
}

char *irl_arena_copy_text(irl_arena *arena, const char *text, size_t length) {
  char *copy = irl_arena_alloc(arena, length + 1, 1);
  return copy ? memcpy(copy, text, length) : NULL;
}

void irl_arena_free(irl_arena *arena) {
  while (arena->blocks) {
    irl_arena_block *older = arena->blocks->older;
    irl_mem_free(&arena->allocator, arena->blocks);
    arena->blocks = older;
  }
}
