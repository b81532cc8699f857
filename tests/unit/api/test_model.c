/* Models in memory: random sequences of changes, each solved from where the last solve ended and
 * from scratch, in our engine and in glpsol. Every LP answer is checked here by feasibility and
 * duality, every ray by what it claims.
 *
 * IRL_FUZZ=N tries N sequences, IRL_FUZZ_SEED=S others. */
#include "fuzzing.h"
#include "ireland_model.h"
#include "lp_oracle.h"

#define FOLDER "build/test-model"
#define EDGE   1e-6 /* of answers: feasibility and signs of duals, relative */

static irl_env *env;
static irl_options options, relaxed;
static unsigned n_optimal, n_infeasible, n_unbounded, n_rays, n_glpsol;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  options = options_of(env, "threads", "1", NULL);
  relaxed = options_of(env, "relax", "", NULL);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- a model and its mirror ---- */

typedef struct mirror {
  dense d;
  bool is_integer[MAX_N], is_maximised;
  double constant;
  irl_model *model;
} mirror;

static void must(irl_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", irl_env_error(env));
  abort();
}

/* Appends column j of the mirror, with entries in the first m rows. */
static void push_column(mirror *s, uint32_t j, uint32_t m) {
  uint32_t rows[MAX_M], n = 0;
  double values[MAX_M];
  for (uint32_t i = 0; i < m; i++)
    if (s->d.a[i][j] != 0) {
      rows[n] = i;
      values[n++] = s->d.a[i][j];
    }
  const irl_variable c = {.size = sizeof c,
                          .cost = s->d.c[j],
                          .lower = s->d.lower[j],
                          .upper = s->d.upper[j],
                          .is_integer = s->is_integer[j],
                          .n_entries = n,
                          .rows = rows,
                          .values = values};
  must(irl_model_add_columns(env, s->model, 1, &c));
}

static void push_row(mirror *s, uint32_t i, uint32_t n_columns) {
  uint32_t columns[MAX_N];
  for (uint32_t j = 0; j < n_columns; j++) columns[j] = j;
  const irl_constraint r = {.size = sizeof r,
                            .lower = s->d.row_lower[i],
                            .upper = s->d.row_upper[i],
                            .n_entries = n_columns,
                            .columns = columns,
                            .values = s->d.a[i]};
  must(irl_model_add_rows(env, s->model, 1, &r));
}

/* Rows and columns in a random order: each entry comes with the later of the two. */
static void build(mirror *s, irl_random *random) {
  uint32_t i = 0, j = 0;
  s->model = NULL;
  must(irl_model_create(env, &s->model));
  while (i < s->d.m || j < s->d.n)
    if (j == s->d.n || (i < s->d.m && irl_random_below(random, 2)))
      push_row(s, i++, j);
    else
      push_column(s, j++, i);
  must(irl_model_maximise(env, s->model, s->is_maximised));
  must(irl_model_set_constant(env, s->model, s->constant));
}

/* Many short rows, so that the engine leaves most of them out at first; 0 is allowed by all. */
static void make_tall(irl_random *random, dense *d) {
  d->n = 4 + (uint32_t)irl_random_below(random, 12);
  d->m = 50 + (uint32_t)irl_random_below(random, 6);
  for (uint32_t j = 0; j < d->n; j++) {
    d->lower[j] = -(double)irl_random_below(random, 2);
    d->upper[j] = irl_random_below(random, 4) ? small_integer(random, 1, 9) : INFINITY;
    d->c[j] = small_integer(random, -4, 4);
  }
  for (uint32_t i = 0; i < d->m; i++) {
    const uint64_t share = i % 4 ? 6 : 2; /* one in four is long */
    for (uint32_t j = 0; j < d->n; j++)
      d->a[i][j] = irl_random_below(random, share) ? 0 : small_integer(random, -3, 4);
    d->row_lower[i] = -INFINITY;
    d->row_upper[i] = small_integer(random, 0, 12);
  }
}

