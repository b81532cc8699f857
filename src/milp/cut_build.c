/* Building cuts that rounding cannot make false.
 *
 * Each coefficient is a sum of terms that is off by at most (terms + 2) units of rounding of the
 * sum of their absolute values. A cut  sum c_j x_j >= d  with true coefficients within e_j of c_j
 * stays true if c_j is raised by e_j and d lowered by what that can add at most: 2 e_j * -l_j for
 * a lower bound below 0. Where there is no lower bound the upper one does the same from the other
 * side; where there is none at all, only an exact coefficient will do. Coefficients too small to be
 * of use are replaced by what they contribute at most. */
#include "base/memory.h"
#include "milp/cut.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Share of the columns that a cut may have, and a number that is always allowed. */
#define MAX_SHARE 0.5
#define MAX_FEW   200u

void irl_milp_cuts_free(irl_milp_cuts *cuts) {
  while (cuts->n > 0) irl_milp_cuts_drop(cuts, cuts->n - 1);
  irl_mem_free(&cuts->allocator, cuts->cuts);
  *cuts = (irl_milp_cuts){.allocator = cuts->allocator};
}

bool irl_milp_cuts_add(irl_milp_cuts *cuts, const irl_milp_cut *cut) {
  if (!irl_mem_reserve(&cuts->allocator, &cuts->cuts, &cuts->capacity, cuts->n, sizeof *cuts->cuts))
    return false;
  irl_milp_cut copy = *cut;
  copy.values = irl_mem_alloc(&cuts->allocator, cut->n, sizeof *copy.values + sizeof *copy.columns);
  if (!copy.values) return false;
  copy.columns = (uint32_t *)(copy.values + cut->n);
  memcpy(copy.columns, cut->columns, cut->n * sizeof *copy.columns);
  memcpy(copy.values, cut->values, cut->n * sizeof *copy.values);
  cuts->cuts[cuts->n++] = copy;
  return true;
}

void irl_milp_cuts_drop(irl_milp_cuts *cuts, size_t i) {
  assert(i < cuts->n);
  irl_mem_free(&cuts->allocator, cuts->cuts[i].values);
  memmove(&cuts->cuts[i], &cuts->cuts[i + 1], (cuts->n - i - 1) * sizeof *cuts->cuts);
  cuts->n--;
}

bool irl_milp_cut_check(const irl_milp_cut *cut, const irl_milp_model *m, const double *x) {
  double activity = 0, size = 1 + fabs(cut->lower);
  for (uint32_t k = 0; k < cut->n; k++) {
    if (cut->columns[k] >= m->n_columns || cut->values[k] == 0 || !isfinite(cut->values[k]) ||
        (k > 0 && cut->columns[k - 1] >= cut->columns[k]))
      return false;
    if (!x) continue;
    activity += cut->values[k] * x[cut->columns[k]];
    size += fabs(cut->values[k] * x[cut->columns[k]]);
  }
  if (!isfinite(cut->lower)) return false;
  if (!x || activity >= cut->lower - IRL_MILP_TOL_INTEGER * size) return true;
  /* Fixing by reduced costs and presolve may leave an incumbent outside of the bounds, and one that
   * the caller gave may have fractions where integers are implied: it says nothing then. */
  for (uint32_t j = 0; j < m->n_columns; j++)
    if (x[j] < m->lower[j] || x[j] > m->upper[j] || (m->is_integer[j] && x[j] != nearbyint(x[j])))
      return true;
  return false;
}

bool irl_milp_builder_init(irl_milp_builder *b, irl_arena *a, const irl_milp_model *model) {
  const size_t n = model->n_columns;
  *b = (irl_milp_builder){.model = model};
  return (b->sums = irl_arena_alloc(a, n, sizeof *b->sums)) &&
         (b->list = irl_arena_alloc(a, n, sizeof *b->list)) &&
         (b->columns = irl_arena_alloc(a, n, sizeof *b->columns)) &&
         (b->values = irl_arena_alloc(a, n, sizeof *b->values));
}

