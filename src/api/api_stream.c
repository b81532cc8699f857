/* Files in blocks of rows, as data for a rule. */
#include "api/rule_source.h"
#include "base/limit.h"
#include "base/memory.h"
#include "read/blocks.h"

struct irl_stream {
  irl_allocator allocator;
  irl_rule_source rule_source;
  irl_limit limit;
  irl_blocks *blocks; /* NULL: the file was read whole, */
  irl_table *table;   /* as a table, until it is handed out or becomes data, */
  irl_data *whole;    /* which are handed out in parts */
  uint64_t n_samples; /* that were handed out */
  bool is_over;
  char failure[IRL_ERROR_SIZE]; /* what each call fails with, "": nothing */
  irl_status status;
};

/* Reading within the limits of the stream, unless one goes on already. */
static void begin_reading(irl_env *env, irl_stream *s) {
  if (!env->reading) env->reading = &s->limit;
}

/* Only texts are read in blocks. */
static bool is_in_blocks(const char *path) {
  const unsigned input = irl_source_input(path);
  return input == IRL_FROM_TEXT || input == IRL_FROM_LIBSVM;
}

irl_status irl_stream_open_file(irl_env *env, const char *path, const irl_options *options,
                                const irl_rule *rule, bool labelled, irl_stream **out) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!path || !options || !rule || !out)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a stream needs a path, options, a rule and a place for it");
  irl_stream *s = irl_mem_alloc(&env->allocator, 1, sizeof *s);
  if (!s) return irl_fail_memory(env);
  s->allocator = env->allocator;
  irl_status status = irl_rule_source_init(env, path, options, rule, labelled, &s->rule_source);
  s->rule_source.source.keeps_ids = !labelled;
  if (!status) status = irl_source_check_grid(env, &s->rule_source.source);
  if (!status) irl_limit_init(&s->limit, env, &s->rule_source.options);
  if (!status) begin_reading(env, s);
  if (!status)
    status = is_in_blocks(path) ? irl_blocks_open(env, &s->rule_source.source,
                                                  !s->rule_source.needs_labels, &s->blocks)
                                : irl_rule_source_read(env, &s->rule_source, &s->table);
  irl_reading_end(env, &s->limit);
  if (status)
    irl_stream_free(s);
  else
    *out = s;
  return status;
}

/* The next samples of data that were read whole. */
static irl_status next_part(irl_env *env, irl_stream *s, uint32_t max_rows, irl_data **data) {
  const uint32_t n = s->whole->n_samples, first = (uint32_t)s->n_samples, left = n - first;
  uint32_t wanted = max_rows && max_rows < left ? max_rows : left;
  if (!first && wanted == n) { /* all at once */
    *data = s->whole;
    s->whole = NULL;
    s->is_over = true;
    s->n_samples = n;
    return IRL_STATUS_OK;
  }
  uint32_t *samples = irl_mem_alloc(&env->allocator, wanted, sizeof *samples);
  if (!samples) return irl_fail_memory(env);
  for (uint32_t i = 0; i < wanted; i++) samples[i] = first + i;
  const irl_rows rows = {.samples = samples, .n = wanted};
  const irl_status status =
      irl_data_subset(env, s->whole, &rows, s->rule_source.source.threads, data);
  irl_mem_free(&env->allocator, samples);
  if (status) return status;
  s->n_samples += wanted;
  s->is_over = wanted == left;
  return IRL_STATUS_OK;
}

/* The next rows of a text, or all rows of another file; NULL at the end. */
static irl_status next_table(irl_env *env, irl_stream *s, uint32_t max_rows, irl_table **table) {
  if (!s->blocks) {
    *table = s->table;
    s->table = NULL;
    s->is_over = true;
    return IRL_STATUS_OK;
  }
  irl_table *read = NULL;
  irl_status status = irl_blocks_next(env, s->blocks, max_rows, &read);
  s->is_over = !status && !read;
  if (!status && read) status = irl_rule_source_note(env, &s->rule_source, read);
  if (status)
    irl_table_free(read);
  else
    *table = read;
  return status;
}

static irl_status next_block(irl_env *env, irl_stream *s, uint32_t max_rows, irl_data **data) {
  irl_table *table = NULL;
  irl_data *made = NULL;
  irl_status status = next_table(env, s, max_rows, &table);
  if (!status && table) status = irl_rule_source_data(env, &s->rule_source, table, &made);
  irl_table_free(table);
  if (status) return status;
  if (made) s->n_samples += made->n_samples;
  *data = made;
  return IRL_STATUS_OK;
}

/* Data of files that are read whole. */
static irl_status next_data(irl_env *env, irl_stream *s, uint32_t max_rows, irl_data **data) {
  if (s->table) {
    const irl_status status = irl_rule_source_data(env, &s->rule_source, s->table, &s->whole);
    if (status) return status;
    irl_table_free(s->table);
    s->table = NULL;
  }
  return next_part(env, s, max_rows, data);
}

/* How a call ends: after a failure each fails again, and at the end what was new is said. */
static irl_status finish_call(irl_env *env, irl_stream *s) {
  irl_reading_end(env, &s->limit);
  if (s->status) snprintf(s->failure, sizeof s->failure, "%s", irl_env_error(env));
  if (!s->status && s->is_over)
    irl_surprises_tell(env, &s->rule_source.surprises, s->rule_source.source.path);
  return s->status;
}

irl_status irl_stream_next(irl_env *env, irl_stream *s, uint32_t max_rows, irl_data **data) {
  irl_data *made = NULL;
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!s || !data)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a stream and a place for the data are needed");
  if (s->status) return irl_fail(env, s->status, "%s", s->failure);
  if (!s->is_over) {
    begin_reading(env, s);
    s->status =
        s->blocks ? next_block(env, s, max_rows, &made) : next_data(env, s, max_rows, &made);
    if (finish_call(env, s)) return s->status;
  }
  *data = made;
  return IRL_STATUS_OK;
}

irl_status irl_stream_next_table(irl_env *env, irl_stream *s, uint32_t max_rows,
                                 irl_table **table) {
  irl_table *read = NULL;
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!s || !table || s->whole)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a stream that was not read as data, and a place for the table are needed");
  if (s->status) return irl_fail(env, s->status, "%s", s->failure);
  if (!s->is_over) {
    begin_reading(env, s);
    s->status = next_table(env, s, max_rows, &read);
    if (!s->status && read) s->n_samples += read->n_samples;
    if (finish_call(env, s)) return s->status;
  }
  *table = read;
  return IRL_STATUS_OK;
}

uint64_t irl_stream_n_samples(const irl_stream *s) {
  return s ? s->n_samples : 0;
}

void irl_stream_free(irl_stream *s) {
  if (!s) return;
  const irl_allocator allocator = s->allocator;
  irl_blocks_free(s->blocks);
  irl_table_free(s->table);
  irl_data_free(s->whole);
  irl_surprises_free(&s->rule_source.surprises);
  irl_names_free(&s->rule_source.columns);
  irl_mem_free(&allocator, s->rule_source.types);
  irl_mem_free(&allocator, s);
}
