/* Writing data: bits, or the cells of a table as they are, in the format that the name of the file
 * asks for. Texts carry no types: what was written is read back, and where a column would be
 * another one then a note names the option that makes it the same. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "read/formats.h"
#include "read/typed.h"

#define COLUMNS_SHOWN 10u

static irl_status refuse_kind(irl_env *env, const char *path) {
  return irl_fail(env, IRL_BAD_ARGUMENT,
                  "%s: the name must end in .csv, .tsv, .svm, .libsvm or .irb to be written", path);
}

/* ---- bits ---- */

/* What version 1 does not say is said of columns. */
static irl_status write_irb(irl_env *env, const irl_data *data, FILE *stream) {
  const irl_source source = {.path = "data", .threads = 1};
  irl_table *table;
  if (!data->is_rest) return irl_irb_write(env, data, stream);
  irl_status status = irl_table_create(env, &source, &table);
  if (status) return status;
  status = irl_table_from_bits(env, &source, data, table);
  if (!status) status = irl_irb_write_table(env, table, stream);
  irl_table_free(table);
  return status;
}

static irl_status write_bits(irl_env *env, const irl_data *data, irl_write_kind kind,
                             FILE *stream) {
  if (kind == IRL_WRITE_IRB) return write_irb(env, data, stream);
  if (kind == IRL_WRITE_LIBSVM) return irl_libsvm_write(env, data, stream);
  return irl_csv_write(env, data, kind == IRL_WRITE_CSV ? ',' : '\t', stream);
}

static irl_status check_bits(irl_env *env, const irl_data *data, const char *path) {
  irl_status status = irl_data_check_whole(env, data);
  if (status) return status;
  if (data->has_opposites)
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "%s: these are the features of a table; irl_table_write writes the table",
                    path);
  if (data->case_weights)
    return irl_fail(env, IRL_BAD_ARGUMENT, "%s: files keep no weights; they are for fit", path);
  return IRL_OK;
}

irl_status irl_data_write(irl_env *env, const irl_data *data, const char *path) {
  irl_output output;
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_status status = check_bits(env, data, path);
  if (!status) status = irl_output_open(env, path, &output);
  if (status) return status;
  status = write_bits(env, data, kind, output.stream);
  const irl_status closed = irl_output_close(&output, !status);
  return status ? status : closed;
}

/* ---- columns ---- */

/* LIBSVM has numbers only, and 0 for what a line does not say. */
static irl_status check_libsvm(irl_env *env, const irl_table *table, const char *path) {
  for (size_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    const char *name = irl_names_get(&table->names, j);
    if (c->type == IRL_CATEGORY)
      return irl_fail(env, IRL_BAD_INPUT,
                      "%s: this format has numbers only, and column '%s' holds texts; .csv and "
                      ".irb hold both",
                      path, name);
    if (c->type != IRL_IGNORED && c->n_missing)
      return irl_fail(env, IRL_BAD_INPUT,
                      "%s: this format has no missing values, and column '%s' misses %zu; .csv "
                      "and .irb keep them",
                      path, name, c->n_missing);
  }
  return IRL_OK;
}

/* Labels must not look like missing ones in a text. */
static irl_status check_labels(irl_env *env, const irl_table *table, const char *path) {
  typed_na na;
  irl_table_info info;
  irl_status status = irl_typed_usual_na(env, &na);
  irl_table_describe(table, &info);
  const char *const labels[] = {info.positive, info.negative};
  for (int i = 0; i < 2 && !status && info.has_labels; i++)
    if (irl_typed_is_missing(&na, labels[i], strlen(labels[i])))
      status =
          irl_fail(env, IRL_BAD_INPUT, "%s: label '%s' would read as a missing one; .irb keeps it",
                   path, labels[i]);
  irl_names_free(&na.texts);
  return status;
}

/* An empty text is a missing value whatever --na says. */
static irl_status check_csv(irl_env *env, const irl_table *table, const char *path) {
  for (size_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    if (c->type == IRL_CATEGORY && c->values.n && irl_names_find(&c->values, "", 0) != IRL_NO_NAME)
      return irl_fail(env, IRL_BAD_INPUT,
                      "%s: column '%s' has an empty text, which would read as a missing value; "
                      ".irb keeps it",
                      path, irl_names_get(&table->names, j));
  }
  return IRL_OK;
}

