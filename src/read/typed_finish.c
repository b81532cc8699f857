/* What is decided once the cells are known. The type of each column: numbers throughout are a
 * number, or binary if only 0 and 1 occur; texts are a category. What cannot be right is refused
 * with its place and a remedy; a column without any value is left out with a warning. Then, once
 * all values are there: which label means case, weights, categories that are identifiers, row
 * numbers, and what becomes of samples with missing values. Files whose columns have types already
 * (.irb, .bed) enter at irl_typed_file: the options say which columns to take, and the reader
 * brings these, one at a time. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "ireland_data.h"
#include "read/typed.h"
#include <math.h>
#include <stdlib.h>

#define FEW_CATEGORIES 20u /* values; more are identifiers too if half of them stand once only */
#define NUMBER_VALUES  20u /* texts among numbers in a column of more values are mistakes, */
#define NUMBER_SHARE   20u /* if they are fewer than one in so many */
#define MOST_SHOWN     40  /* bytes of a cell in a message */

/* ---- types ---- */

/* How many bytes of a cell a message shows. */
static int shown_length(const typed_plan *plan, const char *at) {
  const char before = at > plan->csv.text ? at[-1] : '\n';
  const bool is_quoted = before == '"' || before == '\'';
  int length = 0;
  while (at + length < plan->csv.end && length < MOST_SHOWN && !strchr("\r\n", at[length]) &&
         at[length] != (is_quoted ? before : plan->csv.delimiter))
    length++;
  return length;
}

static irl_status refuse_cell(const typed_plan *plan, size_t column, const char *at,
                              const char *format) {
  return irl_csv_fail(&plan->csv, at, format, shown_length(plan, at), at,
                      irl_names_get(&plan->csv.columns, column));
}

/* A type that was asked for must fit. */
static irl_status check_forced(const typed_plan *plan, size_t column) {
  const typed_column *c = &plan->columns[column];
  const typed_look *look = &c->look;
  if (c->forced == IRL_COLUMN_CATEGORY) return IRL_STATUS_OK;
  if (look->n_commas)
    return refuse_cell(plan, column, look->first_text,
                       "'%.*s' in column '%.150s' has a comma; write thousands as 1234 and "
                       "decimals as 1.5, or give "
                       "--decimal comma");
  if (look->n_texts)
    return refuse_cell(plan, column, look->first_text,
                       c->forced == IRL_COLUMN_BINARY
                           ? "'%.*s' in feature '%.200s' is not 0 or 1"
                           : "'%.*s' in column '%.200s' is not a number");
  if (c->forced == IRL_COLUMN_SNP && look->has_more)
    return refuse_cell(plan, column, look->first_more,
                       "'%.*s' in column '%.200s' is not 0, 1 or 2, as a count of alleles is");
  if (c->forced == IRL_COLUMN_BINARY && look->has_other)
    return refuse_cell(plan, column, look->first_other, "'%.*s' in feature '%.200s' is not 0 or 1");
  return IRL_STATUS_OK;
}

irl_status irl_typed_infer(typed_plan *plan) {
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    typed_column *c = &plan->columns[i];
    const typed_look *look = &c->look;
    if (c->role != TYPED_KEEP) continue;
    plan->at_column = i;
    if (c->forced != IRL_NOT_FORCED) {
      c->type = (irl_column_type)c->forced;
      status = check_forced(plan, i);
    } else if (look->n_texts && look->n_texts == look->n_commas) {
      status = refuse_cell(
          plan, i, look->first_text,
          "'%.*s' in column '%.150s' has a comma; write thousands as 1234, give --decimal "
          "comma for 1,5, or make it a category by --type");
    } else if (look->n_texts) {
      c->type = IRL_COLUMN_CATEGORY;
    } else if (look->n_numbers) {
      c->type = look->has_other ? IRL_COLUMN_NUMBER : IRL_COLUMN_BINARY;
    } else {
      c->type = IRL_COLUMN_IGNORED;
      irl_log(plan->csv.env, IRL_LOG_WARNING, "%s: column '%s' has no value at all and is left out",
              plan->csv.source->path, irl_names_get(&plan->csv.columns, i));
    }
  }
  return status;
}