static mirror random_mirror(irl_random *random, bool has_integers) {
  mirror s = {.is_maximised = irl_random_below(random, 2),
              .constant = small_integer(random, -5, 5)};
  const uint32_t m = 1 + (uint32_t)irl_random_below(random, has_integers ? 5 : 8);
  const uint32_t n = 1 + (uint32_t)irl_random_below(random, has_integers ? 8 : 20);
  s.d = random_dense(random, m, n, irl_random_below(random, 2) && !has_integers);
  if (!has_integers && irl_random_below(random, 3) == 0) make_tall(random, &s.d);
  for (uint32_t j = 0; j < s.d.n; j++)
    s.is_integer[j] = has_integers && irl_random_below(random, 2);
  build(&s, random);
  return s;
}

static irl_solution solve(irl_model *model, const irl_options *o) {
  irl_solution solution = {.size = sizeof solution};
  must(irl_model_solve(env, model, o, &solution));
  return solution;
}

/* ---- changes ---- */

static void change_bounds(irl_random *random, mirror *s) {
  dense *d = &s->d;
  const uint32_t j = (uint32_t)irl_random_below(random, d->n);
  d->lower[j] = small_integer(random, -3, 1);
  /* One in fifty crosses, which is no error. */
  d->upper[j] = d->lower[j] + (irl_random_below(random, 50) ? small_integer(random, 0, 4) : -1);
  must(irl_model_set_bounds(env, s->model, j, d->lower[j], d->upper[j]));
}

static void change_sides(irl_random *random, mirror *s) {
  dense *d = &s->d;
  const uint32_t i = (uint32_t)irl_random_below(random, d->m);
  const bool is_off = irl_random_below(random, 4) == 0;
  d->row_lower[i] = is_off ? -INFINITY : small_integer(random, -20, 0);
  d->row_upper[i] = is_off ? INFINITY : d->row_lower[i] + small_integer(random, 0, 20);
  must(irl_model_set_sides(env, s->model, i, d->row_lower[i], d->row_upper[i]));
}

static void change_cost(irl_random *random, mirror *s) {
  const uint32_t j = (uint32_t)irl_random_below(random, s->d.n);
  s->d.c[j] = small_integer(random, -4, 4);
  must(irl_model_set_cost(env, s->model, j, s->d.c[j]));
}

static void change_sense(irl_random *random, mirror *s) {
  s->is_maximised = irl_random_below(random, 2);
  s->constant = small_integer(random, -5, 5);
  must(irl_model_set_constant(env, s->model, s->constant));
  must(irl_model_maximise(env, s->model, s->is_maximised));
}

static void add_row(irl_random *random, mirror *s) {
  dense *d = &s->d;
  if (d->m == MAX_M) return;
  const uint32_t i = d->m++;
  for (uint32_t j = 0; j < d->n; j++)
    d->a[i][j] = irl_random_below(random, 3) ? 0 : small_integer(random, -3, 3);
  d->row_lower[i] = -INFINITY;
  d->row_upper[i] = small_integer(random, 0, 6);
  push_row(s, i, d->n);
}

static void add_column(irl_random *random, mirror *s) {
  dense *d = &s->d;
  if (d->n == MAX_N) return;
  const uint32_t j = d->n++;
  for (uint32_t i = 0; i < d->m; i++)
    d->a[i][j] = irl_random_below(random, 3) ? 0 : small_integer(random, -3, 3);
  d->c[j] = small_integer(random, -4, 4);
  d->lower[j] = 0;
  d->upper[j] = 2;
  s->is_integer[j] = false;
  push_column(s, j, d->m);
}

/* A way out of the infeasible: bounds that do not cross, half of the rows off. */
static void make_room(irl_random *random, mirror *s) {
  dense *d = &s->d;
  for (uint32_t j = 0; j < d->n; j++) {
    if (d->lower[j] <= d->upper[j]) continue;
    d->upper[j] = d->lower[j] + 1;
    must(irl_model_set_bounds(env, s->model, j, d->lower[j], d->upper[j]));
  }
  for (uint32_t i = 0; i < d->m; i++) {
    if (irl_random_below(random, 2)) continue;
    d->row_lower[i] = -INFINITY;
    d->row_upper[i] = INFINITY;
    must(irl_model_set_sides(env, s->model, i, -INFINITY, INFINITY));
  }
}

