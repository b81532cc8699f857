/* Columns that are integer in some optimum though nobody said so.
 *
 * Take a continuous column whose cost lets it move in one direction for nothing or for gain. It may
 * go there until a row or its bound stops it. If every row that can stop it has otherwise integer
 * columns only, and all its entries and its side are multiples of the column's own entry, it stops
 * at an integer, whatever the integer columns are; the rows that it leaves behind only get looser.
 * So some optimum has it integer, and what is integer by this argument counts as such for the next
 * column: each one moves after those that it depends on, and those do not move again.
 *
 * Then rows are exact, objectives lie on a grid, and points need no LP to complete them. Only
 * columns between 0 and 1 are taken: more values would be more to branch on. In the paper's models
 * these are t and y where they are relaxed. */
#include "milp/milp_search.h"
#include <math.h>

/* Are the others in the row integer, and all of it multiples of `a`? */
static bool stops_at_integer(const irl_milp_model *m, uint32_t i, uint32_t j, double a,
                             double side) {
  assert(a != 0 && isfinite(side));
  if (m->is_partial[i] || fmod(side, a) != 0) return false;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    if (m->row_column[e] == j) continue;
    if (!m->is_integer[m->row_column[e]] || fmod(m->row_value[e], a) != 0) return false;
  }
  return true;
}

static bool may_go(const irl_milp_model *m, uint32_t j, bool is_up) {
  if (is_up ? m->cost[j] > 0 : m->cost[j] < 0) return false;
  for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
    const uint32_t i = m->column_row[e];
    const double a = m->column_value[e];
    const double side = is_up == (a > 0) ? m->row_upper[i] : m->row_lower[i];
    if (isfinite(side) && !stops_at_integer(m, i, j, a, side)) return false;
  }
  return true;
}

/* A new integer column may be what others waited for; most models are done in two passes. */
uint32_t irl_milp_imply_integers(irl_milp_model *m) {
  uint32_t n = 0, before;
  do {
    before = n;
    for (uint32_t j = 0; j < m->n_columns; j++) {
      if (m->is_integer[j] || m->lower[j] != 0 || m->upper[j] != 1) continue;
      if (irl_milp_is_hidden(m, j) || !(may_go(m, j, true) || may_go(m, j, false))) continue;
      m->is_integer[j] = true;
      n++;
    }
  } while (n > before);
  m->n_integer += n;
  assert(m->n_integer <= m->n_columns);
  if (n) irl_milp_model_reclassify(m);
  return n;
}
