/* Everything that is computed afresh from the basis: factors, primal values, reduced costs. Between
 * two refactorisations these are only updated; a refactorisation removes the rounding errors that
 * updates have added up. Dependent columns are replaced by the logicals of the rows they leave
 * free.
 *
 * Where the factors, updates and all, still solve accurately (the residuals of both systems say
 * so), computing the values is enough: a solve that starts from the last one's basis and needs a
 * few pivots then factors nothing at all. */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

static irl_status factor(irl_lp_simplex *s) {
  irl_lp_lists *b = &s->basis;
  const irl_lp_lists *columns = &s->a.columns;
  b->n = b->used = 0;
  for (uint32_t p = 0; p < s->m; p++) {
    const uint32_t v = s->head[p];
    assert(s->at[v] == IRL_LP_BASIC && b->used <= columns->used + p);
    if (v >= s->n) {
      b->index[b->used] = v - s->n;
      b->value[b->used++] = -1;
    } else {
      const size_t first = columns->start[v], n = columns->start[v + 1] - first;
      memcpy(b->index + b->used, columns->index + first, n * sizeof *b->index);
      memcpy(b->value + b->used, columns->value + first, n * sizeof *b->value);
      b->used += n;
    }
    b->start[++b->n] = b->used;
  }
  return irl_lp_lu_factor(&s->lu, b);
}

static void replace_dependent(irl_lp_simplex *s) {
  uint32_t row = 0;
  for (uint32_t p = 0; p < s->m; p++) {
    if (s->lu.row_of_column[p] != UINT32_MAX) continue;
    while (s->lu.column_of_row[row] != UINT32_MAX) row++;
    assert(row < s->m);
    const uint32_t out = s->head[p];
    s->at[out] = IRL_LP_LOWER;
    s->d[out] = 0;
    if (fabs(s->x[out] - s->upper[out]) < fabs(s->x[out] - s->lower[out]))
      s->at[out] = IRL_LP_UPPER;
    irl_lp_place(s, out);
    assert(s->at[s->n + row] != IRL_LP_BASIC);
    s->head[p] = s->n + row;
    s->at[s->n + row] = IRL_LP_BASIC;
    s->weight[p] = 1;
    row++;
  }
}

/* y = -[A -I] x over the nonbasic variables, or over all of them. */
static void multiply(irl_lp_simplex *s, bool takes_basic, irl_lp_vector *v) {
  irl_lp_vector_clear(v);
  for (uint32_t j = 0; j < s->total; j++) {
    if (s->x[j] == 0 || (s->at[j] == IRL_LP_BASIC && !takes_basic)) continue;
    if (j >= s->n)
      v->x[j - s->n] += s->x[j];
    else
      for (size_t e = s->a.columns.start[j]; e < s->a.columns.start[j + 1]; e++)
        v->x[s->a.columns.index[e]] -= s->x[j] * s->a.columns.value[e];
  }
  v->n = s->m;
  s->work_other += s->a.columns.used;
}

void irl_lp_compute_primal(irl_lp_simplex *s) {
  irl_lp_vector *v = &s->flips;
  s->n_moves = 0;
  assert(!s->lu.is_cut);
  multiply(s, false, v);
  irl_lp_lu_ftran(&s->lu, v, false);
  for (uint32_t p = 0; p < s->m; p++) {
    s->x[s->head[p]] = v->x[p];
    irl_lp_note_infeasibility(s, p);
  }
}

