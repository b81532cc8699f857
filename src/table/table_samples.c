/* Weights of samples as multiples of a unit, and samples that miss values left out: what a table
 * gets once all its values are there, wherever they came from. */
#include "base/memory.h"
#include "ireland_data.h"
#include "table/raw_table.h"
#include <math.h>

#define MOST_DECIMALS 1e9    /* of a unit: it is a multiple of one over this */
#define ROUNDED_UNITS 0x1p20 /* of all weights together, where no unit fits, */
#define ROUNDED_EACH  8.0    /* or so many for each sample */

/* All weights as multiples of 1/power, or 0 if they are not; their common divisor counts once. A
 * weight is one if its decimal, rounded to a double, is the weight itself. */
static double find_exact(const double *weights, size_t n, double power) {
  int64_t divisor = 0;
  for (size_t i = 0; i < n; i++) {
    const double scaled = nearbyint(weights[i] * power);
    if (!(scaled < 0x1p53) || scaled / power != weights[i]) return 0;
    divisor = irl_common_divisor((int64_t)scaled, divisor);
  }
  return (double)divisor / power;
}

/* The unit in which weights are counted, so that everything about them is exact; where no decimal
 * one fits they are rounded. */
static double find_unit(irl_env *env, irl_table *table, double sum) {
  const size_t n = table->n_samples;
  for (double power = 1; power <= MOST_DECIMALS; power *= 10) {
    const double unit = find_exact(table->weights, n, power);
    if (unit > 0 && sum / unit <= IRL_WEIGHTS_MOST) return unit;
  }
  const double each = ROUNDED_EACH * (double)n;
  const double rounded = sum / (each > ROUNDED_UNITS ? each : ROUNDED_UNITS);
  table->is_rounded = true;
  irl_log(env, IRL_LOG_NOTE,
          "%s: the weights are rounded to multiples of %.3g: they have no unit of which their sum "
          "is at most 2^40",
          table->path, rounded);
  return rounded;
}

/* All zero weighs nothing. */
irl_status irl_table_weigh(irl_env *env, irl_table *table, const char *column) {
  double sum = 0;
  if (!table->weights) return IRL_STATUS_OK;
  for (size_t i = 0; i < table->n_samples; i++) sum += table->weights[i];
  const bool is_fine = sum > 0 && isfinite(sum);
  table->weight_unit = is_fine ? find_unit(env, table, sum) : 1;
  if (is_fine) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the weights in column '%s' are %s", table->path,
                  column, sum > 0 ? "too large" : "all zero");
}

irl_status irl_table_keep(irl_env *env, irl_table *table, const uint8_t *is_kept) {
  const uint32_t n = table->n_samples;
  uint32_t kept = 0;
  if (!table->numbers) {
    table->numbers = irl_mem_alloc(&table->allocator, n, sizeof *table->numbers);
    if (!table->numbers) return irl_fail_memory(env);
    for (uint32_t i = 0; i < n; i++) table->numbers[i] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!is_kept[i]) continue;
    table->numbers[kept] = table->numbers[i];
    if (table->labels) table->labels[kept] = table->labels[i];
    if (table->weights) table->weights[kept] = table->weights[i];
    if (table->ids.codes) table->ids.codes[kept] = table->ids.codes[i];
    kept++;
  }
  table->n_samples = kept;
  for (size_t j = 0; j < table->names.n; j++) {
    irl_column *c = &table->columns[j];
    uint32_t to = 0;
    for (uint32_t i = 0; i < n; i++) {
      const unsigned cell = c->cells.low ? irl_packed_get(&c->cells, i) : 0;
      if (c->cells.low) {
        irl_bits_clear(c->cells.low, i);
        if (c->cells.high) irl_bits_clear(c->cells.high, i);
      }
      if (!is_kept[i]) continue;
      if (c->codes) c->codes[to] = c->codes[i];
      if (c->numbers) c->numbers[to] = c->numbers[i];
      if (cell) irl_packed_set(&c->cells, to, cell);
      to++;
    }
    assert(to == kept && (!c->cells.low || irl_packed_tails_are_zero(&c->cells, kept)));
    if (c->type != IRL_COLUMN_IGNORED) c->n_missing = irl_column_count_missing(c, kept);
  }
  assert(irl_table_check(table) || !table->target);
  return IRL_STATUS_OK;
}

irl_status irl_table_drop_missing(irl_env *env, irl_table *table) {
  const uint32_t n = table->n_samples;
  uint32_t kept = 0, cases = 0;
  uint8_t *is_kept = irl_mem_alloc(&env->allocator, n, 1);
  if (!is_kept) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    is_kept[i] = true;
    for (size_t j = 0; j < table->names.n && is_kept[i]; j++)
      is_kept[i] = !irl_column_is_missing(&table->columns[j], i);
    kept += is_kept[i];
    cases += is_kept[i] && table->has_labels && table->labels[i];
  }
  if (kept < n)
    irl_log(env, IRL_LOG_NOTE, "%s: %u of %u samples have missing values and are left out",
            table->path, n - kept, n);
  const bool has_both = kept && (!table->has_labels || (cases && cases < kept));
  const irl_status status = has_both ? irl_table_keep(env, table, is_kept) : IRL_STATUS_OK;
  irl_mem_free(&env->allocator, is_kept);
  if (has_both) return status;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: without the samples that miss a value, %s left",
                  table->path, kept ? "one class only is" : "none is");
}

irl_status irl_table_treat_missing(irl_env *env, irl_table *table, const irl_options *options) {
  if (!options->data.missing) return IRL_STATUS_OK;
  if (options->data.missing == IRL_MISSING_DROP) return irl_table_drop_missing(env, table);
  for (size_t j = 0; j < table->names.n && options->data.missing == IRL_MISSING_ERROR; j++)
    if (table->columns[j].n_missing)
      return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: column '%s' has %zu missing values",
                      table->path, irl_names_get(&table->names, j), table->columns[j].n_missing);
  return IRL_STATUS_OK;
}
