#include "lp/sparse.h"
#include "base/memory.h"
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

bool irl_lp_lists_reserve(const irl_allocator *allocator, irl_lp_lists *lists, size_t n,
                          size_t used) {
  used += !used;                                              /* no array is NULL */
  size_t indices = lists->capacity, values = lists->capacity; /* one of them may fail */
  if (!irl_mem_reserve_more(allocator, &lists->start, &lists->start_capacity, 0, n + 2,
                            sizeof *lists->start))
    return false;
  if (!lists->n) lists->start[0] = 0; /* also if the others fail: starts are not reserved again */
  if (!irl_mem_reserve_more(allocator, &lists->index, &indices, 0, used, sizeof *lists->index) ||
      !irl_mem_reserve_more(allocator, &lists->value, &values, 0, used, sizeof *lists->value))
    return false;
  lists->capacity = values;
  return true;
}

bool irl_lp_lists_push(const irl_allocator *allocator, irl_lp_lists *lists, uint32_t index,
                       double value) {
  if (lists->used == lists->capacity &&
      !irl_lp_lists_reserve(allocator, lists, lists->n, lists->used + 1))
    return false;
  assert(lists->used < lists->capacity && value == value);
  lists->index[lists->used] = index;
  lists->value[lists->used++] = value;
  return true;
}

bool irl_lp_lists_close(const irl_allocator *allocator, irl_lp_lists *lists) {
  if (lists->start_capacity < lists->n + 2 &&
      !irl_lp_lists_reserve(allocator, lists, lists->n, lists->used))
    return false;
  assert(lists->start[lists->n] <= lists->used);
  lists->start[++lists->n] = lists->used;
  return true;
}

bool irl_lp_lists_transpose(const irl_allocator *allocator, const irl_lp_lists *from,
                            const uint32_t *name, const uint32_t *slot, size_t n_slots,
                            irl_lp_lists *to) {
  if (!irl_lp_lists_reserve(allocator, to, n_slots, from->used)) return false;
  memset(to->start, 0, (n_slots + 2) * sizeof *to->start);
  to->n = n_slots;
  to->used = from->used;
  /* start[i + 1] is the next free place of i while filling, and the end of i afterwards. */
  for (size_t e = 0; e < from->used; e++)
    to->start[(slot ? slot[from->index[e]] : from->index[e]) + 2]++;
  for (size_t k = 1; k < n_slots + 2; k++) to->start[k] += to->start[k - 1];
  for (size_t k = 0; k < from->n; k++) {
    for (size_t e = from->start[k]; e < from->start[k + 1]; e++) {
      const uint32_t i = slot ? slot[from->index[e]] : from->index[e];
      const size_t at = to->start[i + 1]++;
      assert(i < n_slots && at < to->used);
      to->index[at] = name ? name[k] : (uint32_t)k;
      to->value[at] = from->value[e];
    }
  }
  return true;
}

void irl_lp_lists_free(const irl_allocator *allocator, irl_lp_lists *lists) {
  irl_mem_free(allocator, lists->start);
  irl_mem_free(allocator, lists->index);
  irl_mem_free(allocator, lists->value);
  *lists = (irl_lp_lists){0};
}
