#include "milp/pseudocost.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Gain that stands for none in a product. */
#define LEAST_GAIN 1e-6

bool irl_milp_pseudocost_init(irl_milp_pseudocost *p, irl_arena *arena, uint32_t n_columns) {
  *p = (irl_milp_pseudocost){.n_columns = n_columns};
  return (p->gains = irl_arena_alloc(arena, n_columns, sizeof *p->gains));
}

void irl_milp_pseudocost_copy(irl_milp_pseudocost *to, const irl_milp_pseudocost *from) {
  assert(to->n_columns == from->n_columns);
  memcpy(to->gains, from->gains, from->n_columns * sizeof *to->gains);
  to->total = from->total;
  to->n_total = from->n_total;
}

void irl_milp_pseudocost_note(irl_milp_pseudocost *p, const irl_milp_gain *gain) {
  assert(gain->column < p->n_columns && gain->per_unit >= 0 && isfinite(gain->per_unit));
  p->gains[gain->column][gain->is_up].sum += gain->per_unit;
  p->gains[gain->column][gain->is_up].n++;
  p->total += gain->per_unit;
  p->n_total++;
}

double irl_milp_pseudocost_expect(const irl_milp_pseudocost *p, uint32_t column, bool is_up,
                                  double distance) {
  assert(column < p->n_columns && distance >= 0);
  const irl_milp_gains *own = &p->gains[column][is_up];
  const double average = p->n_total ? p->total / (double)p->n_total : 1;
  return distance * (own->n ? own->sum / own->n : average);
}

uint32_t irl_milp_pseudocost_count(const irl_milp_pseudocost *p, uint32_t column) {
  assert(column < p->n_columns);
  const irl_milp_gains *own = p->gains[column];
  return own[0].n < own[1].n ? own[0].n : own[1].n;
}

double irl_milp_pseudocost_score(double down, double up) {
  assert(down >= 0 && up >= 0);
  return fmax(down, LEAST_GAIN) * fmax(up, LEAST_GAIN);
}
