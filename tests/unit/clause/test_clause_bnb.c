/* The exact phase against brute force over all clauses. */
#include "clause/solve.h"
#include "clause_oracle.h"
#include "greatest.h"

static irl_env *env;

static irl_status prove(const irl_clause_problem *problem, uint64_t max_work, int threads,
                        irl_clause_result *result) {
  irl_clause_model model;
  irl_options options;
  irl_limit limit;
  irl_options_init(&options, sizeof options);
  options.limits.work_limit = (int64_t)max_work;
  irl_limit_init(&limit, env, &options);
  irl_status status = irl_clause_model_init(env, &model, problem);
  if (!status) status = irl_clause_bnb(env, &model, &limit, threads, NULL, result);
  irl_clause_model_free(&model);
  return status;
}

static bool is_valid(const oracle_case *c, const irl_clause *clause) {
  irl_clause copy = *clause;
  uint8_t *covered = malloc(c->n_samples);
  oracle_measure(c, &copy, covered);
  const bool valid = oracle_allows(c, &copy) && copy.value == clause->value &&
                     copy.cases == clause->cases && copy.controls == clause->controls &&
                     copy.n <= c->problem.max_size;
  free(covered);
  return valid;
}

/* A problem by its seed. */
typedef irl_status generator(irl_env *env, oracle_case *c, uint64_t seed);

TEST agrees_with_brute_force(generator *make, uint64_t n_problems, int threads) {
  for (uint64_t seed = 1; seed <= n_problems; seed++) {
    oracle_case c;
    irl_clause_result result;
    ASSERT_EQ(IRL_STATUS_OK, make(env, &c, seed));
    const irl_clause best = oracle_best(&c);
    ASSERT_EQ(IRL_STATUS_OK, prove(&c.problem, 0, threads, &result));
    const bool agrees = best.n ? result.outcome == IRL_OUTCOME_OPTIMAL && result.best.n &&
                                     result.best.value == best.value &&
                                     result.bound == best.value && is_valid(&c, &result.best)
                               : result.outcome == IRL_OUTCOME_INFEASIBLE && !result.best.n;
    if (!agrees)
      fprintf(stderr, "seed %llu: brute force %u literals, %lld; search %s %u literals, %lld\n",
              (unsigned long long)seed, best.n, (long long)best.value,
              irl_outcome_text(result.outcome), result.best.n, (long long)result.best.value);
    oracle_free(&c);
    ASSERT(agrees);
  }
  PASS();
}

/* Cutoffs lower the bound at a limit; their allowance is a part of it. */
TEST bound_holds_at_any_work_limit(void) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    oracle_case c;
    ASSERT_EQ(IRL_STATUS_OK,
              seed <= 400 ? oracle_make(env, &c, seed) : oracle_make_strict(env, &c, seed));
    const irl_clause best = oracle_best(&c);
    for (uint64_t work = 1; work < 2000000; work *= 5) {
      irl_clause_result result;
      ASSERT_EQ(IRL_STATUS_OK, prove(&c.problem, work, 2, &result));
      if (best.n) ASSERT(result.bound >= best.value);
      if (result.best.n) ASSERT(is_valid(&c, &result.best) && result.best.value <= result.bound);
      if (best.n && result.outcome == IRL_OUTCOME_OPTIMAL) ASSERT_EQ(best.value, result.best.value);
    }
    oracle_free(&c);
  }
  PASS();
}

static bool equal(const irl_clause_result *a, const irl_clause_result *b) {
  return a->outcome == b->outcome && a->bound == b->bound && a->nodes == b->nodes &&
         a->work == b->work && oracle_same(&a->best, &b->best);
}

/* Larger random data, so that all parts of the search are met. */
static irl_data *random_data(uint32_t n_samples, uint32_t n_features, uint64_t seed) {
  irl_random random;
  irl_data *data = NULL;
  uint8_t *cells = malloc((size_t)n_samples * n_features), *labels = malloc(n_samples);
  irl_random_init(&random, seed, 3);
  for (size_t i = 0; i < (size_t)n_samples * n_features; i++)
    cells[i] = (uint8_t)irl_random_below(&random, 2);
  for (uint32_t i = 0; i < n_samples; i++) {
    const uint8_t *row = cells + (size_t)i * n_features;
    labels[i] = (row[1] && row[5] && row[9]) || irl_random_below(&random, 4) == 0;
  }
  irl_data_from_bytes(env, n_samples, n_features, cells, labels, NULL, &data);
  free(cells);
  free(labels);
  return data;
}

TEST same_for_threads_and_kernels(void) {
  const irl_kernels *tables[8];
  const size_t n_tables = irl_bits_kernels_list(tables, 8);
  for (uint64_t seed = 1; seed <= 12; seed++) {
    irl_data *data = random_data(100 + 150 * (uint32_t)(seed % 4), 40 + 10 * (uint32_t)seed, seed);
    irl_clause_problem problem;
    irl_clause_problem_init(&problem, data);
    problem.max_size = 2 + seed % 3;
    problem.budget = seed % 5 * 3;
    problem.negations = seed % 2;
    if (seed % 3 == 0) problem.control_weight = 1;
    for (uint64_t work = 0; work <= 300000; work += 100000) {
      irl_clause_result first;
      problem.kernels = tables[0];
      ASSERT_EQ(IRL_STATUS_OK, prove(&problem, work, 1, &first));
      for (size_t t = 0; t < n_tables; t++)
        for (int threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
          irl_clause_result other;
          problem.kernels = tables[t];
          ASSERT_EQ(IRL_STATUS_OK, prove(&problem, work, threads, &other));
          ASSERT(equal(&first, &other));
        }
    }
    irl_data_free(data);
  }
  PASS();
}

SUITE(clause_exact) {
  RUN_TESTp(agrees_with_brute_force, oracle_make, 1500, 1);
  greatest_set_test_suffix("many_literals");
  RUN_TESTp(agrees_with_brute_force, oracle_make_wide, 40, 2);
  greatest_set_test_suffix("small_budgets");
  RUN_TESTp(agrees_with_brute_force, oracle_make_strict, 300, 1);
  RUN_TEST(bound_holds_at_any_work_limit);
  RUN_TEST(same_for_threads_and_kernels);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(clause_exact);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
