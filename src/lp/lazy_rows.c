/* Row generation: in a model with far more rows than columns few rows bind at a time. A row whose
 * activity is basic has no part in the LP but that it must hold; so the simplex works on a smaller
 * model, all columns with the active rows, and the other rows are lazy. When the smaller model is
 * solved the lazy rows are looked at, the most violated ones become active, and the dual simplex
 * goes on from where it was: their activities are basic and infeasible. During a solve rows become
 * active and never lazy, so it ends; before a solve those that do not bind become lazy again if the
 * active ones have doubled.
 *
 * What the smaller model proves holds for the whole one: if it has no point, or none below the
 * cutoff, neither has the whole; the duals of lazy rows are zero. Only 'unbounded' and 'trouble'
 * say nothing, and then the whole model is solved as if no row were lazy. The caller sees one
 * model: its rows have places in bases, duals and multipliers whether they are lazy or not.
 *
 * Rows with fewer entries than average begin lazy. The paper's AND2 models have a row of two
 * entries for each zero of the data, 5,000 for 100 x 50, and some hundreds of them matter. */
#include "base/memory.h"
#include "lp/lp_model.h"
#include "lp/tol.h"
#include <math.h>
#include <stdlib.h>

/* Rows per column, and share of rows that would be lazy, from which on it pays. */
#define MANY_ROWS  2u
#define LAZY_SHARE 0.5
/* Rows that become active at a time: this many, or a share of the active ones. */
#define ADD_LEAST 50u
#define ADD_SHARE 0.25
#define GROWTH    2u /* of the active rows, after which those that do not bind are lazy again */

typedef struct irl_lp_violated {
  double violation;
  uint32_t row;
} irl_lp_violated;

void irl_lp_lazy_rows_free(irl_lp_lazy_rows *lazy) {
  if (!lazy) return;
  const irl_allocator allocator = lazy->allocator;
  irl_lp_free(lazy->lp);
  irl_lp_matrix_free(&allocator, &lazy->matrix);
  irl_arena_free(&lazy->arena);
  irl_mem_free(&allocator, lazy);
}

void irl_lp_lazy_rows_drop(irl_lp *lp) {
  irl_lp_lazy_rows_free(lp->lazy);
  lp->lazy = NULL;
}

/* ---- which rows ---- */

bool irl_lp_lazy_rows_pay(const irl_lp *lp) {
  if (lp->has_no_lazy_rows || lp->rows.count < ADD_LEAST) return false;
  if (lp->rows.count < MANY_ROWS * (size_t)lp->columns.count) return false;
  if (lp->lazy && !lp->is_reshaped) return true;
  /* Rows of one kind are all average: then none is lazy. */
  size_t short_rows = 0, *n = irl_mem_alloc(&lp->allocator, lp->rows.count, sizeof *n);
  if (!n) return false;
  for (size_t e = 0; e < lp->n_entries; e++) n[lp->entries[e].row]++;
  for (uint32_t i = 0; i < lp->rows.count; i++) short_rows += n[i] * lp->rows.count < lp->n_entries;
  irl_mem_free(&lp->allocator, n);
  return (double)short_rows > LAZY_SHARE * lp->rows.count;
}

static irl_status activate(irl_lp *lp, uint32_t i) {
  irl_lp_lazy_rows *lazy = lp->lazy;
  const irl_lp_matrix *m = &lazy->matrix;
  const size_t first = m->rows.start[i], n = m->rows.start[i + 1] - first;
  const irl_lp_terms terms = {(uint32_t)n, m->rows.index + first, m->rows.value + first};
  const uint32_t place = lazy->lp->rows.count;
  assert(lazy->place_of[i] == UINT32_MAX);
  const irl_status status = irl_lp_add_row(lazy->lp, lp->rows.lower[i], lp->rows.upper[i], &terms);
  if (status) return status;
  lazy->lp->rows.at[place] = lp->rows.at[i];
  lazy->lp->rows.weight[place] = lp->rows.weight[i];
  lazy->row_of[place] = i;
  lazy->place_of[i] = place;
  return IRL_STATUS_OK;
}

