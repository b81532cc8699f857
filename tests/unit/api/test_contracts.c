/* Each public function with each kind of bad argument: NULL, no size, out of range, not a number,
 * no such enumerator. It answers with a status and a sentence that names the argument, or with
 * nothing where it has no status, and leaves its out-parameters alone. A function of the headers
 * without a row here fails the suite. */
#include "ireland_comm.h"
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "support.h"
#include <math.h>

#define NOWHERE   "build/contracts/nowhere/file.csv"
#define NO_FORMAT ((irl_format)7)
#define UNTOUCHED ((void *)&place)
#define BEYOND    1000000u

static char place; /* what out-parameters point to before a call that fails */
static irl_env *env;
static irl_options o, no_size, not_a_number, beyond;
static irl_data *data;
static irl_table *raw;
static irl_coding *coding;
static irl_fit_result *fit, *curve_fit;
static irl_rule *rule; /* a copy of the fit's */
static irl_curve *curve;
static irl_cv_result *cv;
static irl_clause_solution *clause;
static irl_certificate *certificate;
static irl_pool *pool;
static irl_model *model;

static const uint8_t cells[] = {1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0};
static const uint8_t labels[] = {1, 1, 1, 1, 0, 0, 0};
static const double ages[] = {61, 62, 63, 64, 20, 21, 22}, weights[] = {1, 1, 1, NAN, 1, 1, 1};

/* ---- what is expected ---- */

static const char *function; /* whose row runs */
static int n_calls, n_wrong;

static void wrong(const char *what, const char *detail) {
  n_wrong++;
  fprintf(stderr, "%s, call %d: %s%s\n", function, n_calls, what, detail);
}

/* The sentence before a call is about nothing that a call is refused for. */
static void forget(void) {
  irl_options_set(env, &o, "zzz", NULL);
}

/* A call without an env, or one that has no sentence to give. */
static void declined(irl_status status) {
  n_calls++;
  if (status != IRL_STATUS_BAD_ARGUMENT) wrong("not a bad argument but: ", irl_status_text(status));
}

static void refused(const char *argument, irl_status status) {
  const char *sentence = irl_env_error(env);
  declined(status);
  if (strstr(sentence, "zzz") || !strstr(sentence, argument)) wrong(argument, sentence);
  forget();
}

/* What is there but wrong in itself may be bad input as well. */
static void refused_input(const char *what, irl_status status) {
  refused(what, status == IRL_STATUS_BAD_INPUT ? IRL_STATUS_BAD_ARGUMENT : status);
}

static void none(bool is_none) {
  n_calls++;
  if (!is_none) wrong("something where nothing is", "");
}

static void untouched(const void *out) {
  if (out != UNTOUCHED) wrong("an out-parameter is touched", "");
}

static int visit(void *user, const irl_verdict *verdict) {
  (void)user, (void)verdict;
  return 0;
}

/* A describing function with each kind of bad struct; the last of them is shorter than the library
 * knows and has to stay what it was beyond its end. */
#define DESCRIBES(type, good, bad)                                                                 \
  do {                                                                                             \
    union {                                                                                        \
      type info;                                                                                   \
      size_t words[sizeof(type) / sizeof(size_t) + 1];                                             \
    } u = {.info = {.size = sizeof(type)}};                                                        \
    type *info = NULL;                                                                             \
    declined(good);                                                                                \
    info = &u.info;                                                                                \
    declined(bad);                                                                                 \
    info->size = 0;                                                                                \
    declined(good);                                                                                \
    info->size = sizeof(size_t);                                                                   \
    declined(good);                                                                                \
    info->size = SIZE_MAX;                                                                         \
    declined(good);                                                                                \
    memset(&u, 0x5a, sizeof u);                                                                    \
    info->size = 2 * sizeof(size_t);                                                               \
    if (good) wrong("a shorter struct is refused", "");                                            \
    if (info->size != 2 * sizeof(size_t)) wrong("the size is changed", "");                        \
    if (sizeof(type) > 2 * sizeof(size_t) && u.words[2] != (size_t)0x5a5a5a5a5a5a5a5aULL)          \
      wrong("more is written than there is", "");                                                  \
  } while (0)

/* A call with an options argument, each kind of bad options. */
#define OPTIONS(call)                                                                              \
  do {                                                                                             \
    const irl_options *options = NULL;                                                             \
    refused("options", call);                                                                      \
    options = &no_size;                                                                            \
    refused("options", call);                                                                      \
    options = &not_a_number;                                                                       \
    refused("time_limit", call);                                                                   \
  } while (0)

/* A call that makes a text. */
#define RENDERS(call)                                                                              \
  do {                                                                                             \
    irl_format format = NO_FORMAT;                                                                 \
    char *rendered = UNTOUCHED, **text = &rendered;                                                \
    refused("'format'", call);                                                                     \
    format = (irl_format)-1;                                                                       \
    refused("'format'", call);                                                                     \
    format = IRL_FORMAT_TEXT;                                                                      \
    text = NULL;                                                                                   \
    refused("'text'", call);                                                                       \
    untouched(rendered);                                                                           \
  } while (0)

/* ---- rows: the library and its environment ---- */

static void call_irl_status_text(void) {
  none(!strcmp(irl_status_text((irl_status)-1), "unknown status"));
  none(!strcmp(irl_status_text(IRL_N_STATUS), "unknown status"));
}
static void call_irl_outcome_text(void) {
  none(!strcmp(irl_outcome_text((irl_outcome)-1), "unknown outcome"));
  none(!strcmp(irl_outcome_text(IRL_N_OUTCOME), "unknown outcome"));
}
static void call_irl_phase_text(void) {
  none(!strcmp(irl_phase_text((irl_phase)-1), "unknown phase"));
  none(!strcmp(irl_phase_text(IRL_N_PHASE), "unknown phase"));
}
static void call_irl_build_describe(void) {
  DESCRIBES(irl_build, irl_build_describe(info), irl_build_describe(NULL));
}
static void call_irl_env_create(void) {
  irl_env *made = UNTOUCHED;
  irl_allocator allocator = {0};
  declined(irl_env_create(NULL, NULL));
  declined(irl_env_create(&allocator, &made));
  allocator.size = sizeof allocator;
  declined(irl_env_create(&allocator, &made));
  untouched(made);
}
static void call_irl_env_free(void) {
  irl_env_free(NULL);
}
static void call_irl_env_set_log(void) {
  irl_env_set_log(NULL, NULL, NULL);
}
static void call_irl_env_set_progress(void) {
  irl_env_set_progress(NULL, NULL, NULL);
}
static void call_irl_env_set_incumbent(void) {
  irl_env_set_incumbent(NULL, NULL, NULL);
}
static void call_irl_env_error(void) {
  none(irl_env_error(NULL) != NULL);
}
static void call_irl_env_stop(void) {
  irl_env_stop(NULL);
}
static void call_irl_env_clear_stop(void) {
  irl_env_clear_stop(NULL);
}
static void call_irl_env_count_memory(void) {
  irl_env_count_memory(NULL);
}
static void call_irl_env_run(void) {
  DESCRIBES(irl_run, irl_env_run(env, info), irl_env_run(NULL, info));
}
static void call_irl_file_read(void) {
  irl_bytes bytes = {UNTOUCHED, 0, NULL};
  declined(irl_file_read(NULL, NOWHERE, &bytes));
  refused("'path'", irl_file_read(env, NULL, &bytes));
  refused("'bytes'", irl_file_read(env, NOWHERE, NULL));
  refused_input("nowhere", irl_file_read(env, NOWHERE, &bytes));
  untouched(bytes.data);
}
static void call_irl_bytes_free(void) {
  irl_bytes bytes = {0};
  irl_bytes_free(NULL, &bytes);
  irl_bytes_free(env, NULL);
  irl_bytes_free(env, &bytes);
}
static void call_irl_file_write(void) {
  declined(irl_file_write(NULL, NOWHERE, "x", 1));
  refused("'path'", irl_file_write(env, NULL, "x", 1));
  refused("'bytes'", irl_file_write(env, NOWHERE, NULL, 1));
}
static void call_irl_file_check(void) {
  declined(irl_file_check(NULL, NOWHERE));
  refused("'path'", irl_file_check(env, NULL));
}
static void call_irl_text_free(void) {
  irl_text_free(NULL, NULL);
  irl_text_free(env, NULL);
}

/* ---- options ---- */

