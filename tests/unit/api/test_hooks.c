/* The handle from outside: progress and incumbent hooks, stopping and going on, a rule to start
 * from, and two jobs in two threads at once. */
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "model_arrays.h"
#include "support.h"
#include <math.h>
#include <pthread.h>

#define FOLDER "build/test-hooks"

#ifdef IRL_HAS_BLAS
extern int openblas_get_num_threads(void);
extern void openblas_set_num_threads(int n);
#else
static int openblas_get_num_threads(void) {
  return 1;
}
static void openblas_set_num_threads(int n) {
  (void)n;
}
#endif

static irl_env *env;

static irl_data *generate(const char *n, const char *j, const char *noise) {
  irl_data *data;
  const irl_options o = options_of(env, "N", n, "J", j, "K", "3", "M", "3", "exact_size", "",
                                   "noise", noise, "seed", "5", NULL);
  if (irl_generate(env, &o, &data, NULL)) abort();
  return data;
}

/* What the hooks saw. */
typedef struct seen {
  int n_progress, n_rules, stop_at;
  double objective, seconds;
  bool is_in_order, is_same_thread;
  pthread_t thread;
} seen;

static int on_progress(void *user, const irl_progress *progress) {
  seen *s = user;
  s->n_progress++;
  s->is_same_thread &= pthread_equal(s->thread, pthread_self());
  s->is_in_order &= progress->part && progress->seconds >= s->seconds;
  s->seconds = progress->seconds;
  return s->stop_at && s->n_progress >= s->stop_at;
}

static int on_rule(void *user, const irl_incumbent *incumbent) {
  seen *s = user;
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  irl_rule_describe(incumbent->rule, &info);
  s->is_in_order &= info.clauses <= 5 && (!s->n_rules || incumbent->objective < s->objective) &&
                    incumbent->bound <= incumbent->objective + 1e-9;
  s->is_same_thread &= pthread_equal(s->thread, pthread_self());
  s->objective = incumbent->objective;
  s->n_rules++;
  return 0;
}

static seen nothing(int stop_at) {
  return (seen){.is_in_order = true,
                .is_same_thread = true,
                .stop_at = stop_at,
                .thread = pthread_self(),
                .objective = NAN};
}

static void watch(seen *s) {
  irl_env_set_progress(env, s ? on_progress : NULL, s);
  irl_env_set_incumbent(env, s ? on_rule : NULL, s);
}

/* The last incumbent is the result, and being watched changes nothing. */
TEST rules_are_shown(const char *method, const char *threads) {
  irl_data *data = generate("600", "200", "0.05");
  irl_fit_result *alone, *watched;
  irl_fit_info a = IRL_SIZED(irl_fit_info), b = IRL_SIZED(irl_fit_info);
  seen s = nothing(0);
  const irl_options o =
      options_of(env, "K", "3", "M", "3", "method", method, "threads", threads, NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &alone));
  watch(&s);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &watched));
  watch(NULL);
  irl_fit_describe(alone, &a);
  irl_fit_describe(watched, &b);
  ASSERT(s.n_rules > 0 && s.is_in_order && s.is_same_thread);
  ASSERT_IN_RANGE(b.objective, s.objective, 1e-9);
  ASSERT_EQ_FMT((unsigned long)a.work, (unsigned long)b.work, "%lu");
  irl_fit_free(alone);
  irl_fit_free(watched);
  irl_data_free(data);
  PASS();
}

/* A hook that asks to stop ends a search that would go on for long, with a rule. */
TEST progress_stops(const char *threads) {
  irl_data *data = generate("2000", "1000", "0.3");
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  seen s = nothing(3);
  const irl_options o = options_of(env, "K", "5", "M", "4", "prove", "", "threads", threads,
                                   "time_limit", "3600", NULL);
  watch(&s);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &result));
  watch(NULL);
  irl_fit_describe(result, &info);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, info.outcome, "%d");
  ASSERT(s.n_progress >= 3 && s.is_in_order && s.is_same_thread);
  irl_fit_free(result);

  /* The request stays until it is taken back. */
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &result));
  irl_fit_describe(result, &info);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, info.outcome, "%d");
  irl_fit_free(result);
  irl_env_clear_stop(env);
  const irl_options small = options_of(env, "K", "1", "M", "1", "work_limit", "1000000", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &small, &result));
  irl_fit_describe(result, &info);
  ASSERT(info.outcome != IRL_OUTCOME_INTERRUPTED);
  irl_fit_free(result);
  irl_data_free(data);
  PASS();
}

