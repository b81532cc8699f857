/* Markowitz factorisation of the active submatrix (Suhl and Suhl 1990, as told in Maros 2003, ch.
 * 8).
 *
 * The active matrix is kept by rows (indices and values) and by columns (indices only), each row
 * and column a slice of a pool with some room to grow; a slice that outgrows its room moves to the
 * end, and the pool is packed when it is full. Rows and columns stand in lists by their number of
 * entries. A pivot is searched in the shortest columns and rows, a few of them, for the smallest
 * (r - 1)(c - 1) among entries that are not small within their row. When the active matrix has
 * become dense it is eliminated as such. */
#include "base/memory.h"
#include "lp/dense.h"
#include "lp/lu_work.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define NONE            UINT32_MAX
#define SEARCH_LIMIT    4u   /* rows and columns looked at for one pivot */
#define DENSE_SHARE     0.35 /* of the entries nonzero: dense elimination is cheaper */
#define DENSE_MIN       24u
#define DENSE_MAX       6000u
#define ROOM_FOR_GROWTH 4u

/* Rows or columns as slices of a pool, values NULL for columns, and in lists by their length. */
typedef struct pool {
  size_t *start;
  uint32_t *length, *room;
  uint32_t *index;
  double *value;
  size_t used, capacity;
  bool has_values;
  uint32_t *first;           /* slice of each length */
  uint32_t *next, *previous; /* of the same length; a slice put aside is its own previous one */
} pool;

typedef struct submatrix {
  irl_lp_lu_work *w;
  const irl_allocator *allocator;
  uint32_t m;
  uint32_t n_left; /* rows not yet pivoted */
  size_t n_entries;
  pool rows, columns;
  double *row_max; /* largest absolute value; negative: not known */
  double *pivot_row;
  bool *is_touched;
  bool is_dense_tried;
} submatrix;

/* Links slice i to those of its length. */
static void link_slice(pool *p, uint32_t i) {
  uint32_t *first = &p->first[p->length[i]];
  assert(*first != i);
  p->previous[i] = NONE;
  p->next[i] = *first;
  if (*first != NONE) p->previous[*first] = i;
  *first = i;
}

static void unlink_slice(pool *p, uint32_t i) {
  if (p->previous[i] == i) return;
  assert(p->previous[i] != NONE || p->first[p->length[i]] == i);
  if (p->next[i] != NONE) p->previous[p->next[i]] = p->previous[i];
  if (p->previous[i] == NONE)
    p->first[p->length[i]] = p->next[i];
  else
    p->next[p->previous[i]] = p->next[i];
}

/* Takes over what the singletons have left of the rows, or of the columns. */
static bool load_pool(submatrix *n, pool *p, const irl_lp_lists *from, size_t n_entries) {
  irl_arena *a = &n->w->arena;
  p->capacity = 2 * n_entries;
  p->has_values = p == &n->rows;
  const bool *own_done = p->has_values ? n->w->row_done : n->w->column_done;
  const bool *other_done = p->has_values ? n->w->column_done : n->w->row_done;
  if (!(p->start = irl_arena_alloc(a, n->m, sizeof *p->start)) ||
      !(p->length = irl_arena_alloc(a, n->m, sizeof *p->length)) ||
      !(p->room = irl_arena_alloc(a, n->m, sizeof *p->room)) ||
      !(p->first = irl_arena_alloc(a, (size_t)n->m + 1, sizeof *p->first)) ||
      !(p->next = irl_arena_alloc(a, n->m, sizeof *p->next)) ||
      !(p->previous = irl_arena_alloc(a, n->m, sizeof *p->previous)) ||
      !(p->index = irl_mem_alloc(n->allocator, p->capacity, sizeof *p->index)) ||
      (p->has_values && !(p->value = irl_mem_alloc(n->allocator, p->capacity, sizeof *p->value))))
    return false;
  memset(p->first, 0xff, ((size_t)n->m + 1) * sizeof *p->first);
  if (irl_lp_lu_limit_reached(n->w)) return true;
  for (uint32_t i = 0; i < n->m; i++) {
    if (own_done[i]) continue;
    p->start[i] = p->used;
    for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
      if (other_done[from->index[e]]) continue;
      p->index[p->used] = from->index[e];
      if (p->has_values) p->value[p->used] = from->value[e];
      p->used++;
    }
    p->length[i] = p->room[i] = (uint32_t)(p->used - p->start[i]);
    link_slice(p, i);
  }
  assert(p->used == n_entries);
  return true;
}

