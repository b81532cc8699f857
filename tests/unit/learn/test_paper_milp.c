/* The paper's loop with MILPs: every problem that it asks about, (SP)_u, (MP)_u and (MP), has the
 * same optimum by the engines on bits; the rule is within K and M and no worse than no rule; runs
 * repeat, on any number of threads. IRL_FUZZ=N tries N tables, IRL_FUZZ_SEED=S others. */
#include "clause/solve.h"
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "learn/paper_milp.h"
#include "search_limit.h"
#include "support.h"

static irl_env *env;
static uint64_t seed = 5, n_solved, n_different;

static irl_status find_clause(irl_search *search, const irl_subproblem *subproblem,
                              const irl_limit *limit, irl_clause_pool *found) {
  irl_clause_problem problem;
  irl_clause_result result;
  irl_status status = irl_learn_milp_engine.find_clause(search, subproblem, limit, found);
  irl_clause_problem_init(&problem, search->problem->data);
  problem.live_cases = subproblem->live_cases;
  problem.case_weight = 1;
  problem.control_weight = 0;
  problem.budget = subproblem->budget;
  problem.max_size = search->problem->M;
  problem.negations = search->problem->negations;
  problem.threads = 1;
  if (!status)
    status = irl_clause_problem_solve(search->env, &problem, limit,
                                      &(irl_clause_effort){1, 1, true}, NULL, &result);
  if (status) return status;
  n_solved++;
  /* The empty clause is none, whatever it would cover. */
  const bool may_be_empty = subproblem->budget >= search->problem->data->n_controls;
  n_different += !may_be_empty && result.best.cases != (found->n ? found->clauses[0].cases : 0);
  return IRL_STATUS_OK;
}

static irl_status choose(irl_search *search, const irl_select_problem *problem,
                         const irl_limit *limit, uint32_t *chosen, irl_select_result *result) {
  irl_select_problem own = *problem;
  irl_search_rule rules[2] = {{.n = 0}, {.n = 0}};
  irl_select_result on_bits;
  own.n_start = 0;
  irl_status status = irl_select_solve(search->env, &own, limit, rules[0].clauses, &on_bits);
  if (!status) status = irl_learn_milp_engine.choose(search, problem, limit, chosen, result);
  if (status) return status;
  rules[0].n = on_bits.n;
  rules[1].n = result->n;
  memcpy(rules[1].clauses, chosen, result->n * sizeof *chosen);
  for (int i = 0; i < 2; i++) irl_search_weigh(search, &rules[i]);
  n_solved++;
  if (problem->max_controls < search->problem->data->n_controls)
    n_different += rules[0].tp != rules[1].tp || rules[1].fp > problem->max_controls;
  else
    n_different += rules[0].loss != rules[1].loss;
  return IRL_STATUS_OK;
}

TEST same_optima(uint64_t number) {
  static const irl_search_engine both = {find_clause, choose};
  enum { N = 40, J = 12 };
  irl_random random;
  uint8_t cells[N * J], labels[N];
  irl_data *data;
  irl_options options;
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_random_init(&random, seed, number);
  const uint32_t n = 8 + (uint32_t)irl_random_below(&random, N - 8);
  const uint32_t j = 2 + (uint32_t)irl_random_below(&random, J - 2);
  for (uint32_t i = 0; i < n * j; i++) cells[i] = irl_random_below(&random, 10) < 6;
  for (uint32_t i = 0; i < n; i++)
    labels[i] =
        i < 2 ? (uint8_t)i
              : (uint8_t)((cells[i * j] && cells[i * j + 1]) != !irl_random_below(&random, 6));
  if (irl_data_from_bytes(env, n, j, cells, labels, NULL, &data)) abort();
  irl_options_init(&options, sizeof options);
  options.rule.K = 1 + (int64_t)irl_random_below(&random, 3);
  options.rule.M = 1 + (int64_t)irl_random_below(&random, 3);
  options.rule.negations = irl_random_below(&random, 2);
  options.rule.weights = irl_random_below(&random, 2) ? IRL_WEIGHTS_UNIT : IRL_WEIGHTS_DEFAULT;
  options.search.profile = IRL_PROFILE_PAPER;
  options.search.engine = IRL_ENGINE_MILP;
  options.search.paper_sample = 1 + (int64_t)irl_random_below(&random, 30);
  options.search.budgets = irl_random_below(&random, 2) ? "0,0.1,0.3" : "0.05,1";
  options.limits.threads = 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_options_check(env, &options, IRL_FOR_FIT, IRL_FROM_DATA));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_settings(env, data, &options, &problem, &settings));
  ASSERT_EQ(IRL_STATUS_OK,
            irl_learner_init(&learner, env, &problem, &settings, LIMIT_OF(env, &options)));
  learner.search.engine = &both;
  ASSERT_EQ(IRL_STATUS_OK, irl_learn(&learner));
  ASSERT_EQ_FMT(0ull, (unsigned long long)n_different, "%llu");
  ASSERT(learner.search.best.n <= problem.K);
  ASSERT(learner.search.best.loss <= problem.case_weight * data->n_cases);
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

TEST random_tables(void) {
  const uint64_t n = number_of("IRL_FUZZ", 300);
  for (uint64_t i = 0; i < n; i++) {
    if (same_optima(i) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "IRL_FUZZ_SEED=%llu, table %llu: %s\n", (unsigned long long)seed,
            (unsigned long long)i, irl_env_error(env));
    FAIL();
  }
  ASSERT(n_solved > 5 * n);
  PASS();
}

/* What the option asks for, and what it refuses. */
TEST option(void) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.search.engine = IRL_ENGINE_MILP;
  ASSERT(irl_options_check(env, &options, IRL_FOR_FIT, 0) && strstr(env->error, "profile paper"));
  options.search.profile = IRL_PROFILE_PAPER;
  ASSERT_EQ(IRL_STATUS_OK, irl_options_check(env, &options, IRL_FOR_FIT, 0));
  options.rule.penalty = 0.1;
  ASSERT(irl_options_check(env, &options, IRL_FOR_FIT, 0) && strstr(env->error, "penalties"));
  options.rule.penalty = 0;
  options.rule.loss = IRL_LOSS_HAMMING;
  ASSERT(irl_options_check(env, &options, IRL_FOR_FIT, 0) && strstr(env->error, "Hamming"));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_TEST(option);
  RUN_TEST(random_tables);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
