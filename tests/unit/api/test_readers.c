/* Results are immutable: several threads read one fit, rule, data set, table and curve at once,
 * each with an env of its own, and all say the same (under tsan: without a race). And a request to
 * stop from another thread or from a signal handler ends a fit. */
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#define READERS 4
#define ROUNDS  3

static irl_env *env;

typedef struct shared {
  irl_data *data;
  irl_table *raw;
  irl_fit_result *fit, *raw_fit, *curve_fit;
  irl_curve *curve;
  irl_cv_result *cv;
  irl_clause_solution *clause;
  irl_certificate *certificate;
  irl_options options;
} shared;

typedef struct reader {
  pthread_t thread;
  const shared *s;
  buffer said; /* all texts and numbers, one after the other */
  irl_status status;
} reader;

static void keep(reader *r, irl_env *own, irl_status status, char *text) {
  if (status && !r->status) r->status = status;
  /* What may differ between two runs stands at the end of an answer in JSON. */
  char *run = !status && text ? strstr(text, "\"run\":") : NULL;
  if (run) *run = '\0';
  if (!status && text) put(&r->said, text);
  if (!status) irl_text_free(own, text);
}

static void keep_bytes(reader *r, irl_status status, const void *bytes, size_t n) {
  if (status && !r->status) r->status = status;
  if (!status) put_bytes(&r->said, bytes, n);
}

static int count(void *user, const irl_verdict *verdict) {
  *(uint32_t *)user += (uint32_t)verdict->predicted + verdict->n_fired;
  return 0;
}

/* Texts of everything that has one. */
static void render_all(reader *r, irl_env *own, irl_format format) {
  const shared *s = r->s;
  const irl_rule *rule = irl_fit_rule(s->fit);
  char *text = NULL;
#define KEEP(call)                                                                                 \
  do {                                                                                             \
    const irl_status said = call;                                                                  \
    keep(r, own, said, text);                                                                      \
  } while (0)
  KEEP(irl_fit_render(own, s->fit, format, &text));
  KEEP(irl_fit_render(own, s->raw_fit, format, &text));
  KEEP(irl_rule_render(own, rule, format, &text));
  KEEP(irl_rule_export(own, rule, "python", &text));
  KEEP(irl_data_render(own, s->data, format, &text));
  KEEP(irl_table_render(own, s->raw, format, &text));
  KEEP(irl_evaluate_render(own, rule, s->data, format, &text));
  KEEP(irl_predict_render(own, rule, s->data, format, true, &text));
  KEEP(irl_curve_render(own, s->curve, format, &text));
  KEEP(irl_curve_export(own, s->curve, "svg", &text));
  KEEP(irl_cv_render(own, s->cv, format, &text));
  KEEP(irl_clause_render(own, s->clause, format, &text));
  KEEP(irl_certificate_scope(own, s->certificate, format, &text));
  KEEP(irl_fit_certificate(own, s->fit, &text));
#undef KEEP
}

