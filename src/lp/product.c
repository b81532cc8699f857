/* Products of the unscaled model with vectors, from the entries themselves: used by checks, safe
 * bounds and callers, independent of the simplex and its copies. */
#include "lp/block.h"
#include "lp/lp_model.h"

void irl_lp_multiply(const irl_lp *lp, const double *x, double *activity) {
  double table[IRL_LP_BLOCK_TABLE];
  memset(activity, 0, lp->rows.count * sizeof *activity);
  for (size_t e = 0; e < lp->n_entries; e++)
    activity[lp->entries[e].row] += lp->entries[e].value * x[lp->entries[e].column];
  for (size_t b = 0; b < lp->n_blocks; b++)
    irl_lp_block_multiply(&lp->blocks[b], x, table, activity);
}

void irl_lp_multiply_transposed(const irl_lp *lp, const double *y, double *result) {
  double table[IRL_LP_BLOCK_TABLE];
  memset(result, 0, lp->columns.count * sizeof *result);
  for (size_t e = 0; e < lp->n_entries; e++)
    result[lp->entries[e].column] += lp->entries[e].value * y[lp->entries[e].row];
  for (size_t b = 0; b < lp->n_blocks; b++) irl_lp_block_price(&lp->blocks[b], y, table, result);
}
