/* The model: what the caller says, kept as it was said. Entries are a list of (row, column, value)
 * that only grows (rows added later touch old columns), bounds and costs are arrays. Each change
 * keeps the basis: a new row's activity becomes basic, a new column stands at a bound, and a
 * deleted row takes its activity with it (the factorisation repairs what is left over). */
#include "lp/lp_model.h"
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

static void free_side(const irl_allocator *allocator, irl_lp_side *side) {
  void *arrays[] = {side->lower, side->upper, side->at, side->weight, side->value, side->dual};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) irl_mem_free(allocator, arrays[k]);
}

void irl_lp_free(irl_lp *lp) {
  if (!lp) return;
  const irl_allocator allocator = lp->allocator;
  free_side(&allocator, &lp->columns);
  free_side(&allocator, &lp->rows);
  irl_mem_free(&allocator, lp->cost);
  irl_mem_free(&allocator, lp->entries);
  irl_mem_free(&allocator, lp->ray);
  irl_lp_simplex_free(lp->simplex);
  irl_lp_lazy_rows_free(lp->lazy);
  irl_mem_free(&allocator, lp);
}

static size_t side_bytes(const irl_lp_side *side) {
  return side->capacity * (5 * sizeof(double) + 1);
}

size_t irl_lp_bytes(const irl_lp *lp) {
  size_t bytes =
      side_bytes(&lp->columns) + side_bytes(&lp->rows) + lp->entries_capacity * sizeof *lp->entries;
  if (lp->simplex) bytes += irl_lp_simplex_bytes(lp->simplex);
  if (lp->lazy) bytes += irl_lp_bytes(lp->lazy->lp) + lp->n_entries * sizeof *lp->entries;
  return bytes;
}

void irl_lp_use_env(irl_lp *lp, irl_env *env) {
  lp->env = env;
  if (lp->simplex) lp->simplex->env = lp->simplex->lu.env = env;
}

static bool reserve_side(const irl_allocator *a, irl_lp_side *side) {
  double **arrays[] = {&side->lower, &side->upper, &side->weight, &side->value, &side->dual};
  if (side->count < side->capacity) return true;
  const size_t wanted = side->capacity ? 2 * side->capacity : 16;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    double *grown = irl_mem_grow(a, *arrays[k], wanted, sizeof *grown);
    if (!grown) return false;
    *arrays[k] = grown;
  }
  uint8_t *at = irl_mem_grow(a, side->at, wanted, 1);
  if (!at) return false;
  side->at = at;
  side->capacity = wanted; /* only now that all have grown */
  return true;
}

static double clip(double bound) {
  return bound >= IRL_LP_INFINITY ? INFINITY : bound <= -IRL_LP_INFINITY ? -INFINITY : bound;
}

/* Where a nonbasic variable with these bounds starts. */
static irl_lp_at at_some_bound(double lower, double upper) {
  if (isfinite(lower) && (!isfinite(upper) || fabs(lower) <= fabs(upper))) return IRL_LP_LOWER;
  return isfinite(upper) ? IRL_LP_UPPER : IRL_LP_ZERO;
}

static void append_side(irl_lp_side *side, double lower, double upper, irl_lp_at at) {
  assert(side->count < side->capacity && !isnan(lower) && !isnan(upper));
  const uint32_t i = side->count++;
  side->lower[i] = clip(lower);
  side->upper[i] = clip(upper);
  side->at[i] = (uint8_t)at;
  side->weight[i] = side->value[i] = side->dual[i] = 0;
}

static bool reserve_entries(irl_lp *lp, size_t more) {
  return irl_mem_reserve_more(&lp->allocator, &lp->entries, &lp->entries_capacity, lp->n_entries,
                              more, sizeof *lp->entries);
}

/* There is room for it. */
static void append_entry(irl_lp *lp, uint32_t row, uint32_t column, double value) {
  assert(row < lp->rows.count && column < lp->columns.count && isfinite(value));
  if (value == 0) return;
  assert(lp->n_entries < lp->entries_capacity);
  lp->entries[lp->n_entries++] = (irl_lp_entry){row, column, value};
}

/* No array is ever NULL, so that empty models need no special cases. */
irl_status irl_lp_create(irl_env *env, irl_lp **lp) {
  irl_lp *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  made->env = env;
  made->allocator = env->allocator;
  made->is_reshaped = true;
  if (!reserve_side(&made->allocator, &made->columns) ||
      !reserve_side(&made->allocator, &made->rows) || !reserve_entries(made, 1) ||
      !irl_mem_reserve(&env->allocator, &made->cost, &made->cost_capacity, 0, sizeof *made->cost)) {
    irl_lp_free(made);
    return irl_fail_memory(env);
  }
  *lp = made;
  return IRL_STATUS_OK;
}

