/* Tables in .irb files, version 3 (irb.c has the format). Everything in a file is checked before it
 * becomes a table: hashes, sizes, types, cells against types, numbers of missing cells, values. */
#include "base/endian.h"
#include "base/limit.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "read/irb.h"
#include "read/typed.h"
#include <xxhash.h>

typedef struct record {
  uint64_t offset, size, hash, n_missing;
  uint32_t type, n_values;
} record;

_Static_assert(sizeof(record) == IRL_IRB_RECORD, "records have no gaps");

/* From and to the order of the file. */
static record turn_record(record r) {
  return (record){irl_endian_64(r.offset),    irl_endian_64(r.size), irl_endian_64(r.hash),
                  irl_endian_64(r.n_missing), irl_endian_32(r.type), irl_endian_32(r.n_values)};
}

static uint64_t whole_words(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

/* Bytes of the cells alone, without the values of a category. */
static uint64_t cells_size(irl_column_type type, uint64_t n) {
  return irl_type_is_packed(type)      ? 2 * sizeof(uint64_t) * irl_packed_words(n)
         : type == IRL_COLUMN_NUMBER   ? sizeof(double) * n
         : type == IRL_COLUMN_CATEGORY ? whole_words(sizeof(uint32_t) * n)
                                       : 0;
}

/* ---- writing ---- */

typedef struct writer {
  irl_env *env;
  const irl_table *table;
  record *records;
  uint64_t *buffer; /* for one column */
  char *names;
  uint64_t *labels;
  uint64_t sizes[IRL_N_PARTS], hashes[IRL_N_PARTS];
} writer;

/* A column as it stands in the file, in the buffer. */
static void pack_column(const writer *w, size_t j) {
  const irl_column *c = &w->table->columns[j];
  const uint32_t n = w->table->n_samples;
  memset(w->buffer, 0, w->records[j].size);
  if (c->type == IRL_COLUMN_NUMBER) {
    for (uint32_t i = 0; i < n; i++) {
      const double value = isnan(c->numbers[i]) ? (double)NAN : c->numbers[i];
      memcpy(&w->buffer[i], &value, sizeof value);
    }
    irl_endian_convert(w->buffer, n);
  }
  if (c->type == IRL_COLUMN_CATEGORY) {
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t code = irl_endian_32(c->codes[i]);
      memcpy(((char *)w->buffer) + sizeof code * i, &code, sizeof code);
    }
    if (c->values->n)
      memcpy(((char *)w->buffer) + cells_size(IRL_COLUMN_CATEGORY, n), c->values->text,
             c->values->text_used);
  }
  if (!irl_type_is_packed(c->type)) return;
  memcpy(w->buffer, c->cells.low, w->records[j].size / (c->cells.high ? 1 : 2));
  irl_endian_convert(w->buffer, w->records[j].size / sizeof(uint64_t));
}

static irl_status prepare(writer *w) {
  const irl_table *table = w->table;
  const irl_allocator *allocator = &w->env->allocator;
  const irl_data_labels called = {table->target, table->positive, table->negative, false};
  const size_t n_words = irl_bits_stride(table->n_samples);
  uint64_t at = 0, largest = 0;
  size_t next = 0;
  w->names = irl_irb_pack_names(w->env, &called, &table->names, &w->sizes[IRL_PART_NAMES]);
  w->records = irl_mem_alloc(allocator, table->names.n, sizeof *w->records);
  w->labels = irl_mem_alloc(allocator, n_words, sizeof *w->labels);
  if (!w->names || !w->records || !w->labels) return irl_fail_memory(w->env);
  for (uint32_t i = 0; table->has_labels && i < table->n_samples; i++)
    if (table->labels[i]) irl_bits_set(w->labels, i);
  for (size_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    uint64_t size = cells_size(c->type, table->n_samples);
    if (c->type == IRL_COLUMN_CATEGORY) size += whole_words(c->values->text_used);
    w->records[j] =
        (record){.offset = at,
                 .size = size,
                 .n_missing = c->type == IRL_COLUMN_IGNORED ? 0 : c->n_missing,
                 .type = c->type,
                 .n_values = c->type == IRL_COLUMN_CATEGORY ? (uint32_t)c->values->n : 0};
    at += size;
    if (size > largest) largest = size;
  }
  w->buffer = irl_mem_alloc(allocator, largest, 1);
  if (!w->buffer) return irl_fail_memory(w->env);
  for (size_t j = 0; j < table->names.n; j++) {
    if (irl_reading_limit_reached_at(w->env, &next, w->records[j].offset)) return IRL_STATUS_LIMIT;
    pack_column(w, j);
    w->records[j].hash = XXH3_64bits(w->buffer, w->records[j].size);
    w->records[j] = turn_record(w->records[j]);
  }
  w->sizes[IRL_PART_LABELS] = n_words * sizeof *w->labels;
  w->sizes[IRL_PART_COLUMNS] = table->names.n * sizeof *w->records;
  w->sizes[IRL_PART_CELLS] = at;
  irl_endian_convert(w->labels, n_words);
  const void *const parts[] = {w->names, w->labels, w->records};
  for (int i = 0; i < IRL_PART_CELLS; i++) w->hashes[i] = XXH3_64bits(parts[i], w->sizes[i]);
  return IRL_STATUS_OK;
}

