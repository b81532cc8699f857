/* Doubleton equations: a x_j + b x_k = r takes x_j = (r - b x_k) / a out of the model.
 *
 * The column of k takes up that of j times -b/a, likewise its cost; row bounds move by the constant
 * part; the bounds of j become bounds of k. There are never more entries than before. A list of
 * changes keeps the old values, so that the postsolve sees the model as it was at each step.
 *
 * Undone, with d the reduced cost of k in the smaller model: while k is basic, or stands at a bound
 * of its own, j is basic and the row's dual makes its reduced cost zero, which leaves d to k. Where
 * the bound came from j, j stands at it, k is basic, and j gets -a/b d: the sign that its bound
 * asks for (Andersen and Andersen 1995, section 4, has this and more). */
#include "base/memory.h"
#include "lp/tol.h"
#include "model/presolve_work.h"
#include <math.h>

/* Entries of a column that is worth substituting: more would spread over as many rows. */
#define MAX_LENGTH 8u

void irl_lp_presolve_append(irl_lp_presolve *p, uint32_t row, uint32_t column, double value) {
  const irl_lp_presolve_entry entry = {value, row, column, p->row_first[row],
                                       p->column_first[column]};
  if (!irl_array_push(&p->lp->allocator, &p->entries, entry)) {
    p->failed = true;
    return;
  }
  p->row_first[row] = p->column_first[column] = (uint32_t)(p->entries.n - 1);
  p->row_count[row]++;
  p->column_count[column]++;
}

uint32_t irl_lp_presolve_active(const irl_lp_presolve *p, uint32_t e) {
  while (p->column_gone[p->entries.items[e].column] || p->entries.items[e].value == 0)
    e = p->entries.items[e].next_in_row;
  return e;
}

/* The two entries of the row: the first is that of the column to leave, which has the smaller
 * number of entries if both are large enough to divide by. */
static bool choose_columns(const irl_lp_presolve *p, uint32_t i, uint32_t pair[2]) {
  uint32_t e = irl_lp_presolve_active(p, p->row_first[i]);
  uint32_t f = irl_lp_presolve_active(p, p->entries.items[e].next_in_row);
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
static void add_to_entry(irl_lp_presolve *p, uint32_t row, uint32_t column, double change) {
  uint32_t e = p->column_first[column];
  while (e != IRL_LP_NO_ENTRY && p->entries.items[e].row != row)
    e = p->entries.items[e].next_in_column;
  if (e == IRL_LP_NO_ENTRY) {
    e = (uint32_t)p->entries.n;
    irl_lp_presolve_append(p, row, column, 0);
    p->row_count[row]--;
    p->column_count[column]--;
  }
  if (p->failed) return;
  const double old = p->entries.items[e].value, sum = old + change;
  const bool cancels = fabs(sum) <= IRL_LP_TOL_SUBSTITUTE_NOISE * fabs(change);
  const irl_lp_presolve_change before = {old, e};
  if (!irl_array_push(&p->lp->allocator, &p->changes, before)) p->failed = true;
  p->entries.items[e].value = cancels ? 0 : sum;
  if ((old != 0) == !cancels) return;
  p->row_count[row] += cancels ? -1u : 1u;
  p->column_count[column] += cancels ? -1u : 1u;
}

bool irl_lp_presolve_substitute(irl_lp_presolve *p, uint32_t i) {
  uint32_t pair[2];
  if (p->row_count[i] != 2 || p->row_lower[i] != p->row_upper[i] || !choose_columns(p, i, pair))
    return false;
  const uint32_t j = p->entries.items[pair[0]].column, k = p->entries.items[pair[1]].column;
  const double a = p->entries.items[pair[0]].value, b = p->entries.items[pair[1]].value;
  const double r = p->row_lower[i];
  assert(j != k && a != 0 && b != 0);
  irl_lp_presolve_record(p, (irl_lp_presolve_step){.kind = IRL_LP_STEP_DOUBLETON_ROW,
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
  irl_lp_presolve_remove_row(p, i);
  p->column_gone[j] = true;
  for (uint32_t e = p->column_first[j]; e != IRL_LP_NO_ENTRY && !p->failed;
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

/* Does k stand at a bound that it got from j? Then *at_lower says at which one of its two. */
static bool is_held(const irl_lp_presolve *p, const irl_lp_presolve_step *step, bool *at_lower) {
  const irl_lp_side *columns = &p->lp->columns;
  const double a = step->entry, b = step->other_entry, x = columns->value[step->other];
  const double one = (step->value - a * p->lower[step->column]) / b;
  const double two = (step->value - a * p->upper[step->column]) / b;
  const double lower = fmax(step->lower, fmin(one, two));
  const double upper = fmin(step->upper, fmax(one, two));
  const double d = irl_lp_presolve_reduced_cost(p, step->other);
  const uint8_t at = columns->at[step->other];
  if (at != IRL_LP_LOWER && at != IRL_LP_UPPER) return false;
  /* A fixed column stands at the bound that its reduced cost asks for. */
  *at_lower = lower == upper && d != 0 ? d > 0 : at == IRL_LP_LOWER;
  return *at_lower ? x > step->lower : x < step->upper;
}

void irl_lp_presolve_undo_doubleton(irl_lp_presolve *p, const irl_lp_presolve_step *step) {
  irl_lp_side *columns = &p->lp->columns, *rows = &p->lp->rows;
  const uint32_t j = step->column, k = step->other;
  const double a = step->entry, b = step->other_entry, x = columns->value[k];
  bool at_lower = false;
  const bool moves = is_held(p, step, &at_lower);
  assert(step->first_change <= p->changes.n);
  while (p->changes.n > step->first_change) {
    const irl_lp_presolve_change *change = &p->changes.items[--p->changes.n];
    p->entries.items[change->entry].value = change->old;
  }
  p->cost[k] = step->other_cost;
  rows->at[step->row] = IRL_LP_LOWER;
  if (moves) {
    const bool is_upper = at_lower == (a * b > 0);
    rows->dual[step->row] = irl_lp_presolve_reduced_cost(p, k) / b;
    columns->at[k] = IRL_LP_BASIC;
    columns->at[j] = is_upper ? IRL_LP_UPPER : IRL_LP_LOWER;
    columns->value[j] = is_upper ? p->upper[j] : p->lower[j];
  } else {
    rows->dual[step->row] = irl_lp_presolve_reduced_cost(p, j) / a;
    columns->at[j] = IRL_LP_BASIC;
    columns->value[j] = (step->value - b * x) / a;
    if (columns->at[k] == IRL_LP_LOWER || columns->at[k] == IRL_LP_UPPER)
      columns->at[k] = x == step->upper && x != step->lower ? IRL_LP_UPPER : IRL_LP_LOWER;
  }
}