static void change_something(irl_random *random, mirror *s) {
  static void (*const changes[])(irl_random *, mirror *) = {
      change_bounds, change_bounds, change_bounds, change_sides,
      change_cost,   change_sense,  add_row,       add_column};
  changes[irl_random_below(random, sizeof changes / sizeof *changes)](random, s);
}

/* ---- what an answer must be ---- */

static bool is_within(double value, double lower, double upper, double size) {
  const double edge = EDGE * (1 + size);
  return value >= lower - edge && value <= upper + edge;
}

/* A price pushes against a bound that holds: down on a lower one, if we minimise. */
static bool is_held(double price, double value, double lower, double upper, double sign) {
  const double bound = sign * price > 0 ? lower : upper;
  return fabs(price) <= EDGE || fabs(value - bound) <= EDGE * (1 + fabs(value));
}

/* Primal, dual, complementary: optimal, whoever says so. */
static enum greatest_test_res check_optimum(const mirror *s, const irl_solution *solution) {
  const dense *d = &s->d;
  const double sign = s->is_maximised ? -1 : 1;
  double x[MAX_N], reduced[MAX_N], activity[MAX_M], dual[MAX_M], objective = s->constant;
  must(irl_model_primal(env, s->model, d->n, x));
  must(irl_model_reduced(env, s->model, d->n, reduced));
  must(irl_model_activity(env, s->model, d->m, activity));
  must(irl_model_dual(env, s->model, d->m, dual));
  for (uint32_t j = 0; j < d->n; j++) {
    double rest = d->c[j];
    for (uint32_t i = 0; i < d->m; i++) rest -= dual[i] * d->a[i][j];
    objective += d->c[j] * x[j];
    ASSERT(is_within(reduced[j], rest, rest, 10));
    ASSERT(is_within(x[j], d->lower[j], d->upper[j], fabs(x[j])));
    ASSERT(is_held(reduced[j], x[j], d->lower[j], d->upper[j], sign));
  }
  for (uint32_t i = 0; i < d->m; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < d->n; j++) sum += d->a[i][j] * x[j];
    ASSERT(is_within(activity[i], sum, sum, fabs(sum)));
    ASSERT(is_within(sum, d->row_lower[i], d->row_upper[i], fabs(sum)));
    ASSERT(is_held(dual[i], activity[i], d->row_lower[i], d->row_upper[i], sign));
  }
  ASSERT(is_close(objective, solution->objective));
  PASS();
}

/* The least of price * value over the bounds; what is zero but for rounding is not. */
static double least_of(double price, double lower, double upper) {
  if (fabs(price) < 1e-9) return 0;
  return price * (price > 0 ? lower : upper);
}

static enum greatest_test_res check_farkas(const mirror *s) {
  const dense *d = &s->d;
  double y[MAX_M], least = 0;
  if (irl_model_ray(env, s->model, d->m, y)) PASS(); /* bounds or sides cross */
  n_rays++;
  for (uint32_t j = 0; j < d->n; j++) {
    double price = 0;
    for (uint32_t i = 0; i < d->m; i++) price += y[i] * d->a[i][j];
    least += least_of(price, d->lower[j], d->upper[j]);
  }
  for (uint32_t i = 0; i < d->m; i++) least += least_of(-y[i], d->row_lower[i], d->row_upper[i]);
  ASSERT(least > 0);
  PASS();
}

static bool may_go_on(double change, double lower, double upper) {
  return fabs(change) < EDGE || isinf(change > 0 ? upper : lower);
}

