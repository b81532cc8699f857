#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define ALIGNMENT 64u

static bool product(size_t count, size_t size, size_t *bytes) {
  return !__builtin_mul_overflow(count, size, bytes) && *bytes <= SIZE_MAX / 2;
}

void *irl_mem_alloc(const irl_allocator *allocator, size_t count, size_t size) {
  size_t bytes;
  if (!product(count, size, &bytes)) return NULL;
  if (!bytes) bytes = 1;
  void *memory = allocator->resize(allocator->user, NULL, bytes);
  return memory ? memset(memory, 0, bytes) : NULL;
}

void *irl_mem_grow(const irl_allocator *allocator, void *memory, size_t count, size_t size) {
  size_t bytes;
  if (!product(count, size, &bytes)) return NULL;
  return allocator->resize(allocator->user, memory, bytes ? bytes : 1);
}

void irl_mem_free(const irl_allocator *allocator, void *memory) {
  if (memory) allocator->resize(allocator->user, memory, 0);
}

/* The block's own address stands in the word before the aligned part. */
void *irl_mem_alloc_aligned(const irl_allocator *allocator, size_t count, size_t size) {
  size_t bytes;
  if (!product(count, size, &bytes)) return NULL;
  char *block = irl_mem_alloc(allocator, bytes + ALIGNMENT + sizeof(void *), 1);
  if (!block) return NULL;
  uintptr_t start = (uintptr_t)block + sizeof(void *);
  char *aligned = block + sizeof(void *) + (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
  memcpy(aligned - sizeof(void *), &block, sizeof(void *));
  assert((uintptr_t)aligned % ALIGNMENT == 0);
  return aligned;
}

void irl_mem_free_aligned(const irl_allocator *allocator, void *memory) {
  void *block;
  if (!memory) return;
  memcpy(&block, (char *)memory - sizeof(void *), sizeof(void *));
  irl_mem_free(allocator, block);
}

char *irl_mem_copy_text(const irl_allocator *allocator, const char *text, size_t length) {
  char *copy = irl_mem_alloc(allocator, length + 1, 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

bool irl_mem_reserve(const irl_allocator *allocator, void **items, size_t *capacity, size_t used,
                     size_t size) {
  assert(used <= *capacity);
  if (used < *capacity) return true;
  const size_t wanted = *capacity ? 2 * *capacity : 16;
  void *grown = irl_mem_grow(allocator, *items, wanted, size);
  if (!grown) return false;
  *items = grown;
  *capacity = wanted;
  return true;
}
