/* Estimates for new samples: intervals solve the equations that define them, and the bootstrap is
 * the one that brute force makes of the same bags. */
#include "base/random.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include "validate/estimate.h"
#include <math.h>

#define FOLDER "build/test-estimate"
#define SEED   11u
#define Z      1.959963984540054

static irl_env *env;
static irl_random numbers;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_random_init(&numbers, SEED, 1);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- intervals ---- */

/* Of held-out samples, all independent. */
static irl_estimate estimate_of(const irl_evaluation *e) {
  const irl_fit_result result = {.test = *e};
  irl_estimate estimate = IRL_SIZED(irl_estimate);
  irl_estimate_of_test(&result, &estimate);
  return estimate;
}

/* The ends of Wilson's interval are the shares p whose score test of `share` in n is just rejected:
 * (share - p)^2 = z^2 p (1 - p) / n, or the end of [0, 1] where share is there itself. */
static bool solves_score(double share, double n, double p, double end) {
  if (share >= end && share <= end) return p >= end && p <= end;
  return fabs((share - p) * (share - p) - Z * Z * p * (1 - p) / n) < 1e-12;
}

static irl_evaluation draw_counts(uint64_t most) {
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  uint64_t *const counts[] = {&e.tp, &e.fn, &e.fp, &e.tn};
  for (int i = 0; i < 4; i++)
    *counts[i] = irl_random_below(&numbers, 4) ? irl_random_below(&numbers, most) : 0;
  if (e.tp + e.fn == 0) e.tp = 1;
  if (e.fp + e.tn == 0) e.tn = 1;
  e.sensitivity = (double)e.tp / (double)(e.tp + e.fn);
  e.specificity = (double)e.tn / (double)(e.fp + e.tn);
  e.accuracy = (double)(e.tp + e.tn) / (double)(e.tp + e.fn + e.fp + e.tn);
  return e;
}

TEST wilson_solves_the_score_equation(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const irl_evaluation e = draw_counts(round < 1000 ? 30 : 100000);
    const irl_estimate x = estimate_of(&e);
    const double cases = (double)(e.tp + e.fn), controls = (double)(e.fp + e.tn);
    ASSERT(x.sensitivity_low <= x.sensitivity && x.sensitivity <= x.sensitivity_high);
    ASSERT(x.specificity_low <= x.specificity && x.specificity <= x.specificity_high);
    ASSERT(solves_score(e.sensitivity, cases, x.sensitivity_low, 0));
    ASSERT(solves_score(e.sensitivity, cases, x.sensitivity_high, 1));
    ASSERT(solves_score(e.specificity, controls, x.specificity_low, 0));
    ASSERT(solves_score(e.specificity, controls, x.specificity_high, 1));
    ASSERT_IN_RANGE(e.accuracy, x.accuracy, 1e-15);
  }
  PASS();
}

/* Newcombe's method 10 for the sum of two shares: the distances of the ends of both intervals from
 * their shares, squared, added up; for the mean half of that. */
TEST balanced_accuracy_is_by_square_and_add(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const irl_evaluation e = draw_counts(200);
    const irl_estimate x = estimate_of(&e);
    const double middle = (e.sensitivity + e.specificity) / 2;
    const double low = middle - sqrt(pow(e.sensitivity - x.sensitivity_low, 2) +
                                     pow(e.specificity - x.specificity_low, 2)) /
                                    2;
    const double high = middle + sqrt(pow(x.sensitivity_high - e.sensitivity, 2) +
                                      pow(x.specificity_high - e.specificity, 2)) /
                                     2;
    ASSERT_IN_RANGE(middle, x.balanced_accuracy, 1e-15);
    ASSERT_IN_RANGE(low > 0 ? low : 0, x.low, 1e-12);
    ASSERT_IN_RANGE(high < 1 ? high : 1, x.high, 1e-12);
  }
  PASS();
}

/* Counts that are averages of several repeats have the interval that holds those of both whole
 * counts beside them. */
TEST intervals_of_averages_hold_both_neighbours(void) {
  for (unsigned round = 0; round < 500; round++) {
    const uint64_t n = 2 + irl_random_below(&numbers, 50), k = irl_random_below(&numbers, n);
    const double sizes[2] = {10, (double)n};
    irl_estimate x = IRL_SIZED(irl_estimate), low = x, high = x;
    low.sensitivity = (double)k / (double)n;
    high.sensitivity = (double)(k + 1) / (double)n;
    x.sensitivity = ((double)k + 0.4) / (double)n;
    x.specificity = low.specificity = high.specificity = 0.5;
    irl_estimate_intervals_of_parts(NULL, 0, sizes, &x);
    irl_estimate_intervals_of_parts(NULL, 0, sizes, &low);
    irl_estimate_intervals_of_parts(NULL, 0, sizes, &high);
    ASSERT_IN_RANGE(low.sensitivity_low, x.sensitivity_low, 1e-12);
    ASSERT_IN_RANGE(high.sensitivity_high, x.sensitivity_high, 1e-12);
  }
  PASS();
}

/* ---- the bootstrap ---- */

enum { N = 150, J = 5, BAGS = 50 };

typedef struct problem {
  uint8_t x[N][J], y[N];
} problem;

