/* A data set of 0/1 as a table: its bits stand by class, those of a column in the order of the
 * samples. */
#include "base/memory.h"
#include "bits/sieve.h"
#include "table/raw_table.h"

static irl_status take_columns(irl_env *env, const irl_data *data, irl_table *table) {
  irl_sieve sieves[2] = {{.n_words = 0}, {.n_words = 0}};
  irl_status status = irl_sieve_init_pair(env, sieves, data->labels, data->n_samples);
  for (size_t j = 0; j < data->n_features && !status; j++) {
    irl_column *c = &table->columns[j];
    if (!irl_column_init_bits(c, &table->allocator, data->n_samples)) status = irl_fail_memory(env);
    for (size_t w = 0; w < irl_packed_words(data->n_samples) && !status; w++) {
      if (data->n_cases)
        c->cells.low[w] |= irl_sieve_scatter(&sieves[0], w, irl_bits_vector(&data->cases, j));
      if (data->n_controls)
        c->cells.low[w] |= irl_sieve_scatter(&sieves[1], w, irl_bits_vector(&data->controls, j));
    }
  }
  irl_sieve_free(&sieves[0]);
  irl_sieve_free(&sieves[1]);
  return status;
}

irl_status irl_table_from_bits(irl_env *env, const irl_data *data, irl_table **out) {
  const irl_source source = {.path = IRL_TABLE_IN_MEMORY, .threads = 1};
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  const uint32_t n = data->n_samples;
  irl_table *table;
  assert(!data->has_opposites && !data->shard);
  irl_status status = irl_table_create(env, &source, &table);
  if (status) return status;
  status = irl_table_name_labels(env, table, &called);
  table->n_samples = n;
  table->has_labels = data->has_labels;
  table->is_rest = data->is_rest;
  table->labels = irl_mem_alloc(&table->allocator, n, 1);
  table->columns = irl_mem_alloc(&table->allocator, data->n_features, sizeof *table->columns);
  if (!status && !(table->labels && table->columns &&
                   irl_names_copy(&table->names, &data->names, &table->allocator)))
    status = irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) table->labels[i] = irl_bits_get(data->labels, i);
  if (!status) status = take_columns(env, data, table);
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}
