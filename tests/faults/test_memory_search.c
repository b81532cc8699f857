/* Out of memory while rules are learnt, tested, proven and checked, and models solved. */
#include "files.h"
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "miser.h"
#include "model_arrays.h"

#define FOLDER "build/test-memory-search"

/* The searches, on data so small that every request can fail once. */
static irl_status fit(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", NULL);
  irl_status status = irl_fit(env, k->data, &o, &result);
  if (status && result) abort();
  if (!status) status = irl_fit_render(env, result, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_fit_free(result);
  return status;
}

/* A fit with the options of the kit. */
static irl_status fit_with(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  const irl_options o = settings_of(env, k);
  const irl_status status = irl_fit(env, k->data, &o, &result);
  if (status && result) abort();
  irl_fit_free(result);
  return status;
}

/* The curve from a pool file, and every way to show it. */
static irl_status curve(irl_env *env, const kit *k) {
  static const char *const ways[] = {"csv", "svg", "plot"};
  irl_fit_result *result = NULL;
  irl_curve *made = NULL;
  irl_pool *pool = NULL;
  char *text = NULL;
  irl_options o = options_of(env, "K", "2", "threads", "1", "sizes", "", NULL);
  irl_status status = irl_pool_read(env, FOLDER "/small.pool", &pool);
  o.search.pool = pool;
  if (!status) status = irl_fit_for_curve(env, k->data, &o, &result);
  if (!status) status = irl_curve_make(env, result, &o, &made);
  for (int i = 0; i < 3 && !status; i++) {
    status = irl_curve_export(env, made, ways[i], &text);
    if (!status) irl_text_free(env, text);
  }
  for (int i = 0; i < 2 && !status; i++) {
    status = irl_curve_render(env, made, i ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text);
    if (!status) irl_text_free(env, text);
  }
  if (!status) status = irl_report_render(env, result, made, &o, "ireland", &text);
  if (!status) irl_text_free(env, text);
  irl_curve_free(made);
  irl_fit_free(result);
  irl_pool_free(pool);
  return status;
}

/* A curve with all that it learns, and its checkpoint, or from it. */
static irl_status learn_curve(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  irl_curve *made = NULL;
  irl_options o = settings_of(env, k);
  o.search.checkpoint = sink_to(FOLDER "/curve.ck");
  irl_status status = irl_fit_for_curve(env, k->data, &o, &result);
  if (!status) status = irl_curve_make(env, result, &o, &made);
  if (status && made) abort();
  if (!status && irl_curve_lost_checkpoint(made)) status = IRL_STATUS_NO_MEMORY;
  irl_curve_free(made);
  irl_fit_free(result);
  return status;
}

static irl_status resume_curve(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  irl_curve *made = NULL;
  irl_bytes checkpoint = {0};
  irl_options o = settings_of(env, k);
  irl_status status = irl_file_read(env, FOLDER "/curve.ck", &checkpoint);
  o.search.resume = &checkpoint;
  if (!status) status = irl_fit_for_curve(env, k->data, &o, &result);
  if (!status) status = irl_curve_make(env, result, &o, &made);
  irl_curve_free(made);
  irl_fit_free(result);
  irl_bytes_free(env, &checkpoint);
  return status;
}

/* Saves the pool that the job above reads. */
static irl_status fit_pool(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  const irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", NULL);
  irl_status status = irl_fit(env, k->data, &o, &result);
  if (!status) status = save_pool(env, result, FOLDER "/small.pool");
  irl_fit_free(result);
  return status;
}

static irl_status fit_columns(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  const irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", "method", "brcg", "cnf",
                                   "", "complexity", "4", NULL);
  const irl_status status = irl_fit(env, k->data, &o, &result);
  if (status && result) abort();
  irl_fit_free(result);
  return status;
}

