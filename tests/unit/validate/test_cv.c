/* Cross-validation, hold-outs, permutations and equivalent literals: folds hold both classes
 * evenly, nothing leaks, the same bytes on any number of threads, p-values that mean what they say.
 */
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include "validate/resampling.h"
#include <math.h>

#define FOLDER "build/test-cv"
#define SEED   3u

static irl_env *env;
static irl_random numbers;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_random_init(&numbers, SEED, 1);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- parts ---- */

static void draw_labels(uint8_t *labels, uint32_t n, uint32_t cases_of_ten) {
  for (uint32_t i = 0; i < n; i++) labels[i] = irl_random_below(&numbers, 10) < cases_of_ten;
}

TEST folds_are_stratified(void) {
  enum { MOST = 200 };
  for (unsigned round = 0; round < 100; round++) {
    uint8_t labels[MOST];
    uint32_t fold_of[MOST], again[MOST], count[2][10] = {{0}};
    const uint32_t n = 20 + (uint32_t)irl_random_below(&numbers, MOST - 20);
    const uint32_t folds = 2 + (uint32_t)irl_random_below(&numbers, 9);
    draw_labels(labels, n, 1 + (uint32_t)irl_random_below(&numbers, 9));
    irl_random first, second;
    irl_random_init(&first, 7, round);
    irl_random_init(&second, 7, round);
    const irl_units samples = {.n = n, .n_rows = n};
    ASSERT_EQ(IRL_STATUS_OK, irl_units_folds(env, &samples, labels, &first, folds, fold_of));
    ASSERT_EQ(IRL_STATUS_OK, irl_units_folds(env, &samples, labels, &second, folds, again));
    ASSERT_MEM_EQ(fold_of, again, n * sizeof *fold_of);
    for (uint32_t i = 0; i < n; i++) {
      ASSERT(fold_of[i] < folds);
      count[labels[i]][fold_of[i]]++;
    }
    uint32_t least[3] = {MOST, MOST, MOST}, most[3] = {0};
    for (uint32_t f = 0; f < folds; f++)
      for (int c = 0; c < 3; c++) {
        const uint32_t size = c < 2 ? count[c][f] : count[0][f] + count[1][f];
        if (size < least[c]) least[c] = size;
        if (size > most[c]) most[c] = size;
      }
    for (int c = 0; c < 3; c++) ASSERT(most[c] - least[c] <= 1);
  }
  PASS();
}

TEST hold_outs_have_their_share(void) {
  const irl_units samples = {.n = 100, .n_rows = 100};
  uint8_t labels[100];
  uint32_t is_held[100];
  for (uint32_t i = 0; i < 100; i++) labels[i] = i < 30;
  ASSERT_EQ(IRL_STATUS_OK, irl_units_hold_out(env, &samples, labels, 0.2, 5, is_held));
  uint32_t held[2] = {0};
  for (uint32_t i = 0; i < 100; i++) held[labels[i]] += is_held[i];
  ASSERT_EQ(6, held[1]);
  ASSERT_EQ(14, held[0]);
  ASSERT_EQ(IRL_STATUS_OK, irl_units_hold_out(env, &samples, labels, 0.99, 5, is_held));
  held[0] = held[1] = 0;
  for (uint32_t i = 0; i < 100; i++) held[labels[i]] += is_held[i];
  ASSERT_EQ(29, held[1]);
  ASSERT_EQ(69, held[0]);
  PASS();
}

/* ---- tables ---- */

/* Numbers in `columns` columns; the label is random, or says whether the first is large. */
static irl_table *make_table(uint32_t n, uint32_t columns, bool is_random,
                             const irl_options *options) {
  buffer b = {0};
  char cell[64];
  irl_table *made;
  for (uint32_t j = 0; j < columns; j++) {
    snprintf(cell, sizeof cell, "x%u,", j + 1);
    put(&b, cell);
  }
  put(&b, "y\n");
  for (uint32_t i = 0; i < n; i++) {
    double first = 0;
    for (uint32_t j = 0; j < columns; j++) {
      const double x = irl_random_real(&numbers);
      if (!j) first = x;
      snprintf(cell, sizeof cell, "%.4f,", x);
      put(&b, cell);
    }
    put(&b, (is_random ? irl_random_below(&numbers, 2) : first > 0.6) ? "1\n" : "0\n");
  }
  save_text(FOLDER "/table.csv", b.bytes);
  free(b.bytes);
  if (irl_table_read(env, FOLDER "/table.csv", options, &made)) abort();
  return made;
}

