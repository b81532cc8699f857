/* Which reader or writer a file's extension asks for. */
#include "base/limit.h"
#include "data/part.h"
#include "data/raw_table.h"

irl_status irl_source_choose_positive(irl_env *env, const irl_source *source, irl_data *data) {
  if (!data->has_labels || source->no_labels) return IRL_OK;
  if (source->target && strcmp(source->target, data->target))
    irl_log(env, IRL_LOG_WARNING, "%s: the labels are '%s'; target '%s' is ignored", source->path,
            data->target, source->target);
  if (!source->positive || !strcmp(source->positive, data->positive)) return IRL_OK;
  if (strcmp(source->positive, data->negative))
    return irl_fail(env, IRL_BAD_INPUT, "%s: no label is '%s'; they are '%s' and '%s'",
                    source->path, source->positive, data->negative, data->positive);
  irl_data_swap_classes(data);
  return IRL_OK;
}

/* The same samples without labels. */
static irl_status drop_labels(irl_env *env, const irl_source *source, irl_data **data) {
  irl_data *bare;
  (*data)->has_labels = false;
  const irl_status status = irl_data_select(env, *data, NULL, source->threads, &bare);
  if (status) return status;
  irl_data_free(*data);
  *data = bare;
  return IRL_OK;
}

/* Formats of bits. */
static irl_status read_bits(irl_env *env, const irl_source *source, const char *extension,
                            irl_data **data) {
  const irl_status status = !strcmp(extension, "irb") ? irl_irb_read(env, source, data)
                                                      : irl_plink_read(env, source, data);
  if (!status && source->no_labels && (*data)->has_labels) return drop_labels(env, source, data);
  return status ? status : irl_source_choose_positive(env, source, *data);
}

static irl_status read_whole(irl_env *env, const irl_source *source, const char *extension,
                             irl_table *table) {
  if (!strcmp(extension, "irb") || !strcmp(extension, "bed"))
    return read_bits(env, source, extension, &table->plain);
  if (!strcmp(extension, "svm") || !strcmp(extension, "libsvm"))
    return irl_libsvm_read(env, source, table);
  if (!strcmp(extension, "arff")) return irl_arff_read(env, source, table);
  return irl_csv_read(env, source, table);
}

static irl_status read_any(irl_env *env, const irl_source *source, irl_table *table) {
  char extension[16];
  irl_file_extension(source->path, extension);
  irl_status status = IRL_OK;
  if (irl_part_may_read(env, source, extension)) status = irl_part_read(env, source, &table->plain);
  if (!status && !table->plain) status = read_whole(env, source, extension, table);
  return status;
}

/* The limits of the options count for data that one process reads; members of a team would not stop
 * at the same place. */
irl_status irl_source_read(irl_env *env, const irl_source *source, irl_table **out) {
  irl_limit limit;
  irl_table *table;
  if (source->options && source->options->grid && !irl_team_is_several(env))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "option grid divides data over several processes, and this is one alone");
  irl_status status = irl_table_create(env, source, &table);
  if (status) return status;
  if (source->options && !irl_team_is_several(env)) irl_reading_begin(env, &limit, source->options);
  status = read_any(env, source, table);
  if (!status && !irl_reading_affords(env, 0)) status = irl_reading_fail(env, source->path);
  irl_reading_end(env, &limit);
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}

irl_status irl_data_write(irl_env *env, const irl_data *data, const char *path) {
  char extension[16];
  irl_output output;
  irl_file_extension(path, extension);
  const bool is_irb = !strcmp(extension, "irb"), is_csv = !strcmp(extension, "csv");
  const bool is_tsv = !strcmp(extension, "tsv"), is_text = !strcmp(extension, "txt");
  const bool is_svm = !strcmp(extension, "svm") || !strcmp(extension, "libsvm");
  if (!is_irb && !is_csv && !is_tsv && !is_text && !is_svm)
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "%s: the name must end in .csv, .tsv, .svm, .libsvm or .irb to be written",
                    path);
  irl_status status = irl_data_check_whole(env, data);
  if (!status) status = irl_output_open(env, path, &output);
  if (status) return status;
  if (is_irb)
    status = irl_irb_write(env, data, output.stream);
  else if (is_svm)
    status = irl_libsvm_write(env, data, output.stream);
  else
    status = irl_csv_write(env, data, is_csv ? ',' : '\t', output.stream);
  const irl_status closed = irl_output_close(&output, !status);
  return status ? status : closed;
}
