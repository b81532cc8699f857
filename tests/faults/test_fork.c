/* Processes that are forked before or after the library had threads: every job ends, with the same
 * answer as in the parent, whether handles are new or come from the parent. */
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "support.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 300, MOST = 1 << 16 }; /* seconds until a child is given up; bytes of an answer */

static irl_env *env;
static irl_table *raw; /* made by the parent, with two threads */
static irl_fit_result *fit_for_curve;
static irl_data *bits;

/* A job writes its answer, or what went wrong; true if all went well. */
typedef bool job(irl_env *env, char *answer);

static bool take_text(irl_env *on, irl_status status, char *text, char *answer) {
  snprintf(answer, MOST, "%s", status ? irl_env_error(on) : text);
  if (!status) irl_text_free(on, text);
  return !status;
}

static const char *threads = "2";

static irl_options settings(irl_env *on) {
  return options_of(on, "N", "2000", "J", "200", "K", "2", "M", "2", "noise", "0.05", "threads",
                    threads, "cuts", "quantile:5", NULL);
}

/* Everything anew: data, search, rule. */
static bool fit_anew(irl_env *on, char *answer) {
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  char *text = NULL;
  const irl_options o = settings(on);
  irl_status status = irl_generate(on, &o, &data, NULL);
  if (!status) status = irl_fit(on, data, &o, &fit);
  if (!status) status = irl_rule_render(on, irl_fit_rule(fit), IRL_FORMAT_JSON, &text);
  irl_fit_free(fit);
  irl_data_free(data);
  return take_text(on, status, text, answer);
}

static bool fit_table(irl_env *on, char *answer) {
  irl_fit_result *fit = NULL;
  char *text = NULL;
  const irl_options o = settings(on);
  irl_status status = irl_fit_table(on, raw, &o, &fit);
  if (!status) status = irl_rule_render(on, irl_fit_rule(fit), IRL_FORMAT_JSON, &text);
  irl_fit_free(fit);
  return take_text(on, status, text, answer);
}

/* The coding of a table that remembers how many threads it was made with. */
static bool code_table(irl_env *on, char *answer) {
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  char *text = NULL;
  const irl_options o = settings(on);
  irl_status status = irl_table_code(on, raw, NULL, &o, &coding);
  if (!status) status = irl_table_data(on, raw, coding, NULL, &data);
  if (!status) status = irl_data_render(on, data, IRL_FORMAT_JSON, &text);
  irl_data_free(data);
  irl_coding_free(coding);
  return take_text(on, status, text, answer);
}

static bool make_curve(irl_env *on, char *answer) {
  irl_curve *curve = NULL;
  char *text = NULL;
  const irl_options o = settings(on);
  irl_status status = irl_curve_make(on, fit_for_curve, &o, &curve);
  if (!status) status = irl_curve_export(on, curve, "csv", &text);
  irl_curve_free(curve);
  return take_text(on, status, text, answer);
}

static bool cross_validate(irl_env *on, char *answer) {
  irl_cv_result *cv = NULL;
  irl_cv_row row = IRL_SIZED(irl_cv_row);
  irl_options o = settings(on);
  const irl_cv_grid grid = {sizeof grid, "1", "1,2", "0", NULL};
  o.output.folds = 3;
  if (irl_cv(on, raw, &o, &grid, &cv)) return take_text(on, IRL_STATUS_INTERNAL, NULL, answer);
  irl_cv_row_at(cv, 1, &row);
  snprintf(answer, MOST, "%.17g %u", row.balanced_accuracy.mean, row.folds);
  irl_cv_free(cv);
  return true;
}

static bool solve_model(irl_env *on, char *answer) {
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  irl_options o = settings(on);
  o.search.form = IRL_FORM_SP;
  o.limits.node_limit = 50;
  irl_status status = irl_model_from_data(on, bits, &o, &model);
  if (!status) status = irl_model_solve(on, model, &o, &solution);
  if (!status) snprintf(answer, MOST, "%.17g %lu", solution.bound, (unsigned long)solution.nodes);
  irl_model_free(model);
  return status ? take_text(on, status, NULL, answer) : true;
}

static job *const jobs[] = {fit_anew,   fit_table,      code_table,
                            make_curve, cross_validate, solve_model};
enum { N_JOBS = sizeof jobs / sizeof *jobs };

/* In a child: with a handle of its own, or with the parent's. */
static bool run(job *work, bool is_new, char *answer) {
  irl_env *own = NULL;
  if (!is_new) return work(env, answer);
  if (irl_env_create(NULL, &own)) return false;
  const bool is_done = work(own, answer);
  irl_env_free(own);
  return is_done;
}

