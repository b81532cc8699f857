/* Learning by a team gives what learning alone gives, byte for byte, however the data is divided.
 */
#include "comm/comm.h"
#include "comm_threads.h"
#include "data/dataset.h"
#include "greatest.h"
#include "ireland_comm.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include <stdio.h>
#include <sys/stat.h>

typedef struct job {
  const char *name;
  const char *options[12]; /* names and values */
} job;

static irl_status set_all(irl_env *env, irl_options *options, const job *j) {
  irl_status status = IRL_STATUS_OK;
  irl_options_init(options, sizeof *options);
  options->limits.threads = 1;
  for (int i = 0; i < 12 && j->options[i] && !status; i += 2)
    status = irl_options_set(env, options, j->options[i], j->options[i + 1]);
  return status;
}

/* Rule, objective, bound, work, outcome and the checksum of the data as one text. */
static char *fit(irl_env *env, const char *path, const irl_options *options, bool for_curve) {
  irl_data *data = NULL;
  irl_fit_result *result = NULL;
  irl_curve *curve = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_data_info about = IRL_SIZED(irl_data_info);
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
    irl_data_describe(data, &about);
    const size_t size = strlen(rule) + (shown ? strlen(shown) : 0) + 300;
    text = malloc(size);
    snprintf(text, size, "%s\n%s objective %.17g bound %.17g work %llu, data %llx\n%s", rule,
             irl_outcome_text(info.outcome), info.objective, info.bound,
             (unsigned long long)info.work, (unsigned long long)about.checksum, shown ? shown : "");
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
  options.data.grid = grid;
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
  irl_options_init(&own, sizeof own);
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
  irl_data *data = NULL, *all_columns = NULL; /* the columns of the rule, and all of them */
  irl_rule *rule = NULL;
  irl_clause_solution *solution = NULL;
  irl_clause_info info = IRL_SIZED(irl_clause_info);
  team_run run;
  char *texts[2] = {NULL, NULL}, *all = malloc(400000);
  static const char json[] = "{\"clauses\": [[\"f1\", \"!f2\"], [\"f7\"], [\"f30\", \"f60\"]]}";
  if (irl_env_create(NULL, &env)) abort();
  irl_options_init(&options, sizeof options);
  options.search.prove = true;
  if (size > 1) team_begin(&run, env, size, -1);
  if (irl_rule_parse_json(env, json, strlen(json), &rule) ||
      irl_data_read_for(env, path, &options, rule, true, &data) ||
      irl_evaluate_render(env, rule, data, IRL_FORMAT_JSON, &texts[0]) ||
      irl_predict_render(env, rule, data, IRL_FORMAT_TEXT, true, &texts[1]) ||
      irl_data_read(env, path, &options, &all_columns) ||
      irl_clause_solve(env, all_columns, &options, &solution)) {
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
  irl_data_free(all_columns);
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

/* A genotype: 0 two counted alleles, 1 missing, 2 one, 3 none. */
static unsigned draw_genotype(irl_random *numbers) {
  const uint64_t u = irl_random_below(numbers, 40);
  return u < 1 ? 1 : u < 8 ? 0 : u < 20 ? 2 : 3;
}

/* A .bed of people with its .bim and .fam: cases carry the allele of the first two variants or two
 * of the third, but for noise; one in 30 has no phenotype. */
static void make_plink(unsigned n_people, unsigned n_variants) {
  irl_random numbers;
  unsigned char *genotypes = malloc(n_people * n_variants);
  FILE *bed = fopen("build/team.bed", "wb"), *bim = fopen("build/team.bim", "wb"),
       *fam = fopen("build/team.fam", "wb");
  if (!genotypes || !bed || !bim || !fam) abort();
  irl_random_init(&numbers, 11, 0);
  for (unsigned k = 0; k < n_people * n_variants; k++)
    genotypes[k] = (unsigned char)draw_genotype(&numbers);
  fwrite("\x6c\x1b\x01", 1, 3, bed);
  for (unsigned v = 0; v < n_variants; v++) {
    const unsigned char *of = genotypes + v * n_people;
    fprintf(bim, "%u rs%u 0 %u A G\n", v / 30 + 1, v, 100 * v);
    for (unsigned i = 0; i < n_people; i += 4) {
      unsigned byte = 0;
      for (unsigned k = i; k < i + 4 && k < n_people; k++) byte |= (unsigned)of[k] << 2 * (k - i);
      fputc((int)byte, bed);
    }
  }
  for (unsigned i = 0; i < n_people; i++) {
    const unsigned a = genotypes[i], b = genotypes[n_people + i], c = genotypes[2 * n_people + i];
    const bool is_case = ((a == 0 || a == 2) && (b == 0 || b == 2)) || c == 0;
    const uint64_t u = irl_random_below(&numbers, 60);
    fprintf(fam, "F%u P%u 0 0 1 %d\n", i, i, u < 2 ? -9 : is_case != (u < 5) ? 2 : 1);
  }
  fclose(bed);
  fclose(bim);
  fclose(fam);
  free(genotypes);
}

/* How a team of this size reads it: as one alone does. */
static enum greatest_test_res check_divided(const char *path, int size, bool is_divided) {
  irl_env *env;
  irl_options options;
  irl_data *data, *alone;
  team_run run;
  if (irl_env_create(NULL, &env)) abort();
  irl_options_init(&options, sizeof options);
  options.limits.threads = 2;
  if (irl_data_read(env, path, &options, &alone)) abort();
  team_begin(&run, env, size, -1);
  const irl_status status = irl_data_read(env, path, &options, &data);
  ASSERT_STR_EQ("", status ? irl_env_error(env) : "");
  ASSERT_EQ(is_divided, data->shard != NULL);
  ASSERT(checksum_of(alone) == checksum_of(data));
  ASSERT(counts_checksum(env, alone) == counts_checksum(env, data));
  irl_data_free(data);
  irl_data_free(alone);
  team_finish(&run, env);
  irl_env_free(env);
  PASS();
}

TEST plink_is_the_same(void) {
  static const job jobs[] = {
      {"plink", {"K", "2", "M", "2", "work_limit", "10000000"}},
      {"plink opposites", {"K", "2", "M", "2", "negations", "", "work_limit", "10000000"}},
      {"plink swapped", {"K", "2", "M", "2", "positive", "1", "work_limit", "10000000"}},
  };
  make_plink(1203, 37);
  CHECK_CALL(check_divided("build/team.bed", 2, true));
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    CHECK_CALL(compare("build/team.bed", &jobs[i], false, 1, 3));
  PASS();
}

/* The planted data as text, whose line `line` gets this instead of its first cell; with ends of
 * lines that differ, blank lines, and none at the end of the file. */
static void make_csv(const char *path, unsigned line, const char *cell) {
  size_t size;
  buffer made = {NULL, 0, 0};
  make_data("build/team_plain.csv", small);
  char *text = load_bytes("build/team_plain.csv", &size);
  unsigned n = 1;
  for (char *at = text, *end; at < text + size; at = end + 1, n++) {
    end = strchr(at, '\n');
    if (n > 1)
      put_bytes(&made, n % 3 ? "\n" : n % 50 ? "\r\n" : "\n  \n", n % 3 ? 1 : n % 50 ? 2 : 4);
    const size_t skipped = n == line && cell ? strcspn(at, ",") : 0;
    if (skipped) put_bytes(&made, cell, strlen(cell));
    put_bytes(&made, at + skipped, (size_t)(end - at) - skipped);
  }
  save_bytes(path, made.bytes, made.length);
  free(made.bytes);
  free(text);
}

TEST csv_is_the_same(void) {
  static const job jobs[] = {
      {"csv", {"K", "2", "M", "2", "work_limit", "10000000"}},
      {"csv negations", {"K", "2", "M", "2", "negations", "", "work_limit", "3000000"}},
      {"csv by threads", {"K", "2", "M", "2", "threads", "3", "work_limit", "3000000"}},
      {"csv first column", {"K", "2", "M", "2", "target", "1", "work_limit", "3000000"}},
      {"csv swapped", {"K", "2", "M", "2", "positive", "0", "work_limit", "3000000"}},
      {"csv other delimiter", {"K", "2", "delimiter", ";"}},
      {"csv no such label", {"K", "2", "positive", "2"}},
      {"csv no such column", {"K", "2", "target", "nothing"}},
  };
  make_csv("build/team.csv", 0, NULL);
  make_data("build/team_wide.tsv", wide);
  CHECK_CALL(check_divided("build/team.csv", 2, true));
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    CHECK_CALL(compare("build/team.csv", &jobs[i], false, 2, 3));
  static const job wider = {"tsv",
                            {"K", "2", "M", "2", "effort", "quick", "work_limit", "3000000"}};
  return compare("build/team_wide.tsv", &wider, false, 0, 3);
}

/* What is no clean 0/1 is read by the first member, and so are small files. */
TEST other_csv_is_the_same(void) {
  static const job j = {"other csv", {"K", "2", "M", "2", "work_limit", "3000000"}};
  static const job unnamed = {"no header", {"K", "2", "no_header", "", "work_limit", "3000000"}};
  static const struct {
    unsigned line;
    const char *cell;
  } cells[] = {{500, "2.5"}, {600, "red"}, {3, "0,1"},      {690, "0,1"}, {350, "\"1\""},
               {400, "\"0"}, {1, "!a"},    {1, "\"f\n1\""}, {650, ""}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    make_csv("build/team_other.csv", cells[i].line, cells[i].cell);
    CHECK_CALL(compare("build/team_other.csv", &j, false, 1, 3));
  }
  make_csv("build/team_other.csv", 1, "\"f\n1\"");
  CHECK_CALL(check_divided("build/team_other.csv", 3, true));
  make_csv("build/team_other.csv", 1, "0");
  CHECK_CALL(compare("build/team_other.csv", &unnamed, false, 2, 3));
  make_csv("build/team_other.csv", 500, "2.5");
  CHECK_CALL(check_divided("build/team_other.csv", 3, false));
  save_text("build/team_other.csv", "a,b,y\n0,1,1\n1,1,0\n0,1,1\n1,0,0\n");
  CHECK_CALL(check_divided("build/team_other.csv", 4, false));
  return compare("build/team_other.csv", &j, false, 0, 3);
}

/* More than a thread reads at a time. */
TEST long_csv_is_the_same(void) {
  static const char *const longer[] = {"N", "6000", "J", "1500", "seed", "2", NULL};
  make_data("build/team_long.csv", longer);
  CHECK_CALL(check_divided("build/team_long.csv", 2, true));
  return check_divided("build/team_long.csv", 3, true);
}

/* ---- C9: processes of another build ---- */

TEST a_member_refuses_another_build(void) {
  irl_env *env;
  irl_message message;
  team_run run;
  char build[IRL_COMM_MAX_BUILD] = {0};
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &env));
  team_begin(&run, env, 3, -1);
  irl_comm_name_build(build);
  for (int i = 0; i < 2; i++) { /* ours, then another one */
    irl_message_init(&message, env);
    irl_message_put(&message, build, sizeof build);
    ASSERT_EQ(IRL_STATUS_OK, irl_comm_call(env, IRL_COMM_HELLO, &message));
    ASSERT_EQ(i ? IRL_STATUS_BAD_ARGUMENT : IRL_STATUS_OK, irl_comm_agree(env, IRL_STATUS_OK));
    irl_message_free(&message);
    build[0]++;
  }
  ASSERT(strstr(irl_env_error(env), "process 1 is ireland 0"));
  ASSERT(strstr(irl_env_error(env), "all processes of a run need the same build"));
  team_finish(&run, env);
  irl_env_free(env);
  PASS();
}

