/* A light presolve with exact postsolve.
 *
 * Passes until nothing changes: rows that are empty or can never be violated go; a row with one
 * column becomes bounds of it; columns that are fixed, empty, or that cost and rows alike push to
 * one of their bounds (dual fixing) are put there and leave; an equation of two columns takes one
 * of them out of the model (doubleton.c). Each step is a record on a stack. The smaller model is
 * solved, and the records are undone in reverse: a column gets its value back, a row gets dual 0
 * and its activity becomes basic, except that a singleton row whose bound holds its column takes
 * over the reduced cost of that column, which becomes basic in its place. So the solution is a
 * basic one of the whole model. Reduced costs are computed from the duals at the end, and the
 * result goes through the same check as any other.
 *
 * Only optimal solutions come this way: whatever else happens, the whole model is solved as it is,
 * which gives proofs in its own terms. */
#include "base/memory.h"
#include "model/lp_names.h"
#include "model/presolve_work.h"
#include <math.h>

#define MAX_PASSES 20

void irl_lp_presolve_record(irl_lp_presolve *p, irl_lp_presolve_step step) {
  if (!irl_array_push(&p->lp->allocator, &p->steps, step)) p->failed = true;
  p->has_changed = true;
}

void irl_lp_presolve_remove_row(irl_lp_presolve *p, uint32_t i) {
  assert(!p->row_gone[i]);
  p->row_gone[i] = true;
  for (uint32_t e = p->row_first[i]; e != IRL_LP_NO_ENTRY; e = p->entries.items[e].next_in_row)
    if (p->entries.items[e].value != 0) p->column_count[p->entries.items[e].column]--;
}

static void remove_column(irl_lp_presolve *p, uint32_t j, double value) {
  assert(!p->column_gone[j] && isfinite(value));
  p->column_gone[j] = true;
  for (uint32_t e = p->column_first[j]; e != IRL_LP_NO_ENTRY;
       e = p->entries.items[e].next_in_column) {
    const uint32_t i = p->entries.items[e].row;
    if (p->entries.items[e].value == 0) continue;
    assert(p->row_gone[i] || p->row_count[i] > 0);
    p->row_count[i]--;
    p->row_lower[i] -= p->entries.items[e].value * value;
    p->row_upper[i] -= p->entries.items[e].value * value;
  }
  irl_lp_presolve_record(
      p, (irl_lp_presolve_step){.kind = IRL_LP_STEP_REMOVE_COLUMN, .column = j, .value = value});
}

static void visit_row(irl_lp_presolve *p, uint32_t i) {
  if (p->row_count[i] == 1) {
    const irl_lp_presolve_entry *e = &p->entries.items[irl_lp_presolve_active(p, p->row_first[i])];
    const uint32_t j = e->column;
    const double a = e->value;
    assert(a != 0 && !p->column_gone[j]);
    const double low = a > 0 ? p->row_lower[i] / a : p->row_upper[i] / a;
    const double high = a > 0 ? p->row_upper[i] / a : p->row_lower[i] / a;
    irl_lp_presolve_record(p, (irl_lp_presolve_step){.kind = IRL_LP_STEP_SINGLETON_ROW,
                                                     .row = i,
                                                     .column = j,
                                                     .entry = a,
                                                     .lower = p->lower[j],
                                                     .upper = p->upper[j]});
    p->lower[j] = fmax(p->lower[j], low);
    p->upper[j] = fmin(p->upper[j], high);
    p->gave_up |= p->lower[j] > p->upper[j];
    irl_lp_presolve_remove_row(p, i);
    return;
  }
  if (irl_lp_presolve_substitute(p, i)) return;
  /* Whatever its columns do, the activity of the row lies between these. */
  double least = 0, most = 0;
  for (uint32_t e = p->row_first[i]; e != IRL_LP_NO_ENTRY; e = p->entries.items[e].next_in_row) {
    const uint32_t j = p->entries.items[e].column;
    const double value = p->entries.items[e].value;
    if (p->column_gone[j] || value == 0) continue;
    least += value * (value > 0 ? p->lower[j] : p->upper[j]);
    most += value * (value > 0 ? p->upper[j] : p->lower[j]);
  }
  if (least >= p->row_lower[i] && most <= p->row_upper[i]) {
    irl_lp_presolve_record(p, (irl_lp_presolve_step){.kind = IRL_LP_STEP_REMOVE_ROW, .row = i});
    irl_lp_presolve_remove_row(p, i);
  } else if (p->row_count[i] == 0) {
    p->gave_up = true;
  }
}