static irl_status solve_clause(irl_env *env, const kit *k) {
  irl_clause_solution *solution = NULL;
  char *text = NULL;
  const irl_options o = settings_of(env, k);
  irl_status status = irl_clause_solve(env, k->data, &o, &solution);
  if (status && solution) abort();
  if (!status) status = irl_clause_render(env, solution, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_clause_free(solution);
  return status;
}

static irl_status solve_model(irl_env *env, const kit *k) {
  irl_model *model = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "threads", "1", NULL);
  irl_status status = irl_model_read(env, k->path, &model);
  if (status && model) abort();
  irl_solution solution = {.size = sizeof solution};
  if (!status) status = irl_model_solve(env, model, &o, &solution);
  irl_conflict conflict = {.size = sizeof conflict};
  if (!status && solution.outcome == IRL_OUTCOME_INFEASIBLE)
    status = irl_model_conflict(env, model, &o, &conflict);
  if (!status) status = irl_model_render(env, model, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  if (!status) status = irl_model_write_solution(env, model, FOLDER "/solution.txt");
  if (!status) status = irl_model_write_solution(env, model, FOLDER "/solution.sol");
  irl_model_free(model);
  return status;
}

static irl_status make_model(irl_env *env, const kit *k) {
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  irl_options o = settings_of(env, k);
  irl_pool *pool = NULL;
  irl_status status = IRL_STATUS_OK;
  if (o.search.form == IRL_FORM_MP) status = irl_pool_read(env, FOLDER "/small.pool", &pool);
  o.search.pool = pool;
  if (!status) status = irl_model_from_data(env, k->data, &o, &model);
  if (status && model) abort();
  if (!status) status = irl_model_write(env, model, FOLDER "/made.lp");
  if (!status) status = irl_model_write(env, model, FOLDER "/made.mps");
  if (!status) status = irl_model_solve(env, model, &o, &solution);
  irl_model_free(model);
  irl_pool_free(pool);
  return status;
}

static irl_status solve_arrays(irl_env *env, const kit *k) {
  (void)k;
  static const double cost[] = {1, 1}, upper[] = {5, 5}, low[] = {3}, values[] = {2, 2};
  static const size_t start[] = {0, 1, 2};
  static const uint32_t rows[] = {0, 0};
  static const uint8_t is_integer[] = {1, 1};
  const model_view view = {.n_rows = 1,
                           .n_columns = 2,
                           .cost = cost,
                           .upper = upper,
                           .is_integer = is_integer,
                           .row_lower = low,
                           .start = start,
                           .rows = rows,
                           .values = values};
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  const irl_options o = options_of(env, "threads", "1", NULL);
  irl_status status = model_of_arrays(env, &view, &model);
  if (status && model) abort();
  if (!status) status = irl_model_solve(env, model, &o, &solution);
  irl_model_free(model);
  return status;
}

/* What the memory does not suffice for beside the rule is a note and no failure: here it fails. */
static irl_status keep_files(irl_env *env, const irl_fit_result *result) {
  bool is_complete;
  if (irl_fit_lost_checkpoint(result) || !irl_fit_n_optimal_rules(result, &is_complete) ||
      irl_fit_note(result, 0))
    return IRL_STATUS_NO_MEMORY;
  return save_certificate(env, result, FOLDER "/proof.txt");
}

/* A fit with all that goes with it: start, proof, certificate, rules that are as good, checkpoint.
 */
static irl_status fit_proven(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  char *text = NULL;
  irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", "prove", "", "certificate",
                             "1", "all_optimal", "5", "equivalent", "0.1", NULL);
  o.search.checkpoint = sink_to(FOLDER "/check.point");
  o.search.start = k->rule;
  irl_status status = irl_fit(env, k->data, &o, &result);
  if (!status) status = irl_rule_write(env, irl_fit_rule(result), FOLDER "/proven.json");
  if (!status) status = keep_files(env, result);
  for (int i = 0; i < 2 && !status; i++) {
    status = irl_fit_render(env, result, i ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text);
    if (!status) irl_text_free(env, text);
  }
  irl_fit_free(result);
  return status;
}

