/* The simplex: against every vertex of tiny models, against itself under permutation, scaling and
 * duplication, on examples that cycle or take exponentially many steps, and its proofs. */
#include "base/clock.h"
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

/* ---- tiny models ---- */

TEST equals_best_vertex(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 0);
  const uint32_t n = 1 + (uint32_t)irl_random_below(&random, 4);
  const dense d = random_dense(&random, (uint32_t)irl_random_below(&random, 5), n, false);
  const double wanted = best_vertex(&d);
  irl_lp *lp = model_of(env, &d);
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, env);
  for (int way = 0; way < 2; way++) {
    ASSERT_EQ(IRL_STATUS_OK, way ? irl_lp_solve_presolved(lp, &options, &result)
                                 : irl_lp_solve(lp, &options, &result));
    if (isinf(wanted)) {
      ASSERT_EQ_FMT(IRL_LP_INFEASIBLE, (int)result.end, "%d");
    } else {
      ASSERT_EQ_FMT(IRL_LP_OPTIMAL, (int)result.end, "%d");
      ASSERT_IN_RANGE(wanted, result.objective, 1e-7);
      ASSERT(is_feasible_point(&d, irl_lp_primal(lp)));
    }
    irl_lp_free(lp);
    lp = model_of(env, &d);
  }
  irl_lp_free(lp);
  PASS();
}

TEST tiny_models(void) {
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    if (equals_best_vertex(seed) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  PASS();
}

/* ---- the same model in other clothes ---- */

static dense permuted(irl_random *random, const dense *d) {
  dense p = *d;
  for (uint32_t j = d->n; j-- > 1;) {
    const uint32_t k = (uint32_t)irl_random_below(random, j + 1);
#define SWAP(x, y)                                                                                 \
  do {                                                                                             \
    const double swap = x;                                                                         \
    x = y;                                                                                         \
    y = swap;                                                                                      \
  } while (0)
    for (uint32_t i = 0; i < d->m; i++) SWAP(p.a[i][j], p.a[i][k]);
    SWAP(p.c[j], p.c[k]);
    SWAP(p.lower[j], p.lower[k]);
    SWAP(p.upper[j], p.upper[k]);
  }
  for (uint32_t i = d->m; i-- > 1;) {
    const uint32_t k = (uint32_t)irl_random_below(random, i + 1);
    for (uint32_t j = 0; j < d->n; j++) SWAP(p.a[i][j], p.a[k][j]);
    SWAP(p.row_lower[i], p.row_lower[k]);
    SWAP(p.row_upper[i], p.row_upper[k]);
#undef SWAP
  }
  return p;
}

/* Rows by positive or negative factors, columns by positive ones. */
static dense scaled(irl_random *random, const dense *d) {
  dense s = *d;
  for (uint32_t j = 0; j < d->n; j++) {
    const double factor = exp2((double)small_integer(random, -6, 6)) * 1.25;
    for (uint32_t i = 0; i < d->m; i++) s.a[i][j] *= factor;
    s.c[j] *= factor;
    s.lower[j] /= factor;
    s.upper[j] /= factor;
  }
  for (uint32_t i = 0; i < d->m; i++) {
    const double factor =
        exp2((double)small_integer(random, -6, 6)) * (irl_random_below(random, 2) ? 0.75 : -0.75);
    for (uint32_t j = 0; j < d->n; j++) s.a[i][j] *= factor;
    const double lower = d->row_lower[i] * factor, upper = d->row_upper[i] * factor;
    s.row_lower[i] = fmin(lower, upper);
    s.row_upper[i] = fmax(lower, upper);
  }
  return s;
}

/* Every row twice; every column split into two halves of its range where it is boxed. */
static dense doubled(const dense *d) {
  dense t = *d;
  t.m = 2 * d->m;
  for (uint32_t i = 0; i < d->m; i++) {
    memcpy(t.a[d->m + i], d->a[i], sizeof t.a[i]);
    t.row_lower[d->m + i] = d->row_lower[i];
    t.row_upper[d->m + i] = d->row_upper[i];
  }
  return t;
}

TEST stays_the_same(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 1);
  const uint32_t m = 1 + (uint32_t)irl_random_below(&random, MAX_M / 2);
  const uint32_t n = 1 + (uint32_t)irl_random_below(&random, MAX_N);
  const dense d = random_dense(&random, m, n, irl_random_below(&random, 2));
  const irl_lp_result wanted = solve_dense(env, &d);
  ASSERT(wanted.end != IRL_LP_TROUBLE);
  const dense others[] = {permuted(&random, &d), scaled(&random, &d), doubled(&d)};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    const irl_lp_result result = solve_dense(env, &others[k]);
    ASSERT_EQ_FMT((int)wanted.end, (int)result.end, "%d");
    if (wanted.end == IRL_LP_OPTIMAL) ASSERT(is_close(wanted.objective, result.objective));
  }
  PASS();
}