/* ---- labels ---- */

size_t irl_typed_cell_length(const csv_plan *plan, const char *text, size_t length) {
  csv_piece all = {.start = plan->text, .end = plan->end};
  csv_cell c;
  return text > plan->text && text[-1] == '"' && irl_csv_cell(&all, text - 1, plan->delimiter, &c)
             ? c.length
             : length;
}

/* The first cell with label `i` of the whole file. */
static const char *label_place(const typed_plan *plan, uint32_t label) {
  const char *wanted = irl_names_get(&plan->label_values, label);
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const irl_names *own = &plan->pieces[i].labels;
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
  if (!source->one_class_ok && found == IRL_NO_NAME) {
    const char *nearest = irl_names_suggest(&plan->label_values, value, strlen(value));
    return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT,
                    "%s: no label in column '%s' is '%s'" IRL_HINT, source->path, column, value,
                    IRL_HINT_OF(nearest));
  }
  if (!source->one_class_ok && n == 1)
    return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT,
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

static irl_status set_labels(typed_plan *plan) {
  const irl_source *source = plan->csv.source;
  irl_table *table = plan->table;
  if (plan->csv.target == plan->csv.n_columns)
    return name_labels(plan, source->positive, source->negative);
  table->has_labels = true;
  table->labels = irl_mem_alloc(&table->allocator, plan->n_rows, 1);
  if (!table->labels) return irl_fail_memory(plan->csv.env);
  if (source->vs_rest) return set_rest(plan, source->vs_rest);
  const char *column = irl_names_get(&plan->csv.columns, plan->csv.target);
  if (plan->label_values.n > 2)
    return irl_csv_fail(
        &plan->csv, label_place(plan, 2),
        "'%.40s' is the third label in column '%.150s'; two are allowed, or --vs-rest "
        "VALUE for one of them against all others",
        irl_names_get(&plan->label_values, 2), column);
  irl_labels known = {.n = plan->label_values.n};
  for (uint32_t i = 0; i < known.n; i++) {
    known.text[i] = label_place(plan, i);
    known.length[i] = irl_typed_cell_length(&plan->csv, known.text[i],
                                            strlen(irl_names_get(&plan->label_values, i)));
  }
  int positive;
  const irl_position first = irl_place_find(irl_csv_place(&plan->csv, known.text[0]));
  const irl_status status =
      irl_labels_resolve(plan->csv.env, source, &known, first, column, &positive);
  if (status) return status;
  for (size_t i = 0; i < plan->n_rows; i++)
    table->labels[i] = positive >= 0 && plan->labels[i] == (uint32_t)positive;
  const size_t other = positive == 0 ? 1 : 0;
  return name_labels(
      plan, positive < 0 ? source->positive : irl_names_get(&plan->label_values, (size_t)positive),
      other < known.n ? irl_names_get(&plan->label_values, other) : source->negative);
}

/* ---- columns ---- */

static irl_status check_category(const typed_plan *plan, size_t column, irl_column *into) {
  const typed_look *look = &plan->columns[column].look;
  const char *name = irl_names_get(&plan->csv.columns, column), *path = plan->csv.source->path;
  const size_t n = into->values->n;
  /* The few texts among the numbers of a column are mistakes. */
  if (look->n_numbers > NUMBER_SHARE * look->n_texts && (!look->has_other || n > NUMBER_VALUES))
    return irl_csv_fail(&plan->csv, look->first_text,
                        "'%.*s' in column '%.150s' is not %s, as %zu other cells are; --na names "
                        "texts of missing values, --type makes the column a category",
                        shown_length(plan, look->first_text), look->first_text, name,
                        look->has_other ? "a number" : "0 or 1", look->n_numbers);
  if (n > IRL_MOST_CATEGORIES || (n > FEW_CATEGORIES && 2 * n > plan->n_rows)) {
    const bool is_cut = n > IRL_MOST_CATEGORIES; /* the others were not looked at */
    into->type = IRL_COLUMN_IGNORED;
    irl_log(plan->csv.env, IRL_LOG_WARNING,
            "%s: column '%s' has %s%zu different texts, is taken for an identifier and left out; "
            "--type keeps it",
            path, name, is_cut ? "more than " : "", is_cut ? (size_t)IRL_MOST_CATEGORIES : n);
    return IRL_STATUS_OK;
  }
  /* Yes and YES are two categories; that is seldom meant. */
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++) {
      const char *a = irl_names_get(into->values, k), *b = irl_names_get(into->values, i);
      if (!irl_c_equal_ignoring_case(a, b, SIZE_MAX)) continue;
      irl_log(plan->csv.env, IRL_LOG_WARNING,
              "%s: column '%s' has '%s' and '%s', which are different categories", path, name, a,
              b);
      return IRL_STATUS_OK;
    }
  return IRL_STATUS_OK;
}