irl_status irl_lp_add_row(irl_lp *lp, double lower, double upper, const irl_lp_terms *terms) {
  const uint32_t row = lp->rows.count, n = terms ? terms->n : 0;
  if (!reserve_side(&lp->allocator, &lp->rows) || !reserve_entries(lp, n))
    return irl_fail_memory(lp->env);
  append_side(&lp->rows, lower, upper, IRL_LP_BASIC);
  for (uint32_t k = 0; k < n; k++) append_entry(lp, row, terms->index[k], terms->value[k]);
  lp->is_reshaped = true;
  return IRL_STATUS_OK;
}

irl_status irl_lp_add_column(irl_lp *lp, double cost, double lower, double upper,
                             const irl_lp_terms *terms) {
  const uint32_t column = lp->columns.count, n = terms ? terms->n : 0;
  assert(isfinite(cost));
  if (!reserve_side(&lp->allocator, &lp->columns) || !reserve_entries(lp, n) ||
      !irl_mem_reserve(&lp->allocator, &lp->cost, &lp->cost_capacity, column, sizeof *lp->cost))
    return irl_fail_memory(lp->env);
  append_side(&lp->columns, lower, upper, at_some_bound(clip(lower), clip(upper)));
  for (uint32_t k = 0; k < n; k++) append_entry(lp, terms->index[k], column, terms->value[k]);
  lp->cost[column] = cost;
  lp->is_reshaped = true;
  return IRL_STATUS_OK;
}

irl_status irl_lp_add_entry(irl_lp *lp, uint32_t row, uint32_t column, double value) {
  if (!reserve_entries(lp, 1)) return irl_fail_memory(lp->env);
  append_entry(lp, row, column, value);
  lp->is_reshaped = true;
  return IRL_STATUS_OK;
}

irl_status irl_lp_delete_rows(irl_lp *lp, const bool *is_gone) {
  irl_lp_side *rows = &lp->rows;
  double *arrays[] = {rows->lower, rows->upper, rows->weight, rows->value, rows->dual};
  uint32_t kept = 0;
  size_t n = 0;
  uint32_t *target = irl_mem_alloc(&lp->allocator, lp->rows.count, sizeof *target);
  if (!target) return irl_fail_memory(lp->env);
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    target[i] = kept;
    if (is_gone[i]) continue;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) arrays[k][kept] = arrays[k][i];
    rows->at[kept++] = rows->at[i];
  }
  for (size_t e = 0; e < lp->n_entries; e++) {
    irl_lp_entry entry = lp->entries[e];
    if (is_gone[entry.row]) continue;
    entry.row = target[entry.row];
    lp->entries[n++] = entry;
  }
  assert(n <= lp->n_entries && kept <= lp->rows.count);
  lp->n_entries = n;
  lp->rows.count = kept;
  lp->is_reshaped = true;
  irl_mem_free(&lp->allocator, target);
  return IRL_STATUS_OK;
}

void irl_lp_set_cost(irl_lp *lp, uint32_t column, double cost) {
  assert(column < lp->columns.count && isfinite(cost));
  lp->cost[column] = cost;
  lp->is_repriced = true;
}

void irl_lp_set_constant(irl_lp *lp, double constant) {
  assert(isfinite(constant));
  lp->constant = constant;
}

static void set_side(irl_lp_side *side, uint32_t i, double lower, double upper) {
  assert(i < side->count && !isnan(lower) && !isnan(upper));
  side->lower[i] = clip(lower);
  side->upper[i] = clip(upper);
}

void irl_lp_set_bounds(irl_lp *lp, uint32_t column, double lower, double upper) {
  set_side(&lp->columns, column, lower, upper);
}

void irl_lp_set_row_bounds(irl_lp *lp, uint32_t row, double lower, double upper) {
  set_side(&lp->rows, row, lower, upper);
}

uint32_t irl_lp_n_rows(const irl_lp *lp) {
  return lp->rows.count;
}

uint32_t irl_lp_n_columns(const irl_lp *lp) {
  return lp->columns.count;
}

size_t irl_lp_n_variables(const irl_lp *lp) {
  return (size_t)lp->columns.count + lp->rows.count;
}

size_t irl_lp_n_entries(const irl_lp *lp) {
  return lp->n_entries;
}

void irl_lp_get_entry(const irl_lp *lp, size_t e, uint32_t *row, uint32_t *column, double *value) {
  assert(e < lp->n_entries);
  *row = lp->entries[e].row;
  *column = lp->entries[e].column;
  *value = lp->entries[e].value;
}

double irl_lp_cost(const irl_lp *lp, uint32_t column) {
  assert(column < lp->columns.count);
  return lp->cost[column];
}

double irl_lp_constant(const irl_lp *lp) {
  return lp->constant;
}

