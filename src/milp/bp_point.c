/* From the point of a model to its rule; which of the points of a rule a model has.
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
