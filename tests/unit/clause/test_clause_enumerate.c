/* Enumerations against brute force, and in parallel. */
#include "clause/enumerate.h"
#include "clause_oracle.h"
#include "greatest.h"

static irl_env *env;

struct wanted {
  const oracle_case *c;
  irl_clause_thresholds thresholds;
  irl_clause_array store;
};

static void keep_wanted(void *user, const irl_clause *clause) {
  struct wanted *wanted = user;
  if (clause->cases >= wanted->thresholds.min_cases &&
      clause->controls <= wanted->thresholds.max_controls &&
      clause->value >= wanted->thresholds.min_value)
    irl_clause_array_add(&wanted->store, clause);
}

static bool is_enumerated(const irl_clause_array *store, const irl_clause *clause) {
  for (size_t i = 0; i < store->n; i++) {
    irl_clause other;
    irl_clause_array_get(store, i, &other);
    if (other.n == clause->n && other.value == clause->value && other.cases == clause->cases &&
        other.controls == clause->controls &&
        !memcmp(other.literals, clause->literals, clause->n * sizeof(uint32_t)))
      return true;
  }
  return false;
}

/* Is there a listed clause that covers all cases of this one and no other controls? */
static bool is_dominated(const oracle_case *c, const irl_clause_array *store,
                         const irl_clause *clause) {
  uint8_t *mine = malloc(c->n_samples), *other = malloc(c->n_samples);
  irl_clause copy = *clause;
  bool dominated = false;
  oracle_measure(c, &copy, mine);
  for (size_t i = 0; i < store->n && !dominated; i++) {
    irl_clause_array_get(store, i, &copy);
    oracle_measure(c, &copy, other);
    dominated = true;
    for (uint32_t s = 0; s < c->n_samples; s++)
      if (c->labels[s] ? mine[s] > other[s] : mine[s] < other[s]) dominated = false;
  }
  free(mine);
  free(other);
  return dominated;
}

/* Makes a problem for listing: no limits of its own. */
static void loosen(oracle_case *c, bool keeps_all) {
  c->problem.min_cases = 1;
  c->problem.budget = IRL_CLAUSE_NO_LIMIT;
  c->problem.keeps_all = keeps_all;
}

static irl_clause_thresholds random_thresholds(const oracle_case *c, irl_random *random) {
  irl_clause_thresholds t = {oracle_pick(random, 1, 1 + c->n_samples / 6),
                             oracle_pick(random, 0, c->n_samples / 4), 0};
  const int64_t unit = c->weights[0] ? 2 : c->problem.case_weight;
  t.min_value = unit * ((int64_t)oracle_pick(random, 0, 8) - 4);
  return t;
}

static enum greatest_test_res compare(const oracle_case *c, const irl_clause_array *listed,
                                      const irl_clause_thresholds *thresholds, uint64_t seed) {
  struct wanted wanted = {.c = c, .thresholds = *thresholds};
  irl_clause clause = {0};
  uint8_t *covered = malloc(c->n_samples);
  irl_clause_array_init(&wanted.store, &env->allocator, IRL_CLAUSE_MAX);
  oracle_walk(c, &clause, 0, covered, keep_wanted, &wanted);
  bool agrees = !c->problem.keeps_all || wanted.store.n == listed->n;
  for (size_t i = 0; i < listed->n && agrees; i++) {
    irl_clause_array_get(listed, i, &clause);
    agrees = is_enumerated(&wanted.store, &clause);
  }
  for (size_t i = 0; i < wanted.store.n && agrees; i++) {
    irl_clause_array_get(&wanted.store, i, &clause);
    agrees =
        c->problem.keeps_all ? is_enumerated(listed, &clause) : is_dominated(c, listed, &clause);
  }
  if (!agrees)
    fprintf(stderr, "seed %llu: %zu listed, %zu by brute force\n", (unsigned long long)seed,
            listed->n, wanted.store.n);
  free(covered);
  irl_clause_array_free(&wanted.store);
  ASSERT(agrees);
  PASS();
}

