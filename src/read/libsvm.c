/* LIBSVM's sparse text: `label index:value ...` per line, indices from 1, ascending; `#` starts a
 * comment. It has no names, so features are f1, f2, ... An index that a line does not have is 0. If
 * all values are 0 and 1 the columns are features; otherwise they are numbers, and are cut as those
 * of other files. What each of those is for comes from the options or from a rule (typed_roles.c),
 * and so do weights and missing values (nan). Columns that hold 0 and 1 alone are binary. The table
 * is dense, eight bytes per cell: files of very many columns, as of texts, are refused rather than
 * fill the memory. */
#include "base/array.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ireland_data.h"
#include "read/blocks.h"
#include "read/typed.h"
#include <inttypes.h>
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
#define COLUMN_BYTES   400.0                /* of a column of numbers besides its cells */

typedef struct reader {
  irl_env *env;
  const irl_source *source;
  const char *text, *end, *at;
  irl_labels known; /* labels as they were met; with vs_rest those of the controls, two at most */
  struct {
    IRL_ARRAY(uint8_t)
  } labels; /* number in `known`; with vs_rest 1 for the cases */
  struct {
    IRL_ARRAY(size_t)
  } start; /* of each row's entries */
  struct {
    IRL_ARRAY(uint32_t)
  } entries; /* features */
  struct {
    IRL_ARRAY(double)
  } values;              /* of the entries; none: all are 1 */
  const char *not_a_bit; /* where the first value other than 0 and 1 stands */
  struct {
    IRL_ARRAY(const char *)
  } missing; /* where values are not a number, in the order of the entries */
  uint32_t n_features;
  irl_position before; /* of a part of a file: what is before it, */
  uint64_t file_size;  /* bytes of the whole, */
  bool is_part, has_values;
  uint32_t *wanted; /* and the indices that are kept, ascending */
  size_t n_wanted;
  size_t at_column; /* that was made last */
} reader;

#define fail_at(r, where, ...)                                                                     \
  irl_source_fail((r)->env, (irl_place){(r)->source->path, (r)->text, where, (r)->before},         \
                  __VA_ARGS__)

