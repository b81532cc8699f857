/* fit: against brute force over all rules on tiny data; planted rules found; limits; threads. */
#include "base/random.h"
#include "greatest.h"
#include "ireland.h"
#include "ireland_data.h"
#include "support.h"
#include <math.h>
#include <string.h>

#define MAX_SAMPLES  24u
#define MAX_FEATURES 6u
#define MAX_CLAUSES  400u
#define SEED         7u

static irl_env *env;
static irl_random numbers;

static uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

/* A problem small enough to look at every rule. */
typedef struct tiny {
  uint32_t n, j;
  uint8_t cells[MAX_SAMPLES * MAX_FEATURES], labels[MAX_SAMPLES];
  irl_options options;
  uint32_t covers[MAX_CLAUSES], sizes[MAX_CLAUSES]; /* of all clauses */
  uint32_t n_clauses, cases;
  int64_t case_weight, control_weight, penalty; /* in thousandths */
} tiny;

#define UNIT 1000 /* all penalties that are tried have three digits */

/* By loss, then by clauses, then by literals. */
typedef struct value {
  int64_t loss;
  uint32_t n, literals;
} value;

static bool is_less(value a, value b) {
  if (a.loss != b.loss) return a.loss < b.loss;
  return a.n != b.n ? a.n < b.n : a.literals < b.literals;
}

static void draw(tiny *t) {
  t->n = 4 + below(MAX_SAMPLES - 3);
  t->j = 1 + below(MAX_FEATURES);
  const uint32_t density = 2 + below(4);
  do {
    t->cases = 0;
    for (uint32_t i = 0; i < t->n * t->j; i++) t->cells[i] = below(6) < density;
    for (uint32_t i = 0; i < t->n; i++) t->labels[i] = below(2);
    for (uint32_t i = 0; i < t->n; i++) t->cases |= (uint32_t)t->labels[i] << i;
  } while (!t->cases || t->cases == (1u << t->n) - 1);
  irl_options_init(&t->options, sizeof t->options);
  t->options.rule.K = 1 + below(3);
  t->options.rule.M = 1 + below(3);
  t->options.rule.negations = below(2);
  t->options.search.prove = true;
  t->options.limits.threads = 1;
  t->options.search.seed = below(1000);
  if (below(3) == 0) t->options.rule.weights = IRL_WEIGHTS_UNIT;
  if (below(3) == 0) t->options.rule.max_literals = 1 + below(6);
  const int64_t n_cases = __builtin_popcount(t->cases);
  static const double penalties[] = {0.001, 0.01, 0.05};
  if (below(2)) t->options.rule.penalty = penalties[below(3)];
  t->case_weight = t->options.rule.weights ? 1 : t->n - n_cases;
  t->control_weight = t->options.rule.weights ? 1 : n_cases;
  const int64_t all = t->case_weight * n_cases + t->control_weight * (t->n - n_cases);
  t->penalty = llround(t->options.rule.penalty * UNIT) * all;
  t->case_weight *= UNIT;
  t->control_weight *= UNIT;
}

/* All clauses from feature `first` on that extend a cover. */
static void list_clauses(tiny *t, uint32_t first, uint32_t cover, uint32_t size) {
  if (size) {
    t->covers[t->n_clauses] = cover;
    t->sizes[t->n_clauses++] = size;
  }
  if (size == t->options.rule.M) return;
  for (uint32_t j = first; j < t->j; j++) {
    uint32_t ones = 0;
    for (uint32_t i = 0; i < t->n; i++) ones |= (uint32_t)t->cells[i * t->j + j] << i;
    list_clauses(t, j + 1, cover & ones, size + 1);
    if (t->options.rule.negations) list_clauses(t, j + 1, cover & ~ones, size + 1);
  }
}

