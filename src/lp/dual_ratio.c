/* The dual ratio test with bound flips (Fourer 1994; Maros 2003) and Harris tolerances.
 *
 * The leaving variable gets a reduced cost that grows from 0 by t; those of the others move by
 * -t * alpha and, at its ratio, each reaches zero. The dual objective's slope starts at the primal
 * infeasibility and falls by alpha * (upper - lower) at each ratio: while it stays positive the
 * boxed variable is flipped to its other bound and t goes on. Where the slope ends, Harris' second
 * look admits every candidate whose ratio lies within the tolerance of the step, and takes the one
 * with the largest alpha. Candidates come from a heap in order of ratio, so that a test costs
 * O(candidates + flips log candidates). */
#include "lp/simplex.h"
#include "lp/tol.h"
#include <math.h>

/* Ties go to the smaller variable: the same order on every run. */
static bool is_before(const irl_lp_candidate *a, const irl_lp_candidate *b) {
  return a->ratio < b->ratio || (a->ratio == b->ratio && a->variable < b->variable);
}

static void sift_down(irl_lp_candidate *heap, size_t n, size_t i) {
  const irl_lp_candidate item = heap[i];
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(&heap[child + 1], &heap[child])) child++;
    if (!is_before(&heap[child], &item)) break;
    heap[i] = heap[child];
  }
  heap[i] = item;
}

/* Those whose reduced cost can reach zero when t grows. */
static uint32_t collect_candidates(irl_lp_simplex *s, double sign, double least) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->row.n; k++) {
    const uint32_t v = s->row.index[k];
    double alpha = sign * s->row.x[v], d = s->d[v];
    if (fabs(alpha) < least || s->lower[v] == s->upper[v]) continue;
    if (s->at[v] == IRL_LP_UPPER || (s->at[v] == IRL_LP_ZERO && alpha < 0)) {
      alpha = -alpha;
      d = -d;
    }
    if (alpha < 0) continue;
    assert(s->at[v] != IRL_LP_BASIC && n < s->total);
    s->candidates[n++] = (irl_lp_candidate){irl_lp_max(d, 0) / alpha, alpha, v};
  }
  return n;
}

/* Takes the first candidate of the heap out; it ends behind the heap, at heap[n - 1]. */
static irl_lp_candidate take_first(irl_lp_candidate *heap, uint32_t n) {
  assert(n > 0);
  const irl_lp_candidate first = heap[0];
  heap[0] = heap[n - 1];
  if (n > 1) sift_down(heap, n - 1, 0);
  heap[n - 1] = first;
  assert(n == 1 || !is_before(&heap[0], &first));
  return first;
}

/* Takes those that Harris' tolerance allows after `passed`; the place of the largest alpha. */
static uint32_t pass_ties(const irl_lp_simplex *s, uint32_t passed, uint32_t n, double *alpha) {
  irl_lp_candidate *c = s->candidates;
  double step = INFINITY; /* within which all stay feasible up to the tolerance */
  uint32_t best = passed;
  for (uint32_t k = 0; k < n - passed; k++)
    step = fmin(step, c[k].ratio + s->dual_tolerance / c[k].alpha);
  *alpha = 0;
  for (uint32_t place = passed; place < n && c[0].ratio <= step; place++) {
    const irl_lp_candidate item = take_first(c, n - place);
    if (item.alpha <= *alpha) continue;
    *alpha = item.alpha;
    best = place;
  }
  return best;
}

/* A pivot that is too small is worth less than a shorter step with a good one. */
static uint32_t find_safer(const irl_lp_candidate *c, uint32_t passed, double alpha,
                           double largest) {
  uint32_t best = UINT32_MAX;
  if (alpha >= IRL_LP_TOL_PIVOT_SAFE * irl_lp_max(1, largest)) return best;
  for (uint32_t k = passed; k-- > 0;) {
    if (c[k].alpha <= alpha * 10) continue;
    best = k;
    alpha = c[k].alpha;
    if (alpha >= IRL_LP_TOL_PIVOT_SAFE * irl_lp_max(1, largest)) break;
  }
  return best;
}

/* The test over candidates with alpha of at least `least`. */
static uint32_t test_ratios(irl_lp_simplex *s, double delta, double largest, double least,
                            uint32_t *n_flips) {
  irl_lp_candidate *c = s->candidates;
  const uint32_t n = collect_candidates(s, delta > 0 ? 1 : -1, least);
  double slope = fabs(delta), alpha = 0;
  uint32_t passed = 0;
  for (uint32_t i = n / 2; i-- > 0;) sift_down(c, n, i);
  /* Candidates are passed while the slope stays positive. */
  while (passed < n) {
    const uint32_t v = c[0].variable;
    const double next = slope - c[0].alpha * (s->upper[v] - s->lower[v]);
    if (!(next >= 0)) break;
    slope = next;
    take_first(c, n - passed++);
  }
  uint32_t best = passed;
  *n_flips = 0;
  if (passed < n)
    best = pass_ties(s, passed, n, &alpha);
  else if (slope > s->primal_tolerance || !n)
    return UINT32_MAX; /* all flips together do not mend the row */
  else
    best = n - 1; /* they just do: the last one enters instead */
  /* Turns [heap | taken, the last one first] around, so that the taken ones lead in order. */
  for (uint32_t i = 0, j = n - 1; i < j; i++, j--) {
    const irl_lp_candidate swap = c[i];
    c[i] = c[j];
    c[j] = swap;
  }
  const uint32_t safer = passed < n ? find_safer(c, passed, alpha, largest) : UINT32_MAX;
  if (safer != UINT32_MAX) best = safer;
  *n_flips = best < passed ? best : passed;
  assert(best < n && c[best].alpha >= least && c[best].ratio >= 0);
  return c[best].variable;
}

uint32_t irl_lp_dual_ratio(irl_lp_simplex *s, double delta, uint32_t *n_flips) {
  assert(delta != 0);
  double largest = 0;
  for (uint32_t k = 0; k < s->row.n; k++)
    largest = irl_lp_max(largest, fabs(s->row.x[s->row.index[k]]));
  const double absolute = s->is_fresh ? IRL_LP_TOL_PIVOT_FRESH : IRL_LP_TOL_PIVOT;
  const double relative = IRL_LP_TOL_PIVOT_RELATIVE * largest;
  const uint32_t q = test_ratios(s, delta, largest, irl_lp_max(absolute, relative), n_flips);
  /* Before the row is called infeasible, pivots that are small beside others get a chance: if they
   * are noise, row and column will not agree on them. */
  if (q != UINT32_MAX || !s->is_fresh || relative <= absolute) return q;
  return test_ratios(s, delta, largest, absolute, n_flips);
}