/* Fails if so many bytes are more than the memory limit leaves, or than the file can justify. */
static irl_status afford(const reader *r, double bytes) {
  const double most = FREE_BYTES + BYTES_PER_BYTE * (double)(r->end - r->text);
  if (bytes <= most)
    return irl_reading_affords(r->env, bytes) ? IRL_STATUS_OK
                                              : irl_reading_fail(r->env, r->source->path);
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

static uint64_t max_index(const reader *r) {
  const uint64_t most = FREE_INDEX + INDEX_PER_BYTE * r->file_size;
  return most < MAX_INDEX ? most : MAX_INDEX;
}

/* The number of the feature with that index; of a part, UINT32_MAX if it is not wanted. */
static uint32_t find_feature(const reader *r, uint32_t index) {
  size_t low = 0, high = r->n_wanted;
  if (!r->is_part) return index - 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (r->wanted[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->n_wanted && r->wanted[low] == index ? (uint32_t)low : UINT32_MAX;
}

/* One `index:value`; *last is the index before it on the line. */
static irl_status read_entry(reader *r, uint32_t *last) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *start = r->at;
  uint64_t index = 0;
  double value;
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
  start = ++r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  if (!irl_number_parse(start, (size_t)(r->at - start), &value))
    return fail_at(r, start, "this value is not a number");
  const uint32_t feature = find_feature(r, *last);
  r->has_values |= value != 0 && value != 1;
  if (feature == UINT32_MAX) return IRL_STATUS_OK;
  if (value != 0 && value != 1 && !r->not_a_bit) r->not_a_bit = start;
  if (value == 0) return IRL_STATUS_OK;
  bool done = !isnan(value) || irl_array_push(allocator, &r->missing, start);
  /* Values are kept from the first one on that is not 0 or 1; all entries before it are 1. */
  while (done && r->not_a_bit && r->values.n < r->entries.n)
    done = irl_array_push(allocator, &r->values, 1);
  if (done && r->not_a_bit) done = irl_array_push(allocator, &r->values, value);
  return done && irl_array_push(allocator, &r->entries, feature) ? IRL_STATUS_OK
                                                                 : irl_fail_memory(r->env);
}

static irl_status read_line(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *label = r->at, *rest = r->source->vs_rest;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  const size_t length = (size_t)(r->at - label);
  if (memchr(label, ':', length) || memchr(label, '\0', length))
    return fail_at(r, label, "a line must start with a label");
  /* Of one label against all others, the others are what is known. */
  const bool is_rest_case = rest && strlen(rest) == length && !memcmp(rest, label, length);
  int number = is_rest_case && !r->source->no_labels;
  if (!is_rest_case && !r->source->no_labels) {
    const int added = irl_labels_add(&r->known, label, length);
    number = rest ? 0 : added;
  }
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
  return IRL_STATUS_OK;
}

static irl_status read_lines(reader *r) {
  size_t left = (size_t)(r->end - r->at);
  while (r->at < r->end) {
    skip_blanks(r);
    const irl_status status = at_line_end(r) ? IRL_STATUS_OK : read_line(r);
    if (status) return status;
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = line_end ? line_end + 1 : r->end;
    if (left - (size_t)(r->end - r->at) < IRL_READING_STEP) continue;
    left = (size_t)(r->end - r->at);
    if (irl_reading_limit_reached(r->env)) return irl_reading_fail(r->env, r->source->path);
  }
  if (r->is_part) return IRL_STATUS_OK;
  if (!r->start.n) return fail_at(r, r->end, "the file has no samples");
  return r->n_features ? IRL_STATUS_OK : fail_at(r, r->end, "the file has no features");
}

/* The index that the name of a feature means; 0: none. */
static uint32_t index_of(const reader *r, const char *name) {
  char *end;
  if (name[0] != 'f' || name[1] < '1' || name[1] > '9') return 0;
  const unsigned long index = strtoul(name + 1, &end, 10);
  return !*end && index <= max_index(r) ? (uint32_t)index : 0;
}

/* A feature that no sample has does not show in the file; if a rule needs it, it is 0. */
static void add_wanted_features(reader *r) {
  const irl_names *only = r->source->only;
  for (size_t i = 0; only && i < only->n && !r->is_part; i++) {
    const uint32_t index = index_of(r, irl_names_get(only, i));
    if (index > r->n_features) r->n_features = index;
  }
}

static int compare_indices(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The indices that a part is read for. */
static irl_status list_wanted(reader *r) {
  const irl_names *only = r->source->only;
  r->wanted = irl_mem_alloc(&r->env->allocator, only->n, sizeof *r->wanted);
  if (!r->wanted) return irl_fail_memory(r->env);
  for (size_t i = 0; i < only->n; i++) {
    const uint32_t index = index_of(r, irl_names_get(only, i));
    if (index) r->wanted[r->n_wanted++] = index;
  }
  qsort(r->wanted, r->n_wanted, sizeof *r->wanted, compare_indices);
  return IRL_STATUS_OK;
}

/* f1, f2, ..., or of a part those that are wanted. */
static bool name_features(const reader *r, irl_names *names) {
  char name[16];
  bool done = r->is_part || irl_names_add_numbered(names, r->n_features);
  for (size_t i = 0; r->is_part && i < r->n_wanted && done; i++) {
    const int length = snprintf(name, sizeof name, "f%" PRIu32, r->wanted[i]);
    done = irl_names_add(names, name, (size_t)length);
  }
  return done;
}

/* Entries of row i: from start[i] up to this one. */
static size_t row_end(const reader *r, size_t row) {
  return row + 1 < r->start.n ? r->start.items[row + 1] : r->entries.n;
}

/* ---- labels ---- */

/* Have the controls several labels? */
static bool has_rest(const reader *r) {
  return r->source->vs_rest && r->known.n != 1;
}

/* Labels become 1 for cases, and texts[] those of cases and controls. */
static irl_status resolve(reader *r, char *texts[2]) {
  const irl_source *source = r->source;
  const irl_allocator *allocator = &r->env->allocator;
  irl_status status = IRL_STATUS_OK;
  int positive;
  if (source->no_labels) return IRL_STATUS_OK;
  if (!source->vs_rest) {
    const irl_place at = {source->path, r->text, r->known.text[0], r->before};
    status = irl_labels_resolve(r->env, source, &r->known, irl_place_find(at), "label", &positive);
    if (status) return status;
    for (size_t i = 0; i < r->start.n; i++) r->labels.items[i] = r->labels.items[i] == positive;
    for (int i = 0; i < (int)r->known.n && !status; i++) {
      char **text = &texts[i != positive];
      *text = irl_mem_copy_text(allocator, r->known.text[i], r->known.length[i]);
      if (!*text) status = irl_fail_memory(r->env);
    }
    return status;
  }
  irl_text no;
  size_t n_cases = 0;
  irl_text_init(&no, r->env);
  if (has_rest(r))
    irl_text_printf(&no, "not %s", source->vs_rest);
  else
    irl_text_add(&no, r->known.text[0], r->known.length[0]);
  status = irl_text_take(&no, &texts[1]);
  if (status) return status;
  texts[0] = irl_mem_copy_text(allocator, source->vs_rest, strlen(source->vs_rest));
  if (!texts[0]) return irl_fail_memory(r->env);
  for (size_t i = 0; i < r->start.n; i++) n_cases += r->labels.items[i];
  if (source->one_class_ok || (n_cases && n_cases < r->start.n)) return IRL_STATUS_OK;
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: %s label is '%s'", source->path,
                  n_cases ? "every" : "no", source->vs_rest);
}

/* ---- data ---- */

static irl_status build_bits(reader *r, const irl_data_labels *called, irl_data **out) {
  irl_names names;
  irl_data *data = NULL;
  uint32_t at[2] = {0, 0};
  add_wanted_features(r);
  irl_names_init(&names, &r->env->allocator);
  const irl_data_frame frame = {r->source->path, &names, r->start.n,
                                r->source->no_labels ? NULL : r->labels.items, *called};
  const size_t stride = irl_bits_stride(r->start.n) + IRL_BITS_BLOCK; /* of both classes, at most */
  irl_status status = afford(r, (double)r->n_features * (double)(NAME_BYTES + 8 * stride));
  if (!status && !name_features(r, &names)) status = irl_fail_memory(r->env);
  if (!status) status = irl_data_create(r->env, &frame, &data);
  irl_names_free(&names);
  if (status) return status;
  /* A bit goes straight to its place: the samples of each class in the order of the file. */
  assert(r->labels.n == r->start.n && !r->values.n);
  for (size_t i = 0; i < r->start.n; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_bits_matrix *matrix = is_case ? &data->cases : &data->controls;
    const uint32_t sample = at[is_case]++;
    for (size_t e = r->start.items[i]; e < row_end(r, i); e++)
      irl_bits_set(irl_bits_vector(matrix, r->entries.items[e]), sample);
  }
  data->is_rest = has_rest(r);
  *out = data;
  return IRL_STATUS_OK;
}

static irl_status refuse(const typed_plan *plan, size_t column, const char *what) {
  return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT, "%s: column '%s' %s", plan->csv.source->path,
                  irl_names_get(&plan->csv.columns, column), what);
}

static irl_status make_column(typed_plan *plan, size_t i) {
  const typed_column *from = &plan->columns[i];
  if (from->role != TYPED_KEEP) return IRL_STATUS_OK;
  irl_column *into = &plan->table->columns[from->into];
  if (from->forced == IRL_COLUMN_CATEGORY)
    return refuse(plan, i, "cannot be a category; this format has numbers only");
  if (from->forced == IRL_COLUMN_BINARY && from->look.has_other)
    return refuse(plan, i, "holds other values than 0 and 1");
  if (from->forced == IRL_COLUMN_SNP && from->look.has_more)
    return refuse(plan, i, "holds other values than 0, 1 and 2, which count alleles");
  const irl_column_type type = from->forced != IRL_NOT_FORCED ? (irl_column_type)from->forced
                               : from->look.has_other         ? IRL_COLUMN_NUMBER
                                                              : IRL_COLUMN_BINARY;
  into->n_missing = from->look.n_missing;
  return irl_column_init(into, &plan->table->allocator, type, plan->n_rows)
             ? IRL_STATUS_OK
             : irl_fail_memory(plan->csv.env);
}

static irl_status take_value(const typed_plan *plan, size_t row, uint32_t column, double value) {
  const typed_column *from = &plan->columns[column];
  assert(column < plan->csv.n_columns && row < plan->n_rows);
  if (from->role == TYPED_KEEP) {
    irl_column *into = &plan->table->columns[from->into];
    if (into->type == IRL_COLUMN_NUMBER)
      into->numbers[row] = value;
    else
      irl_packed_set(&into->cells, row, isnan(value) ? IRL_CELL_MISSING : (unsigned)value);
  }
  if (from->role != TYPED_WEIGHT) return IRL_STATUS_OK;
  if (!isfinite(value) || value < 0) return refuse(plan, column, "has a weight below 0 or none");
  plan->table->weights[row] = value;
  return IRL_STATUS_OK;
}

static irl_status make_columns(const reader *r, typed_plan *plan) {
  irl_env *env = plan->csv.env;
  size_t n_missing = 0;
  double bytes = 0;
  /* Which columns hold other values than 0 and 1, and missing ones. */
  for (size_t e = 0; r->values.n && e < r->entries.n; e++) {
    const double value = r->values.items[e];
    typed_look *of = &plan->columns[r->entries.items[e]].look;
    of->n_numbers++;
    of->has_other |= value != 1 && !isnan(value);
    of->has_more |= value != 1 && value != 2 && !isnan(value);
    if (!isnan(value)) continue;
    if (!of->n_missing++) of->first_missing = r->missing.items[n_missing];
    n_missing++;
  }
  /* What the cells of the columns that are kept take. */
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *c = &plan->columns[i];
    const bool is_number =
        c->forced == IRL_NOT_FORCED ? c->look.has_other : c->forced == IRL_COLUMN_NUMBER;
    if (c->role == TYPED_WEIGHT || (c->role == TYPED_KEEP && is_number))
      bytes += 8.0 * (double)plan->n_rows;
    else if (c->role == TYPED_KEEP)
      bytes += 16.0 * (double)irl_packed_words(plan->n_rows);
  }
  irl_status status = afford(r, bytes);
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    if (plan->columns[i].role != TYPED_WEIGHT) continue;
    plan->table->weights =
        irl_mem_alloc(&plan->table->allocator, plan->n_rows, sizeof *plan->table->weights);
    if (!plan->table->weights) status = irl_fail_memory(env);
  }
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    plan->at_column = i;
    status = make_column(plan, i);
  }
  for (size_t i = 0; i < r->start.n && !status; i++)
    for (size_t e = r->start.items[i]; e < row_end(r, i) && !status; e++)
      status = take_value(plan, i, r->entries.items[e], r->values.n ? r->values.items[e] : 1);
  return status;
}

