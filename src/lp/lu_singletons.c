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

/* Pivots on columns with one entry in active rows, or on rows with one in active columns. */
static void pivot_singletons(irl_lp_lu_work *w, bool is_column) {
  const irl_lp_lists *own = is_column ? w->columns : &w->rows;
  const irl_lp_lists *cross = is_column ? &w->rows : w->columns;
  bool *own_done = is_column ? w->column_done : w->row_done;
  bool *cross_done = is_column ? w->row_done : w->column_done;
  uint32_t *count = is_column ? w->column_count : w->row_count, n = 0;
  for (uint32_t k = w->lu->m; k-- > 0;)
    if (!own_done[k] && count[k] == 1) w->stack[n++] = k;
  while (n > 0) {
    const uint32_t k = w->stack[--n];
    if (own_done[k] || count[k] != 1) continue;
    size_t e = own->start[k];
    while (cross_done[own->index[e]]) e++;
    assert(e < own->start[k + 1]);
    const uint32_t other = own->index[e];
    const size_t first = cross->start[other], end = cross->start[other + 1];
    const double pivot = own->value[e];
    double largest = 0;
    for (size_t f = first; !is_column && f < end; f++)
      if (!own_done[cross->index[f]]) largest = fmax(largest, fabs(cross->value[f]));
    /* The pivot of a row divides its whole column, so a small one is left to Markowitz. */
    if (fabs(pivot) < IRL_LP_TOL_SINGULAR || fabs(pivot) < largest * IRL_LP_TOL_PIVOT) continue;
    irl_lp_lu_begin_pivot(w, is_column ? other : k, is_column ? k : other, pivot);
    for (size_t f = first; f < end; f++) {
      const uint32_t i = cross->index[f];
      if (own_done[i] || i == k) continue;
      if (is_column)
        irl_lp_lu_push_u(w, i, cross->value[f]);
      else
        irl_lp_lu_push_l(w, i, cross->value[f] / pivot);
    }
    irl_lp_lu_end_pivot(w);
    assert(!own_done[k] && !cross_done[other]);
    own_done[k] = cross_done[other] = true;
    for (size_t f = first; f < end; f++) {
      const uint32_t i = cross->index[f];
      assert(own_done[i] || count[i] > 0);
      if (!own_done[i] && --count[i] == 1) w->stack[n++] = i;
    }
    assert(n <= w->lu->m);
  }
}

/* Counts the entries in active columns, or rows, of each active row, or column. */
static void count_active(irl_lp_lu_work *w, bool is_column) {
  const irl_lp_lists *own = is_column ? w->columns : &w->rows;
  const bool *own_done = is_column ? w->column_done : w->row_done;
  const bool *cross_done = is_column ? w->row_done : w->column_done;
  uint32_t *count = is_column ? w->column_count : w->row_count;
  for (uint32_t k = 0; k < w->lu->m; k++) {
    count[k] = 0;
    if (own_done[k]) continue;
    for (size_t e = own->start[k]; e < own->start[k + 1]; e++)
      count[k] += !cross_done[own->index[e]];
  }
}

void irl_lp_lu_singletons(irl_lp_lu_work *w) {
  for (;;) {
    const uint32_t before = w->n_steps;
    count_active(w, true);
    pivot_singletons(w, true);
    count_active(w, false); /* only needed once the column singletons are gone */
    pivot_singletons(w, false);
    if (w->n_steps == before || w->failed) break;
  }
  count_active(w, true);
  count_active(w, false);
}
