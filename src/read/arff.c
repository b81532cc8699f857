/* ARFF, Weka's format: `@attribute NAME TYPE` lines, then `@data` and rows as in CSV, with names
 * and values in single or double quotes, a backslash before a quote, `%` before comments and `?`
 * for a missing value. numeric, real and integer are numbers ({0,1} is binary), {a,b,c} and string
 * are categories (a string may turn out to be an identifier). Sparse rows are not read. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "ireland_data.h"
#include "read/typed.h"

/* `at` is an opening quote: the closing one, or NULL. */
static const char *find_close(const char *at, const char *end) {
  const char quote = *at++;
  for (; at < end && *at != quote; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at : NULL;
}

bool irl_arff_cell(csv_piece *p, const char *at, char delimiter, csv_cell *found) {
  while (at < p->end && (*at == ' ' || *at == '\t')) at++;
  if (at == p->end || (*at != '\'' && *at != '"')) return irl_csv_cell(p, at, delimiter, found);
  const char *close = find_close(at, p->end);
  p->has_quotes = true;
  if (!close) return false;
  if (memchr(at, '\n', (size_t)(close - at))) p->has_quoted_line_end = true;
  found->text = at + 1;
  found->length = (size_t)(close - at - 1);
  for (at = close + 1; at < p->end && strchr(" \t\r", *at); at++) {
  }
  if (at < p->end && *at != delimiter && *at != '\n') return false;
  found->after = at < p->end ? *at : '\0';
  found->next = at < p->end ? at + 1 : at;
  return true;
}

char *irl_arff_unquote(irl_env *env, const char *text, size_t length, size_t *unquoted_length) {
  char *copy = irl_mem_alloc(&env->allocator, length + 1, 1);
  size_t n = 0;
  for (size_t i = 0; copy && i < length; i++) {
    if (text[i] == '\\' && i + 1 < length) i++;
    copy[n++] = text[i];
  }
  *unquoted_length = n;
  return copy;
}

/* Does the line at `at` start with this word and a blank? */
static bool has_word(const char *at, const char *end, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(end - at) >= n && irl_c_equal_ignoring_case(at, word, n) &&
         (at + n == end || strchr(" \t\r\n{", at[n]));
}

/* Numbers, or categories: what stands in braces is not looked at but for {0,1}. */
static int find_type(const char *at, const char *end) {
  static const char *const numbers[] = {"numeric", "real", "integer"};
  char plain[8] = "";
  size_t n = 0;
  for (size_t i = 0; i < 3; i++)
    if (has_word(at, end, numbers[i])) return IRL_COLUMN_NUMBER;
  if (has_word(at, end, "string")) return IRL_NOT_FORCED;
  for (; at < end && *at != '\n' && n < 7; at++)
    if (!strchr(" \t\r", *at)) plain[n++] = *at;
  return strcmp(plain, "{0,1}") && strcmp(plain, "{1,0}") ? IRL_COLUMN_CATEGORY : IRL_COLUMN_BINARY;
}

/* A column of the plan, whose `columns` have this capacity. */
static irl_status add_attribute(typed_plan *plan, size_t *capacity, const char *at,
                                const char *line_end) {
  csv_plan *csv = &plan->csv;
  const irl_allocator *allocator = &csv->env->allocator;
  const char *name = at, *stop;
  size_t length;
  if (at < line_end && (*at == '\'' || *at == '"')) {
    name = at + 1;
    stop = find_close(at, line_end);
    at = stop ? stop + 1 : at;
  } else {
    for (stop = at; stop < line_end && !strchr(" \t\r\n{", *stop); stop++) {
    }
    at = stop;
  }
  if (!stop || stop == name) return irl_csv_fail(csv, name, "an attribute needs a name and a type");
  if (memchr(name, '\0', (size_t)(stop - name)))
    return irl_csv_fail(csv, name, "a NUL byte; this is not a text file");
  while (at < line_end && (*at == ' ' || *at == '\t')) at++;
  if (!irl_mem_reserve(allocator, &plan->columns, capacity, csv->columns.n, sizeof *plan->columns))
    return irl_fail_memory(csv->env);
  plan->columns[csv->columns.n] = (typed_column){.forced = find_type(at, line_end)};
  char *text = irl_arff_unquote(csv->env, name, (size_t)(stop - name), &length);
  const bool added = text && irl_names_add(&csv->columns, text, length);
  irl_mem_free(allocator, text);
  return added ? IRL_STATUS_OK : irl_fail_memory(csv->env);
}

/* The lines up to @data, after which `whole` starts. */
static irl_status read_header(typed_plan *plan, csv_piece *whole) {
  csv_plan *csv = &plan->csv;
  size_t capacity = 0;
  for (const char *at = whole->start; at < whole->end;) {
    const char *line_end = memchr(at, '\n', (size_t)(whole->end - at));
    const char *next = line_end ? line_end + 1 : whole->end;
    if (!line_end) line_end = whole->end;
    while (at < line_end && strchr(" \t\r", *at)) at++;
    if (has_word(at, line_end, "@data")) {
      whole->start = next;
      return IRL_STATUS_OK;
    }
    if (has_word(at, line_end, "@attribute")) {
      for (at += strlen("@attribute"); at < line_end && strchr(" \t", *at); at++) {
      }
      const irl_status status = add_attribute(plan, &capacity, at, line_end);
      if (status) return status;
    } else if (at < line_end && *at != '%' && !has_word(at, line_end, "@relation")) {
      return irl_csv_fail(csv, at, "expected @attribute, @data or a comment");
    }
    at = next;
  }
  return irl_csv_fail(csv, whole->end, "there is no @data");
}

irl_status irl_arff_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  typed_plan plan = {
      .csv = {.env = env, .source = source, .delimiter = ','}, .is_arff = true, .table = table};
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  irl_names_init(&plan.csv.columns, &env->allocator);
  csv_piece whole = {.start = file.bytes, .end = file.bytes + file.size};
  plan.csv.text = plan.csv.header = whole.start;
  plan.csv.end = whole.end;
  status = read_header(&plan, &whole);
  plan.csv.n_columns = plan.csv.columns.n;
  if (!status && !plan.csv.n_columns)
    status = irl_csv_fail(&plan.csv, plan.csv.text, "there are no attributes");
  if (!status) status = irl_csv_find_target(&plan.csv);
  const char *first = irl_csv_skip_blank_lines(whole.start, whole.end);
  if (!status && first < whole.end && *first == '{')
    status = irl_csv_fail(&plan.csv, first, "sparse ARFF is not read; write the rows in full");
  if (!status) status = irl_typed_read(&plan, &whole);
  irl_typed_free(&plan);
  irl_file_close(&file);
  return status;
}
