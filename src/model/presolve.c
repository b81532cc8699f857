/* A light presolve with exact postsolve.
 *
 * Passes until nothing changes: rows that are empty or can never be violated go; a row with one
 * column becomes bounds of it; columns that are fixed, empty, or that cost and rows alike push to
 * one of their bounds (dual fixing) are put there and leave; an equation of two columns takes one
 * of them out of the model (see below). Each step is a record on a stack. The smaller model is
 * solved, and the records are undone in reverse: a column gets its value back, a row gets dual 0
 * and its activity becomes basic, except that a singleton row whose bound holds its column takes
 * over the reduced cost of that column, which becomes basic in its place. So the solution is a
 * basic one of the whole model. Reduced costs are computed from the duals at the end, and the
 * result goes through the same check as any other.
 *
 * Only optimal solutions come this way: whatever else happens, the whole model is solved as it is,
 * which gives proofs in its own terms.
 *
 * Doubleton equations: a x_j + b x_k = r takes x_j = (r - b x_k) / a out of the model. The column
 * of k takes up that of j times -b/a, likewise its cost; row bounds move by the constant part; the
 * bounds of j become bounds of k. There are never more entries than before. A list of changes keeps
 * the old values, so that the postsolve sees the model as it was at each step.
 *
 * Undone, with d the reduced cost of k in the smaller model: while k is basic, or stands at a bound
 * of its own, j is basic and the row's dual makes its reduced cost zero, which leaves d to k. Where
 * the bound came from j, j stands at it, k is basic, and j gets -a/b d: the sign that its bound
 * asks for (Andersen and Andersen 1995, section 4, has this and more). */
#include "base/array.h"
#include "lp/lp_model.h"
#include "lp/tol.h"
#include "model/lp_names.h"
#include <math.h>

#define MAX_PASSES 20
/* Entries of a column that is worth substituting: more would spread over as many rows. */
#define MAX_LENGTH 8u
#define NO_ENTRY   UINT32_MAX

typedef enum step_kind { REMOVE_ROW, SINGLETON_ROW, REMOVE_COLUMN, DOUBLETON_ROW } step_kind;

typedef struct reduction {
  step_kind kind;
  uint32_t row, column;
  double entry;        /* of `column` in a singleton or doubleton row */
  double lower, upper; /* of `column` before its row was made a bound; of `other` in a doubleton */
  double value;        /* of a removed column; right-hand side of a doubleton */
  uint32_t other;      /* the column of a doubleton that stays */
  double other_entry, other_cost;
  size_t first_change; /* where the changes of a doubleton begin */
} reduction;

typedef struct matrix_entry {
  double value;
  uint32_t row, column, next_in_row, next_in_column;
} matrix_entry;

typedef struct old_value {
  double old;
  uint32_t entry;
} old_value;

/* The model while presolve takes it apart: entries in linked lists by row and by column, which may
 * change their values and be added to; an entry of value 0 counts as none. */
typedef struct presolve {
  irl_lp *lp;
  irl_pace pace;   /* by entries */
  irl_arena arena; /* all arrays whose size stays */
  uint32_t n_rows, n_columns;
  struct {
    IRL_ARRAY(matrix_entry)
  } entries;
  uint32_t *row_first, *column_first;
  struct {
    IRL_ARRAY(old_value)
  } changes; /* of values of entries, so that they come back exactly */
  bool *row_gone, *column_gone;
  uint32_t *row_count, *column_count;
  double *cost, *row_lower, *row_upper, *lower, *upper;
  struct {
    IRL_ARRAY(reduction)
  } steps;
  uint32_t *new_row, *new_column; /* numbers in the smaller model */
  bool failed;                    /* out of memory */
  bool gave_up;                   /* bounds cross: not for us to judge */
  bool has_changed;
} presolve;

static void append_entry(presolve *p, uint32_t row, uint32_t column, double value) {
  const matrix_entry entry = {value, row, column, p->row_first[row], p->column_first[column]};
  if (!irl_array_push(&p->lp->allocator, &p->entries, entry)) {
    p->failed = true;
    return;
  }
  p->row_first[row] = p->column_first[column] = (uint32_t)(p->entries.n - 1);
  p->row_count[row]++;
  p->column_count[column]++;
}

