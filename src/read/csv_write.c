/* Writing CSV: eight cells at a time from a table, a row per write. */
#include "base/memory.h"
#include "data/source.h"

/* Every delimiter that a reader may look for, and blanks that it would trim. */
static bool needs_quotes(const char *text) {
  const size_t n = strlen(text);
  return !n || strpbrk(text, "\t,;|\"\r\n") || text[0] == ' ' || text[n - 1] == ' ';
}

void irl_csv_put_text(FILE *stream, const char *text) {
  if (!needs_quotes(text)) {
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

static void put_header(const irl_data *data, char delimiter, FILE *stream) {
  for (uint32_t j = 0; j < data->n_features; j++) {
    if (j) putc(delimiter, stream);
    irl_csv_put_text(stream, irl_names_get(&data->names, j));
  }
  if (data->has_labels) {
    putc(delimiter, stream);
    irl_csv_put_text(stream, data->target);
  }
  putc('\n', stream);
}

/* bytes[b] holds the eight cells of byte b, each with its delimiter. */
static void make_table(char bytes[256][16], char delimiter) {
  for (unsigned b = 0; b < 256; b++)
    for (unsigned i = 0; i < 8; i++) {
      bytes[b][2 * i] = (char)('0' + (b >> i & 1));
      bytes[b][2 * i + 1] = delimiter;
    }
}

static void format_row(char table[256][16], const uint64_t *row, uint32_t n, char *line) {
  for (uint32_t j = 0; j < n; j += 8, line += 16)
    memcpy(line, table[row[j >> 6] >> (j & 63) & 255], 16);
}

irl_status irl_csv_write(irl_env *env, const irl_data *data, char delimiter, FILE *stream) {
  char table[256][16];
  irl_data_rows rows = {{0}, {0}};
  const size_t width = 2 * (size_t)data->n_features;
  char *line = irl_mem_alloc(&env->allocator, width + 16, 1);
  irl_status status = line ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_data_rows_init(env, &rows, data, 1);
  if (!status) put_header(data, delimiter, stream);
  make_table(table, delimiter);
  uint32_t a = 0, b = 0;
  for (uint32_t i = 0; !status && i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const uint64_t *row =
        is_case ? irl_bits_vector(&rows.cases, a++) : irl_bits_vector(&rows.controls, b++);
    format_row(table, row, data->n_features, line);
    fwrite(line, 1, width - !data->has_labels, stream);
    if (data->has_labels) irl_csv_put_text(stream, is_case ? data->positive : data->negative);
    putc('\n', stream);
  }
  irl_data_rows_free(&rows);
  irl_mem_free(&env->allocator, line);
  return status;
}
