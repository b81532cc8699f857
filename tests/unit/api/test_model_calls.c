/* Calls on models: what they say back, what they refuse, structs of other sizes, failing memory. */
#include "ireland_model.h"
#include "support.h"
#include <limits.h>
#include <math.h>

#define FOLDER "build/test-model-calls"

static irl_env *env;
static irl_options options;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  options = options_of(env, "threads", "1", NULL);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static void must(irl_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", irl_env_error(env));
  abort();
}

static irl_solution solve(irl_model *model) {
  irl_solution solution = {.size = sizeof solution};
  must(irl_model_solve(env, model, &options, &solution));
  return solution;
}

/* ---- answers and names ---- */

TEST answer_stays(void) {
  irl_model *model = NULL;
  double value, values[2];
  const irl_variable c = {.size = sizeof c, .cost = 1, .lower = 2, .upper = 5, .name = "first"};
  must(irl_model_create(env, &model));
  must(irl_model_add_columns(env, model, 1, &c));
  ASSERT_STR_EQ("first", irl_model_column(model, 0, &value));
  ASSERT(isnan(value));
  ASSERT_EQ(2.0, solve(model).objective);
  must(irl_model_set_bounds(env, model, 0, 3, 5));
  must(irl_model_add_columns(env, model, 1, &c));
  ASSERT_STR_EQ("first", irl_model_column(model, 0, &value));
  ASSERT_EQ(2.0, value); /* of the model as it was */
  irl_model_column(model, 1, &value);
  ASSERT(isnan(value));
  must(irl_model_primal(env, model, 1, values));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_primal(env, model, 2, values));
  ASSERT_EQ(5.0, solve(model).objective);
  must(irl_model_primal(env, model, 2, values));
  ASSERT_EQ(3.0, values[0]);
  ASSERT_EQ(2.0, values[1]);
  irl_model_free(model);
  PASS();
}

TEST what_was_said(void) {
  irl_model *model = NULL;
  irl_variable c = {
      .size = sizeof c, .cost = 7, .lower = -INFINITY, .upper = 1e30, .is_integer = true};
  irl_constraint r = {.size = sizeof r, .lower = 1, .upper = 2, .name = "sides"};
  irl_model_info info = {.size = sizeof info};
  must(irl_model_create(env, &model));
  must(irl_model_maximise(env, model, true));
  must(irl_model_add_columns(env, model, 1, &c));
  must(irl_model_add_rows(env, model, 1, &r));
  ASSERT_STR_EQ("x1", irl_model_column(model, 0, NULL));
  ASSERT_STR_EQ("sides", irl_model_row(model, 0, NULL));
  irl_model_describe(model, &info);
  ASSERT(info.columns == 1 && info.rows == 1 && info.integers == 1 && info.is_maximised);
  must(irl_model_set_integer(env, model, 0, false));
  must(irl_model_maximise(env, model, false));
  irl_model_describe(model, &info);
  ASSERT(!info.integers && !info.is_maximised);
  irl_model_free(model);
  PASS();
}

/* Two columns of one name, or one that is called like an unnamed one, come back from a file. */
TEST names_that_are_alike(void) {
  irl_model *model = NULL, *again = NULL;
  const irl_variable two[] = {
      {.size = sizeof *two, .cost = 1, .lower = 1, .upper = 9, .name = "x2"},
      {.size = sizeof *two, .cost = 1, .lower = 2, .upper = 9}};
  const irl_constraint r[] = {{.size = sizeof *r, .lower = -INFINITY, .upper = 9, .name = "r2"},
                              {.size = sizeof *r, .lower = -INFINITY, .upper = 9}};
  static const char *const files[] = {FOLDER "/alike.lp", FOLDER "/alike.mps"};
  must(irl_model_create(env, &model));
  must(irl_model_add_columns(env, model, 2, two));
  must(irl_model_add_rows(env, model, 2, r));
  for (int k = 0; k < 2; k++) {
    must(irl_model_write(env, model, files[k]));
    must(irl_model_read(env, files[k], &again));
    ASSERT_EQ(3.0, solve(again).objective);
    irl_model_free(again);
  }
  irl_model_free(model);
  PASS();
}

