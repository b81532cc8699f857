/* Solves with the factors, and their update.
 *
 * L and U are kept both by columns and by rows, so that B^-1 and B^-T both push nonzeros forward
 * and skip zeros; steps with nothing to push (slacks) are not even looked at. The update is the
 * middle product form (Huangfu and Hall 2015): if column p of B = L U becomes a, then B' = L (I + v
 * w') U with v = L^-1 a - U e_p and w = U^-T e_p, and I + v w' is inverted by hand (its determinant
 * is the pivot of the simplex). Later updates find earlier ones between L and U, so L and U never
 * change, and v and w are by-products of the solves that the iteration does anyway. v is about as
 * sparse as the column itself and w as a row of U^-1, where the plain product form would keep
 * columns of B^-1. */
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

static double dot(const irl_lp_lists *lists, size_t k, const double *x) {
  double sum = 0;
  const size_t end = lists->start[k + 1];
  for (size_t e = lists->start[k]; e < end; e++) sum += lists->value[e] * x[lists->index[e]];
  return sum;
}

/* x = T_n^-1 ... T_1^-1 x */
static void apply_updates(const irl_lp_lu *lu, double *x) {
  assert(lu->n_updates <= IRL_LP_MAX_UPDATES);
  for (uint32_t k = 0; k < lu->n_updates; k++) {
    const double t = dot(&lu->units, k, x);
    if (t != 0) subtract(&lu->spikes, k, t / lu->eta_pivot[k], x);
  }
}

static void apply_updates_transposed(const irl_lp_lu *lu, double *x) {
  for (uint32_t k = lu->n_updates; k-- > 0;) {
    const double t = dot(&lu->spikes, k, x);
    if (t != 0) subtract(&lu->units, k, t / lu->eta_pivot[k], x);
  }
}

static void keep_packed(irl_lp_vector *to, const double *x) {
  irl_lp_vector_clear(to);
  for (uint32_t i = 0; i < to->size; i++) {
    if (x[i] == 0 || fabs(x[i]) < IRL_LP_TOL_DROP) continue;
    to->x[i] = x[i];
    to->index[to->n++] = i;
  }
}

void irl_lp_lu_ftran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps) {
  assert(v->size == lu->m && !lu->is_cut && !lu->n_deficient);
  double *x = v->x;
  for (size_t k = 0; k < lu->l_columns.n; k++)
    if (x[lu->l_row[k]] != 0) subtract(&lu->l_columns, k, x[lu->l_row[k]], x);
  apply_updates(lu, x);
  if (keeps) keep_packed(&lu->spike, x);
  for (uint32_t b = lu->n_busy; b-- > 0;) {
    const uint32_t k = lu->busy[b], row = lu->step_row[k];
    if (x[row] == 0) continue;
    x[row] /= lu->pivot[row];
    subtract(&lu->u_columns, k, x[row], x);
  }
  /* Divides what no busy step has divided, drops noise and lists what is left. */
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->size; i++) {
    if (x[i] == 0) continue;
    if (!lu->is_busy[i]) x[i] /= lu->pivot[i];
    if (fabs(x[i]) < IRL_LP_TOL_DROP)
      x[i] = 0;
    else
      v->index[n++] = i;
  }
  v->n = n;
  assert(irl_lp_vector_check(v));
  lu->work += lu->m + lu->l_columns.used / 2 + lu->u_columns.used / 2 + irl_lp_lu_growth(lu);
}

/* Row i of U, which nothing but its own entry reaches before it is pushed on. */
static void push_row(const irl_lp_lu *lu, uint32_t i, double *x) {
  if (x[i] == 0) return;
  x[i] /= lu->pivot[i];
  subtract(&lu->u_rows, lu->step_of_row[i], x[i], x);
}

void irl_lp_lu_btran(irl_lp_lu *lu, irl_lp_vector *v, bool keeps) {
  assert(v->size == lu->m && !lu->is_cut && !lu->n_deficient);
  double *x = v->x;
  const uint32_t n = v->n < lu->m ? v->n : lu->m;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t i = v->n < lu->m ? v->index[k] : k;
    if (!lu->is_busy[i]) push_row(lu, i, x);
  }
  for (uint32_t b = 0; b < lu->n_busy; b++) push_row(lu, lu->step_row[lu->busy[b]], x);
  if (keeps) keep_packed(&lu->unit, x);
  apply_updates_transposed(lu, x);
  for (size_t k = 0; k < lu->l_rows.n; k++)
    if (x[lu->lt_row[k]] != 0) subtract(&lu->l_rows, k, x[lu->lt_row[k]], x);
  lu->work += lu->m + lu->l_rows.used / 2 + lu->u_rows.used / 2 + irl_lp_lu_growth(lu);
  irl_lp_vector_pack(v);
  assert(irl_lp_vector_check(v));
}

static bool store_vector(const irl_allocator *allocator, irl_lp_lists *lists,
                         const irl_lp_vector *v) {
  for (uint32_t k = 0; k < v->n; k++) {
    const double value = v->x[v->index[k]];
    if (fabs(value) >= IRL_LP_TOL_DROP && !irl_lp_lists_push(allocator, lists, v->index[k], value))
      return false;
  }
  return irl_lp_lists_close(allocator, lists);
}

irl_status irl_lp_lu_update(irl_lp_lu *lu, uint32_t position, double pivot) {
  assert(lu->n_updates < IRL_LP_MAX_UPDATES && position < lu->m);
  assert(fabs(pivot) >= IRL_LP_TOL_PIVOT_FRESH);
  const irl_allocator *allocator = &lu->allocator;
  irl_lp_vector *v = &lu->spike; /* less U e_p */
  const uint32_t step = lu->step_of_row[position];
  for (size_t e = lu->u_columns.start[step]; e < lu->u_columns.start[step + 1]; e++) {
    const uint32_t i = lu->u_columns.index[e];
    if (v->x[i] == 0) v->index[v->n++] = i;
    v->x[i] -= lu->u_columns.value[e];
    if (v->x[i] == 0) v->x[i] = 1e-300; /* stays in the index once */
  }
  if (v->x[position] == 0) v->index[v->n++] = position;
  v->x[position] -= lu->pivot[position];
  if (!store_vector(allocator, &lu->spikes, &lu->spike) ||
      !store_vector(allocator, &lu->units, &lu->unit))
    return irl_fail_memory(lu->env);
  lu->eta_pivot[lu->n_updates++] = pivot;
  assert(lu->spikes.n == lu->n_updates && lu->units.n == lu->n_updates);
  return IRL_STATUS_OK;
}