/* Numbers that tell nothing about a sample but which one it is: 1, 2, 3, ... down the file, or
 * whole and different ones in a column that is called an identifier. */
static irl_status check_number(const typed_plan *plan, size_t column, irl_column *into) {
  irl_env *env = plan->csv.env;
  const char *name = irl_names_get(&plan->csv.columns, column), *path = plan->csv.source->path;
  const size_t n = plan->n_rows, length = strlen(name);
  if (plan->columns[column].look.has_zeros)
    irl_log(env, IRL_LOG_NOTE,
            "%s: column '%s' has zeros before its numbers; --type makes codes a category", path,
            name);
  if (into->n_missing || n <= FEW_CATEGORIES) return IRL_STATUS_OK;
  bool is_row = true;
  for (size_t i = 1; i < n && is_row; i++) is_row = into->numbers[i] == into->numbers[i - 1] + 1;
  bool is_own = !is_row && (irl_c_equal_ignoring_case(name, "id", 3) ||
                            (length > 3 && irl_c_equal_ignoring_case(name + length - 2, "id", 3) &&
                             (strchr("_ -.", name[length - 3]) || name[length - 2] == 'I')));
  if (is_own) {
    double *sorted = irl_mem_alloc(&env->allocator, n, sizeof *sorted);
    if (!sorted) return irl_fail_memory(env);
    memcpy(sorted, into->numbers, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, irl_compare_numbers);
    for (size_t i = 0; is_own && i < n; i++)
      is_own = sorted[i] == floor(sorted[i]) && (!i || sorted[i] > sorted[i - 1]);
    irl_mem_free(&env->allocator, sorted);
  }
  if (!is_row && !is_own) return IRL_STATUS_OK;
  into->type = IRL_COLUMN_IGNORED;
  irl_log(env, IRL_LOG_WARNING, "%s: column '%s' numbers the %s and is left out; --type keeps it",
          path, name, is_row ? "rows" : "samples");
  return IRL_STATUS_OK;
}

irl_status irl_typed_check(typed_plan *plan) {
  const irl_source *source = plan->csv.source;
  irl_table *table = plan->table;
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    const typed_column *from = &plan->columns[i];
    if (from->role != TYPED_KEEP || from->forced != IRL_NOT_FORCED) continue;
    irl_column *c = &table->columns[from->into];
    if (c->type == IRL_COLUMN_CATEGORY) status = check_category(plan, i, c);
    if (c->type == IRL_COLUMN_NUMBER) status = check_number(plan, i, c);
  }
  if (!status && table->weights)
    status = irl_table_weigh(plan->csv.env, table, source->options->data.weight_column);
  const irl_missing choice =
      source->options && !source->only ? source->options->data.missing : IRL_MISSING_DEFAULT;
  if (status) return status;
  if (choice == IRL_MISSING_DROP) return irl_table_drop_missing(plan->csv.env, table);
  for (size_t i = 0; i < plan->csv.n_columns && choice == IRL_MISSING_ERROR; i++) {
    const typed_column *c = &plan->columns[i];
    if (c->role != TYPED_KEEP) continue;
    const irl_column *into = &table->columns[c->into];
    if (into->n_missing && into->type != IRL_COLUMN_IGNORED)
      return irl_csv_fail(&plan->csv, c->look.first_missing,
                          "a missing value in column '%.200s', the first of %zu",
                          irl_names_get(&plan->csv.columns, i), into->n_missing);
  }
  return IRL_STATUS_OK;
}

