/* Clique cuts: of literals (binary columns or their complements) any two of which exclude each
 * other at most one is 1.
 *
 * A row  sum a_l l <= b  over literals, all a_l > 0, excludes pairs with a_k + a_l > b: with the
 * entries in descending order the longest beginning whose last two exceed b is a clique. Only
 * literals that the LP's point has above 0 take part. They are the nodes of a graph, a bit per
 * pair; from each of them on, in descending order of the point, a clique grows greedily, and those
 * whose sum exceeds 1 are cuts. Such a clique may join pairs of many rows. */
#include "base/memory.h"
#include "milp/cut.h"
#include "milp/milp_tol.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MAX_NODES 1024u /* literals above 0; the largest are taken */
#define WORDS     (MAX_NODES / 64)

typedef struct node {
  double value; /* of the literal in the LP's point */
  uint32_t column;
  bool is_complemented;
} node;

typedef struct member {
  double weight;
  uint32_t node;
} member;

typedef struct graph {
  const irl_milp_model *model;
  node nodes[MAX_NODES];
  uint32_t n;
  uint32_t *number[2]; /* of a column's node, complemented or not, + 1; 0: none */
  uint64_t bits[MAX_NODES][WORDS];
  member members[MAX_NODES]; /* scratch: those of a row */
} graph;

static int by_value(const void *a, const void *b) {
  const node *p = a, *q = b;
  if (p->value != q->value) return p->value > q->value ? -1 : 1;
  if (p->column != q->column) return p->column < q->column ? -1 : 1;
  return (int)p->is_complemented - (int)q->is_complemented;
}

static int by_weight(const void *a, const void *b) {
  const member *p = a, *q = b;
  if (p->weight != q->weight) return p->weight > q->weight ? -1 : 1;
  return (p->node > q->node) - (p->node < q->node);
}

/* Joins the literals of sign * row <= side of which any two exceed the capacity b. */
static void connect_row(graph *g, uint32_t i, double sign) {
  const irl_milp_model *m = g->model;
  member *members = g->members;
  /* The literals that are nodes, and b, rounded up. */
  double capacity = (sign > 0 ? m->row_upper[i] : -m->row_lower[i]) + m->tolerance[i], size = 0;
  uint32_t n = 0, last = 1;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    const double a = sign * m->row_value[e], bound = a > 0 ? m->lower[j] : m->upper[j];
    if (!isfinite(bound)) return;
    capacity -= a * bound;
    size += fabs(a) + fabs(a * bound);
    const uint32_t number = g->number[a < 0][j];
    if (irl_milp_is_binary(m, j) && number && n < MAX_NODES)
      members[n++] = (member){fabs(a), number - 1};
  }
  if (n < 2) return;
  capacity +=
      (double)(m->row_start[i + 1] - m->row_start[i] + 4) * DBL_EPSILON * (size + fabs(capacity));
  qsort(members, n, sizeof *members, by_weight);
  while (last < n && members[last - 1].weight + members[last].weight > capacity) last++;
  for (uint32_t k = 0; k < last; k++)
    for (uint32_t l = k + 1; l < last; l++) {
      const uint32_t a = members[k].node, b = members[l].node;
      assert(a < g->n && b < g->n && a != b);
      g->bits[a][b / 64] |= (uint64_t)1 << (b % 64);
      g->bits[b][a / 64] |= (uint64_t)1 << (a % 64);
    }
}

/* The clique that grows from a node; true: the point has more than 1 on it. */
static bool grow_clique(const graph *g, uint32_t seed, irl_milp_builder *out) {
  uint64_t left[WORDS];
  double sum = g->nodes[seed].value;
  memcpy(left, g->bits[seed], sizeof left);
  irl_milp_builder_clear(out);
  irl_milp_builder_add_side(out, -1);
  irl_milp_builder_add_literal(out, g->nodes[seed].column, g->nodes[seed].is_complemented, 1);
  for (uint32_t v = 0; v < g->n; v++) {
    if (!(left[v / 64] >> (v % 64) & 1)) continue;
    assert(v != seed && g->nodes[v].value >= 0 && g->nodes[v].value <= 1);
    irl_milp_builder_add_literal(out, g->nodes[v].column, g->nodes[v].is_complemented, 1);
    sum += g->nodes[v].value;
    for (uint32_t w = 0; w < WORDS; w++) left[w] &= g->bits[v][w];
  }
  return sum > 1 + IRL_MILP_CUT_DEPTH;
}

irl_status irl_milp_cliques(irl_milp_builder *out, const double *x, irl_milp_cuts *found) {
  const irl_milp_model *m = out->model;
  const irl_allocator *a = &m->allocator;
  irl_milp_cut cut;
  graph *g = irl_mem_alloc(a, 1, sizeof *g);
  uint32_t *numbers = irl_mem_alloc(a, 2 * (size_t)m->n_columns, sizeof *numbers);
  bool is_good = g && numbers;
  if (!is_good) goto done;
  g->model = m;
  g->number[0] = numbers;
  g->number[1] = numbers + m->n_columns;
  /* The literals of the fractional columns, largest values first. */
  for (uint32_t j = 0; j < m->n_columns && g->n + 2 <= MAX_NODES; j++) {
    if (!irl_milp_is_binary(m, j)) continue;
    if (x[j] < IRL_MILP_TOL_INTEGER || x[j] > 1 - IRL_MILP_TOL_INTEGER) continue;
    g->nodes[g->n++] = (node){x[j], j, false};
    g->nodes[g->n++] = (node){1 - x[j], j, true};
  }
  qsort(g->nodes, g->n, sizeof *g->nodes, by_value);
  for (uint32_t i = 0; i < g->n; i++)
    g->number[g->nodes[i].is_complemented][g->nodes[i].column] = i + 1;
  for (uint32_t i = 0; i < m->n_rows && g->n > 2; i++) {
    if (m->row_upper[i] < INFINITY) connect_row(g, i, 1);
    if (m->row_lower[i] > -INFINITY) connect_row(g, i, -1);
  }
  for (uint32_t v = 0; v < g->n && g->n > 2 && is_good; v++)
    if (grow_clique(g, v, out) && irl_milp_builder_finish(out, x, &cut))
      is_good = irl_milp_cuts_add(found, &cut);
done:
  irl_mem_free(a, g);
  irl_mem_free(a, numbers);
  return is_good ? IRL_STATUS_OK : irl_fail_memory(m->env);
}
