/* Programs of other headers than the library's: an options struct that ends earlier gets the
 * presets of what it lacks, one that ends later is taken as long as nothing is set beyond the end.
 * Every public function that takes options is called with both. */
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "support.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The options of a header before there were limits and outputs. */
typedef struct older_options {
  size_t size;
  irl_data_options data;
  irl_rule_options rule;
  irl_search_options search;
} older_options;

/* Those of a header to come. */
typedef struct newer_options {
  irl_options known;
  int64_t later[8];
} newer_options;

/* A struct of an older header stands at the very end of its memory, so that the sanitizer sees
 * whoever reads on. */
static older_options *make_older(void) {
  older_options *older = malloc(sizeof *older);
  if (!older) abort();
  memset(older, 0xa5, sizeof *older);
  irl_options_init((irl_options *)(void *)older, sizeof *older);
  return older;
}

static irl_env *env;
static irl_table *samples;
static irl_data *data;
static irl_rule *rule;
static irl_fit_result *fit;
static irl_certificate *certificate;
static irl_model *model;

#define FILE_NAME "build/test_layout.csv"

/* Cases are those with a and b, or with c. */
static const char csv[] = "a,b,c,d,label\n1,1,0,0,1\n1,1,0,1,1\n0,0,1,0,1\n1,0,1,1,1\n"
                          "1,0,0,0,0\n0,1,0,1,0\n0,0,0,0,0\n0,0,0,1,0\n";

/* Calls it with options of any layout. */
typedef irl_status call(const irl_options *options);

static irl_status call_check(const irl_options *options) {
  return irl_options_check(env, options, IRL_FOR_FIT, 0);
}

static irl_status call_limit_reading(const irl_options *options) {
  return irl_env_limit_reading(env, options);
}

static irl_status call_data_read(const irl_options *options) {
  irl_data *made = NULL;
  const irl_status status = irl_data_read(env, FILE_NAME, options, &made);
  irl_data_free(made);
  return status;
}

static irl_status call_data_read_for(const irl_options *options) {
  irl_data *made = NULL;
  const irl_status status = irl_data_read_for(env, FILE_NAME, options, rule, true, &made);
  irl_data_free(made);
  return status;
}

static irl_status call_table_read(const irl_options *options) {
  irl_table *made = NULL;
  const irl_status status = irl_table_read(env, FILE_NAME, options, &made);
  irl_table_free(made);
  return status;
}

static irl_status call_table_code(const irl_options *options) {
  irl_coding *made = NULL;
  const irl_status status = irl_table_code(env, samples, NULL, options, &made);
  irl_coding_free(made);
  return status;
}

static irl_status call_from_columns(const irl_options *options) {
  static const double values[] = {1, 2, 3, 4};
  static const uint8_t labels[] = {1, 0, 1, 0};
  const irl_column_view column = {
      .size = sizeof column, .name = "x", .type = IRL_COLUMN_NUMBER, .numbers = values};
  const irl_table_view view = {
      .size = sizeof view, .n_samples = 4, .n_columns = 1, .columns = &column, .labels = labels};
  irl_table *made = NULL;
  const irl_status status = irl_table_from_columns(env, &view, options, &made);
  irl_table_free(made);
  return status;
}

static irl_status call_generate(const irl_options *options) {
  irl_data *made = NULL;
  irl_rule *planted = NULL;
  const irl_status status = irl_generate(env, options, &made, &planted);
  irl_data_free(made);
  irl_rule_free(planted);
  return status;
}

static irl_status call_fit(const irl_options *options) {
  irl_fit_result *made = NULL;
  const irl_status status = irl_fit(env, data, options, &made);
  irl_fit_free(made);
  return status;
}

static irl_status call_fit_table(const irl_options *options) {
  irl_fit_result *made = NULL;
  const irl_status status = irl_fit_table(env, samples, options, &made);
  irl_fit_free(made);
  return status;
}

static irl_status call_fit_for_curve(const irl_options *options) {
  irl_fit_result *made = NULL;
  const irl_status status = irl_fit_for_curve(env, data, options, &made);
  irl_fit_free(made);
  return status;
}

static irl_status call_curve(const irl_options *options) {
  irl_curve *made = NULL;
  const irl_status status = irl_curve_make(env, fit, options, &made);
  irl_curve_free(made);
  return status;
}

static irl_status call_report(const irl_options *options) {
  char *html = NULL;
  const irl_status status = irl_report_render(env, fit, NULL, options, NULL, &html);
  irl_text_free(env, html);
  return status;
}

