/* Presolve and postsolve: random models full of equations of one and two columns, against the same
 * models solved as they are. The answer that comes back must pass the check, and its basis must be
 * an optimal one: solving from it takes no iteration. */
#include "lp/lp_model.h"
#include "lp_oracle.h"
#include "model/lp_names.h"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Chains and stars of equations a x_j + b x_k = r through a point within the bounds (mostly). */
static dense random_chains(irl_random *random, bool has_infinite) {
  const uint32_t n = (uint32_t)small_integer(random, 2, 14);
  const uint32_t m = (uint32_t)small_integer(random, 1, 14);
  dense d = random_dense(random, m, n, has_infinite);
  double point[MAX_N];
  for (uint32_t j = 0; j < n; j++) {
    const double base = isfinite(d.lower[j]) ? d.lower[j] : isfinite(d.upper[j]) ? d.upper[j] : 0;
    point[j] = isfinite(d.lower[j]) && d.upper[j] > base ? base + 1 : base;
  }
  for (uint32_t i = 0; i < m; i++) {
    const uint64_t kind = irl_random_below(random, 4);
    double activity = 0;
    if (kind < 2) {
      const uint32_t j = (uint32_t)irl_random_below(random, n);
      const uint32_t k = (uint32_t)irl_random_below(random, n);
      memset(d.a[i], 0, sizeof d.a[i]);
      d.a[i][j] = small_integer(random, 1, 3) * (irl_random_below(random, 2) ? 1 : -1);
      if (irl_random_below(random, 6)) d.a[i][k] = small_integer(random, 1, 4);
    }
    for (uint32_t j = 0; j < n; j++) activity += d.a[i][j] * point[j];
    if (irl_random_below(random, 20) == 0) activity += 1;
    d.row_lower[i] = kind == 3 && irl_random_below(random, 2) ? -INFINITY : activity;
    d.row_upper[i] = kind == 2 ? activity + 2 : activity;
  }
  return d;
}

static uint32_t count_basic(const irl_lp *lp, const uint8_t *at) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < irl_lp_n_columns(lp) + irl_lp_n_rows(lp); v++)
    n += at[v] == IRL_LP_BASIC;
  return n;
}

static bool has_slacks_only(const irl_lp *lp, const uint8_t *at) {
  for (uint32_t j = 0; j < irl_lp_n_columns(lp); j++)
    if (at[j] == IRL_LP_BASIC) return false;
  return true;
}

/* *n_reduced counts the answers that came back from a smaller model. */
TEST agrees(uint64_t seed, bool has_infinite, uint32_t *n_optimal, uint32_t *n_reduced) {
  irl_random random;
  irl_lp_options options;
  irl_lp_result plain, presolved, again;
  irl_lp_residuals residuals;
  uint8_t at[MAX_N + MAX_M];
  irl_random_init(&random, seed, 7);
  irl_lp_options_init(&options, env);
  const dense d = random_chains(&random, has_infinite);
  irl_lp *one = model_of(env, &d), *two = model_of(env, &d);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(one, &options, &plain));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve_presolved(two, &options, &presolved));
  ASSERT_EQ_FMT((int)plain.end, (int)presolved.end, "%d");
  if (plain.end == IRL_LP_OPTIMAL) {
    *n_optimal += 1;
    *n_reduced += two->is_reshaped;
    ASSERT_IN_RANGE(plain.objective, presolved.objective, 1e-9 * (1 + fabs(plain.objective)));
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_kkt(two, &residuals));
    ASSERT(residuals.primal < 1e-9 && residuals.dual < 1e-9 && residuals.gap < 1e-9);
    irl_lp_get_basis(two, at);
    ASSERT_EQ_FMT(d.m, count_basic(two, at), "%u");
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(two, &options, &again));
    ASSERT_EQ_FMT((int)IRL_LP_OPTIMAL, (int)again.end, "%d");
    /* A basis of slacks alone is a cold start to the solver, which may crash a better one. */
    if (!has_slacks_only(two, at)) ASSERT_EQ_FMT(0, (int)again.iterations, "%d");
    ASSERT_IN_RANGE(plain.objective, again.objective, 1e-9 * (1 + fabs(plain.objective)));
  }
  irl_lp_free(one);
  irl_lp_free(two);
  PASS();
}

TEST random_models(bool has_infinite) {
  uint32_t n_optimal = 0, n_reduced = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    if (agrees(seed, has_infinite, &n_optimal, &n_reduced) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  /* The rest had nothing to reduce. */
  ASSERT(n_optimal > 300 && n_reduced > n_optimal * 9 / 10);
  PASS();
}

/* min x + 3y, x + 2z = 4, x - y + z = 0, all in [0, 10]; by hand: x = 0, z = 2, y = 2. */
TEST by_hand(void) {
  irl_lp_options options;
  irl_lp_result result;
  const dense d = {.m = 2,
                   .n = 3,
                   .a = {{1, 0, 2}, {1, -1, 1}},
                   .c = {1, 3, 0},
                   .row_lower = {4, 0},
                   .row_upper = {4, 0},
                   .upper = {10, 10, 10}};
  irl_lp *lp = model_of(env, &d);
  irl_lp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve_presolved(lp, &options, &result));
  ASSERT_EQ_FMT((int)IRL_LP_OPTIMAL, (int)result.end, "%d");
  ASSERT_EQ_FMT(0, (int)result.iterations, "%d");
  ASSERT_IN_RANGE(6.0, result.objective, 1e-12);
  ASSERT_IN_RANGE(0.0, irl_lp_primal(lp)[0], 1e-12);
  ASSERT_IN_RANGE(2.0, irl_lp_primal(lp)[1], 1e-12);
  ASSERT_IN_RANGE(2.0, irl_lp_primal(lp)[2], 1e-12);
  irl_lp_free(lp);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(by_hand);
  RUN_TESTp(random_models, false);
  RUN_TESTp(random_models, true);
  GREATEST_MAIN_END();
}