static irl_status resume(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  irl_bytes checkpoint = {0};
  irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", "prove", "", "certificate",
                             "1", "all_optimal", "5", NULL);
  irl_status status = irl_file_read(env, FOLDER "/check.point", &checkpoint);
  o.search.resume = &checkpoint;
  o.search.start = k->rule;
  if (!status) status = irl_fit(env, k->data, &o, &result);
  if (!status) status = save_certificate(env, result, FOLDER "/proof.txt");
  irl_fit_free(result);
  irl_bytes_free(env, &checkpoint);
  return status;
}

/* Checks what the job above wrote, with the rule that it found. */
static irl_status verify(irl_env *env, const kit *k) {
  irl_verification verification = IRL_SIZED(irl_verification);
  irl_rule *rule = NULL;
  irl_certificate *certificate = NULL;
  const irl_options o = options_of(env, "threads", "1", NULL);
  irl_status status = irl_rule_read(env, FOLDER "/proven.json", &rule);
  if (!status) status = irl_certificate_read(env, FOLDER "/proof.txt", &certificate);
  if (!status) status = irl_verify(env, rule, k->data, &o, certificate, &verification);
  if (!status && !verification.valid) abort();
  for (int i = 0; i < 2 && !status; i++) {
    char *text;
    status = irl_verify_render(env, &verification, certificate,
                               i ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text);
    if (!status) irl_text_free(env, text);
  }
  irl_certificate_free(certificate);
  irl_rule_free(rule);
  return status;
}