/* A program that was built with a later header: longer structs, one after the other. */
TEST longer_structs(void) {
  struct {
    irl_variable c;
    double more[3];
  } c[2] = {{.c = {.size = sizeof *c, .cost = 1, .lower = 1, .upper = 2}, .more = {NAN, NAN, NAN}},
            {.c = {.size = sizeof *c, .cost = 1, .lower = 3, .upper = 4}, .more = {NAN, NAN, NAN}}};
  struct {
    irl_solution s;
    double more;
  } solution = {.s = {.size = sizeof solution}, .more = 77};
  irl_model *model = NULL;
  must(irl_model_create(env, &model));
  must(irl_model_add_columns(env, model, 2, &c[0].c));
  must(irl_model_solve(env, model, &options, &solution.s));
  ASSERT_EQ(4.0, solution.s.objective);
  ASSERT_EQ(77.0, solution.more);
  ASSERT_EQ(sizeof solution, solution.s.size);
  c[1].c.size = sizeof c[1].c;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_add_columns(env, model, 2, &c[0].c));
  irl_model_free(model);
  PASS();
}

TEST empty_model(void) {
  irl_model *model = NULL;
  must(irl_model_create(env, &model));
  must(irl_model_set_constant(env, model, 3));
  ASSERT_EQ(3.0, solve(model).objective);
  must(irl_model_primal(env, model, 0, NULL));
  must(irl_model_dual(env, model, 0, NULL));
  const irl_constraint never = {.size = sizeof never, .lower = 1, .upper = 2};
  must(irl_model_add_rows(env, model, 1, &never)); /* 0 from 1 to 2 */
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(model).outcome);
  must(irl_model_set_sides(env, model, 0, -INFINITY, INFINITY));
  ASSERT_EQ(3.0, solve(model).objective);
  irl_model_free(model);
  PASS();
}

/* ---- bad arguments ---- */

static irl_model *small; /* two columns, one row, solved */
static unsigned n_refused;

/* Is it refused, with a sentence? */
static bool refuses(irl_status status, int line) {
  n_refused++;
  if (status == IRL_STATUS_BAD_ARGUMENT && *irl_env_error(env)) return true;
  fprintf(stderr, "line %d: %s\n", line, irl_status_text(status));
  return false;
}
#define REFUSED(call) ASSERT(refuses(call, __LINE__))

static const uint32_t both[] = {0, 1}, twice[] = {1, 1}, beyond[] = {0, 2};
static const double ones[] = {1, 1}, bad[] = {1, NAN}, huge[] = {1, 1e20};

static irl_status try_column(double cost, double lower, double upper) {
  const irl_variable c = {.size = sizeof c, .cost = cost, .lower = lower, .upper = upper};
  return irl_model_add_columns(env, small, 1, &c);
}

static irl_status try_row(uint32_t n, const uint32_t *columns, const double *values) {
  const irl_constraint r[] = {
      {.size = sizeof *r, .upper = 1},
      {.size = sizeof *r, .upper = 1, .n_entries = n, .columns = columns, .values = values}};
  return irl_model_add_rows(env, small, 2, r);
}

TEST bad_lines(void) {
  irl_variable c = {.size = sizeof c};
  irl_constraint r = {.size = sizeof r};
  static const double nots[] = {NAN, INFINITY, -INFINITY, 1e20};
  for (int k = 0; k < 4; k++) {
    REFUSED(try_column(nots[k], 0, 1));
    REFUSED(irl_model_set_cost(env, small, 0, nots[k]));
    REFUSED(irl_model_set_constant(env, small, nots[k]));
  }
  REFUSED(try_column(0, NAN, 1));
  REFUSED(try_column(0, 0, NAN));
  REFUSED(try_column(0, INFINITY, INFINITY));
  REFUSED(try_column(0, -INFINITY, -INFINITY));
  REFUSED(try_row(2, NULL, ones));
  REFUSED(try_row(2, both, NULL));
  REFUSED(try_row(2, twice, ones));
  REFUSED(try_row(2, beyond, ones));
  REFUSED(try_row(2, both, bad));
  REFUSED(try_row(2, both, huge));
  REFUSED(irl_model_add_rows(env, small, 1, NULL));
  REFUSED(irl_model_add_columns(env, small, 1, NULL));
  c.size = r.size = 0;
  REFUSED(irl_model_add_columns(env, small, 1, &c));
  REFUSED(irl_model_add_rows(env, small, 1, &r));
  REFUSED(irl_model_set_cost(env, small, 2, 1));
  REFUSED(irl_model_set_bounds(env, small, UINT32_MAX, 0, 1));
  REFUSED(irl_model_set_bounds(env, small, 0, NAN, 1));
  REFUSED(irl_model_set_integer(env, small, 2, true));
  REFUSED(irl_model_set_sides(env, small, 1, 0, 1));
  REFUSED(irl_model_set_sides(env, small, 0, 0, NAN));
  /* Nothing of it has changed the model. */
  irl_model_info info = {.size = sizeof info};
  irl_model_describe(small, &info);
  ASSERT(info.rows == 1 && info.columns == 2);
  ASSERT_EQ(1.0, solve(small).objective);
  PASS();
}

