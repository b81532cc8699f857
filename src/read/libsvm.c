/* LIBSVM's sparse text: `label index:value ...` per line, indices from 1, ascending; `#` starts a
 * comment. It has no names, so features are f1, f2, ... An index that a line does not have is 0. If
 * all values are 0 and 1 the columns are features; otherwise they are numbers (libsvm_numbers.c),
 * and are cut as those of other files. */
#include "read/libsvm.h"
#include "base/c_locale.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>

#define MAX_INDEX 100000000u /* as many as features can be generated */
/* Each feature costs memory, so a few bytes of text may not name very many: */
#define FREE_INDEX     4000000u /* up to here: half a gigabyte, */
#define INDEX_PER_BYTE 16u      /* and so many more for each byte of the file */

/* The table is dense, so it may not be far larger than the text: */
#define FREE_BYTES     ((double)(64 << 20)) /* up to here anything, */
#define BYTES_PER_BYTE 256.0                /* and so many more for each byte of the file */
#define NAME_BYTES     64u                  /* of a feature, with its place in the index */

typedef irl_libsvm reader;

#define fail_at(r, where, ...)                                                                     \
  irl_source_fail((r)->env, (irl_place){(r)->source->path, (r)->text, where}, __VA_ARGS__)

irl_status irl_libsvm_afford(const irl_libsvm *r, double bytes) {
  const double most = FREE_BYTES + BYTES_PER_BYTE * (double)(r->end - r->text);
  if (bytes <= most)
    return irl_reading_affords(r->env, bytes) ? IRL_OK : irl_reading_fail(r->env, r->source->path);
  return fail_at(
      r, r->not_a_bit ? r->not_a_bit : r->text,
      "%zu samples with indices up to %u would take %.0f MB, more than so short a file can "
      "have meant",
      r->start.n, r->n_features, bytes / 1e6);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(reader *r) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
}

static bool at_line_end(const reader *r) {
  return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

static void skip_line(reader *r) {
  const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->at = line_end ? line_end + 1 : r->end;
}

static irl_status read_value(reader *r, double *value) {
  const char *start = r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  if (!irl_number_parse(start, (size_t)(r->at - start), value))
    return fail_at(r, start, "this value is not a number");
  if (*value != 0 && *value != 1 && !r->not_a_bit) r->not_a_bit = start;
  if (!isnan(*value)) return IRL_OK;
  return irl_array_push(&r->env->allocator, &r->missing, start) ? IRL_OK : irl_fail_memory(r->env);
}

static uint64_t max_index(const reader *r) {
  const uint64_t most = FREE_INDEX + INDEX_PER_BYTE * (uint64_t)(r->end - r->text);
  return most < MAX_INDEX ? most : MAX_INDEX;
}

static irl_status read_index(reader *r, uint32_t *last) {
  const char *start = r->at;
  uint64_t index = 0;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && index < UINT32_MAX)
    index = index * 10 + (uint64_t)(*r->at++ - '0');
  if (r->at == start || r->at == r->end || *r->at != ':')
    return fail_at(r, start, "expected index:value");
  if (index < 1 || index > MAX_INDEX)
    return fail_at(r, start, "an index must be from 1 to 100000000");
  if (index > max_index(r)) return fail_at(r, start, "this index is too large for so short a file");
  if (index <= *last) return fail_at(r, start, "indices must ascend");
  *last = (uint32_t)index;
  if (r->n_features < *last) r->n_features = *last;
  r->at++;
  return IRL_OK;
}

/* Values are kept from the first one on that is not 0 or 1; all entries before it are 1. */
static bool add_value(reader *r, double value) {
  const irl_allocator *allocator = &r->env->allocator;
  if (!r->not_a_bit) return true;
  while (r->values.n < r->entries.n)
    if (!irl_array_push(allocator, &r->values, 1)) return false;
  return irl_array_push(allocator, &r->values, value);
}

static irl_status read_entry(reader *r, uint32_t *last) {
  double value;
  irl_status status = read_index(r, last);
  if (!status) status = read_value(r, &value);
  if (status || value == 0) return status;
  return add_value(r, value) && irl_array_push(&r->env->allocator, &r->entries, *last - 1)
             ? IRL_OK
             : irl_fail_memory(r->env);
}