/* The fit of a table, with notes of nothing that it went without. */
static irl_status fit_small_table(irl_env *env, const irl_options *o) {
  irl_table *raw = NULL;
  irl_fit_result *result = NULL;
  char *text = NULL;
  irl_status status = irl_table_read(env, FOLDER "/small.csv", o, &raw);
  if (!status) status = irl_fit_table(env, raw, o, &result);
  if (!status && irl_fit_note(result, 0)) status = IRL_STATUS_NO_MEMORY;
  if (!status) status = irl_fit_render(env, result, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_fit_free(result);
  irl_table_free(raw);
  return status;
}

static irl_status test_and_permute(irl_env *env, const kit *k) {
  const irl_options o =
      options_of(env, "K", "1", "M", "1", "threads", "1", "test", "0.3", "permutations", "2", NULL);
  (void)k;
  return fit_small_table(env, &o);
}

static irl_status tune(irl_env *env, const kit *k) {
  const irl_cv_grid grid = {sizeof grid, "1", "1", "0,0.01", "0"};
  irl_options o = settings_of(env, k);
  o.search.tune = &grid;
  return fit_small_table(env, &o);
}

/* ---- what follows the rule ---- */

static void count_warning(void *user, irl_log_kind kind, const char *line) {
  (void)line;
  if (kind == IRL_LOG_WARNING) ++*(int *)user;
}

static irl_status cross_validate(irl_env *env, const kit *k) {
  irl_table *raw = NULL;
  irl_cv_result *result = NULL;
  char *text = NULL;
  const irl_cv_grid grid = {sizeof grid, "1", "1..2", "0", NULL};
  const irl_options o = settings_of(env, k);
  irl_status status = irl_table_read(env, FOLDER "/small.csv", &o, &raw);
  int n_warnings = 0; /* what it went without */
  irl_env_set_log(env, count_warning, &n_warnings);
  if (!status) status = irl_cv(env, raw, &o, &grid, &result);
  if (!status && n_warnings) status = IRL_STATUS_NO_MEMORY;
  for (int i = 0; i < 2 && !status; i++) {
    status = irl_cv_render(env, result, i ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text);
    if (!status) irl_text_free(env, text);
  }
  irl_cv_free(result);
  irl_table_free(raw);
  return status;
}

/* A fit with everything beside the rule, by an allocator that fails at a request. */
typedef struct trial {
  miser memory;
  long rule_is_there; /* the requests that came before */
  irl_status status;
  int n_notes;
  char *rule, *json, *certificate; /* NULL: none */
} trial;

static void watch_for_rule(void *user, irl_log_kind kind, const char *line) {
  trial *t = user;
  (void)kind;
  if (!strcmp(line, "proven; now the certificate"))
    t->rule_is_there = atomic_load(&t->memory.requests);
}

static void try_extras(trial *t, const char *settings) {
  const irl_allocator allocator = {sizeof allocator, miserly_resize, &t->memory};
  const kit named = {.settings = settings};
  irl_env *env = NULL;
  irl_table *raw = NULL;
  irl_fit_result *result = NULL;
  t->status = irl_env_create(&allocator, &env);
  if (t->status) return;
  const irl_options o = settings_of(env, &named);
  irl_env_set_log(env, watch_for_rule, t);
  t->status = irl_table_read(env, FOLDER "/small.csv", &o, &raw);
  if (!t->status) t->status = irl_fit_table(env, raw, &o, &result);
  t->memory.fail_at = -1;
  t->memory.stays_out = false;
  char *text = NULL;
  if (!t->status) {
    while (irl_fit_note(result, (uint32_t)t->n_notes)) t->n_notes++;
    if (irl_rule_export(env, irl_fit_rule(result), "text", &text)) abort();
    t->rule = strdup(text);
    irl_text_free(env, text);
    if (irl_fit_certificate(env, result, &text)) abort();
    t->certificate = text ? strdup(text) : NULL;
    if (text) irl_text_free(env, text);
    if (irl_fit_render(env, result, IRL_FORMAT_TEXT, &text)) abort();
    irl_text_free(env, text);
    if (irl_fit_render(env, result, IRL_FORMAT_JSON, &text)) abort();
    t->json = strdup(text);
    irl_text_free(env, text);
  }
  irl_fit_free(result);
  irl_table_free(raw);
  irl_env_free(env);
}

static void free_trial(trial *t) {
  free(t->rule);
  free(t->json);
  free(t->certificate);
}

/* Once the rule is there, no failure costs it: what is missing has a note. */
TEST keeps_the_rule(const char *settings, bool stays_out) {
  static char message[300];
  trial whole = {.memory.fail_at = -1};
  int n_without = 0;
  try_extras(&whole, settings);
  ASSERT_EQ(IRL_STATUS_OK, whole.status);
  ASSERT_EQ(0, whole.n_notes);
  ASSERT(whole.certificate && whole.rule_is_there > 0);
  const long first = whole.rule_is_there + 1, all = atomic_load(&whole.memory.requests);
  for (long n = first; n < all; n = first + next_request(n - first)) {
    trial t = {.memory = {.fail_at = n, .stays_out = stays_out}};
    try_extras(&t, settings);
    snprintf(message, sizeof message, "request %ld of %ld, rule at %ld: %s", n, all,
             whole.rule_is_there, irl_status_text(t.status));
    ASSERT_EQm(message, IRL_STATUS_OK, t.status);
    ASSERT_STR_EQm(message, whole.rule, t.rule);
    ASSERTm(message, t.certificate ? !strcmp(t.certificate, whole.certificate) : t.n_notes > 0);
    ASSERT_EQm(message, t.n_notes > 0, strstr(t.json, "\"notes\": [") != NULL);
    ASSERT_EQm(message, 0l, atomic_load(&t.memory.live));
    n_without += t.n_notes > 0;
    free_trial(&t);
  }
  free_trial(&whole);
  ASSERT_GT(n_without, 0);
  PASS();
}

static kit make_small_kit(void) {
  kit k = {.path = FOLDER "/small.mps"};
  const irl_options o =
      options_of(calm, "N", "40", "J", "8", "K", "2", "M", "2", "noise", "0.1", NULL);
  if (irl_generate(calm, &o, &k.data, &k.rule)) abort();
  if (irl_data_write(calm, k.data, FOLDER "/small.csv")) abort();
  save_text(k.path, "NAME small\nROWS\n N cost\n L r1\n G r2\nCOLUMNS\n"
                    " x cost -1 r1 1\n x r2 1\n y cost -2 r1 2\n z cost 1 r2 1\n"
                    "RHS\n RHS r1 4 r2 1\nBOUNDS\n UP BND x 3\n UP BND y 1\nENDATA\n");
  save_text(FOLDER "/integer.mps",
            "NAME integer\nROWS\n N cost\n L r1\n G r2\nCOLUMNS\n M1 'MARKER' 'INTORG'\n"
            " x cost -5 r1 3\n x r2 1\n y cost -4 r1 2\n z cost -3 r1 2\n M2 'MARKER' 'INTEND'\n"
            " w cost 1 r2 1\nRHS\n RHS r1 8.5 r2 1.5\nBOUNDS\n UP BND x 3\n UP BND y 2\n"
            " UP BND z 4\nENDATA\n");
  return k;
}

static const struct {
  const char *name;
  job *run;
  const char *settings, *path;
} jobs[] = {
    {"fit", fit, NULL, NULL},
    {"two_threads", fit_with, "K 1 M 2 threads 2 effort quick", NULL},
    {"negations", fit_with, "K 2 M 2 negations 1 weights unit effort quick max_literals 3", NULL},
    {"bounds", fit_with, "K 2 M 2 min_sensitivity 0.5 effort quick penalty 0.01", NULL},
    {"curve", curve, NULL, NULL},
    {"learn_curve", learn_curve, "K 1 M 2 effort quick", NULL},
    {"resume_curve", resume_curve, "K 1 M 2 effort quick", NULL},
    {"fit_columns", fit_columns, NULL, NULL},
    {"paper", fit_with, "K 2 M 2 profile paper paper_sample 10", NULL},
    {"bp1", fit_with, "K 1 M 1 method bp1 no_start 1", NULL},
    {"bp2", fit_with, "K 1 M 1 method bp2 binary 1", NULL},
    {"bp3", fit_with, "K 1 M 1 method bp3 no_start 1", NULL},
    {"bp4", fit_with, "K 1 M 1 method bp4 plain 1", NULL},
    {"bp5", fit_with, "K 1 M 1 method bp5 no_start 1", NULL},
    {"bp6", fit_with, "K 1 M 1 method bp6", NULL},
    {"fit_proven", fit_proven, NULL, NULL},
    {"resume", resume, NULL, NULL},
    {"verify", verify, NULL, NULL},
    {"test_and_permute", test_and_permute, NULL, NULL},
    {"tune", tune, "folds 2 effort quick", NULL},
    {"cross_validate", cross_validate, "folds 2 effort quick", NULL},
    {"nested", cross_validate, "folds 2 effort quick nested 1 repeats 2", NULL},
    {"clause", solve_clause, "M 2", NULL},
    {"clause_proven", solve_clause, "M 2 prove 1 negations 1 threads 2", NULL},
    {"model", solve_model, NULL, FOLDER "/small.mps"},
    {"integer", solve_model, NULL, FOLDER "/integer.mps"},
    {"arrays", solve_arrays, NULL, NULL},
    {"model_bp", make_model, "form bp1 K 1 M 1", NULL},
    {"model_sp", make_model, "form sp M 1", NULL},
    {"model_mp", make_model, "form mp K 1", NULL},
};

SUITE(failing_searches) {
  kit small = make_small_kit();
  if (fit_pool(calm, &small)) abort();
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    small.path = jobs[i].path;
    small.settings = jobs[i].settings;
    greatest_set_test_suffix(jobs[i].name);
    RUN_TESTp(survives_both, jobs[i].run, &small);
  }
  free_kit(&small);
}

SUITE(kept_rules) {
  static const char *const extras[] = {"test 0.3 permutations 2", "validate quick", "validate cv",
                                       "validate bootstrap", "stability 3"};
  kit small = make_small_kit(); /* writes the table */
  for (int i = 0; i < 2 * 5; i++) {
    char settings[200];
    snprintf(settings, sizeof settings, "K 1 M 1 prove 1 certificate 1 %s", extras[i / 2]);
    greatest_set_test_suffix(extras[i / 2]);
    RUN_TESTp(keeps_the_rule, settings, i % 2 != 0);
  }
  free_kit(&small);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &calm)) return 1;
  RUN_SUITE(failing_searches);
  RUN_SUITE(kept_rules);
  irl_env_free(calm);
  GREATEST_MAIN_END();
}