TEST bad_answers(void) {
  double values[3];
  irl_solution s = {.size = sizeof s};
  irl_status (*const reads[])(irl_env *, const irl_model *, uint32_t, double *) = {
      irl_model_primal, irl_model_reduced, irl_model_activity, irl_model_dual, irl_model_ray};
  solve(small);
  for (int k = 0; k < 5; k++) {
    REFUSED(reads[k](env, NULL, 2, values));
    REFUSED(reads[k](env, small, 3, values));
    REFUSED(reads[k](env, small, k < 2 ? 2 : 1, NULL));
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, reads[k](NULL, small, 2, values));
  }
  REFUSED(irl_model_ray(env, small, 1, values)); /* it was optimal */
  REFUSED(irl_model_set_start(env, small, 2, bad));
  REFUSED(irl_model_set_start(env, small, 1, ones));
  REFUSED(irl_model_set_start(env, small, 2, NULL));
  REFUSED(irl_model_solve(env, small, NULL, &s));
  REFUSED(irl_model_solve(env, small, &options, NULL));
  s.size = 8;
  REFUSED(irl_model_solve(env, small, &options, &s));
  irl_options none = {.size = 0}, relaxed = options_of(env, "relax", "", NULL);
  s.size = sizeof s;
  REFUSED(irl_model_solve(env, small, &none, &s));
  REFUSED(irl_model_solve(env, small, &relaxed, &s)); /* without integers */
  ASSERT_EQ(NULL, irl_model_column(NULL, 0, values));
  ASSERT_EQ(NULL, irl_model_column(small, 2, values));
  ASSERT(isnan(values[0]));
  ASSERT_EQ(NULL, irl_model_row(small, 1, NULL));
  must(irl_model_set_bounds(env, small, 0, 2, 1));
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(small).outcome); /* no error */
  REFUSED(irl_model_primal(env, small, 2, values));
  REFUSED(irl_model_ray(env, small, 1, values)); /* bounds cross: nothing to show */
  must(irl_model_set_bounds(env, small, 0, 0, 1));
  must(irl_model_set_integer(env, small, 0, true));
  must(irl_model_set_bounds(env, small, 0, 2, 1));
  ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, solve(small).outcome);
  must(irl_model_set_integer(env, small, 0, false));
  must(irl_model_set_bounds(env, small, 0, 0, 1));
  PASS();
}

TEST null_everywhere(void) {
  irl_model *model = NULL;
  char *text = NULL;
  irl_model_info info = {.size = sizeof info};
  irl_solution s = {.size = sizeof s};
  const irl_variable c = {.size = sizeof c};
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_create(NULL, &model));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_add_columns(NULL, small, 1, &c));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_solve(NULL, small, &options, &s));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_model_read(NULL, "x.lp", &model));
  REFUSED(irl_model_create(env, NULL));
  REFUSED(irl_model_add_columns(env, NULL, 1, &c));
  REFUSED(irl_model_maximise(env, NULL, true));
  REFUSED(irl_model_set_start(env, NULL, 0, NULL));
  REFUSED(irl_model_solve(env, NULL, &options, &s));
  REFUSED(irl_model_read(env, NULL, &model));
  REFUSED(irl_model_read(env, "x.lp", NULL));
  REFUSED(irl_model_write(env, NULL, FOLDER "/x.lp"));
  REFUSED(irl_model_write(env, small, NULL));
  REFUSED(irl_model_from_data(env, NULL, &options, &model));
  REFUSED(irl_model_render(env, NULL, IRL_FORMAT_TEXT, &text));
  REFUSED(irl_model_render(env, small, IRL_FORMAT_TEXT, NULL));
  REFUSED(irl_model_write_solution(env, NULL, FOLDER "/x.txt"));
  REFUSED(irl_model_write_solution(env, small, NULL));
  irl_model_describe(NULL, &info);
  irl_model_describe(small, NULL);
  irl_model_free(NULL);
  ASSERT(!model && !text);
  PASS();
}