TEST other_clothes(void) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    if (stays_the_same(seed) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  PASS();
}

/* ---- proofs ---- */

/* y'A x over the bounds must stay above y'r over the row bounds. */
static bool is_farkas(const dense *d, const double *y) {
  double least = 0;
  for (uint32_t j = 0; j < d->n; j++) {
    double g = 0;
    for (uint32_t i = 0; i < d->m; i++) g += y[i] * d->a[i][j];
    if (fabs(g) < 1e-9) continue;
    least += g * (g > 0 ? d->lower[j] : d->upper[j]);
  }
  for (uint32_t i = 0; i < d->m; i++)
    if (fabs(y[i]) > 1e-12) least -= y[i] * (y[i] > 0 ? d->row_upper[i] : d->row_lower[i]);
  return least > 1e-9;
}

static bool is_direction(const dense *d, const double *ray) {
  double cost = 0;
  for (uint32_t j = 0; j < d->n; j++) {
    cost += d->c[j] * ray[j];
    if ((ray[j] > 1e-9 && d->upper[j] < INFINITY) || (ray[j] < -1e-9 && d->lower[j] > -INFINITY))
      return false;
  }
  for (uint32_t i = 0; i < d->m; i++) {
    double change = 0;
    for (uint32_t j = 0; j < d->n; j++) change += d->a[i][j] * ray[j];
    if ((change > 1e-8 && d->row_upper[i] < INFINITY) ||
        (change < -1e-8 && d->row_lower[i] > -INFINITY))
      return false;
  }
  return cost < 0;
}

TEST proofs(void) {
  int n_infeasible = 0, n_unbounded = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    irl_random random;
    irl_random_init(&random, seed, 2);
    dense d = random_dense(&random, 1 + (uint32_t)irl_random_below(&random, 12),
                           1 + (uint32_t)irl_random_below(&random, 12), true);
    irl_lp *lp = model_of(env, &d);
    const irl_lp_result result = solve_lp(env, lp);
    bool is_right = result.end != IRL_LP_TROUBLE;
    if (result.end == IRL_LP_INFEASIBLE) is_right = is_farkas(&d, irl_lp_ray(lp));
    if (result.end == IRL_LP_UNBOUNDED) {
      is_right = is_direction(&d, irl_lp_ray(lp));
      memset(d.c, 0, sizeof d.c);
      is_right &= solve_dense(env, &d).end == IRL_LP_OPTIMAL;
    }
    n_infeasible += result.end == IRL_LP_INFEASIBLE;
    n_unbounded += result.end == IRL_LP_UNBOUNDED;
    irl_lp_free(lp);
    if (!is_right) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    ASSERT(is_right);
  }
  ASSERT(n_infeasible > 50 && n_unbounded > 50);
  PASS();
}

/* ---- known examples ---- */

TEST beale(void) {
  dense d = {.m = 3, .n = 4};
  const double a[3][4] = {{0.25, -60, -1.0 / 25, 9}, {0.5, -90, -1.0 / 50, 3}, {0, 0, 1, 0}};
  const double c[4] = {-0.75, 150, -0.02, 6}, b[3] = {0, 0, 1};
  for (uint32_t i = 0; i < 3; i++) {
    memcpy(d.a[i], a[i], sizeof a[i]);
    d.row_lower[i] = -INFINITY;
    d.row_upper[i] = b[i];
  }
  for (uint32_t j = 0; j < 4; j++) {
    d.c[j] = c[j];
    d.upper[j] = INFINITY;
  }
  const irl_lp_result result = solve_dense(env, &d);
  ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
  ASSERT_IN_RANGE(-0.05, result.objective, 1e-9);
  PASS();
}

TEST klee_minty(void) {
  for (uint32_t n = 2; n <= 12; n++) {
    dense d = {.m = n, .n = n};
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < i; j++) d.a[i][j] = pow(2, i - j + 1);
      d.a[i][i] = 1;
      d.row_lower[i] = -INFINITY;
      d.row_upper[i] = pow(5, i + 1);
      d.c[i] = -pow(2, n - 1 - i);
      d.upper[i] = INFINITY;
    }
    const irl_lp_result result = solve_dense(env, &d);
    ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
    ASSERT(is_close(-pow(5, n), result.objective));
    ASSERT(result.iterations < 1000);
  }
  PASS();
}

/* k sources to k sinks; the dual bound proves the optimum, so objectives of both are compared by
 * the residual check. */