/* A member that is asked what it is and says that it is another. */
static void *serve_as_another(void *user) {
  const irl_comm comm = team_ways(user);
  irl_env *env;
  irl_message message;
  irl_comm_code code = IRL_COMM_HELLO;
  if (irl_env_create(NULL, &env) || irl_env_set_comm(env, &comm)) abort();
  while (code == IRL_COMM_HELLO) {
    if (irl_comm_listen(env, &code, &message)) abort();
    irl_message_free(&message);
    if (code == IRL_COMM_HELLO)
      irl_comm_agree(env, irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "I am other"));
  }
  if (code != IRL_COMM_END) abort();
  irl_env_free(env);
  return NULL;
}

TEST the_first_asks_nothing_of_another_build(void) {
  irl_env *env;
  irl_data *data = NULL;
  irl_options options;
  team_run run;
  static const char *const planted[] = {"N", "50", "J", "10", NULL};
  make_data("build/test-team-hello.irb", planted);
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &env));
  irl_options_init(&options, sizeof options);
  team_begin_with(&run, env, 2, -1, serve_as_another);
  for (int i = 0; i < 2; i++) {
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT,
              irl_data_read(env, "build/test-team-hello.irb", &options, &data));
    ASSERT_STR_EQ("I am other", irl_env_error(env));
  }
  team_finish(&run, env);
  irl_env_free(env);
  PASS();
}