static irl_status call_cv(const irl_options *options) {
  const irl_cv_grid grid = {sizeof grid, "1", "1", "0", NULL};
  irl_cv_result *made = NULL;
  older_options older;
  /* The fold count is an output, which an older struct cannot set: eight samples have not ten. */
  const irl_status status = irl_cv(env, samples, options, &grid, &made);
  irl_cv_free(made);
  return status == IRL_STATUS_BAD_INPUT && options->size == sizeof older ? IRL_STATUS_OK : status;
}

static irl_status call_clause(const irl_options *options) {
  irl_clause_solution *made = NULL;
  const irl_status status = irl_clause_solve(env, data, options, &made);
  irl_clause_free(made);
  return status;
}

static irl_status call_verify(const irl_options *options) {
  irl_verification verification = IRL_SIZED(irl_verification);
  const irl_status status = irl_verify(env, rule, data, options, certificate, &verification);
  return status || verification.valid ? status : IRL_STATUS_INTERNAL;
}

static irl_status call_verify_table(const irl_options *options) {
  irl_verification verification = IRL_SIZED(irl_verification);
  const irl_status status =
      irl_verify_table(env, rule, samples, options, certificate, &verification);
  return status || verification.valid ? status : IRL_STATUS_INTERNAL;
}

static irl_status call_certificate_options(const irl_options *options) {
  irl_options *own = malloc(options->size);
  if (!own) return IRL_STATUS_NO_MEMORY;
  memcpy(own, options, options->size);
  irl_certificate_clear_options(own);
  irl_status status = irl_certificate_options(env, certificate, own);
  if (!status && (own->size != options->size || own->rule.K != 2)) status = IRL_STATUS_INTERNAL;
  free(own);
  return status;
}

static irl_status call_model_from_data(const irl_options *options) {
  irl_model *made = NULL;
  const irl_status status = irl_model_from_data(env, data, options, &made);
  irl_model_free(made);
  return status;
}

static irl_status call_model_solve(const irl_options *options) {
  irl_solution solution = {.size = sizeof solution};
  return irl_model_solve(env, model, options, &solution);
}

static irl_status call_model_conflict(const irl_options *options) {
  irl_conflict conflict = IRL_SIZED(irl_conflict);
  irl_solution solution = IRL_SIZED(irl_solution);
  const irl_constraint row = {.size = sizeof row, .lower = 1, .upper = INFINITY, .name = "never"};
  irl_options plain;
  irl_model *made = NULL;
  irl_options_init(&plain, sizeof plain);
  irl_status status = irl_model_create(env, &made);
  if (!status) status = irl_model_add_rows(env, made, 1, &row);
  if (!status) status = irl_model_solve(env, made, &plain, &solution);
  if (!status) status = irl_model_conflict(env, made, options, &conflict);
  if (!status && (conflict.n_rows != 1 || conflict.rows[0] != 0)) abort();
  irl_model_free(made);
  return status;
}

static const struct {
  const char *name;
  call *call;
} calls[] = {{"irl_options_check", call_check},
             {"irl_env_limit_reading", call_limit_reading},
             {"irl_data_read", call_data_read},
             {"irl_data_read_for", call_data_read_for},
             {"irl_table_read", call_table_read},
             {"irl_table_code", call_table_code},
             {"irl_table_from_columns", call_from_columns},
             {"irl_generate", call_generate},
             {"irl_fit", call_fit},
             {"irl_fit_table", call_fit_table},
             {"irl_fit_for_curve", call_fit_for_curve},
             {"irl_curve_make", call_curve},
             {"irl_report_render", call_report},
             {"irl_cv", call_cv},
             {"irl_clause_solve", call_clause},
             {"irl_verify", call_verify},
             {"irl_verify_table", call_verify_table},
             {"irl_certificate_options", call_certificate_options},
             {"irl_model_from_data", call_model_from_data},
             {"irl_model_solve", call_model_solve},
             {"irl_model_conflict", call_model_conflict}};

#define N_CALLS (sizeof calls / sizeof *calls)

TEST older_struct_gets_presets(void) {
  for (size_t i = 0; i < N_CALLS; i++) {
    older_options *older = make_older();
    older->rule.K = 2;
    older->search.form = calls[i].call == call_model_from_data ? IRL_FORM_BP1 : IRL_FORM_DEFAULT;
    const irl_status status = calls[i].call((const irl_options *)(const void *)older);
    free(older);
    if (status) fprintf(stderr, "%s: %s\n", calls[i].name, irl_env_error(env));
    ASSERT_EQm(calls[i].name, IRL_STATUS_OK, status);
  }
  PASS();
}