/* Does no row mind if the column goes down (`sign` 1) or up (-1)? */
static bool is_unhindered(const irl_lp_presolve *p, uint32_t j, double sign) {
  for (uint32_t e = p->column_first[j]; e != IRL_LP_NO_ENTRY;
       e = p->entries.items[e].next_in_column) {
    const uint32_t i = p->entries.items[e].row;
    if (p->row_gone[i] || p->entries.items[e].value == 0) continue;
    if (sign * p->entries.items[e].value > 0 ? p->row_lower[i] > -INFINITY
                                             : p->row_upper[i] < INFINITY)
      return false;
  }
  return true;
}

static void visit_column(irl_lp_presolve *p, uint32_t j) {
  const double cost = p->cost[j], lower = p->lower[j], upper = p->upper[j];
  if (lower == upper || (cost >= 0 && isfinite(lower) && is_unhindered(p, j, 1)))
    remove_column(p, j, lower);
  else if (cost <= 0 && isfinite(upper) && is_unhindered(p, j, -1))
    remove_column(p, j, upper);
  else if (cost == 0 && !p->column_count[j])
    remove_column(p, j, 0); /* free and nowhere needed */
}

static irl_status init_presolve(irl_lp_presolve *p) {
  const irl_lp *lp = p->lp;
  irl_arena *a = &p->arena;
  const size_t m = p->n_rows = lp->rows.count, n = p->n_columns = lp->columns.count;
  uint32_t **by_row[] = {&p->row_first, &p->row_count, &p->new_row};
  uint32_t **by_column[] = {&p->column_first, &p->column_count, &p->new_column};
  const struct {
    double **to;
    const double *from;
    size_t n;
  } copies[] = {{&p->cost, lp->cost, n},
                {&p->row_lower, lp->rows.lower, m},
                {&p->row_upper, lp->rows.upper, m},
                {&p->lower, lp->columns.lower, n},
                {&p->upper, lp->columns.upper, n}};
  irl_arena_init(a, &lp->allocator);
  p->failed = !(p->row_gone = irl_arena_alloc(a, m, sizeof(bool))) ||
              !(p->column_gone = irl_arena_alloc(a, n, sizeof(bool)));
  for (int k = 0; k < 3 && !p->failed; k++)
    p->failed = !(*by_row[k] = irl_arena_alloc(a, m, sizeof(uint32_t))) ||
                !(*by_column[k] = irl_arena_alloc(a, n, sizeof(uint32_t)));
  for (size_t k = 0; k < sizeof copies / sizeof *copies && !p->failed; k++) {
    p->failed = !(*copies[k].to = irl_arena_alloc(a, copies[k].n, sizeof(double)));
    if (!p->failed) memcpy(*copies[k].to, copies[k].from, copies[k].n * sizeof(double));
  }
  if (p->failed) return irl_fail_memory(lp->env);
  memset(p->row_first, 0xff, m * sizeof *p->row_first);
  memset(p->column_first, 0xff, n * sizeof *p->column_first);
  for (size_t e = lp->n_entries; e-- > 0;)
    irl_lp_presolve_append(p, lp->entries[e].row, lp->entries[e].column, lp->entries[e].value);
  return p->failed ? irl_fail_memory(lp->env) : IRL_OK;
}

