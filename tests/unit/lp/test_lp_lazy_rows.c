/* Models with many short rows are solved over some of them: the answers hold for all. */
#include "base/random.h"
#include "lp/lp_model.h"
#include "support.h"
#include <math.h>

enum { N_LONG = 4, N_SHORT = 150, MOST_COLUMNS = 24, N_CHANGES = 12 };

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static double small(irl_random *random, int low, int high) {
  return low + (int)irl_random_below(random, (uint64_t)(high - low + 1));
}

static void add_short(irl_random *random, irl_lp *lp, uint32_t n) {
  const uint32_t first = (uint32_t)irl_random_below(random, n);
  const uint32_t columns[] = {first, (first + 1 + (uint32_t)irl_random_below(random, n - 1)) % n};
  const double values[] = {1, irl_random_below(random, 4) ? 1 : -1};
  if (irl_lp_add_row(lp, -INFINITY, small(random, 0, 1), &(irl_lp_terms){2, columns, values}))
    abort();
}

static void add_long(irl_random *random, irl_lp *lp, uint32_t n) {
  uint32_t columns[MOST_COLUMNS];
  double values[MOST_COLUMNS];
  for (uint32_t j = 0; j < n; j++) {
    columns[j] = j;
    values[j] = small(random, -2, 3);
  }
  const double lower = small(random, -4, 0);
  if (irl_lp_add_row(lp, lower, irl_random_below(random, 3) ? INFINITY : lower,
                     &(irl_lp_terms){n, columns, values}))
    abort();
}

static irl_lp *model(irl_random *random, uint32_t n) {
  irl_lp *lp;
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t j = 0; j < n; j++)
    if (irl_lp_add_column(lp, small(random, -5, 2), 0, 1, NULL)) abort();
  for (int i = 0; i < N_LONG; i++) add_long(random, lp, n);
  for (int i = 0; i < N_SHORT; i++) add_short(random, lp, n);
  return lp;
}

static void delete_some(irl_random *random, irl_lp *lp) {
  const uint32_t m = irl_lp_n_rows(lp);
  bool *is_gone = calloc(m, sizeof *is_gone);
  for (uint32_t i = N_LONG; i < m; i++) is_gone[i] = irl_random_below(random, 20) == 0;
  if (irl_lp_delete_rows(lp, is_gone)) abort();
  free(is_gone);
}

static void change(irl_random *random, irl_lp *lp, uint32_t n) {
  const uint32_t j = (uint32_t)irl_random_below(random, n);
  const double fixed = small(random, 0, 1);
  switch (irl_random_below(random, 6)) {
  case 0:
    irl_lp_set_bounds(lp, j, 0, 1);
    break;
  case 1:
    irl_lp_set_cost(lp, j, small(random, -5, 2));
    break;
  case 2:
    irl_lp_set_row_bounds(lp, N_LONG + j, -INFINITY, small(random, 0, 1));
    break;
  case 3:
    add_short(random, lp, n);
    break;
  case 4:
    delete_some(random, lp);
    break;
  default:
    irl_lp_set_bounds(lp, j, fixed, fixed);
  }
}

/* The answer is proven by the whole model, not by the active rows. */
TEST holds(irl_lp *lp) {
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_residuals residuals;
  bool is_proven = false;
  irl_lp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
  if (result.end == IRL_LP_INFEASIBLE) {
    if (!irl_lp_ray(lp)) PASS();
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_infeasible(lp, irl_lp_ray(lp), &is_proven));
    ASSERT(is_proven);
    PASS();
  }
  ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_kkt(lp, &residuals));
  ASSERT(irl_lp_residuals_are_small(&residuals));
  PASS();
}

TEST stays_right(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 0);
  const uint32_t n = 6 + (uint32_t)irl_random_below(&random, MOST_COLUMNS - 6 + 1);
  irl_lp *lp = model(&random, n);
  CHECK_CALL(holds(lp));
  ASSERT(lp->lazy && lp->lazy->lp->rows.count < lp->rows.count);
  for (int k = 0; k < N_CHANGES; k++) {
    change(&random, lp, n);
    if (k % 4 == 3) {
      uint8_t *at = calloc(irl_lp_n_rows(lp) + n, 1);
      irl_lp_get_basis(lp, at);
      irl_lp_set_basis(lp, at);
      free(at);
    }
    CHECK_CALL(holds(lp));
  }
  irl_lp_free(lp);
  PASS();
}

/* A model that has come to other rows, among which none is short, is solved as a whole; later
 * solves must not go back to lazy rows that are gone. */
TEST forgets_its_lazy_rows(uint64_t seed) {
  enum { N = 8 };
  irl_random random;
  irl_random_init(&random, seed, 0);
  irl_lp *lp = model(&random, N);
  CHECK_CALL(holds(lp));
  bool *is_gone = calloc(irl_lp_n_rows(lp), sizeof *is_gone);
  for (uint32_t i = N_LONG; i < irl_lp_n_rows(lp); i++) is_gone[i] = true;
  if (irl_lp_delete_rows(lp, is_gone)) abort();
  free(is_gone);
  for (int i = 0; i < 60; i++) add_long(&random, lp, N);
  CHECK_CALL(holds(lp));
  for (uint32_t j = 0; j < N; j++) {
    const double fixed = small(&random, 0, 1);
    irl_lp_set_bounds(lp, j, fixed, fixed);
    CHECK_CALL(holds(lp));
  }
  irl_lp_free(lp);
  PASS();
}

/* The tableau row of a basic column has the same multipliers wherever its rows stand: times the
 * matrix they give 1 for the column itself and 0 for the other basic ones. */
TEST multipliers_fit(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 0);
  irl_lp *lp = model(&random, MOST_COLUMNS);
  uint8_t *at = calloc(irl_lp_n_rows(lp) + MOST_COLUMNS, 1);
  double *y = calloc(irl_lp_n_rows(lp), sizeof *y), row[MOST_COLUMNS], down, up;
  uint64_t work = 0;
  CHECK_CALL(holds(lp));
  irl_lp_get_basis(lp, at);
  for (uint32_t j = 0; j < MOST_COLUMNS; j++) {
    const bool is_basic = at[j] == IRL_LP_BASIC;
    ASSERT_EQ(is_basic, irl_lp_tableau_multipliers(lp, j, y));
    ASSERT_EQ(is_basic, irl_lp_slopes(lp, j, &down, &up, &work));
    if (!is_basic) continue;
    ASSERT(down >= 0 && up >= 0);
    irl_lp_multiply_transposed(lp, y, row);
    for (uint32_t k = 0; k < MOST_COLUMNS; k++)
      if (at[k] == IRL_LP_BASIC) ASSERT_IN_RANGE(k == j ? 1 : 0, row[k], 1e-9);
  }
  free(at);
  free(y);
  irl_lp_free(lp);
  PASS();
}

SUITE(lazy_rows) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  for (uint64_t seed = 1; seed <= 300; seed++) RUN_TEST1(stays_right, seed);
  for (uint64_t seed = 1; seed <= 20; seed++) RUN_TEST1(multipliers_fit, seed);
  for (uint64_t seed = 1; seed <= 20; seed++) RUN_TEST1(forgets_its_lazy_rows, seed);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(lazy_rows);
  GREATEST_MAIN_END();
}
