#include "milp/pseudocost.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Gain that stands for none in a product. */
#define LEAST_GAIN 1e-6

bool irl_milp_pseudocost_init(irl_milp_pseudocost *p, irl_arena *arena, uint32_t n_columns) {
  *p = (irl_milp_pseudocost){.n_columns = n_columns};
  return (p->sum = irl_arena_alloc(arena, 2 * (size_t)n_columns, sizeof *p->sum)) &&
         (p->n = irl_arena_alloc(arena, 2 * (size_t)n_columns, sizeof *p->n));
}

void irl_milp_pseudocost_copy(irl_milp_pseudocost *to, const irl_milp_pseudocost *from) {
  assert(to->n_columns == from->n_columns);
  memcpy(to->sum, from->sum, 2 * (size_t)from->n_columns * sizeof *to->sum);
  memcpy(to->n, from->n, 2 * (size_t)from->n_columns * sizeof *to->n);
  to->total = from->total;
  to->n_total = from->n_total;
}

void irl_milp_pseudocost_note(irl_milp_pseudocost *p, const irl_milp_gain *gain) {
  const size_t k = 2 * (size_t)gain->column + gain->is_up;
  assert(gain->column < p->n_columns && gain->per_unit >= 0 && isfinite(gain->per_unit));
  p->sum[k] += gain->per_unit;
  p->n[k]++;
  p->total += gain->per_unit;
  p->n_total++;
}

double irl_milp_pseudocost_expect(const irl_milp_pseudocost *p, uint32_t column, bool is_up,
                                  double distance) {
  const size_t k = 2 * (size_t)column + is_up;
  assert(column < p->n_columns && distance >= 0 && p->sum[k] >= 0);
  const double average = p->n_total ? p->total / (double)p->n_total : 1;
  return distance * (p->n[k] ? p->sum[k] / p->n[k] : average);
}

uint32_t irl_milp_pseudocost_count(const irl_milp_pseudocost *p, uint32_t column) {
  assert(column < p->n_columns);
  const uint32_t down = p->n[2 * (size_t)column], up = p->n[2 * (size_t)column + 1];
  return down < up ? down : up;
}

double irl_milp_pseudocost_score(double down, double up) {
  assert(down >= 0 && up >= 0);
  return fmax(down, LEAST_GAIN) * fmax(up, LEAST_GAIN);
}