/* Cut points from all class boundaries would give a leak away: they must not see the fold. */
TEST noise_gives_chance(void) {
  const irl_options o = options_of(env, "folds", "10", "threads", "1", "cuts", "all", NULL);
  const irl_cv_grid grid = {sizeof grid, "1,2", "1,2", "0,0.01", NULL};
  irl_table *t = make_table(200, 1, true, &o);
  irl_cv_result *result;
  irl_cv_info info = IRL_SIZED(irl_cv_info);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_cv(env, t, &o, &grid, &result), "%d");
  irl_cv_describe(result, &info);
  ASSERT_EQ(8, info.rows);
  for (uint32_t i = 0; i < info.rows; i++) {
    irl_cv_row row = IRL_SIZED(irl_cv_row);
    irl_cv_row_at(result, i, &row);
    ASSERT_EQ(10, row.folds);
    ASSERT_IN_RANGE(0.5, row.balanced_accuracy.mean, 0.14); /* four standard errors */
    ASSERT_IN_RANGE(0.5, row.accuracy.mean, 0.14);
  }
  irl_cv_free(result);
  irl_table_free(t);
  PASS();
}

TEST a_signal_is_found(void) {
  const irl_options o =
      options_of(env, "folds", "3", "threads", "1", "nested", "", "repeats", "2", NULL);
  const irl_cv_grid grid = {sizeof grid, "1..2", "1", "0,0.01", NULL};
  irl_table *t = make_table(100, 2, false, &o);
  irl_cv_result *result;
  irl_cv_info info = IRL_SIZED(irl_cv_info);
  irl_cv_row row = IRL_SIZED(irl_cv_row);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_cv(env, t, &o, &grid, &result), "%d");
  irl_cv_describe(result, &info);
  ASSERT_EQ(IRL_OUTCOME_FEASIBLE, info.outcome);
  irl_cv_row_at(result, info.chosen, &row);
  ASSERT(row.accuracy.mean > 0.85 && row.folds == 6);
  irl_cv_row nested = IRL_SIZED(irl_cv_row);
  ASSERT_EQ(IRL_STATUS_OK, irl_cv_nested(result, &nested));
  ASSERT(nested.folds == 6 && nested.accuracy.mean > 0.85);
  ASSERT_IN_RANGE(1.0, row.clauses, 1e-9); /* the simplest within one standard error */
  irl_cv_free(result);
  irl_table_free(t);
  PASS();
}

/* Everything but the run. */
static char *without_run(char *text) {
  char *run = strstr(text, "\"run\"");
  if (run) *run = '\0';
  return text;
}

TEST threads_change_nothing(void) {
  irl_options o = options_of(env, "folds", "4", "permutations", "5", "test", "0.25", "K", "2",
                             "effort", "quick", NULL);
  const irl_cv_grid grid = {sizeof grid, "1..2", "1..2", "0,0.005", NULL};
  irl_table *t = make_table(80, 2, true, &o);
  char *cv[3], *fit[3];
  for (int i = 0; i < 3; i++) {
    irl_cv_result *result;
    irl_fit_result *fitted;
    o.limits.threads = i == 2 ? 8 : 1 + i;
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_cv(env, t, &o, &grid, &result), "%d");
    ASSERT_EQ(IRL_STATUS_OK, irl_cv_render(env, result, IRL_FORMAT_JSON, &cv[i]));
    irl_cv_free(result);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_fit_table(env, t, &o, &fitted), "%d");
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_render(env, fitted, IRL_FORMAT_JSON, &fit[i]));
    irl_fit_free(fitted);
    ASSERT_STR_EQ(without_run(cv[0]), without_run(cv[i]));
    ASSERT_STR_EQ(without_run(fit[0]), without_run(fit[i]));
  }
  ASSERT(strstr(fit[0], "\"p_value\"") && strstr(fit[0], "\"test\""));
  for (int i = 0; i < 3; i++) {
    irl_text_free(env, cv[i]);
    irl_text_free(env, fit[i]);
  }
  irl_table_free(t);
  PASS();
}

/* Under the null hypothesis p-values are uniform; a true signal has the least possible one. */
TEST p_values_mean_what_they_say(void) {
  enum { TABLES = 30 };
  const irl_options o =
      options_of(env, "permutations", "9", "threads", "1", "K", "1", "M", "1", "seed", "4", NULL);
  double sum = 0;
  unsigned n_low = 0;
  for (int i = 0; i <= TABLES; i++) {
    irl_table *t = make_table(60, 2, i < TABLES, &o);
    irl_fit_result *result;
    irl_fit_info info = IRL_SIZED(irl_fit_info);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_fit_table(env, t, &o, &result), "%d");
    irl_fit_describe(result, &info);
    ASSERT_EQ(9, info.permutations);
    ASSERT(info.p_value > 0.1 - 1e-9 && info.p_value < 1 + 1e-9);
    if (i == TABLES) ASSERT_IN_RANGE(0.1, info.p_value, 1e-9);
    if (i < TABLES) sum += info.p_value;
    n_low += i < TABLES && info.p_value < 0.25;
    irl_fit_free(result);
    irl_table_free(t);
  }
  ASSERT_IN_RANGE(0.55, sum / TABLES, 0.17); /* mean of 0.1 .. 1, three standard errors */
  ASSERT(n_low <= 12);                       /* 6 are expected */
  PASS();
}

