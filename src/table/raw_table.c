#include "table/raw_table.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"

bool irl_packed_tails_are_zero(const irl_packed *cells, size_t n_cells) {
  const size_t w = n_cells / 64, left = n_cells % 64;
  return !left || !((cells->low[w] | irl_packed_high(cells, w)) >> left);
}

size_t irl_packed_count(const irl_packed *cells, size_t n_cells, unsigned value) {
  size_t n = 0;
  for (size_t w = 0; w < irl_packed_words(n_cells); w++)
    n += (size_t)__builtin_popcountll(irl_packed_are(cells, w, 1u << value));
  if (!value) n -= 64 * irl_packed_words(n_cells) - n_cells; /* the tail is zero */
  return n;
}

bool irl_column_init(irl_column *column, const irl_allocator *allocator, irl_column_type type,
                     size_t n_samples) {
  const size_t words = irl_packed_words(n_samples);
  column->type = type;
  if (type == IRL_COLUMN_NUMBER) {
    column->numbers = irl_mem_alloc(allocator, n_samples, sizeof *column->numbers);
  } else if (type == IRL_COLUMN_CATEGORY) {
    column->codes = irl_mem_alloc(allocator, n_samples, sizeof *column->codes);
    column->values = irl_mem_alloc(allocator, 1, sizeof *column->values);
    if (column->values) irl_names_init(column->values, allocator);
  } else if (irl_type_is_packed(type)) {
    column->cells.low = irl_mem_alloc(allocator, 2 * words, sizeof(uint64_t));
    column->cells.high = column->cells.low ? column->cells.low + words : NULL;
  }
  return type == IRL_COLUMN_IGNORED || column->numbers || (column->codes && column->values) ||
         column->cells.low;
}

bool irl_column_init_bits(irl_column *column, const irl_allocator *allocator, size_t n_samples) {
  column->type = IRL_COLUMN_BINARY;
  column->cells.low = irl_mem_alloc(allocator, irl_packed_words(n_samples), sizeof(uint64_t));
  return column->cells.low;
}

void irl_column_free(irl_column *column, const irl_allocator *allocator) {
  irl_mem_free(allocator, column->numbers);
  irl_mem_free(allocator, column->codes);
  irl_mem_free(allocator, column->cells.low);
  if (column->values) irl_names_free(column->values);
  irl_mem_free(allocator, column->values);
}

bool irl_column_is_missing(const irl_column *column, size_t sample) {
  if (column->type == IRL_COLUMN_IGNORED) return false;
  return column->type == IRL_COLUMN_CATEGORY ? column->codes[sample] == IRL_NO_VALUE
                                             : isnan(irl_column_number(column, sample));
}

size_t irl_column_count_missing(const irl_column *column, size_t n_samples) {
  size_t n = 0;
  if (irl_type_is_packed(column->type))
    return irl_packed_count(&column->cells, n_samples, IRL_CELL_MISSING);
  for (size_t i = 0; i < n_samples; i++) n += irl_column_is_missing(column, i);
  return n;
}

irl_status irl_table_create(irl_env *env, const irl_source *source, irl_table **out) {
  irl_table *table = irl_mem_alloc(&env->allocator, 1, sizeof *table);
  if (!table) return irl_fail_memory(env);
  table->allocator = env->allocator;
  table->threads = source->threads;
  irl_names_init(&table->names, &env->allocator);
  irl_variants_init(&table->variants, &env->allocator);
  table->path = irl_mem_copy_text(&env->allocator, source->path, strlen(source->path));
  if (!table->path) {
    irl_table_free(table);
    return irl_fail_memory(env);
  }
  *out = table;
  return IRL_STATUS_OK;
}

irl_status irl_table_name_labels(irl_env *env, irl_table *table, const irl_data_labels *called) {
  char **const texts[] = {&table->target, &table->positive, &table->negative};
  return irl_data_labels_copy(env, called, texts);
}

