/* Searches on samples (learn/samples.c): the rule that they settle on is counted on all samples, is
 * no worse than that of a search on all, and does not depend on the number of threads; where a
 * limit or chance stands in the way nothing is settled. And the samples themselves: gathered bits
 * against single cells.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others. */
#include "bits/kernels.h"
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "learn/learn.h"
#include "search_limit.h"
#include "support.h"
#include "table/raw_table.h"

static irl_env *env;
static uint64_t seed = 5;

static irl_data *planted(int n, int j, int k, int m, double noise) {
  irl_data *data;
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.data.N = n;
  options.data.J = j;
  options.data.noise = noise;
  options.rule.K = k;
  options.rule.M = m;
  options.search.seed = (int64_t)seed;
  if (irl_generate(env, &options, &data, NULL)) abort();
  return data;
}

/* Members in any order, some of them several times. */
TEST gathered_bits_are_those_of_the_members(void) {
  static const uint32_t sizes[] = {1, 63, 64, 65, 511, 513, 700};
  irl_data *data = planted(900, 70, 2, 2, 0.1), *some;
  irl_random random;
  irl_random_init(&random, seed, 0);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    uint32_t numbers[2][700];
    const irl_members members = {{numbers[0], numbers[1]}, {sizes[s], sizes[6 - s]}};
    for (int class = 0; class < 2; class ++)
      for (uint32_t i = 0; i < members.n[class]; i++)
        numbers[class][i] =
            (uint32_t)irl_random_below(&random, class ? data->n_controls : data->n_cases);
    ASSERT_EQ(IRL_STATUS_OK, irl_data_gather(env, data, &members, 1 + (int)s, &some));
    ASSERT(irl_data_check(some));
    ASSERT_EQ(members.n[0], some->n_cases);
    ASSERT_EQ(members.n[1], some->n_controls);
    for (int class = 0; class < 2; class ++)
      for (uint32_t j = 0; j < data->n_features; j++)
        for (uint32_t i = 0; i < members.n[class]; i++) {
          const irl_bits_matrix *from = class ? &data->controls : &data->cases;
          const irl_bits_matrix *to = class ? &some->controls : &some->cases;
          ASSERT_EQ(irl_bits_get(irl_bits_vector(from, j), numbers[class][i]),
                    irl_bits_get(irl_bits_vector(to, j), i));
        }
    for (uint32_t j = 0; j < data->n_features; j++)
      ASSERT_STR_EQ(irl_names_get(&data->names, j), irl_names_get(&some->names, j));
    irl_data_free(some);
  }
  irl_data_free(data);
  PASS();
}

/* What a run came to. */
typedef struct ending {
  int64_t loss;
  uint64_t tp, fp, work;
  uint32_t n;
  uint32_t literals[64];
  bool is_settled;
} ending;

static irl_status run(const irl_data *data, const irl_options *options, uint32_t size,
                      ending *end) {
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_status status = irl_fit_settings(env, data, options, &problem, &settings);
  settings.search.tuning.sample = size ? size : UINT32_MAX;
  settings.search.is_sample = true; /* no proofs, which take longer than all the rest */
  if (!status)
    status = irl_learner_init(&learner, env, &problem, &settings, LIMIT_OF(env, options));
  if (status) return status;
  status = irl_learn(&learner);
  *end = (ending){.loss = learner.search.best.loss,
                  .tp = learner.search.best.tp,
                  .fp = learner.search.best.fp,
                  .work = learner.search.work,
                  .n = learner.search.best.n,
                  .is_settled = learner.is_settled};
  for (uint32_t i = 0, at = 0; i < learner.search.best.n; i++) {
    const uint32_t k = learner.search.best.clauses[i];
    for (uint32_t l = 0; l < learner.search.pool.sizes[k]; l++)
      end->literals[at++] = irl_clause_set_literals(&learner.search.pool, k)[l];
  }
  /* Counted anew, and on all samples. */
  irl_search_rule again = learner.search.best;
  irl_search_weigh(&learner.search, &again);
  if (again.loss != end->loss || again.tp != end->tp || again.fp != end->fp) abort();
  irl_learner_free(&learner);
  return status;
}

