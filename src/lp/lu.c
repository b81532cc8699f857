/* Factorisation of a basis: singletons are pivots first, the active submatrix that they leave is
 * factored by Markowitz pivots (Suhl and Suhl 1990) and, once it has filled in, by dense panels;
 * then both factors are transposed, so that every solve can skip zeros. Dependent columns are
 * reported, not hidden. */
#include "lp/lu.h"
#include "base/memory.h"
#include "lp/lu_work.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>
#include <string.h>

irl_status irl_lp_lu_init(irl_env *env, irl_lp_lu *lu, uint32_t m) {
  *lu = (irl_lp_lu){
      .env = env, .allocator = env->allocator, .m = m, .threshold = IRL_LP_TOL_MARKOWITZ};
  irl_arena *a = &lu->arena;
  irl_arena_init(a, &env->allocator);
  uint32_t **by_row[] = {&lu->step_row,      &lu->l_row,       &lu->lt_row, &lu->row_of_column,
                         &lu->column_of_row, &lu->step_of_row, &lu->busy};
  bool has_all = (lu->pivot = irl_arena_alloc(a, m, sizeof(double))) &&
                 (lu->is_busy = irl_arena_alloc(a, m, sizeof(bool))) &&
                 (lu->eta_pivot = irl_arena_alloc(a, IRL_LP_MAX_UPDATES, sizeof(double))) &&
                 irl_lp_vector_init(a, &lu->spike, m) && irl_lp_vector_init(a, &lu->unit, m);
  for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
    has_all = has_all && (*by_row[k] = irl_arena_alloc(a, m, sizeof(uint32_t)));
  if (has_all) return IRL_STATUS_OK;
  irl_lp_lu_free(lu);
  return irl_fail_memory(env);
}

void irl_lp_lu_free(irl_lp_lu *lu) {
  if (!lu->env) return;
  irl_lp_lists *lists[] = {&lu->l_columns, &lu->l_rows, &lu->u_rows,
                           &lu->u_columns, &lu->spikes, &lu->units};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    irl_lp_lists_free(&lu->allocator, lists[k]);
  irl_arena_free(&lu->arena);
  *lu = (irl_lp_lu){0};
}

void irl_lp_lu_begin_pivot(irl_lp_lu_work *w, uint32_t row, uint32_t column, double value) {
  irl_lp_lu *lu = w->lu;
  assert(w->n_steps < lu->m && fabs(value) >= IRL_LP_TOL_SINGULAR);
  assert(lu->row_of_column[column] == UINT32_MAX && lu->column_of_row[row] == UINT32_MAX);
  lu->step_row[w->n_steps++] = row;
  lu->pivot[row] = value;
  lu->row_of_column[column] = row;
  lu->column_of_row[row] = column;
}

void irl_lp_lu_push_u(irl_lp_lu_work *w, uint32_t column, double value) {
  assert(w->lu->row_of_column[column] == UINT32_MAX);
  if (!irl_lp_lists_push(&w->lu->allocator, &w->lu->u_rows, column, value)) w->failed = true;
}

void irl_lp_lu_push_l(irl_lp_lu_work *w, uint32_t row, double value) {
  assert(w->lu->column_of_row[row] == UINT32_MAX);
  if (!irl_lp_lists_push(&w->lu->allocator, &w->lu->l_columns, row, value)) w->failed = true;
}

void irl_lp_lu_end_pivot(irl_lp_lu_work *w) {
  const irl_allocator *a = &w->lu->allocator;
  irl_lp_lists *l = &w->lu->l_columns;
  assert(w->n_steps > 0 && w->n_l < w->n_steps);
  if (!irl_lp_lists_close(a, &w->lu->u_rows)) w->failed = true;
  if (l->used == (l->n ? l->start[l->n] : 0)) return;
  w->lu->l_row[w->n_l++] = w->lu->step_row[w->n_steps - 1];
  if (!irl_lp_lists_close(a, l)) w->failed = true;
}

bool irl_lp_lu_limit_reached(irl_lp_lu_work *w) {
  irl_lp_lu *lu = w->lu;
  if (lu->limit && !lu->is_cut) lu->is_cut = irl_limit_poll(lu->limit);
  return lu->is_cut;
}

/* Does list k of U hold only rows of later steps, or of earlier ones if `is_column`? */
static bool is_triangular(const irl_lp_lu *lu, const irl_lp_lists *u, uint32_t k, bool is_column) {
  for (size_t e = u->start[k]; e < u->start[k + 1]; e++) {
    const uint32_t step = lu->step_of_row[u->index[e]];
    if (is_column ? step >= k : step <= k) return false;
  }
  return true;
}

/* A sum over row and column of every entry, the same for lists by rows and by columns; name[k] is
 * the row, or the column, of list k. */
static uint64_t sum_places(const irl_lp_lists *lists, const uint32_t *name, bool is_by_row) {
  uint64_t sum = 0;
  for (size_t k = 0; k < lists->n; k++)
    for (size_t e = lists->start[k]; e < lists->start[k + 1]; e++) {
      const uint64_t row = is_by_row ? name[k] : lists->index[e];
      const uint64_t column = is_by_row ? lists->index[e] : name[k];
      sum += (row + 1) * (column + 3) * (column + 3);
    }
  return sum;
}