static bool column_check(const irl_column *c, size_t n) {
  if (c->type == IRL_COLUMN_IGNORED) return true;
  if (c->type == IRL_COLUMN_SNP && !c->cells.low) return true; /* in its file */
  if (irl_type_is_packed(c->type) && !irl_packed_tails_are_zero(&c->cells, n)) return false;
  if (c->type == IRL_COLUMN_BINARY && irl_packed_count(&c->cells, n, 2)) return false;
  for (size_t i = 0; c->type == IRL_COLUMN_CATEGORY && i < n; i++)
    if (c->codes[i] != IRL_NO_VALUE && c->codes[i] >= c->values->n) return false;
  return c->n_missing == irl_column_count_missing(c, n);
}

bool irl_table_check(const irl_table *table) {
  const size_t n = table->n_samples;
  if (table->divided) return !table->columns && table->divided->shard;
  for (size_t j = 0; j < table->names.n; j++)
    if (!column_check(&table->columns[j], n)) return false;
  for (size_t i = 0; table->labels && i < n; i++)
    if (table->labels[i] > 1) return false;
  return n && table->target && table->positive && table->negative &&
         (!table->has_labels || table->labels) && (!table->weights || table->weight_unit > 0);
}

int irl_compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool irl_table_is_binary(const irl_table *table) {
  size_t n = 0;
  for (size_t j = 0; j < table->names.n; j++) {
    const irl_column *c = &table->columns[j];
    if (c->type == IRL_COLUMN_IGNORED) continue;
    if (c->type != IRL_COLUMN_BINARY || c->n_missing) return false;
    n++;
  }
  return n && !table->weights;
}

void irl_table_free(irl_table *table) {
  if (!table) return;
  const irl_allocator allocator = table->allocator;
  void *const blocks[] = {table->columns, table->id_name,         table->labels,   table->weights,
                          table->strata,  table->target,          table->positive, table->negative,
                          table->numbers, table->stratum_weights, table->path,     table->groups.of,
                          table->folds.of};
  for (size_t i = 0; table->columns && i < table->names.n; i++)
    irl_column_free(&table->columns[i], &allocator);
  irl_column_free(&table->ids, &allocator);
  irl_names_free(&table->names);
  irl_variants_free(&table->variants);
  irl_cell_file_free(table->cell_file);
  irl_data_free(table->divided);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) irl_mem_free(&allocator, blocks[i]);
  irl_mem_free(&allocator, table);
}

const char *irl_table_id(const irl_table *table, uint32_t sample) {
  const irl_column *ids = &table->ids;
  assert(!ids->values || sample < table->n_samples);
  if (!ids->values || ids->codes[sample] == IRL_NO_VALUE) return NULL;
  return irl_names_get(ids->values, ids->codes[sample]);
}

int irl_table_label(const irl_table *table, uint32_t sample) {
  if (!table) return -1;
  if (table->divided) return irl_data_label(table->divided, sample);
  return table->has_labels && sample < table->n_samples ? table->labels[sample] : -1;
}

irl_status irl_table_describe(const irl_table *table, irl_table_info *info) {
  if (!table || !irl_sized_is_set(info)) return IRL_STATUS_BAD_ARGUMENT;
  const irl_data *divided = table->divided;
  irl_table_info made = {.is_plain = divided || irl_table_is_binary(table),
                         .has_weights = table->weights != NULL,
                         .samples = divided ? divided->n_samples : table->n_samples,
                         .columns = divided ? divided->n_features : table->names.n,
                         .cases = divided ? divided->n_cases : 0,
                         .has_labels = divided ? divided->has_labels : table->has_labels,
                         .target = divided ? divided->target : table->target,
                         .positive = divided ? divided->positive : table->positive,
                         .negative = divided ? divided->negative : table->negative};
  for (uint32_t i = 0; table->has_labels && i < table->n_samples; i++)
    made.cases += table->labels[i];
  made.controls = made.samples - made.cases;
  return irl_sized_copy_out(info, &made, sizeof made);
}

void irl_coding_free(irl_coding *coding) {
  if (!coding) return;
  const irl_allocator allocator = coding->allocator;
  irl_names_free(&coding->features);
  irl_conditions_free(&coding->conditions);
  irl_mem_free(&allocator, coding->groups);
  irl_mem_free(&allocator, coding);
}