/* The first entry of a row, from `e` on, that is not zero and whose column is there. */
static uint32_t active_entry(const presolve *p, uint32_t e) {
  while (p->column_gone[p->entries.items[e].column] || p->entries.items[e].value == 0)
    e = p->entries.items[e].next_in_row;
  return e;
}

static void record(presolve *p, reduction step) {
  if (!irl_array_push(&p->lp->allocator, &p->steps, step)) p->failed = true;
  p->has_changed = true;
}

static void remove_row(presolve *p, uint32_t i) {
  assert(!p->row_gone[i]);
  p->row_gone[i] = true;
  for (uint32_t e = p->row_first[i]; e != NO_ENTRY; e = p->entries.items[e].next_in_row)
    if (p->entries.items[e].value != 0) p->column_count[p->entries.items[e].column]--;
}

static void remove_column(presolve *p, uint32_t j, double value) {
  assert(!p->column_gone[j] && isfinite(value));
  p->column_gone[j] = true;
  for (uint32_t e = p->column_first[j]; e != NO_ENTRY; e = p->entries.items[e].next_in_column) {
    const uint32_t i = p->entries.items[e].row;
    if (p->entries.items[e].value == 0) continue;
    assert(p->row_gone[i] || p->row_count[i] > 0);
    p->row_count[i]--;
    p->row_lower[i] -= p->entries.items[e].value * value;
    p->row_upper[i] -= p->entries.items[e].value * value;
  }
  record(p, (reduction){.kind = REMOVE_COLUMN, .column = j, .value = value});
}

/* ---- doubleton equations ---- */

/* The two entries of the row: the first is that of the column to leave, which has the smaller
 * number of entries if both are large enough to divide by. */
static bool choose_columns(const presolve *p, uint32_t i, uint32_t pair[2]) {
  uint32_t e = active_entry(p, p->row_first[i]);
  uint32_t f = active_entry(p, p->entries.items[e].next_in_row);
  const double a = fabs(p->entries.items[e].value), b = fabs(p->entries.items[f].value);
  const bool is_first =
      p->column_count[p->entries.items[e].column] <= p->column_count[p->entries.items[f].column];
  const bool takes_first = b * IRL_LP_TOL_SUBSTITUTE > a   ? false
                           : a * IRL_LP_TOL_SUBSTITUTE > b ? true
                                                           : is_first;
  pair[0] = takes_first ? e : f;
  pair[1] = takes_first ? f : e;
  return p->column_count[p->entries.items[pair[0]].column] <= MAX_LENGTH;
}

/* Adds to the entry at (row, column), which may not be there yet. */
static void add_to_entry(presolve *p, uint32_t row, uint32_t column, double change) {
  uint32_t e = p->column_first[column], other = p->row_first[row];
  /* Along both lists, since either may be long. */
  while (e != NO_ENTRY && other != NO_ENTRY && p->entries.items[e].row != row) {
    if (p->entries.items[other].column == column) {
      e = other;
      break;
    }
    e = p->entries.items[e].next_in_column;
    other = p->entries.items[other].next_in_row;
    p->pace.at++;
  }
  if (e == NO_ENTRY || other == NO_ENTRY) {
    e = (uint32_t)p->entries.n;
    append_entry(p, row, column, 0);
    p->row_count[row]--;
    p->column_count[column]--;
  }
  if (p->failed) return;
  const double old = p->entries.items[e].value, sum = old + change;
  const bool cancels = fabs(sum) <= IRL_LP_TOL_SUBSTITUTE_NOISE * fabs(change);
  const old_value before = {old, e};
  if (!irl_array_push(&p->lp->allocator, &p->changes, before)) p->failed = true;
  p->entries.items[e].value = cancels ? 0 : sum;
  if ((old != 0) == !cancels) return;
  p->row_count[row] += cancels ? -1u : 1u;
  p->column_count[column] += cancels ? -1u : 1u;
}

/* If the row is an equation of two columns, one of which it can well be solved for, takes that one
 * and the row out. */