static value best_value(const tiny *t, uint32_t first, uint32_t covered, uint32_t n,
                        uint32_t literals) {
  value best = {t->case_weight * __builtin_popcount(t->cases & ~covered) +
                    t->control_weight * __builtin_popcount(covered & ~t->cases) +
                    t->penalty * (n + literals),
                n, literals};
  for (uint32_t k = first; k < t->n_clauses && n < t->options.rule.K; k++) {
    if (t->options.rule.max_literals && literals + t->sizes[k] > t->options.rule.max_literals)
      continue;
    const value with = best_value(t, k + 1, covered | t->covers[k], n + 1, literals + t->sizes[k]);
    if (is_less(with, best)) best = with;
  }
  return best;
}

static bool is_constant(const tiny *t) {
  for (uint32_t j = 0; j < t->j; j++) {
    uint32_t ones = 0;
    for (uint32_t i = 0; i < t->n; i++) ones += t->cells[i * t->j + j];
    if (ones && ones < t->n) return false;
  }
  return true;
}

static enum greatest_test_res check_tiny(tiny *t, const irl_data *data, value best) {
  const double n = UNIT * weights_per_objective(&t->options, t->n), expected = (double)best.loss;
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_rule_info rule = IRL_SIZED(irl_rule_info);
  ASSERT_EQ_FMTm(irl_env_error(env), IRL_STATUS_OK, irl_fit(env, data, &t->options, &result), "%d");
  irl_fit_describe(result, &info);
  irl_rule_describe(irl_fit_rule(result), &rule);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, irl_fit_rule(result), data, &e));
  const double loss = (double)(t->case_weight * (int64_t)e.fn + t->control_weight * (int64_t)e.fp +
                               t->penalty * (int64_t)(rule.clauses + rule.literals));
  ASSERT_IN_RANGE(loss / n, info.objective, 1e-9);
  ASSERT(rule.clauses <= t->options.rule.K && rule.M <= t->options.rule.M);
  if (t->options.rule.max_literals) ASSERT(rule.literals <= t->options.rule.max_literals);
  ASSERT(info.bound <= expected / n + 1e-9);
  ASSERT(info.objective >= expected / n - 1e-9);
  if (t->options.search.prove) {
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
    ASSERT_IN_RANGE(expected / n, info.objective, 1e-9);
    ASSERT_IN_RANGE(info.objective, info.bound, 1e-9);
    ASSERT_EQ_FMT(best.n, rule.clauses, "%u");
    ASSERT_EQ_FMT(best.literals, rule.literals, "%u");
  }
  irl_fit_free(result);
  PASS();
}

TEST proven_rules_equal_brute_force(void) {
  for (unsigned round = 0; round < 200; round++) {
    static tiny t;
    irl_data *data;
    draw(&t);
    if (is_constant(&t)) continue;
    t.n_clauses = 0;
    list_clauses(&t, 0, (1u << t.n) - 1, 0);
    const value expected = best_value(&t, 0, 0, 0, 0);
    ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &data));
    CHECK_CALL(check_tiny(&t, data, expected));
    t.options.search.prove = false;
    CHECK_CALL(check_tiny(&t, data, expected));
    t.options.limits.work_limit = 1 + below(20000);
    CHECK_CALL(check_tiny(&t, data, expected));
    irl_data_free(data);
  }
  PASS();
}

static irl_status make_planted(const char *const *settings, irl_options *options, irl_data **data,
                               irl_rule **rule) {
  irl_options_init(options, sizeof *options);
  for (; *settings; settings += 2)
    if (irl_options_set(env, options, settings[0], settings[1])) return IRL_STATUS_BAD_ARGUMENT;
  options->data.exact_size = true;
  return irl_generate(env, options, data, rule);
}

