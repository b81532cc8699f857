/* Branch and bound against enumeration: random integer and mixed models, every kind of end, start
 * points and bounds, limits, threads; and models with known optima where they are at hand. */
#include "ireland_model.h"
#include "lp_oracle.h"
#include "milp/milp.h"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* The best value over all integers, the LP for the other columns; INFINITY: infeasible. */
static double enumerate(dense *d, const bool *is_integer, uint32_t j) {
  while (j < d->n && !is_integer[j]) j++;
  if (j == d->n) {
    const irl_lp_result result = solve_dense(env, d);
    return result.end == IRL_LP_OPTIMAL ? result.objective : INFINITY;
  }
  const double lower = d->lower[j], upper = d->upper[j];
  double best = INFINITY;
  for (double value = lower; value <= upper; value++) {
    d->lower[j] = d->upper[j] = value;
    best = fmin(best, enumerate(d, is_integer, j + 1));
  }
  d->lower[j] = lower;
  d->upper[j] = upper;
  return best;
}

/* Without continuous columns the rows are summed up directly. */
static double enumerate_integers(const dense *d, uint32_t j, double *x) {
  double best = INFINITY, value = 0;
  if (j < d->n) {
    for (x[j] = d->lower[j]; x[j] <= d->upper[j]; x[j]++)
      best = fmin(best, enumerate_integers(d, j + 1, x));
    return best;
  }
  for (uint32_t i = 0; i < d->m; i++) {
    double sum = 0;
    for (uint32_t k = 0; k < d->n; k++) sum += d->a[i][k] * x[k];
    if (sum < d->row_lower[i] || sum > d->row_upper[i]) return INFINITY;
  }
  for (uint32_t k = 0; k < d->n; k++) value += d->c[k] * x[k];
  return value;
}

static irl_milp_result solve(const irl_lp *lp, const bool *is_integer, int threads, double *x) {
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result;
  irl_milp_problem_init(&problem, lp, is_integer);
  irl_milp_options_init(&options, env);
  options.threads = threads;
  if (irl_milp_solve(env, &problem, &options, x, &result)) abort();
  return result;
}

static bool is_point(const dense *d, const bool *is_integer, const double *x, double objective) {
  double value = 0;
  for (uint32_t j = 0; j < d->n; j++) {
    value += d->c[j] * x[j];
    if (is_integer[j] && x[j] != nearbyint(x[j])) return false;
  }
  return is_feasible_point(d, x) && is_close(value, objective);
}

static bool agrees(const dense *d, const bool *is_integer, double wanted) {
  double x[MAX_N], y[MAX_N];
  irl_lp *lp = model_of(env, d);
  const irl_milp_result one = solve(lp, is_integer, 1, x), three = solve(lp, is_integer, 3, y);
  irl_lp_free(lp);
  if (one.outcome != three.outcome || one.nodes != three.nodes || one.work != three.work ||
      one.iterations != three.iterations)
    return false;
  if (wanted == INFINITY) return one.outcome == IRL_OUTCOME_INFEASIBLE;
  return one.outcome == IRL_OUTCOME_OPTIMAL && is_close(one.objective, wanted) &&
         one.bound == one.objective && !memcmp(x, y, d->n * sizeof *x) &&
         is_point(d, is_integer, x, one.objective);
}

static bool report_seed(uint64_t seed, bool is_good, double wanted) {
  if (!is_good) fprintf(stderr, "seed %llu, optimum %g\n", (unsigned long long)seed, wanted);
  return is_good;
}

TEST integers(void) {
  bool is_good = true;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    irl_random random;
    double x[MAX_N];
    bool is_integer[MAX_N];
    memset(is_integer, 1, sizeof is_integer);
    irl_random_init(&random, seed, 11);
    const uint32_t m = (uint32_t)irl_random_below(&random, 6);
    const dense d = random_dense(&random, m, 1 + (uint32_t)irl_random_below(&random, 6), false);
    const double wanted = enumerate_integers(&d, 0, x);
    is_good &= report_seed(seed, agrees(&d, is_integer, wanted), wanted);
  }
  ASSERT(is_good);
  PASS();
}