static irl_table *make_table(problem *p) {
  buffer b = {0};
  irl_options options;
  irl_table *samples;
  put(&b, "a,b,c,d,e,y\n");
  for (int i = 0; i < N; i++) {
    char line[32];
    p->y[i] = irl_random_below(&numbers, 10) < 4;
    for (int j = 0; j < J; j++) /* each agrees with the label a little less often */
      p->x[i][j] = irl_random_below(&numbers, 100) < (uint64_t)(72 - 3 * j) ? p->y[i] : !p->y[i];
    snprintf(line, sizeof line, "%d,%d,%d,%d,%d,%d\n", p->x[i][0], p->x[i][1], p->x[i][2],
             p->x[i][3], p->x[i][4], p->y[i]);
    put(&b, line);
  }
  irl_options_init(&options, sizeof options);
  save_text(FOLDER "/bags.csv", b.bytes);
  free(b.bytes);
  return irl_table_read(env, FOLDER "/bags.csv", &options, &samples) ? NULL : samples;
}

/* Sensitivity and specificity on some samples (each as often as `times` says) of a literal; J is
 * the rule that says no. */
static void score(const problem *p, const unsigned *times, int j, double *shares) {
  double hits[2] = {0}, all[2] = {0};
  for (int i = 0; i < N; i++) {
    all[p->y[i]] += times[i];
    if ((j < J && p->x[i][j]) == p->y[i]) hits[p->y[i]] += times[i];
  }
  shares[0] = hits[1] / all[1];
  shares[1] = hits[0] / all[0];
}

/* The literal of the greatest balanced accuracy; -1: two have it, and the samples decide nothing.
 */
static int learn(const problem *p, const unsigned *times) {
  double best = -1;
  int found = -1;
  for (int j = 0; j <= J; j++) {
    double shares[2];
    score(p, times, j, shares);
    const double sum = shares[0] + shares[1];
    if (fabs(sum - best) < 1e-9) found = -1;
    if (sum < best + 1e-9) continue;
    best = sum;
    found = j;
  }
  return found;
}

/* Efron and Tibshirani (1997), by errors as they write it. */
static double plus_632(double apparent, double outside, double no_information) {
  const double bounded = fmin(outside, no_information);
  const double R = bounded > apparent && no_information > apparent
                       ? (bounded - apparent) / (no_information - apparent)
                       : 0;
  const double w = 0.632 / (1 - 0.368 * R);
  return (1 - w) * apparent + w * bounded;
}

/* Of how many tables the bootstrap agrees with brute force; those with ties decide nothing. */
TEST bootstrap_agrees_with_brute_force(void) {
  unsigned n_decided = 0;
  for (unsigned round = 0; round < 30; round++) {
    problem p;
    irl_options options;
    irl_fit_result *result;
    irl_estimate x = IRL_SIZED(irl_estimate);
    irl_table *samples = make_table(&p);
    ASSERT(samples);
    irl_options_init(&options, sizeof options);
    options.rule.K = options.rule.M = 1;
    options.search.seed = round;
    options.output.validate = IRL_VALIDATE_BOOTSTRAP;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_table(env, samples, &options, &result));
    ASSERT(irl_fit_estimate(result, &x));
    ASSERT_EQ_FMT((unsigned)BAGS, x.parts_done, "%u");
    unsigned once[N], in[N], out[N];
    double own[2], mean[2] = {0, 0}, shares[2];
    bool is_decided = true;
    for (unsigned bag = 0; bag < BAGS && is_decided; bag++) {
      irl_random random;
      irl_random_init(&random, round, IRL_ESTIMATE_STREAM + bag);
      memset(in, 0, sizeof in);
      for (int i = 0; i < N; i++) in[irl_random_below(&random, N)]++;
      for (int i = 0; i < N; i++) out[i] = !in[i];
      const int j = learn(&p, in);
      is_decided = j >= 0;
      if (is_decided) score(&p, out, j, shares);
      for (int c = 0; c < 2; c++) mean[c] += shares[c] / BAGS;
    }
    for (int i = 0; i < N; i++) once[i] = 1;
    const int j = learn(&p, once);
    if (is_decided && j >= 0) {
      double yes = 0;
      for (int i = 0; i < N; i++) yes += (j < J && p.x[i][j]) / (double)N;
      score(&p, once, j, own);
      ASSERT_IN_RANGE(1 - plus_632(1 - own[0], 1 - mean[0], 1 - yes), x.sensitivity, 1e-9);
      ASSERT_IN_RANGE(1 - plus_632(1 - own[1], 1 - mean[1], yes), x.specificity, 1e-9);
      n_decided++;
    }
    irl_fit_free(result);
    irl_table_free(samples);
  }
  printf("%u of 30 tables without ties\n", n_decided);
  ASSERT(n_decided >= 5);
  PASS();
}

SUITE(estimate_suite) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(wilson_solves_the_score_equation);
  RUN_TEST(balanced_accuracy_is_by_square_and_add);
  RUN_TEST(intervals_of_averages_hold_both_neighbours);
  RUN_TEST(bootstrap_agrees_with_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  make_folder(FOLDER);
  RUN_SUITE(estimate_suite);
  GREATEST_MAIN_END();
}
