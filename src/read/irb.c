/* .irb, the packed format: a table as it is in memory, so that loading is reading. It is made of
 * words of 64 bits:
 *
 *   head    magic, version, has_labels, is_rest (the controls have several labels), samples, cases,
 *           number of parts; then for each part: type of its cells, how many of them are missing,
 *           number of texts, bytes of all texts, hash of the part; then the hash of the head
 *   parts   the names, the labels, and the columns one after another
 *
 * A part is its cells and then its texts, a NUL after each, zeros up to a whole word. Types count
 * from 0: binary, number, category, snp, ignore. Numbers are doubles, NaN where one is missing; 0/1
 * and SNPs two vectors of bits, the low and the high bit of each cell (packed.h), 3 where it is
 * missing, but 0/1 without missing cells the low one alone; categories 32 bits per cell, the number
 * of its text, all ones where it is missing; a column that is ignored has nothing. The labels are
 * 0/1 cells, and the names are texts without cells: target, positive, negative, the columns'.
 *
 * What features mean and how they relate is not in the file: it is made from the columns anew.
 * Numbers are little-endian, hashes are XXH3 of the bytes. Everything in a file is checked before
 * it becomes a table: hashes, sizes, types, cells against types, numbers of missing cells, texts.
 * A big-endian machine turns the words around as it reads and writes them. */
#include "read/irb.h"
#include "base/endian.h"
#include "base/limit.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "read/typed.h"
#include <xxhash.h>

#define MAGIC   "IRELAND\x1a"
#define VERSION 4u
#define WORD    sizeof(uint64_t)

typedef irl_irb_head head;
typedef irl_irb_part part;

/* A file that is read. */
typedef struct reader {
  irl_env *env;
  const irl_source *source;
  const char *bytes; /* all of it */
  uint64_t size;
  head *head;   /* in the order of this machine */
  uint64_t *at; /* where each part begins */
  char *text;   /* the names part: */
  irl_data_labels called;
  irl_names names; /* of the columns, indexed */
  uint8_t *labels; /* 1 case */
} reader;

static uint64_t whole_words(uint64_t bytes) {
  return (bytes + WORD - 1) / WORD * WORD;
}

/* Bytes of the cells alone. */
static uint64_t cells_size(const head *h, size_t i) {
  const part *p = &h->parts[i];
  const uint64_t n = h->n_samples;
  switch (p->type) {
  case IRL_COLUMN_BINARY:
    return (p->n_missing ? 2 : 1) * WORD * irl_packed_words(n);
  case IRL_COLUMN_SNP:
    return 2 * WORD * irl_packed_words(n);
  case IRL_COLUMN_NUMBER:
    return sizeof(double) * n;
  case IRL_COLUMN_CATEGORY:
    return whole_words(sizeof(uint32_t) * n);
  default:
    return 0;
  }
}

uint64_t irl_irb_size(const head *h, size_t i) {
  return cells_size(h, i) + whole_words(h->parts[i].text_size);
}

static uint64_t head_size(uint64_t n_parts) {
  return sizeof(head) + n_parts * sizeof(part);
}

/* Cells from and to the order of the file. */
static void turn_cells(const head *h, size_t i, void *cells) {
  const bool is_category = h->parts[i].type == IRL_COLUMN_CATEGORY;
  for (uint64_t k = 0; is_category && k < h->n_samples; k++) {
    uint32_t *code = (uint32_t *)cells + k;
    *code = irl_endian_32(*code);
  }
  if (!is_category) irl_endian_convert(cells, cells_size(h, i) / WORD);
}

/* ---- writing ---- */

typedef struct writer {
  const irl_table *table;
  head *head;
  uint32_t *columns; /* which column each part is */
} writer;

static void pack_text(char **at, const char *text) {
  strcpy(*at, text);
  *at += strlen(text) + 1;
}

