/* Writing data: bits, or the cells of a table as they are, in the format that the name of the file
 * asks for. Texts carry no types: what was written is read back, and where a column would be
 * another one then a note names the option that makes it the same. */
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

/* ---- bits ---- */

/* Writers end with IRL_STATUS_LIMIT if it is time to; closing the file finds the sentence. */

/* Eight cells at a time from a table, a row per write. */
static irl_status write_csv_bits(irl_env *env, const irl_data *data, const irl_data_rows *rows,
                                 char delimiter, char *line, FILE *stream) {
  char table[256][16]; /* the eight cells of a byte, each with its delimiter */
  const size_t width = 2 * (size_t)data->n_features;
  for (unsigned b = 0; b < 256; b++)
    for (unsigned i = 0; i < 8; i++) {
      table[b][2 * i] = (char)('0' + (b >> i & 1));
      table[b][2 * i + 1] = delimiter;
    }
  for (uint32_t j = 0; j < data->n_features; j++) {
    if (j) putc(delimiter, stream);
    put_text(stream, irl_names_get(&data->names, j));
  }
  if (data->has_labels) {
    if (data->n_features) putc(delimiter, stream);
    put_text(stream, data->target);
  }
  putc('\n', stream);
  uint32_t a = 0, b = 0;
  size_t next = 0;
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const uint64_t *row =
        is_case ? irl_bits_vector(&rows->cases, a++) : irl_bits_vector(&rows->controls, b++);
    if (irl_reading_limit_reached_at(env, &next, i * width)) return IRL_STATUS_LIMIT;
    for (uint32_t j = 0; j < data->n_features; j += 8)
      memcpy(line + 2 * (size_t)j, table[row[j >> 6] >> (j & 63) & 255], 16);
    fwrite(line, 1, width && !data->has_labels ? width - 1 : width, stream);
    if (data->has_labels) put_text(stream, is_case ? data->positive : data->negative);
    putc('\n', stream);
  }
  return IRL_STATUS_OK;
}

/* The labels are 1 and 0. The last feature is written on the first line, with its 0 if need be, so
 * that the number of features survives. */
static irl_status write_libsvm_bits(irl_env *env, const irl_data *data, const irl_data_rows *rows,
                                    FILE *stream) {
  uint32_t a = 0, b = 0;
  size_t next = 0;
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const uint64_t *row =
        is_case ? irl_bits_vector(&rows->cases, a++) : irl_bits_vector(&rows->controls, b++);
    if (irl_reading_limit_reached_at(env, &next, (size_t)i * data->n_features))
      return IRL_STATUS_LIMIT;
    putc(is_case ? '1' : '0', stream);
    for (size_t w = 0; w < irl_bits_stride(data->n_features); w++)
      for (uint64_t word = row[w]; word; word &= word - 1)
        fprintf(stream, " %zu:1", 64 * w + (size_t)__builtin_ctzll(word) + 1);
    if (i == 0 && data->n_features && !irl_bits_get(row, data->n_features - 1))
      fprintf(stream, " %u:0", data->n_features);
    putc('\n', stream);
  }
  return IRL_STATUS_OK;
}

static irl_status write_bits(irl_env *env, const irl_data *data, irl_write_kind kind,
                             FILE *stream) {
  if (kind == IRL_WRITE_IRB && !data->is_rest) return irl_irb_write(env, data, stream);
  if (kind == IRL_WRITE_IRB) { /* what version 1 does not say is said of columns */
    const irl_source source = {.path = "data", .threads = 1};
    irl_table *table;
    irl_status status = irl_table_create(env, &source, &table);
    if (status) return status;
    status = irl_table_from_bits(env, &source, data, table);
    if (!status) status = irl_irb_write_table(env, table, stream);
    irl_table_free(table);
    return status;
  }
  irl_data_rows rows;
  irl_status status = irl_data_rows_init(env, &rows, data, 1);
  if (status) return status;
  char *line = irl_mem_alloc(&env->allocator, 2 * (size_t)data->n_features + 16, 1);
  if (!line)
    status = irl_fail_memory(env);
  else if (kind == IRL_WRITE_LIBSVM)
    status = write_libsvm_bits(env, data, &rows, stream);
  else
    status = write_csv_bits(env, data, &rows, kind == IRL_WRITE_CSV ? ',' : '\t', line, stream);
  irl_data_rows_free(&rows);
  irl_mem_free(&env->allocator, line);
  return status;
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
  irl_output output;
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_status status = check_bits(env, data, path);
  if (!status) status = irl_output_open(env, path, &output);
  if (status) return status;
  status = write_bits(env, data, kind, output.stream);
  return irl_output_finish(&output, status);
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

/* The last column stands on the first line anyway, so that the number of columns survives. */
static irl_status write_libsvm(irl_env *env, const irl_table *table, FILE *stream) {
  size_t last = table->names.n - 1, next = 0;
  while (table->columns[last].type == IRL_COLUMN_IGNORED) last--;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    size_t index = 0;
    if (irl_reading_limit_reached_at(env, &next, CELL_BYTES * i * (last + 1)))
      return IRL_STATUS_LIMIT;
    putc(table->has_labels && table->labels[i] ? '1' : '0', stream);
    for (size_t j = 0; j <= last; j++) {
      const irl_column *c = &table->columns[j];
      if (c->type == IRL_COLUMN_IGNORED) continue;
      index++;
      if (irl_column_number(c, i) == 0 && (i || j < last)) continue;
      fprintf(stream, " %zu:", index);
      put_number(stream, c, i);
    }
    putc('\n', stream);
  }
  return IRL_STATUS_OK;
}

