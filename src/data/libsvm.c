/* LIBSVM's sparse text: `label index:value ...` per line, indices from 1, ascending; `#` starts a
 * comment. It has no names, so features are f1, f2, ... */
#include "base/memory.h"
#include "base/text.h"
#include "data/source.h"
#include <stdlib.h>

#define MAX_INDEX 100000000u /* as many as features can be generated; each costs memory */

typedef struct reader {
  irl_env *env;
  const irl_source *source;
  const char *text, *end, *at;
  irl_labels known;
  uint8_t *labels;
  size_t *start; /* of each row's entries */
  uint32_t *entries;
  size_t n_rows, labels_capacity, start_capacity, n_entries, entries_capacity;
  uint32_t n_features;
} reader;

static irl_status fail_at(const reader *r, const char *at, const char *what) {
  size_t line, column;
  irl_text_place(r->text, (size_t)(at - r->text), &line, &column);
  return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s", r->source->path, line, column, what);
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

/* The value must be 0 or 1, with or without decimals that are zero. */
static irl_status read_value(reader *r, bool *is_one) {
  const char *start = r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  const char *p = start + (start < r->at && *start == '+');
  bool valid = p < r->at && (*p == '0' || *p == '1');
  if (valid) *is_one = *p++ == '1';
  if (p < r->at && *p == '.')
    for (p++; p < r->at && *p == '0'; p++) {
    }
  return valid && p == r->at ? IRL_OK : fail_at(r, start, "this value is not 0 or 1");
}

static irl_status read_entry(reader *r, uint32_t *last) {
  const char *start = r->at;
  uint64_t index = 0;
  bool is_one = false;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && index < UINT32_MAX)
    index = index * 10 + (uint64_t)(*r->at++ - '0');
  if (r->at == start || r->at == r->end || *r->at != ':')
    return fail_at(r, start, "expected index:value");
  if (index < 1 || index > MAX_INDEX)
    return fail_at(r, start, "an index must be from 1 to 100000000");
  if (index <= *last) return fail_at(r, start, "indices must ascend");
  *last = (uint32_t)index;
  r->at++;
  const irl_status status = read_value(r, &is_one);
  if (status) return status;
  if (r->n_features < *last) r->n_features = *last;
  if (!is_one) return IRL_OK;
  if (!irl_mem_reserve(&r->env->allocator, (void **)&r->entries, &r->entries_capacity, r->n_entries,
                       sizeof *r->entries))
    return irl_fail_memory(r->env);
  r->entries[r->n_entries++] = *last - 1;
  return IRL_OK;
}

static irl_status read_line(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *label = r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  const size_t length = (size_t)(r->at - label);
  if (memchr(label, ':', length) || memchr(label, '\0', length))
    return fail_at(r, label, "a line must start with a label");
  const int number = irl_labels_add(&r->known, label, length);
  if (number < 0) return fail_at(r, label, "this is the third label; two are allowed");
  if (!irl_mem_reserve(allocator, (void **)&r->labels, &r->labels_capacity, r->n_rows, 1) ||
      !irl_mem_reserve(allocator, (void **)&r->start, &r->start_capacity, r->n_rows,
                       sizeof *r->start))
    return irl_fail_memory(r->env);
  r->labels[r->n_rows] = (uint8_t)number;
  r->start[r->n_rows++] = r->n_entries;
  uint32_t last = 0;
  for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
    const irl_status status = read_entry(r, &last);
    if (status) return status;
  }
  return IRL_OK;
}

static irl_status read_lines(reader *r) {
  for (; r->at < r->end; skip_line(r)) {
    skip_blanks(r);
    if (at_line_end(r)) continue;
    const irl_status status = read_line(r);
    if (status) return status;
  }
  if (!r->n_rows) return fail_at(r, r->end, "the file has no samples");
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
    if (!*end && index <= MAX_INDEX && index > r->n_features) r->n_features = (uint32_t)index;
  }
}

/* A bit goes straight to its place: the samples of each class in the order of the file. */
static void fill(const reader *r, irl_data *data) {
  uint32_t a = 0, b = 0;
  for (size_t i = 0; i < r->n_rows; i++) {
    const bool is_case = r->labels[i];
    const irl_bits_matrix *matrix = is_case ? &data->cases : &data->controls;
    const uint32_t sample = is_case ? a++ : b++;
    const size_t end = i + 1 < r->n_rows ? r->start[i + 1] : r->n_entries;
    for (size_t e = r->start[i]; e < end; e++)
      irl_bits_set(irl_bits_vector(matrix, r->entries[e]), sample);
  }
}

static irl_status build(reader *r, irl_data **out) {
  irl_env *env = r->env;
  int positive;
  irl_names names;
  irl_status status = irl_labels_resolve(env, r->source, &r->known, r->text, "label", &positive);
  if (status) return status;
  for (size_t i = 0; i < r->n_rows; i++) r->labels[i] = r->labels[i] == positive;
  add_wanted_features(r);
  irl_names_init(&names, &env->allocator);
  if (!irl_names_add_numbered(&names, r->n_features)) status = irl_fail_memory(env);
  char *texts[2] = {NULL, NULL};
  for (size_t i = 0; i < r->known.n && !status; i++) {
    texts[i] = irl_mem_copy_text(&env->allocator, r->known.text[i], r->known.length[i]);
    if (!texts[i]) status = irl_fail_memory(env);
  }
  const irl_data_labels called = {NULL, positive < 0 ? r->source->positive : texts[positive],
                                  texts[positive == 0 ? 1 : 0]};
  if (!status)
    status = irl_data_create(env, r->source->path, &names, r->n_rows, r->labels, &called, out);
  if (!status) fill(r, *out);
  irl_names_free(&names);
  for (size_t i = 0; i < 2; i++) irl_mem_free(&env->allocator, texts[i]);
  return status;
}

irl_status irl_libsvm_read(irl_env *env, const irl_source *source, irl_data **data) {
  irl_file file;
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  reader r = {.env = env, .source = source, .text = file.bytes, .at = file.bytes};
  r.end = r.text + file.size;
  status = read_lines(&r);
  if (!status) status = build(&r, data);
  irl_mem_free(&env->allocator, r.labels);
  irl_mem_free(&env->allocator, r.start);
  irl_mem_free(&env->allocator, r.entries);
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