/* ---- a member's memory counts ---- */

/* A member that gets a limit which it does not keep. */
static void *serve_full(void *user) {
  const irl_comm comm = team_ways(user);
  irl_env *env;
  irl_message message;
  irl_limit limit;
  irl_comm_code code = IRL_COMM_HELLO;
  bool is_over = false;
  if (irl_env_create(NULL, &env) || irl_env_set_comm(env, &comm)) abort();
  while (code != IRL_COMM_END) {
    if (irl_comm_listen(env, &code, &message)) abort();
    if (code == IRL_COMM_HELLO && irl_comm_serve_hello(env, &message)) abort();
    if (code == IRL_COMM_HEURISTIC) {
      irl_limit_get(&message, env, &limit);
      if (!irl_limit_poll(&limit) || irl_comm_any(env, &is_over) || !is_over) abort();
    }
    irl_message_free(&message);
  }
  irl_env_free(env);
  return NULL;
}

TEST memory_of_a_member_counts(void) {
  irl_env *env;
  irl_message message;
  team_run run;
  bool is_over = false;
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &env));
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX, .max_mb = 1, .base_mb = 1e6};
  team_begin_with(&run, env, 2, -1, serve_full);
  irl_message_init(&message, env);
  irl_limit_put(&message, &limit);
  ASSERT(!irl_limit_poll(&limit));
  ASSERT_EQ(IRL_STATUS_OK, irl_comm_call(env, IRL_COMM_HEURISTIC, &message));
  ASSERT_EQ(IRL_STATUS_OK, irl_comm_any(env, &is_over));
  ASSERT(is_over);
  ASSERT(irl_limit_poll(&limit)); /* the job is over for the first one too */
  irl_message_free(&message);
  team_finish(&run, env);
  irl_env_free(env);
  PASS();
}

