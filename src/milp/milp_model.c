/* Making the model: entries of the LP by row and by column, integer bounds rounded inward, the grid
 * on which objectives lie. */
#include "milp/milp_model.h"
#include "milp/milp_tol.h"
#include <math.h>

/* Costs are tried as multiples of 10^-k for k up to this. */
#define MAX_DECIMALS 6

bool irl_milp_is_whole(double value) {
  return fabs(value) <= IRL_MILP_MAX_INTEGER && value == nearbyint(value);
}

void irl_milp_model_free(irl_milp_model *m) {
  irl_arena_free(&m->arena);
  *m = (irl_milp_model){0};
}

static bool allocate_sides(irl_milp_model *m) {
  irl_arena *a = &m->arena;
  const size_t d = sizeof(double), rows = m->n_rows, columns = m->n_columns;
  return (m->row_start = irl_arena_alloc(a, rows + 1, sizeof(size_t))) &&
         (m->column_start = irl_arena_alloc(a, columns + 1, sizeof(size_t))) &&
         (m->row_lower = irl_arena_alloc(a, rows, d)) &&
         (m->row_upper = irl_arena_alloc(a, rows, d)) &&
         (m->tolerance = irl_arena_alloc(a, rows, d)) &&
         (m->is_exact = irl_arena_alloc(a, rows, 1)) &&
         (m->lower = irl_arena_alloc(a, columns, d)) &&
         (m->upper = irl_arena_alloc(a, columns, d)) &&
         (m->cost = irl_arena_alloc(a, columns, d)) &&
         (m->is_integer = irl_arena_alloc(a, columns, 1)) &&
         (m->priority = irl_arena_alloc(a, columns, 1));
}

static irl_status load_entries(irl_milp_model *m) {
  const irl_lp *lp = m->problem->lp;
  irl_arena *a = &m->arena;
  const size_t n = irl_lp_n_entries(lp);
  uint32_t row, column;
  double value;
  size_t *next = irl_arena_alloc(a, m->n_rows, sizeof *next); /* place in each row */
  if (!next || !(m->row_column = irl_arena_alloc(a, n, sizeof(uint32_t))) ||
      !(m->row_value = irl_arena_alloc(a, n, sizeof(double))) ||
      !(m->column_row = irl_arena_alloc(a, n, sizeof(uint32_t))) ||
      !(m->column_value = irl_arena_alloc(a, n, sizeof(double))))
    return irl_fail_memory(m->env);
  for (size_t e = 0; e < n; e++) {
    irl_lp_get_entry(lp, e, &row, &column, &value);
    m->row_start[row + 1]++;
  }
  for (uint32_t i = 0; i < m->n_rows; i++) {
    next[i] = m->row_start[i];
    m->row_start[i + 1] += m->row_start[i];
  }
  for (size_t e = 0; e < n; e++) {
    irl_lp_get_entry(lp, e, &row, &column, &value);
    assert(next[row] < m->row_start[row + 1] && column < m->n_columns);
    m->row_column[next[row]] = column;
    m->row_value[next[row]++] = value;
  }
  return IRL_STATUS_OK;
}

static void load_sides(irl_milp_model *m) {
  const irl_milp_problem *p = m->problem;
  for (uint32_t i = 0; i < m->n_rows; i++) {
    irl_lp_row_bounds(p->lp, i, &m->row_lower[i], &m->row_upper[i]);
    if (m->row_lower[i] > m->row_upper[i]) m->is_infeasible = true;
  }
  for (uint32_t j = 0; j < m->n_columns; j++) {
    irl_lp_bounds(p->lp, j, &m->lower[j], &m->upper[j]);
    m->cost[j] = irl_lp_cost(p->lp, j);
    m->priority[j] = p->priority ? p->priority[j] : 0;
    m->is_integer[j] = p->is_integer[j];
    if (m->is_integer[j]) {
      m->n_integer++;
      m->lower[j] = ceil(m->lower[j]);
      m->upper[j] = floor(m->upper[j]);
    }
    if (m->lower[j] > m->upper[j]) m->is_infeasible = true;
  }
}

/* ---- the grid of objective values ---- */

double irl_milp_greatest_common(double a, double b) {
  assert(a >= 0 && b >= 0);
  while (b != 0) {
    const double rest = fmod(a, b);
    a = b;
    b = rest;
  }
  return a;
}

/* The step of the grid on which all costs times `unit` lie, 0 if one of them does not. */
static double grid_of(const irl_milp_model *m, double unit, double tolerance) {
  double step = 0;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (m->cost[j] == 0 || m->lower[j] == m->upper[j]) continue;
    const double cost = fabs(m->cost[j] * unit), whole = nearbyint(cost);
    if (!m->is_integer[j] || whole > 1e9 || whole < 1 || fabs(cost - whole) > tolerance * whole)
      return 0;
    step = irl_milp_greatest_common(whole, step);
  }
  return step;
}