static irl_status create_lazy_rows(irl_lp *lp) {
  const irl_allocator *a = &lp->allocator;
  const irl_lp_side *rows = &lp->rows;
  const size_t m = rows->count;
  irl_lp_lazy_rows *lazy = irl_mem_alloc(a, 1, sizeof *lazy);
  if (!lazy) return irl_fail_memory(lp->env);
  irl_lp_lazy_rows_free(lp->lazy);
  lp->lazy = lazy;
  lazy->allocator = *a;
  irl_arena_init(&lazy->arena, a);
  if (!(lazy->row_of = irl_arena_alloc(&lazy->arena, m, sizeof *lazy->row_of)) ||
      !(lazy->place_of = irl_arena_alloc(&lazy->arena, m, sizeof *lazy->place_of)) ||
      !(lazy->by_row = irl_arena_alloc(&lazy->arena, m, sizeof *lazy->by_row)) ||
      !(lazy->violated = irl_arena_alloc(&lazy->arena, m, sizeof *lazy->violated)))
    return irl_fail_memory(lp->env);
  irl_status status = irl_lp_matrix_compile(lp->env, lp, &lazy->matrix);
  if (!status) status = irl_lp_create(lp->env, &lazy->lp);
  if (!status) lazy->lp->has_no_lazy_rows = true, lazy->lp->constant = lp->constant;
  for (uint32_t j = 0; j < lp->columns.count && !status; j++) {
    status =
        irl_lp_add_column(lazy->lp, lp->cost[j], lp->columns.lower[j], lp->columns.upper[j], NULL);
    if (!status) lazy->lp->columns.at[j] = lp->columns.at[j];
    if (!status) lazy->lp->columns.weight[j] = lp->columns.weight[j];
  }
  for (uint32_t i = 0; i < rows->count && !status; i++) {
    const size_t n = lazy->matrix.rows.start[i + 1] - lazy->matrix.rows.start[i];
    /* Short ones begin lazy; a row that binds, or did lately (it has a weight), is in. */
    const bool is_lazy = n * rows->count < lp->n_entries && rows->lower[i] != rows->upper[i] &&
                         rows->at[i] == IRL_LP_BASIC && rows->weight[i] == 0;
    lazy->place_of[i] = UINT32_MAX;
    if (!is_lazy) status = activate(lp, i);
  }
  if (!status) lazy->most = GROWTH * (lazy->lp->rows.count + ADD_LEAST);
  return status;
}

/* ---- from the model to the smaller one and back ---- */

static irl_status prepare_active(irl_lp *lp) {
  if (lp->is_reshaped || !lp->lazy) return create_lazy_rows(lp);
  irl_lp *inner = lp->lazy->lp;
  const size_t size = lp->columns.count * sizeof(double);
  irl_status status = IRL_STATUS_OK;
  if (inner->rows.count > lp->lazy->most) {
    for (uint32_t i = 0; i < lp->rows.count; i++)
      if (lp->rows.at[i] == IRL_LP_BASIC) lp->rows.weight[i] = 0;
    return create_lazy_rows(lp);
  }
  irl_lp_use_env(inner, lp->env);
  memcpy(inner->columns.lower, lp->columns.lower, size);
  memcpy(inner->columns.upper, lp->columns.upper, size);
  for (uint32_t p = 0; p < inner->rows.count; p++) {
    inner->rows.lower[p] = lp->rows.lower[lp->lazy->row_of[p]];
    inner->rows.upper[p] = lp->rows.upper[lp->lazy->row_of[p]];
  }
  if (lp->is_repriced) memcpy(inner->cost, lp->cost, size);
  inner->is_repriced |= lp->is_repriced;
  inner->constant = lp->constant;
  if (!lp->is_rebased) return IRL_STATUS_OK;
  /* The caller's basis: a lazy row that is not basic in it becomes active. */
  for (uint32_t i = 0; i < lp->rows.count && !status; i++) {
    const uint32_t place = lp->lazy->place_of[i];
    if (place != UINT32_MAX) {
      inner->rows.at[place] = lp->rows.at[i];
      inner->rows.weight[place] = lp->rows.weight[i];
    } else if (lp->rows.at[i] != IRL_LP_BASIC) {
      status = activate(lp, i);
    }
  }
  memcpy(inner->columns.at, lp->columns.at, lp->columns.count);
  memcpy(inner->columns.weight, lp->columns.weight, size);
  inner->is_rebased = true;
  return status;
}

static void store_solution(irl_lp *lp) {
  const irl_lp *inner = lp->lazy->lp;
  const irl_lp_matrix *m = &lp->lazy->matrix;
  const size_t size = lp->columns.count * sizeof(double);
  memcpy(lp->columns.at, inner->columns.at, lp->columns.count);
  memcpy(lp->columns.weight, inner->columns.weight, size);
  memcpy(lp->columns.value, inner->columns.value, size);
  memcpy(lp->columns.dual, inner->columns.dual, size);
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const uint32_t p = lp->lazy->place_of[i];
    const bool is_lazy = p == UINT32_MAX;
    double activity = 0;
    for (size_t e = m->rows.start[i]; is_lazy && e < m->rows.start[i + 1]; e++)
      activity += m->rows.value[e] * lp->columns.value[m->rows.index[e]];
    lp->rows.at[i] = is_lazy ? (uint8_t)IRL_LP_BASIC : inner->rows.at[p];
    lp->rows.weight[i] = is_lazy ? 0 : inner->rows.weight[p];
    lp->rows.dual[i] = is_lazy ? 0 : inner->rows.dual[p];
    lp->rows.value[i] = is_lazy ? activity : inner->rows.value[p];
  }
}

