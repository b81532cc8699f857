/* BP1 .. BP6 on tiny data against trying every rule: both variants, as the paper has them and as
 * ours, for the objective of each. BP_FIRST_SEED and BP_LAST_SEED try more of them. */
#include "bits/bits.h"
#include "ireland_model.h"
#include "support.h"
#include <math.h>

enum { MAX_CLAUSES = 600 };

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Every clause of at most M literals as the samples that it covers. */
typedef struct every {
  uint32_t n, n_cases, n_controls;
  uint32_t covers[MAX_CLAUSES]; /* [0] is the empty clause */
  uint32_t cases;               /* which samples are */
} every;

static bool has(const table *t, uint32_t i, uint32_t literal) {
  const bool value = t->cells[i * t->j + literal % t->j];
  return literal < t->j ? value : !value;
}

static void list_clauses(const table *t, uint32_t n_literals, uint32_t first, uint32_t left,
                         uint32_t cover, every *e) {
  if (e->n == MAX_CLAUSES) abort();
  e->covers[e->n++] = cover;
  for (uint32_t l = first; l < n_literals && left > 0; l++) {
    uint32_t next = cover;
    for (uint32_t i = 0; i < t->n; i++)
      if (!has(t, i, l)) next &= ~(1u << i);
    list_clauses(t, n_literals, l + 1, left - 1, next, e);
  }
}

static every every_clause(const table *t, uint32_t M, bool negations) {
  every e = {0};
  for (uint32_t i = 0; i < t->n; i++)
    if (t->labels[i]) e.cases |= 1u << i;
  e.n_cases = (uint32_t)__builtin_popcount(e.cases);
  e.n_controls = t->n - e.n_cases;
  list_clauses(t, negations ? 2 * t->j : t->j, 0, M, (1u << t->n) - 1, &e);
  return e;
}

/* The least loss with `left` further clauses from number `first` on. */
static uint32_t best_of(const every *e, bool is_hamming, bool is_plain, uint32_t first,
                        uint32_t left, uint32_t covered, uint32_t paid) {
  uint32_t best = UINT32_MAX;
  if (!left || !is_plain) {
    const uint32_t fp = (uint32_t)__builtin_popcount(covered & ~e->cases);
    const uint32_t fn = (uint32_t)__builtin_popcount(e->cases & ~covered);
    best = e->n_cases * (is_hamming ? paid : fp) + e->n_controls * fn;
  }
  for (uint32_t k = first; k < e->n && left > 0; k++) {
    const uint32_t fp = (uint32_t)__builtin_popcount(e->covers[k] & ~e->cases);
    const uint32_t value =
        best_of(e, is_hamming, is_plain, k, left - 1, covered | e->covers[k], paid + fp);
    if (value < best) best = value;
  }
  return best;
}

static irl_data *data_of(const table *t) {
  irl_data *data;
  if (irl_data_from_bytes(env, t->n, t->j, t->cells, t->labels, NULL, &data)) abort();
  return data;
}

static irl_options options_for(int form, uint32_t K, uint32_t M, bool negations, int variant) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.search.method = (irl_method)(IRL_METHOD_BP1 + form - 1);
  options.search.form = (irl_form)(IRL_FORM_BP1 + form - 1);
  options.rule.K = K;
  options.rule.M = M;
  options.rule.negations = negations;
  options.search.binary = variant & 1;
  options.search.plain = variant & 2;
  options.search.no_start = true;
  options.limits.threads = 1;
  return options;
}

/* The rule itself must have the loss that is claimed. */
static bool is_loss_right(const irl_data *data, const irl_fit_result *result, bool is_hamming) {
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_fit_describe(result, &info);
  if (irl_evaluate(env, irl_fit_rule(result), data, &e)) abort();
  return fabs(info.objective - (is_hamming ? e.hamming_loss : e.weighted_error)) < 1e-9;
}

static bool is_right(const irl_data *data, const irl_options *options, uint32_t wanted,
                     bool is_hamming) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  if (irl_fit(env, data, options, &result)) {
    fprintf(stderr, "%s\n", irl_env_error(env));
    return false;
  }
  irl_fit_describe(result, &info);
  const double found = info.objective * (double)info.samples;
  const bool is_good = info.outcome == IRL_OUTCOME_OPTIMAL && fabs(found - wanted) < 1e-6 &&
                       info.gap == 0 && is_loss_right(data, result, is_hamming);
  if (!is_good)
    fprintf(stderr, "bp%d%s%s: %s %g, not %u\n", (int)options->search.method - IRL_METHOD_BP1 + 1,
            options->search.binary ? " binary" : "", options->search.plain ? " plain" : "",
            irl_outcome_text(info.outcome), found, wanted);
  irl_fit_free(result);
  return is_good;
}

static bool is_case_right(uint64_t seed) {
  irl_random random;
  bool is_good = true;
  irl_random_init(&random, seed, 7);
  const uint32_t n = 3 + (uint32_t)irl_random_below(&random, 10);
  const uint32_t j = 1 + (uint32_t)irl_random_below(&random, 6);
  const uint32_t K = 1 + (uint32_t)irl_random_below(&random, 3);
  const uint32_t M = 1 + (uint32_t)irl_random_below(&random, 3);
  const bool negations = irl_random_below(&random, 4) == 0;
  table t = random_table(&random, n, j);
  t.cells[0] = !t.cells[(n - 1) * j]; /* some feature is not constant */
  const every e = every_clause(&t, M, negations);
  irl_data *data = data_of(&t);
  for (int form = 1; form <= 6; form++) {
    const bool is_hamming = form >= 5;
    for (int variant = 0; variant < 4; variant++) {
      const bool is_plain = variant & 2;
      const uint32_t wanted = best_of(&e, is_hamming, is_plain, is_plain ? 0 : 1, K, 0, 0);
      irl_options options = options_for(form, K, M, negations, variant);
      is_good &= is_right(data, &options, wanted, is_hamming);
      options.search.no_start = false;
      if (variant == 0 && seed % 4 == 0) is_good &= is_right(data, &options, wanted, is_hamming);
    }
  }
  if (!is_good)
    fprintf(stderr, "seed %llu: N %u J %u K %u M %u\n", (unsigned long long)seed, n, j, K, M);
  irl_data_free(data);
  free_table(&t);
  return is_good;
}

