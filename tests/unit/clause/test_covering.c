/* Clauses that cover many cases, against brute force on small tables, and against the other
 * enumeration on tables whose columns cross the blocks of the counters. */
#include "clause/covering.h"
#include "clause_oracle.h"
#include "greatest.h"
#include <math.h>

static irl_env *env;

static int compare_clauses(const void *x, const void *y) {
  const irl_clause *a = x, *b = y;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  return memcmp(a->literals, b->literals, a->n * sizeof *a->literals);
}

static irl_clause *sorted(const irl_clause_array *store) {
  irl_clause *all = calloc(store->n + 1, sizeof *all);
  for (size_t i = 0; i < store->n; i++) irl_clause_array_get(store, i, &all[i]);
  qsort(all, store->n, sizeof *all, compare_clauses);
  return all;
}

static bool are_same(const irl_clause_array *a, const irl_clause_array *b) {
  irl_clause *x = sorted(a), *y = sorted(b);
  bool is_same = a->n == b->n;
  for (size_t i = 0; i < a->n && is_same; i++)
    is_same = !compare_clauses(&x[i], &y[i]) && x[i].cases == y[i].cases &&
              x[i].controls == y[i].controls;
  free(x);
  free(y);
  return is_same;
}

struct wanted {
  irl_clause_thresholds thresholds;
  irl_clause_array store;
};

static void keep_wanted(void *user, const irl_clause *clause) {
  struct wanted *wanted = user;
  if (clause->cases >= wanted->thresholds.min_cases &&
      clause->controls <= wanted->thresholds.max_controls)
    irl_clause_array_add(&wanted->store, clause);
}

static irl_status list(const irl_clause_model *model, const irl_clause_thresholds *thresholds,
                       size_t cap, int threads, irl_clause_array *store, irl_ending *ending) {
  irl_options options;
  irl_limit limit;
  uint64_t work = 0;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  irl_clause_array_init(store, &env->allocator, model->max_size);
  const irl_clause_search search = {env, model, &limit, threads, &work};
  return irl_clause_list_covering(&search, thresholds, cap, store, ending);
}

/* Only counts matter to a listing of this kind. */
static void loosen(oracle_case *c) {
  c->problem.min_cases = 1;
  c->problem.budget = IRL_CLAUSE_NO_LIMIT;
  c->problem.keeps_all = true;
}

TEST lists_what_brute_force_lists(void) {
  size_t n_listed = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    oracle_case c;
    irl_clause_model model;
    irl_random random;
    irl_clause_array store;
    irl_clause clause = {0};
    irl_ending ending;
    irl_random_init(&random, seed, 12);
    ASSERT_EQ(IRL_STATUS_OK, (seed % 10 ? oracle_make : oracle_make_wide)(env, &c, seed));
    loosen(&c);
    if (c.problem.max_size < 3) c.problem.max_size = 3;
    struct wanted wanted = {.thresholds = {oracle_pick(&random, 1, 1 + c.n_samples / 6),
                                           oracle_pick(&random, 0, c.n_samples / 4),
                                           IRL_CLAUSE_ANY_VALUE}};
    if (seed % 10 == 0) wanted.thresholds.min_cases = c.n_samples / 12;
    irl_clause_array_init(&wanted.store, &env->allocator, IRL_CLAUSE_MAX);
    uint8_t *covered = malloc(c.n_samples);
    oracle_walk(&c, &clause, 0, covered, keep_wanted, &wanted);
    ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &c.problem));
    ASSERT_EQ(IRL_STATUS_OK,
              list(&model, &wanted.thresholds, SIZE_MAX, 1 + (int)(seed % 3), &store, &ending));
    ASSERT(!ending);
    if (!are_same(&store, &wanted.store)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    ASSERT(are_same(&store, &wanted.store));
    n_listed += store.n;
    free(covered);
    irl_clause_array_free(&store);
    irl_clause_array_free(&wanted.store);
    irl_clause_model_free(&model);
    oracle_free(&c);
  }
  ASSERT(n_listed > 10000);
  PASS();
}

struct priced {
  irl_clause_thresholds thresholds;
  int64_t value, weight; /* of a case, of a control */
  irl_clause_array store;
};

/* Clauses that are worth more than a price of their controls, as a proof on few cases lists them:
 * value (cases - least + 1) > weight of the controls. */
static void keep_worthy(void *user, const irl_clause *clause) {
  struct priced *wanted = user;
  const int64_t more = (int64_t)clause->cases - (int64_t)wanted->thresholds.min_cases + 1;
  if (more > 0 && clause->controls <= wanted->thresholds.max_controls &&
      wanted->value * more > wanted->weight * (int64_t)clause->controls)
    irl_clause_array_add(&wanted->store, clause);
}

