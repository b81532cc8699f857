/* Writing data, the cells of a table as they are, in the format that the name of the file asks for.
 * Texts carry no types: what was written is read back, and where a column would be another one then
 * a note names the option that makes it the same. */
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ireland_data.h"
#include "read/formats.h"
#include "read/typed.h"

#define COLUMNS_SHOWN 10u
#define CELL_BYTES    16u /* that a cell counts as: to print a number takes long */

static irl_status refuse_kind(irl_env *env, const char *path) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "%s: the name must end in .csv, .tsv, .svm, .libsvm or .irb to be written", path);
}

/* A cell of a CSV file, quoted where it has to be: every delimiter that a reader may look for, and
 * blanks that it would trim. */
static void put_text(FILE *stream, const char *text) {
  const size_t n = strlen(text);
  if (n && !strpbrk(text, "\t,;|\"\r\n") && text[0] != ' ' && text[n - 1] != ' ') {
    fputs(text, stream);
    return;
  }
  putc('"', stream);
  for (; *text; text++) {
    if (*text == '"') putc('"', stream);
    putc(*text, stream);
  }
  putc('"', stream);
}

/* ---- columns ---- */

/* What the format cannot say is refused: LIBSVM has numbers only, and 0 for what a line does not
 * say; in CSV an empty text is a missing value whatever --na says. */
static irl_status check_columns(irl_env *env, const irl_table *table, irl_write_kind kind,
                                const char *path) {
  size_t n = 0;
  for (size_t j = 0; j < table->names.n; j++) n += table->columns[j].type != IRL_COLUMN_IGNORED;
  if (!n) return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: there is no column to write", path);
  if (table->weights)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "%s: files keep no weights but as a column; --weight-column is for fit", path);
  for (size_t j = 0; j < table->names.n && kind != IRL_WRITE_IRB; j++) {
    const irl_column *c = &table->columns[j];
    const char *name = irl_names_get(&table->names, j);
    if (kind == IRL_WRITE_LIBSVM && c->type == IRL_COLUMN_CATEGORY)
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: this format has numbers only, and column '%s' holds texts; .csv and "
                      ".irb hold both",
                      path, name);
    if (kind == IRL_WRITE_LIBSVM && c->type != IRL_COLUMN_IGNORED && c->n_missing)
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: this format has no missing values, and column '%s' misses %zu; .csv "
                      "and .irb keep them",
                      path, name, c->n_missing);
    if (kind != IRL_WRITE_LIBSVM && c->type == IRL_COLUMN_CATEGORY && c->values->n &&
        irl_names_find(c->values, "", 0) != IRL_NO_NAME)
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: column '%s' has an empty text, which would read as a missing value; "
                      ".irb keeps it",
                      path, name);
  }
  return IRL_STATUS_OK;
}

/* Labels must not look like missing ones in a text. */
static irl_status check_labels(irl_env *env, const irl_table_info *info, const char *path) {
  typed_na na;
  irl_status status = irl_typed_usual_na(env, &na);
  const char *const labels[] = {info->positive, info->negative};
  for (int i = 0; i < 2 && !status && info->has_labels; i++)
    if (irl_typed_is_missing(&na, labels[i], strlen(labels[i])))
      status =
          irl_fail(env, IRL_STATUS_BAD_INPUT,
                   "%s: label '%s' would read as a missing one; .irb keeps it", path, labels[i]);
  irl_names_free(&na.texts);
  return status;
}

/* Writers end with IRL_STATUS_LIMIT if it is time to; closing the file finds the sentence. */

/* The last column stands on the first line anyway, so that the number of columns survives. */
static irl_status write_libsvm(irl_env *env, const irl_table *table, FILE *stream) {
  size_t n = table->names.n, next = 0;
  char text[IRL_NUMBER_SIZE];
  while (n && table->columns[n - 1].type == IRL_COLUMN_IGNORED) n--;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    size_t index = 0;
    if (irl_reading_limit_reached_at(env, &next, CELL_BYTES * i * n)) return IRL_STATUS_LIMIT;
    putc(table->has_labels && table->labels[i] ? '1' : '0', stream);
    for (size_t j = 0; j < n; j++) {
      const irl_column *c = &table->columns[j];
      if (c->type == IRL_COLUMN_IGNORED) continue;
      index++;
      const bool is_number = c->type == IRL_COLUMN_NUMBER;
      const unsigned digit = is_number ? c->numbers[i] != 0 : irl_packed_get(&c->cells, i);
      if (!digit && (i || j + 1 < n)) continue;
      fprintf(stream, " %zu:", index);
      if (is_number) {
        irl_number_print(c->numbers[i], text);
        fputs(text, stream);
      } else {
        putc_unlocked('0' + (int)digit, stream);
      }
    }
    putc('\n', stream);
  }
  return IRL_STATUS_OK;
}

/* Packed cells are most of what there is: a digit and a delimiter each. */
static irl_status write_csv(irl_env *env, const irl_table *table, char delimiter, FILE *stream) {
  char text[IRL_NUMBER_SIZE];
  size_t next = 0;
  for (uint32_t row = 0; row <= table->n_samples; row++) {
    bool is_first = true;
    if (irl_reading_limit_reached_at(env, &next, CELL_BYTES * row * table->names.n))
      return IRL_STATUS_LIMIT;
    for (size_t j = 0; j < table->names.n; j++) {
      const irl_column *c = &table->columns[j];
      if (c->type == IRL_COLUMN_IGNORED) continue;
      if (!is_first) putc_unlocked(delimiter, stream);
      is_first = false;
      const unsigned digit = row && irl_type_is_packed(c->type) ? irl_packed_get(&c->cells, row - 1)
                                                                : IRL_CELL_MISSING;
      if (digit != IRL_CELL_MISSING) {
        putc_unlocked('0' + (int)digit, stream);
      } else if (!row) {
        put_text(stream, irl_names_get(&table->names, j));
      } else if (irl_column_is_missing(c, row - 1)) {
        if (!table->has_labels && table->names.n == 1) fputs("NA", stream); /* no blank line */
      } else if (c->type == IRL_COLUMN_CATEGORY) {
        put_text(stream, irl_names_get(c->values, c->codes[row - 1]));
      } else {
        irl_number_print(c->numbers[row - 1], text);
        fputs(text, stream);
      }
    }
    if (table->has_labels) {
      if (!is_first) putc(delimiter, stream);
      put_text(stream, !row                     ? table->target
                       : table->labels[row - 1] ? table->positive
                                                : table->negative);
    }
    putc('\n', stream);
  }
  return IRL_STATUS_OK;
}