/* A cell that is there. */
static void put_number(FILE *stream, const irl_column *c, uint32_t i) {
  char text[IRL_NUMBER_SIZE];
  if (irl_type_is_packed(c->type)) {
    putc('0' + (int)irl_packed_get(&c->cells, i), stream);
    return;
  }
  irl_number_print(c->numbers[i], text);
  fputs(text, stream);
}

/* The last column stands on the first line whatever it is, so that the number of columns survives.
 */
static void write_libsvm(const irl_table *table, FILE *stream) {
  size_t last = table->names.n - 1;
  while (table->columns[last].type == IRL_IGNORED) last--;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    size_t index = 0;
    putc(table->has_labels && table->labels[i] ? '1' : '0', stream);
    for (size_t j = 0; j <= last; j++) {
      const irl_column *c = &table->columns[j];
      if (c->type == IRL_IGNORED) continue;
      index++;
      if (irl_column_number(c, i) == 0 && (i || j < last)) continue;
      fprintf(stream, " %zu:", index);
      put_number(stream, c, i);
    }
    putc('\n', stream);
  }
}

static void put_cell(const irl_table *table, size_t j, uint32_t i, FILE *stream) {
  const irl_column *c = &table->columns[j];
  if (irl_column_is_missing(c, i)) {
    if (!table->has_labels && table->names.n == 1) fputs("NA", stream); /* no blank line */
  } else if (c->type == IRL_CATEGORY) {
    irl_csv_put_text(stream, irl_names_get(&c->values, c->codes[i]));
  } else {
    put_number(stream, c, i);
  }
}

static void write_csv(const irl_table *table, char delimiter, FILE *stream) {
  for (uint32_t row = 0; row <= table->n_samples; row++) {
    bool is_first = true;
    for (size_t j = 0; j < table->names.n; j++) {
      if (table->columns[j].type == IRL_IGNORED) continue;
      if (!is_first) putc(delimiter, stream);
      is_first = false;
      if (row)
        put_cell(table, j, row - 1, stream);
      else
        irl_csv_put_text(stream, irl_names_get(&table->names, j));
    }
    if (table->has_labels) {
      if (!is_first) putc(delimiter, stream);
      irl_csv_put_text(stream, !row                     ? table->target
                               : table->labels[row - 1] ? table->positive
                                                        : table->negative);
    }
    putc('\n', stream);
  }
}

static irl_status write_columns(irl_env *env, const irl_table *table, irl_write_kind kind,
                                FILE *stream) {
  if (kind == IRL_WRITE_IRB) return irl_irb_write_table(env, table, stream);
  if (kind == IRL_WRITE_LIBSVM)
    write_libsvm(table, stream);
  else
    write_csv(table, kind == IRL_WRITE_CSV ? ',' : '\t', stream);
  return IRL_OK;
}

static irl_status check_columns(irl_env *env, const irl_table *table, irl_write_kind kind,
                                const char *path) {
  size_t n = 0;
  for (size_t j = 0; j < table->names.n; j++) n += table->columns[j].type != IRL_IGNORED;
  if (!n) return irl_fail(env, IRL_BAD_INPUT, "%s: there is no column to write", path);
  if (table->weights)
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "%s: files keep no weights but as a column; --weight-column is for fit", path);
  return kind == IRL_WRITE_LIBSVM ? check_libsvm(env, table, path)
         : kind == IRL_WRITE_IRB  ? IRL_OK
                                  : check_csv(env, table, path);
}

/* ---- what a reader makes of it ---- */

/* The type of a column as it was read, IRL_IGNORED if it is not there. */
static irl_column_type type_of(const irl_table *table, const char *name) {
  const irl_names *names = table->plain ? &table->plain->names : &table->names;
  const uint32_t found = irl_names_find(names, name, strlen(name));
  if (found == IRL_NO_NAME) return IRL_IGNORED;
  return table->plain ? IRL_BINARY : table->columns[found].type;
}

