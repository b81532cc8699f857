/* Cover cuts of knapsack rows (Balas 1975).
 *
 * A row  sum a_j x_j <= b  over binary columns, all a_j > 0 after complementing; other columns
 * stand at the bound that leaves most room. Columns C with  sum over C of a_j > b  cannot all be 1:
 * sum over C of x_j <= |C| - 1. With S_h the sum of the h largest entries of C, a column outside of
 * C with S_h <= a_j takes the place of h of them, and may enter with the coefficient h, all of them
 * at once. C is found greedily so that the LP's point misses the cut, and made minimal. The
 * comparisons leave room for rounding; the cut itself has small integers only. */
#include "milp/cut.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MAX_ITEMS 1000u
/* Largest coefficient worth lifting to. */
#define MAX_LIFT 20u

typedef struct item {
  double weight, value; /* a_j > 0 and the LP's x_j, complemented if need be */
  double key;
  uint32_t column;
  bool is_complemented, is_in;
} item;

/* The items of the row; `*room` gets b, rounded up past its error. False: no knapsack. */
static bool list_items(const irl_milp_model *m, uint32_t i, double sign, const double *x,
                       item *items, uint32_t *n, double *room) {
  const double side = sign > 0 ? m->row_upper[i] : -m->row_lower[i];
  double size = fabs(side);
  *n = 0;
  *room = side + m->tolerance[i];
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    const double a = sign * m->row_value[e];
    if (irl_milp_is_binary(m, j)) {
      if (*n == MAX_ITEMS) return false;
      items[(*n)++] = (item){.weight = fabs(a),
                             .value = a > 0 ? x[j] : 1 - x[j],
                             .column = j,
                             .is_complemented = a < 0};
      if (a < 0) *room -= a;
    } else {
      const double bound = a > 0 ? m->lower[j] : m->upper[j];
      if (!isfinite(bound)) return false;
      *room -= a * bound;
      size += fabs(a * bound);
    }
    size += fabs(a);
  }
  *room += (double)(m->row_start[i + 1] - m->row_start[i] + 4) * DBL_EPSILON * size;
  return *n > 1 && isfinite(*room);
}

static int by_key(const void *a, const void *b) {
  const item *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->column > q->column) - (p->column < q->column);
}

/* Marks a minimal cover; false: there is none. */
static bool find_cover(item *items, uint32_t n, double room, double *sum) {
  uint32_t k = 0;
  *sum = 0;
  assert(n > 1 && room >= 0);
  for (uint32_t i = 0; i < n; i++) items[i].key = (1 - items[i].value) / items[i].weight;
  qsort(items, n, sizeof *items, by_key);
  for (; k < n && *sum <= room; k++) {
    items[k].is_in = true;
    *sum += items[k].weight;
  }
  if (*sum <= room) return false;
  while (k-- > 0) { /* the last ones cost the cut most */
    if (!items[k].is_in || *sum - items[k].weight <= room) continue;
    items[k].is_in = false;
    *sum -= items[k].weight;
  }
  assert(*sum > room);
  return true;
}

static void put(irl_milp_builder *out, const item *it, double coefficient) {
  /* sum c x <= k as sum -c x >= -k; a complemented column is 1 - x. */
  irl_milp_builder_add(out, it->column, it->is_complemented ? coefficient : -coefficient);
  if (it->is_complemented) irl_milp_builder_add_side(out, coefficient);
}

/* The sums of the h largest weights of the cover. */
static uint32_t largest_sums(const item *items, uint32_t n, double *sums) {
  uint32_t h = 0;
  double last = INFINITY;
  uint32_t taken = 0;
  sums[0] = 0;
  while (h < MAX_LIFT) {
    double next = -1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (!items[i].is_in || items[i].weight >= last) continue;
      if (items[i].weight > next) next = items[i].weight, count = 0;
      count += items[i].weight == next;
    }
    if (next < 0) break;
    for (; count > 0 && h < MAX_LIFT; count--, taken++, h++) sums[h + 1] = sums[h] + next;
    last = next;
  }
  return taken;
}

bool irl_milp_cover(irl_milp_builder *out, uint32_t row, double sign, const double *x,
                    irl_milp_cut *cut) {
  item items[MAX_ITEMS];
  double sums[MAX_LIFT + 1], room, sum;
  uint32_t n, size = 0;
  if (!list_items(out->model, row, sign, x, items, &n, &room)) return false;
  if (room < 0 || !find_cover(items, n, room, &sum)) return false;
  irl_milp_builder_clear(out);
  const uint32_t h_max = largest_sums(items, n, sums);
  assert(h_max >= 1 && h_max <= MAX_LIFT);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t h = 0;
    if (items[i].is_in) {
      size++;
      put(out, &items[i], 1);
      continue;
    }
    while (h < h_max && sums[h + 1] * (1 + n * DBL_EPSILON) <= items[i].weight) h++;
    if (h > 0) put(out, &items[i], h);
  }
  irl_milp_builder_add_side(out, -(double)size + 1);
  return irl_milp_builder_finish(out, x, cut);
}
