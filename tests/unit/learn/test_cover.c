/* Covering the cases by clauses beyond chance: how likely chance is, by direct counting; planted
 * rules on few samples with many features, found from nothing, the same on any number of threads;
 * and nothing accepted where labels are random. */
#include "data/generate.h"
#include "greatest.h"
#include "learn/cover_cases.c" /* what it accepts is private */
#include "search_limit.h"
#include "support.h"

static irl_env *env;

/* Planted data, J = 400, K = 8, M = 4. */
static irl_data *make_data(const char *samples, const char *noise, const char *seed) {
  const irl_options options = options_of(env, "N", samples, "J", "400", "K", "8", "M", "4",
                                         "exact_size", "1", "noise", noise, "seed", seed, NULL);
  irl_planted planted = {0};
  irl_data *data;
  if (irl_generate_planted(env, &options, &data, &planted)) abort();
  irl_planted_free(&planted);
  return data;
}

static void begin(irl_learner *learner, const irl_data *data, int threads) {
  const irl_options options = options_of(env, "K", "8", "M", "4", NULL);
  const irl_problem problem = {.data = data,
                               .K = 8,
                               .M = 4,
                               .case_weight = 1,
                               .control_weight = 1,
                               .divisor = 1,
                               .all = 1,
                               .max_literals = UINT64_MAX,
                               .max_controls = UINT64_MAX,
                               .max_complexity = UINT64_MAX};
  const irl_learn_settings settings = {.search = {.seed = 1, .threads = threads}};
  if (irl_learner_init(learner, env, &problem, &settings, LIMIT_OF(env, &options))) abort();
}

TEST chance_is_what_counting_says(void) {
  irl_data *data = make_data("500", "0", "1");
  irl_learner learner;
  begin(&learner, data, 1);
  for (uint64_t cases = 0; cases < 9; cases++)
    for (uint64_t controls = 0; controls < 5; controls++) {
      const irl_learn_cover cover = {cases, controls, 3};
      /* All strings of labels with so many cases, times the clauses of three literals. */
      double sum = 0;
      for (uint32_t labels = 0; labels < 1u << (cases + controls); labels++)
        if ((uint64_t)__builtin_popcount(labels) == cases)
          sum += pow(0.3, (double)cases) * pow(0.7, (double)controls);
      sum *= 400.0 * 399 * 398 / 6;
      ASSERT_IN_RANGE(log(sum), irl_learn_log_chance(&learner, &cover, 0.3), 1e-9);
    }
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

static enum greatest_test_res check_planted(const char *noise, const char *seed) {
  irl_data *data = make_data("800", noise, seed);
  const int64_t wrong = (int64_t)floor(atof(noise) * 800 + 0.5);
  irl_search_rule first = {.n = 0};
  for (int threads = 1; threads <= 4; threads += 3) {
    irl_learner learner;
    begin(&learner, data, threads);
    ASSERT_EQ(IRL_STATUS_OK, irl_learn_cover_cases(&learner));
    ASSERT(learner.search.best.loss <= wrong);
    ASSERT_EQ_FMT(8u, learner.search.best.n, "%u");
    if (threads == 1) first = learner.search.best;
    ASSERT_MEM_EQ(first.clauses, learner.search.best.clauses, first.n * sizeof *first.clauses);
    irl_learner_free(&learner);
  }
  irl_data_free(data);
  PASS();
}

TEST planted_rules_are_found(void) {
  static const char *const seeds[] = {"3", "4", "5"};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    CHECK_CALL(check_planted("0", seeds[i]));
    CHECK_CALL(check_planted("0.02", seeds[i]));
  }
  PASS();
}

/* Half of the labels inverted leave nothing of the rule. */
TEST chance_is_not_accepted(void) {
  irl_data *data = make_data("500", "0.5", "7");
  irl_learner learner;
  begin(&learner, data, 1);
  covering c = {.learner = &learner};
  accept(&c); /* the pool is empty: sets what is live */
  for (int i = 0; i < 2; i++) {
    const irl_subproblem problem = make_search(&c, i ? irl_tuning_usual.generate / 4 : 0);
    irl_generated result;
    ASSERT(!i || problem.width);
    ASSERT_EQ(IRL_STATUS_OK, irl_search_generate(&learner.search, &problem, &result));
    ASSERT(result.n_new);
    accept(&c);
    ASSERT_EQ_FMT(0u, c.accepted.n, "%u");
  }
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_TEST(chance_is_what_counting_says);
  RUN_TEST(planted_rules_are_found);
  RUN_TEST(chance_is_not_accepted);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