void irl_lp_bounds(const irl_lp *lp, uint32_t column, double *lower, double *upper) {
  assert(column < lp->columns.count);
  *lower = lp->columns.lower[column];
  *upper = lp->columns.upper[column];
}

void irl_lp_row_bounds(const irl_lp *lp, uint32_t row, double *lower, double *upper) {
  assert(row < lp->rows.count);
  *lower = lp->rows.lower[row];
  *upper = lp->rows.upper[row];
}

const double *irl_lp_primal(const irl_lp *lp) {
  return lp->columns.value;
}

const double *irl_lp_activity(const irl_lp *lp) {
  return lp->rows.value;
}

const double *irl_lp_dual(const irl_lp *lp) {
  return lp->rows.dual;
}

const double *irl_lp_reduced(const irl_lp *lp) {
  return lp->columns.dual;
}

const double *irl_lp_ray(const irl_lp *lp) {
  return lp->ray;
}

void irl_lp_get_basis(const irl_lp *lp, uint8_t *at) {
  memcpy(at, lp->columns.at, lp->columns.count);
  memcpy(at + lp->columns.count, lp->rows.at, lp->rows.count);
}

void irl_lp_set_basis(irl_lp *lp, const uint8_t *at) {
  memcpy(lp->columns.at, at, lp->columns.count);
  memcpy(lp->rows.at, at + lp->columns.count, lp->rows.count);
  memset(lp->columns.weight, 0, lp->columns.count * sizeof(double));
  memset(lp->rows.weight, 0, lp->rows.count * sizeof(double));
  lp->is_rebased = true;
}

void irl_lp_forget_basis(irl_lp *lp) {
  irl_lp_side *columns = &lp->columns, *rows = &lp->rows;
  irl_lp_simplex_free(lp->simplex);
  lp->simplex = NULL;
  irl_lp_lazy_rows_drop(lp);
  lp->has_no_lazy_rows = false;
  for (uint32_t j = 0; j < columns->count; j++)
    columns->at[j] = (uint8_t)at_some_bound(columns->lower[j], columns->upper[j]);
  memset(rows->at, IRL_LP_BASIC, rows->count);
  memset(columns->weight, 0, columns->count * sizeof(double));
  memset(rows->weight, 0, rows->count * sizeof(double));
  lp->is_reshaped = true;
}

/* ---- from the list of entries to columns and rows, by counting twice ---- */

irl_status irl_lp_matrix_compile(irl_env *env, const irl_lp *lp, irl_lp_matrix *matrix) {
  const irl_allocator *a = &env->allocator;
  const size_t n = lp->columns.count;
  irl_lp_matrix m = {0};
  irl_lp_lists *columns = &m.columns;
  if (!irl_lp_lists_reserve(a, columns, n, lp->n_entries)) goto failed;
  memset(columns->start, 0, (n + 2) * sizeof *columns->start);
  columns->n = n;
  columns->used = lp->n_entries;
  for (size_t e = 0; e < lp->n_entries; e++) columns->start[lp->entries[e].column + 2]++;
  for (size_t j = 1; j < n + 2; j++) columns->start[j] += columns->start[j - 1];
  for (size_t e = 0; e < lp->n_entries; e++) {
    const size_t to = columns->start[lp->entries[e].column + 1]++;
    assert(to < lp->n_entries && lp->entries[e].row < lp->rows.count);
    columns->index[to] = lp->entries[e].row;
    columns->value[to] = lp->entries[e].value;
  }
  if (!irl_lp_lists_transpose(a, columns, NULL, NULL, lp->rows.count, &m.rows)) goto failed;
  assert(columns->start[n] == lp->n_entries && m.rows.start[lp->rows.count] == lp->n_entries);
  *matrix = m;
  return IRL_STATUS_OK;
failed:
  irl_lp_matrix_free(a, &m);
  return irl_fail_memory(env);
}

void irl_lp_matrix_free(const irl_allocator *allocator, irl_lp_matrix *m) {
  irl_lp_lists_free(allocator, &m->columns);
  irl_lp_lists_free(allocator, &m->rows);
}

/* ---- products with the entries themselves, independent of the simplex and its copies ---- */

void irl_lp_multiply(const irl_lp *lp, const double *x, double *activity) {
  memset(activity, 0, lp->rows.count * sizeof *activity);
  for (size_t e = 0; e < lp->n_entries; e++)
    activity[lp->entries[e].row] += lp->entries[e].value * x[lp->entries[e].column];
}

void irl_lp_multiply_transposed(const irl_lp *lp, const double *y, double *result) {
  memset(result, 0, lp->columns.count * sizeof *result);
  for (size_t e = 0; e < lp->n_entries; e++)
    result[lp->entries[e].column] += lp->entries[e].value * y[lp->entries[e].row];
}
