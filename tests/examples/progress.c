/* Watches a search: better rules as they come, progress now and then; ends it after a second, or at
 * Ctrl-C, with the best rule so far. */
#include <ireland.h>
#include <ireland_data.h>
#include <signal.h>
#include <stdio.h>

static irl_env *env;

static void on_interrupt(int number) {
  (void)number;
  irl_env_stop(env); /* safe in a signal handler */
}

static int on_progress(void *user, const irl_progress *progress) {
  const double *limit = user;
  fprintf(stderr, "%6.2f s  %-8s objective %-8.4g bound %-8.4g\n", progress->seconds,
          progress->part, progress->objective, progress->bound);
  return progress->seconds > *limit;
}

static int on_rule(void *user, const irl_incumbent *incumbent) {
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  (void)user;
  irl_rule_describe(incumbent->rule, &info);
  printf("weighted error %g with %u literals\n", incumbent->objective, (unsigned)info.literals);
  return 0;
}

static void on_log(void *user, irl_log_kind kind, const char *line) {
  (void)user;
  if (kind == IRL_LOG_WARNING) fprintf(stderr, "warning: %s\n", line);
}

int main(void) {
  double limit = 1;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.data.N = 2000;
  options.data.J = 1000;
  options.rule.K = 5;
  options.rule.M = 4;
  options.data.noise = 0.2;
  options.search.prove = true; /* which would take long */
  if (irl_env_create(NULL, &env)) return 1;
  irl_env_set_log(env, on_log, NULL);
  irl_env_set_progress(env, on_progress, &limit);
  irl_env_set_incumbent(env, on_rule, NULL);
  signal(SIGINT, on_interrupt);
  irl_status status = irl_generate(env, &options, &data, NULL);
  if (!status) status = irl_fit(env, data, &options, &fit);
  if (status) {
    fprintf(stderr, "%s\n", irl_env_error(env));
  } else {
    irl_fit_describe(fit, &info);
    printf("%s: weighted error %g, bound %g\n", irl_outcome_text(info.outcome), info.objective,
           info.bound);
  }
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