static irl_status build_numbers(reader *r, const irl_data_labels *called, irl_table *table) {
  add_wanted_features(r);
  typed_plan plan = {.csv = {.env = r->env,
                             .source = r->source,
                             .before = r->before,
                             .n_columns = r->n_features,
                             .target = r->n_features,
                             .text = r->text,
                             .header = r->text,
                             .end = r->end},
                     .n_rows = r->start.n,
                     .table = table};
  table->n_samples = (uint32_t)r->start.n;
  table->has_labels = !r->source->no_labels;
  table->is_rest = has_rest(r);
  if (table->has_labels) IRL_SWAP(table->labels, r->labels.items);
  irl_status status = irl_table_name_labels(r->env, table, called);
  if (!status) status = afford(r, COLUMN_BYTES * r->n_features);
  if (status) return status;
  irl_names_init(&plan.csv.columns, &r->env->allocator);
  status = name_features(r, &plan.csv.columns) && irl_names_index(&plan.csv.columns, NULL)
               ? irl_typed_roles(&plan)
               : irl_fail_memory(r->env);
  if (!status) status = make_columns(r, &plan);
  if (!status) status = irl_typed_check(&plan);
  r->at_column = plan.at_column;
  irl_typed_free(&plan);
  return status;
}

static void free_reader(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_array_free(allocator, &r->labels);
  irl_array_free(allocator, &r->start);
  irl_array_free(allocator, &r->entries);
  irl_array_free(allocator, &r->values);
  irl_array_free(allocator, &r->missing);
  irl_mem_free(allocator, r->wanted);
}

