/* Columns of [A -I] and products with it, over sparse entries, blocks of bits and logicals. */
#include "lp/block.h"
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

/* A row of bits, one by one, costs about as much as the tables for this many rows. */
#define SPARSE_PRICE 4u

uint32_t irl_lp_bits_of(const irl_lp_simplex *s, uint32_t v) {
  return v < s->n && irl_lp_lu_bits_has(&s->lu.bits, v) ? v : UINT32_MAX;
}

void irl_lp_scatter_sparse(const irl_lp_simplex *s, uint32_t v, double factor, double *x) {
  assert(v < s->total);
  if (v >= s->n) {
    x[v - s->n] -= factor;
    return;
  }
  for (size_t e = s->a.column_start[v]; e < s->a.column_start[v + 1]; e++)
    x[s->a.column_row[e]] += factor * s->a.column_value[e];
}

void irl_lp_scatter(const irl_lp_simplex *s, uint32_t v, double factor, double *x) {
  irl_lp_scatter_sparse(s, v, factor, x);
  for (size_t b = 0; v < s->n && b < s->lp->n_blocks; b++)
    irl_lp_block_scatter(&s->lp->blocks[b], v, factor, x);
}

/* Sparse entries by rows: only the rows where y is not zero are touched. */
static void price_by_rows(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  size_t touched = 0;
  for (uint32_t k = 0; k < y->n; k++) {
    const uint32_t i = y->index[k];
    const double t = y->x[i];
    touched += s->a.row_start[i + 1] - s->a.row_start[i];
    for (size_t e = s->a.row_start[i]; e < s->a.row_start[i + 1]; e++) {
      const uint32_t j = s->a.row_column[e];
      const double old = row->x[j];
      if (old == 0) row->index[row->n++] = j;
      row->x[j] = old + t * s->a.row_value[e];
      /* Stays listed once, even if it cancels. */
      if (row->x[j] == 0) row->x[j] = 1e-300;
    }
  }
  s->work_other += touched;
}

static void price_by_columns(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  for (uint32_t j = 0; j < s->n; j++) {
    if (s->at[j] == IRL_LP_BASIC) continue;
    double sum = 0;
    for (size_t e = s->a.column_start[j]; e < s->a.column_start[j + 1]; e++)
      sum += y->x[s->a.column_row[e]] * s->a.column_value[e];
    if (sum == 0) continue;
    row->x[j] = sum;
    row->index[row->n++] = j;
  }
  s->work_other += s->a.n_entries;
}

/* By rows while y has fewer nonzeros than the tables of a whole product would cost. */
static void price_blocks(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  for (size_t b = 0; b < s->lp->n_blocks; b++) {
    const irl_lp_block *block = &s->lp->blocks[b];
    if ((size_t)y->n * SPARSE_PRICE < block->bits->n_bits)
      s->work_other += irl_lp_block_price_sparse(block, &s->block_rows[s->rows_of_block[b]], y->x,
                                                 y->index, y->n, row->x);
    else
      s->work_other += irl_lp_block_price(block, y->x, s->table, row->x);
  }
  row->n = 0;
  for (uint32_t j = 0; j < s->n; j++)
    if (row->x[j] != 0) row->index[row->n++] = j;
}

void irl_lp_price(irl_lp_simplex *s, const irl_lp_vector *y) {
  irl_lp_vector *row = &s->row;
  irl_lp_vector_clear(row);
  assert(irl_lp_vector_check(y));
  if (y->n > s->m / 2)
    price_by_columns(s, y);
  else
    price_by_rows(s, y);
  if (s->lp->n_blocks) price_blocks(s, y);
  uint32_t n = 0;
  for (uint32_t k = 0; k < row->n; k++) {
    const uint32_t j = row->index[k];
    if (s->at[j] != IRL_LP_BASIC && fabs(row->x[j]) > IRL_LP_TOL_DROP)
      row->index[n++] = j;
    else
      row->x[j] = 0;
  }
  for (uint32_t k = 0; k < y->n; k++) {
    const uint32_t v = s->n + y->index[k];
    if (s->at[v] == IRL_LP_BASIC) continue;
    row->x[v] = -y->x[y->index[k]];
    row->index[n++] = v;
  }
  row->n = n;
  assert(irl_lp_vector_check(row));
}