static enum greatest_test_res check_direction(const mirror *s) {
  const dense *d = &s->d;
  double ray[MAX_N], gain = 0;
  must(irl_model_ray(env, s->model, d->n, ray));
  n_rays++;
  for (uint32_t j = 0; j < d->n; j++) {
    gain += (s->is_maximised ? 1 : -1) * d->c[j] * ray[j];
    ASSERT(may_go_on(ray[j], d->lower[j], d->upper[j]));
  }
  for (uint32_t i = 0; i < d->m; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < d->n; j++) sum += d->a[i][j] * ray[j];
    ASSERT(may_go_on(sum, d->row_lower[i], d->row_upper[i]));
  }
  ASSERT(gain > 0);
  PASS();
}

/* ---- the same from scratch, and by another program ---- */

static bool are_same(const irl_solution *warm, const irl_solution *cold) {
  return warm->outcome == cold->outcome &&
         (cold->outcome != IRL_OUTCOME_OPTIMAL || is_close(warm->objective, cold->objective));
}

static bool has_glpsol(void) {
  static int answer = -1;
  if (answer < 0) answer = !system("command -v glpsol >/dev/null 2>&1");
  return answer;
}

/* Does glpsol find the same optimum, or none either? */
static bool agrees_with_glpsol(const mirror *s, const irl_solution *solution, bool is_relaxed) {
  char command[200], line[400];
  double value = NAN;
  bool is_optimal = false;
  must(irl_model_write(env, s->model, FOLDER "/model.lp"));
  remove_file(FOLDER "/out");
  snprintf(command, sizeof command,
           "glpsol --lp " FOLDER "/model.lp %s --tmlim 10 -o " FOLDER "/out >/dev/null 2>&1",
           is_relaxed ? "--nomip" : "");
  if (system(command)) return true; /* its own limits */
  FILE *f = fopen(FOLDER "/out", "r");
  if (!f) return true;
  while (fgets(line, sizeof line, f)) {
    const char *equals = strchr(line, '=');
    if (!strncmp(line, "Status:", 7)) is_optimal = strstr(line, "OPTIMAL");
    if (!strncmp(line, "Objective:", 10) && equals) value = strtod(equals + 1, NULL);
  }
  fclose(f);
  n_glpsol++;
  if (solution->outcome != IRL_OUTCOME_OPTIMAL) return !is_optimal;
  return is_optimal && fabs(value - solution->objective) <= 1e-6 * fmax(1, fabs(value));
}

static const irl_options *lp_options(const mirror *s) {
  for (uint32_t j = 0; j < s->d.n; j++)
    if (s->is_integer[j]) return &relaxed;
  return &options; /* which refuse to relax what is not integer */
}

/* The model as it is now, as a new one. */
static irl_solution solve_from_scratch(const mirror *s, irl_random *random, const irl_options *o) {
  mirror fresh = *s;
  build(&fresh, random);
  const irl_solution cold = solve(fresh.model, o);
  irl_model_free(fresh.model);
  return cold;
}

static enum greatest_test_res check_lp(const mirror *s, irl_random *random, uint64_t number) {
  const irl_solution warm = solve(s->model, lp_options(s));
  const irl_solution cold = solve_from_scratch(s, random, lp_options(s));
  ASSERT(are_same(&warm, &cold));
  n_optimal += warm.outcome == IRL_OUTCOME_OPTIMAL;
  n_infeasible += warm.outcome == IRL_OUTCOME_INFEASIBLE;
  n_unbounded += warm.outcome == IRL_OUTCOME_UNBOUNDED;
  if (warm.outcome == IRL_OUTCOME_OPTIMAL) CHECK_CALL(check_optimum(s, &warm));
  if (warm.outcome == IRL_OUTCOME_INFEASIBLE) CHECK_CALL(check_farkas(s));
  if (warm.outcome == IRL_OUTCOME_UNBOUNDED) CHECK_CALL(check_direction(s));
  if (has_glpsol() && number % 16 == 0) ASSERT(agrees_with_glpsol(s, &warm, true));
  PASS();
}

