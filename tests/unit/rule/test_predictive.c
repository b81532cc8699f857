/* Likelihood ratios, predictive values and net benefit: known values, edges, and how often their
 * intervals hold the truth in random tables. */
#include "base/random.h"
#include "greatest.h"
#include "rule/predictive.h"
#include "rule/statistics.h"
#include <math.h>
#include <stdio.h>

#define SEED 20261117u

static irl_interval share_of(uint64_t hits, uint64_t n) {
  irl_interval x = {.value = (double)hits / (double)n};
  irl_statistics_wilson(hits, n, &x.low, &x.high);
  return x;
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

TEST values_are_those_of_the_formulas(void) {
  const irl_two_shares s = {share_of(90, 100), share_of(160, 200)};
  ASSERT(near(irl_likelihood_ratio(&s, true).value, 4.5));
  ASSERT(near(irl_likelihood_ratio(&s, false).value, 0.125));
  /* At the share of cases of the counts themselves: 90 of 130, and 160 of 170. */
  ASSERT(near(irl_predictive_value(&s, 1.0 / 3, true).value, 90.0 / 130));
  ASSERT(near(irl_predictive_value(&s, 1.0 / 3, false).value, 160.0 / 170));
  /* 90 of 300 are found, 40 of 300 are false alarms, each worth 1/4 of a case at 20 %. */
  ASSERT(near(irl_net_benefit(&s, 1.0 / 3, 0.2).value, (90 - 40 * 0.25) / 300 * 3));
  PASS();
}

/* The intervals of a ratio as they are published, without the rearrangement. */
TEST intervals_are_those_of_the_formula(void) {
  for (uint64_t a = 1; a < 20; a++)
    for (uint64_t b = 1; b < 20; b++) {
      const irl_interval x = share_of(a, 20), y = share_of(b, 20), r = irl_interval_ratio(x, y);
      const double A = x.value * y.value, B = x.low * (2 * x.value - x.low),
                   D = y.high * (2 * y.value - y.high), B2 = x.high * (2 * x.value - x.high),
                   D2 = y.low * (2 * y.value - y.low);
      ASSERT(fabs(r.low - (A - sqrt(A * A - B * D)) / D) < 1e-9);
      ASSERT(fabs(r.high - (A + sqrt(A * A - B2 * D2)) / D2) < 1e-9);
      ASSERT(r.low < r.value && r.value < r.high);
    }
  PASS();
}

TEST edges_are_defined(void) {
  const irl_interval none = share_of(0, 20), all = share_of(20, 20), half = share_of(10, 20);
  const irl_two_shares perfect = {all, all}, never = {none, all}, always = {all, none};
  ASSERT(isinf(irl_likelihood_ratio(&perfect, true).value));
  ASSERT(irl_likelihood_ratio(&perfect, true).low > 1);
  ASSERT_EQ(0, irl_likelihood_ratio(&perfect, false).value);
  ASSERT(isnan(irl_likelihood_ratio(&never, true).value));
  ASSERT_EQ(1, irl_likelihood_ratio(&never, false).value);
  ASSERT_EQ(1, irl_likelihood_ratio(&always, true).value);
  ASSERT_EQ(1, irl_predictive_value(&perfect, 0.001, true).value);
  ASSERT_EQ(0, irl_predictive_value(&perfect, 0, false).value - 1);
  ASSERT_EQ(0, irl_interval_ratio(none, half).low);
  ASSERT(irl_interval_ratio(none, half).high > 0);
  ASSERT(isinf(irl_interval_ratio(half, none).high));
  ASSERT(near(irl_net_benefit(&perfect, 0.1, 0.5).value, 1));
  PASS();
}

/* Of 95 % intervals about 95 in 100 hold the truth. */
TEST intervals_hold_the_truth(void) {
  enum { DRAWS = 4000, CASES = 80, CONTROLS = 120 };
  const double sensitivity = 0.8, specificity = 0.7, prevalence = 0.1;
  unsigned held[4] = {0};
  irl_random random;
  irl_random_init(&random, SEED, 0);
  for (int draw = 0; draw < DRAWS; draw++) {
    uint64_t tp = 0, tn = 0;
    for (int i = 0; i < CASES; i++) tp += irl_random_below(&random, 1000) < 1000 * sensitivity;
    for (int i = 0; i < CONTROLS; i++) tn += irl_random_below(&random, 1000) < 1000 * specificity;
    const irl_two_shares s = {share_of(tp, CASES), share_of(tn, CONTROLS)};
    const double hits = sensitivity * prevalence, alarms = (1 - specificity) * (1 - prevalence);
    const irl_interval found[4] = {irl_likelihood_ratio(&s, true), irl_likelihood_ratio(&s, false),
                                   irl_predictive_value(&s, prevalence, true),
                                   irl_net_benefit(&s, prevalence, 0.15)};
    const double truth[4] = {
        sensitivity / (1 - specificity), (1 - sensitivity) / specificity, hits / (hits + alarms),
        sensitivity - (1 - specificity) * 0.15 / 0.85 * (1 - prevalence) / prevalence};
    for (int i = 0; i < 4; i++)
      held[i] += fmin(found[i].low, found[i].high) <= truth[i] &&
                 truth[i] <= fmax(found[i].low, found[i].high);
  }
  for (int i = 0; i < 4; i++) {
    printf("%.4f ", (double)held[i] / DRAWS);
    ASSERT(held[i] > 0.935 * DRAWS && held[i] < 0.97 * DRAWS);
  }
  PASS();
}

SUITE(predictive) {
  RUN_TEST(values_are_those_of_the_formulas);
  RUN_TEST(intervals_are_those_of_the_formula);
  RUN_TEST(edges_are_defined);
  RUN_TEST(intervals_hold_the_truth);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  RUN_SUITE(predictive);
  GREATEST_MAIN_END();
}
