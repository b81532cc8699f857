/* The public functions that join layers: check the contract, then delegate. */
#include "api/rule_source.h"
#include "base/clock.h"
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bits/kernels.h"
#include "comm/comm.h"
#include "data/generate.h"
#include "ireland_data.h"
#include "rule/rule_json.h"
#include <xxhash.h>

#ifdef IRL_HAS_BLAS
extern char *openblas_get_config(void);
#else
static const char *openblas_get_config(void) {
  return "none: plain loops";
}
#endif

const char *irl_version(void) {
  return IRL_VERSION;
}

int irl_version_number(void) {
  return IRL_VERSION_NUMBER;
}

irl_status irl_build_describe(irl_build *build) {
#ifdef __clang__
  static const char compiler[] = __VERSION__;
#else
  static const char compiler[] = "gcc " __VERSION__;
#endif
#ifdef NDEBUG
  const bool has_assertions = false;
#else
  const bool has_assertions = true;
#endif
  const irl_build made = {.version = IRL_VERSION,
                          .compiler = compiler,
                          .kernel = irl_bits_kernels()->name,
                          .blas = openblas_get_config(),
                          .xxhash = XXH_versionNumber(),
                          .openmp = IRL_OPENMP,
                          .has_assertions = has_assertions};
  return irl_sized_copy_out(build, &made, sizeof made);
}

irl_status irl_env_run(const irl_env *env, irl_run *run) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  const irl_run made = {.threads = env->threads_used ? env->threads_used : 1,
                        .seconds = irl_clock_now() - env->started,
                        .peak_mb = irl_clock_peak_mb(),
                        .kernel = irl_bits_kernels()->name};
  return irl_sized_copy_out(run, &made, sizeof made);
}

/* ---- data ---- */

static irl_status set_decimal(irl_env *env, const char *text, irl_source *source) {
  if (!text) return IRL_STATUS_OK;
  const bool is_comma = !strcmp(text, "comma") || !strcmp(text, ",");
  if (!is_comma && strcmp(text, "point") && strcmp(text, "."))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option decimal takes comma or point, not '%s'",
                    text);
  source->decimal = is_comma ? ',' : '.';
  return IRL_STATUS_OK;
}

/* Options as a source; `jobs`: whose options count. */
static irl_status make_source(irl_env *env, const char *path, const irl_options *options,
                              unsigned jobs, irl_source *source) {
  static const struct {
    const char *name;
    char delimiter;
  } known[] = {{"comma", ','}, {"tab", '\t'}, {"\\t", '\t'}, {"semicolon", ';'}, {"space", ' '}};
  const char *text = options->data.delimiter;
  assert(path && options);
  *source = (irl_source){
      .path = path,
      .target = options->data.target,
      .positive = options->data.positive,
      .vs_rest = options->data.vs_rest,
      .options = options,
      .is_typed = options->data.na || options->data.vs_rest || options->data.type ||
                  options->data.types || options->data.ignore || options->data.only ||
                  options->data.forbid || options->data.one_per || options->data.weight_column ||
                  options->data.strata || options->data.group || options->data.fold_column ||
                  (options->data.missing > IRL_MISSING_FALSE),
      .no_header = options->data.no_header,
      .threads = irl_threads(env, options->limits.threads)};
  irl_status status = irl_options_check(env, options, jobs, irl_source_input(path));
  if (!status) status = set_decimal(env, options->data.decimal, source);
  if (status || !text) return status;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(text, known[i].name)) source->delimiter = known[i].delimiter;
  if (strlen(text) == 1 && !strchr("01\"\n\r", *text)) source->delimiter = *text;
  if (source->delimiter) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "option delimiter takes comma, tab, semicolon, space or one character, not '%s'",
                  text);
}

irl_status irl_table_read(irl_env *env, const char *path, const irl_options *options,
                          irl_table **table) {
  IRL_NEED(env, "env, path, options, table", env, path, options, table);
  irl_source source;
  irl_options own;
  const unsigned jobs = IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = make_source(env, path, &own, jobs, &source);
  return status ? status : irl_source_read(env, &source, table);
}

irl_status irl_data_read(irl_env *env, const char *path, const irl_options *options,
                         irl_data **data) {
  IRL_NEED(env, "env, path, options, data", env, path, options, data);
  irl_table *table;
  irl_coding *coding = NULL;
  irl_limit limit;
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  irl_reading_begin(env, &limit, &own);
  status = irl_table_read(env, path, &own, &table);
  if (status) table = NULL;
  if (!status && table->divided) {
    *data = table->divided;
    table->divided = NULL;
  } else if (!status) {
    status = irl_table_code(env, table, NULL, &own, &coding);
    if (!status) status = irl_table_data(env, table, coding, NULL, data);
  }
  irl_reading_end(env, &limit);
  irl_coding_free(coding);
  irl_table_free(table);
  return status;
}

irl_status irl_rule_source_init(irl_env *env, const char *path, const irl_options *options,
                                const irl_rule *rule, bool labelled, irl_rule_source *rule_source) {
  irl_source *source = &rule_source->source;
  *rule_source = (irl_rule_source){.rule = rule};
  irl_status status = irl_options_copy_in(env, options, &rule_source->options);
  options = &rule_source->options;
  const unsigned jobs = IRL_FOR_READ | (labelled ? 0 : IRL_FOR_PREDICT);
  if (!status) status = make_source(env, path, options, jobs, source);
  if (!status) status = irl_rule_columns(env, rule, &rule_source->columns, &rule_source->types);
  if (!status) status = irl_surprises_init(env, &rule_source->surprises, rule);
  if (status) return status;
  rule_source->needs_labels = labelled || options->data.positive || options->data.vs_rest;
  source->only = &rule_source->columns;
  source->only_types = rule_source->types;
  source->labels_optional = !labelled && !options->data.target;
  source->id = labelled ? NULL : options->data.id;
  source->keeps_ids = source->id;
  source->one_class_ok = true;
  source->is_typed |= irl_rule_has_conditions(rule);
  /* What the rule says where the options say nothing. */
  if (!source->target && !source->no_header) source->target = rule->target;
  if (!source->positive && !source->vs_rest) {
    source->positive = rule->positive;
    source->negative = rule->negative;
    if (rule->is_rest) source->vs_rest = rule->rest_is_cases ? rule->negative : rule->positive;
    source->is_typed |= rule->is_rest || options->data.na;
  }
  return IRL_STATUS_OK;
}