/* Rows of binary columns, so that there is something to branch on: the tree gets deep. */
TEST binaries(void) {
  bool is_good = true;
  for (uint64_t seed = 1; seed <= 120; seed++) {
    irl_random random;
    double x[MAX_N];
    bool is_integer[MAX_N];
    memset(is_integer, 1, sizeof is_integer);
    irl_random_init(&random, seed, 12);
    dense d = random_dense(&random, 4 + (uint32_t)irl_random_below(&random, 8), 14, false);
    for (uint32_t j = 0; j < d.n; j++) {
      d.lower[j] = 0;
      d.upper[j] = 1;
      d.c[j] = small_integer(&random, -20, 20);
    }
    for (uint32_t i = 0; i < d.m; i++) {
      for (uint32_t j = 0; j < d.n; j++) d.a[i][j] *= small_integer(&random, 1, 9);
      d.row_lower[i] = -INFINITY;
      d.row_upper[i] = small_integer(&random, 0, 20);
    }
    const double wanted = enumerate_integers(&d, 0, x);
    is_good &= report_seed(seed, agrees(&d, is_integer, wanted), wanted);
  }
  ASSERT(is_good);
  PASS();
}

TEST mixed(void) {
  bool is_good = true;
  for (uint64_t seed = 1; seed <= 250; seed++) {
    irl_random random;
    bool is_integer[MAX_N];
    irl_random_init(&random, seed, 13);
    dense d = random_dense(&random, 1 + (uint32_t)irl_random_below(&random, 6),
                           2 + (uint32_t)irl_random_below(&random, 5), false);
    uint32_t n = 0;
    for (uint32_t j = 0; j < d.n; j++) n += is_integer[j] = n < 3 && irl_random_below(&random, 2);
    const double wanted = enumerate(&d, is_integer, 0);
    is_good &= report_seed(seed, agrees(&d, is_integer, wanted), wanted);
  }
  ASSERT(is_good);
  PASS();
}

/* ---- ends ---- */

static irl_lp *line(double cost, double lower, double upper) {
  irl_lp *lp;
  if (irl_lp_create(env, &lp) || irl_lp_add_column(lp, cost, lower, upper, NULL)) abort();
  return lp;
}

TEST ends(void) {
  const bool is_integer[] = {true, true};
  const uint32_t columns[] = {0, 1};
  const double two[] = {2, -2};
  double x[2];
  irl_lp *lp = line(-1, 0, INFINITY); /* no rows at all */
  ASSERT_EQ(IRL_OUTCOME_UNBOUNDED, solve(lp, is_integer, 1, x).outcome);
  irl_lp_set_cost(lp, 0, 0); /* no objective */
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solve(lp, is_integer, 1, x).outcome);
  irl_lp_set_bounds(lp, 0, 0.2, 0.8); /* no integer between */
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(lp, is_integer, 1, x).outcome);
  irl_lp_set_bounds(lp, 0, 3, 2);
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(lp, is_integer, 1, x).outcome);
  irl_lp_set_bounds(lp, 0, -2.5, 9);
  irl_lp_set_cost(lp, 0, 1);
  ASSERT_EQ(-2.0, solve(lp, is_integer, 1, x).objective);
  /* 2 x - 2 y = 1 has real points on a line without an end and no integer one. */
  irl_lp_set_bounds(lp, 0, 0, 1000);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, 0, 0, INFINITY, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 1, 1, &(irl_lp_terms){2, columns, two}));
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(lp, is_integer, 1, x).outcome);
  irl_lp_free(lp);
  PASS();
}

/* Unbounded as an LP, but without an integer point: infeasible, not unbounded. */
TEST no_point_on_a_ray(void) {
  const bool is_integer[] = {true, true};
  const uint32_t columns[] = {0, 1};
  const double two[] = {2, -2};
  double x[2];
  irl_lp *lp = line(-1, 0, INFINITY);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, 0, 0, INFINITY, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, 1, 1, &(irl_lp_terms){2, columns, two}));
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(lp, is_integer, 1, x).outcome);
  irl_lp_set_row_bounds(lp, 0, 2, 2);
  ASSERT_EQ(IRL_OUTCOME_UNBOUNDED, solve(lp, is_integer, 1, x).outcome);
  irl_lp_free(lp);
  PASS();
}

