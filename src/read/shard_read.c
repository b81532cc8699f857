/* Reading in parts: what the processes must know of the request, and the formats that can be
 * divided.
 */
#include "data/shard.h"
#include "read/formats.h"

#define LEAST_BYTES 4096u /* of a CSV file that is worth it */

const char *irl_shard_needs_whole(const irl_options *options) {
  const bool is_ireland = options->search.method <= IRL_METHOD_IRELAND;
  return !is_ireland                    ? "method"
         : options->output.test > 0     ? "test"
         : options->output.permutations ? "permutations"
         : options->rule.cnf            ? "cnf"
         : options->output.all_optimal  ? "all_optimal"
         : options->output.within > 0   ? "within"
                                        : NULL;
}

static void note_whole(irl_env *env, const irl_source *source) {
  irl_log(env, IRL_LOG_NOTE, "%s is not divided: the first process reads all of it", source->path);
}

/* Do options of genotypes choose people or variants? */
static bool has_choice(const irl_options *options) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  for (size_t i = 0; options && i < n; i++)
    if (table[i].offset >= offsetof(irl_options, genotypes) &&
        irl_option_is_set(&table[i], options))
      return true;
  return false;
}

bool irl_shard_may_read(irl_env *env, const irl_source *source) {
  if (!irl_comm_is_parallel(env) || irl_comm_rank(env)) return false;
  const char *option = source->options ? irl_shard_needs_whole(source->options) : NULL;
  const irl_file_format *format = irl_file_format_find(source->path);
  irl_file_parts file = {.size = 0};
  /* Reading a few columns for a rule, or a small file, is not worth it. What cannot be opened so is
   * left to the ordinary reader. */
  bool is_known = format->read_shard && !source->is_typed && !has_choice(source->options) &&
                  (format->input == IRL_FROM_IRB || !source->only) && strcmp(source->path, "-") &&
                  !irl_file_open_parts(env, source->path, &file);
  if (is_known) irl_file_close_parts(&file);
  is_known = is_known && (format->input != IRL_FROM_TEXT || file.size >= LEAST_BYTES);
  if (option)
    irl_log(env, IRL_LOG_NOTE, "option %s: the first process works alone, on the whole data",
            option);
  else if (!is_known)
    note_whole(env, source);
  return is_known && !option && !source->no_labels;
}

irl_status irl_shard_compare(irl_env *env, const char *path, uint64_t hash) {
  uint64_t first = hash;
  const irl_status status = irl_comm_broadcast(env, 0, &first, sizeof first);
  if (status) return status;
  return irl_comm_agree(env, hash == first
                                 ? IRL_STATUS_OK
                                 : irl_fail(env, IRL_STATUS_BAD_INPUT,
                                            "%s: process %d has another file under this name than "
                                            "process 0: the checksums differ",
                                            path, irl_comm_rank(env)));
}

/* Collective. */
static irl_status read_part(irl_env *env, const irl_source *source, uint64_t id, irl_data **out) {
  irl_data *data = NULL;
  const irl_file_format *format = irl_file_format_find(source->path);
  irl_status status = format->read_shard(env, source, &data);
  if (status || !data) return status;
  data->shard->id = id;
  if (format->carries_labels) /* others have chosen */
    status = irl_comm_agree(env, irl_source_choose_positive(env, source, data));
  if (!status) status = irl_shard_hash(env, data);
  if (!status) status = irl_shard_finish(env, data);
  return irl_data_deliver(status, data, out);
}

irl_status irl_shard_read(irl_env *env, const irl_source *source, irl_data **data) {
  irl_message message;
  const uint64_t id = irl_comm_new_id(env);
  const irl_options *options = source->options;
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_message_put_text(&message, source->path);
  irl_message_put_text(&message, source->target);
  irl_message_put_text(&message, source->positive);
  irl_message_put_text(&message, source->negative);
  irl_message_put_text(&message, options ? options->data.grid : NULL);
  irl_message_put_number(&message, options && options->rule.negations);
  irl_message_put_number(&message, options ? (uint64_t)options->limits.memory_limit : 0);
  irl_message_put_number(&message, source->one_class_ok);
  irl_message_put_number(&message, source->labels_optional);
  irl_message_put_number(&message, source->no_header);
  irl_message_put_number(&message, (unsigned char)source->delimiter);
  irl_message_put_number(&message, (uint64_t)source->threads);
  irl_status status = irl_comm_call(env, IRL_COMM_READ, &message);
  irl_message_free(&message);
  if (!status) status = read_part(env, source, id, data);
  if (!status && !*data) note_whole(env, source);
  return status ? status : irl_comm_agree(env, IRL_STATUS_OK);
}

irl_status irl_shard_serve_read(irl_env *env, irl_message *message) {
  irl_options options;
  irl_data *data = NULL;
  irl_options_init(&options, sizeof options);
  const uint64_t id = irl_message_get_number(message);
  irl_source source = {.path = irl_message_get_text(message), .options = &options};
  source.target = irl_message_get_text(message);
  source.positive = irl_message_get_text(message);
  source.negative = irl_message_get_text(message);
  options.data.grid = irl_message_get_text(message);
  options.rule.negations = irl_message_get_number(message);
  options.limits.memory_limit = (int64_t)irl_message_get_number(message);
  source.one_class_ok = irl_message_get_number(message);
  source.labels_optional = irl_message_get_number(message);
  source.no_header = irl_message_get_number(message);
  source.delimiter = (char)irl_message_get_number(message);
  source.threads = (int)irl_message_get_number(message);
  const irl_status status = read_part(env, &source, id, &data);
  if (status || !data) return status ? status : irl_comm_agree(env, IRL_STATUS_OK);
  const irl_status kept = irl_comm_keep(env, id, data, irl_shard_free_item);
  if (kept) irl_data_free(data);
  return irl_comm_agree(env, kept);
}