/* Its number; -1: the third. Of one label against all others, the others are what is known. */
static int take_label(reader *r, const char *text, size_t length) {
  const char *rest = r->source->vs_rest;
  if (r->source->no_labels) return 0;
  if (rest && strlen(rest) == length && !memcmp(rest, text, length)) return 1;
  const int number = irl_labels_add(&r->known, text, length);
  return rest ? 0 : number;
}

static irl_status read_line(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *label = r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  const size_t length = (size_t)(r->at - label);
  if (memchr(label, ':', length) || memchr(label, '\0', length))
    return fail_at(r, label, "a line must start with a label");
  const int number = take_label(r, label, length);
  if (number < 0)
    return fail_at(r, label,
                   "this is the third label; two are allowed, or --vs-rest VALUE for one "
                   "of them against all others");
  if (!irl_array_push(allocator, &r->labels, (uint8_t)number) ||
      !irl_array_push(allocator, &r->start, r->entries.n))
    return irl_fail_memory(r->env);
  uint32_t last = 0;
  for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
    const irl_status status = read_entry(r, &last);
    if (status) return status;
  }
  return IRL_OK;
}

static irl_status read_lines(reader *r) {
  size_t left = (size_t)(r->end - r->at);
  for (; r->at < r->end; skip_line(r)) {
    skip_blanks(r);
    if (at_line_end(r)) continue;
    const irl_status status = read_line(r);
    if (status) return status;
    if (left - (size_t)(r->end - r->at) < IRL_READING_STEP) continue;
    left = (size_t)(r->end - r->at);
    if (irl_reading_limit_reached(r->env)) return irl_reading_fail(r->env, r->source->path);
  }
  if (!r->start.n) return fail_at(r, r->end, "the file has no samples");
  return r->n_features ? IRL_OK : fail_at(r, r->end, "the file has no features");
}

/* A feature that no sample has does not show in the file; if a rule needs it, it is 0. */
static void add_wanted_features(reader *r) {
  const irl_names *only = r->source->only;
  for (size_t i = 0; only && i < only->n; i++) {
    const char *name = irl_names_get(only, i);
    char *end;
    if (name[0] != 'f' || name[1] < '1' || name[1] > '9') continue;
    const unsigned long index = strtoul(name + 1, &end, 10);
    if (!*end && index <= max_index(r) && index > r->n_features) r->n_features = (uint32_t)index;
  }
}

size_t irl_libsvm_row_end(const irl_libsvm *r, size_t row) {
  return row + 1 < r->start.n ? r->start.items[row + 1] : r->entries.n;
}

/* A bit goes straight to its place: the samples of each class in the order of the file. */
static void copy_bits(const reader *r, irl_data *data) {
  assert(r->labels.n == r->start.n && !r->values.n);
  uint32_t a = 0, b = 0;
  for (size_t i = 0; i < r->start.n; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_bits_matrix *matrix = is_case ? &data->cases : &data->controls;
    const uint32_t sample = is_case ? a++ : b++;
    for (size_t e = r->start.items[i]; e < irl_libsvm_row_end(r, i); e++)
      irl_bits_set(irl_bits_vector(matrix, r->entries.items[e]), sample);
  }
}

/* ---- labels ---- */

static irl_status check_rest(const reader *r) {
  size_t n_cases = 0;
  for (size_t i = 0; i < r->start.n; i++) n_cases += r->labels.items[i];
  if (r->source->one_class_ok || (n_cases && n_cases < r->start.n)) return IRL_OK;
  return irl_fail(r->env, IRL_BAD_INPUT, "%s: %s label is '%s'", r->source->path,
                  n_cases ? "every" : "no", r->source->vs_rest);
}

static bool copy_text(const reader *r, char **into, const char *text, size_t length) {
  *into = irl_mem_copy_text(&r->env->allocator, text, length);
  return *into != NULL;
}

/* Have the controls several labels? */
static bool has_rest(const reader *r) {
  return r->source->vs_rest && r->known.n != 1;
}

static irl_status name_rest(const reader *r, char *texts[2]) {
  const char *rest = r->source->vs_rest;
  irl_text no;
  irl_text_init(&no, r->env);
  if (has_rest(r))
    irl_text_printf(&no, "not %s", rest);
  else
    irl_text_add(&no, r->known.text[0], r->known.length[0]);
  const irl_status status = irl_text_take(&no, &texts[1]);
  if (status) return status;
  return copy_text(r, &texts[0], rest, strlen(rest)) ? check_rest(r) : irl_fail_memory(r->env);
}