/* An equation of two free columns, whose entries are multiples of `unit`, and three with bounds,
 * which can only make small sums: there is an integer point if and only if they can make `rest`,
 * which is tried out. Branching on the free columns would not end. */
TEST free_integers_end(void) {
  enum { N = 5, MOST = 4 };
  const bool is_integer[N] = {true, true, true, true, true};
  const uint32_t columns[N] = {0, 1, 2, 3, 4};
  int n_unbounded = 0, n_infeasible = 0;
  irl_random random;
  irl_random_init(&random, 5, 43);
  for (int trial = 0; trial < 60; trial++) {
    const double unit = 1000 * small_integer(&random, 1, 3), scale = trial % 2 ? 1 : 1000;
    const double rest = small_integer(&random, 0, 60);
    double small[3], values[N] = {-3 * unit, 2 * unit}, x[N];
    bool has_point = false;
    irl_lp *lp;
    if (irl_lp_create(env, &lp)) abort();
    for (uint32_t j = 0; j < 3; j++)
      values[2 + j] = (small[j] = small_integer(&random, -8, 8)) / scale;
    for (int a = 0; a <= MOST; a++)
      for (int b = 0; b <= MOST; b++)
        for (int c = 0; c <= MOST; c++)
          has_point |= a * small[0] + b * small[1] + c * small[2] == rest;
    for (uint32_t j = 0; j < N; j++)
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, j == 1 ? -1 : 0, j < 2 ? -INFINITY : 0,
                                                 j < 2 ? INFINITY : MOST, NULL));
    const double side = rest / scale + unit * small_integer(&random, -1, 1);
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(lp, side, side, &(irl_lp_terms){N, columns, values}));
    ASSERT_EQ(has_point ? IRL_OUTCOME_UNBOUNDED : IRL_OUTCOME_INFEASIBLE,
              solve(lp, is_integer, 1, x).outcome);
    irl_lp_set_cost(lp, 1, 0);
    ASSERT_EQ(has_point ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE,
              solve(lp, is_integer, 1, x).outcome);
    n_unbounded += has_point;
    n_infeasible += !has_point;
    irl_lp_free(lp);
  }
  ASSERT(n_unbounded > 10 && n_infeasible > 10);
  PASS();
}

/* ---- starts, bounds, limits ---- */

/* A knapsack with an equation, hard enough for some nodes. */
static irl_lp *knapsack(uint32_t n, bool *is_integer) {
  irl_lp *lp;
  irl_random random;
  uint32_t columns[MAX_N];
  double weights[MAX_N];
  irl_random_init(&random, 5, 14);
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t j = 0; j < n; j++) {
    columns[j] = j;
    weights[j] = 100 + 2 * small_integer(&random, 0, 400);
    is_integer[j] = true;
    if (irl_lp_add_column(lp, -weights[j], 0, 1, NULL)) abort();
  }
  if (irl_lp_add_row(lp, -INFINITY, 2501, &(irl_lp_terms){n, columns, weights})) abort();
  return lp;
}

TEST starts_and_bounds(void) {
  bool is_integer[MAX_N];
  double x[MAX_N] = {0}, y[MAX_N];
  irl_lp *lp = knapsack(30, is_integer);
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result, again;
  irl_milp_problem_init(&problem, lp, is_integer);
  irl_milp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, result.outcome);
  problem.start = x; /* the optimum, with its bound: nothing is left to do */
  problem.bound = result.bound;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, y, &again));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, again.outcome);
  ASSERT_EQ(0, (int)again.nodes);
  ASSERT_EQ(0, memcmp(x, y, 30 * sizeof *x));
  for (uint32_t j = 0; j < 30; j++) x[j] = 1; /* not feasible: a start that is not believed */
  problem.bound = -INFINITY;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, y, &again));
  ASSERT_EQ(result.objective, again.objective);
  irl_lp_free(lp);
  PASS();
}