static irl_status build_small(irl_lp_presolve *p, irl_lp *small) {
  uint32_t *rows = irl_arena_alloc(&p->arena, p->n_rows, sizeof *rows);
  double *values = irl_arena_alloc(&p->arena, p->n_rows, sizeof *values);
  irl_status status = rows && values ? IRL_OK : irl_fail_memory(p->lp->env);
  for (uint32_t i = 0; i < p->n_rows && !status; i++) {
    p->new_row[i] = irl_lp_n_rows(small);
    if (!p->row_gone[i]) status = irl_lp_add_row(small, p->row_lower[i], p->row_upper[i], NULL);
  }
  for (uint32_t j = 0; j < p->n_columns && !status; j++) {
    irl_lp_terms terms = {0, rows, values};
    if (p->column_gone[j]) continue;
    for (uint32_t e = p->column_first[j]; e != IRL_LP_NO_ENTRY;
         e = p->entries.items[e].next_in_column) {
      if (p->row_gone[p->entries.items[e].row] || p->entries.items[e].value == 0) continue;
      rows[terms.n] = p->new_row[p->entries.items[e].row];
      values[terms.n++] = p->entries.items[e].value;
    }
    p->new_column[j] = irl_lp_n_columns(small);
    status = irl_lp_add_column(small, p->cost[j], p->lower[j], p->upper[j], &terms);
  }
  return status;
}

/* In the model as it was at the step that is being undone: rows that come back later have dual 0.
 */
double irl_lp_presolve_reduced_cost(const irl_lp_presolve *p, uint32_t j) {
  double d = p->cost[j];
  for (uint32_t e = p->column_first[j]; e != IRL_LP_NO_ENTRY;
       e = p->entries.items[e].next_in_column)
    d -= p->entries.items[e].value * p->lp->rows.dual[p->entries.items[e].row];
  return d;
}

/* If the row's bound holds the column, the row takes over its reduced cost and its place. */
static void undo_singleton(irl_lp_presolve *p, const irl_lp_presolve_step *step) {
  irl_lp_side *rows = &p->lp->rows, *columns = &p->lp->columns;
  const uint32_t i = step->row, j = step->column;
  if (columns->at[j] == IRL_LP_BASIC) return;
  const double d = irl_lp_presolve_reduced_cost(p, j), x = columns->value[j];
  const bool is_held = d > 0 ? x > step->lower : d < 0 ? x < step->upper : false;
  const bool is_between = x > step->lower && x < step->upper;
  if (!is_held && !is_between) {
    columns->at[j] = x == step->upper && x != step->lower ? IRL_LP_UPPER : IRL_LP_LOWER;
    return;
  }
  rows->dual[i] = d / step->entry;
  const bool is_lower = d == 0 ? columns->at[j] == IRL_LP_LOWER : d > 0;
  rows->at[i] = is_lower == (step->entry > 0) ? IRL_LP_LOWER : IRL_LP_UPPER;
  columns->at[j] = IRL_LP_BASIC;
}

/* What is left in the smaller model comes back as it is; then the steps are undone. */
static void restore(irl_lp_presolve *p, const irl_lp *small) {
  irl_lp_side *rows = &p->lp->rows, *columns = &p->lp->columns;
  for (uint32_t i = 0; i < p->n_rows; i++) {
    rows->dual[i] = p->row_gone[i] ? 0 : small->rows.dual[p->new_row[i]];
    rows->at[i] = p->row_gone[i] ? IRL_LP_BASIC : small->rows.at[p->new_row[i]];
  }
  for (uint32_t j = 0; j < p->n_columns; j++) {
    if (p->column_gone[j]) continue;
    columns->value[j] = small->columns.value[p->new_column[j]];
    columns->at[j] = small->columns.at[p->new_column[j]];
  }
  for (size_t k = p->steps.n; k-- > 0;) {
    const irl_lp_presolve_step *step = &p->steps.items[k];
    const uint32_t j = step->column;
    if (step->kind == IRL_LP_STEP_SINGLETON_ROW) undo_singleton(p, step);
    if (step->kind == IRL_LP_STEP_DOUBLETON_ROW) irl_lp_presolve_undo_doubleton(p, step);
    if (step->kind != IRL_LP_STEP_REMOVE_COLUMN) continue;
    columns->value[j] = step->value;
    columns->at[j] = step->value == p->lower[j]   ? IRL_LP_LOWER
                     : step->value == p->upper[j] ? IRL_LP_UPPER
                                                  : IRL_LP_ZERO;
  }
}