/* 100 samples of one column that is the label but for the last ten, which weigh 9 each, the others
 * 1: right by count for 90 of 100, by weight for 90 of 180. */
static irl_table *make_weighted(const irl_options *o) {
  char text[2000] = "a,w,y\n";
  irl_table *t;
  for (int i = 0; i < 100; i++)
    sprintf(text + strlen(text), "%d,%d,%d\n", i % 2, i < 90 ? 1 : 9, i < 90 ? i % 2 : 1 - i % 2);
  save_text(FOLDER "/w.csv", text);
  return irl_table_read(env, FOLDER "/w.csv", o, &t) ? NULL : t;
}

TEST weights_count_in_scores(void) {
  const irl_options o =
      options_of(env, "weight_column", "w", "negations", "1", "folds", "10", "threads", "1", NULL);
  const irl_cv_grid grid = {sizeof grid, "1", "1", "0", NULL};
  const char *json = "{\"target\": \"y\", \"clauses\": [[\"a\"]]}";
  irl_table *t = make_weighted(&o);
  irl_coding *coding;
  irl_data *data;
  irl_rule *rule;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_cv_result *result;
  irl_cv_row row = IRL_SIZED(irl_cv_row);
  ASSERT(t);
  ASSERT_EQ(IRL_STATUS_OK, irl_table_code(env, t, NULL, &o, &coding));
  ASSERT_EQ(IRL_STATUS_OK, irl_table_data(env, t, coding, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  ASSERT_IN_RANGE(0.9, e.accuracy, 1e-12);
  ASSERT_IN_RANGE(0.5, e.accuracy_by_weight, 1e-12);
  ASSERT_IN_RANGE(0.5, e.balanced_accuracy_by_weight, 1e-12);
  if (irl_cv(env, t, &o, &grid, &result)) FAILm(irl_env_error(env));
  irl_cv_row_at(result, 0, &row);
  ASSERT_EQ(10u, row.folds);
  ASSERT(!isnan(row.accuracy_by_weight.mean));
  irl_cv_free(result);
  irl_rule_free(rule);
  irl_data_free(data);
  irl_coding_free(coding);
  irl_table_free(t);
  PASS();
}

/* A copy of a feature can stand for it, and so says the answer. */
TEST copies_are_equivalent(void) {
  enum { N = 80, J = 4 };
  uint8_t cells[N * J], labels[N];
  irl_data *data;
  irl_fit_result *result;
  char *text;
  for (uint32_t i = 0; i < N; i++) {
    for (uint32_t j = 0; j < J; j++) cells[i * J + j] = irl_random_below(&numbers, 2);
    cells[i * J + 3] = cells[i * J];
    labels[i] = cells[i * J] && cells[i * J + 1];
  }
  const irl_options o = options_of(env, "K", "1", "M", "2", "threads", "1", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, N, J, cells, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &o, &result));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_render(env, result, IRL_FORMAT_TEXT, &text));
  ASSERT(strstr(text, "could stand in place of\n  f1 (clause 1): f4\n"));
  irl_text_free(env, text);
  irl_fit_free(result);
  irl_data_free(data);
  PASS();
}

/* Stops a cross-validation after so many folds. */
static void stop_after(void *user, irl_log_kind kind, const char *line) {
  unsigned done;
  (void)kind;
  if (sscanf(line, "cross-validation: %u of", &done) == 1 && done == *(unsigned *)user)
    irl_env_stop(env);
}

