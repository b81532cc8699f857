/* Learning by a team gives what learning alone gives, byte for byte, however the data is divided.
 */
#include "greatest.h"
#include "support.h"
#include "team_threads.h"
#include <stdio.h>
#include <sys/stat.h>

typedef struct job {
  const char *name;
  const char *options[12]; /* names and values */
} job;

static irl_status set_all(irl_env *env, irl_options *options, const job *j) {
  irl_status status = IRL_OK;
  irl_options_init(options);
  options->threads = 1;
  for (int i = 0; i < 12 && j->options[i] && !status; i += 2)
    status = irl_options_set(env, options, j->options[i], j->options[i + 1]);
  return status;
}

/* Rule, objective, bound, work and outcome as one text. */
static char *fit(irl_env *env, const char *path, const irl_options *options, bool for_curve) {
  irl_data *data = NULL;
  irl_fit_result *result = NULL;
  irl_curve *curve = NULL;
  irl_fit_info info;
  char *rule = NULL, *shown = NULL, *text = NULL;
  irl_status status = irl_data_read(env, path, options, &data);
  if (!status)
    status = for_curve ? irl_fit_for_curve(env, data, options, &result)
                       : irl_fit(env, data, options, &result);
  if (!status) status = irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, &rule);
  if (!status && for_curve) status = irl_curve_make(env, result, options, &curve);
  if (!status && for_curve) status = irl_curve_export(env, curve, "csv", &shown);
  if (status) {
    text = malloc(2000);
    snprintf(text, 2000, "failed: %s", irl_env_error(env));
  } else {
    irl_fit_describe(result, &info);
    const size_t size = strlen(rule) + (shown ? strlen(shown) : 0) + 300;
    text = malloc(size);
    snprintf(text, size, "%s\n%s objective %.17g bound %.17g work %llu\n%s", rule,
             irl_outcome_text(info.outcome), info.objective, info.bound,
             (unsigned long long)info.work, shown ? shown : "");
  }
  irl_text_free(env, rule);
  irl_text_free(env, shown);
  irl_curve_free(curve);
  irl_fit_free(result);
  irl_data_free(data);
  return text;
}

/* `fails_after`: operations until a member is lost; negative: never. */
static char *fit_lost(const char *path, const job *j, int size, const char *grid, bool for_curve,
                      int fails_after) {
  irl_env *env;
  irl_options options;
  team_run run;
  char *text;
  if (irl_env_create(NULL, &env)) abort();
  if (set_all(env, &options, j)) abort();
  options.grid = grid;
  if (size > 1) team_begin(&run, env, size, fails_after);
  text = fit(env, path, &options, for_curve);
  if (size > 1) team_finish(&run, env);
  irl_env_free(env);
  return text;
}

static char *fit_by(const char *path, const job *j, int size, const char *grid, bool for_curve) {
  return fit_lost(path, j, size, grid, for_curve, -1);
}

/* Planted data in a file. */
static void make_data(const char *path, const char *const *options) {
  irl_env *env;
  irl_options own;
  irl_data *data;
  if (irl_env_create(NULL, &env)) abort();
  irl_options_init(&own);
  for (int i = 0; options[i]; i += 2)
    if (irl_options_set(env, &own, options[i], options[i + 1])) abort();
  if (irl_generate(env, &own, &data, NULL) || irl_data_write(env, data, path)) abort();
  irl_data_free(data);
  irl_env_free(env);
}

static const char *const small[] = {"N", "700",   "J",    "60",   "K", "3", "M",
                                    "3", "noise", "0.05", "seed", "7", NULL};
static const char *const wide[] = {"N", "1500",  "J",    "400",  "K", "3", "M",
                                   "3", "noise", "0.02", "seed", "3", NULL};
static const char *const few[] = {"N", "3000",  "J",   "9",    "K", "2", "M",
                                  "2", "noise", "0.1", "seed", "5", NULL};

#define N_TEAMS 6u

/* With the teams first, first + step, ... */
static enum greatest_test_res compare(const char *path, const job *j, bool for_curve, size_t first,
                                      size_t step) {
  static const struct {
    int size;
    const char *grid;
  } teams[N_TEAMS] = {{2, NULL}, {3, NULL}, {4, NULL}, {2, "1x2"}, {4, "2x2"}, {3, "1x3"}};
  char *alone = fit_by(path, j, 1, NULL, for_curve);
  for (size_t i = first; i < N_TEAMS; i += step) {
    char *together = fit_by(path, j, teams[i].size, teams[i].grid, for_curve);
    if (strcmp(alone, together))
      fprintf(stderr, "%s, %d members %s\nalone:\n%s\ntogether:\n%s\n", j->name, teams[i].size,
              teams[i].grid ? teams[i].grid : "", alone, together);
    ASSERT_STR_EQ(alone, together);
    free(together);
  }
  free(alone);
  PASS();
}

TEST fits_are_the_same(void) {
  static const job jobs[] = {
      {"default", {"K", "3", "M", "3"}},
      {"proven", {"K", "2", "M", "2", "prove", ""}},
      {"negations", {"K", "2", "M", "3", "negations", "", "work_limit", "20000000"}},
      {"unit weights", {"K", "4", "M", "2", "weights", "unit", "work_limit", "30000000"}},
      {"quick", {"K", "3", "M", "4", "effort", "quick"}},
      {"budgets", {"K", "3", "M", "3", "budgets", "0,0.02,0.1", "work_limit", "30000000"}},
      {"paper", {"K", "3", "M", "3", "profile", "paper", "work_limit", "20000000"}},
      {"penalty", {"K", "3", "M", "3", "penalty", "0.002", "work_limit", "30000000"}},
  };
  make_data("build/team_small.irb", small);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    CHECK_CALL(compare("build/team_small.irb", &jobs[i], false, i % 3, i ? 3 : 1));
  PASS();
}