/* ---- what a reader makes of it ---- */

static void note_types(irl_env *env, const irl_table *table, const char *path,
                       irl_write_kind kind) {
  irl_env *quiet;
  irl_options options;
  irl_table *back = NULL;
  irl_text list; /* COL=TYPE for the columns that are another thing when they are read */
  size_t n = 0, index = 0;
  irl_options_init(&options, sizeof options);
  const irl_source source = {.path = path, .options = &options, .threads = table->threads};
  if (irl_env_create_child(env, &quiet)) return;
  quiet->reading = env->reading;
  const irl_status status = irl_source_read(quiet, &source, &back);
  irl_text_init(&list, env);
  for (size_t j = 0; j < table->names.n && status != IRL_STATUS_LIMIT; j++) {
    const irl_column_type type = table->columns[j].type;
    char number[32];
    if (type == IRL_COLUMN_IGNORED) continue;
    snprintf(number, sizeof number, "f%zu", ++index);
    const char *name = kind == IRL_WRITE_LIBSVM ? number : irl_names_get(&table->names, j);
    irl_column_type now = IRL_COLUMN_NUMBER; /* of what is not read without types */
    if (!status) {
      const uint32_t found = irl_names_find(&back->names, name, strlen(name));
      now = found == IRL_NO_NAME ? IRL_COLUMN_IGNORED : back->columns[found].type;
    }
    if (now != type && n++ < COLUMNS_SHOWN)
      irl_text_printf(&list, "%s%s=%s", n > 1 ? "," : "", name, irl_column_type_text(type));
  }
  if (n > COLUMNS_SHOWN) irl_text_puts(&list, ",...");
  if (n && !list.failed)
    irl_log(env, IRL_LOG_NOTE,
            "%s: the file says nothing of types; --type '%s' reads %zu columns as they were%s",
            path, list.bytes, n, n > COLUMNS_SHOWN ? " (or --types FILE)" : "");
  if (status == IRL_STATUS_BAD_INPUT)
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
    const irl_names *values = table->columns[j].values;
    for (size_t v = 0; table->columns[j].type == IRL_COLUMN_CATEGORY && v < values->n; v++) {
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

/* ---- files ---- */

static irl_status write_file(irl_env *env, const irl_table *table, irl_write_kind kind,
                             const char *path, bool *is_direct) {
  irl_output output;
  irl_status status = irl_output_open(env, path, &output);
  if (status) return status;
  *is_direct = output.is_direct;
  if (kind == IRL_WRITE_IRB)
    status = irl_irb_write(env, table, output.stream);
  else if (kind == IRL_WRITE_LIBSVM)
    status = write_libsvm(env, table, output.stream);
  else
    status = write_csv(env, table, kind == IRL_WRITE_CSV ? ',' : '\t', output.stream);
  return irl_output_finish(&output, status);
}

static irl_status check_bits(irl_env *env, const irl_data *data, const char *path) {
  irl_status status = irl_data_check_whole(env, data);
  if (status) return status;
  if (data->has_opposites)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "%s: these are the features of a table; irl_table_write writes the table",
                    path);
  if (irl_data_has_weights(data))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "%s: files keep no weights; they are for fit",
                    path);
  return IRL_STATUS_OK;
}

irl_status irl_data_write(irl_env *env, const irl_data *data, const char *path) {
  IRL_NEED(env, "env, data, path", env, data, path);
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  irl_table *table = NULL;
  bool is_direct;
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_status status = check_bits(env, data, path);
  if (!status) status = irl_table_from_bits(env, data, &table);
  if (!status) status = write_file(env, table, kind, path, &is_direct);
  irl_table_free(table);
  return status;
}

irl_status irl_table_write(irl_env *env, const irl_table *table, const char *path) {
  IRL_NEED(env, "env, table, path", env, table, path);
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  const bool is_csv = kind == IRL_WRITE_CSV || kind == IRL_WRITE_TSV;
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table copy;
  bool is_direct = true;
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_table_describe(table, &info);
  irl_status status = table->divided ? irl_data_check_whole(env, table->divided)
                                     : check_columns(env, table, kind, path);
  if (!status && is_csv) status = check_labels(env, &info, path);
  if (status) return status;
  const irl_table *whole = irl_table_load(env, table, &copy, &status);
  if (whole) {
    status = write_file(env, whole, kind, path, &is_direct);
    irl_table_unload(table, &copy);
  }
  if (status) return status;
  if (!is_direct && kind != IRL_WRITE_IRB && !irl_table_is_binary(table))
    note_types(env, table, path, kind);
  if (!is_csv) return IRL_STATUS_OK;
  note_texts(env, table, path);
  /* Labels alone do not say which of them the cases have. */
  if (info.has_labels && !irl_labels_is_positive(info.positive, info.negative))
    irl_log(env, IRL_LOG_NOTE, "%s: --positive '%s' reads the cases as they were", path,
            info.positive);
  return IRL_STATUS_OK;
}
