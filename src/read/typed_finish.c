/* What is decided once all values are there: which label means case, weights, categories that are
 * identifiers, row numbers, and what becomes of samples with missing values. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "read/typed.h"
#include <math.h>
#include <stdlib.h>

#define MOST_CATEGORIES 1000u /* values of a category; more are taken for identifiers, */
#define FEW_CATEGORIES  20u   /* and so are more than these if half of them stand once only */
#define NUMBER_VALUES   20u   /* texts among numbers in a column of more values are mistakes, */
#define NUMBER_SHARE    20u   /* if they are fewer than one in so many */

/* ---- labels ---- */

/* The first cell with label `i` of the whole file. */
static const char *label_place(const typed_plan *plan, uint32_t label) {
  const char *wanted = irl_names_get(&plan->label_values, label);
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const irl_names *own = &plan->pieces[i].values[plan->csv.target];
    for (size_t k = 0; k < 3 && k < own->n; k++)
      if (!strcmp(irl_names_get(own, k), wanted)) return plan->pieces[i].label_at[k];
  }
  return plan->csv.header;
}

static irl_status name_labels(typed_plan *plan, const char *positive, const char *negative) {
  const irl_source *source = plan->csv.source;
  const bool is_named = plan->csv.target < plan->csv.n_columns && !source->no_header;
  const char *target = is_named ? irl_names_get(&plan->csv.columns, plan->csv.target)
                       : plan->csv.target < plan->csv.n_columns ? "y"
                                                                : source->target;
  const irl_data_labels called = {target, positive, negative, false};
  return irl_table_name_labels(plan->csv.env, plan->table, &called);
}

/* One label against all others. */
static irl_status set_rest(typed_plan *plan, const char *value) {
  const irl_source *source = plan->csv.source;
  const uint32_t found = irl_names_find(&plan->label_values, value, strlen(value));
  const char *column = irl_names_get(&plan->csv.columns, plan->csv.target);
  const size_t n = plan->label_values.n;
  if (!source->one_class_ok && found == IRL_NO_NAME)
    return irl_fail(plan->csv.env, IRL_BAD_INPUT, "%s: no label in column '%s' is '%s'",
                    source->path, column, value);
  if (!source->one_class_ok && n == 1)
    return irl_fail(plan->csv.env, IRL_BAD_INPUT,
                    "%s: there is only one class: every label in column '%s' is '%s'", source->path,
                    column, value);
  for (size_t i = 0; i < plan->n_rows; i++) plan->table->labels[i] = plan->labels[i] == found;
  char *rest = irl_mem_alloc(&plan->csv.env->allocator, strlen(value) + 8, 1);
  if (!rest) return irl_fail_memory(plan->csv.env);
  sprintf(rest, "not %s", value);
  plan->table->is_rest = n != 2;
  const bool is_pair = n == 2 && found != IRL_NO_NAME;
  const irl_status status =
      name_labels(plan, value, is_pair ? irl_names_get(&plan->label_values, 1 - found) : rest);
  irl_mem_free(&plan->csv.env->allocator, rest);
  return status;
}

static irl_status refuse_third(const typed_plan *plan) {
  return irl_csv_fail(
      &plan->csv, label_place(plan, 2),
      "'%.40s' is the third label in column '%.150s'; two are allowed, or --vs-rest "
      "VALUE for one of them against all others",
      irl_names_get(&plan->label_values, 2), irl_names_get(&plan->csv.columns, plan->csv.target));
}