/* COL=TYPE for the columns that are another thing in `back`. */
static void list_changed(const irl_table *table, const irl_table *back, bool is_libsvm,
                         irl_text *list, size_t *n) {
  char number[32];
  size_t index = 0;
  for (size_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    if (c->type == IRL_IGNORED) continue;
    snprintf(number, sizeof number, "f%zu", ++index);
    const char *name = is_libsvm ? number : irl_names_get(&table->names, j);
    if (back && type_of(back, name) == c->type) continue;
    if (!back && c->type == IRL_NUMBER) continue;
    if ((*n)++ < COLUMNS_SHOWN)
      irl_text_printf(list, "%s%s=%s", *n > 1 ? "," : "", name, irl_column_type_text(c->type));
  }
  if (*n > COLUMNS_SHOWN) irl_text_puts(list, ",...");
}

static void note_types(irl_env *env, const irl_table *table, const char *path,
                       irl_write_kind kind) {
  irl_env *quiet;
  irl_options options;
  irl_table *back = NULL;
  irl_text list;
  size_t n = 0;
  irl_options_init(&options);
  const irl_source source = {.path = path, .options = &options, .threads = table->threads};
  if (irl_env_create_child(env, &quiet)) return;
  const irl_status status = irl_source_read(quiet, &source, &back);
  irl_text_init(&list, env);
  list_changed(table, status ? NULL : back, kind == IRL_WRITE_LIBSVM, &list, &n);
  if (n && !list.failed)
    irl_log(env, IRL_LOG_NOTE,
            "%s: the file says nothing of types; --type '%s' reads %zu columns as they were%s",
            path, list.bytes, n, n > COLUMNS_SHOWN ? " (or --types FILE)" : "");
  if (status == IRL_BAD_INPUT)
    irl_log(env, IRL_LOG_WARNING, "%s: without types it is not read: %s", path,
            irl_env_error(quiet));
  irl_text_drop(&list);
  irl_table_free(back);
  irl_env_free(quiet);
}

/* Texts of categories that are missing values unless --na says otherwise. */
static void note_texts(irl_env *env, const irl_table *table, const char *path) {
  typed_na na;
  const irl_status status = irl_typed_usual_na(env, &na);
  for (size_t j = 0; j < table->names.n && !status; j++) {
    const irl_names *values = &table->columns[j].values;
    for (size_t v = 0; table->columns[j].type == IRL_CATEGORY && v < values->n; v++) {
      const char *text = irl_names_get(values, v);
      if (!irl_typed_is_missing(&na, text, strlen(text))) continue;
      irl_log(env, IRL_LOG_NOTE,
              "%s: --na '' keeps '%s' in column '%s' from being read as a missing value", path,
              text, irl_names_get(&table->names, j));
      break;
    }
  }
  irl_names_free(&na.texts);
}

/* Labels alone do not say which of them the cases have. */
static void note_positive(irl_env *env, const irl_table *table, const char *path) {
  irl_table_info info;
  irl_table_describe(table, &info);
  if (!info.has_labels || irl_labels_is_positive(info.positive, info.negative)) return;
  irl_log(env, IRL_LOG_NOTE, "%s: --positive '%s' reads the cases as they were", path,
          info.positive);
}

irl_status irl_table_write(irl_env *env, const irl_table *table, const char *path) {
  irl_output output;
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_status status =
      table->plain ? check_bits(env, table->plain, path) : check_columns(env, table, kind, path);
  if (!status && (kind == IRL_WRITE_CSV || kind == IRL_WRITE_TSV))
    status = check_labels(env, table, path);
  if (!status) status = irl_output_open(env, path, &output);
  if (status) return status;
  status = table->plain ? write_bits(env, table->plain, kind, output.stream)
                        : write_columns(env, table, kind, output.stream);
  const bool is_direct = output.is_direct;
  const irl_status closed = irl_output_close(&output, !status);
  if (status || closed) return status ? status : closed;
  if (!table->plain && kind != IRL_WRITE_IRB && !is_direct) note_types(env, table, path, kind);
  if (kind != IRL_WRITE_CSV && kind != IRL_WRITE_TSV) return IRL_OK;
  note_texts(env, table, path);
  note_positive(env, table, path);
  return IRL_OK;
}