/* Data that the first member reads alone have its limits. */
TEST a_team_reads_within_limits(void) {
  irl_env *env;
  irl_options options;
  irl_data *data = NULL;
  team_run run;
  FILE *file = fopen("build/test-team-limit.svm", "w");
  for (int i = 0; i < 300000; i++) fprintf(file, "%d %d:1 70:1\n", i % 2, 1 + i % 60);
  fclose(file);
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &env));
  irl_options_init(&options, sizeof options);
  options.limits.time_limit = 1e-6;
  team_begin(&run, env, 2, -1);
  ASSERT_EQ(IRL_STATUS_LIMIT, irl_data_read(env, "build/test-team-limit.svm", &options, &data));
  options.limits.time_limit = 0;
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, "build/test-team-limit.svm", &options, &data));
  irl_data_free(data);
  team_finish(&run, env);
  irl_env_free(env);
  PASS();
}

SUITE(comm) {
  RUN_TEST(memory_of_a_member_counts);
  RUN_TEST(a_team_reads_within_limits);
  mkdir("build", 0777);
  RUN_TEST(a_member_refuses_another_build);
  RUN_TEST(the_first_asks_nothing_of_another_build);
  RUN_TEST(fits_are_the_same);
  RUN_TEST(wide_data_is_the_same);
  RUN_TEST(few_features_are_the_same);
  RUN_TEST(curves_are_the_same);
  RUN_TEST(a_list_is_shared);
  RUN_TEST(a_lost_member_ends_the_run);
  RUN_TEST(questions_are_answered_alike);
  RUN_TEST(plink_is_the_same);
  RUN_TEST(csv_is_the_same);
  RUN_TEST(other_csv_is_the_same);
  RUN_TEST(long_csv_is_the_same);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(comm);
  GREATEST_MAIN_END();
}