TEST priced_lists_are_those_of_brute_force(void) {
  size_t n_listed = 0, n_cheap = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    oracle_case c;
    irl_clause_model model;
    irl_random random;
    irl_clause_array store;
    irl_clause clause = {0};
    irl_ending ending;
    irl_random_init(&random, seed, 13);
    ASSERT_EQ(IRL_STATUS_OK, (seed % 10 ? oracle_make : oracle_make_wide)(env, &c, seed));
    loosen(&c);
    if (c.problem.max_size < 3) c.problem.max_size = 3;
    struct priced wanted = {.value = (int64_t)oracle_pick(&random, 1, 40),
                            .weight = (int64_t)oracle_pick(&random, 1, 40)};
    const uint32_t least =
        seed % 10 ? oracle_pick(&random, 1, 1 + c.n_samples / 6) : c.n_samples / 12;
    c.problem.case_weights = c.problem.control_weights = NULL;
    c.problem.case_weight = wanted.value;
    c.problem.control_weight = wanted.weight;
    wanted.thresholds = (irl_clause_thresholds){least, oracle_pick(&random, 0, c.n_samples / 2),
                                                wanted.value * ((int64_t)least - 1) + 1};
    irl_clause_array_init(&wanted.store, &env->allocator, IRL_CLAUSE_MAX);
    uint8_t *covered = malloc(c.n_samples);
    oracle_walk(&c, &clause, 0, covered, keep_worthy, &wanted);
    ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &c.problem));
    ASSERT_EQ(IRL_STATUS_OK,
              list(&model, &wanted.thresholds, SIZE_MAX, 1 + (int)(seed % 3), &store, &ending));
    ASSERT(!ending);
    if (!are_same(&store, &wanted.store)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    ASSERT(are_same(&store, &wanted.store));
    n_listed += store.n;
    n_cheap += wanted.value < wanted.weight;
    free(covered);
    irl_clause_array_free(&store);
    irl_clause_array_free(&wanted.store);
    irl_clause_model_free(&model);
    oracle_free(&c);
  }
  ASSERT(n_listed > 5000 && n_cheap > 50);
  PASS();
}

/* Many features, few of them frequent; numbers around the blocks. */
static irl_data *make_wide(uint32_t n_features, uint32_t n_samples, uint64_t seed) {
  uint8_t *cells = malloc((size_t)n_samples * n_features), *labels = malloc(n_samples);
  irl_random random;
  irl_data *data = NULL;
  irl_random_init(&random, seed, 3);
  for (uint32_t i = 0; i < n_samples; i++) {
    labels[i] = irl_random_below(&random, 3) > 0;
    for (uint32_t j = 0; j < n_features; j++)
      cells[i * n_features + j] = irl_random_below(&random, 10) < 3 + 4 * (j % 16 == 0);
  }
  irl_data_from_bytes(env, n_samples, n_features, cells, labels, NULL, &data);
  free(cells);
  free(labels);
  return data;
}

TEST agrees_across_blocks(void) {
  static const uint32_t widths[] = {180, 63, 64, 65, 511, 512, 513, 514, 575, 576, 577, 1024, 1025};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    const uint32_t n_samples = 90 + 37 * (uint32_t)i;
    irl_data *data = make_wide(widths[i], n_samples, i + 1);
    irl_clause_problem problem;
    irl_clause_model model;
    irl_clause_array mine, other;
    irl_options options;
    irl_limit limit;
    uint64_t work = 0;
    irl_ending ending;
    ASSERT(data);
    irl_options_init(&options, sizeof options);
    irl_limit_init(&limit, env, &options);
    irl_clause_problem_init(&problem, data);
    problem.max_size = 4;
    problem.budget = IRL_CLAUSE_NO_LIMIT;
    problem.keeps_all = true;
    ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &problem));
    const irl_clause_thresholds thresholds = {data->n_cases / (widths[i] == 180 ? 10 : 6),
                                              data->n_controls / 3, IRL_CLAUSE_ANY_VALUE};
    irl_clause_array_init(&other, &env->allocator, 4);
    ASSERT_EQ(IRL_STATUS_OK,
              irl_clause_enumerate_all(&(irl_clause_search){env, &model, &limit, 2, &work},
                                       &thresholds, SIZE_MAX, &other, &ending));
    ASSERT_EQ(IRL_STATUS_OK, list(&model, &thresholds, SIZE_MAX, 2, &mine, &ending));
    ASSERT(!ending && mine.n > 20);
    ASSERT(are_same(&mine, &other));
    irl_clause_array_free(&mine);
    irl_clause_array_free(&other);
    irl_clause_model_free(&model);
    irl_data_free(data);
  }
  PASS();
}