/* What was read as a table. */
static irl_status build(reader *r, irl_table *table) {
  const irl_source *source = r->source;
  char *texts[2] = {NULL, NULL};
  irl_status status = resolve(r, texts);
  const irl_data_labels called = {NULL, texts[0] ? texts[0] : source->positive,
                                  texts[1] ? texts[1] : source->negative, false};
  if (!status)
    status = r->not_a_bit || source->is_typed ? build_numbers(r, &called, table)
                                              : build_bits(r, &called, &table->plain);
  for (size_t i = 0; i < 2; i++) irl_mem_free(&r->env->allocator, texts[i]);
  return status;
}

irl_status irl_libsvm_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  reader r = {.env = env,
              .source = source,
              .text = file.bytes,
              .at = file.bytes,
              .end = file.bytes + file.size,
              .file_size = file.size};
  status = read_lines(&r);
  if (!status && r.start.n > UINT32_MAX - 512)
    status = fail_at(&r, r.end, "more than 4294966783 samples");
  if (!status) status = build(&r, table);
  free_reader(&r);
  irl_file_close(&file);
  return status;
}

/* ---- in parts ---- */

static irl_status add_facts(const reader *r, irl_facts *facts) {
  facts->n_rows += r->start.n;
  facts->has_features |= r->n_features > 0;
  facts->has_values |= r->has_values;
  for (size_t i = facts->labels.n; i < r->known.n; i++) {
    const irl_place at = {r->source->path, r->text, r->known.text[i], r->before};
    char *label = irl_mem_copy_text(&r->env->allocator, r->known.text[i], r->known.length[i]);
    const bool done = label && irl_facts_add_label(facts, label, label, r->known.length[i], at);
    irl_mem_free(&r->env->allocator, label);
    if (!done) return irl_fail_memory(r->env);
  }
  return IRL_STATUS_OK;
}

irl_status irl_libsvm_read_part(irl_env *env, const irl_source *source, const irl_part *part,
                                irl_facts *facts, irl_table *table) {
  irl_source bare = *source;
  reader r = {.env = env,
              .source = source,
              .text = part->text,
              .at = part->text,
              .end = part->end,
              .before = part->before,
              .file_size = part->file_size,
              .is_part = true};
  assert(source->only);
  for (; facts && r.known.n < facts->raw.n; r.known.n++) { /* of the parts before */
    r.known.text[r.known.n] = irl_names_get(&facts->raw, r.known.n);
    r.known.length[r.known.n] = strlen(r.known.text[r.known.n]);
  }
  irl_status status = list_wanted(&r);
  if (!status) status = read_lines(&r);
  if (!status && facts) status = add_facts(&r, facts);
  const bool is_read = !status;
  r.n_features = (uint32_t)r.n_wanted;
  bare.no_labels |= facts != NULL;
  r.source = &bare;
  if (!status && r.start.n) status = build(&r, table);
  if (status == IRL_STATUS_BAD_INPUT && facts && is_read) {
    irl_facts_add_misfit(facts, r.at_column, irl_env_error(env));
    status = IRL_STATUS_OK;
  }
  free_reader(&r);
  return status;
}
