/* 95 % intervals of what a rule is worth.
 *
 * Intervals are those of Wilson for the two shares, and for their mean the square-and-add of these
 * (Newcombe 1998). That the rules of the parts differ is in them too: the variance of their shares
 * on all samples, by which chance has no part in it, is added, once for the rule itself, which is
 * another of them, and once for their mean.
 */
#include "rule/statistics.h"
#include "validate/cv.h"
#include "validate/estimate.h"
#include <math.h>

#define Z_95 1.959963984540054 /* quantile of the normal distribution */

static void set_interval(double share, double n, double *low, double *high) {
  const uint64_t whole = (uint64_t)lround(n);
  double hits = share * n, below, above, unused;
  if (isnan(share)) hits = 0;
  if (n > floor(n)) { /* as many as independent ones would be worth */
    irl_statistics_wilson_share(isnan(share) ? 0 : share, n, low, high);
    return;
  }
  /* Counts that are averages lie between two whole ones. */
  irl_statistics_wilson((uint64_t)floor(hits + 1e-9), whole, &below, &unused);
  irl_statistics_wilson((uint64_t)ceil(hits - 1e-9), whole, &unused, &above);
  *low = below;
  *high = above;
}

/* Not hypot, whose last digit differs between C libraries. */
static double length_of(double x, double y) {
  return sqrt(x * x + y * y);
}

static void set_intervals(double cases, double controls, irl_estimate *e) {
  set_interval(e->sensitivity, cases, &e->sensitivity_low, &e->sensitivity_high);
  set_interval(e->specificity, controls, &e->specificity_low, &e->specificity_high);
  e->balanced_accuracy = (e->sensitivity + e->specificity) / 2;
  const double below = length_of(e->sensitivity - e->sensitivity_low,
                                 e->specificity - e->specificity_low),
               above = length_of(e->sensitivity_high - e->sensitivity,
                                 e->specificity_high - e->specificity);
  e->low = fmax(0, e->balanced_accuracy - below / 2);
  e->high = fmin(1, e->balanced_accuracy + above / 2);
}

static void estimate_from_counts(const irl_evaluation *e, irl_estimate *estimate) {
  estimate->sensitivity = e->sensitivity;
  estimate->specificity = e->specificity;
  estimate->accuracy = e->accuracy;
  set_intervals((double)(e->tp + e->fn), (double)(e->fp + e->tn), estimate);
}

/* The held-out samples and the estimates of them, for as many as independent ones are worth. */
void irl_estimate_of_test(const irl_fit_result *result, irl_estimate *estimate) {
  const irl_evaluation *t = &result->test;
  const double *effect = result->test_effect;
  estimate_from_counts(t, estimate);
  if (effect[0] > 1 || effect[1] > 1)
    set_intervals((double)(t->tp + t->fn) / effect[1], (double)(t->fp + t->tn) / effect[0],
                  estimate);
}

/* ---- rules that differ ---- */

/* What a share varies by among the rules of the parts. */
typedef struct spread {
  double n, sum, squares;
} spread;

static void spread_add(spread *s, double share) {
  s->n++;
  s->sum += share;
  s->squares += share * share;
}

/* The variance for one more of them and for their mean. */
static double spread_variance(const spread *s) {
  if (s->n < 2) return 0;
  const double between = (s->squares - s->sum * s->sum / s->n) / (s->n - 1);
  return between > 1e-12 ? between * (1 + 1 / s->n) : 0; /* less is rounding */
}

/* So many samples as have this more variance of a share. */
static double spread_samples(double n, double share, double variance) {
  const double own = share * (1 - share);
  return own > 0 ? 1 / (1 / n + variance / own) : n;
}

void irl_estimate_intervals_of_parts(const irl_cv_score *scores, uint32_t n_parts,
                                     const double n[2], irl_estimate *estimate) {
  spread of_cases = {0}, of_controls = {0}, of_both = {0};
  const double share[2] = {estimate->specificity, estimate->sensitivity};
  for (uint32_t i = 0; i < n_parts; i++) { /* of all samples, those of training too */
    const irl_evaluation *own = &scores[i].e, *train = &scores[i].train;
    const double found = (double)(own->tp + train->tp), passed = (double)(own->tn + train->tn);
    if (!scores[i].is_done || scores[i].is_cut) continue;
    const double sensitivity = found / (found + (double)(own->fn + train->fn));
    const double specificity = passed / (passed + (double)(own->fp + train->fp));
    spread_add(&of_cases, sensitivity);
    spread_add(&of_controls, specificity);
    spread_add(&of_both, (sensitivity + specificity) / 2);
  }
  set_intervals(n[1], n[0], estimate);
  const double more = Z_95 * sqrt(spread_variance(&of_both));
  const double middle = estimate->balanced_accuracy;
  const double low = fmax(0, middle - length_of(middle - estimate->low, more)),
               high = fmin(1, middle + length_of(estimate->high - middle, more));
  const double differ[2] = {spread_variance(&of_controls), spread_variance(&of_cases)};
  if (differ[0] > 0 || differ[1] > 0)
    set_intervals(spread_samples(n[1], share[1], differ[1]),
                  spread_samples(n[0], share[0], differ[0]), estimate);
  estimate->low = low;
  estimate->high = high;
}
