/* A data set of 0/1 as a table: its bits stand by class, those of a column in the order of the
 * samples. */
#include "base/memory.h"
#include "bits/sieve.h"
#include "ireland_data.h"
#include "read/typed.h"
#include "table/raw_table.h"

/* Which samples are cases and which controls, as masks over all of them. */
typedef struct classes {
  irl_sieve sieve[2]; /* cases, controls */
} classes;

static void classes_free(classes *c) {
  for (int class = 0; class < 2; class ++) irl_sieve_free(&c->sieve[class]);
}

static irl_status classes_init(irl_env *env, classes *c, const uint64_t *labels, uint32_t n) {
  const size_t words = irl_packed_words(n);
  uint64_t *mask = irl_mem_alloc(&env->allocator, words, sizeof *mask);
  *c = (classes){0};
  irl_status status =
      mask ? irl_sieve_init(env, &c->sieve[0], labels, words) : irl_fail_memory(env);
  for (size_t w = 0; w < words && !status; w++) mask[w] = ~labels[w];
  if (!status && n % 64) mask[words - 1] &= ((uint64_t)1 << n % 64) - 1;
  if (!status) status = irl_sieve_init(env, &c->sieve[1], mask, words);
  irl_mem_free(&env->allocator, mask);
  if (status) classes_free(c);
  return status;
}

typedef struct unfolder {
  irl_env *env;
  const irl_data *data;
  classes classes;
} unfolder;

static irl_status bring_bits(void *user, size_t feature, irl_column *into) {
  const unfolder *u = user;
  const irl_data *data = u->data;
  if (!irl_column_init_bits(into, &u->env->allocator, data->n_samples))
    return irl_fail_memory(u->env);
  for (size_t w = 0; w < irl_packed_words(data->n_samples); w++) {
    if (data->n_cases)
      into->cells.low[w] |=
          irl_sieve_scatter(&u->classes.sieve[0], w, irl_bits_vector(&data->cases, feature));
    if (data->n_controls)
      into->cells.low[w] |=
          irl_sieve_scatter(&u->classes.sieve[1], w, irl_bits_vector(&data->controls, feature));
  }
  return IRL_STATUS_OK;
}

irl_status irl_table_from_bits(irl_env *env, const irl_source *source, const irl_data *data,
                               irl_table *table) {
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  unfolder u = {.env = env, .data = data};
  assert(!data->has_opposites && !data->shard);
  table->n_samples = data->n_samples;
  table->has_labels = data->has_labels;
  table->is_rest = data->is_rest;
  irl_status status = irl_table_name_labels(env, table, &called);
  if (!status && data->has_labels) {
    table->labels = irl_mem_alloc(&table->allocator, data->n_samples, 1);
    if (!table->labels) status = irl_fail_memory(env);
  }
  for (uint32_t i = 0; i < data->n_samples && table->labels && !status; i++)
    table->labels[i] = irl_bits_get(data->labels, i);
  if (!status) status = classes_init(env, &u.classes, data->labels, data->n_samples);
  if (!status) status = irl_typed_file(env, source, &data->names, table, bring_bits, &u);
  classes_free(&u.classes);
  return status;
}
