/* Reading a file of any format. */
#include "base/limit.h"
#include "base/memory.h"
#include "data/shard.h"
#include "read/formats.h"
#include "table/raw_table.h"

/* The label that the cases are to have. A file of two labels has no others to be called the rest.
 */
static const char *wanted_label(const irl_source *source) {
  return source->vs_rest ? source->vs_rest : source->positive;
}

/* Formats that carry their labels have one column of them: the options may name it, no other. */
static irl_status check_target(irl_env *env, const irl_source *source, const char *target) {
  const char *named = source->options ? source->options->target : NULL;
  if (!named || !target || !strcmp(named, target)) return IRL_OK;
  return irl_fail(env, IRL_BAD_INPUT, "%s: the labels are '%s', not '%s'", source->path, target,
                  named);
}

/* Are the classes to be swapped, so that the cases have the wanted label? */
static irl_status find_swap(irl_env *env, const irl_source *source, const irl_data_labels *called,
                            bool *is_swapped) {
  const char *wanted = wanted_label(source);
  *is_swapped = false;
  const irl_status status = check_target(env, source, called->target);
  if (status) return status;
  if (source->target && strcmp(source->target, called->target))
    irl_log(env, IRL_LOG_WARNING, "%s: the labels are '%s'; target '%s' is ignored", source->path,
            called->target, source->target);
  if (!wanted || !strcmp(wanted, called->positive)) return IRL_OK;
  *is_swapped = !strcmp(wanted, called->negative);
  if (*is_swapped) return IRL_OK;
  return irl_fail(env, IRL_BAD_INPUT, "%s: no label is '%s'; they are '%s' and '%s'", source->path,
                  wanted, called->negative, called->positive);
}

irl_status irl_source_choose_positive(irl_env *env, const irl_source *source, irl_data *data) {
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  bool is_swapped;
  if (!data->has_labels || source->no_labels) return IRL_OK;
  const irl_status status = find_swap(env, source, &called, &is_swapped);
  if (!status && is_swapped) irl_data_swap_classes(data);
  return status;
}

/* Swaps the classes of a table of columns, if the cases are to have the other label. */
static irl_status choose_positive(irl_env *env, const irl_source *source, irl_table *table) {
  const irl_data_labels called = {table->target, table->positive, table->negative, false};
  bool is_swapped;
  if (!table->has_labels || source->no_labels) return IRL_OK;
  const irl_status status = find_swap(env, source, &called, &is_swapped);
  if (status || !is_swapped) return status;
  char *positive = table->positive;
  table->positive = table->negative;
  table->negative = positive;
  for (uint32_t i = 0; i < table->n_samples; i++) table->labels[i] = !table->labels[i];
  return IRL_OK;
}

/* Drops the labels of a table and keeps its samples. */
static irl_status drop_labels(irl_env *env, const irl_source *source, irl_table *table) {
  irl_data *bare;
  table->has_labels = false;
  irl_mem_free(&table->allocator, table->labels);
  table->labels = NULL;
  if (!table->plain || !table->plain->has_labels) return IRL_OK;
  table->plain->has_labels = false;
  const irl_status status = irl_data_subset(env, table->plain, NULL, source->threads, &bare);
  if (status) return status;
  irl_data_free(table->plain);
  table->plain = bare;
  return IRL_OK;
}

static irl_status read_whole(irl_env *env, const irl_source *source, const irl_file_format *format,
                             irl_table *table) {
  const irl_status status = format->read(env, source, table);
  if (status) return status;
  if (format->input == IRL_FROM_LIBSVM)
    return check_target(env, source, table->plain ? table->plain->target : table->target);
  if (!format->carries_labels) return IRL_OK;
  if (source->no_labels) return drop_labels(env, source, table);
  return table->plain ? irl_source_choose_positive(env, source, table->plain)
                      : choose_positive(env, source, table);
}

static irl_status read_any(irl_env *env, const irl_source *source, irl_table *table) {
  irl_status status = IRL_OK;
  if (irl_shard_may_read(env, source)) status = irl_shard_read(env, source, &table->plain);
  if (!status && !table->plain)
    status = read_whole(env, source, irl_file_format_find(source->path), table);
  if (status || source->only || !source->options) return status;
  if (!irl_options_need_columns(source->options)) status = irl_table_to_bits(env, table);
  return status ? status : irl_table_accepts(env, table, source->options);
}

/* The limits of the options count; those of several processes are the
 * first one's, which fails for all. */
irl_status irl_source_read(irl_env *env, const irl_source *source, irl_table **out) {
  irl_limit limit;
  irl_table *table;
  if (source->options && source->options->grid && !irl_comm_is_parallel(env))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "option grid divides data over several processes, and this is one alone");
  irl_status status = irl_table_create(env, source, &table);
  if (status) return status;
  if (source->options) irl_reading_begin(env, &limit, source->options);
  status = read_any(env, source, table);
  if (!status && !irl_reading_affords(env, 0)) status = irl_reading_fail(env, source->path);
  irl_reading_end(env, &limit);
  assert(status || irl_table_check(table));
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}