TEST transport(void) {
  irl_random random;
  irl_random_init(&random, 5, 0);
  for (uint32_t k = 2; k <= 12; k++) {
    irl_lp *lp;
    irl_lp_residuals residuals;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
    for (uint32_t i = 0; i < 2 * k; i++) ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 10, 10, NULL));
    for (uint32_t i = 0; i < k; i++)
      for (uint32_t j = 0; j < k; j++)
        ASSERT_EQ(IRL_STATUS_OK,
                  irl_lp_add_column(lp, small_integer(&random, 1, 9), 0, INFINITY,
                                    &(irl_lp_terms){2, (uint32_t[]){i, k + j}, (double[]){1, 1}}));
    ASSERT_EQ(IRL_LP_OPTIMAL, solve_lp(env, lp).end);
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_kkt(lp, &residuals));
    ASSERT(residuals.primal < 1e-9 && residuals.dual < 1e-9 && residuals.gap < 1e-9);
    irl_lp_free(lp);
  }
  PASS();
}

static int best_assignment(int k, int cost[6][6], int row, unsigned used) {
  int best = 1000;
  if (row == k) return 0;
  for (int j = 0; j < k; j++)
    if (!(used >> j & 1)) {
      const int value = cost[row][j] + best_assignment(k, cost, row + 1, used | 1u << j);
      if (value < best) best = value;
    }
  return best;
}

TEST assignment(void) {
  irl_random random;
  irl_random_init(&random, 6, 0);
  for (int round = 0; round < 50; round++) {
    const int k = small_integer(&random, 2, 6);
    int cost[6][6];
    irl_lp *lp;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
    for (int i = 0; i < 2 * k; i++) ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 1, 1, NULL));
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) {
        cost[i][j] = small_integer(&random, 0, 9);
        ASSERT_EQ(IRL_STATUS_OK,
                  irl_lp_add_column(lp, cost[i][j], 0, INFINITY,
                                    &(irl_lp_terms){2, (uint32_t[]){(uint32_t)i, (uint32_t)(k + j)},
                                                    (double[]){1, 1}}));
      }
    const irl_lp_result result = solve_lp(env, lp);
    ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
    ASSERT_IN_RANGE((double)best_assignment(k, cost, 0, 0), result.objective, 1e-9);
    irl_lp_free(lp);
  }
  PASS();
}

/* ---- limits ---- */

TEST limits_hold(void) {
  irl_random random;
  irl_lp_options options;
  irl_lp_result whole, result;
  irl_random_init(&random, 9, 0);
  dense d = random_dense(&random, MAX_M, MAX_N, false);
  for (uint32_t i = 0; i < d.m; i++) d.row_lower[i] = -INFINITY, d.row_upper[i] = 5;
  for (uint32_t j = 0; j < d.n; j++) d.lower[j] = 0, d.upper[j] = 3, d.c[j] = -1 - (double)(j % 3);
  irl_lp *lp = model_of(env, &d);
  irl_lp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &whole));
  ASSERT_EQ(IRL_LP_OPTIMAL, whole.end);
  irl_lp_free(lp);
  for (uint64_t limit = 0; limit < whole.iterations; limit += 3) {
    lp = model_of(env, &d);
    options.max_iterations = limit;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
    ASSERT_EQ(IRL_LP_LIMIT, result.end);
    ASSERT_EQ_FMT((int)limit, (int)result.iterations, "%d");
    options.max_iterations = UINT64_MAX;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
    ASSERT(result.end == IRL_LP_OPTIMAL && is_close(whole.objective, result.objective));
    irl_lp_free(lp);
  }
  lp = model_of(env, &d);
  options.limit.max_work = 10;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
  ASSERT_EQ(IRL_LP_LIMIT, result.end);
  options.limit.max_work = UINT64_MAX;
  options.cutoff = whole.objective - 1;
  irl_lp_free(lp);
  lp = model_of(env, &d);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
  ASSERT(result.end == IRL_LP_CUTOFF || result.end == IRL_LP_OPTIMAL);
  options.cutoff = whole.objective + 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
  ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
  irl_lp_free(lp);
  PASS();
}

/* Wherever work or a clock that has run out stops a solve, the next one ends it. */
TEST stops_anywhere(void) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    irl_random random;
    irl_lp_options options;
    irl_lp_result result;
    irl_random_init(&random, seed, 11);
    const dense d = random_dense(&random, 30, 40, seed % 2);
    const irl_lp_result whole = solve_dense(env, &d);
    irl_lp_options_init(&options, env);
    for (uint64_t work = 1; work < whole.work; work += whole.work / 9 + 1) {
      irl_lp *lp = model_of(env, &d);
      options.limit.max_work = work;
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
      ASSERT(result.end == IRL_LP_LIMIT || result.end == whole.end);
      ASSERT(result.work <= work + whole.work / 2 + 4000);
      options.limit.max_work = UINT64_MAX;
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
      ASSERT_EQ_FMT((int)whole.end, (int)result.end, "%d");
      if (whole.end == IRL_LP_OPTIMAL) ASSERT(is_close(whole.objective, result.objective));
      irl_lp_free(lp);
    }
    irl_lp *lp = model_of(env, &d);
    options.limit.deadline = 1e-9;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
    ASSERT(result.end == IRL_LP_LIMIT && result.iterations == 0);
    options.limit.deadline = 0;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
    ASSERT_EQ_FMT((int)whole.end, (int)result.end, "%d");
    irl_lp_free(lp);
  }
  PASS();
}