static void describe_all(reader *r, irl_env *own) {
  const shared *s = r->s;
  irl_fit_info fit = IRL_SIZED(irl_fit_info);
  irl_data_info about = IRL_SIZED(irl_data_info);
  irl_table_info columns = IRL_SIZED(irl_table_info);
  irl_curve_info curve = IRL_SIZED(irl_curve_info);
  irl_curve_point point = IRL_SIZED(irl_curve_point);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_verification v = IRL_SIZED(irl_verification);
  irl_data *coded = NULL;
  irl_pool *pool = NULL;
  uint32_t n = 0;
  keep_bytes(r, irl_fit_describe(s->fit, &fit), &fit.work, sizeof fit.work);
  keep_bytes(r, irl_data_describe(s->data, &about), &about.checksum, sizeof about.checksum);
  keep_bytes(r, irl_table_describe(s->raw, &columns), &columns.cases, sizeof columns.cases);
  keep_bytes(r, irl_curve_describe(s->curve, &curve), &curve.area, sizeof curve.area);
  for (uint32_t i = 0; i < irl_curve_size(s->curve, IRL_CURVE_TRADEOFF); i++) {
    keep_bytes(r, irl_curve_get(s->curve, IRL_CURVE_TRADEOFF, i, &point), &point.tp,
               sizeof point.tp);
    keep_bytes(r, irl_evaluate(own, irl_curve_rule(s->curve, IRL_CURVE_TRADEOFF, i), s->data, &e),
               &e.fp, sizeof e.fp);
  }
  keep_bytes(r, irl_predict(own, irl_fit_rule(s->fit), s->data, count, &n), &n, sizeof n);
  keep_bytes(r, irl_verify(own, irl_fit_rule(s->fit), s->data, &s->options, s->certificate, &v),
             &v.nodes, sizeof v.nodes);
  if (!v.valid) r->status = IRL_STATUS_INTERNAL;
  keep_bytes(r, irl_fit_pool(own, s->fit, &pool), "pool", 4);
  keep_bytes(r, irl_table_data_for(own, s->raw, irl_fit_rule(s->raw_fit), &coded), "data", 4);
  irl_pool_free(pool);
  irl_data_free(coded);
}

static void *read_all(void *user) {
  reader *r = user;
  irl_env *own = NULL;
  r->status = irl_env_create(NULL, &own);
  for (int i = 0; i < ROUNDS && !r->status; i++) {
    render_all(r, own, i % 2 ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT);
    describe_all(r, own);
  }
  irl_env_free(own);
  return NULL;
}

static void make_shared(shared *s) {
  double ages[60];
  uint8_t labels[60];
  for (int i = 0; i < 60; i++) ages[i] = i % 17, labels[i] = i % 17 > 8 || i % 11 == 3;
  const irl_column_view column = {
      .size = sizeof column, .name = "age", .type = IRL_COLUMN_NUMBER, .numbers = ages};
  const irl_table_view view = {
      .size = sizeof view, .n_samples = 60, .n_columns = 1, .columns = &column, .labels = labels};
  const irl_cv_grid grid = {sizeof grid, "1", "1,2", "0", NULL};
  const irl_options planted = options_of(env, "N", "120", "J", "12", "K", "2", "M", "2", NULL);
  const irl_options proof =
      options_of(env, "K", "2", "M", "2", "threads", "1", "prove", "", "certificate", "", NULL);
  char *text;
  *s = (shared){.options = options_of(env, "K", "2", "M", "2", "threads", "1", NULL)};
  irl_options folds = s->options;
  folds.output.folds = 2;
  if (irl_generate(env, &planted, &s->data, NULL) ||
      irl_table_from_columns(env, &view, &s->options, &s->raw) ||
      irl_fit(env, s->data, &proof, &s->fit) ||
      irl_fit_table(env, s->raw, &s->options, &s->raw_fit) ||
      irl_fit_for_curve(env, s->data, &s->options, &s->curve_fit) ||
      irl_curve_make(env, s->curve_fit, &s->options, &s->curve) ||
      irl_cv(env, s->raw, &folds, &grid, &s->cv) ||
      irl_clause_solve(env, s->data, &s->options, &s->clause) ||
      irl_fit_certificate(env, s->fit, &text)) {
    fprintf(stderr, "%s\n", irl_env_error(env));
    abort();
  }
  const irl_bytes bytes = {text, strlen(text), NULL};
  if (irl_certificate_parse(env, &bytes, &s->certificate)) abort();
  irl_text_free(env, text);
}

static void free_shared(shared *s) {
  irl_certificate_free(s->certificate);
  irl_clause_free(s->clause);
  irl_cv_free(s->cv);
  irl_curve_free(s->curve);
  irl_fit_free(s->curve_fit);
  irl_fit_free(s->raw_fit);
  irl_fit_free(s->fit);
  irl_table_free(s->raw);
  irl_data_free(s->data);
}