static bool substitute(presolve *p, uint32_t i) {
  uint32_t pair[2];
  if (p->row_count[i] != 2 || p->row_lower[i] != p->row_upper[i] || !choose_columns(p, i, pair))
    return false;
  const uint32_t j = p->entries.items[pair[0]].column, k = p->entries.items[pair[1]].column;
  const double a = p->entries.items[pair[0]].value, b = p->entries.items[pair[1]].value;
  const double r = p->row_lower[i];
  assert(j != k && a != 0 && b != 0);
  record(p, (reduction){.kind = DOUBLETON_ROW,
                        .row = i,
                        .column = j,
                        .entry = a,
                        .lower = p->lower[k],
                        .upper = p->upper[k],
                        .value = r,
                        .other = k,
                        .other_entry = b,
                        .other_cost = p->cost[k],
                        .first_change = p->changes.n});
  /* Bounds of j, seen as bounds of k. */
  const double at_lower = (r - a * p->lower[j]) / b, at_upper = (r - a * p->upper[j]) / b;
  p->lower[k] = fmax(p->lower[k], fmin(at_lower, at_upper));
  p->upper[k] = fmin(p->upper[k], fmax(at_lower, at_upper));
  p->gave_up |= p->lower[k] > p->upper[k];
  p->cost[k] -= p->cost[j] / a * b;
  remove_row(p, i);
  p->column_gone[j] = true;
  for (uint32_t e = p->column_first[j]; e != NO_ENTRY && !p->failed;
       e = p->entries.items[e].next_in_column) {
    const double value = p->entries.items[e].value;
    const uint32_t row = p->entries.items[e].row;
    if (p->row_gone[row] || value == 0) continue;
    p->row_count[row]--;
    p->row_lower[row] -= value * (r / a);
    p->row_upper[row] -= value * (r / a);
    add_to_entry(p, row, k, -value / a * b);
  }
  return true;
}

/* ---- passes over rows and columns ---- */

static void visit_row(presolve *p, uint32_t i) {
  if (p->row_count[i] == 1) {
    const matrix_entry *e = &p->entries.items[active_entry(p, p->row_first[i])];
    const uint32_t j = e->column;
    const double a = e->value;
    assert(a != 0 && !p->column_gone[j]);
    const double low = a > 0 ? p->row_lower[i] / a : p->row_upper[i] / a;
    const double high = a > 0 ? p->row_upper[i] / a : p->row_lower[i] / a;
    record(p, (reduction){.kind = SINGLETON_ROW,
                          .row = i,
                          .column = j,
                          .entry = a,
                          .lower = p->lower[j],
                          .upper = p->upper[j]});
    p->lower[j] = fmax(p->lower[j], low);
    p->upper[j] = fmin(p->upper[j], high);
    p->gave_up |= p->lower[j] > p->upper[j];
    remove_row(p, i);
    return;
  }
  if (substitute(p, i)) return;
  /* Whatever its columns do, the activity of the row lies between these. */
  double least = 0, most = 0;
  for (uint32_t e = p->row_first[i]; e != NO_ENTRY; e = p->entries.items[e].next_in_row) {
    const uint32_t j = p->entries.items[e].column;
    const double value = p->entries.items[e].value;
    if (p->column_gone[j] || value == 0) continue;
    least += value * (value > 0 ? p->lower[j] : p->upper[j]);
    most += value * (value > 0 ? p->upper[j] : p->lower[j]);
  }
  if (least >= p->row_lower[i] && most <= p->row_upper[i]) {
    record(p, (reduction){.kind = REMOVE_ROW, .row = i});
    remove_row(p, i);
  } else if (p->row_count[i] == 0) {
    p->gave_up = true;
  }
}

/* Does no row mind if the column goes down (`sign` 1) or up (-1)? */
static bool is_unhindered(const presolve *p, uint32_t j, double sign) {
  for (uint32_t e = p->column_first[j]; e != NO_ENTRY; e = p->entries.items[e].next_in_column) {
    const uint32_t i = p->entries.items[e].row;
    if (p->row_gone[i] || p->entries.items[e].value == 0) continue;
    if (sign * p->entries.items[e].value > 0 ? p->row_lower[i] > -INFINITY
                                             : p->row_upper[i] < INFINITY)
      return false;
  }
  return true;
}

