/* Conflicts of infeasible models: the rows that are named cannot hold together, and where the
 * conflict is called irreducible any one of them can be left out; both by enumeration. */
#include "base/memory.h"
#include "lp_oracle.h"
#include "milp/conflict.h"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Can the rows with is_in hold, with all columns integer or with none? */
static bool can_hold(const dense *d, const bool *is_in, bool is_integer) {
  dense sub = *d;
  double x[MAX_N] = {0};
  for (uint32_t j = 0; j < d->n; j++) sub.c[j] = 0;
  for (uint32_t i = 0; i < d->m; i++)
    if (!is_in[i]) sub.row_lower[i] = -INFINITY, sub.row_upper[i] = INFINITY;
  if (!is_integer) return solve_dense(env, &sub).end == IRL_LP_OPTIMAL;
  for (uint32_t j = 0; j < d->n; j++) x[j] = d->lower[j];
  for (;;) {
    uint32_t j = 0;
    if (is_feasible_point(&sub, x)) return true;
    while (j < d->n && ++x[j] > d->upper[j]) x[j] = d->lower[j], j++;
    if (j == d->n) return false;
  }
}

/* *n_found counts those that are infeasible. */
TEST holds(uint64_t seed, uint64_t max_work, uint32_t *n_found) {
  irl_random random;
  irl_random_init(&random, seed, 11);
  const uint32_t m = 2 + (uint32_t)irl_random_below(&random, 9);
  dense d = random_dense(&random, m, 2 + (uint32_t)irl_random_below(&random, 3), false);
  const bool wants_integers = irl_random_below(&random, 2);
  bool is_in[MAX_M], is_integer[MAX_N];
  for (uint32_t i = 0; i < m; i++) is_in[i] = true;
  for (uint32_t j = 0; j < d.n; j++) is_integer[j] = wants_integers;
  if (can_hold(&d, is_in, wants_integers)) PASS();
  irl_lp *lp = model_of(env, &d);
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_conflict c;
  irl_milp_problem_init(&problem, lp, is_integer);
  irl_milp_options_init(&options, env);
  options.limit.max_work = max_work;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_find_conflict(env, &problem, &options, &c));
  ++*n_found;
  for (uint32_t i = 0; i < m; i++) is_in[i] = false;
  for (uint32_t k = 0; k < c.n; k++) is_in[c.rows[k]] = true;
  ASSERT(!can_hold(&d, is_in, wants_integers));
  ASSERT(c.needs_integers || !can_hold(&d, is_in, false));
  ASSERT(wants_integers || !c.needs_integers || !c.is_irreducible);
  ASSERT(c.is_irreducible || max_work < UINT64_MAX);
  for (uint32_t k = 0; k < c.n; k++) {
    ASSERT(k == 0 || c.rows[k - 1] < c.rows[k]);
    is_in[c.rows[k]] = false;
    if (c.is_irreducible) ASSERT(can_hold(&d, is_in, c.needs_integers));
    is_in[c.rows[k]] = true;
  }
  irl_mem_free(&env->allocator, c.rows);
  irl_lp_free(lp);
  PASS();
}

TEST random_models(void) {
  uint32_t n_found = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++)
    for (int is_cut = 0; is_cut < 2; is_cut++) {
      if (holds(seed, is_cut ? 200 : UINT64_MAX, &n_found) == GREATEST_TEST_RES_PASS) continue;
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
      FAIL();
    }
  ASSERT(n_found > 500);
  PASS();
}

/* A long chain x1 <= x2 <= ... with the ends apart: every row of it is needed, no other one is. */
TEST long_chain(void) {
  enum { N = 300 };
  irl_lp *lp;
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_conflict c;
  static bool is_integer[N];
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  for (uint32_t j = 0; j < N; j++)
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, 0, j ? 0 : 6, j + 1 < N ? 10 : 5, NULL));
  for (uint32_t j = 0; j < N; j++) {
    const uint32_t pair[] = {j, (j + 1) % N};
    const double values[] = {1, -1};
    ASSERT_EQ(IRL_STATUS_OK,
              irl_lp_add_row(lp, -INFINITY, j + 1 < N ? 0 : 9, &(irl_lp_terms){2, pair, values}));
  }
  irl_milp_problem_init(&problem, lp, is_integer);
  irl_milp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_find_conflict(env, &problem, &options, &c));
  ASSERT_EQ_FMT(N - 1u, c.n, "%u");
  ASSERT(c.is_irreducible && !c.needs_integers && c.rows[N - 2] == N - 2);
  irl_mem_free(&env->allocator, c.rows);
  irl_lp_free(lp);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  GREATEST_SET_SETUP_CB(set_up, NULL);
  GREATEST_SET_TEARDOWN_CB(tear_down, NULL);
  RUN_TEST(random_models);
  RUN_TEST(long_chain);
  GREATEST_MAIN_END();
}