TEST newer_struct_is_taken(void) {
  for (size_t i = 0; i < N_CALLS; i++) {
    newer_options newer;
    irl_options_init(&newer.known, sizeof newer);
    newer.known.rule.K = 2;
    newer.known.output.folds = 2;
    newer.known.search.form =
        calls[i].call == call_model_from_data ? IRL_FORM_BP1 : IRL_FORM_DEFAULT;
    irl_status status = calls[i].call(&newer.known);
    if (status) fprintf(stderr, "%s: %s\n", calls[i].name, irl_env_error(env));
    ASSERT_EQm(calls[i].name, IRL_STATUS_OK, status);
    newer.later[7] = 1; /* an option that this library does not know cannot be obeyed */
    status = calls[i].call(&newer.known);
    ASSERT_EQm(calls[i].name, IRL_STATUS_BAD_ARGUMENT, status);
    ASSERT(strstr(irl_env_error(env), "came after version"));
  }
  PASS();
}

TEST struct_without_size_is_refused(void) {
  for (size_t i = 0; i < N_CALLS; i++) {
    irl_options options;
    memset(&options, 0, sizeof options);
    if (calls[i].call != call_certificate_options) { /* which copies by the size */
      ASSERT_EQm(calls[i].name, IRL_STATUS_BAD_ARGUMENT, calls[i].call(&options));
      ASSERT(strstr(irl_env_error(env), "irl_options_init"));
    }
  }
  PASS();
}

/* A struct may end in the middle of a field or anywhere else. */
TEST any_size_is_taken(void) {
  irl_options whole;
  irl_options_init(&whole, sizeof whole);
  for (size_t size = sizeof(size_t); size <= sizeof whole; size++) {
    char *bytes = malloc(size);
    ASSERT(bytes);
    irl_options *options = (irl_options *)(void *)bytes;
    irl_options_init(options, size);
    ASSERT_EQ_FMT(size, options->size, "%zu");
    ASSERT_EQ(IRL_STATUS_OK, irl_options_check(env, options, IRL_FOR_FIT | IRL_FOR_LEARN, 0));
    size_t n;
    const irl_option_info *info = irl_options_table(&n);
    for (size_t i = 0; i < n; i++) {
      if (info[i].type != IRL_OPTION_INTEGER) continue;
      const bool fits = info[i].offset + sizeof(int64_t) <= size;
      const char *value = info[i].low <= 3 && info[i].high >= 3 ? "3" : "100";
      ASSERT_EQm(info[i].name, fits ? IRL_STATUS_OK : IRL_STATUS_BAD_ARGUMENT,
                 irl_options_set(env, options, info[i].name, value));
    }
    free(bytes);
  }
  PASS();
}

TEST older_struct_has_no_later_options(void) {
  older_options *older = make_older();
  irl_options *options = (irl_options *)(void *)older;
  ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, options, "M", "2"));
  ASSERT_EQ_FMT((int64_t)2, older->rule.M, "%" PRId64);
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_options_set(env, options, "time_limit", "1"));
  ASSERT(strstr(irl_env_error(env), "time_limit"));
  free(older);
  PASS();
}

SUITE(layout) {
  RUN_TEST(older_struct_gets_presets);
  RUN_TEST(newer_struct_is_taken);
  RUN_TEST(struct_without_size_is_refused);
  RUN_TEST(any_size_is_taken);
  RUN_TEST(older_struct_has_no_later_options);
}

/* What the calls work on. */
static bool prepare(void) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.rule.K = 2;
  options.search.prove = true;
  options.search.certificate = true;
  char *text = NULL, *json = NULL;
  if (irl_env_create(NULL, &env) || irl_file_write(env, FILE_NAME, csv, sizeof csv - 1) ||
      irl_table_read(env, FILE_NAME, &options, &samples) ||
      irl_data_read(env, FILE_NAME, &options, &data) || irl_fit(env, data, &options, &fit) ||
      irl_fit_certificate(env, fit, &text) || !text)
    return false;
  const irl_bytes bytes = {text, strlen(text), "certificate"};
  options.search.form = IRL_FORM_BP1;
  const bool done = !irl_certificate_parse(env, &bytes, &certificate) &&
                    !irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &json) &&
                    !irl_rule_parse_json(env, json, strlen(json), &rule) &&
                    !irl_model_from_data(env, data, &options, &model);
  irl_text_free(env, text);
  irl_text_free(env, json);
  return done;
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (!prepare()) {
    fprintf(stderr, "ERROR: %s\n", irl_env_error(env));
    return 1;
  }
  RUN_SUITE(layout);
  irl_model_free(model);
  irl_certificate_free(certificate);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_rule_free(rule);
  irl_table_free(samples);
  irl_env_free(env);
  remove(FILE_NAME);
  GREATEST_MAIN_END();
}