/* The engines by themselves report too. */
TEST clause_is_watched(void) {
  irl_data *data = generate("2000", "1000", "0.3");
  irl_clause_solution *solution;
  irl_clause_info info = IRL_SIZED(irl_clause_info);
  seen s = nothing(2);
  const irl_options o = options_of(env, "M", "5", "budget", "0.02", "prove", "", "threads", "1",
                                   "time_limit", "3600", NULL);
  watch(&s);
  ASSERT_EQ(IRL_STATUS_OK, irl_clause_solve(env, data, &o, &solution));
  watch(NULL);
  irl_env_clear_stop(env);
  irl_clause_describe(solution, &info);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, info.outcome, "%d");
  ASSERT(s.n_progress >= 2);
  irl_clause_free(solution);
  irl_data_free(data);
  PASS();
}

/* ---- a rule to start from ---- */

static irl_fit_info fit_from(const irl_data *data, const irl_options *o, const irl_rule *start) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_options own = *o;
  own.search.start = start;
  if (irl_fit(env, data, &own, &result)) abort();
  irl_fit_describe(result, &info);
  irl_fit_free(result);
  return info;
}

TEST start_is_used(void) {
  irl_data *data = generate("800", "300", "0.1");
  irl_fit_result *result;
  irl_fit_info good = IRL_SIZED(irl_fit_info);
  const irl_options o = options_of(env, "K", "3", "M", "3", "threads", "1", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &result));
  irl_fit_describe(result, &good);
  const irl_rule *rule = irl_fit_rule(result);
  /* With next to no work of its own a run is as good as what it started from. */
  const irl_options brief =
      options_of(env, "K", "3", "M", "3", "threads", "1", "work_limit", "1", NULL);
  ASSERT(fit_from(data, &brief, NULL).objective > good.objective);
  ASSERT_IN_RANGE(good.objective, fit_from(data, &brief, rule).objective, 1e-9);
  ASSERT_IN_RANGE(good.objective, fit_from(data, &o, rule).objective, 1e-9);
  /* From a file it is the same. */
  irl_rule *read;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_write(env, rule, FOLDER "/rule.json"));
  irl_options named = brief;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_read(env, FOLDER "/rule.json", &read));
  named.search.start = read;
  irl_fit_result *again;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &named, &again));
  irl_fit_describe(again, &info);
  ASSERT_IN_RANGE(good.objective, info.objective, 1e-9);
  irl_fit_free(again);
  /* Clauses that are too long, and features that are not there, are mistakes. */
  irl_rule_free(read);
  irl_options narrow = options_of(env, "K", "3", "M", "2", NULL);
  narrow.search.start = rule;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_fit(env, data, &narrow, &again));
  irl_rule *other;
  static const char json[] = "{\"clauses\": [[\"absent\"]]}";
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &other));
  named.search.start = other;
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_fit(env, data, &named, &again));
  ASSERTm(irl_env_error(env), strstr(irl_env_error(env), "'absent'"));
  irl_rule_free(other);
  irl_fit_free(result);
  irl_data_free(data);
  PASS();
}

/* ---- threads ---- */

typedef struct solver {
  pthread_t thread;
  const irl_data *data;
  char seed[8];
  irl_fit_info info;
  char *rule;
  irl_status status;
} solver;

static void *solve(void *user) {
  solver *s = user;
  irl_env *own;
  irl_fit_result *result;
  char *text;
  s->status = irl_env_create(NULL, &own);
  if (s->status) return NULL;
  const irl_options o = options_of(own, "K", "3", "M", "3", "threads", "2", "seed", s->seed, NULL);
  s->status = irl_fit(own, s->data, &o, &result);
  if (!s->status) s->status = irl_rule_render(own, irl_fit_rule(result), IRL_FORMAT_TEXT, &text);
  if (!s->status) {
    s->info = IRL_SIZED(irl_fit_info);
    irl_fit_describe(result, &s->info);
    s->rule = strdup(text);
    irl_text_free(own, text);
    irl_fit_free(result);
  }
  irl_env_free(own);
  return NULL;
}

