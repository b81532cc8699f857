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

/* The row as a knapsack: its items, and its capacity b, rounded up past its error. */
typedef struct knapsack {
  item items[MAX_ITEMS];
  uint32_t n;
  double capacity;
} knapsack;

/* sign * row i <= its side; false: it is no knapsack. */
static bool list_items(const irl_milp_model *m, uint32_t i, double sign, const double *x,
                       knapsack *k) {
  const double side = sign > 0 ? m->row_upper[i] : -m->row_lower[i];
  double size = fabs(side);
  k->n = 0;
  k->capacity = side + m->tolerance[i];
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    const double a = sign * m->row_value[e];
    if (irl_milp_is_binary(m, j)) {
      if (k->n == MAX_ITEMS) return false;
      k->items[k->n++] = (item){.weight = fabs(a),
                                .value = a > 0 ? x[j] : 1 - x[j],
                                .column = j,
                                .is_complemented = a < 0};
      if (a < 0) k->capacity -= a;
    } else {
      const double bound = a > 0 ? m->lower[j] : m->upper[j];
      if (!isfinite(bound)) return false;
      k->capacity -= a * bound;
      size += fabs(a * bound);
    }
    size += fabs(a);
  }
  k->capacity += (double)(m->row_start[i + 1] - m->row_start[i] + 4) * DBL_EPSILON * size;
  return k->n > 1 && isfinite(k->capacity) && k->capacity >= 0;
}

static int by_key(const void *a, const void *b) {
  const item *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->column > q->column) - (p->column < q->column);
}

/* Marks a minimal cover; false: there is none. */
static bool find_cover(knapsack *ks) {
  item *items = ks->items;
  uint32_t k = 0;
  double sum = 0;
  assert(ks->n > 1 && ks->capacity >= 0);
  for (uint32_t i = 0; i < ks->n; i++) items[i].key = (1 - items[i].value) / items[i].weight;
  qsort(items, ks->n, sizeof *items, by_key);
  for (; k < ks->n && sum <= ks->capacity; k++) {
    items[k].is_in = true;
    sum += items[k].weight;
  }
  if (sum <= ks->capacity) return false;
  while (k-- > 0) { /* the last ones cost the cut most */
    if (!items[k].is_in || sum - items[k].weight <= ks->capacity) continue;
    items[k].is_in = false;
    sum -= items[k].weight;
  }
  assert(sum > ks->capacity);
  return true;
}

bool irl_milp_cover(irl_milp_builder *out, uint32_t row, double sign, const double *x,
                    irl_milp_cut *cut) {
  knapsack ks;
  double weights[MAX_LIFT + 1], sums[MAX_LIFT + 1] = {0};
  uint32_t size = 0, h_max = 0;
  if (!list_items(out->model, row, sign, x, &ks) || !find_cover(&ks)) return false;
  const item *items = ks.items;
  const uint32_t n = ks.n;
  irl_milp_builder_clear(out);
  /* The sums of the h largest weights of the cover. */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t place = h_max;
    if (!items[i].is_in) continue;
    for (; place > 0 && weights[place - 1] < items[i].weight; place--)
      weights[place] = weights[place - 1];
    weights[place] = items[i].weight;
    if (h_max < MAX_LIFT) h_max++;
  }
  for (uint32_t h = 0; h < h_max; h++) sums[h + 1] = sums[h] + weights[h];
  assert(h_max >= 1 && h_max <= MAX_LIFT);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t h = items[i].is_in;
    size += items[i].is_in;
    while (!items[i].is_in && h < h_max && sums[h + 1] * (1 + n * DBL_EPSILON) <= items[i].weight)
      h++;
    if (h) irl_milp_builder_add_literal(out, items[i].column, items[i].is_complemented, h);
  }
  irl_milp_builder_add_side(out, -(double)size + 1);
  return irl_milp_builder_finish(out, x, cut);
}
