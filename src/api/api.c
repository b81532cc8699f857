/* The public functions that join layers: check the contract, then delegate. */
#include "base/clock.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/generate.h"
#include "data/raw_table.h"
#include "rule/rule_json.h"

void irl_env_run(const irl_env *env, irl_run *run) {
  *run = (irl_run){.threads = env->threads_used ? env->threads_used : 1,
                   .seconds = irl_clock_now() - env->started,
                   .peak_mb = irl_clock_peak_mb(),
                   .kernel = irl_bits_kernels()->name};
}

/* ---- data ---- */

static irl_status parse_delimiter(irl_env *env, const char *text, char *delimiter) {
  static const struct {
    const char *name;
    char delimiter;
  } known[] = {{"comma", ','}, {"tab", '\t'}, {"\\t", '\t'}, {"semicolon", ';'}, {"space", ' '}};
  *delimiter = 0;
  if (!text) return IRL_OK;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(text, known[i].name)) *delimiter = known[i].delimiter;
  if (strlen(text) == 1 && !strchr("01\"\n\r", *text)) *delimiter = *text;
  if (*delimiter) return IRL_OK;
  return irl_fail(env, IRL_BAD_ARGUMENT,
                  "option delimiter takes comma, tab, semicolon, space or one character, not '%s'",
                  text);
}

static irl_status make_source(irl_env *env, const char *path, const irl_options *options,
                              irl_source *source) {
  *source = (irl_source){.path = path,
                         .target = options->target,
                         .positive = options->positive,
                         .no_header = options->no_header,
                         .threads = irl_threads(env, options->threads)};
  const irl_status status = irl_options_check(env, options);
  return status ? status : parse_delimiter(env, options->delimiter, &source->delimiter);
}

irl_status irl_data_read(irl_env *env, const char *path, const irl_options *options,
                         irl_data **data) {
  irl_source source;
  const irl_status status = make_source(env, path, options, &source);
  return status ? status : irl_source_read(env, &source, data);
}

irl_status irl_table_read(irl_env *env, const char *path, const irl_options *options,
                          irl_table **out) {
  irl_source source;
  irl_table *table = NULL;
  irl_status status = make_source(env, path, options, &source);
  if (!status) status = irl_table_create(env, &source, &table);
  if (!status) status = irl_source_read(env, &source, &table->plain);
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}

irl_status irl_table_render(irl_env *env, const irl_table *table, irl_format format, char **text) {
  return irl_data_render(env, table->plain, format, text);
}

irl_status irl_data_read_for(irl_env *env, const char *path, const irl_options *options,
                             const irl_rule *rule, bool labelled, irl_data **out) {
  irl_source source;
  irl_data *data;
  irl_status status = make_source(env, path, options, &source);
  if (status) return status;
  source.only = &rule->names;
  source.labels_optional = !labelled && !options->target;
  source.one_class_ok = true;
  if (!source.target && !source.no_header) source.target = rule->target;
  if (!source.positive) {
    source.positive = rule->positive;
    source.negative = rule->negative;
  }
  status = irl_source_read(env, &source, &data);
  if (status) return status;
  status = irl_rule_match(env, rule, data, path, NULL);
  if (status)
    irl_data_free(data);
  else
    *out = data;
  return status;
}

irl_status irl_generate(irl_env *env, const irl_options *options, irl_data **out,
                        irl_rule **planted_rule) {
  irl_planted planted;
  irl_data *data;
  irl_status status = irl_options_check(env, options);
  if (!status) status = irl_generate_planted(env, options, &data, &planted);
  if (status) return status;
  for (size_t i = 0; i < (size_t)planted.K * planted.M; i++)
    planted.features[i] = irl_literal_make(planted.features[i], false);
  if (planted_rule)
    status = irl_rule_from_literals(env, data, planted.K, planted.M, planted.K, planted.size,
                                    planted.features, planted_rule);
  irl_planted_free(&planted);
  if (status)
    irl_data_free(data);
  else
    *out = data;
  return status;
}

/* ---- rules ---- */

irl_status irl_rule_read(irl_env *env, const char *path, irl_rule **rule) {
  irl_file file;
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  status = irl_rule_parse(env, path, file.bytes, file.size, rule);
  irl_file_close(&file);
  return status;
}

irl_status irl_rule_parse_json(irl_env *env, const char *json, size_t length, irl_rule **rule) {
  return irl_rule_parse(env, "rule", json, length, rule);
}

irl_status irl_rule_render(irl_env *env, const irl_rule *rule, irl_format format, char **text) {
  return format == IRL_FORMAT_JSON ? irl_rule_format(env, rule, text)
                                   : irl_rule_print(env, rule, text);
}

irl_status irl_rule_write(irl_env *env, const irl_rule *rule, const char *path) {
  char *text;
  irl_status status = irl_rule_format(env, rule, &text);
  if (status) return status;
  status = irl_text_save(env, path, text);
  irl_text_free(env, text);
  return status;
}

irl_status irl_text_save(irl_env *env, const char *path, const char *text) {
  irl_output output;
  const irl_status status = irl_output_open(env, path, &output);
  if (status) return status;
  fputs(text, output.stream);
  return irl_output_close(&output, true);
}