static void make_small(void) {
  const irl_variable two[] = {{.size = sizeof *two, .cost = 1, .upper = 1},
                              {.size = sizeof *two, .cost = 2, .upper = 1}};
  const irl_constraint one = {.size = sizeof one,
                              .lower = 1,
                              .upper = INFINITY,
                              .n_entries = 2,
                              .columns = both,
                              .values = ones};
  must(irl_model_create(env, &small));
  must(irl_model_add_columns(env, small, 2, two));
  must(irl_model_add_rows(env, small, 1, &one));
}

/* ---- memory ---- */

typedef struct purse {
  long requests, live, fail_at;
} purse;

/* Fails one request. */
static void *resize(void *user, void *memory, size_t size) {
  purse *p = user;
  if (!size) {
    p->live--;
    free(memory);
    return NULL;
  }
  if (++p->requests == p->fail_at) return NULL;
  if (!memory) p->live++;
  return realloc(memory, size);
}

/* Whatever request fails: a status, and once there is memory the same model gives the answer. */
TEST failing_memory(bool is_integer) {
  bool is_done = false;
  for (long fail_at = 1; !is_done && fail_at < 2000; fail_at++) {
    purse p = {.fail_at = LONG_MAX};
    const irl_allocator allocator = {sizeof allocator, resize, &p};
    irl_env *own = env, *poor = NULL;
    double x[3];
    irl_solution s = {.size = sizeof s};
    irl_model_info info = {.size = sizeof info};
    must(irl_env_create(&allocator, &poor));
    env = poor;
    make_small();
    for (uint32_t j = 0; j < 2; j++) must(irl_model_set_integer(env, small, j, is_integer));
    p.fail_at = p.requests + fail_at;
    const irl_variable more = {.size = sizeof more, .cost = 3, .upper = 1};
    irl_status status = irl_model_solve(poor, small, &options, &s);
    if (!status) status = irl_model_set_start(poor, small, 2, ones);
    if (!status) status = irl_model_add_columns(poor, small, 1, &more);
    if (!status) status = irl_model_solve(poor, small, &options, &s);
    is_done = !status;
    ASSERT(!status || status == IRL_STATUS_NO_MEMORY);
    p.fail_at = LONG_MAX;
    ASSERT_EQ(1.0, solve(small).objective);
    irl_model_describe(small, &info);
    must(irl_model_primal(env, small, (uint32_t)info.columns, x));
    ASSERT_EQ(1.0, x[0]);
    irl_model_free(small);
    irl_env_free(poor);
    ASSERT_EQ_FMT(0L, p.live, "%ld");
    env = own;
  }
  ASSERT(is_done);
  PASS();
}

SUITE(calls) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  make_folder(FOLDER);
  RUN_TEST(answer_stays);
  RUN_TEST(what_was_said);
  RUN_TEST(names_that_are_alike);
  RUN_TEST(longer_structs);
  RUN_TEST(empty_model);
  RUN_TESTp(failing_memory, false);
  RUN_TESTp(failing_memory, true);
}

static void set_up_small(void *unused) {
  set_up(unused);
  make_small();
}

static void tear_down_small(void *unused) {
  irl_model_free(small);
  tear_down(unused);
}

SUITE(refusals) {
  SET_SETUP(set_up_small, NULL);
  SET_TEARDOWN(tear_down_small, NULL);
  RUN_TEST(bad_lines);
  RUN_TEST(bad_answers);
  RUN_TEST(null_everywhere);
  printf("%u calls refused\n", n_refused);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(calls);
  RUN_SUITE(refusals);
  GREATEST_MAIN_END();
}