static enum greatest_test_res check_milp(const mirror *s, irl_random *random, uint64_t number) {
  double x[MAX_N];
  if (lp_options(s) != &relaxed) PASS();
  const irl_solution warm = solve(s->model, &options);
  const irl_solution cold = solve_from_scratch(s, random, &options);
  ASSERT(are_same(&warm, &cold));
  n_optimal += warm.outcome == IRL_OUTCOME_OPTIMAL;
  n_infeasible += warm.outcome == IRL_OUTCOME_INFEASIBLE;
  if (has_glpsol() && number % 8 == 0) ASSERT(agrees_with_glpsol(s, &warm, false));
  if (warm.outcome != IRL_OUTCOME_OPTIMAL) PASS();
  must(irl_model_primal(env, s->model, s->d.n, x));
  ASSERT(is_feasible_point(&s->d, x));
  for (uint32_t j = 0; j < s->d.n; j++) ASSERT(!s->is_integer[j] || x[j] == round(x[j]));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_reduced(env, s->model, s->d.n, x));
  PASS();
}

/* Numbers of states so far, so that glpsol is asked now and then. */
static enum greatest_test_res run_sequence(uint64_t seed, bool has_integers, uint64_t *number) {
  irl_random random;
  irl_random_init(&random, seed, has_integers ? 12 : 11);
  mirror s = random_mirror(&random, has_integers);
  for (int step = 0; step < (has_integers ? 8 : 20); step++) {
    const unsigned infeasible = n_infeasible;
    ++*number;
    /* Relaxed and integer solves take turns: neither may lose what the other one starts from. */
    if (!has_integers || irl_random_below(&random, 2)) CHECK_CALL(check_lp(&s, &random, *number));
    if (has_integers) CHECK_CALL(check_milp(&s, &random, *number));
    for (uint64_t k = irl_random_below(&random, 3) + 1; k-- > 0;) change_something(&random, &s);
    if (n_infeasible > infeasible && irl_random_below(&random, 2)) make_room(&random, &s);
  }
  irl_model_free(s.model);
  PASS();
}

TEST random_changes(bool has_integers) {
  const uint64_t first = number_of("IRL_FUZZ_SEED", 1), n = number_of("IRL_FUZZ", 150);
  uint64_t number = 0;
  n_optimal = n_infeasible = n_unbounded = n_rays = n_glpsol = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    const enum greatest_test_res result = run_sequence(seed, has_integers, &number);
    if (result == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "IRL_FUZZ_SEED=%llu IRL_FUZZ=1, %s\n", (unsigned long long)seed,
            has_integers ? "integer" : "linear");
    return result;
  }
  printf("optimal %u, infeasible %u, unbounded %u, rays %u, by glpsol %u\n", n_optimal,
         n_infeasible, n_unbounded, n_rays, n_glpsol);
  ASSERT(n_optimal > n && n_infeasible > n / 4);
  PASS();
}

TEST glpsol_was_asked(void) {
  if (!has_glpsol()) SKIPm("glpsol is not installed");
  ASSERT(n_glpsol > 0);
  PASS();
}

/* ---- warm starts ---- */

/* A cover: 200 rows that want one of some of the 100 columns. */
static irl_model *cover_model(void) {
  enum { ROWS = 200, COLUMNS = 100 };
  irl_random random;
  irl_model *model = NULL;
  irl_random_init(&random, 1, 5);
  must(irl_model_create(env, &model));
  for (uint32_t j = 0; j < COLUMNS; j++) {
    const irl_variable c = {
        .size = sizeof c, .cost = small_integer(&random, 5, 9), .lower = 0, .upper = 1};
    must(irl_model_add_columns(env, model, 1, &c));
  }
  for (uint32_t i = 0; i < ROWS; i++) {
    uint32_t columns[COLUMNS], n = 0;
    double ones[COLUMNS];
    for (uint32_t j = 0; j < COLUMNS; j++)
      if (irl_random_below(&random, 8) == 0) {
        ones[n] = 1;
        columns[n++] = j;
      }
    const irl_constraint r = {.size = sizeof r,
                              .lower = 1,
                              .upper = INFINITY,
                              .n_entries = n,
                              .columns = columns,
                              .values = ones};
    must(irl_model_add_rows(env, model, 1, &r));
  }
  return model;
}