void irl_milp_builder_clear(irl_milp_builder *b) {
  for (uint32_t k = 0; k < b->n_list; k++) b->sums[b->list[k]] = (irl_milp_sum){0};
  b->n_list = 0;
  b->side = (irl_milp_sum){0};
}

static void add_to(irl_milp_sum *sum, double value) {
  sum->value += value;
  sum->size += fabs(value);
  sum->n++;
}

void irl_milp_builder_add(irl_milp_builder *b, uint32_t j, double value) {
  assert(j < b->model->n_columns && isfinite(value));
  assert(b->sums[j].n || b->n_list < b->model->n_columns);
  if (!b->sums[j].n) b->list[b->n_list++] = j;
  add_to(&b->sums[j], value);
}

void irl_milp_builder_add_side(irl_milp_builder *b, double value) {
  add_to(&b->side, value);
}

double irl_milp_sum_error(const irl_milp_sum *sum) {
  return (sum->n + 2) * DBL_EPSILON * sum->size;
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void irl_milp_builder_add_literal(irl_milp_builder *b, uint32_t j, bool is_complemented,
                                  double coefficient) {
  assert(coefficient > 0);
  irl_milp_builder_add(b, j, is_complemented ? coefficient : -coefficient);
  if (is_complemented) irl_milp_builder_add_side(b, coefficient);
}

/* Is the cut of use: does x miss it by enough, and are its coefficients near enough in size? */
static bool is_useful(const double *x, irl_milp_cut *cut) {
  double activity = 0, norm = 0, least = INFINITY, largest = 0;
  for (uint32_t k = 0; k < cut->n; k++) {
    activity += cut->values[k] * x[cut->columns[k]];
    norm += cut->values[k] * cut->values[k];
    least = fmin(least, fabs(cut->values[k]));
    largest = fmax(largest, fabs(cut->values[k]));
  }
  if (!cut->n || !isfinite(norm) || !isfinite(cut->lower)) return false;
  cut->depth = (cut->lower - activity) / sqrt(norm);
  return largest <= IRL_MILP_CUT_RANGE * least && cut->depth > IRL_MILP_CUT_DEPTH;
}

bool irl_milp_builder_finish(irl_milp_builder *b, const double *x, irl_milp_cut *cut) {
  const irl_milp_model *m = b->model;
  double largest = 0;
  for (uint32_t k = 0; k < b->n_list; k++) largest = fmax(largest, fabs(b->sums[b->list[k]].value));
  *cut = (irl_milp_cut){.columns = b->columns, .values = b->values};
  qsort(b->list, b->n_list, sizeof *b->list, by_number);
  for (uint32_t k = 0; k < b->n_list; k++) {
    const uint32_t j = b->list[k];
    const double lower = m->lower[j], upper = m->upper[j], error = irl_milp_sum_error(&b->sums[j]);
    double value = b->sums[j].value;
    assert(error >= 0 && b->sums[j].n > 0);
    /* The coefficient goes past its error, if something bounds the column. */
    if (error != 0 && isfinite(lower)) {
      value += error;
      irl_milp_builder_add_side(b, 2 * error * fmin(0, lower));
    } else if (error != 0 && isfinite(upper)) {
      value -= error;
      irl_milp_builder_add_side(b, -2 * error * fmax(0, upper));
    } else if (error != 0) {
      return false;
    }
    if (fabs(value) > IRL_MILP_CUT_NOISE * largest && lower != upper) {
      b->columns[cut->n] = j;
      b->values[cut->n++] = value;
    } else if (value != 0) { /* too small to keep: what it adds at most goes to the other side */
      const double bound = value > 0 ? upper : lower;
      if (!isfinite(bound)) return false;
      irl_milp_builder_add_side(b, -value * bound);
    }
  }
  if (cut->n > MAX_FEW && cut->n > MAX_SHARE * m->n_columns) return false;
  cut->lower = b->side.value - 2 * irl_milp_sum_error(&b->side);
  assert(irl_milp_cut_check(cut, m, NULL) || !isfinite(cut->lower));
  return is_useful(x, cut);
}