/* Options that change the loss or the rules, one at a time. */
static irl_options mix(irl_random *random, int k, int m) {
  static const char *const pairs[][2] = {
      {"threads", "2"},    {"weights", "unit"},   {"negations", ""},   {"penalty", "0.002"},
      {"loss", "hamming"}, {"max_literals", "5"}, {"effort", "quick"}, {"complexity", "7"}};
  const char *const *pair = pairs[irl_random_below(random, sizeof pairs / sizeof *pairs)];
  irl_options options = options_of(env, pair[0], pair[1], NULL);
  options.rule.K = k;
  options.rule.M = m;
  return options;
}

TEST settled_rules_are_as_good_as_those_of_all_samples(void) {
  const uint64_t n = number_of("IRL_FUZZ", 8);
  unsigned n_settled = 0;
  irl_random random;
  irl_random_init(&random, seed, 1);
  for (uint64_t i = 0; i < n; i++) {
    const int k = 1 + (int)irl_random_below(&random, 4), m = 2 + (int)irl_random_below(&random, 2);
    const int j = 20 + (int)irl_random_below(&random, 30);
    const double noise = (double)irl_random_below(&random, 4) * 0.05;
    seed++;
    irl_data *data = planted(12000, j, k, m, noise);
    irl_options options = mix(&random, k, m);
    ending on_samples, on_all, twice;
    ASSERT_EQ(IRL_STATUS_OK, run(data, &options, 350, &on_samples));
    ASSERT_EQ(IRL_STATUS_OK, run(data, &options, 0, &on_all));
    ASSERT_FALSE(on_all.is_settled);
    if (on_samples.loss > on_all.loss)
      printf("seed %llu: %lld on samples (%s), %lld on all\n", (unsigned long long)seed,
             (long long)on_samples.loss, on_samples.is_settled ? "settled" : "not settled",
             (long long)on_all.loss);
    ASSERT(on_samples.loss <= on_all.loss);
    options.limits.threads = 3;
    ASSERT_EQ(IRL_STATUS_OK, run(data, &options, 350, &twice));
    ASSERT_MEM_EQ(&on_samples, &twice, sizeof twice);
    n_settled += on_samples.is_settled;
    irl_data_free(data);
  }
  printf("%u of %llu settled\n", n_settled, (unsigned long long)n);
  ASSERT(n_settled >= n / 3);
  PASS();
}

/* Labels that nothing explains: two samples find different clauses. */
TEST chance_is_not_settled(void) {
  irl_random random;
  irl_random_init(&random, seed, 2);
  irl_data *data = planted(12000, 60, 2, 2, 0), *shuffled;
  uint32_t *samples = malloc(data->n_samples * sizeof *samples);
  uint8_t *labels = malloc(data->n_samples);
  for (uint32_t i = 0; i < data->n_samples; i++) {
    samples[i] = i;
    labels[i] = irl_random_below(&random, 2) != 0;
  }
  const irl_rows rows = {
      .size = sizeof rows, .samples = samples, .n = data->n_samples, .labels = labels};
  ASSERT_EQ(IRL_STATUS_OK, irl_data_subset(env, data, &rows, 1, &shuffled));
  irl_options options = options_of(env, "K", "3", "M", "3", "effort", "quick", NULL);
  ending end;
  ASSERT_EQ(IRL_STATUS_OK, run(shuffled, &options, 300, &end));
  ASSERT_FALSE(end.is_settled);
  irl_data_free(shuffled);
  irl_data_free(data);
  free(samples);
  free(labels);
  PASS();
}

/* A limit within the searches on samples ends the run there, with what it has. */
TEST limits_end_searches_on_samples(void) {
  irl_data *data = planted(12000, 40, 3, 3, 0.05);
  ending whole, cut;
  irl_options options = options_of(env, "K", "3", "M", "3", NULL);
  ASSERT_EQ(IRL_STATUS_OK, run(data, &options, 350, &whole));
  ASSERT(whole.is_settled);
  for (int64_t work = 1000; work < 1 << 30; work *= 20) {
    options.limits.work_limit = work;
    ASSERT_EQ(IRL_STATUS_OK, run(data, &options, 350, &cut));
    ASSERT(cut.loss >= whole.loss);
    ASSERT(cut.is_settled || cut.work >= (uint64_t)work);
  }
  irl_data_free(data);
  PASS();
}

SUITE(samples) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(gathered_bits_are_those_of_the_members);
  RUN_TEST(settled_rules_are_as_good_as_those_of_all_samples);
  RUN_TEST(chance_is_not_settled);
  RUN_TEST(limits_end_searches_on_samples);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(samples);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
