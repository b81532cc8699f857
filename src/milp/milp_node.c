#include "milp/milp_node.h"
#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <string.h>

bool irl_milp_node_check(const irl_milp_node *node, uint32_t n_columns) {
  if (isnan(node->at.bound) || node->at.distance < 0) return false;
  for (uint32_t d = 0; d < node->depth; d++) {
    const irl_milp_branching *b = &node->branchings[d];
    if (b->column >= n_columns || b->value != nearbyint(b->value)) return false;
  }
  return true;
}

/* Least bound first. Among equals the one nearest to the root: plunges go deep by themselves, and
 * coming back to where they ended would search below one early mistake for ever. */
static bool is_before(const irl_milp_node *a, const irl_milp_node *b) {
  if (a->at.bound != b->at.bound) return a->at.bound < b->at.bound;
  if (a->depth != b->depth) return a->depth < b->depth;
  return a->number < b->number;
}

static void sift_down(irl_milp_frontier *f, size_t i) {
  irl_milp_node *node = f->nodes[i];
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= f->n) break;
    if (child + 1 < f->n && is_before(f->nodes[child + 1], f->nodes[child])) child++;
    if (!is_before(f->nodes[child], node)) break;
    f->nodes[i] = f->nodes[child];
    i = child;
  }
  f->nodes[i] = node;
}

bool irl_milp_frontier_push(irl_milp_frontier *f, irl_milp_node *node) {
  assert(!isnan(node->at.bound) && node->bytes >= sizeof *node);
  if (!irl_mem_reserve(&f->allocator, &f->nodes, &f->capacity, f->n, sizeof *f->nodes)) {
    irl_mem_free(&f->allocator, node);
    return false;
  }
  size_t i = f->n++;
  for (; i > 0 && is_before(node, f->nodes[(i - 1) / 2]); i = (i - 1) / 2)
    f->nodes[i] = f->nodes[(i - 1) / 2];
  f->nodes[i] = node;
  f->bytes += node->bytes;
  return true;
}

irl_milp_node *irl_milp_frontier_pop(irl_milp_frontier *f) {
  if (!f->n) return NULL;
  irl_milp_node *top = f->nodes[0];
  f->nodes[0] = f->nodes[--f->n];
  if (f->n) sift_down(f, 0);
  assert(f->bytes >= top->bytes && (!f->n || !is_before(f->nodes[0], top)));
  f->bytes -= top->bytes;
  return top;
}

void irl_milp_frontier_prune(irl_milp_frontier *f, double cutoff) {
  size_t kept = 0;
  for (size_t i = 0; i < f->n; i++) {
    if (f->nodes[i]->at.bound <= cutoff) {
      f->nodes[kept++] = f->nodes[i];
      continue;
    }
    f->bytes -= f->nodes[i]->bytes;
    irl_mem_free(&f->allocator, f->nodes[i]);
  }
  f->n = kept;
  for (size_t i = kept / 2; i-- > 0;) sift_down(f, i);
}

bool irl_milp_frontier_check(const irl_milp_frontier *f, uint32_t n_columns) {
  size_t bytes = 0;
  for (size_t i = 0; i < f->n; i++) {
    if (!irl_milp_node_check(f->nodes[i], n_columns)) return false;
    if (i > 0 && is_before(f->nodes[i], f->nodes[(i - 1) / 2])) return false;
    bytes += f->nodes[i]->bytes;
  }
  return f->n <= f->capacity && bytes == f->bytes;
}

void irl_milp_frontier_free(irl_milp_frontier *f) {
  for (size_t i = 0; i < f->n; i++) irl_mem_free(&f->allocator, f->nodes[i]);
  irl_mem_free(&f->allocator, f->nodes);
  *f = (irl_milp_frontier){.allocator = f->allocator};
}
