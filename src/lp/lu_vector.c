/* Vectors with an index of their nonzeros, and lists of sparse vectors. */
#include "base/memory.h"
#include "lp/lu.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>
#include <string.h>

bool irl_lp_vector_init(irl_arena *arena, irl_lp_vector *v, uint32_t size) {
  v->n = 0;
  v->size = size;
  return (v->x = irl_arena_alloc(arena, size, sizeof *v->x)) &&
         (v->index = irl_arena_alloc(arena, size, sizeof *v->index));
}

void irl_lp_vector_clear(irl_lp_vector *v) {
  assert(v->n <= v->size);
  if (v->n > v->size / 4)
    memset(v->x, 0, v->size * sizeof *v->x);
  else
    for (uint32_t k = 0; k < v->n; k++) v->x[v->index[k]] = 0;
  v->n = 0;
}

void irl_lp_vector_pack(irl_lp_vector *v) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->size; i++) {
    if (v->x[i] == 0) continue;
    if (fabs(v->x[i]) < IRL_LP_TOL_DROP)
      v->x[i] = 0;
    else
      v->index[n++] = i;
  }
  v->n = n;
}

void irl_lp_vector_copy(irl_lp_vector *to, const irl_lp_vector *from) {
  assert(to->size == from->size);
  irl_lp_vector_clear(to);
  for (uint32_t k = 0; k < from->n; k++) to->x[from->index[k]] = from->x[from->index[k]];
  memcpy(to->index, from->index, from->n * sizeof *to->index);
  to->n = from->n;
}

double irl_lp_vector_norm2(const irl_lp_vector *v) {
  double sum = 0;
  for (uint32_t k = 0; k < v->n; k++) sum += v->x[v->index[k]] * v->x[v->index[k]];
  return sum;
}

bool irl_lp_vector_check(const irl_lp_vector *v) {
  uint32_t n_nonzeros = 0;
  if (v->n > v->size) return false;
  for (uint32_t i = 0; i < v->size; i++) n_nonzeros += v->x[i] != 0;
  for (uint32_t k = 0; k < v->n; k++)
    if (v->index[k] >= v->size || v->x[v->index[k]] == 0) return false;
  return n_nonzeros == v->n;
}

static bool grow_entries(const irl_allocator *allocator, irl_lp_lists *lists) {
  const size_t wanted = lists->capacity ? 2 * lists->capacity : 256;
  uint32_t *index = irl_mem_grow(allocator, lists->index, wanted, sizeof *index);
  if (!index) return false;
  lists->index = index;
  double *value = irl_mem_grow(allocator, lists->value, wanted, sizeof *value);
  if (!value) return false;
  lists->value = value;
  lists->capacity = wanted;
  return true;
}

bool irl_lp_lists_push(const irl_allocator *allocator, irl_lp_lists *lists, uint32_t index,
                       double value) {
  if (lists->used == lists->capacity && !grow_entries(allocator, lists)) return false;
  assert(lists->used < lists->capacity && value == value);
  lists->index[lists->used] = index;
  lists->value[lists->used++] = value;
  return true;
}

bool irl_lp_lists_close(const irl_allocator *allocator, irl_lp_lists *lists) {
  if (lists->start_capacity < lists->n + 2) {
    const size_t wanted = 2 * lists->n + 64;
    size_t *start = irl_mem_grow(allocator, lists->start, wanted, sizeof *start);
    if (!start) return false;
    lists->start = start;
    lists->start_capacity = wanted;
    lists->start[0] = 0;
  }
  assert(lists->start[lists->n] <= lists->used);
  lists->start[++lists->n] = lists->used;
  return true;
}

void irl_lp_lists_clear(irl_lp_lists *lists) {
  lists->n = 0;
  lists->used = 0;
}

void irl_lp_lists_free(const irl_allocator *allocator, irl_lp_lists *lists) {
  irl_mem_free(allocator, lists->start);
  irl_mem_free(allocator, lists->index);
  irl_mem_free(allocator, lists->value);
  *lists = (irl_lp_lists){0};
}
