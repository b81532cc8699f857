/* Memory through the allocator hook of a handle. All of it comes zeroed and overflow-checked; NULL
 * means out of memory (a request for nothing still gets a block). */
#ifndef IRL_BASE_MEMORY_H
#define IRL_BASE_MEMORY_H

#include "ireland.h"

void *irl_mem_alloc(const irl_allocator *allocator, size_t count, size_t size);
/* Grows a block to `count` items; the new part is not zeroed. The old block stays on failure. */
void *irl_mem_grow(const irl_allocator *allocator, void *memory, size_t count, size_t size);
void irl_mem_free(const irl_allocator *allocator, void *memory);

#define IRL_MEM_ALIGNMENT 64u /* bytes */

/* Aligned to IRL_MEM_ALIGNMENT, for bit vectors. Freed only by irl_mem_free_aligned. */
void *irl_mem_alloc_aligned(const irl_allocator *allocator, size_t count, size_t size);
/* The same, its bytes whatever they are. */
void *irl_mem_take_aligned(const irl_allocator *allocator, size_t count, size_t size);
void irl_mem_free_aligned(const irl_allocator *allocator, void *memory);

char *irl_mem_copy_text(const irl_allocator *allocator, const char *text, size_t length);

/* Room for one item, or for `more`, after the `used` ones of a growing array (base/array.h is the
 * usual way): at least doubles `*capacity` when it is too small. `items` is the address of the
 * pointer to the items. False: out of memory, nothing changed. */
bool irl_mem_reserve(const irl_allocator *allocator, void *items, size_t *capacity, size_t used,
                     size_t size);
bool irl_mem_reserve_more(const irl_allocator *allocator, void *items, size_t *capacity,
                          size_t used, size_t more, size_t size);

#endif