static irl_status set_labels(typed_plan *plan) {
  const irl_source *source = plan->csv.source;
  irl_table *table = plan->table;
  if (plan->csv.target == plan->csv.n_columns)
    return name_labels(plan, source->positive, source->negative);
  table->has_labels = true;
  table->labels = irl_mem_alloc(&table->allocator, plan->n_rows, 1);
  if (!table->labels) return irl_fail_memory(plan->csv.env);
  if (source->vs_rest) return set_rest(plan, source->vs_rest);
  if (plan->label_values.n > 2) return refuse_third(plan);
  irl_labels known = {.n = plan->label_values.n};
  for (uint32_t i = 0; i < known.n; i++) {
    csv_piece all = {.start = plan->csv.text, .end = plan->csv.end};
    csv_cell c;
    known.text[i] = label_place(plan, i);
    known.length[i] = strlen(irl_names_get(&plan->label_values, i));
    if (known.text[i] > plan->csv.text && known.text[i][-1] == '"' &&
        irl_csv_cell(&all, known.text[i] - 1, plan->csv.delimiter, &c))
      known.length[i] = c.length;
  }
  int positive;
  const char *column = irl_names_get(&plan->csv.columns, plan->csv.target);
  const irl_status status =
      irl_labels_resolve(plan->csv.env, source, &known, plan->csv.text, column, &positive);
  if (status) return status;
  for (size_t i = 0; i < plan->n_rows; i++)
    table->labels[i] = positive >= 0 && plan->labels[i] == (uint32_t)positive;
  const size_t other = positive == 0 ? 1 : 0;
  return name_labels(
      plan, positive < 0 ? source->positive : irl_names_get(&plan->label_values, (size_t)positive),
      other < known.n ? irl_names_get(&plan->label_values, other) : source->negative);
}

/* ---- columns ---- */

/* Are the few texts among the numbers of a column mistakes? */
static bool is_mixed(const typed_look *look, size_t n_values) {
  return look->n_numbers > NUMBER_SHARE * look->n_texts &&
         (!look->has_other || n_values > NUMBER_VALUES);
}

static irl_status refuse_mixed(const typed_plan *plan, size_t column) {
  const typed_look *look = &plan->columns[column].look;
  return irl_csv_fail(&plan->csv, look->first_text,
                      "'%.*s' in column '%.150s' is not %s, as %zu other cells are; --na names "
                      "texts of missing values, --type makes the column a category",
                      irl_typed_shown(plan, look->first_text), look->first_text,
                      irl_names_get(&plan->csv.columns, column),
                      look->has_other ? "a number" : "0 or 1", look->n_numbers);
}

static bool is_identifier(const typed_plan *plan, size_t n_values) {
  return n_values > MOST_CATEGORIES || (n_values > FEW_CATEGORIES && 2 * n_values > plan->n_rows);
}

/* Yes and YES are two categories; that is seldom meant. */
static void warn_of_case(const typed_plan *plan, size_t column, const irl_names *values) {
  for (size_t i = 0; i < values->n; i++)
    for (size_t k = 0; k < i; k++) {
      const char *a = irl_names_get(values, k), *b = irl_names_get(values, i);
      if (!irl_c_equal_ignoring_case(a, b, SIZE_MAX)) continue;
      irl_log(plan->csv.env, IRL_LOG_WARNING,
              "%s: column '%s' has '%s' and '%s', which are different categories",
              plan->csv.source->path, irl_names_get(&plan->csv.columns, column), a, b);
      return;
    }
}

static irl_status check_category(typed_plan *plan, size_t column) {
  const typed_column *from = &plan->columns[column];
  irl_column *into = &plan->table->columns[from->into];
  const size_t n = into->values.n;
  if (from->forced != IRL_NOT_FORCED) return IRL_OK;
  if (is_mixed(&from->look, n)) return refuse_mixed(plan, column);
  if (!is_identifier(plan, n)) {
    warn_of_case(plan, column, &into->values);
    return IRL_OK;
  }
  into->type = IRL_IGNORED;
  irl_log(plan->csv.env, IRL_LOG_WARNING,
          "%s: column '%s' has %zu different texts, is taken for an identifier and left out; "
          "--type keeps it",
          plan->csv.source->path, irl_names_get(&plan->csv.columns, column), n);
  return IRL_OK;
}

/* 1, 2, 3, ... down the file. */
static bool numbers_rows(const irl_column *c, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (c->numbers[i] != c->numbers[i - 1] + 1) return false;
  return true;
}

static bool is_called_id(const char *name) {
  const size_t n = strlen(name);
  return irl_c_equal_ignoring_case(name, "id", 3) ||
         (n > 3 && irl_c_equal_ignoring_case(name + n - 2, "id", 3) &&
          (strchr("_ -.", name[n - 3]) || name[n - 2] == 'I'));
}

/* Are all numbers of the column whole and different? */
static bool has_own_numbers(const typed_plan *plan, const irl_column *c) {
  double *sorted = irl_mem_alloc(&plan->csv.env->allocator, plan->n_rows, sizeof *sorted);
  bool is_own = sorted != NULL;
  if (is_own) {
    memcpy(sorted, c->numbers, plan->n_rows * sizeof *sorted);
    qsort(sorted, plan->n_rows, sizeof *sorted, irl_compare_numbers);
  }
  for (size_t i = 0; is_own && i < plan->n_rows; i++)
    is_own = sorted[i] == floor(sorted[i]) && (!i || sorted[i] > sorted[i - 1]);
  irl_mem_free(&plan->csv.env->allocator, sorted);
  return is_own;
}