/* A choice needs half of the folds that were asked for. */
TEST few_folds_choose_nothing(void) {
  const irl_options o = options_of(env, "folds", "10", "threads", "1", "predictions", "", NULL);
  const irl_cv_grid grid = {sizeof grid, "1,2", "1", "0", NULL};
  irl_table *t = make_table(200, 2, false, &o);
  for (unsigned n = 1; n <= 10; n++) {
    irl_cv_result *result;
    irl_cv_info info = IRL_SIZED(irl_cv_info);
    irl_cv_row row = IRL_SIZED(irl_cv_row);
    char *text;
    irl_env_clear_stop(env);
    irl_env_set_log(env, stop_after, &n);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_cv(env, t, &o, &grid, &result), "%d");
    irl_env_set_log(env, NULL, NULL);
    irl_cv_describe(result, &info);
    irl_cv_row_at(result, 0, &row);
    ASSERT_EQ(n, row.folds);
    ASSERT_EQ(n >= 5, info.chosen < info.rows);
    ASSERT_EQ(n >= 5, irl_cv_command(result) != NULL);
    ASSERT_EQ(IRL_STATUS_OK, irl_cv_render(env, result, IRL_FORMAT_TEXT, &text));
    ASSERT_EQ(n < 5, strstr(text, "folds were ended at most, and a choice needs 5") != NULL);
    irl_text_free(env, text);
    ASSERT_EQ(IRL_STATUS_OK, irl_cv_predictions(env, result, &text));
    unsigned n_lines = 0, n_empty = 0;
    for (const char *at = text; *at; at++) {
      n_lines += *at == '\n';
      n_empty += *at == '\n' && at[-1] == ',';
    }
    ASSERT_EQ(201, n_lines);
    ASSERT_EQ(n < 5 ? 200u : 200 - 20 * n, n_empty); /* of folds that did not end, or no choice */
    irl_text_free(env, text);
    irl_cv_free(result);
  }
  irl_env_clear_stop(env);
  irl_table_free(t);
  PASS();
}

static irl_status fail_from(irl_env *own, void *user, uint32_t part, irl_split *split) {
  const uint32_t *first = user;
  if (part >= *first) return irl_fail(own, IRL_STATUS_BAD_INPUT, "part %u fails", part);
  return split->train_rows.n && split->test_rows.n ? IRL_STATUS_OK : IRL_STATUS_INTERNAL;
}

TEST parts_that_fail_are_missing(void) {
  const irl_options o = options_of(env, "threads", "2", NULL);
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  irl_table *t = make_table(60, 2, true, &o);
  for (uint32_t first = 0; first <= 6; first++) {
    irl_resampling r;
    ASSERT_EQ(IRL_STATUS_OK, irl_resampling_init(env, &r, t, NULL, &o, &limit));
    ASSERT_EQ(IRL_STATUS_OK, irl_resampling_make_folds(&r, 2, 1, 2));
    ASSERT_FALSE(irl_resampling_lacks_class(&r, false) || irl_resampling_lacks_class(&r, true));
    const irl_parts parts = {
        .title = "parts", .unit = "folds", .n = 6, .user = &first, .learn = fail_from};
    ASSERT_EQ(first ? IRL_STATUS_OK : IRL_STATUS_BAD_INPUT, irl_resampling_run(&r, &parts));
    if (!first) ASSERT_STR_EQ("part 0 fails", irl_env_error(env));
    ASSERT_EQ(first, r.n_done);
    ASSERT_EQ(6 - first, r.n_missing);
    irl_resampling_free(&r);
  }
  irl_table_free(t);
  PASS();
}

TEST bad_grids_are_refused(void) {
  static const char *const bad[][3] = {
      {"0", NULL, NULL},    {"1..", NULL, NULL}, {"3..1", NULL, NULL},
      {"1,,2", NULL, NULL}, {NULL, "65", NULL},  {NULL, "x", NULL},
      {NULL, NULL, "2"},    {"1.5", NULL, NULL}, {NULL, NULL, ""}};
  const irl_options o = options_of(env, "folds", "2", NULL);
  const irl_options many = options_of(env, "folds", "1000", NULL);
  irl_table *t = make_table(20, 1, false, &o);
  irl_cv_result *result;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const irl_cv_grid grid = {sizeof grid, bad[i][0], bad[i][1], bad[i][2], NULL};
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_cv(env, t, &o, &grid, &result));
  }
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_cv(env, t, &many, NULL, &result));
  ASSERT(strstr(irl_env_error(env), "1000 folds"));
  irl_table_free(t);
  PASS();
}

SUITE(parts) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(folds_are_stratified);
  RUN_TEST(hold_outs_have_their_share);
}

SUITE(tables) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(noise_gives_chance);
  RUN_TEST(a_signal_is_found);
  RUN_TEST(threads_change_nothing);
  RUN_TEST(p_values_mean_what_they_say);
  RUN_TEST(weights_count_in_scores);
  RUN_TEST(copies_are_equivalent);
  RUN_TEST(few_folds_choose_nothing);
  RUN_TEST(parts_that_fail_are_missing);
  RUN_TEST(bad_grids_are_refused);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  make_folder(FOLDER);
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  RUN_SUITE(parts);
  RUN_SUITE(tables);
  GREATEST_MAIN_END();
}
