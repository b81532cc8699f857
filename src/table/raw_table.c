#include "table/raw_table.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"

bool irl_packed_tails_are_zero(const irl_packed *cells, size_t n_cells) {
  const size_t w = n_cells / 64, left = n_cells % 64;
  return !left || !((cells->low[w] | cells->high[w]) >> left);
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
  if (table->plain) return !table->columns && (table->plain->shard || irl_data_check(table->plain));
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

void irl_table_clear(irl_table *table) {
  const irl_allocator *allocator = &table->allocator;
  char **const texts[] = {&table->target, &table->positive, &table->negative};
  for (size_t i = 0; table->columns && i < table->names.n; i++)
    irl_column_free(&table->columns[i], allocator);
  irl_names_free(&table->names);
  irl_names_init(&table->names, allocator);
  irl_variants_free(&table->variants);
  irl_variants_init(&table->variants, allocator);
  irl_mem_free(allocator, table->columns);
  irl_column_free(&table->ids, allocator);
  table->ids = (irl_column){0};
  irl_mem_free(allocator, table->id_name);
  table->id_name = NULL;
  irl_cell_file_free(table->cell_file);
  irl_mem_free(allocator, table->labels);
  irl_mem_free(allocator, table->weights);
  irl_mem_free(allocator, table->strata);
  irl_mem_free(allocator, table->stratum_weights);
  for (int i = 0; i < 3; i++) {
    irl_mem_free(allocator, *texts[i]);
    *texts[i] = NULL;
  }
  table->columns = NULL;
  table->cell_file = NULL;
  table->labels = NULL;
  table->weights = NULL;
  table->strata = NULL;
  table->stratum_weights = NULL;
}

void irl_table_free(irl_table *table) {
  if (!table) return;
  const irl_allocator allocator = table->allocator;
  irl_table_clear(table);
  irl_data_free(table->plain);
  irl_mem_free(&allocator, table->groups.of);
  irl_mem_free(&allocator, table->numbers);
  irl_mem_free(&allocator, table->folds.of);
  irl_mem_free(&allocator, table->path);
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
  if (table->plain) return irl_data_label(table->plain, sample);
  return table->has_labels && sample < table->n_samples ? table->labels[sample] : -1;
}

irl_status irl_table_describe(const irl_table *table, irl_table_info *info) {
  if (!table || !irl_sized_is_set(info)) return IRL_STATUS_BAD_ARGUMENT;
  const irl_data *plain = table->plain;
  irl_table_info made = {.is_plain = plain != NULL,
                         .has_weights = table->weights != NULL,
                         .samples = plain ? plain->n_samples : table->n_samples,
                         .columns = plain ? plain->n_features : table->names.n,
                         .cases = plain ? plain->n_cases : 0,
                         .has_labels = plain ? plain->has_labels : table->has_labels,
                         .target = plain ? plain->target : table->target,
                         .positive = plain ? plain->positive : table->positive,
                         .negative = plain ? plain->negative : table->negative};
  for (uint32_t i = 0; !plain && table->has_labels && i < table->n_samples; i++)
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