/* Few controls, which a last literal is tried on before the cases; numbers around what that is
 * done for. */
TEST few_controls_agree(void) {
  static const uint32_t most[] = {0, 1, 3, 8, 24, 40, 56, 57};
  size_t n_listed = 0;
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    irl_data *data = make_wide(i % 3 ? 60 : 515, 500 + 211 * (uint32_t)i, i + 50);
    irl_clause_problem problem;
    irl_clause_model model;
    irl_clause_array mine, other;
    irl_options options;
    irl_limit limit;
    uint64_t work = 0;
    irl_ending ending;
    ASSERT(data);
    irl_options_init(&options, sizeof options);
    irl_limit_init(&limit, env, &options);
    irl_clause_problem_init(&problem, data);
    problem.max_size = i % 3 == 1 ? 4 : 3;
    problem.budget = IRL_CLAUSE_NO_LIMIT;
    problem.keeps_all = true;
    ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &problem));
    const irl_clause_thresholds thresholds = {data->n_cases / (i % 3 ? 40 : 18), most[i],
                                              IRL_CLAUSE_ANY_VALUE};
    irl_clause_array_init(&other, &env->allocator, problem.max_size);
    ASSERT_EQ(IRL_STATUS_OK,
              irl_clause_enumerate_all(&(irl_clause_search){env, &model, &limit, 2, &work},
                                       &thresholds, SIZE_MAX, &other, &ending));
    ASSERT_EQ(IRL_STATUS_OK, list(&model, &thresholds, SIZE_MAX, 2, &mine, &ending));
    ASSERT(!ending);
    ASSERT(are_same(&mine, &other));
    n_listed += mine.n;
    irl_clause_array_free(&mine);
    irl_clause_array_free(&other);
    irl_clause_model_free(&model);
    irl_data_free(data);
  }
  ASSERT(n_listed > 300);
  PASS();
}

TEST cap_and_threads(void) {
  irl_data *data = make_wide(300, 200, 9);
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_problem_init(&problem, data);
  problem.max_size = 4;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.keeps_all = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &problem));
  const irl_clause_thresholds thresholds = {data->n_cases / 8, data->n_controls / 4,
                                            IRL_CLAUSE_ANY_VALUE};
  for (size_t cap = 1; cap < 100000; cap = cap * 7 + 1) {
    irl_clause_array stores[3];
    for (int i = 0; i < 3; i++) {
      irl_ending ending;
      ASSERT_EQ(IRL_STATUS_OK,
                list(&model, &thresholds, cap, i == 2 ? 8 : i + 1, &stores[i], &ending));
      ASSERT(!ending ? stores[i].n < cap : stores[i].n == cap);
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
  irl_data_free(data);
  PASS();
}

/* A large sample is near the truth, where chance decides. */
TEST estimates_are_near(void) {
  irl_data *data = make_wide(200, 300, 4);
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array found;
  irl_options options;
  irl_limit limit;
  uint64_t work = 0;
  irl_ending ending;
  irl_covering_estimate e;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  irl_clause_problem_init(&problem, data);
  problem.max_size = 4;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.keeps_all = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_model_init(env, &model, &problem));
  const irl_clause_thresholds thresholds = {data->n_cases / 20, data->n_controls,
                                            IRL_CLAUSE_ANY_VALUE};
  ASSERT_EQ(IRL_STATUS_OK, list(&model, &thresholds, SIZE_MAX, 1, &found, &ending));
  size_t n = 0, triples = 0;
  for (size_t i = 0; i < found.n; i++) {
    n += found.sizes[i] > 2;
    triples += found.sizes[i] == 3;
  }
  const irl_clause_search search = {env, &model, &limit, 1, &work};
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_estimate_covering(&search, &thresholds, 20000, &e));
  ASSERT(n > 1000);
  ASSERT(fabs(e.clauses / (double)n - 1) < 0.25);
  ASSERT(fabs(e.triples / (double)triples - 1) < 0.1);
  ASSERT(e.work > 0);
  irl_clause_array_free(&found);
  irl_clause_model_free(&model);
  irl_data_free(data);
  PASS();
}

SUITE(covering) {
  RUN_TEST(lists_what_brute_force_lists);
  RUN_TEST(priced_lists_are_those_of_brute_force);
  RUN_TEST(agrees_across_blocks);
  RUN_TEST(few_controls_agree);
  RUN_TEST(cap_and_threads);
  RUN_TEST(estimates_are_near);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(covering);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