TEST wide_data_is_the_same(void) {
  static const job j = {"wide", {"K", "3", "M", "3", "work_limit", "60000000"}};
  make_data("build/team_wide.irb", wide);
  return compare("build/team_wide.irb", &j, false, 1, 3);
}

TEST few_features_are_the_same(void) {
  static const job j = {"few", {"K", "2", "M", "2", "prove", ""}};
  make_data("build/team_few.irb", few);
  return compare("build/team_few.irb", &j, false, 0, 2);
}

TEST curves_are_the_same(void) {
  static const job j = {"curve", {"K", "3", "M", "2", "work_limit", "40000000"}};
  static const job proven = {"proven curve", {"K", "2", "M", "2", "prove", ""}};
  make_data("build/team_small.irb", small);
  make_data("build/team_few.irb", few);
  CHECK_CALL(compare("build/team_small.irb", &j, true, 0, 4));
  return compare("build/team_few.irb", &proven, true, 2, 1);
}

/* Six clauses: the proof needs a list, and a choice from it. */
TEST a_list_is_shared(void) {
  static const char *const many[] = {"N", "300",   "J",   "60",   "K", "6", "M",
                                     "2", "noise", "0.1", "seed", "3", NULL};
  static const job j = {"list", {"K", "6", "M", "2", "prove", ""}};
  make_data("build/team_many.irb", many);
  char *alone = fit_by("build/team_many.irb", &j, 1, NULL, false);
  char *together = fit_by("build/team_many.irb", &j, 3, NULL, false);
  ASSERT_STR_EQ(alone, together);
  ASSERT(strstr(alone, "optimal"));
  free(alone);
  free(together);
  PASS();
}

/* Wherever a member is lost, the run ends with a sentence. */
TEST a_lost_member_ends_the_run(void) {
  static const job j = {"lost", {"K", "2", "M", "2", "work_limit", "3000000"}};
  unsigned n_lost = 0;
  make_data("build/team_small.irb", small);
  for (int after = 1; after < 2000; after += 1 + after / 8) {
    char *text = fit_lost("build/team_small.irb", &j, 3, after % 2 ? "1x3" : NULL, false, after);
    n_lost += !strncmp(text, "failed: a process of this run has ended", 39);
    free(text);
  }
  ASSERT(n_lost > 20);
  PASS();
}

/* evaluate, predict and clause. */
static char *ask(const char *path, int size) {
  irl_env *env;
  irl_options options;
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  irl_clause_solution *solution = NULL;
  irl_clause_info info;
  team_run run;
  char *texts[2] = {NULL, NULL}, *all = malloc(400000);
  static const char json[] = "{\"clauses\": [[\"f1\", \"!f2\"], [\"f7\"], [\"f30\", \"f60\"]]}";
  if (irl_env_create(NULL, &env)) abort();
  irl_options_init(&options);
  options.prove = true;
  if (size > 1) team_begin(&run, env, size, -1);
  if (irl_rule_parse_json(env, json, strlen(json), &rule) ||
      irl_data_read_for(env, path, &options, rule, true, &data) ||
      irl_evaluate_render(env, rule, data, IRL_FORMAT_JSON, &texts[0]) ||
      irl_predict_render(env, rule, data, IRL_FORMAT_TEXT, true, &texts[1]) ||
      irl_clause_solve(env, data, &options, &solution)) {
    snprintf(all, 400000, "failed: %s", irl_env_error(env));
  } else {
    irl_clause_describe(solution, &info);
    snprintf(all, 400000, "%s\n%s\n%u %llu %llu %lld %lld %llu", texts[0], texts[1], info.literals,
             (unsigned long long)info.tp, (unsigned long long)info.fp, (long long)info.objective,
             (long long)info.bound, (unsigned long long)info.work);
  }
  irl_text_free(env, texts[0]);
  irl_text_free(env, texts[1]);
  irl_clause_free(solution);
  irl_rule_free(rule);
  irl_data_free(data);
  if (size > 1) team_finish(&run, env);
  irl_env_free(env);
  return all;
}

TEST questions_are_answered_alike(void) {
  make_data("build/team_small.irb", small);
  char *alone = ask("build/team_small.irb", 1);
  ASSERT(strncmp(alone, "failed", 6));
  for (int size = 2; size <= 4; size++) {
    char *together = ask("build/team_small.irb", size);
    ASSERT_STR_EQ(alone, together);
    free(together);
  }
  free(alone);
  PASS();
}

SUITE(team) {
  mkdir("build", 0777);
  RUN_TEST(fits_are_the_same);
  RUN_TEST(wide_data_is_the_same);
  RUN_TEST(few_features_are_the_same);
  RUN_TEST(curves_are_the_same);
  RUN_TEST(a_list_is_shared);
  RUN_TEST(a_lost_member_ends_the_run);
  RUN_TEST(questions_are_answered_alike);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(team);
  GREATEST_MAIN_END();
}
