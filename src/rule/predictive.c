/* What a rule's verdict means for one person.
 *
 * The likelihood ratios are sensitivity / (1 - specificity) and (1 - sensitivity) / specificity.
 * Their intervals are those of Donner and Zou (2012) for a ratio of two independent quantities,
 * which take the intervals of the two shares as they are, whatever made them: counts or
 * cross-validation. With the shares t1, t2, the limits l1, u1, l2, u2, A = t1 t2, B = l1 (2 t1 -
 * l1) and D = u2 (2 t2 - u2) the lower limit is (A - sqrt(A^2 - B D)) / D, here without the
 * difference in its numerator as B / (A + sqrt(A^2 - B D)); the upper one is (A + sqrt(A^2 - B'
 * D')) / D' with B' = u1 (2 t1 - u1) and D' = l2 (2 t2 - l2), infinite where l2 is 0.
 *
 * Odds after a verdict are odds before it times its likelihood ratio (Bayes), so predictive values
 * at any prevalence, and their limits, come from the ratios.
 *
 * Net benefit (Vickers and Elkin 2006) counts a case that is found as 1 and a control that is taken
 * for a case as the odds of the threshold. Divided by the prevalence, its greatest value, it is
 * sensitivity - (1 - specificity) w with w = threshold odds / prior odds; its interval adds the
 * squares of what each share contributes. */
#include "rule/predictive.h"
#include <assert.h>
#include <math.h>

irl_interval irl_interval_ratio(irl_interval a, irl_interval b) {
  const double product = a.value * b.value;
  const double B = a.low * (2 * a.value - a.low), D = b.high * (2 * b.value - b.high);
  const double B2 = a.high * (2 * a.value - a.high), D2 = b.low * (2 * b.value - b.low);
  irl_interval r = {.value = a.value / b.value, .low = 0, .high = INFINITY};
  if (isnan(r.value)) return (irl_interval){NAN, NAN, NAN};
  if (a.low > 0) r.low = B / (product + sqrt(fmax(0, product * product - B * D)));
  if (D2 > 0) r.high = (product + sqrt(fmax(0, product * product - B2 * D2))) / D2;
  assert(r.low <= r.value * (1 + 1e-9) && r.value <= r.high * (1 + 1e-9));
  return r;
}

static irl_interval complement(irl_interval x) {
  return (irl_interval){1 - x.value, 1 - x.high, 1 - x.low};
}

irl_interval irl_likelihood_ratio(const irl_two_shares *s, bool is_positive) {
  return is_positive ? irl_interval_ratio(s->sensitivity, complement(s->specificity))
                     : irl_interval_ratio(complement(s->sensitivity), s->specificity);
}

/* The chance of a case after a verdict of that likelihood ratio. */
static double after(double prevalence, double ratio) {
  if (isinf(ratio)) return prevalence > 0 ? 1 : NAN;
  return prevalence * ratio / (prevalence * ratio + 1 - prevalence);
}

irl_interval irl_predictive_value(const irl_two_shares *s, double prevalence, bool is_positive) {
  const irl_interval ratio = irl_likelihood_ratio(s, is_positive);
  assert(prevalence >= 0 && prevalence <= 1);
  const irl_interval risk = {after(prevalence, ratio.value), after(prevalence, ratio.low),
                             after(prevalence, ratio.high)};
  return is_positive ? risk : complement(risk);
}

irl_interval irl_net_benefit(const irl_two_shares *s, double prevalence, double threshold) {
  const irl_interval a = s->sensitivity, b = s->specificity;
  assert(prevalence > 0 && prevalence < 1 && threshold >= 0 && threshold < 1);
  const double w = threshold / (1 - threshold) * (1 - prevalence) / prevalence;
  const double value = a.value - (1 - b.value) * w;
  const double below = a.value - a.low, below_b = (b.value - b.low) * w;
  const double above = a.high - a.value, above_b = (b.high - b.value) * w;
  return (irl_interval){value, value - sqrt(below * below + below_b * below_b),
                        value + sqrt(above * above + above_b * above_b)};
}
