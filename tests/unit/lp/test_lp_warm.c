/* Warm starts: after random sequences of changes to a model, going on from the old basis gives the
 * same as solving from scratch, and costs little. */
#include "lp_oracle.h"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static void change_bounds(irl_random *random, dense *d, irl_lp *lp) {
  const uint32_t j = (uint32_t)irl_random_below(random, d->n);
  d->lower[j] = small_integer(random, -3, 1);
  d->upper[j] = d->lower[j] + small_integer(random, 0, 4);
  irl_lp_set_bounds(lp, j, d->lower[j], d->upper[j]);
}

static void change_row(irl_random *random, dense *d, irl_lp *lp) {
  const uint32_t i = (uint32_t)irl_random_below(random, d->m);
  d->row_lower[i] = small_integer(random, -9, 0);
  d->row_upper[i] = d->row_lower[i] + small_integer(random, 0, 9);
  irl_lp_set_row_bounds(lp, i, d->row_lower[i], d->row_upper[i]);
}

static void change_cost(irl_random *random, dense *d, irl_lp *lp) {
  const uint32_t j = (uint32_t)irl_random_below(random, d->n);
  d->c[j] = small_integer(random, -4, 4);
  irl_lp_set_cost(lp, j, d->c[j]);
}

static void add_row(irl_random *random, dense *d, irl_lp *lp) {
  uint32_t columns[MAX_N];
  if (d->m == MAX_M) return;
  const uint32_t i = d->m++;
  for (uint32_t j = 0; j < d->n; j++) {
    columns[j] = j;
    d->a[i][j] = irl_random_below(random, 3) ? 0 : small_integer(random, -3, 3);
  }
  d->row_lower[i] = -INFINITY;
  d->row_upper[i] = small_integer(random, 0, 6);
  if (irl_lp_add_row(lp, -INFINITY, d->row_upper[i], &(irl_lp_terms){d->n, columns, d->a[i]}))
    abort();
}

static void add_column(irl_random *random, dense *d, irl_lp *lp) {
  uint32_t rows[MAX_M];
  double values[MAX_M];
  if (d->n == MAX_N) return;
  const uint32_t j = d->n++;
  for (uint32_t i = 0; i < d->m; i++) {
    rows[i] = i;
    values[i] = d->a[i][j] = irl_random_below(random, 3) ? 0 : small_integer(random, -3, 3);
  }
  d->c[j] = small_integer(random, -4, 4);
  d->lower[j] = 0;
  d->upper[j] = 2;
  if (irl_lp_add_column(lp, d->c[j], 0, 2, &(irl_lp_terms){d->m, rows, values})) abort();
}

static void delete_rows(irl_random *random, dense *d, irl_lp *lp) {
  bool is_gone[MAX_M];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->m; i++) {
    is_gone[i] = irl_random_below(random, 4) == 0;
    if (is_gone[i]) continue;
    memmove(d->a[kept], d->a[i], sizeof d->a[i]);
    d->row_lower[kept] = d->row_lower[i];
    d->row_upper[kept++] = d->row_upper[i];
  }
  if (kept == 0) return;
  d->m = kept;
  if (irl_lp_delete_rows(lp, is_gone)) abort();
}

TEST equals_cold(uint64_t seed) {
  static void (*const changes[])(irl_random *, dense *, irl_lp *) = {
      change_bounds, change_bounds, change_bounds, change_row,
      change_cost,   add_row,       add_column,    delete_rows};
  irl_random random;
  irl_random_init(&random, seed, 3);
  dense d = random_dense(&random, 3 + (uint32_t)irl_random_below(&random, 10),
                         3 + (uint32_t)irl_random_below(&random, 20), irl_random_below(&random, 2));
  irl_lp *lp = model_of(env, &d);
  for (int step = 0; step < 30; step++) {
    const irl_lp_result warm = solve_lp(env, lp), cold = solve_dense(env, &d);
    ASSERT_EQ_FMT((int)cold.end, (int)warm.end, "%d");
    ASSERT(warm.end != IRL_LP_TROUBLE);
    if (cold.end == IRL_LP_OPTIMAL) ASSERT(is_close(cold.objective, warm.objective));
    for (uint64_t k = irl_random_below(&random, 3) + 1; k-- > 0;)
      changes[irl_random_below(&random, sizeof changes / sizeof *changes)](&random, &d, lp);
  }
  irl_lp_free(lp);
  PASS();
}