irl_status irl_irb_write_table(irl_env *env, const irl_table *table, FILE *stream) {
  writer w = {.env = env, .table = table};
  irl_table_info info = IRL_SIZED(irl_table_info);
  assert(!table->weights && irl_table_check(table));
  irl_table_describe(table, &info);
  irl_irb_header h = {.version = IRL_IRB_TABLE,
                      .has_labels = table->has_labels,
                      .n_samples = table->n_samples,
                      .n_features = (uint32_t)table->names.n,
                      .n_cases = (uint32_t)info.cases,
                      .is_rest = table->is_rest};
  uint64_t at = sizeof h;
  size_t next = 0;
  irl_status status = prepare(&w);
  if (!status) irl_irb_put_header(&h, w.sizes, w.hashes, stream);
  const void *const parts[IRL_N_PARTS] = {w.names, w.labels, w.records, NULL};
  for (int i = 0; i < IRL_N_PARTS && !status; i++) {
    irl_irb_pad(stream, &at, h.parts[i].offset);
    if (parts[i]) fwrite(parts[i], 1, w.sizes[i], stream);
    at += w.sizes[i];
  }
  for (size_t j = 0; j < table->names.n && !status; j++) {
    if (irl_reading_limit_reached_at(env, &next, at)) status = IRL_STATUS_LIMIT;
    w.records[j] = turn_record(w.records[j]);
    at += w.records[j].size;
    pack_column(&w, j);
    fwrite(w.buffer, 1, w.records[j].size, stream);
  }
  irl_mem_free(&env->allocator, w.names);
  irl_mem_free(&env->allocator, w.labels);
  irl_mem_free(&env->allocator, w.records);
  irl_mem_free(&env->allocator, w.buffer);
  return status;
}

/* ---- reading ---- */

typedef struct reader {
  irl_env *env;
  const irl_source *source;
  const char *bytes;
  const irl_irb_header *h;
  irl_names names;
} reader;

static irl_status refuse(const reader *r, size_t column, uint64_t offset, const char *what) {
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: offset %llu: column '%s' %s", r->source->path,
                  (unsigned long long)offset, irl_names_get(&r->names, column), what);
}

static record record_at(const reader *r, size_t column) {
  record found;
  memcpy(&found, r->bytes + r->h->parts[IRL_PART_COLUMNS].offset + column * sizeof found,
         sizeof found);
  return turn_record(found);
}

/* Types are known and columns stand one after another. */
static irl_status check_records(const reader *r) {
  const irl_irb_part *part = &r->h->parts[IRL_PART_COLUMNS];
  const uint64_t all = r->h->parts[IRL_PART_CELLS].size;
  uint64_t at = 0;
  for (size_t j = 0; j < r->h->n_features; j++) {
    const record c = record_at(r, j);
    const uint64_t place = part->offset + j * sizeof c;
    const uint64_t cells = c.type < IRL_N_COLUMN_TYPES
                               ? cells_size((irl_column_type)c.type, r->h->n_samples)
                               : UINT64_MAX;
    const bool has_values = c.type == IRL_COLUMN_CATEGORY;
    if (c.type >= IRL_N_COLUMN_TYPES) return refuse(r, j, place, "has no known type");
    if (c.offset != at || c.size > all - at || c.size < cells || (c.size > cells && !has_values) ||
        c.size % sizeof(uint64_t) || (c.n_values && !has_values) || c.n_values > c.size - cells)
      return refuse(r, j, place, "does not fit its type");
    at += c.size;
  }
  return at == all ? IRL_STATUS_OK
                   : irl_irb_damaged(r->env, r->source->path, part->offset,
                                     "the columns do not fill the cells");
}

/* Labels and what they are called. */
static irl_status take_labels(reader *r, irl_table *table) {
  const irl_irb_part *names = &r->h->parts[IRL_PART_NAMES], *part = &r->h->parts[IRL_PART_LABELS];
  irl_data_labels called = {0};
  uint64_t word = 0;
  uint32_t n_cases = 0;
  irl_status status = irl_irb_read_names(r->env, r->source->path, r->bytes + names->offset, r->h,
                                         &called, &r->names);
  if (!status) status = irl_table_name_labels(r->env, table, &called);
  if (status) return status;
  table->labels = irl_mem_alloc(&table->allocator, r->h->n_samples, 1);
  if (!table->labels) return irl_fail_memory(r->env);
  table->n_samples = r->h->n_samples;
  table->has_labels = r->h->has_labels;
  table->is_rest = r->h->is_rest;
  for (uint64_t i = 0; i < 8 * part->size; i++) {
    if (i % 64 == 0) memcpy(&word, r->bytes + part->offset + i / 8, sizeof word);
    const bool is_case = irl_endian_64(word) >> i % 64 & 1;
    if (i < table->n_samples) table->labels[i] = is_case;
    n_cases += is_case && i < table->n_samples;
    if (is_case && i >= table->n_samples) n_cases = UINT32_MAX - 1;
  }
  return n_cases == r->h->n_cases ? irl_irb_check_classes(r->env, r->source, r->h)
                                  : irl_irb_damaged(r->env, r->source->path, part->offset,
                                                    "labels contradict the sizes in the header");
}