static void visit_column(presolve *p, uint32_t j) {
  const double cost = p->cost[j], lower = p->lower[j], upper = p->upper[j];
  if (lower == upper || (cost >= 0 && isfinite(lower) && is_unhindered(p, j, 1)))
    remove_column(p, j, lower);
  else if (cost <= 0 && isfinite(upper) && is_unhindered(p, j, -1))
    remove_column(p, j, upper);
  else if (cost == 0 && !p->column_count[j])
    remove_column(p, j, 0); /* free and nowhere needed */
}

static irl_status init_presolve(presolve *p) {
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
    append_entry(p, lp->entries[e].row, lp->entries[e].column, lp->entries[e].value);
  return p->failed ? irl_fail_memory(lp->env) : IRL_STATUS_OK;
}

static irl_status build_small(presolve *p, irl_lp *small) {
  uint32_t *rows = irl_arena_alloc(&p->arena, p->n_rows, sizeof *rows);
  double *values = irl_arena_alloc(&p->arena, p->n_rows, sizeof *values);
  irl_status status = rows && values ? IRL_STATUS_OK : irl_fail_memory(p->lp->env);
  for (uint32_t i = 0; i < p->n_rows && !status; i++) {
    p->new_row[i] = irl_lp_n_rows(small);
    if (!p->row_gone[i]) status = irl_lp_add_row(small, p->row_lower[i], p->row_upper[i], NULL);
  }
  for (uint32_t j = 0; j < p->n_columns && !status; j++) {
    irl_lp_terms terms = {0, rows, values};
    if (p->column_gone[j]) continue;
    for (uint32_t e = p->column_first[j]; e != NO_ENTRY; e = p->entries.items[e].next_in_column) {
      if (p->row_gone[p->entries.items[e].row] || p->entries.items[e].value == 0) continue;
      rows[terms.n] = p->new_row[p->entries.items[e].row];
      values[terms.n++] = p->entries.items[e].value;
    }
    p->new_column[j] = irl_lp_n_columns(small);
    status = irl_lp_add_column(small, p->cost[j], p->lower[j], p->upper[j], &terms);
  }
  return status;
}

/* In the model as it was at the step that is undone: rows that come back later have dual 0. */
static double reduced_cost(presolve *p, uint32_t j) {
  double d = p->cost[j];
  for (uint32_t e = p->column_first[j]; e != NO_ENTRY; e = p->entries.items[e].next_in_column) {
    d -= p->entries.items[e].value * p->lp->rows.dual[p->entries.items[e].row];
    p->pace.at++;
  }
  return d;
}

/* Does k stand at a bound that it got from j? Then *at_lower says at which one of its two. */
static bool is_held(presolve *p, const reduction *step, bool *at_lower) {
  const irl_lp_side *columns = &p->lp->columns;
  const double a = step->entry, b = step->other_entry, x = columns->value[step->other];
  const double one = (step->value - a * p->lower[step->column]) / b;
  const double two = (step->value - a * p->upper[step->column]) / b;
  const double lower = fmax(step->lower, fmin(one, two));
  const double upper = fmin(step->upper, fmax(one, two));
  const uint8_t at = columns->at[step->other];
  if (at != IRL_LP_LOWER && at != IRL_LP_UPPER) return false;
  /* A fixed column stands at the bound that its reduced cost asks for. */
  const double d = lower == upper ? reduced_cost(p, step->other) : 0;
  *at_lower = d != 0 ? d > 0 : at == IRL_LP_LOWER;
  return *at_lower ? x > step->lower : x < step->upper;
}

static void undo_doubleton(presolve *p, const reduction *step) {
  irl_lp_side *columns = &p->lp->columns, *rows = &p->lp->rows;
  const uint32_t j = step->column, k = step->other;
  const double a = step->entry, b = step->other_entry, x = columns->value[k];
  bool at_lower = false;
  const bool moves = is_held(p, step, &at_lower);
  assert(step->first_change <= p->changes.n);
  while (p->changes.n > step->first_change) {
    const old_value *change = &p->changes.items[--p->changes.n];
    p->entries.items[change->entry].value = change->old;
  }
  p->cost[k] = step->other_cost;
  rows->at[step->row] = IRL_LP_LOWER;
  if (moves) {
    const bool is_upper = at_lower == (a * b > 0);
    rows->dual[step->row] = reduced_cost(p, k) / b;
    columns->at[k] = IRL_LP_BASIC;
    columns->at[j] = is_upper ? IRL_LP_UPPER : IRL_LP_LOWER;
    columns->value[j] = is_upper ? p->upper[j] : p->lower[j];
  } else {
    rows->dual[step->row] = reduced_cost(p, j) / a;
    columns->at[j] = IRL_LP_BASIC;
    columns->value[j] = (step->value - b * x) / a;
    if (columns->at[k] == IRL_LP_LOWER || columns->at[k] == IRL_LP_UPPER)
      columns->at[k] = x == step->upper && x != step->lower ? IRL_LP_UPPER : IRL_LP_LOWER;
  }
}

