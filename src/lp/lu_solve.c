/* Solves with the factors. B = L U (rows and columns in pivot order), changed since by n_updates
 * product-form etas: column p of the identity replaced by alpha = B^-1 a. L and U are kept both by
 * columns and by rows, so that B^-1 and B^-T both push nonzeros forward and skip zeros. */
#include "base/memory.h"
#include "lp/lu.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>

/* x[index] -= value * t over list k. */
static inline void subtract(const irl_lp_lists *lists, size_t k, double t, double *x) {
  const size_t end = lists->start[k + 1];
  for (size_t e = lists->start[k]; e < end; e++) x[lists->index[e]] -= lists->value[e] * t;
}

static void apply_etas(irl_lp_lu *lu, double *x) {
  for (uint32_t k = 0; k < lu->n_updates; k++) {
    const uint32_t p = lu->eta_row[k];
    if (x[p] == 0) continue;
    x[p] /= lu->eta_pivot[k];
    subtract(&lu->etas, k, x[p], x);
  }
}

static void apply_etas_transposed(irl_lp_lu *lu, double *x) {
  for (uint32_t k = lu->n_updates; k-- > 0;) {
    const uint32_t p = lu->eta_row[k];
    double sum = x[p];
    for (size_t e = lu->etas.start[k]; e < lu->etas.start[k + 1]; e++)
      sum -= lu->etas.value[e] * x[lu->etas.index[e]];
    x[p] = sum / lu->eta_pivot[k];
  }
}

void irl_lp_lu_ftran(irl_lp_lu *lu, irl_lp_vector *v) {
  double *x = v->x;
  for (size_t k = 0; k < lu->l_columns.n; k++)
    if (x[lu->l_row[k]] != 0) subtract(&lu->l_columns, k, x[lu->l_row[k]], x);
  for (uint32_t k = lu->m; k-- > 0;) {
    const uint32_t row = lu->step_row[k];
    if (x[row] == 0) continue;
    x[row] /= lu->pivot[row];
    subtract(&lu->u_columns, k, x[row], x);
  }
  apply_etas(lu, x);
  lu->work += lu->m + lu->l_columns.used / 2 + lu->u_columns.used / 2 + lu->etas.used;
  irl_lp_vector_pack(v);
}

void irl_lp_lu_btran(irl_lp_lu *lu, irl_lp_vector *v) {
  double *x = v->x;
  apply_etas_transposed(lu, x);
  for (uint32_t k = 0; k < lu->m; k++) {
    const uint32_t row = lu->step_row[k];
    if (x[row] == 0) continue;
    x[row] /= lu->pivot[row];
    subtract(&lu->u_rows, k, x[row], x);
  }
  for (size_t k = 0; k < lu->l_rows.n; k++)
    if (x[lu->lt_row[k]] != 0) subtract(&lu->l_rows, k, x[lu->lt_row[k]], x);
  lu->work += lu->m + lu->l_rows.used / 2 + lu->u_rows.used / 2 + lu->etas.used;
  irl_lp_vector_pack(v);
}

irl_status irl_lp_lu_update(irl_lp_lu *lu, uint32_t position, const irl_lp_vector *alpha) {
  assert(lu->n_updates < IRL_LP_MAX_UPDATES && alpha->x[position] != 0);
  const irl_allocator *allocator = &lu->env->allocator;
  for (uint32_t k = 0; k < alpha->n; k++) {
    const uint32_t i = alpha->index[k];
    if (i != position && !irl_lp_lists_push(allocator, &lu->etas, i, alpha->x[i]))
      return irl_fail_memory(lu->env);
  }
  if (!irl_lp_lists_close(allocator, &lu->etas)) return irl_fail_memory(lu->env);
  lu->eta_row[lu->n_updates] = position;
  lu->eta_pivot[lu->n_updates++] = alpha->x[position];
  return IRL_OK;
}