/* The texts after the codes, each once, and zeros after them. */
static irl_status take_values(const reader *r, size_t j, const char *at, const char *end,
                              irl_column *into) {
  const uint64_t offset = r->h->parts[IRL_PART_CELLS].offset;
  const uint32_t n_values = record_at(r, j).n_values;
  uint32_t number;
  if (!irl_names_index(into->values, NULL)) return irl_fail_memory(r->env);
  for (uint32_t v = 0; v < n_values; v++) {
    const char *stop = memchr(at, '\0', (size_t)(end - at));
    if (!stop) return refuse(r, j, offset, "has fewer values than it says");
    if (!irl_names_intern(into->values, at, (size_t)(stop - at), &number))
      return irl_fail_memory(r->env);
    if (number != v) return refuse(r, j, offset, "has a value twice");
    at = stop + 1;
  }
  bool is_zero = end - at < (ptrdiff_t)sizeof(uint64_t);
  for (; at < end; at++) is_zero &= !*at;
  return is_zero ? IRL_STATUS_OK : refuse(r, j, offset, "has more values than it says");
}

static irl_status bring(void *user, size_t j, irl_column *into) {
  const reader *r = user;
  const record c = record_at(r, j);
  const uint32_t n = r->h->n_samples;
  const irl_column_type type = (irl_column_type)c.type;
  const uint64_t offset = r->h->parts[IRL_PART_CELLS].offset;
  const char *from = r->bytes + offset + c.offset;
  irl_status status = IRL_STATUS_OK;
  if (irl_reading_limit_reached(r->env)) return irl_reading_fail(r->env, r->source->path);
  if (!irl_column_init(into, &r->env->allocator, type, n)) return irl_fail_memory(r->env);
  if (XXH3_64bits(from, c.size) != c.hash)
    return refuse(r, j, offset + c.offset, "has a wrong checksum: the file is damaged");
  for (uint32_t i = 0; i < n && type == IRL_COLUMN_NUMBER; i++) {
    uint64_t word;
    memcpy(&word, from + sizeof word * i, sizeof word);
    word = irl_endian_64(word);
    memcpy(&into->numbers[i], &word, sizeof word);
  }
  if (irl_type_is_packed(type)) {
    memcpy(into->cells.low, from, cells_size(type, n));
    irl_endian_convert(into->cells.low, 2 * irl_packed_words(n));
    if (!irl_packed_tails_are_zero(&into->cells, n) ||
        (type == IRL_COLUMN_BINARY && irl_packed_count(&into->cells, n, 2)))
      return refuse(r, j, offset, "has cells that it cannot have");
  }
  for (uint32_t i = 0; i < n && type == IRL_COLUMN_CATEGORY; i++) {
    memcpy(&into->codes[i], from + sizeof(uint32_t) * i, sizeof(uint32_t));
    into->codes[i] = irl_endian_32(into->codes[i]);
    if (into->codes[i] >= c.n_values && into->codes[i] != IRL_NO_VALUE)
      return refuse(r, j, offset, "has a number without a value");
  }
  if (type == IRL_COLUMN_CATEGORY)
    status = take_values(r, j, from + cells_size(type, n), from + c.size, into);
  if (status) return status;
  into->n_missing = irl_column_count_missing(into, n);
  return into->n_missing == c.n_missing ? IRL_STATUS_OK
                                        : refuse(r, j, r->h->parts[IRL_PART_COLUMNS].offset,
                                                 "misses other cells than it says");
}

irl_status irl_irb_read_table(irl_env *env, const irl_source *source, const char *bytes,
                              const irl_irb_header *header, irl_table *table) {
  reader r = {.env = env, .source = source, .bytes = bytes, .h = header};
  irl_names_init(&r.names, &env->allocator);
  irl_status status = take_labels(&r, table);
  /* Names as other readers give them: each once, none empty or with the sign of a negation. */
  const uint64_t offset = header->parts[IRL_PART_NAMES].offset;
  uint32_t twice;
  if (!status && !irl_names_index(&r.names, &twice))
    status = irl_fail_memory(env);
  else if (!status && twice != IRL_NO_NAME)
    status = refuse(&r, twice, offset, "is there twice");
  for (size_t j = 0; j < r.names.n && !status; j++) {
    const char *name = irl_names_get(&r.names, j);
    if (!*name || *name == '!') status = refuse(&r, j, offset, "needs another name");
  }
  if (!status) status = check_records(&r);
  if (!status && !irl_reading_affords(env, (double)header->parts[IRL_PART_CELLS].size))
    status = irl_reading_fail(env, source->path);
  if (!status) status = irl_typed_file(env, source, &r.names, table, bring, &r);
  irl_names_free(&r.names);
  return status;
}
