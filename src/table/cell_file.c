#include "table/cell_file.h"
#include "base/memory.h"
#include "table/raw_table.h"

#define BUFFER_BYTES ((size_t)1 << 18)

irl_status irl_cell_file_create(irl_env *env, const irl_cell_file *form, size_t n_columns,
                                irl_cell_file **out) {
  irl_cell_file *store = irl_mem_alloc(&env->allocator, 1, sizeof *store);
  uint32_t *places = irl_mem_alloc(&env->allocator, n_columns, sizeof *places);
  if (!store || !places) {
    irl_mem_free(&env->allocator, store);
    irl_mem_free(&env->allocator, places);
    return irl_fail_memory(env);
  }
  *store = *form;
  store->allocator = env->allocator;
  store->places = places;
  store->file.env = NULL; /* whoever reads has his own */
  store->file.path = NULL;
  *out = store;
  return IRL_STATUS_OK;
}

void irl_cell_file_free(irl_cell_file *store) {
  if (!store) return;
  const irl_allocator allocator = store->allocator;
  irl_file_close_parts(&store->file);
  irl_sieve_free(&store->people);
  irl_mem_free(&allocator, store->places);
  irl_mem_free(&allocator, store);
}

void irl_cell_file_gather(const irl_sieve *people, const irl_packed *all, irl_packed *into) {
  for (size_t w = 0; w < people->n_words; w++) {
    irl_sieve_gather(people, w, all->low[w], into->low);
    irl_sieve_gather(people, w, all->high[w], into->high);
  }
}

static irl_packed make_cells(const irl_allocator *allocator, size_t n_cells) {
  const size_t words = irl_packed_words(n_cells);
  uint64_t *low = irl_mem_alloc(allocator, 2 * words, sizeof *low);
  return (irl_packed){low, low ? low + words : NULL};
}

bool irl_cell_reader_init(irl_cell_reader *reader, const irl_table *table,
                          const irl_allocator *allocator) {
  const irl_cell_file *store = table->cell_file;
  *reader = (irl_cell_reader){.table = table, .allocator = *allocator, .column = UINT32_MAX};
  if (!store) return true;
  reader->most = BUFFER_BYTES / store->bytes + 1;
  reader->buffer = irl_mem_alloc(allocator, reader->most, store->bytes);
  reader->all = make_cells(allocator, store->n_people);
  reader->cells = make_cells(allocator, table->n_samples);
  reader->has_failed = !reader->buffer || !reader->all.low || !reader->cells.low;
  return !reader->has_failed;
}

bool irl_cell_reader_end(irl_cell_reader *reader) {
  irl_mem_free(&reader->allocator, reader->buffer);
  irl_mem_free(&reader->allocator, reader->all.low);
  irl_mem_free(&reader->allocator, reader->cells.low);
  return !reader->has_failed;
}

/* The bytes of a variant of the file; NULL: they could not be read. */
static const unsigned char *find_bytes(irl_cell_reader *r, size_t variant) {
  const irl_cell_file *store = r->table->cell_file;
  assert(variant < store->n_variants);
  if (variant < r->first || variant - r->first >= r->n) {
    const size_t left = store->n_variants - variant;
    r->first = variant;
    r->n = left < r->most ? left : r->most;
    if (!irl_file_get_part(&store->file, store->start + variant * store->bytes, r->buffer,
                           r->n * store->bytes)) {
      r->n = 0;
      return NULL;
    }
  }
  return r->buffer + (variant - r->first) * store->bytes;
}

const irl_packed *irl_cells_read(irl_cell_reader *reader, uint32_t column) {
  const irl_table *table = reader->table;
  const irl_column *c = &table->columns[column];
  const irl_cell_file *store = table->cell_file;
  assert(irl_type_is_packed(c->type));
  if (c->cells.low) return &c->cells;
  assert(store);
  if (reader->has_failed) return NULL;
  if (reader->column == column) return &reader->cells;
  const unsigned char *bytes = find_bytes(reader, store->places[column]);
  if (!bytes) {
    reader->has_failed = true;
    return NULL;
  }
  const size_t words = irl_packed_words(table->n_samples);
  store->decode(bytes, store->bytes, store->n_people, &reader->all);
  memset(reader->cells.low, 0, 2 * words * sizeof *reader->cells.low);
  irl_cell_file_gather(&store->people, &reader->all, &reader->cells);
  reader->column = column;
  return &reader->cells;
}

irl_status irl_cells_check(irl_env *env, const irl_table *table, bool is_whole) {
  if (!table->cell_file) return is_whole ? IRL_STATUS_OK : irl_fail_memory(env);
  irl_file_parts file = table->cell_file->file;
  file.env = env;
  file.path = table->path;
  const irl_status status = irl_file_check_parts(&file);
  if (status || is_whole) return status;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the genotypes could not be read again",
                  table->path);
}

const irl_table *irl_table_load(irl_env *env, const irl_table *table, irl_table *copy,
                                irl_status *status) {
  irl_cell_reader reader;
  if (!table->cell_file) return table;
  *copy = *table;
  copy->columns = irl_mem_alloc(&env->allocator, table->names.n, sizeof *copy->columns);
  bool done = irl_cell_reader_init(&reader, table, &env->allocator) && copy->columns;
  copy->allocator = env->allocator;
  for (uint32_t j = 0; copy->columns && j < table->names.n; j++) {
    irl_column *into = &copy->columns[j];
    *into = table->columns[j];
    if (into->type != IRL_COLUMN_SNP || into->cells.low || !done) continue;
    const irl_packed *cells = irl_cells_read(&reader, j);
    into->cells = make_cells(&env->allocator, table->n_samples);
    done = cells && into->cells.low;
    if (done)
      memcpy(into->cells.low, cells->low,
             2 * irl_packed_words(table->n_samples) * sizeof *cells->low);
  }
  done = irl_cell_reader_end(&reader) && done;
  *status = irl_cells_check(env, table, done);
  if (!*status) return copy;
  irl_table_unload(table, copy);
  return NULL;
}

void irl_table_unload(const irl_table *table, irl_table *copy) {
  if (!table->cell_file) return;
  for (uint32_t j = 0; copy->columns && j < table->names.n; j++)
    if (!table->columns[j].cells.low) irl_mem_free(&copy->allocator, copy->columns[j].cells.low);
  irl_mem_free(&copy->allocator, copy->columns);
}
