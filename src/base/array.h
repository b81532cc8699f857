/* The growing array: items, their number and the capacity in one struct, zero at first.
 *
 *   typedef struct rows { IRL_ARRAY(row) } rows;      (or a field: struct { IRL_ARRAY(row) } rows;)
 *   if (!irl_array_push(allocator, &rows, row)) return irl_fail_memory(env);
 *   for (size_t i = 0; i < rows.n; i++) use(rows.items[i]);
 *   irl_array_free(allocator, &rows);
 */
#ifndef IRL_BASE_ARRAY_H
#define IRL_BASE_ARRAY_H

#include "base/memory.h"

#define IRL_ARRAY(type)                                                                            \
  type *items;                                                                                     \
  size_t n, capacity;

/* Room for `more` items after the last one. False: out of memory, nothing changed. */
#define irl_array_reserve(allocator, array, more)                                                  \
  irl_mem_reserve_more(allocator, &(array)->items, &(array)->capacity, (array)->n, more,           \
                       sizeof *(array)->items)

/* Appends an item. False: out of memory, nothing changed. */
#define irl_array_push(allocator, array, item)                                                     \
  (irl_array_reserve(allocator, array, 1) && ((array)->items[(array)->n++] = (item), true))

#define irl_array_free(allocator, array)                                                           \
  (irl_mem_free(allocator, (array)->items), (array)->items = NULL, (array)->n = 0,                 \
   (array)->capacity = 0)

#endif
