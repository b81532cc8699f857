/* A table of 0/1 columns without missing cells is kept as a data set, where a negated literal is
 * the complement (`plain`), whatever format it came from and whichever of its columns are used.
 * Some options ask for what such a data set cannot have: features of their own for opposites, one
 * of which is forbidden; weights; an answer on missing values. Then the bits become columns. */
#include "base/memory.h"
#include "bits/sieve.h"
#include "ireland_data.h"
#include "read/typed.h"
#include "table/raw_table.h"

bool irl_options_need_columns(const irl_options *options) {
  return options->data.forbid || options->data.one_per || options->data.weight_column ||
         options->data.strata || options->data.missing == IRL_MISSING_IMPUTE;
}

irl_status irl_table_accepts(irl_env *env, const irl_table *table, const irl_options *options) {
  bool has_numbers = false, has_snps = false;
  for (size_t j = 0; j < table->names.n; j++) {
    has_numbers |= table->columns[j].type == IRL_COLUMN_NUMBER;
    has_snps |= table->columns[j].type == IRL_COLUMN_SNP;
  }
  if (options->data.cuts.method && !has_numbers)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "cuts have no effect on %s, which has no column of numbers (--type x=number "
                    "makes one, for verify as for fit)",
                    table->path);
  if (options->genotypes.het && !has_snps)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "het has no effect on %s, which has no column of SNPs (--type x=snp makes one, "
                    "for verify as for fit)",
                    table->path);
  if (table->plain && (options->data.forbid || irl_options_need_columns(options)) &&
      !options->data.weight_column && !options->data.strata)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option %s has an effect on a table of 0/1 if it is given when that is made",
                    options->data.forbid    ? "forbid"
                    : options->data.one_per ? "one_per"
                                            : "missing impute");
  return IRL_STATUS_OK;
}

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

/* ---- columns from bits ---- */

typedef struct unfolder {
  irl_env *env;
  const irl_data *data;
  classes classes;
} unfolder;

static irl_status bring_bits(void *user, size_t feature, irl_column *into) {
  const unfolder *u = user;
  const irl_data *data = u->data;
  if (!irl_column_init(into, &u->env->allocator, IRL_COLUMN_BINARY, data->n_samples))
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

/* ---- bits from columns ---- */

irl_status irl_table_to_bits(irl_env *env, irl_table *table) {
  irl_names names;
  irl_data *data = NULL;
  classes c = {0};
  bool is_plain = !table->plain && !table->weights, done = true;
  size_t n = 0;
  uint32_t feature = 0;
  for (size_t j = 0; j < table->names.n && is_plain; j++) {
    const irl_column *column = &table->columns[j];
    n += column->type != IRL_COLUMN_IGNORED;
    is_plain = column->type == IRL_COLUMN_IGNORED ||
               (column->type == IRL_COLUMN_BINARY && !column->n_missing);
  }
  if (!is_plain || !n) return IRL_STATUS_OK;
  irl_names_init(&names, &env->allocator);
  for (size_t j = 0; j < table->names.n && done; j++) {
    const char *name = irl_names_get(&table->names, j);
    done =
        table->columns[j].type == IRL_COLUMN_IGNORED || irl_names_add(&names, name, strlen(name));
  }
  const irl_data_frame frame = {table->path,
                                &names,
                                table->n_samples,
                                table->labels,
                                {table->target, table->positive, table->negative, false}};
  irl_status status = done ? irl_data_create(env, &frame, &data) : irl_fail_memory(env);
  if (!status) status = classes_init(env, &c, data->labels, data->n_samples);
  for (size_t j = 0; j < table->names.n && !status; j++) {
    if (table->columns[j].type != IRL_COLUMN_BINARY) continue;
    for (int class = 0; class < 2; class ++) {
      const irl_bits_matrix *matrix = class ? &data->controls : &data->cases;
      for (size_t w = 0; matrix->n_bits && w < c.sieve[class].n_words; w++)
        irl_sieve_gather(&c.sieve[class], w, table->columns[j].cells.low[w],
                         irl_bits_vector(matrix, feature));
    }
    feature++;
  }
  classes_free(&c);
  irl_names_free(&names);
  if (status) {
    irl_data_free(data);
    return status;
  }
  data->is_rest = table->is_rest;
  assert(feature == data->n_features && irl_data_check(data));
  irl_table_clear(table);
  table->plain = data;
  return IRL_STATUS_OK;
}
