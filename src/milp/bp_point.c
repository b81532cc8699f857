/* From a rule to the point of a model, and back. */
#include "base/memory.h"
#include "milp/bp.h"

/* Does the clause cover this group of the class? */
static bool is_covered(const irl_bp_class *class, uint32_t g, uint32_t size,
                       const irl_literal *literals) {
  for (uint32_t i = 0; i < size; i++) {
    const uint64_t *bits = irl_bits_vector(&class->bits, irl_literal_feature(literals[i]));
    if (irl_bits_get(bits, g) == irl_literal_is_negated(literals[i])) return false;
  }
  return true;
}

/* The clauses in an order that the model allows: order[place] = clause. */
static void sort_clauses(const irl_bp *bp, uint32_t n, const uint32_t *sizes,
                         const irl_literal *literals, uint32_t *order) {
  const uint32_t M = bp->settings.M;
  for (uint32_t k = 0; k < n; k++) order[k] = k;
  for (uint32_t place = 0; place < n && place < bp->n_representatives; place++) {
    uint32_t i = 0;
    while (i < n && !is_covered(&bp->cases, bp->representatives[place], sizes[order[i]],
                                literals + (size_t)order[i] * M))
      i++;
    if (i == n || i <= place) continue;
    const uint32_t clause = order[i];
    order[i] = order[place];
    order[place] = clause;
  }
}

static void put_class(const irl_bp_class *class, uint32_t place, uint32_t size,
                      const irl_literal *literals, double *t, double *y) {
  for (uint32_t g = 0; g < class->n; g++) {
    if (!is_covered(class, g, size, literals)) continue;
    if (t) t[(size_t)place * class->n + g] = 1;
    if (y) y[g] = 1;
  }
}

irl_status irl_bp_point(const irl_bp *bp, uint32_t n, const uint32_t *sizes,
                        const irl_literal *literals, double *x) {
  const irl_allocator *a = &bp->env->allocator;
  const uint32_t M = bp->settings.M;
  uint32_t *order = irl_mem_alloc(a, n, sizeof *order);
  if (!order) return irl_fail_memory(bp->env);
  memset(x, 0, irl_lp_n_columns(bp->named.lp) * sizeof *x);
  sort_clauses(bp, n, sizes, literals, order);
  for (uint32_t place = 0; place < n && place < bp->settings.K; place++) {
    const uint32_t k = order[place];
    assert(k < n && sizes[k] <= M);
    const irl_literal *own = literals + (size_t)k * M;
    for (uint32_t i = 0; i < sizes[k]; i++) {
      const uint32_t feature = irl_literal_feature(own[i]);
      const uint32_t l = irl_literal_is_negated(own[i]) ? feature + bp->data->n_features : feature;
      assert(l < bp->n_literals);
      x[bp->first_s + place * bp->n_literals + l] = 1;
    }
    if (!bp->settings.is_plain) x[bp->first_u + place] = 1;
    put_class(&bp->cases, place, sizes[k], own, x + bp->first_case_t, x + bp->first_case_y);
    put_class(&bp->controls, place, sizes[k], own,
              bp->has_control_t ? x + bp->first_control_t : NULL,
              bp->has_control_y ? x + bp->first_control_y : NULL);
  }
  irl_mem_free(a, order);
  return IRL_OK;
}

uint32_t irl_bp_clauses(const irl_bp *bp, const double *x, uint32_t *sizes, irl_literal *literals) {
  const irl_bp_settings *s = &bp->settings;
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->K; k++) {
    if (!s->is_plain && x[bp->first_u + k] < 0.5) continue;
    sizes[n] = 0;
    for (uint32_t l = 0; l < bp->n_literals; l++)
      if (x[bp->first_s + k * bp->n_literals + l] > 0.5)
        literals[(size_t)n * s->M + sizes[n]++] = irl_bp_literal(bp, l);
    assert(sizes[n] <= s->M);
    n++;
  }
  return n;
}
