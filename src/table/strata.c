/* Strata: errors are weighed within groups of samples, as populations or study sites, so that a
 * rule cannot win by telling the groups apart.
 *
 * The objective is the sum over strata of the share of the stratum's cases that are missed and the
 * share of its controls that are covered. It is a weighted error: a case of stratum s weighs 1 over
 * the number of its cases there, a control likewise, and all is scaled so that the mean weight is
 * 1. So search, proof and certificate are those of weighted samples. A stratum of one class says
 * nothing of what tells cases from controls, and is left out with a note; so are samples whose
 * stratum is missing. */
#include "base/memory.h"
#include "ireland_data.h"
#include "table/raw_table.h"

#define MOST_STRATA 1000u

/* The stratum of each sample, IRL_NO_VALUE if it is missing; returns how many there are. */
static irl_status number_strata(irl_env *env, const irl_table *table, uint32_t column,
                                uint32_t *strata, size_t *n) {
  const irl_column *c = &table->columns[column];
  double *values = irl_mem_alloc(&env->allocator, MOST_STRATA, sizeof *values);
  if (!values) return irl_fail_memory(env);
  *n = c->type == IRL_COLUMN_CATEGORY ? c->values->n : 0;
  bool is_many = *n > MOST_STRATA;
  for (uint32_t i = 0; i < table->n_samples && !is_many; i++) {
    strata[i] = IRL_NO_VALUE;
    if (irl_column_is_missing(c, i)) continue;
    if (c->type == IRL_COLUMN_CATEGORY) {
      strata[i] = c->codes[i];
      continue;
    }
    const double value = irl_column_number(c, i);
    size_t k = 0;
    while (k < *n && (values[k] < value || values[k] > value)) k++;
    is_many = k == MOST_STRATA;
    if (is_many) break;
    if (k == *n) values[(*n)++] = value;
    strata[i] = (uint32_t)k;
  }
  irl_mem_free(&env->allocator, values);
  return is_many ? irl_fail(env, IRL_STATUS_BAD_INPUT,
                            "%s: column '%s' has more than %u values, too many for strata",
                            table->path, irl_names_get(&table->names, column), MOST_STRATA)
                 : IRL_STATUS_OK;
}

/* In units of n / (2 strata L), L the least common multiple of the counts, each weight
 * n / (2 strata count) is whole, so nothing needs to be rounded. False: L is too large for that. */
static bool find_unit(irl_table *table, const uint32_t *counts, size_t n_counts, size_t n_mixed) {
  uint64_t multiple = 1;
  for (size_t k = 0; k < n_counts; k++) {
    if (!counts[k] || !counts[k ^ 1]) continue; /* of a stratum that is left out */
    const uint64_t factor = counts[k] / (uint64_t)irl_common_divisor((int64_t)multiple, counts[k]);
    if (2.0 * (double)n_mixed * (double)multiple * (double)factor > IRL_WEIGHTS_MOST) return false;
    multiple *= factor;
  }
  table->weight_unit = table->n_samples / (2.0 * (double)n_mixed * (double)multiple);
  return true;
}

/* Leaves out samples without a stratum, and strata of one class. */
static irl_status keep_mixed(irl_env *env, irl_table *table, uint32_t *strata,
                             const uint32_t *counts) {
  const uint32_t n = table->n_samples;
  uint32_t kept = 0;
  uint8_t *is_kept = irl_mem_alloc(&env->allocator, n, 1);
  if (!is_kept) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t s = strata[i];
    is_kept[i] = s != IRL_NO_VALUE && counts[2 * s] && counts[2 * s + 1];
    if (is_kept[i]) strata[kept++] = s;
  }
  if (kept < n)
    irl_log(env, IRL_LOG_NOTE,
            "%s: %u of %u samples have no stratum, or one of a single class, and are left out",
            table->path, n - kept, n);
  const irl_status status = kept && kept < n ? irl_table_keep(env, table, is_kept) : IRL_STATUS_OK;
  irl_mem_free(&env->allocator, is_kept);
  return kept ? status
              : irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: no stratum has both cases and controls",
                         table->path);
}

irl_status irl_table_stratify(irl_env *env, irl_table *table, const char *column) {
  const uint32_t j = irl_names_find(&table->names, column, strlen(column));
  size_t n_strata = 0, n_mixed = 0;
  if (j == IRL_NO_NAME || table->columns[j].type == IRL_COLUMN_IGNORED)
    return irl_names_no_column(env, &table->names, table->path, "strata", column, strlen(column));
  if (!table->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: strata need cases and controls", table->path);
  table->strata = irl_mem_alloc(&table->allocator, table->n_samples, sizeof *table->strata);
  irl_status status =
      table->strata ? number_strata(env, table, j, table->strata, &n_strata) : irl_fail_memory(env);
  if (status) return status;
  uint32_t *counts = irl_mem_alloc(&env->allocator, 2 * n_strata, sizeof *counts);
  table->stratum_weights =
      irl_mem_alloc(&table->allocator, 2 * n_strata, sizeof *table->stratum_weights);
  if (!counts || !table->stratum_weights) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < table->n_samples && !status; i++)
    if (table->strata[i] != IRL_NO_VALUE) counts[2 * table->strata[i] + table->labels[i]]++;
  if (!status) status = keep_mixed(env, table, table->strata, counts);
  for (size_t s = 0; s < n_strata && !status; s++) n_mixed += counts[2 * s] && counts[2 * s + 1];
  for (size_t k = 0; k < 2 * n_strata && !status; k++)
    table->stratum_weights[k] =
        counts[k] ? table->n_samples / (2.0 * (double)n_mixed * counts[k]) : 0;
  const bool is_exact = !status && find_unit(table, counts, 2 * n_strata, n_mixed);
  irl_mem_free(&env->allocator, counts);
  if (status) return status;
  table->weights = irl_mem_alloc(&table->allocator, table->n_samples, sizeof *table->weights);
  if (!table->weights) return irl_fail_memory(env);
  for (uint32_t i = 0; i < table->n_samples; i++)
    table->weights[i] = table->stratum_weights[2 * table->strata[i] + table->labels[i]];
  irl_column_free(&table->columns[j], &table->allocator);
  table->columns[j] = (irl_column){.type = IRL_COLUMN_IGNORED};
  irl_log(env, IRL_LOG_NOTE, "%s: errors are weighed within %zu strata of '%s'", table->path,
          n_mixed, column);
  return is_exact ? IRL_STATUS_OK : irl_table_weigh(env, table, column);
}
