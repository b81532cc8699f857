/* Samples that belong together, as several rows of one patient (--group), and folds that somebody
 * has made before (--fold-column). Both stand in a column of the table, which gives no literals
 * then; how they are used is in validate/units.h.
 *
 * A sample without a group is one by itself. A sample without a fold is a mistake, and so are folds
 * that divide a group: what was learnt from one row of a patient would be tested on another. */
#include "base/memory.h"
#include "ireland_data.h"
#include "table/raw_table.h"
#include <stdlib.h>

typedef struct cell {
  double value; /* of a number, or the code of a category; NaN: missing */
  uint32_t sample;
} cell;

static int compare_cells(const void *a, const void *b) {
  const cell *x = a, *y = b;
  const bool is_x = !isnan(x->value), is_y = !isnan(y->value);
  if (is_x != is_y) return is_x ? -1 : 1;
  if (is_x && (x->value < y->value || x->value > y->value)) return x->value < y->value ? -1 : 1;
  return (x->sample > y->sample) - (x->sample < y->sample);
}

/* Numbers the sets anew in the order of their first samples, whatever a format makes of the values:
 * as numbers or as words they stand in different orders. */
static void number_by_first(const irl_table *table, uint32_t *numbers, uint32_t *new_number,
                            uint32_t n) {
  uint32_t n_met = 0;
  for (uint32_t set = 0; set < n; set++) new_number[set] = UINT32_MAX;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    assert(numbers[i] < n);
    if (new_number[numbers[i]] == UINT32_MAX) new_number[numbers[i]] = n_met++;
    numbers[i] = new_number[numbers[i]];
  }
  assert(n_met == n);
}

/* The number of each sample's value among all values; those that are missing have one each. */
static irl_status number_values(irl_env *env, const irl_table *table, const irl_column *c,
                                uint32_t *numbers, uint32_t *n) {
  cell *cells = irl_mem_alloc(&env->allocator, table->n_samples, sizeof *cells);
  uint32_t *new_number = irl_mem_alloc(&env->allocator, table->n_samples, sizeof *new_number);
  const irl_status status = cells && new_number ? IRL_STATUS_OK : irl_fail_memory(env);
  if (status) goto done;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    const bool is_missing = irl_column_is_missing(c, i);
    cells[i] = (cell){is_missing                       ? (double)NAN
                      : c->type == IRL_COLUMN_CATEGORY ? (double)c->codes[i]
                                                       : irl_column_number(c, i),
                      i};
  }
  qsort(cells, table->n_samples, sizeof *cells, compare_cells);
  *n = 0;
  for (uint32_t i = 0; i < table->n_samples; i++) {
    const bool is_same = i && cells[i].value == cells[i - 1].value; /* NaN is not */
    if (!is_same) ++*n;
    numbers[cells[i].sample] = *n - 1;
  }
  number_by_first(table, numbers, new_number, *n);
done:
  irl_mem_free(&env->allocator, new_number);
  irl_mem_free(&env->allocator, cells);
  return status;
}

/* Takes the column out of the table. `n_missing`: of its cells. */
static irl_status take(irl_env *env, irl_table *table, const char *option, const char *name,
                       irl_sample_sets *sets, size_t *n_missing) {
  const uint32_t j = irl_names_find(&table->names, name, strlen(name));
  if (j == IRL_NO_NAME || table->columns[j].type == IRL_COLUMN_IGNORED)
    return irl_names_no_column(env, &table->names, table->path, option, name, strlen(name));
  irl_column *c = &table->columns[j];
  sets->of = irl_mem_alloc(&table->allocator, table->n_samples, sizeof *sets->of);
  if (!sets->of) return irl_fail_memory(env);
  *n_missing = 0;
  for (uint32_t i = 0; i < table->n_samples; i++) *n_missing += irl_column_is_missing(c, i);
  const irl_status status = number_values(env, table, c, sets->of, &sets->n);
  irl_column_free(c, &table->allocator);
  *c = (irl_column){.type = IRL_COLUMN_IGNORED};
  return status;
}

/* Do samples of one group stand in several folds? */
static irl_status check_whole(irl_env *env, const irl_table *table, const irl_options *options) {
  const uint32_t none = UINT32_MAX, n_groups = table->groups.n;
  uint32_t *fold_of = irl_mem_alloc(&env->allocator, n_groups, sizeof *fold_of), divided = none;
  if (!fold_of) return irl_fail_memory(env);
  for (uint32_t g = 0; g < n_groups; g++) fold_of[g] = none;
  for (uint32_t i = 0; i < table->n_samples && divided == none; i++) {
    uint32_t *fold = &fold_of[table->groups.of[i]];
    assert(table->groups.of[i] < n_groups && table->folds.of[i] < table->folds.n);
    if (*fold == none) *fold = table->folds.of[i];
    if (*fold != table->folds.of[i]) divided = i;
  }
  irl_mem_free(&env->allocator, fold_of);
  return divided == none
             ? IRL_STATUS_OK
             : irl_fail(env, IRL_STATUS_BAD_INPUT,
                        "%s: the folds of column '%s' divide a group of column '%s': sample %u "
                        "stands in another fold than samples before it; without --group the folds "
                        "are taken as they are",
                        table->path, options->data.fold_column, options->data.group, divided + 1);
}

irl_status irl_table_set_groups(irl_env *env, irl_table *table, const irl_options *options) {
  const char *group = options->data.group, *folds = options->data.fold_column;
  size_t n_missing = 0;
  irl_status status = IRL_STATUS_OK;
  assert(!table->groups.of && !table->folds.of);
  if (group && folds && !strcmp(group, folds))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "options group and fold_column name the same column '%s'", group);
  if (group) status = take(env, table, "group", group, &table->groups, &n_missing);
  if (status) return status;
  if (group)
    irl_log(env, IRL_LOG_NOTE, "%s: %u groups of '%s' among %u samples", table->path,
            table->groups.n, group, table->n_samples);
  if (n_missing)
    irl_log(env, IRL_LOG_WARNING,
            "%s: %zu samples have no value in '%s' and are groups by themselves", table->path,
            n_missing, group);
  n_missing = 0;
  if (folds) status = take(env, table, "fold-column", folds, &table->folds, &n_missing);
  if (!status && n_missing)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %zu samples have no fold in column '%s'",
                      table->path, n_missing, folds);
  if (!status && folds && table->folds.n < 2)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: column '%s' has one value only, so there is one fold; two are needed",
                      table->path, folds);
  return !status && group && folds ? check_whole(env, table, options) : status;
}