irl_status irl_typed_finish(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  irl_status status = IRL_STATUS_OK;
  if (plan->csv.target < plan->csv.n_columns) { /* samples without a label are left out */
    size_t n = 0;
    uint8_t *is_kept = irl_mem_alloc(&env->allocator, plan->n_rows, 1);
    if (!is_kept) return irl_fail_memory(env);
    for (size_t i = 0; i < plan->n_rows; i++) {
      is_kept[i] = plan->labels[i] != IRL_NO_VALUE;
      if (is_kept[i]) plan->labels[n++] = plan->labels[i];
    }
    if (n && n < plan->n_rows) {
      irl_log(env, IRL_LOG_NOTE, "%s: %zu rows have no label and are left out",
              plan->csv.source->path, plan->n_rows - n);
      status = irl_table_keep(env, plan->table, is_kept);
    }
    irl_mem_free(&env->allocator, is_kept);
    if (status) return status;
    assert(n <= plan->n_rows && (!n || n == plan->table->n_samples));
    plan->n_rows = n;
    if (!n) status = irl_csv_fail(&plan->csv, plan->csv.header, "no row has a label");
  }
  if (!status) status = set_labels(plan);
  return status ? status : irl_typed_check(plan);
}

/* ---- files with types ---- */

static irl_status take_weights(typed_plan *plan, size_t i, typed_bring *bring, void *user) {
  irl_table *table = plan->table;
  irl_env *env = plan->csv.env;
  irl_column column = {.type = IRL_COLUMN_IGNORED};
  if (table->weights)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "%s has weights already, without column '%s'",
                    table->path, irl_names_get(&plan->csv.columns, i));
  table->weights = irl_mem_alloc(&table->allocator, table->n_samples, sizeof *table->weights);
  irl_status status = table->weights ? bring(user, i, &column) : irl_fail_memory(env);
  if (!status && (column.type == IRL_COLUMN_CATEGORY || column.type == IRL_COLUMN_IGNORED))
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the weights in column '%s' are not numbers",
                      table->path, irl_names_get(&plan->csv.columns, i));
  for (uint32_t s = 0; s < table->n_samples && !status; s++) {
    table->weights[s] = irl_column_number(&column, s);
    if (!(table->weights[s] >= 0) || isinf(table->weights[s]))
      status =
          irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the weight of sample %u in column '%s' is %s",
                   table->path, s + 1, irl_names_get(&plan->csv.columns, i),
                   table->weights[s] < 0 ? "negative" : "missing or not a number");
  }
  irl_column_free(&column, &table->allocator);
  return status;
}

irl_status irl_typed_file(irl_env *env, const irl_source *source, const irl_names *names,
                          irl_table *table, typed_bring *bring, void *user) {
  static const char none[] = "";
  typed_plan plan = {.csv = {.env = env,
                             .source = source,
                             .n_columns = names->n,
                             .target = names->n,
                             .text = none,
                             .header = none,
                             .end = none},
                     .has_types = true,
                     .n_rows = table->n_samples,
                     .table = table};
  const char *weights = source->options ? source->options->data.weight_column : NULL;
  irl_status status = irl_names_copy(&plan.csv.columns, names, &env->allocator) &&
                              irl_names_index(&plan.csv.columns, NULL)
                          ? irl_typed_roles(&plan)
                          : irl_fail_memory(env);
  for (size_t i = 0; i < names->n && !status; i++) {
    const typed_column *c = &plan.columns[i];
    if (c->role == TYPED_KEEP) status = bring(user, i, &table->columns[c->into]);
    if (c->role == TYPED_WEIGHT) status = take_weights(&plan, i, bring, user);
  }
  if (!status && table->weights)
    status = irl_table_weigh(env, table, weights ? weights : "weights");
  if (!status && !source->only && source->options)
    status = irl_table_treat_missing(env, table, source->options);
  irl_typed_free(&plan);
  return status;
}