/* A cutoff below the optimum ends the solve early, one above it does not; from any basis. */
TEST cutoff_is_safe(void) {
  uint32_t n_cut = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    irl_random random;
    irl_lp_options options;
    irl_lp_result result;
    irl_random_init(&random, seed, 12);
    dense d = random_dense(&random, 12, 20, false);
    irl_lp *lp = model_of(env, &d);
    irl_lp_options_init(&options, env);
    for (int step = 0; step < 5; step++) {
      const irl_lp_result whole = solve_dense(env, &d);
      const double shift = irl_random_real(&random) * 4 - 2;
      if (whole.end == IRL_LP_OPTIMAL) options.cutoff = whole.objective + shift;
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
      if (result.end == IRL_LP_CUTOFF)
        ASSERT(whole.end == IRL_LP_INFEASIBLE || whole.objective > options.cutoff);
      else
        ASSERT_EQ_FMT((int)whole.end, (int)result.end, "%d");
      n_cut += result.end == IRL_LP_CUTOFF;
      const uint32_t j = (uint32_t)irl_random_below(&random, d.n);
      d.lower[j] = d.upper[j] = small_integer(&random, (int)d.lower[j], (int)d.upper[j]);
      irl_lp_set_bounds(lp, j, d.lower[j], d.upper[j]);
    }
    irl_lp_free(lp);
  }
  ASSERT(n_cut > 20);
  PASS();
}

TEST strange_models(void) {
  irl_lp *lp;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  irl_lp_result result = solve_lp(env, lp);
  ASSERT(result.end == IRL_LP_OPTIMAL && result.objective == 0);
  irl_lp_set_constant(lp, 3);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, -1, 0, 2, NULL));
  result = solve_lp(env, lp);
  ASSERT(result.end == IRL_LP_OPTIMAL && result.objective == 1);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 1, 2, NULL));
  ASSERT_EQ(IRL_LP_INFEASIBLE, solve_lp(env, lp).end);
  irl_lp_set_row_bounds(lp, 0, -1, 2);
  irl_lp_set_bounds(lp, 0, 0, INFINITY);
  ASSERT_EQ(IRL_LP_UNBOUNDED, solve_lp(env, lp).end);
  irl_lp_set_bounds(lp, 0, 2, 1);
  ASSERT_EQ(IRL_LP_INFEASIBLE, solve_lp(env, lp).end);
  irl_lp_free(lp);
  PASS();
}

/* Two equations that contradict each other by less than the tolerance, and by more. */
TEST nearly_contradictory(void) {
  for (int more = 0; more < 2; more++) {
    irl_lp *lp;
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
    for (int j = 0; j < 3; j++)
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, 1 + j, 0, INFINITY, NULL));
    const uint32_t columns[] = {0, 1, 2};
    const double b = 1 + (more ? 1e-4 : 2e-8);
    ASSERT_EQ(IRL_STATUS_OK,
              irl_lp_add_row(lp, 1, 1, &(irl_lp_terms){3, columns, (double[]){1, 1, 1}}));
    ASSERT_EQ(IRL_STATUS_OK,
              irl_lp_add_row(lp, b, b, &(irl_lp_terms){3, columns, (double[]){1, 1, 1}}));
    const irl_lp_result result = solve_lp(env, lp);
    ASSERT_EQ_FMT(more ? IRL_LP_INFEASIBLE : IRL_LP_OPTIMAL, (int)result.end, "%d");
    if (!more) ASSERT_IN_RANGE(1, result.objective, 1e-7);
    irl_lp_free(lp);
  }
  PASS();
}

SUITE(simplex) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(tiny_models);
  RUN_TEST(other_clothes);
  RUN_TEST(proofs);
  RUN_TEST(beale);
  RUN_TEST(klee_minty);
  RUN_TEST(transport);
  RUN_TEST(assignment);
  RUN_TEST(limits_hold);
  RUN_TEST(stops_anywhere);
  RUN_TEST(cutoff_is_safe);
  RUN_TEST(strange_models);
  RUN_TEST(nearly_contradictory);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(simplex);
  GREATEST_MAIN_END();
}