static void call_irl_options_init(void) {
  irl_options_init(NULL, sizeof o);
  irl_options_init(&no_size, 0);
}
static void call_irl_options_set(void) {
  declined(irl_options_set(NULL, &o, "K", "2"));
  refused("'options'", irl_options_set(env, NULL, "K", "2"));
  refused("'name'", irl_options_set(env, &o, NULL, "2"));
  refused("K", irl_options_set(env, &no_size, "K", "2"));
  refused("K", irl_options_set(env, &o, "K", NULL));
  refused("K", irl_options_set(env, &o, "K", "nan"));
  refused("K", irl_options_set(env, &o, "K", "-1"));
  refused("time_limit", irl_options_set(env, &o, "time_limit", "nan"));
  refused("method", irl_options_set(env, &o, "method", "magic"));
}
static void call_irl_options_table(void) {
  none(irl_options_table(NULL) != NULL);
}
static void call_irl_option_parse(void) {
  size_t n;
  const irl_option_info *info = irl_options_table(&n);
  declined(irl_option_parse(NULL, info, &o, "x"));
  refused("'info'", irl_option_parse(env, NULL, &o, "x"));
  refused("'options'", irl_option_parse(env, info, NULL, "x"));
}
static void call_irl_env_limit_reading(void) {
  declined(irl_env_limit_reading(NULL, &o));
  refused("options", irl_env_limit_reading(env, NULL));
  refused("options", irl_env_limit_reading(env, &no_size));
}
static void call_irl_options_check(void) {
  declined(irl_options_check(NULL, &o, IRL_FOR_FIT, 0));
  OPTIONS(irl_options_check(env, options, IRL_FOR_FIT, 0));
  refused("K", irl_options_check(env, &beyond, IRL_FOR_FIT, 0));
}
static void call_irl_suggest(void) {
  const char *const names[] = {NULL, NULL};
  none(!irl_suggest(NULL, names, 2));
  none(!irl_suggest("fit", NULL, 2));
  none(!irl_suggest("fit", names, 2));
}

/* ---- data ---- */

