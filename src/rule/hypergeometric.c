/* The upper tail of the hypergeometric distribution. The first term comes from a table of log
 * factorials, the others from their neighbours by ratios of small integers; past the mean, where
 * it is asked, they fall at least as fast as a geometric series after a few of them. Logarithms
 * keep what is below the smallest double.
 *
 * Tails that differ by rounding alone count as equal (SAME): a permutation that gives the same
 * table has to be as good as the true labels. */
#include "rule/hypergeometric.h"
#include "base/memory.h"
#include <assert.h>
#include <math.h>

#define SAME 1e-9 /* of logarithms; rounding errors are a thousand times smaller */

irl_status irl_hypergeometric_init(irl_env *env, irl_hypergeometric *h, uint32_t n_cases,
                                   uint32_t n_controls) {
  const size_t n = (size_t)n_cases + n_controls;
  *h = (irl_hypergeometric){.n_cases = n_cases, .n_controls = n_controls};
  h->log_factorial = irl_mem_alloc(&env->allocator, n + 1, sizeof *h->log_factorial);
  if (!h->log_factorial) return irl_fail_memory(env);
  for (size_t i = 2; i <= n; i++) h->log_factorial[i] = h->log_factorial[i - 1] + log((double)i);
  return IRL_STATUS_OK;
}

void irl_hypergeometric_free(irl_env *env, irl_hypergeometric *h) {
  irl_mem_free(&env->allocator, h->log_factorial);
  h->log_factorial = NULL;
}

static double log_choose(const irl_hypergeometric *h, uint32_t n, uint32_t k) {
  assert(k <= n);
  return h->log_factorial[n] - h->log_factorial[k] - h->log_factorial[n - k];
}

double irl_hypergeometric_tail(const irl_hypergeometric *h, uint32_t covered, uint32_t hits) {
  const uint32_t most = covered < h->n_cases ? covered : h->n_cases;
  const uint32_t least = covered > h->n_controls ? covered - h->n_controls : 0;
  assert(covered <= h->n_cases + h->n_controls);
  if (hits <= least) return 0;
  if (hits > most) return -INFINITY;
  const double first = log_choose(h, h->n_cases, hits) +
                       log_choose(h, h->n_controls, covered - hits) -
                       log_choose(h, h->n_cases + h->n_controls, covered);
  double sum = 1, term = 1;
  for (uint32_t x = hits; x < most; x++) {
    term *= (double)(h->n_cases - x) * (covered - x) /
            ((x + 1.0) * ((double)h->n_controls - covered + x + 1.0));
    sum += term;
    if (term < 1e-17 * sum) break; /* before the mean terms grow, and none is that small */
  }
  return fmin(0, first + log(sum));
}

void irl_hypergeometric_needs(const irl_hypergeometric *h, double log_p, uint32_t *need) {
  const uint32_t n = h->n_cases + h->n_controls;
  uint32_t hits = 0;
  /* One sample more asks for no fewer cases, and for one more at most. */
  for (uint32_t c = 0; c <= n; c++) {
    const uint32_t most = c < h->n_cases ? c : h->n_cases;
    while (hits <= most && irl_hypergeometric_tail(h, c, hits) > log_p + SAME) hits++;
    need[c] = hits <= most ? hits : UINT32_MAX;
  }
}