/* Appends to slice i, which moves to the end of the pool, with more room, if it is full. */
static void append_entry(submatrix *n, pool *p, uint32_t i, uint32_t index, double value) {
  if (p->length[i] == p->room[i]) {
    const uint32_t room = 2 * p->length[i] + ROOM_FOR_GROWTH;
    size_t indices = p->capacity, values = p->capacity; /* one of them may fail */
    if (!irl_mem_reserve_more(n->allocator, &p->index, &indices, p->used, room, sizeof *p->index) ||
        (p->has_values && !irl_mem_reserve_more(n->allocator, &p->value, &values, p->used, room,
                                                sizeof *p->value))) {
      n->w->failed = true;
      return;
    }
    p->capacity = indices;
    memcpy(p->index + p->used, p->index + p->start[i], p->length[i] * sizeof *p->index);
    if (p->has_values)
      memcpy(p->value + p->used, p->value + p->start[i], p->length[i] * sizeof *p->value);
    p->start[i] = p->used;
    p->room[i] = room;
    p->used += room;
  }
  const size_t at = p->start[i] + p->length[i]++;
  assert(p->length[i] <= p->room[i] && at < p->used);
  p->index[at] = index;
  if (p->has_values) p->value[at] = value;
}

static size_t find_entry(const pool *p, uint32_t i, uint32_t index) {
  size_t at = p->start[i];
  while (p->index[at] != index) at++;
  assert(at < p->start[i] + p->length[i]);
  return at;
}

static void erase_entry(pool *p, uint32_t i, size_t at) {
  assert(p->length[i] > 0 && at >= p->start[i] && at < p->start[i] + p->length[i]);
  const size_t last = p->start[i] + --p->length[i];
  p->index[at] = p->index[last];
  if (p->has_values) p->value[at] = p->value[last];
}

static double largest_of_row(submatrix *n, uint32_t i) {
  if (n->row_max[i] >= 0) return n->row_max[i];
  double largest = 0;
  for (uint32_t k = 0; k < n->rows.length[i]; k++)
    largest = fmax(largest, fabs(n->rows.value[n->rows.start[i] + k]));
  return n->row_max[i] = largest;
}

typedef struct choice {
  uint32_t row, column;
  double cost; /* (r - 1)(c - 1) */
} choice;

/* Improves the choice by an entry of column j that is large enough in its row. */
static bool try_column(submatrix *n, uint32_t j, choice *best) {
  bool found = false;
  for (uint32_t k = 0; k < n->columns.length[j]; k++) {
    const uint32_t i = n->columns.index[n->columns.start[j] + k];
    const double cost = (n->rows.length[i] - 1.0) * (n->columns.length[j] - 1.0);
    if (cost >= best->cost && found) continue;
    const double value = fabs(n->rows.value[find_entry(&n->rows, i, j)]);
    if (value < n->w->lu->threshold * largest_of_row(n, i) || value < IRL_LP_TOL_SINGULAR) continue;
    found = true;
    if (cost < best->cost) *best = (choice){i, j, cost};
  }
  return found;
}

static bool try_row(submatrix *n, uint32_t i, choice *best) {
  const double least = fmax(n->w->lu->threshold * largest_of_row(n, i), IRL_LP_TOL_SINGULAR);
  bool found = false;
  for (uint32_t k = 0; k < n->rows.length[i]; k++) {
    const size_t at = n->rows.start[i] + k;
    const uint32_t j = n->rows.index[at];
    const double cost = (n->rows.length[i] - 1.0) * (n->columns.length[j] - 1.0);
    if (fabs(n->rows.value[at]) < least) continue;
    found = true;
    if (cost < best->cost) *best = (choice){i, j, cost};
  }
  return found;
}

static bool choose_pivot(submatrix *n, choice *best) {
  uint32_t tried = 0;
  *best = (choice){NONE, NONE, INFINITY};
  for (uint32_t length = 1; length <= n->n_left; length++) {
    const double bound = (length - 1.0) * (length - 1.0);
    for (int side = 0; side < 2; side++) {
      pool *p = side ? &n->rows : &n->columns;
      for (uint32_t k = p->first[length], next; k != NONE; k = next) {
        next = p->next[k];
        if (!(side ? try_row : try_column)(n, k, best)) {
          unlink_slice(p, k);
          p->previous[k] = k; /* put aside */
        } else if (++tried >= SEARCH_LIMIT || best->cost <= bound) {
          return true;
        }
      }
    }
  }
  return best->row != NONE;
}