/* No worse than the planted rule, and the same bytes on any number of threads. */
static enum greatest_test_res check_planted(const char *const *settings) {
  irl_options options;
  irl_data *data;
  irl_rule *planted;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  char *texts[3];
  ASSERT_EQ(IRL_STATUS_OK, make_planted(settings, &options, &data, &planted));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, planted, data, &e));
  for (int i = 0; i < 3; i++) {
    irl_fit_result *result;
    irl_fit_info info = IRL_SIZED(irl_fit_info);
    options.limits.threads = i == 2 ? 8 : 1 + i;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
    irl_fit_describe(result, &info);
    ASSERT(info.objective <= e.weighted_error + 1e-9);
    ASSERT_EQ(IRL_STATUS_OK,
              irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, &texts[i]));
    irl_fit_free(result);
  }
  ASSERT_STR_EQ(texts[0], texts[1]);
  ASSERT_STR_EQ(texts[0], texts[2]);
  for (int i = 0; i < 3; i++) irl_text_free(env, texts[i]);
  irl_rule_free(planted);
  irl_data_free(data);
  PASS();
}

TEST planted_rules_are_found(void) {
  static const char *const sets[][13] = {
      {"N", "300", "J", "100", "K", "3", "M", "3", "seed", "1", "noise", "0", NULL},
      {"N", "500", "J", "200", "K", "5", "M", "3", "seed", "2", "noise", "0", NULL},
      {"N", "500", "J", "100", "K", "3", "M", "3", "seed", "3", "noise", "0.05", NULL},
      {"N", "400", "J", "300", "K", "5", "M", "4", "seed", "4", "noise", "0.01", NULL},
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) CHECK_CALL(check_planted(sets[i]));
  PASS();
}

TEST bad_settings_are_refused(void) {
  static const char *const bad[][2] = {
      {"method", "magic"},     {"profile", "fast"}, {"weights", "heavy"}, {"budgets", "2"},
      {"budgets", "0.1,,0.2"}, {"budgets", "x"},    {"test", "0.3"},      {"permutations", "3"}};
  static const uint8_t cells[] = {0, 1, 1, 0}, same[] = {1, 1, 1, 1}, labels[] = {0, 1, 0, 1};
  irl_data *data;
  irl_fit_result *result;
  irl_options options;
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 4, 1, cells, labels, NULL, &data));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    irl_options_init(&options, sizeof options);
    irl_status status = irl_options_set(env, &options, bad[i][0], bad[i][1]);
    if (!status) status = irl_fit(env, data, &options, &result);
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, status);
    ASSERT(strstr(irl_env_error(env), bad[i][0]));
  }
  irl_data_free(data);
  irl_options_init(&options, sizeof options);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 4, 1, same, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_fit(env, data, &options, &result));
  ASSERT(strstr(irl_env_error(env), "nothing can be learnt"));
  irl_data_free(data);
  PASS();
}

TEST paper_profile_and_stop(void) {
  static const char *const set[] = {"N", "400", "J",     "60",   "K", "3",
                                    "M", "3",   "noise", "0.02", NULL};
  irl_options options;
  irl_data *data;
  irl_rule *planted;
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  ASSERT_EQ(IRL_STATUS_OK, make_planted(set, &options, &data, &planted));
  options.search.profile = IRL_PROFILE_PAPER;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
  irl_fit_free(result);
  options.search.profile = IRL_PROFILE_DEFAULT;
  options.limits.time_limit = 1e-6;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
  irl_fit_describe(result, &info);
  ASSERT_EQ(IRL_OUTCOME_LIMIT, info.outcome);
  irl_fit_free(result);
  irl_env_stop(env);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
  irl_fit_describe(result, &info);
  ASSERT_EQ(IRL_OUTCOME_INTERRUPTED, info.outcome);
  irl_fit_free(result);
  irl_rule_free(planted);
  irl_data_free(data);
  PASS();
}

SUITE(fit) {
  printf("seed %u\n", SEED);
  RUN_TEST(proven_rules_equal_brute_force);
  RUN_TEST(planted_rules_are_found);
  RUN_TEST(bad_settings_are_refused);
  RUN_TEST(paper_profile_and_stop);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, SEED, 0);
  RUN_SUITE(fit);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