/* If the row's bound holds the column, the row takes over its reduced cost and its place. */
static void undo_singleton(presolve *p, const reduction *step) {
  irl_lp_side *rows = &p->lp->rows, *columns = &p->lp->columns;
  const uint32_t i = step->row, j = step->column;
  if (columns->at[j] == IRL_LP_BASIC) return;
  const double d = reduced_cost(p, j), x = columns->value[j];
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

/* What is left in the smaller model comes back as it is; then the steps are undone, all of them
 * unless a limit cuts it. */
static void restore(presolve *p, const irl_lp *small) {
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
  for (size_t k = p->steps.n; k-- > 0 && !irl_pace_is_cut(&p->pace, 1);) {
    const reduction *step = &p->steps.items[k];
    const uint32_t j = step->column;
    if (step->kind == SINGLETON_ROW) undo_singleton(p, step);
    if (step->kind == DOUBLETON_ROW) undo_doubleton(p, step);
    if (step->kind != REMOVE_COLUMN) continue;
    columns->value[j] = step->value;
    columns->at[j] = step->value == p->lower[j]   ? IRL_LP_LOWER
                     : step->value == p->upper[j] ? IRL_LP_UPPER
                                                  : IRL_LP_ZERO;
  }
}

#ifndef NDEBUG
/* Has every step been undone: costs and entries as they were, one basic variable per row? */
static bool is_restored(const presolve *p) {
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
static irl_status solve_small(presolve *p, const irl_lp_options *options, irl_lp_result *result) {
  irl_lp *small = NULL, *lp = p->lp;
  irl_lp_residuals residuals;
  irl_status status = irl_lp_create(lp->env, &small);
  if (!status) status = build_small(p, small);
  if (!status) status = irl_lp_solve(small, options, result);
  if (status || result->end != IRL_LP_OPTIMAL) goto done;
  restore(p, small);
  if (p->pace.is_cut) {
    result->end = IRL_LP_LIMIT;
    irl_lp_forget_basis(lp); /* it is half of one */
    goto done;
  }
  assert(is_restored(p));
  /* Everything that follows from x and the row duals. */
  irl_lp_multiply(lp, lp->columns.value, lp->rows.value);
  result->objective = lp->constant;
  for (uint32_t j = 0; j < p->n_columns; j++) {
    lp->columns.dual[j] = reduced_cost(p, j);
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

static bool must_end(presolve *p, size_t n) {
  return irl_pace_is_cut(&p->pace, n + 1) || p->failed || p->gave_up;
}

irl_status irl_lp_solve_presolved(irl_lp *lp, const irl_lp_options *options,
                                  irl_lp_result *result) {
  presolve p = {.lp = lp, .pace.limit = &options->limit};
  irl_lp_options rest = *options;
  *result = (irl_lp_result){.end = IRL_LP_TROUBLE};
  irl_status status = init_presolve(&p);
  for (int pass = 0; pass < MAX_PASSES && !status && (!pass || p.has_changed); pass++) {
    p.has_changed = false;
    for (uint32_t i = 0; i < p.n_rows && !must_end(&p, p.row_count[i]); i++)
      if (!p.row_gone[i]) visit_row(&p, i);
    for (uint32_t j = 0; j < p.n_columns && !must_end(&p, p.column_count[j]); j++)
      if (!p.column_gone[j]) visit_column(&p, j);
    if (must_end(&p, 1)) break;
  }
  if (!status && p.failed) status = irl_fail_memory(lp->env);
  if (p.pace.is_cut) result->end = IRL_LP_LIMIT;
  if (!status && !must_end(&p, 0) && p.steps.n > 0) status = solve_small(&p, options, result);
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