#ifndef NDEBUG
/* Has every step been undone: costs and entries as they were, one basic variable per row? */
static bool is_restored(const irl_lp_presolve *p) {
  const irl_lp *lp = p->lp;
  uint32_t n_basic = 0;
  if (p->changes.n || memcmp(p->cost, lp->cost, p->n_columns * sizeof *p->cost)) return false;
  for (size_t e = 0; e < lp->n_entries; e++)
    if (p->entries.items[lp->n_entries - 1 - e].value != lp->entries[e].value) return false;
  for (uint32_t i = 0; i < p->n_rows; i++) n_basic += lp->rows.at[i] == IRL_LP_BASIC;
  for (uint32_t j = 0; j < p->n_columns; j++) n_basic += lp->columns.at[j] == IRL_LP_BASIC;
  return n_basic == p->n_rows;
}
#endif

/* Optimal if all went well; anything else is no result. */
static irl_status solve_small(irl_lp_presolve *p, const irl_lp_options *options,
                              irl_lp_result *result) {
  irl_lp *small = NULL, *lp = p->lp;
  irl_lp_residuals residuals;
  irl_status status = irl_lp_create(lp->env, &small);
  if (!status) status = build_small(p, small);
  if (!status) status = irl_lp_solve(small, options, result);
  if (status || result->end != IRL_LP_OPTIMAL) goto done;
  restore(p, small);
  assert(is_restored(p));
  /* Everything that follows from x and the row duals. */
  irl_lp_multiply(lp, lp->columns.value, lp->rows.value);
  result->objective = lp->constant;
  for (uint32_t j = 0; j < p->n_columns; j++) {
    lp->columns.dual[j] = irl_lp_presolve_reduced_cost(p, j);
    lp->columns.weight[j] = 0;
    result->objective += lp->cost[j] * lp->columns.value[j];
  }
  memset(lp->rows.weight, 0, lp->rows.count * sizeof(double));
  lp->is_reshaped = true; /* the next solve starts from this basis */
  status = irl_lp_kkt(lp, &residuals);
  if (!status && !irl_lp_residuals_are_small(&residuals)) result->end = IRL_LP_TROUBLE;
done:
  irl_lp_free(small);
  return status;
}

irl_status irl_lp_solve_presolved(irl_lp *lp, const irl_lp_options *options,
                                  irl_lp_result *result) {
  irl_lp_presolve p = {.lp = lp};
  irl_lp_options rest = *options;
  *result = (irl_lp_result){.end = IRL_LP_TROUBLE};
  if (lp->n_blocks) return irl_lp_solve(lp, options, result);
  irl_status status = init_presolve(&p);
  for (int pass = 0; pass < MAX_PASSES && !status && (!pass || p.has_changed); pass++) {
    p.has_changed = false;
    for (uint32_t i = 0; i < p.n_rows && !p.failed && !p.gave_up; i++)
      if (!p.row_gone[i]) visit_row(&p, i);
    for (uint32_t j = 0; j < p.n_columns && !p.failed && !p.gave_up; j++)
      if (!p.column_gone[j]) visit_column(&p, j);
    if (p.failed || p.gave_up) break;
  }
  if (!status && p.failed) status = irl_fail_memory(lp->env);
  if (!status && !p.gave_up && p.steps.n > 0) status = solve_small(&p, options, result);
  irl_array_free(&lp->allocator, &p.steps);
  irl_array_free(&lp->allocator, &p.entries);
  irl_array_free(&lp->allocator, &p.changes);
  irl_arena_free(&p.arena);
  if (status || result->end == IRL_LP_OPTIMAL) return status;
  const irl_lp_result before = *result;
  if (before.end == IRL_LP_LIMIT) {
    rest.max_iterations = 0; /* the state of the whole model, at the limit */
    status = irl_lp_solve(lp, &rest, result);
    result->end = IRL_LP_LIMIT;
  } else {
    status = irl_lp_solve(lp, options, result);
  }
  result->iterations += before.iterations;
  result->work += before.work;
  return status;
}