/* row i -= factor * pivot row. */
static void eliminate_row(submatrix *n, uint32_t i, uint32_t p, uint32_t q, double pivot) {
  pool *rows = &n->rows;
  const size_t at_q = find_entry(rows, i, q);
  const double factor = rows->value[at_q] / pivot;
  unlink_slice(&n->rows, i);
  erase_entry(rows, i, at_q);
  for (uint32_t k = 0; k < rows->length[i];) {
    const size_t at = rows->start[i] + k;
    const uint32_t j = rows->index[at];
    const double change = factor * n->pivot_row[j];
    assert(!n->is_touched[j]);
    n->is_touched[j] = true;
    k++;
    if (change == 0) continue;
    const double old = rows->value[at];
    rows->value[at] = old - change;
    if (fabs(rows->value[at]) > IRL_LP_TOL_CANCEL * (fabs(old) + fabs(change)) &&
        fabs(rows->value[at]) > IRL_LP_TOL_DROP)
      continue;
    erase_entry(rows, i, at);
    erase_entry(&n->columns, j, find_entry(&n->columns, j, i));
    k--;
  }
  for (uint32_t k = 0; k < rows->length[p]; k++) {
    const uint32_t j = rows->index[rows->start[p] + k];
    if (j == q || n->is_touched[j]) continue;
    append_entry(n, rows, i, j, -factor * n->pivot_row[j]);
    append_entry(n, &n->columns, j, i, 0);
    if (n->w->failed) return;
  }
  for (uint32_t k = 0; k < rows->length[i]; k++)
    n->is_touched[rows->index[rows->start[i] + k]] = false;
  for (uint32_t k = 0; k < rows->length[p]; k++)
    n->is_touched[rows->index[rows->start[p] + k]] = false;
  n->row_max[i] = -1;
  link_slice(&n->rows, i);
  irl_lp_lu_push_l(n->w, i, factor);
  n->w->lu->work += rows->length[p];
}

static void eliminate(submatrix *n, uint32_t p, uint32_t q) {
  const double pivot = n->rows.value[find_entry(&n->rows, p, q)];
  size_t before = n->rows.length[p], after = 0;
  assert(!n->w->row_done[p] && !n->w->column_done[q] && n->n_left > 0);
  assert(fabs(pivot) >= n->w->lu->threshold * largest_of_row(n, p));
  irl_lp_lu_begin_pivot(n->w, p, q, pivot);
  /* The pivot row leaves the columns for U and the dense work row. */
  for (uint32_t k = 0; k < n->rows.length[p]; k++) {
    const size_t at = n->rows.start[p] + k;
    const uint32_t j = n->rows.index[at];
    unlink_slice(&n->columns, j);
    erase_entry(&n->columns, j, find_entry(&n->columns, j, p));
    if (j == q) continue;
    n->pivot_row[j] = n->rows.value[at];
    irl_lp_lu_push_u(n->w, j, n->rows.value[at]);
  }
  unlink_slice(&n->rows, p);
  for (uint32_t k = 0; k < n->columns.length[q] && !n->w->failed; k++) {
    const uint32_t i = n->columns.index[n->columns.start[q] + k];
    before += n->rows.length[i];
    eliminate_row(n, i, p, q, pivot);
    after += n->rows.length[i];
  }
  for (uint32_t k = 0; k < n->rows.length[p]; k++) {
    const uint32_t j = n->rows.index[n->rows.start[p] + k];
    n->pivot_row[j] = 0;
    if (j != q) link_slice(&n->columns, j);
  }
  irl_lp_lu_end_pivot(n->w);
  n->w->row_done[p] = n->w->column_done[q] = true;
  assert(n->n_entries + after >= before);
  n->n_entries = n->n_entries + after - before;
  n->n_left--;
}

/* ---- the dense end ---- */

/* By panels, so that a long one can be stopped; false: singular or stopped. */
static bool factor_dense(irl_lp_lu_work *w, int n, double *a, int *swaps) {
  for (int k = 0; k < n; k += IRL_LP_PANEL) {
    const int width = n - k < IRL_LP_PANEL ? n - k : IRL_LP_PANEL;
    if (irl_lp_lu_limit_reached(w) || !irl_lp_dense_panel(n, k, width, a, swaps)) return false;
    irl_lp_dense_apply(n, k, width, a, swaps);
  }
  w->lu->work += (uint64_t)n * (uint64_t)n * (uint64_t)n / 3;
  return true;
}

