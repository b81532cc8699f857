/* Clauses are interchangeable: K! permutations of a rule are one rule. Of them only those are kept
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
#include "base/memory.h"
#include "milp/bp.h"

/* counts[g] += features that group g and the representative share. */
static void count_shared(const irl_bp_class *class, uint32_t representative, uint32_t *counts) {
  for (size_t j = 0; j < class->bits.n_vectors; j++) {
    const uint64_t *bits = irl_bits_vector(&class->bits, j);
    if (representative != UINT32_MAX && !irl_bits_get(bits, representative)) continue;
    for (uint32_t g = 0; g < class->n; g++) counts[g] += irl_bits_get(bits, g);
  }
}

static bool is_representative(const irl_bp *bp, uint32_t n, uint32_t g) {
  for (uint32_t k = 0; k < n; k++)
    if (bp->representatives[k] == g) return true;
  return false;
}

irl_status irl_bp_break_symmetry(irl_bp *bp) {
  const irl_allocator *a = &bp->env->allocator;
  const uint32_t K = bp->settings.K, N = bp->cases.n;
  bp->representatives = irl_mem_alloc(a, K, sizeof *bp->representatives);
  uint32_t *counts = irl_mem_alloc(a, N, sizeof *counts);
  if (!bp->representatives || !counts) {
    irl_mem_free(a, counts);
    return irl_fail_memory(bp->env);
  }
  for (uint32_t k = 0; k < K && k < N; k++) {
    uint32_t best = UINT32_MAX;
    /* By their own features first, then by those that they share with the representatives so far.
     */
    if (k < 2) memset(counts, 0, N * sizeof *counts);
    count_shared(&bp->cases, k ? bp->representatives[k - 1] : UINT32_MAX, counts);
    for (uint32_t g = 0; g < N; g++)
      if (!is_representative(bp, k, g) && (best == UINT32_MAX || counts[g] < counts[best]))
        best = g;
    assert(best < N);
    bp->representatives[k] = best;
    bp->n_representatives = k + 1;
  }
  irl_mem_free(a, counts);
  return IRL_OK;
}

uint32_t irl_bp_first_clauses(const irl_bp *bp, uint32_t g) {
  for (uint32_t k = 0; k < bp->n_representatives; k++)
    if (bp->representatives[k] == g) return k + 1;
  return bp->settings.K;
}