/* A part as it stands in the file. */
static void pack(const writer *w, size_t i, uint64_t *words) {
  const irl_table *table = w->table;
  const irl_column *c = i < IRL_IRB_COLUMNS ? NULL : &table->columns[w->columns[i]];
  const uint32_t n = table->n_samples;
  const uint64_t cells = cells_size(w->head, i), size = irl_irb_size(w->head, i);
  char *text = (char *)words + cells;
  memset(words, 0, size);
  if (i == IRL_IRB_NAMES) {
    pack_text(&text, table->target);
    pack_text(&text, table->positive);
    pack_text(&text, table->negative);
    for (size_t k = IRL_IRB_COLUMNS; k < w->head->n_parts; k++)
      pack_text(&text, irl_names_get(&table->names, w->columns[k]));
  } else if (i == IRL_IRB_LABELS) {
    for (uint32_t k = 0; table->has_labels && k < n; k++)
      if (table->labels[k]) irl_bits_set(words, k);
  } else if (c->type == IRL_COLUMN_NUMBER) {
    for (uint32_t k = 0; k < n; k++) {
      const double value = isnan(c->numbers[k]) ? (double)NAN : c->numbers[k];
      memcpy(&words[k], &value, sizeof value);
    }
  } else if (c->type == IRL_COLUMN_CATEGORY) {
    memcpy(words, c->codes, n * sizeof *c->codes);
    if (c->values->n) memcpy(text, c->values->text, c->values->text_used);
  } else if (irl_type_is_packed(c->type)) {
    const size_t n_words = irl_packed_words(n); /* which may be less than the column was made for */
    memcpy(words, c->cells.low, n_words * WORD);
    if (c->cells.high && cells == 2 * n_words * WORD)
      memcpy(words + n_words, c->cells.high, n_words * WORD);
  }
  turn_cells(w->head, i, words);
}

/* Sizes and types of all parts. Of a table whose columns are its features, these alone. */
static void plan(writer *w) {
  const irl_table *table = w->table;
  const bool is_binary = irl_table_is_binary(table);
  part *names = &w->head->parts[IRL_IRB_NAMES];
  size_t n = IRL_IRB_COLUMNS;
  *names = (part){.type = IRL_COLUMN_IGNORED,
                  .text_size = strlen(table->target) + strlen(table->positive) +
                               strlen(table->negative) + 3};
  w->head->parts[IRL_IRB_LABELS] = (part){.type = IRL_COLUMN_BINARY};
  for (uint32_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    const bool is_category = c->type == IRL_COLUMN_CATEGORY;
    if (is_binary && c->type == IRL_COLUMN_IGNORED) continue;
    names->text_size += strlen(irl_names_get(&table->names, j)) + 1;
    w->columns[n] = j;
    w->head->parts[n++] = (part){.type = c->type,
                                 .n_missing = c->type == IRL_COLUMN_IGNORED ? 0 : c->n_missing,
                                 .n_texts = is_category ? c->values->n : 0,
                                 .text_size = is_category ? c->values->text_used : 0};
  }
  w->head->n_parts = n;
  names->n_texts = n - IRL_IRB_COLUMNS + 3;
}

/* The head as it stands in the file, where every part has its hash by now. */
static void write_head(head *h, FILE *stream) {
  uint64_t *words = (uint64_t *)h;
  const size_t n = head_size(h->n_parts) / WORD;
  irl_endian_convert(words, n);
  memcpy(words, MAGIC, WORD);
  words[n] = irl_endian_64(XXH3_64bits(words, n * WORD));
  fwrite(words, WORD, n + 1, stream);
  irl_endian_convert(words, n);
}

/* Walks over all parts: for their hashes, and then to write them. */
static irl_status write_parts(irl_env *env, const writer *w, uint64_t *buffer, FILE *stream) {
  size_t next = 0;
  uint64_t at = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (pass) write_head(w->head, stream);
    for (size_t i = 0; i < w->head->n_parts; i++) {
      const uint64_t size = irl_irb_size(w->head, i);
      if (irl_reading_limit_reached_at(env, &next, at)) return IRL_STATUS_LIMIT;
      pack(w, i, buffer);
      if (pass)
        fwrite(buffer, 1, size, stream);
      else
        w->head->parts[i].hash = XXH3_64bits(buffer, size);
      at += 2 * size; /* that were packed, and then hashed or written */
    }
  }
  return IRL_STATUS_OK;
}