/* Labels become 1 for cases, and texts[] those of cases and controls. */
static irl_status resolve(reader *r, char *texts[2]) {
  const irl_source *source = r->source;
  int positive;
  if (source->no_labels) return IRL_OK;
  if (source->vs_rest) return name_rest(r, texts);
  const irl_status status =
      irl_labels_resolve(r->env, source, &r->known, r->text, "label", &positive);
  if (status) return status;
  for (size_t i = 0; i < r->start.n; i++) r->labels.items[i] = r->labels.items[i] == positive;
  for (int i = 0; i < (int)r->known.n; i++)
    if (!copy_text(r, &texts[i == positive ? 0 : 1], r->known.text[i], r->known.length[i]))
      return irl_fail_memory(r->env);
  return IRL_OK;
}

/* ---- the answer ---- */

static irl_status build_bits(reader *r, const irl_data_labels *called, irl_data **out) {
  irl_names names;
  irl_status status = IRL_OK;
  add_wanted_features(r);
  irl_names_init(&names, &r->env->allocator);
  const size_t stride = irl_bits_stride(r->start.n) + IRL_BITS_BLOCK; /* of both classes, at most */
  status = irl_libsvm_afford(r, (double)r->n_features * (double)(NAME_BYTES + 8 * stride));
  if (!status && !irl_names_add_numbered(&names, r->n_features)) status = irl_fail_memory(r->env);
  if (!status)
    status = irl_data_create(r->env, r->source->path, &names, r->start.n,
                             r->source->no_labels ? NULL : r->labels.items, called, out);
  if (!status) copy_bits(r, *out);
  if (!status) (*out)->is_rest = has_rest(r);
  irl_names_free(&names);
  return status;
}

static irl_status build_numbers(reader *r, const irl_data_labels *called, irl_table *table) {
  add_wanted_features(r);
  table->n_samples = (uint32_t)r->start.n;
  table->has_labels = !r->source->no_labels;
  table->is_rest = has_rest(r);
  if (table->has_labels) {
    table->labels = r->labels.items;
    r->labels.items = NULL;
  }
  const irl_status status = irl_table_name_labels(r->env, table, called);
  return status ? status : irl_libsvm_numbers(r, table);
}

irl_status irl_libsvm_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  char *texts[2] = {NULL, NULL};
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  reader r = {.env = env, .source = source, .text = file.bytes, .at = file.bytes};
  r.end = r.text + file.size;
  status = read_lines(&r);
  if (!status && r.start.n > UINT32_MAX - 512)
    status = fail_at(&r, r.end, "more than 4294966783 samples");
  if (!status) status = resolve(&r, texts);
  const irl_data_labels called = {NULL, texts[0] ? texts[0] : source->positive,
                                  texts[1] ? texts[1] : source->negative, false};
  if (!status)
    status = r.not_a_bit || source->is_typed ? build_numbers(&r, &called, table)
                                             : build_bits(&r, &called, &table->plain);
  for (size_t i = 0; i < 2; i++) irl_mem_free(&env->allocator, texts[i]);
  irl_array_free(&env->allocator, &r.labels);
  irl_array_free(&env->allocator, &r.start);
  irl_array_free(&env->allocator, &r.entries);
  irl_array_free(&env->allocator, &r.values);
  irl_array_free(&env->allocator, &r.missing);
  irl_file_close(&file);
  return status;
}

/* The labels are 1 and 0. The last feature is written on the first line, with its 0 if need be, so
 * that the number of features survives. */
irl_status irl_libsvm_write(irl_env *env, const irl_data *data, FILE *stream) {
  irl_data_rows rows;
  irl_status status = irl_data_rows_init(env, &rows, data, 1);
  if (status) return status;
  uint32_t a = 0, b = 0;
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const uint64_t *row =
        is_case ? irl_bits_vector(&rows.cases, a++) : irl_bits_vector(&rows.controls, b++);
    putc(is_case ? '1' : '0', stream);
    for (size_t w = 0; w < irl_bits_stride(data->n_features); w++)
      for (uint64_t word = row[w]; word; word &= word - 1)
        fprintf(stream, " %zu:1", 64 * w + (size_t)__builtin_ctzll(word) + 1);
    if (i == 0 && data->n_features && !irl_bits_get(row, data->n_features - 1))
      fprintf(stream, " %u:0", data->n_features);
    putc('\n', stream);
  }
  irl_data_rows_free(&rows);
  return IRL_OK;
}
