#include "base/memory.h"
#include <assert.h>
#include <string.h>

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
  assert(allocator->resize);
  if (!product(count, size, &bytes)) return NULL;
  return allocator->resize(allocator->user, memory, bytes ? bytes : 1);
}

void irl_mem_free(const irl_allocator *allocator, void *memory) {
  if (memory) allocator->resize(allocator->user, memory, 0);
}

void *irl_mem_alloc_aligned(const irl_allocator *allocator, size_t count, size_t size) {
  void *memory = irl_mem_take_aligned(allocator, count, size);
  return memory ? memset(memory, 0, count * size) : NULL;
}

/* The block's own address stands in the word before the aligned part. */
void *irl_mem_take_aligned(const irl_allocator *allocator, size_t count, size_t size) {
  size_t bytes;
  if (!product(count, size, &bytes)) return NULL;
  char *block = irl_mem_grow(allocator, NULL, bytes + IRL_MEM_ALIGNMENT + sizeof(void *), 1);
  if (!block) return NULL;
  uintptr_t start = (uintptr_t)block + sizeof(void *);
  char *aligned =
      block + sizeof(void *) + (IRL_MEM_ALIGNMENT - start % IRL_MEM_ALIGNMENT) % IRL_MEM_ALIGNMENT;
  memcpy(aligned - sizeof(void *), &block, sizeof(void *));
  assert((uintptr_t)aligned % IRL_MEM_ALIGNMENT == 0);
  return aligned;
}

void irl_mem_free_aligned(const irl_allocator *allocator, void *memory) {
  void *block;
  if (!memory) return;
  assert((uintptr_t)memory % IRL_MEM_ALIGNMENT == 0);
  memcpy(&block, (char *)memory - sizeof(void *), sizeof(void *));
  irl_mem_free(allocator, block);
}

char *irl_mem_copy_text(const irl_allocator *allocator, const char *text, size_t length) {
  char *copy = irl_mem_alloc(allocator, length + 1, 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

bool irl_mem_reserve_more(const irl_allocator *allocator, void *items, size_t *capacity,
                          size_t used, size_t more, size_t size) {
  void *block;
  assert(used <= *capacity);
  if (more <= *capacity - used) return true;
  if (more > SIZE_MAX / 4 || used > SIZE_MAX / 4) return false;
  size_t wanted = *capacity ? 2 * *capacity : 16;
  if (wanted < used + more) wanted = used + more;
  memcpy(&block, items, sizeof block);
  block = irl_mem_grow(allocator, block, wanted, size);
  if (!block) return false;
  memcpy(items, &block, sizeof block);
  *capacity = wanted;
  return true;
}

bool irl_mem_reserve(const irl_allocator *allocator, void *items, size_t *capacity, size_t used,
                     size_t size) {
  return irl_mem_reserve_more(allocator, items, capacity, used, 1, size);
}