irl_status irl_irb_write(irl_env *env, const irl_table *table, FILE *stream) {
  const irl_allocator *allocator = &env->allocator;
  const size_t most = IRL_IRB_COLUMNS + table->names.n;
  irl_table_info info = IRL_SIZED(irl_table_info);
  writer w = {.table = table,
              .head = irl_mem_alloc(allocator, head_size(most) + WORD, 1),
              .columns = irl_mem_alloc(allocator, most, sizeof *w.columns)};
  uint64_t *buffer = NULL, largest = 0;
  assert(!table->weights && irl_table_check(table));
  if (w.head && w.columns) {
    irl_table_describe(table, &info);
    *w.head = (head){.version = VERSION,
                     .has_labels = table->has_labels,
                     .is_rest = table->is_rest,
                     .n_samples = table->n_samples,
                     .n_cases = info.cases};
    plan(&w);
    for (size_t i = 0; i < w.head->n_parts; i++)
      if (irl_irb_size(w.head, i) > largest) largest = irl_irb_size(w.head, i);
    buffer = irl_mem_alloc(allocator, largest, 1);
  }
  const irl_status status = buffer ? write_parts(env, &w, buffer, stream) : irl_fail_memory(env);
  irl_mem_free(allocator, w.head);
  irl_mem_free(allocator, w.columns);
  irl_mem_free(allocator, buffer);
  return status;
}

/* ---- reading ---- */

static irl_status damaged(const reader *r, uint64_t offset, const char *what) {
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: offset %llu: %s", r->source->path,
                  (unsigned long long)offset, what);
}

static irl_status refuse(const reader *r, size_t i, const char *what) {
  const bool is_column = i >= IRL_IRB_COLUMNS && i - IRL_IRB_COLUMNS < r->names.n;
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: offset %llu: %s%s%s: %s", r->source->path,
                  (unsigned long long)r->at[i],
                  is_column            ? "column '"
                  : i == IRL_IRB_NAMES ? "names"
                                       : "labels",
                  is_column ? irl_names_get(&r->names, i - IRL_IRB_COLUMNS) : "",
                  is_column ? "'" : "", what);
}

/* The bytes of a part, checked; its cells in the order of this machine. */
static irl_status load(const reader *r, size_t i, void *into) {
  const uint64_t size = irl_irb_size(r->head, i);
  memcpy(into, r->bytes + r->at[i], size);
  if (XXH3_64bits(into, size) != r->head->parts[i].hash)
    return refuse(r, i, "the checksum is wrong: the file is damaged");
  turn_cells(r->head, i, into);
  return IRL_STATUS_OK;
}

static irl_status read_head(reader *r) {
  head start = {0};
  const uint64_t least = r->size < sizeof start ? r->size : sizeof start;
  if (!r->size) return damaged(r, 0, "the file is empty");
  memcpy(&start, r->bytes, least);
  if (least < sizeof start || memcmp(&start, MAGIC, WORD))
    return damaged(r, 0, "this is not an .irb file, or it is truncated");
  irl_endian_convert((uint64_t *)&start, sizeof start / WORD);
  if ((uint32_t)start.version < VERSION)
    return damaged(r, WORD, "made by an older ireland: convert the original again");
  if (start.version != VERSION)
    return damaged(r, WORD, "made by a newer ireland, in a format that this one does not know");
  if (start.n_parts > r->size / sizeof(part) || head_size(start.n_parts) + WORD > r->size)
    return damaged(r, 0, "the sizes in the header are impossible, or the file is truncated");
  const uint64_t n = head_size(start.n_parts) / WORD;
  r->head = irl_mem_alloc(&r->env->allocator, n + 1, WORD);
  r->at = irl_mem_alloc(&r->env->allocator, start.n_parts + 1, sizeof *r->at);
  if (!r->head || !r->at) return irl_fail_memory(r->env);
  uint64_t *words = (uint64_t *)r->head;
  memcpy(words, r->bytes, (n + 1) * WORD);
  const uint64_t hash = XXH3_64bits(words, n * WORD);
  irl_endian_convert(words, n + 1);
  return words[n] == hash
             ? IRL_STATUS_OK
             : damaged(r, 0, "the checksum of the header is wrong: the file is damaged");
}

