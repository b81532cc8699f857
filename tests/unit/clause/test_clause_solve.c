/* Both phases together, the pool, symmetries of the problem, the public functions, bad input. */
#include "clause/heuristic.h"
#include "clause/solve.h"
#include "clause_oracle.h"
#include "greatest.h"
#include "ireland_data.h"
#include "ireland_study.h"

static irl_env *env;

static irl_limit no_limit(void) {
  irl_limit limit;
  irl_options options;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  return limit;
}

static irl_status solve(const irl_clause_problem *problem, int threads, irl_clause_pool *pool,
                        irl_clause_result *result) {
  const irl_limit limit = no_limit();
  const irl_clause_effort effort = {.threads = threads, .seed = 1, .proves = true};
  return irl_clause_problem_solve(env, problem, &limit, &effort, pool, result);
}

TEST agrees_with_brute_force(void) {
  for (uint64_t seed = 2001; seed <= 2250; seed++) {
    oracle_case c;
    irl_clause_result result;
    irl_clause_pool pool;
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    const irl_clause best = oracle_best(&c);
    ASSERT(irl_clause_pool_init(&pool, &env->allocator, 20));
    ASSERT_EQ(IRL_STATUS_OK, solve(&c.problem, 1 + (seed % 8 == 0), &pool, &result));
    if (best.n ? result.best.value != best.value : result.outcome != IRL_OUTCOME_INFEASIBLE) {
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
      FAIL();
    }
    uint8_t *covered = malloc(c.n_samples);
    for (uint32_t i = 0; i < pool.n; i++) { /* every clause is what it says */
      irl_clause clause = pool.clauses[i];
      oracle_measure(&c, &clause, covered);
      ASSERT(oracle_allows(&c, &clause));
      ASSERT_EQ(clause.value, pool.clauses[i].value);
      ASSERT_EQ(clause.cases, pool.clauses[i].cases);
      ASSERT_EQ(clause.controls, pool.clauses[i].controls);
      if (i) ASSERT(irl_clause_better(&pool.clauses[i - 1], &pool.clauses[i]));
    }
    free(covered);
    irl_clause_pool_free(&pool);
    oracle_free(&c);
  }
  PASS();
}

/* Planted: a AND b AND c, with noise; `order` permutes the features, `extra` adds columns. */
static irl_data *planted(uint32_t n_samples, uint32_t n_features, uint32_t shift, uint32_t extra,
                         uint64_t seed) {
  irl_random random;
  irl_data *data = NULL;
  const uint32_t width = n_features + extra;
  uint8_t *cells = malloc((size_t)n_samples * width), *labels = malloc(n_samples);
  uint8_t *row = malloc(n_features);
  irl_random_init(&random, seed, 5);
  for (uint32_t i = 0; i < n_samples; i++) {
    for (uint32_t j = 0; j < n_features; j++) row[j] = (uint8_t)irl_random_below(&random, 2);
    labels[i] = (row[0] && row[3] && row[4]) || (row[1] && !row[2]);
    if (irl_random_below(&random, 12) == 0) labels[i] = !labels[i];
    for (uint32_t j = 0; j < n_features; j++)
      cells[(size_t)i * width + (j + shift) % n_features] = row[j];
    for (uint32_t j = 0; j < extra; j++) /* a duplicate, then constants */
      cells[(size_t)i * width + n_features + j] = j == 0 ? row[3] : j == 1;
  }
  irl_data_from_bytes(env, n_samples, width, cells, labels, NULL, &data);
  free(cells);
  free(labels);
  free(row);
  return data;
}

TEST permutation_duplicate_and_constant_change_nothing(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    irl_clause_result results[3];
    for (int variant = 0; variant < 3; variant++) {
      irl_data *data = planted(200, 25, variant == 1 ? 7 : 0, variant == 2 ? 3 : 0, seed);
      irl_clause_problem problem;
      irl_clause_problem_init(&problem, data);
      problem.max_size = 2 + seed % 3;
      problem.negations = seed % 2;
      problem.budget = seed % 7;
      ASSERT_EQ(IRL_STATUS_OK, solve(&problem, 2, NULL, &results[variant]));
      irl_data_free(data);
    }
    for (int variant = 1; variant < 3; variant++) {
      ASSERT_EQ(results[0].outcome, results[variant].outcome);
      ASSERT_EQ(results[0].best.value, results[variant].best.value);
      ASSERT_EQ(results[0].bound, results[variant].bound);
    }
  }
  PASS();
}