TEST limits(void) {
  bool is_integer[MAX_N];
  double x[MAX_N] = {0}, start[MAX_N] = {0};
  irl_lp *lp = knapsack(MAX_N, is_integer);
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result;
  irl_milp_problem_init(&problem, lp, is_integer);
  problem.start = start;
  irl_milp_options_init(&options, env);
  options.no_cuts = options.no_heuristics = true;
  options.max_nodes = 3;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_LIMIT, result.outcome);
  ASSERT(result.has_point && result.objective <= 0 && result.bound < result.objective);
  options.max_nodes = UINT64_MAX;
  /* Enough for the nodes of a small tree, not for the LPs that go with it. */
  options.max_memory = 2000;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_LIMIT, result.outcome);
  options.limit.max_work = 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_LIMIT, result.outcome);
  irl_env_stop(env);
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_INTERRUPTED, result.outcome);
  ASSERT(result.has_point);
  irl_lp_free(lp);
  PASS();
}

/* ---- known optima ---- */

/* max y - s  with  y <= t1 + t2, t <= 1 - s  and y, t in [0, 1] continuous: they are integer in an
 * optimum, so the bound is on the grid and the point integral. */
TEST implied(void) {
  irl_lp *lp;
  const bool is_integer[] = {true, false, false, false};
  const double one[] = {1, 1}, sum[] = {1, -1, -1}, starts[] = {0, 0.25, 0.25, 0.5};
  double x[4];
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result;
  if (irl_lp_create(env, &lp)) abort();
  for (int j = 0; j < 4; j++)
    if (irl_lp_add_column(lp, j == 0 ? 1 : j == 3 ? -1 : 0, 0, 1, NULL)) abort();
  for (uint32_t j = 1; j < 3; j++)
    if (irl_lp_add_row(lp, -INFINITY, 1, &(irl_lp_terms){2, (const uint32_t[]){0, j}, one}))
      abort();
  if (irl_lp_add_row(lp, -INFINITY, 0, &(irl_lp_terms){3, (const uint32_t[]){3, 1, 2}, sum}))
    abort();
  irl_milp_problem_init(&problem, lp, is_integer);
  problem.start = starts; /* fractional where integers are only implied: still a solution */
  irl_milp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &result));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, result.outcome);
  ASSERT_EQ(-1, result.objective);
  for (int j = 0; j < 4; j++) ASSERT_EQ(x[j], nearbyint(x[j]));
  irl_lp_free(lp);
  PASS();
}

TEST known(const char *name, double wanted) {
  char path[200];
  irl_options options;
  irl_model *model;
  irl_solution solution = {.size = sizeof solution};
  snprintf(path, sizeof path, "../shared/milp/%s.mps", name);
  if (access(path, R_OK)) SKIPm("no file with this model");
  irl_options_init(&options, sizeof options);
  options.limits.threads = 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_model_read(env, path, &model));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
  irl_model_free(model);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solution.outcome);
  ASSERT(fabs(solution.objective - wanted) <= 1e-7 * fmax(1, fabs(wanted)));
  ASSERT_EQ(0, solution.gap);
  PASS();
}

SUITE(milp) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(integers);
  RUN_TEST(binaries);
  RUN_TEST(mixed);
  RUN_TEST(ends);
  RUN_TEST(no_point_on_a_ray);
  RUN_TEST(free_integers_end);
  RUN_TEST(starts_and_bounds);
  RUN_TEST(limits);
  RUN_TEST(implied);
  RUN_TESTp(known, "p0033", 3089);
  RUN_TESTp(known, "egout", 568.1007);
  RUN_TESTp(known, "flugpl", 1201500);
  RUN_TESTp(known, "lseu", 1120);
  RUN_TESTp(known, "stein27", 18);
  RUN_TESTp(known, "scp41", 429);
  RUN_TESTp(known, "khb05250", 106940226);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(milp);
  GREATEST_MAIN_END();
}