static irl_status write_csv(irl_env *env, const irl_table *table, char delimiter, FILE *stream) {
  size_t next = 0;
  for (uint32_t row = 0; row <= table->n_samples; row++) {
    bool is_first = true;
    if (irl_reading_limit_reached_at(env, &next, CELL_BYTES * row * table->names.n))
      return IRL_STATUS_LIMIT;
    for (size_t j = 0; j < table->names.n; j++) {
      if (table->columns[j].type == IRL_COLUMN_IGNORED) continue;
      if (!is_first) putc(delimiter, stream);
      is_first = false;
      const irl_column *c = &table->columns[j];
      if (!row) {
        put_text(stream, irl_names_get(&table->names, j));
      } else if (irl_column_is_missing(c, row - 1)) {
        if (!table->has_labels && table->names.n == 1) fputs("NA", stream); /* no blank line */
      } else if (c->type == IRL_COLUMN_CATEGORY) {
        put_text(stream, irl_names_get(c->values, c->codes[row - 1]));
      } else {
        put_number(stream, c, row - 1);
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

irl_status irl_table_write(irl_env *env, const irl_table *table, const char *path) {
  IRL_NEED(env, "env, table, path", env, table, path);
  const irl_write_kind kind = irl_file_format_find(path)->kind;
  const bool is_csv = kind == IRL_WRITE_CSV || kind == IRL_WRITE_TSV;
  irl_output output;
  irl_table_info info = IRL_SIZED(irl_table_info);
  if (kind == IRL_WRITE_NOT) return refuse_kind(env, path);
  irl_table_describe(table, &info);
  irl_table copy;
  irl_data *bits = NULL;
  irl_status status = table->divided ? irl_data_check_whole(env, table->divided)
                                     : check_columns(env, table, kind, path);
  if (!status && is_csv) status = check_labels(env, &info, path);
  const irl_table *const given = table;
  if (!status && irl_table_is_binary(table)) status = irl_table_bits(env, table, &bits);
  if (!status) table = irl_table_load(env, given, &copy, &status);
  if (!status) status = irl_output_open(env, path, &output);
  if (status) {
    if (table) irl_table_unload(given, &copy);
    irl_data_free(bits);
    return status;
  }
  if (bits)
    status = write_bits(env, bits, kind, output.stream);
  else if (kind == IRL_WRITE_IRB)
    status = irl_irb_write_table(env, table, output.stream);
  else if (kind == IRL_WRITE_LIBSVM)
    status = write_libsvm(env, table, output.stream);
  else
    status = write_csv(env, table, kind == IRL_WRITE_CSV ? ',' : '\t', output.stream);
  const bool is_direct = output.is_direct;
  status = irl_output_finish(&output, status);
  irl_table_unload(given, &copy);
  irl_data_free(bits);
  table = given;
  if (status) return status;
  if (!bits && kind != IRL_WRITE_IRB && !is_direct) note_types(env, table, path, kind);
  if (!is_csv) return IRL_STATUS_OK;
  note_texts(env, table, path);
  /* Labels alone do not say which of them the cases have. */
  if (info.has_labels && !irl_labels_is_positive(info.positive, info.negative))
    irl_log(env, IRL_LOG_NOTE, "%s: --positive '%s' reads the cases as they were", path,
            info.positive);
  return IRL_STATUS_OK;
}