static enum greatest_test_res same_pool(const irl_clause_pool *a, const irl_clause_pool *b) {
  ASSERT_EQ(a->n, b->n);
  for (uint32_t i = 0; i < a->n; i++) ASSERT(oracle_same(&a->clauses[i], &b->clauses[i]));
  PASS();
}

TEST pool_is_the_same_for_threads_and_kernels(void) {
  const irl_kernels *tables[8];
  const size_t n_tables = irl_bits_kernels_list(tables, 8);
  for (uint64_t seed = 1; seed <= 6; seed += 2) {
    irl_data *data = planted(300, 60, 0, 0, seed);
    irl_clause_pool first = {0};
    irl_clause_result expected;
    irl_clause_problem problem;
    irl_clause_problem_init(&problem, data);
    problem.max_size = 3 + seed % 2;
    problem.budget = seed;
    problem.negations = seed % 2;
    if (seed > 4) problem.control_weight = 1, problem.case_weight = 2, problem.budget = 50;
    for (size_t t = 0; t < n_tables; t++)
      for (int threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
        irl_clause_pool pool;
        irl_clause_result result;
        ASSERT(irl_clause_pool_init(&pool, &env->allocator, 50));
        problem.kernels = tables[t];
        ASSERT_EQ(IRL_STATUS_OK, solve(&problem, threads, &pool, &result));
        if (!first.n) {
          ASSERT(pool.n);
          first = pool;
          expected = result;
          continue;
        }
        CHECK_CALL(same_pool(&first, &pool));
        ASSERT(oracle_same(&expected.best, &result.best));
        ASSERT_EQ(expected.bound, result.bound);
        ASSERT_EQ(expected.nodes, result.nodes);
        ASSERT_EQ(expected.work, result.work);
        irl_clause_pool_free(&pool);
      }
    irl_clause_pool_free(&first);
    irl_data_free(data);
  }
  PASS();
}

TEST heuristic_finds_the_planted_clause(void) {
  irl_data *data = planted(600, 80, 11, 0, 3);
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_pool pool;
  uint64_t work = 0;
  const irl_limit limit = no_limit();
  const irl_clause_heuristic_settings seeking = {.max_work = 100000000, .seed = 1};
  irl_clause_problem_init(&problem, data);
  problem.negations = true;
  problem.budget = data->n_controls / 10;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &problem));
  ASSERT(irl_clause_pool_init(&pool, &env->allocator, 10));
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_heuristic(&(irl_clause_search){env, &model, &limit, 2, &work},
                                                &seeking, &pool));
  irl_clause_result result;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_bnb(env, &model, &limit, 2, NULL, &result));
  ASSERT(pool.n > 1);
  ASSERT_EQ(result.best.value, pool.clauses[0].value);
  irl_clause_pool_free(&pool);
  irl_clause_model_free(&model);
  irl_data_free(data);
  PASS();
}

/* Cut points of one column as literals x > c: nested, one group. The best clause is the same with
 * and without groups, and holds at most one of each. */