bool irl_lp_lazy_rows_multipliers(irl_lp *lp, uint32_t column, double *y) {
  const irl_lp_lazy_rows *lazy = lp->lazy;
  if (!irl_lp_tableau_multipliers(lazy->lp, column, lazy->by_row)) return false;
  memset(y, 0, lp->rows.count * sizeof *y);
  for (uint32_t p = 0; p < lazy->lp->rows.count; p++) y[lazy->row_of[p]] = lazy->by_row[p];
  return true;
}

/* ---- lazy rows that are violated ---- */

static int by_violation(const void *a, const void *b) {
  const irl_lp_violated *p = a, *q = b;
  if (p->violation != q->violation) return p->violation > q->violation ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

static size_t find_violated(irl_lp *lp) {
  const irl_lp_side *rows = &lp->rows;
  irl_lp_violated *violated = lp->lazy->violated;
  size_t n = 0;
  for (uint32_t i = 0; i < rows->count; i++) {
    if (lp->lazy->place_of[i] != UINT32_MAX) continue;
    const double over = fmax(rows->lower[i] - rows->value[i], rows->value[i] - rows->upper[i]);
    if (over > IRL_LP_TOL_FINAL * fmax(1, fabs(rows->value[i])))
      violated[n++] = (irl_lp_violated){over, i};
  }
  return n;
}

/* ---- the solve ---- */

bool irl_lp_lazy_rows_check(const irl_lp *lp) {
  const irl_lp_lazy_rows *lazy = lp->lazy;
  uint32_t n_lazy = 0;
  if (lazy->lp->columns.count != lp->columns.count) return false;
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    n_lazy += lazy->place_of[i] == UINT32_MAX;
    if (lazy->place_of[i] != UINT32_MAX && lazy->row_of[lazy->place_of[i]] != i) return false;
  }
  return n_lazy + lazy->lp->rows.count == lp->rows.count;
}

static irl_status solve_inner(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result) {
  irl_lp_options own = *options;
  irl_lp_result part;
  own.max_iterations -= result->iterations;
  if (own.limit.max_work != UINT64_MAX)
    own.limit.max_work = own.limit.max_work > result->work ? own.limit.max_work - result->work : 1;
  const irl_status status = irl_lp_solve(lp->lazy->lp, &own, &part);
  if (status) return status;
  result->end = part.end;
  result->objective = part.objective;
  result->iterations += part.iterations;
  result->work += part.work + lp->n_entries;
  return IRL_STATUS_OK;
}

irl_status irl_lp_lazy_rows_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result,
                                  bool *is_solved) {
  irl_status status = prepare_active(lp);
  irl_lp_violated *violated;
  *is_solved = false;
  if (status) goto done;
  lp->is_reshaped = lp->is_rebased = lp->is_repriced = false;
  for (;;) {
    if ((status = solve_inner(lp, options, result))) goto done;
    assert(irl_lp_lazy_rows_check(lp));
    store_solution(lp);
    const size_t n = result->end == IRL_LP_OPTIMAL ? find_violated(lp) : 0;
    if (!n) break;
    if (result->iterations >= options->max_iterations) {
      result->end = IRL_LP_LIMIT;
      break;
    }
    /* The most violated ones become active. */
    const size_t share = (size_t)(ADD_SHARE * lp->lazy->lp->rows.count);
    const size_t most = share > ADD_LEAST ? share : ADD_LEAST;
    violated = lp->lazy->violated;
    assert(n <= lp->rows.count);
    qsort(violated, n, sizeof *violated, by_violation);
    for (size_t k = 0; k < n && k < most && !status; k++) status = activate(lp, violated[k].row);
    if (status) goto done;
  }
  *is_solved = result->end != IRL_LP_UNBOUNDED && result->end != IRL_LP_TROUBLE;
  if (result->end == IRL_LP_INFEASIBLE && lp->lazy->lp->ray) {
    const irl_lp *inner = lp->lazy->lp;
    lp->ray = irl_mem_alloc(&lp->allocator, (size_t)lp->rows.count + 1, sizeof *lp->ray);
    if (!lp->ray) status = irl_fail_memory(lp->env);
    for (uint32_t p = 0; p < inner->rows.count && lp->ray; p++)
      lp->ray[lp->lazy->row_of[p]] = inner->ray[p];
  }
done:
  if (!status && *is_solved) return IRL_STATUS_OK;
  irl_lp_lazy_rows_drop(lp);
  lp->has_no_lazy_rows = lp->is_reshaped = true;
  return status;
}
