/* Pivots on singletons, which need no elimination.
 *
 * A column with one entry left in active rows can be a pivot without any elimination: the other
 * entries of its row go to U. A row with one entry left in active columns likewise: the other
 * entries of its column, divided by the pivot, go to L, and no other entry changes because the
 * pivot row is empty. Taking a pivot away makes new singletons; a stack finds them all in time
 * proportional to the entries. Rows' own columns (slacks) are column singletons from the start, so
 * the active submatrix that is left is small in most models and tiny in AND/OR models. */
#include "lp/lu_work.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>

/* The other entries of the pivot row go to U. */
static void pivot_column_singletons(irl_lp_lu_work *w) {
  const irl_lp_basis_columns *c = w->columns;
  uint32_t n = 0;
  for (uint32_t j = w->lu->m; j-- > 0;)
    if (!w->column_done[j] && w->column_count[j] == 1) w->stack[n++] = j;
  while (n > 0) {
    const uint32_t column = w->stack[--n];
    if (w->column_done[column] || w->column_count[column] != 1) continue;
    size_t e = c->start[column];
    while (w->row_done[c->row[e]]) e++;
    assert(e < c->start[column + 1]);
    const uint32_t row = c->row[e];
    if (fabs(c->value[e]) < IRL_LP_TOL_SINGULAR) continue;
    irl_lp_lu_begin_pivot(w, row, column, c->value[e]);
    for (size_t f = w->row_start[row]; f < w->row_start[row + 1]; f++)
      if (!w->column_done[w->row_column[f]] && w->row_column[f] != column)
        irl_lp_lu_push_u(w, w->row_column[f], w->row_value[f]);
    irl_lp_lu_end_pivot(w);
    assert(!w->row_done[row] && !w->column_done[column]);
    w->row_done[row] = w->column_done[column] = true;
    for (size_t f = w->row_start[row]; f < w->row_start[row + 1]; f++) {
      const uint32_t j = w->row_column[f];
      assert(w->column_done[j] || w->column_count[j] > 0);
      if (!w->column_done[j] && --w->column_count[j] == 1) w->stack[n++] = j;
    }
    assert(n <= w->lu->m);
  }
}

/* The other entries of the pivot column, divided by the pivot, go to L. */
static void pivot_row_singletons(irl_lp_lu_work *w) {
  const irl_lp_basis_columns *c = w->columns;
  uint32_t n = 0;
  for (uint32_t i = w->lu->m; i-- > 0;)
    if (!w->row_done[i] && w->row_count[i] == 1) w->stack[n++] = i;
  while (n > 0) {
    const uint32_t row = w->stack[--n];
    if (w->row_done[row] || w->row_count[row] != 1) continue;
    size_t e = w->row_start[row];
    while (w->column_done[w->row_column[e]]) e++;
    assert(e < w->row_start[row + 1]);
    const uint32_t column = w->row_column[e];
    const double pivot = w->row_value[e];
    double largest = 0;
    for (size_t f = c->start[column]; f < c->start[column + 1]; f++)
      if (!w->row_done[c->row[f]]) largest = fmax(largest, fabs(c->value[f]));
    /* The pivot divides its whole column here, so a small one is left to Markowitz. */
    if (fabs(pivot) < IRL_LP_TOL_SINGULAR || fabs(pivot) < largest * IRL_LP_TOL_PIVOT) continue;
    irl_lp_lu_begin_pivot(w, row, column, pivot);
    for (size_t f = c->start[column]; f < c->start[column + 1]; f++)
      if (!w->row_done[c->row[f]] && c->row[f] != row)
        irl_lp_lu_push_l(w, c->row[f], c->value[f] / pivot);
    irl_lp_lu_end_pivot(w);
    assert(!w->row_done[row] && !w->column_done[column]);
    w->row_done[row] = w->column_done[column] = true;
    for (size_t f = c->start[column]; f < c->start[column + 1]; f++) {
      const uint32_t i = c->row[f];
      assert(w->row_done[i] || w->row_count[i] > 0);
      if (!w->row_done[i] && --w->row_count[i] == 1) w->stack[n++] = i;
    }
    assert(n <= w->lu->m);
  }
}

/* Row counts are only needed once the column singletons are gone. */
static void count_rows(irl_lp_lu_work *w) {
  for (uint32_t i = 0; i < w->lu->m; i++) {
    w->row_count[i] = 0;
    if (w->row_done[i]) continue;
    for (size_t e = w->row_start[i]; e < w->row_start[i + 1]; e++)
      w->row_count[i] += !w->column_done[w->row_column[e]];
  }
}

static void count_columns(irl_lp_lu_work *w) {
  const irl_lp_basis_columns *c = w->columns;
  for (uint32_t j = 0; j < w->lu->m; j++) {
    w->column_count[j] = 0;
    if (w->column_done[j]) continue;
    for (size_t e = c->start[j]; e < c->start[j + 1]; e++)
      w->column_count[j] += !w->row_done[c->row[e]];
  }
}

/* Columns with bits count as long until no other singleton is left: so none of their entries in the
 * rows that are pivots here ever has to be written out (lu_bits.c). */
void irl_lp_lu_leading_singletons(irl_lp_lu_work *w) {
  count_columns(w);
  for (uint32_t j = 0; j < w->lu->m; j++)
    if (w->columns->bits[j] != UINT32_MAX) w->column_count[j] = UINT32_MAX;
  pivot_column_singletons(w);
}

void irl_lp_lu_singletons(irl_lp_lu_work *w) {
  for (;;) {
    const uint32_t before = w->n_steps;
    count_columns(w);
    pivot_column_singletons(w);
    count_rows(w);
    pivot_row_singletons(w);
    if (w->n_steps == before || w->failed) break;
  }
  count_columns(w);
  count_rows(w);
}