/* Branching on each fractional column costs a fraction of the first solve, after presolve too. */
TEST costs_little(void) {
  irl_model *model = cover_model();
  double x[100];
  const irl_solution first = solve(model, &options);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, first.outcome);
  uint64_t iterations = 0, work = 0;
  uint32_t n = 0;
  must(irl_model_primal(env, model, 100, x));
  for (uint32_t j = 0; j < 100; j++) {
    if (x[j] < 0.1 || x[j] > 0.9) continue;
    must(irl_model_set_bounds(env, model, j, 0, 0));
    const irl_solution down = solve(model, &options);
    ASSERT(down.objective >= first.objective - 1e-9);
    iterations += down.iterations;
    work += down.work;
    must(irl_model_set_bounds(env, model, j, 0, 1));
    ASSERT(is_close(first.objective, solve(model, &options).objective));
    n++;
  }
  ASSERT(n > 5);
  ASSERT(iterations / n < first.iterations / 3);
  ASSERT(work / n < first.work / 3);
  ASSERT_EQ(0, (int)solve(model, &options).iterations);
  irl_model_free(model);
  PASS();
}

/* A cut: the optimum is cut off by a row, and the dual simplex goes on. */
TEST rows_after_a_solve(void) {
  irl_model *model = cover_model();
  irl_solution last = solve(model, &options);
  const uint64_t first = last.iterations;
  uint32_t columns[100];
  double ones[100];
  for (uint32_t j = 0; j < 100; j++) columns[j] = j, ones[j] = 1;
  for (int k = 0; k < 5; k++) {
    double x[100], sum = 0;
    must(irl_model_primal(env, model, 100, x));
    for (uint32_t j = 0; j < 100; j++) sum += x[j];
    const irl_constraint cut = {.size = sizeof cut,
                                .lower = floor(sum) + 1,
                                .upper = INFINITY,
                                .n_entries = 100,
                                .columns = columns,
                                .values = ones};
    must(irl_model_add_rows(env, model, 1, &cut));
    const irl_solution now = solve(model, &options);
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, now.outcome);
    ASSERT(now.objective >= last.objective - 1e-9);
    ASSERT(now.iterations < first / 2);
    last = now;
  }
  irl_model_free(model);
  PASS();
}

/* What an integer program begins with, which is all that is found when it has to stop at once. */
static double first_objective(irl_model *model) {
  irl_env_stop(env);
  const irl_solution solution = solve(model, &options);
  irl_env_clear_stop(env);
  return solution.outcome == IRL_OUTCOME_INTERRUPTED ? solution.objective : -1;
}

TEST start_of_an_integer_program(void) {
  irl_model *model = cover_model();
  const irl_options some = options_of(env, "threads", "1", "node_limit", "3", NULL);
  double x[100], all = 0;
  for (uint32_t j = 0; j < 100; j++) {
    must(irl_model_set_integer(env, model, j, true));
    must(irl_model_set_cost(env, model, j, j % 5));
    all += j % 5;
    x[j] = 1;
  }
  ASSERT(isnan(first_objective(model)));
  must(irl_model_set_start(env, model, 100, x));
  ASSERT_EQ(all, first_objective(model));
  const irl_solution better = solve(model, &some);
  ASSERT(better.objective < all);
  ASSERT_EQ(better.objective, first_objective(model));
  must(irl_model_set_start(env, model, 0, NULL));
  ASSERT(isnan(first_objective(model)));
  irl_model_free(model);
  PASS();
}

SUITE(models) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  make_folder(FOLDER);
  RUN_TESTp(random_changes, false);
  RUN_TESTp(random_changes, true);
  RUN_TEST(glpsol_was_asked);
  RUN_TEST(costs_little);
  RUN_TEST(rows_after_a_solve);
  RUN_TEST(start_of_an_integer_program);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(models);
  GREATEST_MAIN_END();
}