/* What a forked process answers; false if it fails or does not end. */
static bool ask_child(job *work, bool is_new, char *answer) {
  int ends[2], status;
  size_t n = 0;
  if (pipe(ends)) return false;
  const pid_t child = fork();
  if (!child) {
    alarm(PATIENCE);
    const bool is_done = run(work, is_new, answer);
    for (size_t at = 0, size = strlen(answer); at < size;) {
      const ssize_t written = write(ends[1], answer + at, size - at);
      if (written <= 0) _exit(2);
      at += (size_t)written;
    }
    _exit(is_done ? 0 : 1);
  }
  close(ends[1]);
  for (ssize_t got = 1; got > 0 && n<MOST - 1; n += got> 0 ? (size_t)got : 0)
    got = read(ends[0], answer + n, MOST - 1 - n);
  answer[n] = 0;
  close(ends[0]);
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Not even a fit of the parent's: first the child, which is free to have threads, then the parent.
 */
TEST forked_before_use(void) {
  static char here[MOST], there[MOST];
  ASSERTm(there, ask_child(fit_anew, true, there));
  ASSERTm(here, run(fit_anew, true, here));
  ASSERT_STR_EQ(here, there);
  PASS();
}

TEST forked_after_use(void) {
  static char here[MOST], there[MOST];
  for (int i = 0; i < N_JOBS; i++)
    for (int is_new = 0; is_new < 2; is_new++) {
      memset(there, 0, sizeof there);
      ASSERTm(here, run(jobs[i], is_new, here));
      ASSERTm(there, ask_child(jobs[i], is_new, there));
      ASSERT_STR_EQ(here, there);
    }
  PASS();
}

/* A child that forks again, after a job of its own. */
static bool fork_again(irl_env *on, char *answer) {
  return fit_table(on, answer) && ask_child(fit_table, true, answer);
}

TEST grandchildren(void) {
  static char here[MOST], there[MOST];
  ASSERTm(here, fit_table(env, here));
  ASSERTm(there, ask_child(fork_again, false, there));
  ASSERT_STR_EQ(here, there);
  PASS();
}

static void *count_threads(void *user) {
  irl_env *own = NULL;
  irl_run run_info = IRL_SIZED(irl_run);
  char *answer = malloc(MOST);
  if (answer && !irl_env_create(NULL, &own) && fit_anew(own, answer)) irl_env_run(own, &run_info);
  irl_env_free(own);
  free(answer);
  *(int *)user = run_info.threads;
  return NULL;
}

/* The thread that was forked has one, a thread that the child starts may have as many as ever. */
static bool count_in_child(irl_env *on, char *answer) {
  int here = 0, there = 0;
  pthread_t thread;
  (void)on;
  count_threads(&here);
  if (pthread_create(&thread, NULL, count_threads, &there)) return false;
  pthread_join(thread, NULL);
  snprintf(answer, MOST, "%d %d", here, there);
  return true;
}

TEST new_threads_of_a_child(void) {
  static char answer[MOST];
  ASSERT(ask_child(count_in_child, true, answer));
  ASSERT_STR_EQ("1 2", answer);
  PASS();
}

/* The two ways that ireland.h names for a process whose parent had OpenMP regions of its own. */
static bool fit_carefully(irl_env *on, char *answer) {
  int there = 0;
  pthread_t thread;
  threads = "1";
  if (!fit_anew(on, answer)) return false;
  threads = "2";
  if (pthread_create(&thread, NULL, count_threads, &there)) return false;
  pthread_join(thread, NULL);
  return there == 2;
}

/* A thread of a host, which has not used the library. */
static void *fork_after_region(void *user) {
  int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
  n++;
  return n == 2 && ask_child(fit_carefully, true, user) ? user : NULL;
}

TEST regions_of_the_host(void) {
  static char here[MOST], there[MOST];
  pthread_t thread;
  void *is_done = NULL;
  ASSERTm(here, run(fit_anew, true, here));
  ASSERT_EQ(0, pthread_create(&thread, NULL, fork_after_region, there));
  pthread_join(thread, &is_done);
  ASSERTm(there, is_done);
  ASSERT_STR_EQ(here, there);
  PASS();
}

/* Numbers that tell the label more or less, and bits. */
static void make_data(void) {
  enum { N = 600 };
  static double numbers[2][N];
  static uint8_t labels[N];
  irl_random random;
  irl_random_init(&random, 3, 0);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 2; j++) numbers[j][i] = (double)irl_random_below(&random, 1000);
    labels[i] = numbers[0][i] + numbers[1][i] > 1000;
  }
  const irl_column_view columns[] = {
      {.size = sizeof *columns, .name = "a", .type = IRL_COLUMN_NUMBER, .numbers = numbers[0]},
      {.size = sizeof *columns, .name = "b", .type = IRL_COLUMN_NUMBER, .numbers = numbers[1]}};
  const irl_table_view view = {
      .size = sizeof view, .n_samples = N, .n_columns = 2, .columns = columns, .labels = labels};
  irl_options o = settings(env);
  if (irl_table_from_columns(env, &view, &o, &raw)) abort();
  o.data.N = 60, o.data.J = 12;
  if (irl_generate(env, &o, &bits, NULL) || irl_fit_for_curve(env, bits, &o, &fit_for_curve))
    abort();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  signal(SIGPIPE, SIG_IGN);
  if (irl_env_create(NULL, &env)) abort();
#ifdef __SANITIZE_THREAD__
#define HAS_FORK 0 /* the thread sanitizer has no word for it */
#elif defined(__has_feature)
#define HAS_FORK !__has_feature(thread_sanitizer)
#else
#define HAS_FORK 1
#endif
  if (HAS_FORK) {
    RUN_TEST(forked_before_use);
    make_data();
    RUN_TEST(forked_after_use);
    RUN_TEST(grandchildren);
    RUN_TEST(new_threads_of_a_child);
    RUN_TEST(regions_of_the_host);
  }
  irl_fit_free(fit_for_curve);
  irl_data_free(bits);
  irl_table_free(raw);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
