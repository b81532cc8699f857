/* The statistics of a two by two table: known values, and brute force over all small tables. */
#include "greatest.h"
#include "ireland.h"
#include "ireland_study.h"
#include <math.h>

static double relative(double got, double wanted) {
  return wanted != 0 ? fabs(got - wanted) / fabs(wanted) : fabs(got);
}

/* From exact fractions. */
TEST fisher_has_known_values(void) {
  static const struct {
    uint64_t cells[4];
    double p;
  } known[] = {{{3, 1, 1, 3}, 0.4857142857142857}, /* Fisher's lady and her tea */
               {{10, 2, 3, 15}, 0.0005367241191434358},
               {{8, 2, 1, 5}, 0.03496503496503497},
               {{0, 10, 12, 5}, 0.000363785718476794},
               {{5000, 4800, 5000, 5200}, 0.004878795768906829},
               {{60, 0, 40, 100}, 3.90490012864069e-24},
               {{0, 0, 5, 5}, 1},
               {{5, 5, 0, 0}, 1},
               {{0, 0, 0, 0}, 1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const uint64_t *c = known[i].cells;
    irl_statistics s = IRL_SIZED(irl_statistics);
    irl_statistics_compute(c[0], c[1], c[2], c[3], &s);
    ASSERT(relative(s.fisher_p, known[i].p) < 1e-10);
  }
  PASS();
}

static double choose(uint64_t n, uint64_t k) {
  double product = 1;
  for (uint64_t i = 1; i <= k; i++) product = product * (double)(n - k + i) / (double)i;
  return round(product);
}

/* All tables of up to 8 cases and 8 controls, where binomials are exact. */
TEST fisher_agrees_with_brute_force(void) {
  for (uint64_t tp = 0; tp <= 8; tp++)
    for (uint64_t fp = 0; fp <= 8; fp++)
      for (uint64_t fn = 0; fn + tp <= 8; fn++)
        for (uint64_t tn = 0; tn + fp <= 8; tn++) {
          const uint64_t cases = tp + fn, controls = fp + tn, covered = tp + fp;
          const double own = choose(cases, tp) * choose(controls, fp);
          double unlikely = 0, all = 0;
          for (uint64_t x = 0; x <= covered && x <= cases; x++) {
            if (covered - x > controls) continue;
            const double weight = choose(cases, x) * choose(controls, covered - x);
            all += weight;
            if (weight <= own) unlikely += weight;
          }
          irl_statistics s = IRL_SIZED(irl_statistics);
          irl_statistics_compute(tp, fp, fn, tn, &s);
          ASSERT(relative(s.fisher_p, unlikely / all) < 1e-12);
        }
  PASS();
}

TEST wilson_has_known_values(void) {
  static const struct {
    uint64_t hits, misses;
    double low, high;
  } known[] = {{8, 2, 0.49016247153664183, 0.9433178485456247},
               {0, 10, 0, 0.2775327998628892},
               {1, 0, 0.20654931437723745, 1},
               {50, 950, 0.03813026239274882, 0.06531382024425081},
               {0, 0, 0, 1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    irl_statistics s = IRL_SIZED(irl_statistics);
    irl_statistics_compute(known[i].hits, known[i].misses, 3, 4, &s);
    ASSERT_IN_RANGE(known[i].low, s.precision_low, 1e-12);
    ASSERT_IN_RANGE(known[i].high, s.precision_high, 1e-12);
  }
  PASS();
}

TEST odds_have_known_values(void) {
  irl_statistics s = IRL_SIZED(irl_statistics);
  irl_statistics_compute(10, 2, 3, 15, &s);
  ASSERT_FALSE(s.is_corrected);
  ASSERT_IN_RANGE(25.0, s.odds_ratio, 1e-12);
  /* exp(log(25) -+ 1.96 * sqrt(1/10 + 1/2 + 1/3 + 1/15)) = 25 / e^1.96, 25 * e^1.96 */
  ASSERT_IN_RANGE(25 / exp(1.959963984540054), s.odds_low, 1e-9);
  ASSERT_IN_RANGE(25 * exp(1.959963984540054), s.odds_high, 1e-9);
  irl_statistics_compute(6, 0, 4, 10, &s);
  ASSERT(s.is_corrected);
  ASSERT_IN_RANGE(6.5 * 10.5 / (0.5 * 4.5), s.odds_ratio, 1e-12);
  PASS();
}

SUITE(statistics) {
  RUN_TEST(fisher_has_known_values);
  RUN_TEST(fisher_agrees_with_brute_force);
  RUN_TEST(wilson_has_known_values);
  RUN_TEST(odds_have_known_values);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(statistics);
  GREATEST_MAIN_END();
}