static void call_irl_data_read(void) {
  irl_data *made = UNTOUCHED;
  declined(irl_data_read(NULL, NOWHERE, &o, &made));
  refused("'path'", irl_data_read(env, NULL, &o, &made));
  refused("'data'", irl_data_read(env, NOWHERE, &o, NULL));
  refused_input("nowhere", irl_data_read(env, NOWHERE, &o, &made));
  OPTIONS(irl_data_read(env, NOWHERE, options, &made));
  untouched(made);
}
static void call_irl_data_read_for(void) {
  irl_data *made = UNTOUCHED;
  declined(irl_data_read_for(NULL, NOWHERE, &o, rule, true, &made));
  refused("'path'", irl_data_read_for(env, NULL, &o, rule, true, &made));
  refused("'rule'", irl_data_read_for(env, NOWHERE, &o, NULL, true, &made));
  refused("'data'", irl_data_read_for(env, NOWHERE, &o, rule, true, NULL));
  OPTIONS(irl_data_read_for(env, NOWHERE, options, rule, true, &made));
  untouched(made);
}
static void call_irl_data_from_bytes(void) {
  static const uint8_t two[] = {2};
  const char *const names[] = {"a", NULL, "c"};
  irl_data *made = UNTOUCHED;
  declined(irl_data_from_bytes(NULL, 7, 3, cells, labels, NULL, &made));
  refused("'cells'", irl_data_from_bytes(env, 7, 3, NULL, labels, NULL, &made));
  refused("'data'", irl_data_from_bytes(env, 7, 3, cells, labels, NULL, NULL));
  refused("sample", irl_data_from_bytes(env, 0, 3, cells, labels, NULL, &made));
  refused("name", irl_data_from_bytes(env, 7, 3, cells, labels, names, &made));
  refused("cell", irl_data_from_bytes(env, 1, 1, two, labels, NULL, &made));
  untouched(made);
}
static void call_irl_data_from_bits(void) {
  static const uint64_t word[] = {1};
  const uint64_t *const columns[] = {word, NULL};
  irl_data *made = UNTOUCHED;
  declined(irl_data_from_bits(NULL, 2, 1, columns, word, NULL, &made));
  refused("'columns'", irl_data_from_bits(env, 2, 1, NULL, word, NULL, &made));
  refused("feature 2", irl_data_from_bits(env, 2, 2, columns, word, NULL, &made));
  refused("'data'", irl_data_from_bits(env, 2, 1, columns, word, NULL, NULL));
  refused("sample", irl_data_from_bits(env, 0, 1, columns, word, NULL, &made));
  untouched(made);
}
static void call_irl_data_stride(void) {
  none(!irl_data_stride(0));
}
static void call_irl_data_borrow(void) {
  irl_class_bits side = {0};
  irl_data *made = UNTOUCHED;
  refused("'cases'", irl_data_borrow(env, 1, &side, &side, NULL, &made));
  side.size = sizeof side;
  declined(irl_data_borrow(NULL, 1, &side, &side, NULL, &made));
  refused("'cases'", irl_data_borrow(env, 1, NULL, &side, NULL, &made));
  refused("'controls'", irl_data_borrow(env, 1, &side, NULL, NULL, &made));
  refused("'data'", irl_data_borrow(env, 1, &side, &side, NULL, NULL));
  refused("bits", irl_data_borrow(env, 1, &side, &side, NULL, &made));
  side.n_samples = 2;
  refused("words", irl_data_borrow(env, 1, &side, &side, NULL, &made));
  untouched(made);
}
static void call_irl_data_write(void) {
  declined(irl_data_write(NULL, data, NOWHERE));
  refused("'data'", irl_data_write(env, NULL, NOWHERE));
  refused("'path'", irl_data_write(env, data, NULL));
}
static void call_irl_data_free(void) {
  irl_data_free(NULL);
}
static void call_irl_data_describe(void) {
  DESCRIBES(irl_data_info, irl_data_describe(data, info), irl_data_describe(NULL, info));
}
static void call_irl_data_render(void) {
  RENDERS(irl_data_render(env, data, format, text));
  refused("'data'", irl_data_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
  declined(irl_data_render(NULL, data, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_data_feature(void) {
  none(!irl_data_feature(NULL, 0));
  none(!irl_data_feature(data, BEYOND));
}
static void call_irl_data_label(void) {
  none(irl_data_label(NULL, 0) == -1);
  none(irl_data_label(data, BEYOND) == -1);
}
static void call_irl_generate(void) {
  irl_data *made = UNTOUCHED;
  declined(irl_generate(NULL, &o, &made, NULL));
  refused("'data'", irl_generate(env, &o, NULL, NULL));
  OPTIONS(irl_generate(env, options, &made, NULL));
  untouched(made);
}

/* ---- tables ---- */

static void call_irl_table_read(void) {
  irl_table *made = UNTOUCHED;
  declined(irl_table_read(NULL, NOWHERE, &o, &made));
  refused("'path'", irl_table_read(env, NULL, &o, &made));
  refused("'table'", irl_table_read(env, NOWHERE, &o, NULL));
  OPTIONS(irl_table_read(env, NOWHERE, options, &made));
  untouched(made);
}
static void call_irl_table_free(void) {
  irl_table_free(NULL);
}
static void call_irl_table_from_columns(void) {
  irl_table *made = UNTOUCHED;
  irl_column_view column = {.size = sizeof column, .name = "age", .numbers = ages};
  column.type = IRL_COLUMN_NUMBER;
  irl_table_view view = {.size = sizeof view, .n_samples = 7, .n_columns = 1, .labels = labels};
  refused("columns", irl_table_from_columns(env, &view, &o, &made));
  view.columns = &column;
  declined(irl_table_from_columns(NULL, &view, &o, &made));
  refused("'view'", irl_table_from_columns(env, NULL, &o, &made));
  refused("'table'", irl_table_from_columns(env, &view, &o, NULL));
  OPTIONS(irl_table_from_columns(env, &view, options, &made));
  view.weights = weights;
  refused("weight", irl_table_from_columns(env, &view, &o, &made));
  view.weights = NULL;
  column.type = (irl_column_type)-1;
  refused("type", irl_table_from_columns(env, &view, &o, &made));
  column.type = IRL_COLUMN_BINARY;
  refused("age", irl_table_from_columns(env, &view, &o, &made));
  column.type = IRL_COLUMN_CATEGORY;
  refused("codes", irl_table_from_columns(env, &view, &o, &made));
  const int32_t codes[7] = {0};
  const char *const values[1] = {NULL};
  column.codes = codes, column.values = values, column.n_values = 1;
  refused("value", irl_table_from_columns(env, &view, &o, &made));
  column.name = NULL;
  refused("name", irl_table_from_columns(env, &view, &o, &made));
  column.size = 0;
  refused("columns", irl_table_from_columns(env, &view, &o, &made));
  column.size = sizeof column - 1;
  refused("irl_column_view", irl_table_from_columns(env, &view, &o, &made));
  view.n_samples = 0;
  refused("sample", irl_table_from_columns(env, &view, &o, &made));
  view.size = 0;
  refused("'view'", irl_table_from_columns(env, &view, &o, &made));
  untouched(made);
}
static void call_irl_table_write(void) {
  declined(irl_table_write(NULL, raw, NOWHERE));
  refused("'table'", irl_table_write(env, NULL, NOWHERE));
  refused("'path'", irl_table_write(env, raw, NULL));
}
static void call_irl_table_describe(void) {
  DESCRIBES(irl_table_info, irl_table_describe(raw, info), irl_table_describe(NULL, info));
}
static void call_irl_table_label(void) {
  none(irl_table_label(NULL, 0) == -1);
  none(irl_table_label(raw, BEYOND) == -1);
}
static void call_irl_table_render(void) {
  RENDERS(irl_table_render(env, raw, format, text));
  refused("'table'", irl_table_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
  declined(irl_table_render(NULL, raw, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_table_data_for(void) {
  irl_data *made = UNTOUCHED;
  declined(irl_table_data_for(NULL, raw, rule, &made));
  refused("'table'", irl_table_data_for(env, NULL, rule, &made));
  refused("'rule'", irl_table_data_for(env, raw, NULL, &made));
  refused("'data'", irl_table_data_for(env, raw, rule, NULL));
  untouched(made);
}
static void call_irl_table_code(void) {
  static const uint32_t samples[] = {0, BEYOND};
  irl_coding *made = UNTOUCHED;
  irl_rows rows = {.samples = samples, .n = 2};
  declined(irl_table_code(NULL, raw, NULL, &o, &made));
  refused("'table'", irl_table_code(env, NULL, NULL, &o, &made));
  refused("'coding'", irl_table_code(env, raw, NULL, &o, NULL));
  refused("'rows'", irl_table_code(env, raw, &rows, &o, &made));
  rows.size = sizeof rows;
  refused("1000000", irl_table_code(env, raw, &rows, &o, &made));
  rows.n = 0;
  refused("samples", irl_table_code(env, raw, &rows, &o, &made));
  refused("options", irl_table_code(env, raw, NULL, NULL, &made));
  refused("options", irl_table_code(env, raw, NULL, &no_size, &made));
  untouched(made);
}
static void call_irl_coding_free(void) {
  irl_coding_free(NULL);
}
static void call_irl_table_data(void) {
  static const uint32_t samples[] = {0, BEYOND};
  irl_data *made = UNTOUCHED;
  irl_rows rows = {.samples = samples, .n = 2};
  declined(irl_table_data(NULL, raw, coding, NULL, &made));
  refused("'table'", irl_table_data(env, NULL, coding, NULL, &made));
  refused("'coding'", irl_table_data(env, raw, NULL, NULL, &made));
  refused("'data'", irl_table_data(env, raw, coding, NULL, NULL));
  refused("'rows'", irl_table_data(env, raw, coding, &rows, &made));
  rows.size = sizeof rows;
  refused("1000000", irl_table_data(env, raw, coding, &rows, &made));
  untouched(made);
}

/* ---- rules ---- */

static void call_irl_rule_read(void) {
  irl_rule *made = UNTOUCHED;
  declined(irl_rule_read(NULL, NOWHERE, &made));
  refused("'path'", irl_rule_read(env, NULL, &made));
  refused("'rule'", irl_rule_read(env, NOWHERE, NULL));
  refused_input("nowhere", irl_rule_read(env, NOWHERE, &made));
  untouched(made);
}
static void call_irl_rule_write(void) {
  declined(irl_rule_write(NULL, rule, NOWHERE));
  refused("'rule'", irl_rule_write(env, NULL, NOWHERE));
  refused("'path'", irl_rule_write(env, rule, NULL));
}
static void call_irl_rule_parse_json(void) {
  irl_rule *made = UNTOUCHED;
  declined(irl_rule_parse_json(NULL, "{}", 2, &made));
  refused("'json'", irl_rule_parse_json(env, NULL, 2, &made));
  refused("'rule'", irl_rule_parse_json(env, "{}", 2, NULL));
  refused_input("rule", irl_rule_parse_json(env, "", 0, &made));
  refused_input("rule", irl_rule_parse_json(env, "{\"clauses\": [[nan]]}", 20, &made));
  untouched(made);
}
static void call_irl_rule_render(void) {
  RENDERS(irl_rule_render(env, rule, format, text));
  refused("'rule'", irl_rule_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
  declined(irl_rule_render(NULL, rule, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_rule_export(void) {
  char *made = UNTOUCHED;
  declined(irl_rule_export(NULL, rule, "c", &made));
  refused("'rule'", irl_rule_export(env, NULL, "c", &made));
  refused("'to'", irl_rule_export(env, rule, NULL, &made));
  refused("cobol", irl_rule_export(env, rule, "cobol", &made));
  refused("'text'", irl_rule_export(env, rule, "c", NULL));
  untouched(made);
}
static void call_irl_rule_free(void) {
  irl_rule_free(NULL);
}
static void call_irl_rule_describe(void) {
  DESCRIBES(irl_rule_info, irl_rule_describe(rule, info), irl_rule_describe(NULL, info));
}
static void call_irl_rule_clause_size(void) {
  none(!irl_rule_clause_size(NULL, 0));
  none(!irl_rule_clause_size(rule, BEYOND));
}
static void call_irl_rule_literal(void) {
  bool negated;
  none(!irl_rule_literal(NULL, 0, 0, &negated));
  none(!irl_rule_literal(rule, BEYOND, 0, &negated));
  none(!irl_rule_literal(rule, 0, BEYOND, &negated));
  none(irl_rule_literal(rule, 0, 0, NULL) != NULL);
}
static void call_irl_evaluate(void) {
  irl_evaluation e = {0};
  refused("'evaluation'", irl_evaluate(env, rule, data, &e));
  refused("'evaluation'", irl_evaluate(env, rule, data, NULL));
  e.size = sizeof e;
  declined(irl_evaluate(NULL, rule, data, &e));
  refused("'rule'", irl_evaluate(env, NULL, data, &e));
  refused("'data'", irl_evaluate(env, rule, NULL, &e));
}
static void call_irl_evaluate_render(void) {
  RENDERS(irl_evaluate_render(env, rule, data, format, text));
  declined(irl_evaluate_render(NULL, rule, data, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'rule'", irl_evaluate_render(env, NULL, data, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'data'", irl_evaluate_render(env, rule, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_predict(void) {
  declined(irl_predict(NULL, rule, data, visit, NULL));
  refused("'rule'", irl_predict(env, NULL, data, visit, NULL));
  refused("'data'", irl_predict(env, rule, NULL, visit, NULL));
  refused("'visit'", irl_predict(env, rule, data, NULL, NULL));
}
static void call_irl_predict_bytes(void) {
  uint8_t predicted[7];
  declined(irl_predict_bytes(NULL, rule, data, predicted, NULL));
  refused("'rule'", irl_predict_bytes(env, NULL, data, predicted, NULL));
  refused("'data'", irl_predict_bytes(env, rule, NULL, predicted, NULL));
  refused("'predicted'", irl_predict_bytes(env, rule, data, NULL, NULL));
}
static void call_irl_predict_render(void) {
  RENDERS(irl_predict_render(env, rule, data, format, true, text));
  declined(irl_predict_render(NULL, rule, data, IRL_FORMAT_TEXT, true, UNTOUCHED));
  refused("'rule'", irl_predict_render(env, NULL, data, IRL_FORMAT_TEXT, true, UNTOUCHED));
  refused("'data'", irl_predict_render(env, rule, NULL, IRL_FORMAT_TEXT, true, UNTOUCHED));
}

/* ---- learning ---- */

static void call_irl_fit(void) {
  irl_fit_result *made = UNTOUCHED;
  declined(irl_fit(NULL, data, &o, &made));
  refused("'data'", irl_fit(env, NULL, &o, &made));
  refused("'result'", irl_fit(env, data, &o, NULL));
  refused("K", irl_fit(env, data, &beyond, &made));
  OPTIONS(irl_fit(env, data, options, &made));
  /* Objects among the options. */
  const irl_checkpoint_sink no_function = IRL_SIZED(irl_checkpoint_sink), no_sink_size = {0};
  const irl_bytes nowhere = {NULL, 8, "nowhere"};
  irl_options wrong = o;
  wrong.search.checkpoint = &no_function;
  refused("checkpoint", irl_fit(env, data, &wrong, &made));
  wrong.search.checkpoint = &no_sink_size;
  refused("checkpoint", irl_fit(env, data, &wrong, &made));
  wrong = o;
  wrong.search.resume = &nowhere;
  refused("resume", irl_fit(env, data, &wrong, &made));
  untouched(made);
}
static void call_irl_fit_table(void) {
  irl_fit_result *made = UNTOUCHED;
  declined(irl_fit_table(NULL, raw, &o, &made));
  refused("'table'", irl_fit_table(env, NULL, &o, &made));
  refused("'result'", irl_fit_table(env, raw, &o, NULL));
  OPTIONS(irl_fit_table(env, raw, options, &made));
  untouched(made);
}
static void call_irl_fit_for_curve(void) {
  irl_fit_result *made = UNTOUCHED;
  declined(irl_fit_for_curve(NULL, data, &o, &made));
  refused("'data'", irl_fit_for_curve(env, NULL, &o, &made));
  refused("'result'", irl_fit_for_curve(env, data, &o, NULL));
  OPTIONS(irl_fit_for_curve(env, data, options, &made));
  untouched(made);
}
static void call_irl_fit_test(void) {
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  none(!irl_fit_test(NULL, &e));
  none(!irl_fit_test(fit, &e));
  none(!irl_fit_test(fit, NULL));
}
static void call_irl_fit_estimate(void) {
  irl_estimate e = IRL_SIZED(irl_estimate);
  none(!irl_fit_estimate(NULL, &e));
  none(!irl_fit_estimate(fit, &e)); /* none was asked for */
  none(!irl_fit_estimate(fit, NULL));
}
static void call_irl_fit_free(void) {
  irl_fit_free(NULL);
}
static void call_irl_fit_rule(void) {
  none(!irl_fit_rule(NULL));
}
static void call_irl_fit_describe(void) {
  DESCRIBES(irl_fit_info, irl_fit_describe(fit, info), irl_fit_describe(NULL, info));
}
static void call_irl_fit_reason(void) {
  none(!irl_fit_reason(NULL));
}
static void call_irl_fit_certificate(void) {
  char *made = UNTOUCHED;
  declined(irl_fit_certificate(NULL, fit, &made));
  refused("'result'", irl_fit_certificate(env, NULL, &made));
  refused("'text'", irl_fit_certificate(env, fit, NULL));
  untouched(made);
}
static void call_irl_fit_pool(void) {
  irl_pool *made = UNTOUCHED;
  declined(irl_fit_pool(NULL, fit, &made));
  refused("'result'", irl_fit_pool(env, NULL, &made));
  refused("'pool'", irl_fit_pool(env, fit, NULL));
  untouched(made);
}
static void call_irl_pool_read(void) {
  irl_pool *made = UNTOUCHED;
  declined(irl_pool_read(NULL, NOWHERE, &made));
  refused("'path'", irl_pool_read(env, NULL, &made));
  refused("'pool'", irl_pool_read(env, NOWHERE, NULL));
  untouched(made);
}
static void call_irl_pool_write(void) {
  declined(irl_pool_write(NULL, pool, NOWHERE));
  refused("'pool'", irl_pool_write(env, NULL, NOWHERE));
  refused("'path'", irl_pool_write(env, pool, NULL));
}
static void call_irl_pool_free(void) {
  irl_pool_free(NULL);
}
static void call_irl_fit_rests_on(void) {
  none(!irl_fit_rests_on(NULL));
}
static void call_irl_fit_lost_checkpoint(void) {
  none(!irl_fit_lost_checkpoint(NULL));
}
static void call_irl_fit_note(void) {
  none(!irl_fit_note(NULL, 0));
  none(!irl_fit_note(fit, 0));
}
static void call_irl_fit_tuning(void) {
  none(!irl_fit_tuning(NULL));
  none(!irl_fit_tuning(fit)); /* none was asked for */
}
static void call_irl_fit_n_optimal_rules(void) {
  none(!irl_fit_n_optimal_rules(NULL, NULL));
  none(!irl_fit_n_optimal_rules(fit, NULL));
}
static void call_irl_fit_optimal_rule(void) {
  irl_rule *made = UNTOUCHED;
  declined(irl_fit_optimal_rule(NULL, fit, 0, &made));
  refused("'result'", irl_fit_optimal_rule(env, NULL, 0, &made));
  refused("'rule'", irl_fit_optimal_rule(env, fit, 0, NULL));
  refused("rules", irl_fit_optimal_rule(env, fit, BEYOND, &made));
  untouched(made);
}
static void call_irl_fit_render(void) {
  RENDERS(irl_fit_render(env, fit, format, text));
  declined(irl_fit_render(NULL, fit, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'result'", irl_fit_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}

/* ---- certificates ---- */

static void call_irl_certificate_parse(void) {
  irl_certificate *made = UNTOUCHED;
  irl_bytes bytes = {NULL, 3, NULL};
  declined(irl_certificate_parse(NULL, &bytes, &made));
  refused("'bytes'", irl_certificate_parse(env, NULL, &made));
  refused("'bytes->data'", irl_certificate_parse(env, &bytes, &made));
  refused("'certificate'", irl_certificate_parse(env, &bytes, NULL));
  untouched(made);
}
static void call_irl_certificate_read(void) {
  irl_certificate *made = UNTOUCHED;
  declined(irl_certificate_read(NULL, NOWHERE, &made));
  refused("'path'", irl_certificate_read(env, NULL, &made));
  refused("'certificate'", irl_certificate_read(env, NOWHERE, NULL));
  untouched(made);
}
static void call_irl_certificate_free(void) {
  irl_certificate_free(NULL);
}
static void call_irl_certificate_scope(void) {
  RENDERS(irl_certificate_scope(env, certificate, format, text));
  declined(irl_certificate_scope(NULL, certificate, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'certificate'", irl_certificate_scope(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_certificate_clear_options(void) {
  irl_certificate_clear_options(NULL);
  irl_certificate_clear_options(&no_size);
}
static void call_irl_certificate_options(void) {
  irl_options own = o;
  declined(irl_certificate_options(NULL, certificate, &own));
  refused("'certificate'", irl_certificate_options(env, NULL, &own));
  refused("options", irl_certificate_options(env, certificate, NULL));
  refused("options", irl_certificate_options(env, certificate, &no_size));
}
static void call_irl_verify(void) {
  irl_verification v = {0};
  refused("'verification'", irl_verify(env, rule, data, &o, certificate, &v));
  refused("'verification'", irl_verify(env, rule, data, &o, certificate, NULL));
  v.size = sizeof v;
  declined(irl_verify(NULL, rule, data, &o, certificate, &v));
  refused("'data'", irl_verify(env, rule, NULL, &o, certificate, &v));
  refused("'certificate'", irl_verify(env, rule, data, &o, NULL, &v));
  OPTIONS(irl_verify(env, rule, data, options, certificate, &v));
}
static void call_irl_verify_table(void) {
  irl_verification v = {0};
  refused("'verification'", irl_verify_table(env, rule, raw, &o, certificate, &v));
  v.size = sizeof v;
  declined(irl_verify_table(NULL, rule, raw, &o, certificate, &v));
  refused("'table'", irl_verify_table(env, rule, NULL, &o, certificate, &v));
  refused("'certificate'", irl_verify_table(env, rule, raw, &o, NULL, &v));
  OPTIONS(irl_verify_table(env, rule, raw, options, certificate, &v));
}
static void call_irl_verify_render(void) {
  irl_verification v = {0};
  char *made = UNTOUCHED;
  refused("'verification'", irl_verify_render(env, &v, certificate, IRL_FORMAT_TEXT, &made));
  v.size = sizeof v;
  RENDERS(irl_verify_render(env, &v, certificate, format, text));
  declined(irl_verify_render(NULL, &v, certificate, IRL_FORMAT_TEXT, &made));
  refused("'verification'", irl_verify_render(env, NULL, certificate, IRL_FORMAT_TEXT, &made));
  refused("'certificate'", irl_verify_render(env, &v, NULL, IRL_FORMAT_TEXT, &made));
  untouched(made);
}

/* ---- studies ---- */

static void call_irl_statistics_compute(void) {
  DESCRIBES(irl_statistics, irl_statistics_compute(3, 1, 2, 4, info),
            irl_statistics_compute(3, 1, 2, 4, NULL));
}
static void call_irl_cv(void) {
  irl_cv_result *made = UNTOUCHED;
  irl_cv_grid grid = {0};
  refused("'grid'", irl_cv(env, raw, &o, &grid, &made));
  grid.size = sizeof grid;
  grid.penalty = "nan";
  refused("penalty", irl_cv(env, raw, &o, &grid, &made));
  declined(irl_cv(NULL, raw, &o, NULL, &made));
  refused("'table'", irl_cv(env, NULL, &o, NULL, &made));
  refused("'result'", irl_cv(env, raw, &o, NULL, NULL));
  OPTIONS(irl_cv(env, raw, options, NULL, &made));
  untouched(made);
}
static void call_irl_cv_free(void) {
  irl_cv_free(NULL);
}
static void call_irl_cv_describe(void) {
  DESCRIBES(irl_cv_info, irl_cv_describe(cv, info), irl_cv_describe(NULL, info));
}
static void call_irl_cv_row_at(void) {
  DESCRIBES(irl_cv_row, irl_cv_row_at(cv, 0, info), irl_cv_row_at(NULL, 0, info));
  irl_cv_row row = IRL_SIZED(irl_cv_row);
  declined(irl_cv_row_at(cv, BEYOND, &row));
}
static void call_irl_cv_nested(void) {
  DESCRIBES(irl_cv_row, irl_cv_nested(cv, info), irl_cv_nested(NULL, info));
}
static void call_irl_cv_render(void) {
  RENDERS(irl_cv_render(env, cv, format, text));
  declined(irl_cv_render(NULL, cv, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'result'", irl_cv_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_cv_command(void) {
  irl_cv_command(NULL);
}
static void call_irl_cv_report(void) {
  char *made = UNTOUCHED;
  declined(irl_cv_report(NULL, cv, NULL, &made));
  refused("'result'", irl_cv_report(env, NULL, NULL, &made));
  refused("'html'", irl_cv_report(env, cv, NULL, NULL));
}
static void call_irl_cv_predictions(void) {
  char *csv = UNTOUCHED;
  declined(irl_cv_predictions(NULL, cv, &csv));
  refused("'result'", irl_cv_predictions(env, NULL, &csv));
  refused("'csv'", irl_cv_predictions(env, cv, NULL));
  refused("option predictions", irl_cv_predictions(env, cv, &csv));
  untouched(csv);
}
static void call_irl_curve_make(void) {
  irl_curve *made = UNTOUCHED;
  declined(irl_curve_make(NULL, curve_fit, &o, &made));
  refused("'fit'", irl_curve_make(env, NULL, &o, &made));
  refused("'curve'", irl_curve_make(env, curve_fit, &o, NULL));
  OPTIONS(irl_curve_make(env, curve_fit, options, &made));
  untouched(made);
}
static void call_irl_curve_free(void) {
  irl_curve_free(NULL);
}
static void call_irl_curve_describe(void) {
  DESCRIBES(irl_curve_info, irl_curve_describe(curve, info), irl_curve_describe(NULL, info));
}
static void call_irl_curve_lost_checkpoint(void) {
  none(!irl_curve_lost_checkpoint(NULL));
}
static void call_irl_curve_rests_on(void) {
  none(!irl_curve_rests_on(NULL));
}
static void call_irl_curve_size(void) {
  none(!irl_curve_size(NULL, IRL_CURVE_TRADEOFF));
  none(!irl_curve_size(curve, IRL_N_CURVE_KINDS));
  none(!irl_curve_size(curve, (irl_curve_kind)-1));
}
static void call_irl_curve_get(void) {
  DESCRIBES(irl_curve_point, irl_curve_get(curve, IRL_CURVE_TRADEOFF, 0, info),
            irl_curve_get(NULL, IRL_CURVE_TRADEOFF, 0, info));
  irl_curve_point point = IRL_SIZED(irl_curve_point);
  declined(irl_curve_get(curve, IRL_CURVE_TRADEOFF, BEYOND, &point));
  declined(irl_curve_get(curve, (irl_curve_kind)-1, 0, &point));
}
static void call_irl_curve_rule(void) {
  none(!irl_curve_rule(NULL, IRL_CURVE_TRADEOFF, 0));
  none(!irl_curve_rule(curve, IRL_CURVE_TRADEOFF, BEYOND));
  none(!irl_curve_rule(curve, (irl_curve_kind)-1, 0));
}
static void call_irl_curve_render(void) {
  RENDERS(irl_curve_render(env, curve, format, text));
  declined(irl_curve_render(NULL, curve, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'curve'", irl_curve_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}
static void call_irl_curve_export(void) {
  char *made = UNTOUCHED;
  declined(irl_curve_export(NULL, curve, "csv", &made));
  refused("'curve'", irl_curve_export(env, NULL, "csv", &made));
  refused("'to'", irl_curve_export(env, curve, NULL, &made));
  refused("'text'", irl_curve_export(env, curve, "csv", NULL));
  refused("gif", irl_curve_export(env, curve, "gif", &made));
  untouched(made);
}
static void call_irl_report_render(void) {
  char *made = UNTOUCHED;
  declined(irl_report_render(NULL, fit, NULL, &o, NULL, &made));
  refused("'fit'", irl_report_render(env, NULL, NULL, &o, NULL, &made));
  refused("options", irl_report_render(env, fit, NULL, NULL, NULL, &made));
  refused("options", irl_report_render(env, fit, NULL, &no_size, NULL, &made));
  refused("'html'", irl_report_render(env, fit, NULL, &o, NULL, NULL));
  untouched(made);
}
static void call_irl_clause_solve(void) {
  irl_clause_solution *made = UNTOUCHED;
  declined(irl_clause_solve(NULL, data, &o, &made));
  refused("'data'", irl_clause_solve(env, NULL, &o, &made));
  refused("'solution'", irl_clause_solve(env, data, &o, NULL));
  OPTIONS(irl_clause_solve(env, data, options, &made));
  untouched(made);
}
static void call_irl_clause_free(void) {
  irl_clause_free(NULL);
}
static void call_irl_clause_describe(void) {
  DESCRIBES(irl_clause_info, irl_clause_describe(clause, info), irl_clause_describe(NULL, info));
}
static void call_irl_clause_literal(void) {
  none(!irl_clause_literal(NULL, 0, NULL));
  none(!irl_clause_literal(clause, BEYOND, NULL));
}
static void call_irl_clause_render(void) {
  RENDERS(irl_clause_render(env, clause, format, text));
  declined(irl_clause_render(NULL, clause, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("'solution'", irl_clause_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
}

/* ---- processes ---- */

static void call_irl_env_set_comm(void) {
  irl_comm comm = {0};
  refused("'comm'", irl_env_set_comm(env, &comm));
  comm.size = sizeof comm;
  refused("'comm'", irl_env_set_comm(env, &comm));
  declined(irl_env_set_comm(NULL, &comm));
}
static void call_irl_comm_serve(void) {
  declined(irl_comm_serve(NULL));
}
static void call_irl_comm_end(void) {
  declined(irl_comm_end(NULL));
}

/* ---- blocks of rows ---- */

static irl_builder *new_builder(void) {
  irl_builder *made;
  if (irl_builder_create(env, 3, NULL, &made)) abort();
  return made;
}
static void call_irl_builder_create(void) {
  const char *const names[] = {"a", NULL, "c"};
  irl_builder *made = UNTOUCHED;
  declined(irl_builder_create(NULL, 3, NULL, &made));
  refused("builder", irl_builder_create(env, 3, NULL, NULL));
  refused("", irl_builder_create(env, 3, names, &made));
  untouched(made);
}
static void call_irl_builder_add_bytes(void) {
  irl_builder *builder = new_builder();
  declined(irl_builder_add_bytes(NULL, builder, 7, cells, labels));
  refused("builder", irl_builder_add_bytes(env, NULL, 7, cells, labels));
  refused("", irl_builder_add_bytes(env, builder, 7, NULL, labels));
  none(!irl_builder_n_samples(builder));
  irl_builder_free(builder);
}
static void call_irl_builder_add_bits(void) {
  irl_builder *builder = new_builder();
  const uint64_t *const columns[3] = {NULL, NULL, NULL};
  declined(irl_builder_add_bits(NULL, builder, 7, columns, NULL));
  refused("builder", irl_builder_add_bits(env, NULL, 7, columns, NULL));
  refused("", irl_builder_add_bits(env, builder, 7, NULL, NULL));
  refused("", irl_builder_add_bits(env, builder, 7, columns, NULL));
  none(!irl_builder_n_samples(builder));
  irl_builder_free(builder);
}
static void call_irl_builder_add_data(void) {
  irl_builder *builder = new_builder();
  declined(irl_builder_add_data(NULL, builder, data));
  refused("builder", irl_builder_add_data(env, NULL, data));
  refused("data", irl_builder_add_data(env, builder, NULL));
  irl_builder_free(builder);
}
static void call_irl_builder_n_samples(void) {
  none(!irl_builder_n_samples(NULL));
}
static void call_irl_builder_finish(void) {
  irl_builder *builder = new_builder();
  irl_data *made = UNTOUCHED;
  declined(irl_builder_finish(NULL, builder, &made));
  refused("builder", irl_builder_finish(env, NULL, &made));
  refused("data", irl_builder_finish(env, builder, NULL));
  refused("", irl_builder_finish(env, builder, &made)); /* no samples */
  untouched(made);
  irl_builder_free(builder);
}
static void call_irl_builder_free(void) {
  irl_builder_free(NULL);
}
static void call_irl_stream_open_file(void) {
  irl_stream *made = UNTOUCHED;
  declined(irl_stream_open_file(NULL, NOWHERE, &o, rule, true, &made));
  refused("path", irl_stream_open_file(env, NULL, &o, rule, true, &made));
  refused("rule", irl_stream_open_file(env, NOWHERE, &o, NULL, true, &made));
  refused("stream", irl_stream_open_file(env, NOWHERE, &o, rule, true, NULL));
  refused_input("nowhere", irl_stream_open_file(env, NOWHERE, &o, rule, true, &made));
  OPTIONS(irl_stream_open_file(env, NOWHERE, options, rule, true, &made));
  untouched(made);
}
static void call_irl_stream_next(void) {
  irl_data *made = UNTOUCHED;
  declined(irl_stream_next(NULL, NULL, 1, &made));
  refused("stream", irl_stream_next(env, NULL, 1, &made));
  untouched(made);
}
static void call_irl_stream_next_table(void) {
  irl_table *made = UNTOUCHED;
  declined(irl_stream_next_table(NULL, NULL, 1, &made));
  refused("stream", irl_stream_next_table(env, NULL, 1, &made));
  untouched(made);
}
static void call_irl_predict_table(void) {
  declined(irl_predict_table(NULL, rule, raw, visit, NULL));
  refused("rule", irl_predict_table(env, NULL, raw, visit, NULL));
  refused("table", irl_predict_table(env, rule, NULL, visit, NULL));
  refused("visit", irl_predict_table(env, rule, raw, NULL, NULL));
}
static void call_irl_writer_open(void) {
  irl_writer *made = UNTOUCHED;
  declined(irl_writer_open(NULL, "x", &made));
  refused("path", irl_writer_open(env, NULL, &made));
  refused("writer", irl_writer_open(env, "x", NULL));
  untouched(made);
}
static void call_irl_writer_add(void) {
  declined(irl_writer_add(NULL, NULL, "", 0));
  refused("writer", irl_writer_add(env, NULL, "", 0));
}
static void call_irl_writer_close(void) {
  declined(irl_writer_close(NULL, NULL, false));
  if (irl_writer_close(env, NULL, false)) abort();
}
static void call_irl_stream_n_samples(void) {
  none(!irl_stream_n_samples(NULL));
}
static void call_irl_stream_free(void) {
  irl_stream_free(NULL);
}
static void call_irl_evaluator_create(void) {
  irl_evaluator *made = UNTOUCHED;
  declined(irl_evaluator_create(NULL, rule, &made));
  refused("rule", irl_evaluator_create(env, NULL, &made));
  refused("evaluator", irl_evaluator_create(env, rule, NULL));
  untouched(made);
}
static void call_irl_evaluator_add(void) {
  irl_evaluator *evaluator;
  if (irl_evaluator_create(env, rule, &evaluator)) abort();
  declined(irl_evaluator_add(NULL, evaluator, data));
  refused("evaluator", irl_evaluator_add(env, NULL, data));
  refused("data", irl_evaluator_add(env, evaluator, NULL));
  irl_evaluator_free(evaluator);
}
static void call_irl_evaluator_finish(void) {
  irl_evaluation e = {0};
  irl_evaluator *evaluator;
  if (irl_evaluator_create(env, rule, &evaluator)) abort();
  refused("evaluation", irl_evaluator_finish(env, evaluator, NULL));
  refused("evaluation", irl_evaluator_finish(env, evaluator, &e));
  e.size = sizeof e;
  declined(irl_evaluator_finish(NULL, evaluator, &e));
  refused("evaluator", irl_evaluator_finish(env, NULL, &e));
  irl_evaluator_free(evaluator);
}
static void call_irl_evaluator_render(void) {
  irl_evaluator *evaluator;
  if (irl_evaluator_create(env, rule, &evaluator)) abort();
  RENDERS(irl_evaluator_render(env, evaluator, format, text));
  declined(irl_evaluator_render(NULL, evaluator, IRL_FORMAT_TEXT, UNTOUCHED));
  refused("evaluator", irl_evaluator_render(env, NULL, IRL_FORMAT_TEXT, UNTOUCHED));
  irl_evaluator_free(evaluator);
}
static void call_irl_evaluator_free(void) {
  irl_evaluator_free(NULL);
}
static void call_irl_predictor_create(void) {
  irl_predictor *made = UNTOUCHED;
  declined(irl_predictor_create(NULL, rule, IRL_FORMAT_TEXT, true, &made));
  refused("rule", irl_predictor_create(env, NULL, IRL_FORMAT_TEXT, true, &made));
  refused("format", irl_predictor_create(env, rule, NO_FORMAT, true, &made));
  refused("predictor", irl_predictor_create(env, rule, IRL_FORMAT_TEXT, true, NULL));
  untouched(made);
}
static void call_irl_predictor_add(void) {
  irl_predictor *predictor;
  char *text = UNTOUCHED;
  if (irl_predictor_create(env, rule, IRL_FORMAT_TEXT, true, &predictor)) abort();
  declined(irl_predictor_add(NULL, predictor, data, &text));
  refused("predictor", irl_predictor_add(env, NULL, data, &text));
  refused("data", irl_predictor_add(env, predictor, NULL, &text));
  refused("text", irl_predictor_add(env, predictor, data, NULL));
  untouched(text);
  irl_predictor_free(predictor);
}
static void call_irl_predictor_add_table(void) {
  irl_predictor *predictor;
  char *text = UNTOUCHED;
  if (irl_predictor_create(env, rule, IRL_FORMAT_CSV, true, &predictor)) abort();
  declined(irl_predictor_add_table(NULL, predictor, raw, &text));
  refused("predictor", irl_predictor_add_table(env, NULL, raw, &text));
  refused("data", irl_predictor_add_table(env, predictor, NULL, &text));
  refused("text", irl_predictor_add_table(env, predictor, raw, NULL));
  untouched(text);
  irl_predictor_free(predictor);
}
static void call_irl_predictor_decide(void) {
  irl_predictor_decide(NULL);
}
static void call_irl_predictor_finish(void) {
  irl_predictor *predictor;
  char *text = UNTOUCHED;
  if (irl_predictor_create(env, rule, IRL_FORMAT_TEXT, true, &predictor)) abort();
  declined(irl_predictor_finish(NULL, predictor, &text));
  refused("predictor", irl_predictor_finish(env, NULL, &text));
  refused("text", irl_predictor_finish(env, predictor, NULL));
  untouched(text);
  irl_predictor_free(predictor);
}
static void call_irl_predictor_free(void) {
  irl_predictor_free(NULL);
}

/* ---- models ---- */

static void call_irl_model_create(void) {
  declined(irl_model_create(NULL, &model));
  refused("", irl_model_create(env, NULL));
}
static void call_irl_model_add_columns(void) {
  irl_variable column = {.size = sizeof column, .cost = NAN};
  declined(irl_model_add_columns(NULL, model, 1, &column));
  refused("", irl_model_add_columns(env, NULL, 1, &column));
  refused("", irl_model_add_columns(env, model, 1, NULL));
  refused("", irl_model_add_columns(env, model, 1, &column));
  column = (irl_variable){.size = 0};
  refused("size", irl_model_add_columns(env, model, 1, &column));
}
static void call_irl_model_add_rows(void) {
  irl_constraint row = {.size = sizeof row, .lower = NAN};
  declined(irl_model_add_rows(NULL, model, 1, &row));
  refused("", irl_model_add_rows(env, NULL, 1, &row));
  refused("", irl_model_add_rows(env, model, 1, NULL));
  refused("", irl_model_add_rows(env, model, 1, &row));
  row = (irl_constraint){.size = 0};
  refused("size", irl_model_add_rows(env, model, 1, &row));
}
static void call_irl_model_maximise(void) {
  declined(irl_model_maximise(NULL, model, true));
  refused("", irl_model_maximise(env, NULL, true));
}
static void call_irl_model_set_constant(void) {
  declined(irl_model_set_constant(NULL, model, 1));
  refused("", irl_model_set_constant(env, NULL, 1));
  refused("", irl_model_set_constant(env, model, NAN));
}
static void call_irl_model_set_cost(void) {
  declined(irl_model_set_cost(NULL, model, 0, 1));
  refused("", irl_model_set_cost(env, NULL, 0, 1));
  refused("", irl_model_set_cost(env, model, BEYOND, 1));
  refused("", irl_model_set_cost(env, model, 0, NAN));
}
static void call_irl_model_set_bounds(void) {
  declined(irl_model_set_bounds(NULL, model, 0, 0, 1));
  refused("", irl_model_set_bounds(env, NULL, 0, 0, 1));
  refused("", irl_model_set_bounds(env, model, BEYOND, 0, 1));
  refused("", irl_model_set_bounds(env, model, 0, NAN, 1));
}
static void call_irl_model_set_integer(void) {
  declined(irl_model_set_integer(NULL, model, 0, true));
  refused("", irl_model_set_integer(env, NULL, 0, true));
  refused("", irl_model_set_integer(env, model, BEYOND, true));
}
static void call_irl_model_set_sides(void) {
  declined(irl_model_set_sides(NULL, model, 0, 0, 1));
  refused("", irl_model_set_sides(env, NULL, 0, 0, 1));
  refused("", irl_model_set_sides(env, model, BEYOND, 0, 1));
  refused("", irl_model_set_sides(env, model, 0, 0, NAN));
}
static void call_irl_model_read(void) {
  irl_model *made = UNTOUCHED;
  declined(irl_model_read(NULL, NOWHERE, &made));
  refused("", irl_model_read(env, NULL, &made));
  refused("", irl_model_read(env, NOWHERE, NULL));
  untouched(made);
}
static void call_irl_model_write(void) {
  declined(irl_model_write(NULL, model, NOWHERE));
  refused("", irl_model_write(env, NULL, NOWHERE));
  refused("", irl_model_write(env, model, NULL));
}
static void call_irl_model_from_data(void) {
  irl_model *made = UNTOUCHED;
  declined(irl_model_from_data(NULL, data, &o, &made));
  refused("", irl_model_from_data(env, NULL, &o, &made));
  refused("", irl_model_from_data(env, data, &o, NULL));
  refused("", irl_model_from_data(env, data, NULL, &made));
  refused("options", irl_model_from_data(env, data, &no_size, &made));
  untouched(made);
}
static void call_irl_model_free(void) {
  irl_model_free(NULL);
}
static void call_irl_model_describe(void) {
  DESCRIBES(irl_model_info, irl_model_describe(model, info), irl_model_describe(NULL, info));
}
static void call_irl_model_solve(void) {
  irl_solution solution = IRL_SIZED(irl_solution);
  declined(irl_model_solve(NULL, model, &o, &solution));
  refused("", irl_model_solve(env, NULL, &o, &solution));
  refused("", irl_model_solve(env, model, NULL, &solution));
  refused("options", irl_model_solve(env, model, &no_size, &solution));
  refused("", irl_model_solve(env, model, &o, NULL));
  solution.size = 0;
  refused("", irl_model_solve(env, model, &o, &solution));
}
static void call_irl_model_conflict(void) {
  irl_conflict conflict = IRL_SIZED(irl_conflict);
  declined(irl_model_conflict(NULL, model, &o, &conflict));
  refused("", irl_model_conflict(env, NULL, &o, &conflict));
  refused("", irl_model_conflict(env, model, NULL, &conflict));
  refused("options", irl_model_conflict(env, model, &no_size, &conflict));
  refused("", irl_model_conflict(env, model, &o, NULL));
  refused("infeasible", irl_model_conflict(env, model, &o, &conflict));
  conflict.size = 0;
  refused("", irl_model_conflict(env, model, &o, &conflict));
}
/* Those that copy the answer, of which there is none. */
#define COPIES(call)                                                                               \
  do {                                                                                             \
    double space[4], *values = space;                                                              \
    irl_model *of = model;                                                                         \
    irl_env *by = NULL;                                                                            \
    declined(call);                                                                                \
    by = env;                                                                                      \
    refused("", call);                                                                             \
    of = NULL;                                                                                     \
    refused("", call);                                                                             \
    of = model, values = NULL;                                                                     \
    refused("", call);                                                                             \
  } while (0)
static void call_irl_model_primal(void) {
  COPIES(irl_model_primal(by, of, 1, values));
}
static void call_irl_model_activity(void) {
  COPIES(irl_model_activity(by, of, 1, values));
}
static void call_irl_model_dual(void) {
  COPIES(irl_model_dual(by, of, 1, values));
}
static void call_irl_model_reduced(void) {
  COPIES(irl_model_reduced(by, of, 1, values));
}
static void call_irl_model_ray(void) {
  COPIES(irl_model_ray(by, of, 1, values));
}
static void call_irl_model_column(void) {
  none(!irl_model_column(NULL, 0, NULL));
  none(!irl_model_column(model, BEYOND, NULL));
}
static void call_irl_model_row(void) {
  none(!irl_model_row(NULL, 0, NULL));
  none(!irl_model_row(model, BEYOND, NULL));
}
static void call_irl_model_set_start(void) {
  double values[2] = {NAN, 0};
  declined(irl_model_set_start(NULL, model, 1, values));
  refused("", irl_model_set_start(env, NULL, 1, values));
  refused("", irl_model_set_start(env, model, 2, values));
  refused("", irl_model_set_start(env, model, 1, values));
}
static void call_irl_model_render(void) {
  char *made = UNTOUCHED;
  declined(irl_model_render(NULL, model, IRL_FORMAT_TEXT, &made));
  refused("", irl_model_render(env, NULL, IRL_FORMAT_TEXT, &made));
  refused("", irl_model_render(env, model, IRL_FORMAT_TEXT, NULL));
  untouched(made);
}
static void call_irl_model_write_solution(void) {
  declined(irl_model_write_solution(NULL, model, NOWHERE));
  refused("", irl_model_write_solution(env, NULL, NOWHERE));
  refused("", irl_model_write_solution(env, model, NULL));
}

/* ---- the table ---- */

#define ROW(name)                                                                                  \
  { #name, call_##name }
static const struct {
  const char *name;
  void (*call)(void);
} rows[] = {
    ROW(irl_builder_create),
    ROW(irl_builder_add_bytes),
    ROW(irl_builder_add_bits),
    ROW(irl_builder_add_data),
    ROW(irl_builder_n_samples),
    ROW(irl_builder_finish),
    ROW(irl_builder_free),
    ROW(irl_stream_open_file),
    ROW(irl_stream_next),
    ROW(irl_stream_next_table),
    ROW(irl_predict_table),
    ROW(irl_writer_open),
    ROW(irl_writer_add),
    ROW(irl_writer_close),
    ROW(irl_stream_n_samples),
    ROW(irl_stream_free),
    ROW(irl_evaluator_create),
    ROW(irl_evaluator_add),
    ROW(irl_evaluator_finish),
    ROW(irl_evaluator_render),
    ROW(irl_evaluator_free),
    ROW(irl_predictor_create),
    ROW(irl_predictor_add),
    ROW(irl_predictor_add_table),
    ROW(irl_predictor_decide),
    ROW(irl_predictor_finish),
    ROW(irl_predictor_free),
    ROW(irl_build_describe),
    ROW(irl_bytes_free),
    ROW(irl_certificate_clear_options),
    ROW(irl_certificate_free),
    ROW(irl_certificate_options),
    ROW(irl_certificate_parse),
    ROW(irl_certificate_read),
    ROW(irl_certificate_scope),
    ROW(irl_clause_describe),
    ROW(irl_clause_free),
    ROW(irl_clause_literal),
    ROW(irl_clause_render),
    ROW(irl_clause_solve),
    ROW(irl_coding_free),
    ROW(irl_comm_end),
    ROW(irl_comm_serve),
    ROW(irl_curve_describe),
    ROW(irl_curve_export),
    ROW(irl_curve_free),
    ROW(irl_curve_get),
    ROW(irl_curve_lost_checkpoint),
    ROW(irl_curve_make),
    ROW(irl_curve_render),
    ROW(irl_curve_rests_on),
    ROW(irl_curve_rule),
    ROW(irl_curve_size),
    ROW(irl_cv),
    ROW(irl_cv_command),
    ROW(irl_cv_describe),
    ROW(irl_cv_free),
    ROW(irl_cv_nested),
    ROW(irl_cv_predictions),
    ROW(irl_cv_report),
    ROW(irl_cv_render),
    ROW(irl_cv_row_at),
    ROW(irl_data_borrow),
    ROW(irl_data_describe),
    ROW(irl_data_feature),
    ROW(irl_data_free),
    ROW(irl_data_from_bits),
    ROW(irl_data_from_bytes),
    ROW(irl_data_label),
    ROW(irl_data_read),
    ROW(irl_data_read_for),
    ROW(irl_data_render),
    ROW(irl_data_stride),
    ROW(irl_data_write),
    ROW(irl_env_clear_stop),
    ROW(irl_env_count_memory),
    ROW(irl_env_create),
    ROW(irl_env_error),
    ROW(irl_env_free),
    ROW(irl_env_limit_reading),
    ROW(irl_env_run),
    ROW(irl_env_set_comm),
    ROW(irl_env_set_incumbent),
    ROW(irl_env_set_log),
    ROW(irl_env_set_progress),
    ROW(irl_env_stop),
    ROW(irl_evaluate),
    ROW(irl_evaluate_render),
    ROW(irl_file_check),
    ROW(irl_file_read),
    ROW(irl_file_write),
    ROW(irl_fit),
    ROW(irl_fit_certificate),
    ROW(irl_fit_describe),
    ROW(irl_fit_for_curve),
    ROW(irl_fit_free),
    ROW(irl_fit_lost_checkpoint),
    ROW(irl_fit_note),
    ROW(irl_fit_tuning),
    ROW(irl_fit_n_optimal_rules),
    ROW(irl_fit_optimal_rule),
    ROW(irl_fit_pool),
    ROW(irl_fit_reason),
    ROW(irl_fit_render),
    ROW(irl_fit_rests_on),
    ROW(irl_fit_rule),
    ROW(irl_fit_table),
    ROW(irl_fit_test),
    ROW(irl_fit_estimate),
    ROW(irl_generate),
    ROW(irl_model_activity),
    ROW(irl_model_add_columns),
    ROW(irl_model_add_rows),
    ROW(irl_model_column),
    ROW(irl_model_create),
    ROW(irl_model_describe),
    ROW(irl_model_dual),
    ROW(irl_model_free),
    ROW(irl_model_from_data),
    ROW(irl_model_maximise),
    ROW(irl_model_primal),
    ROW(irl_model_ray),
    ROW(irl_model_read),
    ROW(irl_model_reduced),
    ROW(irl_model_render),
    ROW(irl_model_row),
    ROW(irl_model_set_bounds),
    ROW(irl_model_set_constant),
    ROW(irl_model_set_cost),
    ROW(irl_model_set_integer),
    ROW(irl_model_set_sides),
    ROW(irl_model_set_start),
    ROW(irl_model_solve),
    ROW(irl_model_conflict),
    ROW(irl_model_write),
    ROW(irl_model_write_solution),
    ROW(irl_option_parse),
    ROW(irl_options_check),
    ROW(irl_options_init),
    ROW(irl_options_set),
    ROW(irl_options_table),
    ROW(irl_outcome_text),
    ROW(irl_phase_text),
    ROW(irl_pool_free),
    ROW(irl_pool_read),
    ROW(irl_pool_write),
    ROW(irl_predict),
    ROW(irl_predict_bytes),
    ROW(irl_predict_render),
    ROW(irl_report_render),
    ROW(irl_rule_clause_size),
    ROW(irl_rule_describe),
    ROW(irl_rule_export),
    ROW(irl_rule_free),
    ROW(irl_rule_literal),
    ROW(irl_rule_parse_json),
    ROW(irl_rule_read),
    ROW(irl_rule_render),
    ROW(irl_rule_write),
    ROW(irl_statistics_compute),
    ROW(irl_status_text),
    ROW(irl_suggest),
    ROW(irl_table_code),
    ROW(irl_table_data),
    ROW(irl_table_data_for),
    ROW(irl_table_describe),
    ROW(irl_table_free),
    ROW(irl_table_from_columns),
    ROW(irl_table_label),
    ROW(irl_table_read),
    ROW(irl_table_render),
    ROW(irl_table_write),
    ROW(irl_text_free),
    ROW(irl_verify),
    ROW(irl_verify_render),
    ROW(irl_verify_table),
};
#define N_ROWS (sizeof rows / sizeof *rows)

/* What takes no argument has no bad one. */
static const char *const without_arguments[] = {"irl_version", "irl_version_number",
                                                "irl_options_size"};

static bool has_row(const char *name) {
  bool found = false;
  for (size_t i = 0; i < N_ROWS; i++) found |= !strcmp(rows[i].name, name);
  for (size_t i = 0; i < sizeof without_arguments / sizeof *without_arguments; i++)
    found |= !strcmp(without_arguments[i], name);
  return found;
}

TEST each_bad_argument(void) {
  forget();
  for (size_t i = 0; i < N_ROWS; i++) {
    n_calls = 0;
    function = rows[i].name;
    rows[i].call();
  }
  ASSERT_EQ_FMT(0, n_wrong, "%d");
  PASS();
}

/* Every declaration of the headers: the name before the first parenthesis after IRL_API. */
TEST each_function_has_a_row(void) {
  static const char *const headers[] = {"ireland.h", "ireland_data.h", "ireland_study.h",
                                        "ireland_model.h", "ireland_comm.h"};
  size_t n_declared = 0, n_missing = 0;
  for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
    char path[100], name[100];
    size_t size;
    snprintf(path, sizeof path, "include/%s", headers[h]);
    char *text = load_bytes(path, &size);
    for (const char *at = text; (at = strstr(at, "\nIRL_API "));) {
      const char *end = strchr(++at, '('), *start = end;
      while (start > at && (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z'))) start--;
      snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
      n_declared++;
      if (has_row(name)) continue;
      n_missing++;
      fprintf(stderr, "%s of %s has no row\n", name, headers[h]);
    }
    free(text);
  }
  ASSERT(n_declared >= N_ROWS);
  ASSERT_EQ_FMT((size_t)0, n_missing, "%zu");
  PASS();
}

static void prepare(void) {
  const irl_column_view column = {
      .size = sizeof column, .name = "age", .type = IRL_COLUMN_NUMBER, .numbers = ages};
  const irl_table_view view = {
      .size = sizeof view, .n_samples = 7, .n_columns = 1, .columns = &column, .labels = labels};
  const irl_variable x = {.size = sizeof x, .upper = 1};
  const irl_constraint row = {.size = sizeof row, .upper = 1};
  const irl_cv_grid grid = {sizeof grid, "1", "1", "0", NULL};
  char *text;
  make_folder("build/contracts");
  if (irl_env_create(NULL, &env)) abort();
  o = options_of(env, "threads", "1", "folds", "2", NULL);
  irl_options proof = options_of(env, "threads", "1", "prove", "", "certificate", "", NULL);
  not_a_number = beyond = o;
  not_a_number.limits.time_limit = NAN;
  beyond.rule.K = -1;
  if (irl_data_from_bytes(env, 7, 3, cells, labels, NULL, &data) ||
      irl_table_from_columns(env, &view, &o, &raw) || irl_table_code(env, raw, NULL, &o, &coding) ||
      irl_fit(env, data, &proof, &fit) || irl_fit_for_curve(env, data, &o, &curve_fit) ||
      irl_curve_make(env, curve_fit, &o, &curve) || irl_cv(env, raw, &o, &grid, &cv) ||
      irl_clause_solve(env, data, &o, &clause) || irl_fit_pool(env, fit, &pool) ||
      irl_fit_certificate(env, fit, &text) || irl_model_create(env, &model) ||
      irl_model_add_columns(env, model, 1, &x) || irl_model_add_rows(env, model, 1, &row)) {
    fprintf(stderr, "%s\n", irl_env_error(env));
    abort();
  }
  const irl_bytes bytes = {text, strlen(text), NULL};
  if (irl_certificate_parse(env, &bytes, &certificate)) abort();
  irl_text_free(env, text);
  if (irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &text) ||
      irl_rule_parse_json(env, text, strlen(text), &rule))
    abort();
  irl_text_free(env, text);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  prepare();
  RUN_TEST(each_bad_argument);
  RUN_TEST(each_function_has_a_row);
  irl_model_free(model);
  irl_pool_free(pool);
  irl_certificate_free(certificate);
  irl_clause_free(clause);
  irl_cv_free(cv);
  irl_curve_free(curve);
  irl_rule_free(rule);
  irl_fit_free(curve_fit);
  irl_fit_free(fit);
  irl_coding_free(coding);
  irl_table_free(raw);
  irl_data_free(data);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