/* Numbers that tell nothing about a sample but which one it is. */
static void check_number(typed_plan *plan, size_t column) {
  const typed_column *from = &plan->columns[column];
  const char *name = irl_names_get(&plan->csv.columns, column);
  irl_column *into = &plan->table->columns[from->into];
  if (from->forced == IRL_NOT_FORCED && from->look.has_zeros)
    irl_log(plan->csv.env, IRL_LOG_NOTE,
            "%s: column '%s' has zeros before its numbers; --type makes codes a category",
            plan->csv.source->path, name);
  if (from->forced != IRL_NOT_FORCED || into->n_missing || plan->n_rows <= FEW_CATEGORIES) return;
  const bool is_row = numbers_rows(into, plan->n_rows);
  if (!is_row && !(is_called_id(name) && has_own_numbers(plan, into))) return;
  into->type = IRL_IGNORED;
  irl_log(plan->csv.env, IRL_LOG_WARNING,
          "%s: column '%s' numbers the %s and is left out; --type keeps it", plan->csv.source->path,
          name, is_row ? "rows" : "samples");
}

/* ---- missing values ---- */

static irl_status refuse_missing(const typed_plan *plan) {
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *c = &plan->columns[i];
    if (c->role != TYPED_KEEP) continue;
    const irl_column *into = &plan->table->columns[c->into];
    if (!into->n_missing || into->type == IRL_IGNORED) continue;
    return irl_csv_fail(&plan->csv, c->look.first_missing,
                        "a missing value in column '%.200s', the first of %zu",
                        irl_names_get(&plan->csv.columns, i), into->n_missing);
  }
  return IRL_OK;
}

static irl_status treat_missing(typed_plan *plan) {
  const irl_options *options = plan->csv.source->options;
  const char *choice = options ? options->missing : NULL;
  if (!choice || plan->csv.source->only) return IRL_OK;
  if (!strcmp(choice, "error")) return refuse_missing(plan);
  return strcmp(choice, "drop") ? IRL_OK : irl_table_drop_missing(plan->csv.env, plan->table);
}

irl_status irl_typed_check(typed_plan *plan) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    if (plan->columns[i].role != TYPED_KEEP) continue;
    const irl_column *c = &plan->table->columns[plan->columns[i].into];
    if (c->type == IRL_CATEGORY) status = check_category(plan, i);
    if (c->type == IRL_NUMBER) check_number(plan, i);
  }
  if (!status && plan->table->weights)
    status = irl_table_weigh(plan->csv.env, plan->table, plan->csv.source->options->weight_column);
  return status ? status : treat_missing(plan);
}

/* Samples without a label are left out. */
static irl_status drop_unlabelled(typed_plan *plan) {
  size_t n = 0;
  if (plan->csv.target == plan->csv.n_columns) return IRL_OK;
  uint8_t *is_kept = irl_mem_alloc(&plan->csv.env->allocator, plan->n_rows, 1);
  if (!is_kept) return irl_fail_memory(plan->csv.env);
  for (size_t i = 0; i < plan->n_rows; i++) {
    is_kept[i] = plan->labels[i] != IRL_NO_VALUE;
    if (is_kept[i]) plan->labels[n++] = plan->labels[i];
  }
  if (n && n < plan->n_rows) {
    irl_log(plan->csv.env, IRL_LOG_NOTE, "%s: %zu rows have no label and are left out",
            plan->csv.source->path, plan->n_rows - n);
    irl_table_keep(plan->table, is_kept);
  }
  irl_mem_free(&plan->csv.env->allocator, is_kept);
  assert(n <= plan->n_rows && (!n || n == plan->table->n_samples));
  plan->n_rows = n;
  return n ? IRL_OK : irl_csv_fail(&plan->csv, plan->csv.header, "no row has a label");
}

irl_status irl_typed_finish(typed_plan *plan) {
  irl_status status = drop_unlabelled(plan);
  if (!status) status = set_labels(plan);
  return status ? status : irl_typed_check(plan);
}