TEST threads_read_the_same(void) {
  shared s;
  make_shared(&s);
  reader alone = {.s = &s}, readers[READERS];
  read_all(&alone);
  ASSERT_EQ_FMT(IRL_STATUS_OK, alone.status, "%d");
  for (int i = 0; i < READERS; i++) readers[i] = (reader){.s = &s};
  for (int i = 0; i < READERS; i++)
    if (pthread_create(&readers[i].thread, NULL, read_all, &readers[i])) abort();
  for (int i = 0; i < READERS; i++) pthread_join(readers[i].thread, NULL);
  for (int i = 0; i < READERS; i++) {
    ASSERT_EQ_FMT(IRL_STATUS_OK, readers[i].status, "%d");
    ASSERT_EQ_FMT(alone.said.length, readers[i].said.length, "%zu");
    ASSERT(!memcmp(alone.said.bytes, readers[i].said.bytes, alone.said.length));
    free(readers[i].said.bytes);
  }
  ASSERT(alone.said.length > 10000);
  free(alone.said.bytes);
  free_shared(&s);
  PASS();
}

/* ---- stopping ---- */

static atomic_bool has_rule; /* whatever comes sooner would find none to keep */

static int note_rule(void *user, const irl_incumbent *incumbent) {
  (void)user;
  (void)incumbent;
  atomic_store(&has_rule, true);
  return 0;
}

/* A job of hours, which a request ends with the best that it has. */
static irl_outcome run_until_stopped(const char *threads) {
  const irl_options planted =
      options_of(env, "N", "2000", "J", "300", "K", "5", "M", "4", "noise", "0.2", NULL);
  const irl_options o = options_of(env, "K", "6", "M", "5", "prove", "", "threads", threads, NULL);
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_data *data;
  irl_fit_result *fit;
  atomic_store(&has_rule, false);
  irl_env_set_incumbent(env, note_rule, NULL);
  if (irl_generate(env, &planted, &data, NULL) || irl_fit(env, data, &o, &fit)) abort();
  irl_env_set_incumbent(env, NULL, NULL);
  irl_fit_describe(fit, &info);
  if (!irl_fit_rule(fit)) abort();
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_clear_stop(env);
  return info.outcome;
}

static void *stop_soon(void *user) {
  while (!atomic_load(&has_rule)) usleep(1000);
  irl_env_stop(user);
  return NULL;
}

TEST another_thread_stops(const char *threads) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, stop_soon, env)) abort();
  const irl_outcome outcome = run_until_stopped(threads);
  pthread_join(thread, NULL);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, outcome, "%d");
  PASS();
}

/* Comes every few milliseconds. */
static void on_alarm(int number) {
  (void)number;
  if (atomic_load(&has_rule)) irl_env_stop(env);
}

TEST a_signal_handler_stops(const char *threads) {
  const struct sigaction now = {.sa_handler = on_alarm};
  const struct timeval period = {.tv_usec = 20000};
  const struct itimerval often = {period, period}, never = {{0}, {0}};
  struct sigaction before;
  if (sigaction(SIGALRM, &now, &before) || setitimer(ITIMER_REAL, &often, NULL)) abort();
  const irl_outcome outcome = run_until_stopped(threads);
  setitimer(ITIMER_REAL, &never, NULL);
  irl_env_clear_stop(env); /* one may have come after the end */
  sigaction(SIGALRM, &before, NULL);
  ASSERT_EQ_FMT(IRL_OUTCOME_INTERRUPTED, outcome, "%d");
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) abort();
  RUN_TEST(threads_read_the_same);
  RUN_TEST1(another_thread_stops, "1");
  RUN_TEST1(another_thread_stops, "2");
  RUN_TEST1(a_signal_handler_stops, "1");
  RUN_TEST1(a_signal_handler_stops, "2");
  irl_env_free(env);
  GREATEST_MAIN_END();
}