/* Eliminates what is left as a dense matrix if it is dense enough; if that finds it singular, the
 * search goes on here. Its factors are copied into the same lists as all others (a row of U and a
 * column of L per pivot), so that solves and updates know one format; what costs is the
 * elimination, and that runs at the speed of BLAS where there is one (lp/dense.h). */
static bool finish_dense(submatrix *n) {
  irl_lp_lu_work *w = n->w;
  const uint32_t size = n->n_left;
  if (n->is_dense_tried || size < DENSE_MIN || size > DENSE_MAX ||
      (double)n->n_entries <= DENSE_SHARE * size * size)
    return false;
  double *a = irl_arena_alloc(&w->arena, (size_t)size * size, sizeof *a);
  uint32_t *rows = irl_arena_alloc(&w->arena, size, sizeof *rows);
  uint32_t *columns = irl_arena_alloc(&w->arena, size, sizeof *columns);
  uint32_t *place = irl_arena_alloc(&w->arena, n->m, sizeof *place), r = 0, c = 0;
  int *swaps = irl_arena_alloc(&w->arena, size, sizeof *swaps);
  n->is_dense_tried = true;
  if (!a || !rows || !columns || !place || !swaps) return false;
  for (uint32_t j = 0; j < n->m; j++) {
    if (w->column_done[j]) continue;
    place[j] = c;
    columns[c++] = j;
  }
  for (uint32_t i = 0; i < n->m; i++) {
    if (w->row_done[i]) continue;
    for (uint32_t k = 0; k < n->rows.length[i]; k++) {
      const size_t at = n->rows.start[i] + k;
      a[r + (size_t)place[n->rows.index[at]] * size] = n->rows.value[at];
    }
    rows[r++] = i;
  }
  assert(r == size && c == size);
  if (!factor_dense(w, (int)size, a, swaps)) return false;
  for (uint32_t k = 0; k < size; k++)
    if (!(fabs(a[k + (size_t)k * size]) >= IRL_LP_TOL_SINGULAR)) return false;
  for (uint32_t k = 0; k < size; k++) {
    const uint32_t other = (uint32_t)swaps[k], row = rows[k];
    assert(other >= k && other < size);
    rows[k] = rows[other];
    rows[other] = row;
  }
  for (uint32_t k = 0; k < size; k++) {
    irl_lp_lu_begin_pivot(w, rows[k], columns[k], a[k + (size_t)k * size]);
    for (uint32_t j = k + 1; j < size; j++)
      if (fabs(a[k + (size_t)j * size]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_u(w, columns[j], a[k + (size_t)j * size]);
    for (uint32_t i = k + 1; i < size; i++)
      if (fabs(a[i + (size_t)k * size]) > IRL_LP_TOL_DROP)
        irl_lp_lu_push_l(w, rows[i], a[i + (size_t)k * size]);
    irl_lp_lu_end_pivot(w);
  }
  w->lu->n_dense = size;
  return true;
}

void irl_lp_lu_markowitz(irl_lp_lu_work *w) {
  submatrix n = {.w = w, .allocator = &w->lu->allocator, .m = w->lu->m};
  irl_arena *a = &w->arena;
  choice best;
  n.n_left = n.m - w->n_steps;
  assert(n.n_left > 0);
  for (uint32_t i = 0; i < n.m; i++)
    if (!w->row_done[i]) n.n_entries += w->row_count[i];
  w->failed = !(n.row_max = irl_arena_alloc(a, n.m, sizeof *n.row_max)) ||
              !(n.pivot_row = irl_arena_alloc(a, n.m, sizeof *n.pivot_row)) ||
              !(n.is_touched = irl_arena_alloc(a, n.m, sizeof *n.is_touched)) ||
              !load_pool(&n, &n.rows, &w->rows, n.n_entries) ||
              !load_pool(&n, &n.columns, w->columns, n.n_entries);
  for (uint32_t i = 0; i < n.m && !w->failed; i++) n.row_max[i] = -1;
  while (n.n_left > 0 && !w->failed && !irl_lp_lu_limit_reached(w)) {
    if (finish_dense(&n) || w->lu->is_cut || !choose_pivot(&n, &best)) break;
    eliminate(&n, best.row, best.column);
  }
  irl_mem_free(n.allocator, n.rows.index);
  irl_mem_free(n.allocator, n.rows.value);
  irl_mem_free(n.allocator, n.columns.index);
}