/* Returns whether the reduced costs of basic variables come out as zero, as they should. */
static bool compute_duals(irl_lp_simplex *s) {
  irl_lp_vector *y = &s->flips;
  double worst = 0, largest = 1;
  irl_lp_vector_clear(y);
  for (uint32_t p = 0; p < s->m; p++) y->x[p] = s->cost[s->head[p]];
  y->n = s->m;
  irl_lp_lu_btran(&s->lu, y, false);
  for (uint32_t j = 0; j < s->n; j++) {
    double sum = 0;
    for (size_t e = s->a.columns.start[j]; e < s->a.columns.start[j + 1]; e++)
      sum += y->x[s->a.columns.index[e]] * s->a.columns.value[e];
    s->d[j] = s->cost[j] - sum;
  }
  for (uint32_t i = 0; i < s->m; i++) s->d[s->n + i] = s->cost[s->n + i] + y->x[i];
  for (uint32_t p = 0; p < s->m; p++) {
    worst = irl_lp_max(worst, fabs(s->d[s->head[p]]));
    largest = irl_lp_max(largest, fabs(y->x[p]));
    s->d[s->head[p]] = 0;
  }
  s->work_other += s->a.columns.used;
  return worst <= IRL_LP_TOL_RESIDUAL * largest;
}

bool irl_lp_basis_check(const irl_lp_simplex *s) {
  uint32_t n_basic = 0;
  for (uint32_t v = 0; v < s->total; v++) {
    n_basic += s->at[v] == IRL_LP_BASIC;
    if (!(s->lower[v] <= s->upper[v]) || s->at[v] > IRL_LP_BASIC ||
        (s->at[v] == IRL_LP_LOWER && !isfinite(s->lower[v])) ||
        (s->at[v] == IRL_LP_UPPER && !isfinite(s->upper[v])))
      return false;
    s->by_variable[v] = 0;
  }
  for (uint32_t p = 0; p < s->m; p++) {
    const uint32_t v = s->head[p];
    if (v >= s->total || s->at[v] != IRL_LP_BASIC || s->by_variable[v]++ != 0) return false;
    if (!(s->weight[p] > 0) || (s->has_values && s->d[v] != 0)) return false;
  }
  return n_basic == s->m;
}

irl_status irl_lp_refactor(irl_lp_simplex *s) {
  irl_status status;
  const uint64_t before = irl_lp_work(s);
  for (;;) {
    if ((status = factor(s))) return status;
    if (s->lu.is_cut) {
      s->is_fresh = s->is_accurate = s->has_factors = s->has_values = false;
      return IRL_STATUS_OK;
    }
    if (!s->lu.n_deficient) break;
    replace_dependent(s);
  }
  /* Position = pivot row from now on. */
  irl_lp_vector_clear(&s->row);
  uint32_t *old = s->row.index; /* scratch: the row is empty now */
  for (uint32_t p = 0; p < s->m; p++) s->by_variable[s->head[p]] = s->weight[p];
  memcpy(old, s->head, s->m * sizeof *old);
  for (uint32_t p = 0; p < s->m; p++) s->head[s->lu.row_of_column[p]] = old[p];
  for (uint32_t p = 0; p < s->m; p++) s->weight[p] = s->by_variable[s->head[p]];
  memset(s->is_banned, 0, s->m * sizeof *s->is_banned);
  compute_duals(s);
  irl_lp_compute_primal(s);
  s->is_fresh = s->is_accurate = s->has_factors = s->has_values = true;
  s->refactor_work = irl_lp_work(s) - before;
  s->eta_work = 0;
  assert(irl_lp_basis_check(s));
  return IRL_STATUS_OK;
}

irl_status irl_lp_recompute(irl_lp_simplex *s) {
  if (!s->has_factors) return irl_lp_refactor(s);
  const bool is_dual_accurate = compute_duals(s);
  double worst = 0, largest = 1;
  irl_lp_compute_primal(s);
  s->is_accurate = s->is_fresh;
  if (!s->is_fresh && is_dual_accurate) { /* are the rows met by the primal values? */
    multiply(s, true, &s->flips);
    for (uint32_t i = 0; i < s->m; i++) {
      worst = irl_lp_max(worst, fabs(s->flips.x[i]));
      largest = irl_lp_max(largest, fabs(s->x[s->head[i]]));
    }
    s->is_accurate = worst <= IRL_LP_TOL_RESIDUAL * largest;
  }
  s->has_values = true;
  assert(!s->is_accurate || irl_lp_basis_check(s));
  return s->is_accurate ? IRL_STATUS_OK : irl_lp_refactor(s);
}