TEST every_rule(void) {
  const char *first_text = getenv("BP_FIRST_SEED"), *last_text = getenv("BP_LAST_SEED");
  const uint64_t first = first_text ? strtoull(first_text, NULL, 10) : 1;
  const uint64_t last = last_text ? strtoull(last_text, NULL, 10) : 20;
  bool is_good = true;
  for (uint64_t seed = first; seed <= last; seed++) is_good &= is_case_right(seed);
  ASSERT(is_good);
  PASS();
}

/* Whatever a limit leaves: the objective is that of the rule, and the bound is not above it. */
TEST limits_tell_the_truth(void) {
  irl_random random;
  irl_random_init(&random, 3, 0);
  uint32_t n_rules = 0;
  for (int i = 0; i < 240; i++) {
    const uint32_t n = 6 + (uint32_t)irl_random_below(&random, 8);
    table t = random_table(&random, n, 6);
    irl_fit_result *result;
    irl_fit_info info = IRL_SIZED(irl_fit_info);
    const int form = 1 + i % 6;
    t.cells[0] = !t.cells[(n - 1) * 6];
    irl_data *data = data_of(&t);
    irl_options options = options_for(form, 2, 3, false, (i / 6) % 2);
    options.limits.work_limit = 500 + (int64_t)irl_random_below(&random, 40000);
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
    irl_fit_describe(result, &info);
    if (!isnan(info.objective)) {
      n_rules++;
      ASSERT(is_loss_right(data, result, form >= 5));
      ASSERT(info.bound <= info.objective);
    }
    irl_fit_free(result);
    irl_data_free(data);
    free_table(&t);
  }
  ASSERT(n_rules > 60);
  PASS();
}

/* The model of the paper has the rows and columns of its table. */
TEST sizes_of_the_paper(void) {
  irl_random random;
  irl_random_init(&random, 1, 8);
  const uint32_t n = 30, J = 7, K = 2;
  table t = random_table(&random, n, J);
  irl_data *data = data_of(&t);
  irl_data_info about = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &about);
  const uint64_t n1 = about.cases, n0 = about.controls;
  const uint64_t rows[] = {K + n * K + n, 0, K + n * K + n0 * K + n1, 0, K + n * K + n1, 0};
  const uint64_t binary[] = {J * K + n1 * K + n0, J * K + n0, J * K + n1 * K, J * K,
                             J * K + n1 * K,      J * K};
  for (int form = 1; form <= 6; form++) {
    irl_options options = options_for(form, K, 3, false, 2);
    irl_model *model;
    irl_model_info info = {.size = sizeof info};
    ASSERT_EQ(IRL_STATUS_OK, irl_model_from_data(env, data, &options, &model));
    irl_model_describe(model, &info);
    if (rows[form - 1]) ASSERT_EQ_FMT((long)rows[form - 1], (long)info.rows, "%ld");
    ASSERT_EQ_FMT((long)binary[form - 1], (long)info.integers, "%ld");
    irl_model_free(model);
  }
  irl_data_free(data);
  free_table(&t);
  PASS();
}

/* Models that are written and read again have the same optimum. */
TEST written_models(void) {
  irl_random random;
  irl_random_init(&random, 3, 9);
  make_folder("build/test-bp");
  table t = random_table(&random, 12, 5);
  irl_data *data = data_of(&t);
  const every e = every_clause(&t, 2, false);
  for (int form = 1; form <= 6; form++) {
    irl_options options = options_for(form, 2, 2, false, 0);
    irl_model *model;
    irl_solution solution = {.size = sizeof solution};
    const uint32_t wanted = best_of(&e, form >= 5, false, 1, 2, 0, 0);
    ASSERT_EQ(IRL_STATUS_OK, irl_model_from_data(env, data, &options, &model));
    ASSERT_EQ(IRL_STATUS_OK, irl_model_write(env, model, "build/test-bp/m.mps"));
    irl_model_free(model);
    ASSERT_EQ(IRL_STATUS_OK, irl_model_read(env, "build/test-bp/m.mps", &model));
    ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solution.outcome);
    ASSERT_IN_RANGE((double)wanted, solution.objective, 1e-6);
    irl_model_free(model);
  }
  irl_data_free(data);
  free_table(&t);
  PASS();
}

TEST bad_options(void) {
  irl_random random;
  irl_random_init(&random, 4, 9);
  table t = random_table(&random, 12, 5);
  irl_data *data = data_of(&t);
  irl_options options = options_for(1, 2, 2, false, 0);
  irl_model *model = NULL;
  irl_fit_result *result = NULL;
  options.search.form = IRL_N_FORM;
  options.search.method = IRL_N_METHOD;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_from_data(env, data, &options, &model));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_fit(env, data, &options, &result));
  irl_data_free(data);
  free_table(&t);
  PASS();
}

SUITE(bp) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(every_rule);
  RUN_TEST(limits_tell_the_truth);
  RUN_TEST(sizes_of_the_paper);
  RUN_TEST(written_models);
  RUN_TEST(bad_options);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(bp);
  GREATEST_MAIN_END();
}