TEST groups_change_nothing(void) {
  enum { SAMPLES = 300, COLUMNS = 6, CUTS = 5, FEATURES = COLUMNS * CUTS };
  for (uint64_t seed = 1; seed <= 30; seed++) {
    irl_random random;
    irl_data *data = NULL;
    uint32_t groups[FEATURES];
    uint8_t *cells = malloc(SAMPLES * FEATURES), *labels = malloc(SAMPLES);
    irl_random_init(&random, seed, 9);
    for (uint32_t i = 0; i < SAMPLES; i++) {
      uint32_t x[COLUMNS];
      for (uint32_t c = 0; c < COLUMNS; c++) {
        x[c] = (uint32_t)irl_random_below(&random, CUTS + 1);
        for (uint32_t cut = 0; cut < CUTS; cut++) cells[i * FEATURES + c * CUTS + cut] = x[c] > cut;
      }
      labels[i] = (x[0] > 1 && x[1] > 2 && x[2] > 1) || irl_random_below(&random, 5) == 0;
    }
    for (uint32_t j = 0; j < FEATURES; j++) groups[j] = 1 + j / CUTS;
    ASSERT_EQ(IRL_STATUS_OK,
              irl_data_from_bytes(env, SAMPLES, FEATURES, cells, labels, NULL, &data));
    irl_clause_problem problem;
    irl_clause_result plain, grouped;
    irl_clause_problem_init(&problem, data);
    problem.max_size = 2 + seed % 4;
    problem.budget = 3 + seed;
    if (seed % 3 == 0) problem.control_weight = 1;
    ASSERT_EQ(IRL_STATUS_OK, solve(&problem, 2, NULL, &plain));
    problem.groups = groups;
    ASSERT_EQ(IRL_STATUS_OK, solve(&problem, 2, NULL, &grouped));
    ASSERT_EQ(plain.best.value, grouped.best.value);
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, grouped.outcome);
    for (uint32_t i = 1; i < grouped.best.n; i++)
      ASSERT(groups[grouped.best.literals[i] / 2] != groups[grouped.best.literals[i - 1] / 2]);
    irl_data_free(data);
    free(cells);
    free(labels);
  }
  PASS();
}

/* ---- the public functions ---- */

TEST public_functions(void) {
  irl_data *data = planted(300, 30, 0, 0, 9);
  irl_options options;
  irl_clause_solution *solution = NULL;
  irl_clause_info info = IRL_SIZED(irl_clause_info);
  char *text = NULL;
  irl_options_init(&options, sizeof options);
  options.rule.negations = true;
  options.rule.budget = 0.05;
  options.search.prove = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
  irl_clause_describe(solution, &info);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
  ASSERT_EQ(info.objective, info.bound);
  ASSERT_EQ((int64_t)info.tp, info.objective);
  ASSERT(info.fp * 20 <= data->n_controls);
  ASSERT(info.literals >= 1 && info.literals <= 3);
  ASSERT(irl_clause_literal(solution, 0, NULL)[0] == 'f');
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_render(env, solution, IRL_FORMAT_JSON, &text));
  ASSERT(strstr(text, "\"status\": \"optimal\"") && strstr(text, "\"clause\": ["));
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_render(env, solution, IRL_FORMAT_TEXT, &text));
  ASSERT(strstr(text, "optimal: covers"));
  irl_text_free(env, text);
  irl_clause_free(solution);
  irl_clause_free(NULL);
  irl_data_free(data);
  PASS();
}

TEST limits_end_with_a_bound(void) {
  irl_data *data = planted(400, 120, 0, 0, 4);
  irl_options options;
  irl_clause_info info = IRL_SIZED(irl_clause_info), proven = IRL_SIZED(irl_clause_info);
  irl_clause_solution *solution;
  irl_options_init(&options, sizeof options);
  options.rule.M = 4;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
  irl_clause_describe(solution, &proven);
  irl_clause_free(solution);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, proven.outcome);
  for (options.limits.work_limit = 1; options.limits.work_limit < 100000000;
       options.limits.work_limit *= 10) {
    ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
    irl_clause_describe(solution, &info);
    irl_clause_free(solution);
    ASSERT(info.bound >= proven.objective && info.objective <= proven.objective);
    ASSERT(info.outcome == IRL_OUTCOME_LIMIT || info.outcome == IRL_OUTCOME_OPTIMAL);
  }
  irl_data_free(data);
  PASS();
}

/* Without the option the search ends where it has taken long enough, and says so. */
TEST proof_goes_on(void) {
  irl_options options;
  irl_clause_info info = IRL_SIZED(irl_clause_info), further = IRL_SIZED(irl_clause_info);
  irl_clause_solution *solution;
  irl_data *data;
  irl_options_init(&options, sizeof options);
  options.data.N = 20000;
  options.data.noise = 0.45;
  options.data.density = 0.7;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  options.rule.M = 6;
  options.rule.budget = 0.2;
  options.limits.work_limit = INT64_C(15000000000);
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
  irl_clause_describe(solution, &info);
  irl_clause_free(solution);
  ASSERT_EQ(IRL_OUTCOME_FEASIBLE, info.outcome);
  options.search.prove = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
  irl_clause_describe(solution, &further);
  irl_clause_free(solution);
  ASSERT(further.outcome == IRL_OUTCOME_LIMIT || further.outcome == IRL_OUTCOME_OPTIMAL);
  /* Not more work: the first run may take an eighth of its limit for its bound. */
  ASSERT(further.bound < info.bound);
  irl_data_free(data);
  PASS();
}