irl_status irl_rule_source_data(irl_env *env, const irl_rule_source *rule_source, irl_table *table,
                                irl_data **data) {
  return irl_rule_code_table(env, rule_source->rule, table, NULL, data);
}

/* The rule may be for the label that stands against the others. */
static void turn_classes(const irl_rule_source *rule_source, irl_table *table) {
  const irl_rule *rule = rule_source->rule;
  if (!rule->rest_is_cases || rule_source->source.vs_rest != rule->negative) return;
  IRL_SWAP(table->positive, table->negative);
  for (uint32_t i = 0; table->labels && i < table->n_samples; i++)
    table->labels[i] = !table->labels[i];
}

irl_status irl_rule_source_note(irl_env *env, irl_rule_source *rule_source, irl_table *table) {
  turn_classes(rule_source, table);
  const irl_status status =
      irl_surprises_look(env, &rule_source->surprises, table, rule_source->n_samples);
  rule_source->n_samples += table->n_samples;
  return status;
}

irl_status irl_rule_source_read(irl_env *env, irl_rule_source *rule_source, irl_table **table) {
  irl_table *read = NULL;
  irl_status status = irl_source_read(env, &rule_source->source, &read);
  if (status == IRL_STATUS_BAD_INPUT && !rule_source->needs_labels) {
    /* Prediction needs no labels: if they are what cannot be read, it does without. */
    char why[IRL_ERROR_SIZE];
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    rule_source->source.no_labels = true;
    status = irl_source_read(env, &rule_source->source, &read);
    if (!status) irl_log(env, IRL_LOG_NOTE, "the labels are not used: %s", why);
  }
  if (status) return status;
  status = irl_rule_source_note(env, rule_source, read);
  if (status)
    irl_table_free(read);
  else
    *table = read;
  return status;
}

void irl_rule_source_free(irl_env *env, irl_rule_source *rule_source) {
  irl_names_free(&rule_source->columns);
  irl_mem_free(&env->allocator, rule_source->types);
  irl_surprises_free(&rule_source->surprises);
}

irl_status irl_data_read_for(irl_env *env, const char *path, const irl_options *options,
                             const irl_rule *rule, bool labelled, irl_data **data) {
  IRL_NEED(env, "env, path, options, rule, data", env, path, options, rule, data);
  irl_rule_source rule_source;
  irl_table *table = NULL;
  irl_status status = irl_rule_source_init(env, path, options, rule, labelled, &rule_source);
  if (!status) status = irl_rule_source_read(env, &rule_source, &table);
  if (!status) status = irl_rule_source_data(env, &rule_source, table, data);
  if (!status) irl_surprises_tell(env, &rule_source.surprises, path);
  irl_table_free(table);
  irl_rule_source_free(env, &rule_source);
  return status;
}

irl_status irl_generate(irl_env *env, const irl_options *options, irl_data **out,
                        irl_rule **planted_rule) {
  IRL_NEED(env, "env, options, data", env, options, out);
  irl_planted planted;
  irl_data *data;
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check(env, &own, IRL_FOR_GENERATE, 0);
  if (!status) status = irl_generate_planted(env, &own, &data, &planted);
  if (status) return status;
  for (size_t i = 0; i < (size_t)planted.K * planted.M; i++)
    planted.features[i] = irl_literal_make(planted.features[i], false);
  const irl_clause_list clauses = {planted.K, planted.M, planted.K, planted.size, planted.features};
  if (planted_rule) status = irl_rule_from_literals(env, data, &clauses, planted_rule);
  irl_planted_free(&planted);
  if (status)
    irl_data_free(data);
  else
    *out = data;
  return status;
}

/* ---- rules ---- */

irl_status irl_rule_read(irl_env *env, const char *path, irl_rule **rule) {
  IRL_NEED(env, "env, path, rule", env, path, rule);
  irl_file file;
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  status = irl_rule_parse(env, path, file.bytes, file.size, rule);
  irl_file_close(&file);
  return status;
}

irl_status irl_rule_parse_json(irl_env *env, const char *json, size_t length, irl_rule **rule) {
  IRL_NEED(env, "env, json, rule", env, json, rule);
  return irl_rule_parse(env, "rule", json, length, rule);
}

irl_status irl_rule_render(irl_env *env, const irl_rule *rule, irl_format format, char **text) {
  IRL_NEED(env, "env, rule, text", env, rule, text);
  IRL_NEED_FORMAT(env, format);
  return format == IRL_FORMAT_JSON ? irl_rule_format(env, rule, text)
                                   : irl_rule_print(env, rule, text);
}

irl_status irl_rule_write(irl_env *env, const irl_rule *rule, const char *path) {
  IRL_NEED(env, "env, rule, path", env, rule, path);
  char *text;
  irl_status status = irl_rule_format(env, rule, &text);
  if (status) return status;
  status = irl_file_write(env, path, text, strlen(text));
  irl_text_free(env, text);
  return status;
}
