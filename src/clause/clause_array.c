#include "base/memory.h"
#include "clause/enumerate.h"

void irl_clause_array_init(irl_clause_array *store, const irl_allocator *allocator,
                           uint32_t max_size) {
  *store = (irl_clause_array){.allocator = *allocator, .max_size = max_size};
}

void irl_clause_array_free(irl_clause_array *store) {
  if (!store->allocator.resize) return;
  irl_mem_free(&store->allocator, store->values);
  irl_mem_free(&store->allocator, store->cases);
  irl_mem_free(&store->allocator, store->controls);
  irl_mem_free(&store->allocator, store->sizes);
  irl_mem_free(&store->allocator, store->literals);
  *store = (irl_clause_array){0};
}

bool irl_clause_array_add(irl_clause_array *store, const irl_clause *clause) {
  assert(clause->n <= store->max_size);
  const size_t more = store->n < store->capacity ? 0 : store->capacity ? store->capacity : 256;
  const struct {
    void *items; /* the address of the pointer */
    size_t size;
  } arrays[] = {{&store->values, sizeof *store->values},
                {&store->cases, sizeof *store->cases},
                {&store->controls, sizeof *store->controls},
                {&store->sizes, sizeof *store->sizes},
                {&store->literals, store->max_size * sizeof *store->literals}};
  for (size_t i = 0; more && i < sizeof arrays / sizeof *arrays; i++) {
    size_t capacity = store->capacity;
    if (!irl_mem_reserve_more(&store->allocator, arrays[i].items, &capacity, store->capacity, more,
                              arrays[i].size))
      return false;
  }
  store->capacity += more;
  const size_t i = store->n++;
  store->values[i] = clause->value;
  store->cases[i] = clause->cases;
  store->controls[i] = clause->controls;
  store->sizes[i] = clause->n;
  memcpy(store->literals + i * store->max_size, clause->literals, clause->n * sizeof(uint32_t));
  return true;
}

void irl_clause_array_get(const irl_clause_array *store, size_t i, irl_clause *clause) {
  assert(i < store->n);
  *clause = (irl_clause){.value = store->values[i],
                         .cases = store->cases[i],
                         .controls = store->controls[i],
                         .n = store->sizes[i]};
  memcpy(clause->literals, store->literals + i * store->max_size, clause->n * sizeof(uint32_t));
}