TEST bad_input_gets_a_status(void) {
  irl_data *data = planted(50, 10, 0, 0, 4);
  irl_options options;
  irl_clause_solution *solution = NULL;
  irl_options_init(&options, sizeof options);
  options.rule.budget = 1.5;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_clause_solve(env, data, &options, &solution));
  ASSERT(strstr(irl_env_error(env), "budget"));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_options_set(env, &options, "budget", "-0.1"));
  options.rule.budget = 0.0 / 1.0;
  options.rule.M = 0;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_clause_solve(env, data, &options, &solution));
  options.rule.M = 65;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_clause_solve(env, data, &options, &solution));
  ASSERT_EQ(NULL, solution);
  options.rule.M = 64;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &options, &solution));
  irl_clause_free(solution);
  irl_data_free(data);
  PASS();
}

TEST nothing_to_find_is_infeasible(void) {
  irl_data *data = planted(60, 6, 0, 0, 4);
  irl_clause_problem problem;
  irl_clause_result result;
  irl_clause_problem_init(&problem, data);
  uint64_t *none = irl_mem_alloc_aligned(&env->allocator, data->cases.stride, 8);
  problem.live_cases = none; /* no cases left */
  ASSERT_EQ(IRL_STATUS_OK, solve(&problem, 2, NULL, &result));
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, result.outcome);
  ASSERT_EQ(0, result.best.n);
  problem.live_cases = NULL;
  problem.case_weight = -1;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, solve(&problem, 2, NULL, &result));
  problem.case_weight = INT64_MAX;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, solve(&problem, 2, NULL, &result));
  irl_mem_free_aligned(&env->allocator, none);
  irl_data_free(data);
  PASS();
}

/* Fails the n-th allocation and all after it. */
static void *failing_resize(void *user, void *memory, size_t size) {
  int *left = user;
  if (!size) {
    free(memory);
    return NULL;
  }
  int before;
#pragma omp atomic capture
  before = (*left)--;
  return before > 0 ? realloc(memory, size) : NULL;
}

TEST survives_a_failing_allocator(void) {
  for (int n = 3; n < 400; n += 1 + n / 20) {
    int left = 1000000;
    const irl_allocator allocator = {sizeof allocator, failing_resize, &left};
    irl_env *poor;
    irl_options options;
    irl_clause_solution *solution = NULL;
    ASSERT_EQ(IRL_STATUS_OK, irl_env_create(&allocator, &poor));
    irl_env *rich = env;
    env = poor;
    irl_data *data = planted(100, 30, 0, 0, 4);
    env = rich;
    irl_options_init(&options, sizeof options);
    options.rule.M = 4;
    options.limits.threads = 2;
    left = n;
    const irl_status status = irl_clause_solve(poor, data, &options, &solution);
    left = 1000000;
    ASSERT(status == IRL_STATUS_OK || status == IRL_STATUS_NO_MEMORY);
    irl_clause_free(solution);
    irl_data_free(data);
    irl_env_free(poor);
  }
  PASS();
}

SUITE(clause_solve) {
  RUN_TEST(agrees_with_brute_force);
  RUN_TEST(permutation_duplicate_and_constant_change_nothing);
  RUN_TEST(pool_is_the_same_for_threads_and_kernels);
  RUN_TEST(heuristic_finds_the_planted_clause);
  RUN_TEST(groups_change_nothing);
  RUN_TEST(public_functions);
  RUN_TEST(limits_end_with_a_bound);
  RUN_TEST(proof_goes_on);
  RUN_TEST(bad_input_gets_a_status);
  RUN_TEST(nothing_to_find_is_infeasible);
  RUN_TEST(survives_a_failing_allocator);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(clause_solve);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
