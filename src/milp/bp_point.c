/* From a rule to the point of a model, and back; which of the points of a rule a model has.
 *
 * Clauses are interchangeable: K! permutations of a rule are one rule. Of them only those are kept
 * in which representative k, a case, is covered by one of the first k clauses, if it is covered at
 * all.
 *
 * Every rule has such an order: fill the places one after the other, and put on place k a clause
 * that covers representative k unless one before it does; if none does, any. Unused clauses come
 * last. So the OR row of representative k just leaves out the clauses after k. It costs no row,
 * makes the LP tighter (the y of the first one is at most its own first t), and a representative
 * that must be covered leaves clause k only the literals that it has. Rows that put clauses in
 * order of a key instead are as long as the data and made solutions hard to find: the trees were
 * larger with them.
 *
 * Good representatives have few features, and few in common, so that no clause covers two of them.
 */
#include "milp/bp.h"

irl_status irl_bp_break_symmetry(irl_bp *bp) {
  const irl_bp_class *class = &bp->cases;
  const uint32_t K = bp->problem.K, N = class->n;
  uint32_t *representatives = irl_arena_alloc(&bp->arena, K, sizeof *representatives);
  uint32_t *counts = irl_arena_alloc(&bp->arena, N, sizeof *counts);
  if (!representatives || !counts) return irl_fail_memory(bp->env);
  bp->representatives = representatives;
  for (uint32_t k = 0; k < K && k < N; k++) {
    uint32_t best = UINT32_MAX;
    /* By their own features first, then by those shared with the representatives so far. */
    if (k == 1) memset(counts, 0, N * sizeof *counts);
    for (size_t j = 0; j < class->bits.n_vectors; j++) {
      const uint64_t *bits = irl_bits_vector(&class->bits, j);
      if (k && !irl_bits_get(bits, representatives[k - 1])) continue;
      for (uint32_t g = 0; g < N; g++) counts[g] += irl_bits_get(bits, g);
    }
    for (uint32_t g = 0; g < N; g++) {
      bool is_taken = false;
      for (uint32_t i = 0; i < k && !is_taken; i++) is_taken = representatives[i] == g;
      if (!is_taken && (best == UINT32_MAX || counts[g] < counts[best])) best = g;
    }
    assert(best < N);
    representatives[k] = best;
    bp->n_representatives = k + 1;
  }
  return IRL_STATUS_OK;
}

uint32_t irl_bp_first_clauses(const irl_bp *bp, uint32_t g) {
  for (uint32_t k = 0; k < bp->n_representatives; k++)
    if (bp->representatives[k] == g) return k + 1;
  return bp->problem.K;
}

bool irl_bp_covers(const irl_bp_class *class, uint32_t g, uint32_t n, const irl_literal *literals) {
  assert(g < class->n);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t *bits = irl_bits_vector(&class->bits, irl_literal_feature(literals[i]));
    if (irl_bits_get(bits, g) == irl_literal_is_negated(literals[i])) return false;
  }
  return true;
}

/* The t of the clause on this place, and y, of the groups that it covers. */
static void put_class(const irl_bp_class *class, uint32_t place, uint32_t size,
                      const irl_literal *literals, double *x) {
  for (uint32_t g = 0; g < class->n; g++) {
    if (!irl_bp_covers(class, g, size, literals)) continue;
    if (class->first_t != IRL_BP_NONE) x[class->first_t + (size_t)place * class->n + g] = 1;
    if (class->first_y != IRL_BP_NONE) x[class->first_y + g] = 1;
  }
}

irl_status irl_bp_point(const irl_bp *bp, uint32_t n, const uint32_t *sizes,
                        const irl_literal *literals, double *x) {
  const irl_allocator *a = &bp->env->allocator;
  const uint32_t M = bp->problem.M;
  uint32_t *order = irl_mem_alloc(a, n, sizeof *order); /* order[place] = clause */
  if (!order) return irl_fail_memory(bp->env);
  memset(x, 0, irl_lp_n_columns(bp->named.lp) * sizeof *x);
  /* An order that the model allows. */
  for (uint32_t k = 0; k < n; k++) order[k] = k;
  for (uint32_t place = 0; place < n && place < bp->n_representatives; place++) {
    uint32_t i = 0;
    while (i < n && !irl_bp_covers(&bp->cases, bp->representatives[place], sizes[order[i]],
                                   literals + (size_t)order[i] * M))
      i++;
    if (i == n || i <= place) continue;
    const uint32_t clause = order[i];
    order[i] = order[place];
    order[place] = clause;
  }
  for (uint32_t place = 0; place < n && place < bp->problem.K; place++) {
    const uint32_t k = order[place];
    assert(k < n && sizes[k] <= M);
    const irl_literal *own = literals + (size_t)k * M;
    for (uint32_t i = 0; i < sizes[k]; i++) {
      const uint32_t feature = irl_literal_feature(own[i]);
      const uint32_t l =
          irl_literal_is_negated(own[i]) ? feature + bp->problem.data->n_features : feature;
      assert(l < bp->n_literals);
      x[bp->first_s + place * bp->n_literals + l] = 1;
    }
    if (bp->first_u != IRL_BP_NONE) x[bp->first_u + place] = 1;
    put_class(&bp->cases, place, sizes[k], own, x);
    put_class(&bp->controls, place, sizes[k], own, x);
  }
  irl_mem_free(a, order);
  return IRL_STATUS_OK;
}

uint32_t irl_bp_clauses(const irl_bp *bp, const double *x, uint32_t *sizes, irl_literal *literals) {
  const irl_problem *p = &bp->problem;
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->K; k++) {
    if (bp->first_u != IRL_BP_NONE && x[bp->first_u + k] < 0.5) continue;
    sizes[n] = 0;
    for (uint32_t l = 0; l < bp->n_literals; l++)
      if (x[bp->first_s + k * bp->n_literals + l] > 0.5)
        literals[(size_t)n * p->M + sizes[n]++] = irl_bp_literal(bp, l);
    assert(sizes[n] <= p->M);
    n++;
  }
  return n;
}