static void find_grid(irl_milp_model *m) {
  double unit = 1;
  const double known = m->problem->grid;
  if (known > 0 && irl_milp_is_whole(known)) {
    m->grid = known;
    return;
  }
  /* Fixed columns only move the offset, which must be a whole number for an exact grid. */
  m->offset = m->constant;
  bool is_whole = irl_milp_is_whole(m->constant);
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (m->lower[j] != m->upper[j]) continue;
    is_whole &= irl_milp_is_whole(m->cost[j] * m->lower[j]);
    m->offset += m->cost[j] * m->lower[j];
  }
  m->grid = is_whole && irl_milp_is_whole(m->offset) ? grid_of(m, 1, 0) : 0;
  for (int k = 1; k <= MAX_DECIMALS && m->grid == 0; k++) {
    unit *= 10;
    m->grid = grid_of(m, unit, 1e-12) / unit;
    m->is_grid_rounded = m->grid != 0;
  }
}

/* ---- rows ---- */

static void classify_row(irl_milp_model *m, uint32_t i) {
  const double lower = m->row_lower[i], upper = m->row_upper[i];
  bool is_exact = true;
  double size = 1;
  if (isfinite(lower)) size = fmax(size, fabs(lower));
  if (isfinite(upper)) size = fmax(size, fabs(upper));
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    size = fmax(size, fabs(m->row_value[e]));
    is_exact &= m->is_integer[m->row_column[e]] && irl_milp_is_whole(m->row_value[e]);
  }
  m->is_exact[i] = is_exact;
  m->tolerance[i] = is_exact ? 0 : IRL_MILP_TOL_ROW * size;
}

void irl_milp_model_refresh(irl_milp_model *m) {
  for (uint32_t i = 0; i < m->n_rows; i++) classify_row(m, i);
  memset(m->column_start, 0, (m->n_columns + 1) * sizeof *m->column_start);
  for (size_t e = 0; e < m->row_start[m->n_rows]; e++) m->column_start[m->row_column[e] + 1]++;
  for (uint32_t j = 0; j < m->n_columns; j++) m->column_start[j + 1] += m->column_start[j];
  for (uint32_t i = 0; i < m->n_rows; i++) {
    for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
      const size_t place = m->column_start[m->row_column[e]]++;
      assert(place < m->row_start[m->n_rows]);
      m->column_row[place] = i;
      m->column_value[place] = m->row_value[e];
    }
  }
  for (uint32_t j = m->n_columns; j > 0; j--) m->column_start[j] = m->column_start[j - 1];
  m->column_start[0] = 0;
  assert(m->column_start[m->n_columns] == m->row_start[m->n_rows]);
}

irl_status irl_milp_model_init(irl_milp_model *m, irl_env *env, const irl_milp_problem *problem) {
  *m = (irl_milp_model){.env = env,
                        .allocator = env->allocator,
                        .problem = problem,
                        .n_rows = irl_lp_n_rows(problem->lp),
                        .n_columns = irl_lp_n_columns(problem->lp),
                        .constant = irl_lp_constant(problem->lp)};
  irl_arena_init(&m->arena, &env->allocator);
  irl_status status = allocate_sides(m) ? load_entries(m) : irl_fail_memory(env);
  if (status) {
    irl_milp_model_free(m);
    return status;
  }
  load_sides(m);
  find_grid(m);
  irl_milp_model_refresh(m);
  return IRL_STATUS_OK;
}

void irl_milp_model_reclassify(irl_milp_model *m) {
  m->is_grid_rounded = false;
  find_grid(m);
  for (uint32_t i = 0; i < m->n_rows; i++) classify_row(m, i);
}

irl_status irl_milp_model_lp(const irl_milp_model *m, irl_env *env, irl_lp **out) {
  irl_lp *lp;
  irl_status status = irl_lp_create(env, &lp);
  if (status) return status;
  for (uint32_t j = 0; j < m->n_columns && !status; j++)
    status = irl_lp_add_column(lp, m->cost[j], m->lower[j], m->upper[j], NULL);
  for (uint32_t i = 0; i < m->n_rows && !status; i++) {
    const size_t first = m->row_start[i];
    status = irl_lp_add_row(lp, m->row_lower[i], m->row_upper[i],
                            &(irl_lp_terms){(uint32_t)(m->row_start[i + 1] - first),
                                            m->row_column + first, m->row_value + first});
  }
  irl_lp_set_constant(lp, m->constant);
  if (status)
    irl_lp_free(lp);
  else
    *out = lp;
  return status;
}

/* ---- objective values ---- */

double irl_milp_cutoff(const irl_milp_model *m, double incumbent) {
  if (!isfinite(incumbent)) return INFINITY;
  if (m->grid == 0 || fabs(incumbent) > IRL_MILP_MAX_INTEGER)
    return incumbent - IRL_MILP_TOL_GAP * fmax(1, fabs(incumbent));
  if (m->is_grid_rounded) return incumbent - m->grid * (1 - IRL_MILP_TOL_GRID);
  /* The last grid value below the incumbent, which itself may lie between two. */
  return (ceil((incumbent - m->offset) / m->grid) - 1) * m->grid + m->offset;
}

double irl_milp_round_bound(const irl_milp_model *m, double bound) {
  if (m->grid == 0 || !isfinite(bound) || fabs(bound) > IRL_MILP_MAX_INTEGER) return bound;
  if (m->is_grid_rounded) return bound;
  /* Rounding is monotone and the values are whole, so this never exceeds the true value. */
  return ceil((bound - m->offset) / m->grid) * m->grid + m->offset;
}

double irl_milp_gap(double objective, double bound) {
  if (!isfinite(objective) || !isfinite(bound)) return INFINITY;
  return fmax(0, objective - bound) / fmax(1, fabs(objective));
}