/* Lists the clauses within the thresholds, compares and frees the case. */
static enum greatest_test_res check_list(oracle_case *c, const irl_clause_thresholds *thresholds,
                                         uint64_t seed) {
  irl_clause_model model;
  irl_clause_array store;
  irl_limit limit;
  irl_options options;
  irl_ending ending;
  uint64_t work = 0;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &c->problem));
  irl_clause_array_init(&store, &env->allocator, c->problem.max_size);
  ASSERT_EQ(IRL_STATUS_OK,
            irl_clause_enumerate_all(&(irl_clause_search){env, &model, &limit, 2, &work},
                                     thresholds, SIZE_MAX, &store, &ending));
  ASSERT(!ending);
  CHECK_CALL(compare(c, &store, thresholds, seed));
  irl_clause_array_free(&store);
  irl_clause_model_free(&model);
  oracle_free(c);
  PASS();
}

TEST lists_what_brute_force_lists(void) {
  for (uint64_t seed = 1; seed <= 600; seed++) {
    oracle_case c;
    irl_random random;
    irl_random_init(&random, seed, 11);
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    loosen(&c, seed % 2);
    const irl_clause_thresholds thresholds = random_thresholds(&c, &random);
    CHECK_CALL(check_list(&c, &thresholds, seed));
  }
  PASS();
}

TEST lists_what_brute_force_lists_within_small_budgets(void) {
  for (uint64_t seed = 1; seed <= 120; seed++) {
    oracle_case c;
    irl_random random;
    irl_random_init(&random, seed, 11);
    ASSERT_EQ(IRL_STATUS_OK, oracle_make_strict(env, &c, seed));
    const irl_clause_thresholds thresholds = {oracle_pick(&random, 1, 1 + c.n_samples / 20),
                                              (uint32_t)c.problem.budget, IRL_CLAUSE_NO_VALUE};
    loosen(&c, seed % 2);
    CHECK_CALL(check_list(&c, &thresholds, seed));
  }
  PASS();
}

TEST lists_what_brute_force_lists_of_many_literals(void) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    oracle_case c;
    ASSERT_EQ(IRL_STATUS_OK, oracle_make_wide(env, &c, seed));
    loosen(&c, true);
    const irl_clause_thresholds thresholds = {c.n_samples / (seed % 2 ? 12 : 20),
                                              c.n_samples / 40 + (uint32_t)(seed % 3),
                                              IRL_CLAUSE_NO_VALUE};
    CHECK_CALL(check_list(&c, &thresholds, seed));
  }
  PASS();
}

TEST cap_and_threads(void) {
  oracle_case c;
  uint64_t seed = 1;
  for (;; seed++) { /* a problem with many literals */
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    if (c.n_features > 30) break;
    oracle_free(&c);
  }
  loosen(&c, true);
  c.problem.max_size = 3;
  irl_clause_model model;
  irl_limit limit;
  irl_options options;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &c.problem));
  const irl_clause_thresholds thresholds = {1, c.n_samples, IRL_CLAUSE_NO_VALUE};
  for (size_t cap = 1; cap < 5000; cap = cap * 3 + 1) {
    irl_clause_array stores[3];
    for (int i = 0; i < 3; i++) {
      irl_ending ending;
      uint64_t work = 0;
      irl_clause_array_init(&stores[i], &env->allocator, 3);
      ASSERT_EQ(IRL_STATUS_OK,
                irl_clause_enumerate_all(
                    &(irl_clause_search){env, &model, &limit, i == 2 ? 8 : i + 1, &work},
                    &thresholds, cap, &stores[i], &ending));
      ASSERT(stores[i].n == cap || !ending);
      ASSERT_EQ(stores[0].n, stores[i].n);
      for (size_t k = 0; k < stores[i].n; k++) {
        irl_clause a, b;
        irl_clause_array_get(&stores[0], k, &a);
        irl_clause_array_get(&stores[i], k, &b);
        ASSERT(oracle_same(&a, &b));
      }
    }
    for (int i = 0; i < 3; i++) irl_clause_array_free(&stores[i]);
  }
  irl_clause_model_free(&model);
  oracle_free(&c);
  PASS();
}

SUITE(clause_list) {
  RUN_TEST(lists_what_brute_force_lists);
  RUN_TEST(lists_what_brute_force_lists_within_small_budgets);
  RUN_TEST(lists_what_brute_force_lists_of_many_literals);
  RUN_TEST(cap_and_threads);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(clause_list);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