/* The parts fill the file. */
static irl_status lay_out(reader *r) {
  const head *h = r->head;
  uint64_t at = head_size(h->n_parts) + WORD;
  bool is_possible =
      h->n_samples && h->n_samples <= UINT32_MAX - 512 && h->n_cases <= h->n_samples &&
      h->has_labels <= 1 && h->is_rest <= 1 && (h->has_labels || !h->n_cases) &&
      h->n_parts >= IRL_IRB_COLUMNS && h->parts[IRL_IRB_NAMES].type == IRL_COLUMN_IGNORED &&
      h->parts[IRL_IRB_NAMES].n_texts == h->n_parts - IRL_IRB_COLUMNS + 3 &&
      h->parts[IRL_IRB_LABELS].type == IRL_COLUMN_BINARY && !h->parts[IRL_IRB_LABELS].n_missing;
  for (size_t i = 0; i < h->n_parts && is_possible && at <= r->size; i++) {
    const part *p = &h->parts[i];
    const bool has_texts = i == IRL_IRB_NAMES || p->type == IRL_COLUMN_CATEGORY;
    is_possible = p->type < IRL_N_COLUMN_TYPES && p->text_size <= r->size &&
                  p->n_texts <= p->text_size && (has_texts || !p->text_size);
    r->at[i] = at;
    at += irl_irb_size(h, i);
  }
  if (!is_possible) return damaged(r, 0, "the sizes in the header are impossible");
  return at == r->size
             ? IRL_STATUS_OK
             : damaged(r, r->size, at > r->size ? "the file is truncated" : "the file is too long");
}

/* The texts of a part, each once, and zeros after them. */
static irl_status take_texts(const reader *r, size_t i, const char *at, const char *end, uint64_t n,
                             irl_names *into) {
  uint32_t number;
  if (!irl_names_index(into, NULL)) return irl_fail_memory(r->env);
  for (uint64_t k = 0; k < n; k++) {
    const char *stop = memchr(at, '\0', (size_t)(end - at));
    if (!stop) return refuse(r, i, "there are fewer texts than it says");
    if (!irl_names_intern(into, at, (size_t)(stop - at), &number)) return irl_fail_memory(r->env);
    if (number != k) return refuse(r, i, "a text is there twice");
    at = stop + 1;
  }
  bool is_zero = end - at < (ptrdiff_t)WORD;
  for (; at < end; at++) is_zero &= !*at;
  return is_zero ? IRL_STATUS_OK : refuse(r, i, "there are more texts than it says");
}

/* Columns are called as other readers call them. */
static irl_status read_names(reader *r) {
  const uint64_t size = irl_irb_size(r->head, IRL_IRB_NAMES);
  const char **const labels[] = {&r->called.target, &r->called.positive, &r->called.negative};
  r->text = irl_mem_alloc(&r->env->allocator, size, 1);
  irl_status status = r->text ? load(r, IRL_IRB_NAMES, r->text) : irl_fail_memory(r->env);
  if (status) return status;
  const char *at = r->text, *end = at + size;
  for (int k = 0; k < 3; k++) {
    const char *stop = memchr(at, '\0', (size_t)(end - at));
    if (!stop) return refuse(r, IRL_IRB_NAMES, "there are fewer texts than it says");
    *labels[k] = at;
    at = stop + 1;
  }
  const uint64_t n = r->head->n_parts - IRL_IRB_COLUMNS;
  status = take_texts(r, IRL_IRB_NAMES, at, end, n, &r->names);
  for (size_t j = 0; j < n && !status; j++)
    if (strchr("!", *irl_names_get(&r->names, j)))
      status = refuse(r, IRL_IRB_COLUMNS + j, "it needs another name");
  return status;
}

static irl_status read_labels(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  const head *h = r->head;
  uint64_t n_cases = 0;
  const irl_packed cells = {irl_mem_alloc(allocator, irl_irb_size(h, IRL_IRB_LABELS), 1), NULL};
  r->labels = irl_mem_alloc(allocator, h->n_samples, 1);
  irl_status status =
      cells.low && r->labels ? load(r, IRL_IRB_LABELS, cells.low) : irl_fail_memory(r->env);
  for (size_t i = 0; i < h->n_samples && !status; i++)
    n_cases += r->labels[i] = irl_bits_get(cells.low, i);
  if (!status && (n_cases != h->n_cases || !irl_packed_tails_are_zero(&cells, h->n_samples)))
    status = refuse(r, IRL_IRB_LABELS, "they contradict the sizes in the header");
  irl_mem_free(allocator, cells.low);
  if (status || r->source->one_class_ok || (n_cases && n_cases < h->n_samples)) return status;
  return refuse(r, IRL_IRB_LABELS,
                n_cases ? "there is only one class: every sample is a case"
                        : "there is only one class: every sample is a "
                          "control");
}