/* Are the fresh factors triangular, with permutations of the rows and pivots away from zero? For
 * assertions: it looks at every entry. */
__attribute__((unused)) static bool lu_check(const irl_lp_lu *lu) {
  if (lu->n_deficient || lu->n_busy > lu->m) return false;
  if (lu->u_rows.n != lu->m || lu->u_columns.n != lu->m || lu->u_rows.used != lu->u_columns.used ||
      lu->l_rows.used != lu->l_columns.used)
    return false;
  for (uint32_t k = 0; k < lu->m; k++) {
    const uint32_t row = lu->step_row[k], column = lu->column_of_row[k];
    if (row >= lu->m || lu->step_of_row[row] != k) return false;
    if (column >= lu->m || lu->row_of_column[column] != k) return false;
    if (!(fabs(lu->pivot[k]) >= IRL_LP_TOL_SINGULAR)) return false;
    if (!is_triangular(lu, &lu->u_rows, k, false) || !is_triangular(lu, &lu->u_columns, k, true))
      return false;
  }
  for (uint32_t b = 1; b < lu->n_busy; b++)
    if (lu->busy[b - 1] >= lu->busy[b]) return false;
  return sum_places(&lu->u_rows, lu->step_row, true) ==
             sum_places(&lu->u_columns, lu->step_row, false) &&
         sum_places(&lu->l_rows, lu->lt_row, true) == sum_places(&lu->l_columns, lu->l_row, false);
}

static bool finish_factors(irl_lp_lu_work *w) {
  irl_lp_lu *lu = w->lu;
  const irl_allocator *a = &lu->allocator;
  for (size_t e = 0; e < lu->u_rows.used; e++)
    lu->u_rows.index[e] = lu->row_of_column[lu->u_rows.index[e]];
  for (uint32_t k = 0; k < lu->m; k++) lu->step_of_row[lu->step_row[k]] = k;
  if (!irl_lp_lists_transpose(a, &lu->u_rows, lu->step_row, lu->step_of_row, lu->m, &lu->u_columns))
    return false;
  lu->n_busy = 0;
  for (uint32_t k = 0; k < lu->m; k++) {
    const uint32_t row = lu->step_row[k];
    lu->is_busy[row] = lu->u_columns.start[k + 1] > lu->u_columns.start[k];
    if (lu->is_busy[row]) lu->busy[lu->n_busy++] = k;
  }
  /* Rows of L that have entries, the last pivot first, and a slot for each. */
  uint32_t *slot = w->stack, n = 0;
  memset(slot, 0, lu->m * sizeof *slot);
  for (size_t e = 0; e < lu->l_columns.used; e++) slot[lu->l_columns.index[e]] = 1;
  for (uint32_t k = lu->m; k-- > 0;) {
    const uint32_t row = lu->step_row[k];
    if (!slot[row]) continue;
    lu->lt_row[n] = row;
    slot[row] = n++;
  }
  if (!irl_lp_lists_transpose(a, &lu->l_columns, lu->l_row, slot, n, &lu->l_rows)) return false;
  lu->size_fresh = lu->u_rows.used + lu->l_columns.used + lu->m;
  lu->work += 4 * lu->size_fresh;
  assert(lu_check(lu));
  return true;
}

irl_status irl_lp_lu_factor(irl_lp_lu *lu, const irl_lp_lists *columns) {
  irl_lp_lu_work w = {.lu = lu, .columns = columns};
  irl_lp_lists *lists[] = {&lu->u_rows, &lu->l_columns, &lu->spikes, &lu->units};
  assert(columns->n == lu->m && columns->start[0] == 0);
  assert(lu->threshold > 0 && lu->threshold <= 1);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) lists[k]->n = lists[k]->used = 0;
  lu->n_updates = lu->n_dense = 0;
  lu->is_cut = false;
  memset(lu->row_of_column, 0xff, lu->m * sizeof *lu->row_of_column);
  memset(lu->column_of_row, 0xff, lu->m * sizeof *lu->column_of_row);
  irl_arena *a = &w.arena;
  irl_arena_init(a, &lu->allocator);
  w.failed = !(w.row_count = irl_arena_alloc(a, lu->m, sizeof(uint32_t))) ||
             !(w.column_count = irl_arena_alloc(a, lu->m, sizeof(uint32_t))) ||
             !(w.row_done = irl_arena_alloc(a, lu->m, sizeof(bool))) ||
             !(w.column_done = irl_arena_alloc(a, lu->m, sizeof(bool))) ||
             !(w.stack = irl_arena_alloc(a, lu->m, sizeof(uint32_t))) ||
             !irl_lp_lists_transpose(&lu->allocator, columns, NULL, NULL, lu->m, &w.rows);
  if (!w.failed) {
    if (!irl_lp_lu_limit_reached(&w)) irl_lp_lu_singletons(&w);
    lu->n_active = lu->m - w.n_steps;
    if (!w.failed && w.n_steps < lu->m && !irl_lp_lu_limit_reached(&w)) irl_lp_lu_markowitz(&w);
    lu->n_deficient = lu->m - w.n_steps;
    if (!w.failed && !lu->is_cut && !lu->n_deficient) w.failed = !finish_factors(&w);
  }
  irl_lp_lists_free(&lu->allocator, &w.rows);
  irl_arena_free(a);
  return w.failed ? irl_fail_memory(lu->env) : IRL_STATUS_OK;
}