TEST random_changes(void) {
  for (uint64_t seed = 1; seed <= 150; seed++) {
    if (equals_cold(seed) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  PASS();
}

/* Any assignment of basic and nonbasic is a legal start, also one with the wrong number of basic
 * variables or dependent columns. */
TEST any_basis(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    irl_random random;
    uint8_t at[MAX_M + MAX_N];
    irl_random_init(&random, seed, 4);
    const dense d = random_dense(&random, 10, 12, irl_random_below(&random, 2));
    irl_lp *lp = model_of(env, &d);
    const irl_lp_result cold = solve_lp(env, lp);
    for (uint32_t v = 0; v < d.m + d.n; v++)
      at[v] = irl_random_below(&random, 2) ? IRL_LP_BASIC : (uint8_t)irl_random_below(&random, 3);
    irl_lp_set_basis(lp, at);
    const irl_lp_result result = solve_lp(env, lp);
    ASSERT_EQ_FMT((int)cold.end, (int)result.end, "%d");
    if (cold.end == IRL_LP_OPTIMAL) ASSERT(is_close(cold.objective, result.objective));
    irl_lp_free(lp);
  }
  PASS();
}

TEST costs_little(void) {
  irl_random random;
  irl_random_init(&random, 1, 5);
  irl_lp *lp;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  for (uint32_t i = 0; i < 200; i++)
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 1, INFINITY, NULL));
  for (uint32_t j = 0; j < 100; j++) {
    uint32_t rows[200], n = 0;
    double ones[200];
    for (uint32_t i = 0; i < 200; i++)
      if (irl_random_below(&random, 8) == 0) {
        ones[n] = 1;
        rows[n++] = i;
      }
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, small_integer(&random, 5, 9), 0, 1,
                                               &(irl_lp_terms){n, rows, ones}));
  }
  const irl_lp_result first = solve_lp(env, lp);
  ASSERT_EQ(IRL_LP_OPTIMAL, first.end);
  uint64_t sum = 0;
  uint32_t n = 0;
  for (uint32_t j = 0; j < 100; j++) {
    if (irl_lp_primal(lp)[j] < 0.1 || irl_lp_primal(lp)[j] > 0.9) continue;
    irl_lp_set_bounds(lp, j, 0, 0);
    sum += solve_lp(env, lp).work;
    n++;
    irl_lp_set_bounds(lp, j, 0, 1);
    solve_lp(env, lp);
  }
  ASSERT(n > 5);
  ASSERT(sum / n < first.work / 3);
  irl_lp_free(lp);
  PASS();
}

/* A node of a branch and bound: its basis is kept, left and come back to. */
TEST restored_basis(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    irl_random random;
    uint8_t basis[64];
    irl_random_init(&random, seed, 6);
    dense d = random_dense(&random, 12, 16, irl_random_below(&random, 2));
    irl_lp *lp = model_of(env, &d);
    const irl_lp_result first = solve_lp(env, lp);
    ASSERT(irl_lp_n_rows(lp) + irl_lp_n_columns(lp) <= sizeof basis);
    irl_lp_get_basis(lp, basis);
    const dense old = d;
    for (int k = 0; k < 3; k++) change_bounds(&random, &d, lp);
    solve_lp(env, lp);
    for (uint32_t j = 0; j < d.n; j++) irl_lp_set_bounds(lp, j, old.lower[j], old.upper[j]);
    irl_lp_set_basis(lp, basis);
    const irl_lp_result back = solve_lp(env, lp);
    ASSERT_EQ_FMT((int)first.end, (int)back.end, "%d");
    if (first.end == IRL_LP_OPTIMAL) {
      ASSERT(is_close(first.objective, back.objective));
      ASSERT_EQ(0, back.iterations);
    }
    irl_lp_free(lp);
  }
  PASS();
}

TEST same_twice(void) {
  irl_random random;
  irl_random_init(&random, 8, 5);
  const dense d = random_dense(&random, 30, 40, false);
  const irl_lp_result a = solve_dense(env, &d), b = solve_dense(env, &d);
  ASSERT(a.iterations == b.iterations && a.work == b.work && a.objective == b.objective);
  PASS();
}

SUITE(warm) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(random_changes);
  RUN_TEST(any_basis);
  RUN_TEST(costs_little);
  RUN_TEST(restored_basis);
  RUN_TEST(same_twice);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(warm);
  GREATEST_MAIN_END();
}