/* Checks the head and takes names and labels; to be closed also if it fails. */
static irl_status open_file(reader *r) {
  irl_names_init(&r->names, &r->env->allocator);
  irl_status status = read_head(r);
  if (!status) status = lay_out(r);
  if (!status) status = read_names(r);
  return status ? status : read_labels(r);
}

static void close_file(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_mem_free(allocator, r->head);
  irl_mem_free(allocator, r->at);
  irl_mem_free(allocator, r->text);
  irl_mem_free(allocator, r->labels);
  irl_names_free(&r->names);
}

static bool is_bits(const part *p) {
  return p->type == IRL_COLUMN_BINARY && !p->n_missing;
}

/* Are all columns 0/1 without missing cells? */
static bool are_all_bits(const reader *r) {
  for (size_t i = IRL_IRB_COLUMNS; i < r->head->n_parts; i++)
    if (!is_bits(&r->head->parts[i])) return false;
  return !r->head->is_rest;
}

/* ---- as a table ---- */

static irl_status take_category(const reader *r, size_t i, irl_column *into) {
  const head *h = r->head;
  const uint64_t size = irl_irb_size(h, i);
  char *bytes = irl_mem_alloc(&r->env->allocator, size, 1);
  irl_status status = bytes ? load(r, i, bytes) : irl_fail_memory(r->env);
  if (!status) {
    memcpy(into->codes, bytes, h->n_samples * sizeof *into->codes);
    status =
        take_texts(r, i, bytes + cells_size(h, i), bytes + size, h->parts[i].n_texts, into->values);
  }
  for (size_t k = 0; k < h->n_samples && !status; k++)
    if (into->codes[k] >= into->values->n && into->codes[k] != IRL_NO_VALUE)
      status = refuse(r, i, "a cell has the number of no text");
  irl_mem_free(&r->env->allocator, bytes);
  return status;
}

static irl_status bring(void *user, size_t j, irl_column *into) {
  const reader *r = user;
  const size_t i = IRL_IRB_COLUMNS + j, n = r->head->n_samples;
  const part *p = &r->head->parts[i];
  const irl_column_type type = (irl_column_type)p->type;
  const irl_allocator *allocator = &r->env->allocator;
  if (irl_reading_limit_reached(r->env)) return irl_reading_fail(r->env, r->source->path);
  if (!(is_bits(p) ? irl_column_init_bits(into, allocator, n)
                   : irl_column_init(into, allocator, type, n)))
    return irl_fail_memory(r->env);
  const irl_status status = type == IRL_COLUMN_CATEGORY  ? take_category(r, i, into)
                            : type == IRL_COLUMN_NUMBER  ? load(r, i, into->numbers)
                            : type == IRL_COLUMN_IGNORED ? IRL_STATUS_OK
                                                         : load(r, i, into->cells.low);
  if (status) return status;
  if (irl_type_is_packed(type) &&
      (!irl_packed_tails_are_zero(&into->cells, n) ||
       (type == IRL_COLUMN_BINARY && irl_packed_count(&into->cells, n, 2))))
    return refuse(r, i, "it has cells that it cannot have");
  into->n_missing = irl_column_count_missing(into, n);
  return into->n_missing == p->n_missing ? IRL_STATUS_OK
                                         : refuse(r, i, "it misses other cells than it says");
}

irl_status irl_irb_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  reader r = {.env = env, .source = source, .bytes = file.bytes, .size = file.size};
  status = open_file(&r);
  if (!status && !irl_reading_affords(env, (double)file.size))
    status = irl_reading_fail(env, source->path);
  if (!status) status = irl_table_name_labels(env, table, &r.called);
  if (!status) {
    table->n_samples = (uint32_t)r.head->n_samples;
    table->has_labels = r.head->has_labels;
    table->is_rest = r.head->is_rest;
    table->is_bits = are_all_bits(&r) && !source->is_typed;
    IRL_SWAP(table->labels, r.labels);
    status = irl_typed_file(env, source, &r.names, table, bring, &r);
  }
  close_file(&r);
  irl_file_close(&file);
  return status;
}