/* Two solvers on the same data in two threads: each answers as if it were alone. */
TEST two_at_once(void) {
  irl_data *data = generate("600", "200", "0.1");
  solver alone[2] = {{.seed = "1"}, {.seed = "2"}}, both[2] = {{.seed = "1"}, {.seed = "2"}};
  const int blas = openblas_get_num_threads();
  for (int i = 0; i < 2; i++) {
    alone[i].data = both[i].data = data;
    solve(&alone[i]);
  }
  for (int i = 0; i < 2; i++) pthread_create(&both[i].thread, NULL, solve, &both[i]);
  for (int i = 0; i < 2; i++) pthread_join(both[i].thread, NULL);
  for (int i = 0; i < 2; i++) {
    ASSERT_EQ(IRL_STATUS_OK, alone[i].status);
    ASSERT_EQ(IRL_STATUS_OK, both[i].status);
    ASSERT_STR_EQ(alone[i].rule, both[i].rule);
    ASSERT_EQ_FMT((unsigned long)alone[i].info.work, (unsigned long)both[i].info.work, "%lu");
    free(alone[i].rule);
    free(both[i].rule);
  }
  ASSERT_EQ_FMT(blas, openblas_get_num_threads(), "%d");
  irl_data_free(data);
  PASS();
}

static void *stop_soon(void *user) {
  usleep(200000);
  irl_env_stop(user);
  return NULL;
}

TEST stopped_by_another_thread(void) {
  irl_data *data = generate("2000", "1000", "0.3");
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  pthread_t other;
  const irl_options o =
      options_of(env, "K", "5", "M", "4", "prove", "", "time_limit", "3600", NULL);
  pthread_create(&other, NULL, stop_soon, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &result));
  pthread_join(other, NULL);
  irl_fit_describe(result, &info);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, info.outcome, "%d");
  irl_env_clear_stop(env);
  irl_fit_free(result);
  irl_data_free(data);
  PASS();
}

/* The host's choice of threads for BLAS stays, whatever it is. */
TEST blas_is_left_alone(void) {
  irl_model *model;
  irl_solution solution = {.size = sizeof solution};
  const int before = openblas_get_num_threads();
  static const double cost[] = {-3, -2}, upper[] = {4, 5}, high[] = {6.5}, values[] = {1, 1};
  static const size_t start[] = {0, 1, 2};
  static const uint32_t rows[] = {0, 0};
  const model_view view = {.n_rows = 1,
                           .n_columns = 2,
                           .cost = cost,
                           .upper = upper,
                           .row_upper = high,
                           .start = start,
                           .rows = rows,
                           .values = values};
  const irl_options o = options_of(env, NULL);
  openblas_set_num_threads(2);
  const int set = openblas_get_num_threads();
  ASSERT_EQ(IRL_STATUS_OK, model_of_arrays(env, &view, &model));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &o, &solution));
  ASSERT_IN_RANGE(-17.0, solution.objective, 1e-9);
  irl_model_free(model);
  ASSERT_EQ_FMT(set, openblas_get_num_threads(), "%d");
  openblas_set_num_threads(before);
  PASS();
}

TEST build_is_described(void) {
  irl_build build = IRL_SIZED(irl_build);
  irl_build_describe(&build);
  ASSERT_STR_EQ(IRL_VERSION, irl_version());
  ASSERT_STR_EQ(IRL_VERSION, build.version);
  ASSERT(*build.compiler && *build.kernel && *build.blas);
  ASSERT(build.xxhash >= 800 && (!build.openmp || build.openmp > 201300));
  PASS();
}

SUITE(hooks) {
  static const char *const methods[] = {"ireland", "brcg", "bp4"};
  for (int i = 0; i < 6; i++) {
    greatest_set_test_suffix(methods[i / 2]);
    RUN_TESTp(rules_are_shown, methods[i / 2], i % 2 ? "2" : "1");
  }
  RUN_TESTp(progress_stops, "1");
  RUN_TESTp(progress_stops, "2");
  RUN_TEST(clause_is_watched);
  RUN_TEST(start_is_used);
  RUN_TEST(two_at_once);
  RUN_TEST(stopped_by_another_thread);
  RUN_TEST(blas_is_left_alone);
  RUN_TEST(build_is_described);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(hooks);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
