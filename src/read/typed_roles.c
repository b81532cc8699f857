/* What each column of a file is for: left out, a feature of a type, the labels, the weights. The
 * options say so, or the rule that is to be applied: it knows its columns and their types. */
#include "base/c_locale.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/word_rows.h"
#include "ireland_data.h"
#include "read/typed.h"

static const char *const type_names[IRL_N_COLUMN_TYPES] = {
#define TEXT_ROW(name, text) text,
    IRL_COLUMN_TABLE(TEXT_ROW)
#undef TEXT_ROW
};

const char *irl_column_type_text(irl_column_type type) {
  return type_names[type];
}

static irl_status find_column(const typed_plan *plan, const char *option, const char *name,
                              size_t length, uint32_t *found) {
  *found = irl_names_find(&plan->csv.columns, name, length);
  return *found != IRL_NO_NAME ? IRL_STATUS_OK
                               : irl_names_no_column(plan->csv.env, &plan->csv.columns,
                                                     plan->csv.source->path, option, name, length);
}

/* A type by its name, -1 if there is none. */
static int find_type(const char *text, size_t length) {
  for (int t = 0; t < IRL_N_COLUMN_TYPES; t++)
    if (strlen(type_names[t]) == length && irl_c_equal_ignoring_case(type_names[t], text, length))
      return t;
  return -1;
}

#define KNOWN_TYPES "binary, number, category, snp or ignore"

/* Where the type of COL=TYPE begins; 0: nowhere. */
static size_t after_sign(const char *item, size_t length) {
  while (length && item[length - 1] != '=') length--;
  return length;
}

static bool names_column(const typed_plan *plan, const char *item, size_t length) {
  const size_t at = after_sign(item, length);
  return at && irl_names_find(&plan->csv.columns, item, at - 1) != IRL_NO_NAME;
}

/* --type: COL=TYPE with commas between, which a name may have too. */
static irl_status apply_type(typed_plan *plan, const char *list) {
  irl_env *env = plan->csv.env;
  for (const char *item = list, *next; item; item = next) {
    size_t n, line = strcspn(item, "\n"), longer;
    uint32_t column;
    next = irl_list_item(item, ",\n", &n);
    for (longer = n; longer < line && !names_column(plan, item, longer);)
      longer += 1 + strcspn(item + longer + 1, ",\n");
    if (names_column(plan, item, longer)) {
      n = longer;
      next = item[n] ? item + n + 1 : NULL;
    }
    const size_t at = after_sign(item, n);
    if (!at)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "option type takes COL=TYPE, COL=TYPE, not '%.*s'", (int)n, item);
    const irl_status status = find_column(plan, "type", item, at - 1, &column);
    if (status) return status;
    plan->columns[column].forced = find_type(item + at, n - at);
    if (plan->columns[column].forced < 0)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "option type: a type is " KNOWN_TYPES ", not '%.*s'", (int)(n - at),
                      item + at);
  }
  return IRL_STATUS_OK;
}

/* --types: lines `COL,TYPE`; the last delimiter counts. */
static irl_status apply_types(typed_plan *plan, const irl_bytes *types) {
  irl_word_rows rows = irl_word_rows_open(plan->csv.env, types, "types");
  irl_status status = IRL_STATUS_OK;
  rows.delimiter = '\n'; /* a row is one word */
  while (!status && irl_word_rows_next(&rows, &status)) {
    const char *line = rows.words[0].text;
    const size_t length = rows.words[0].length;
    size_t at = length, start;
    uint32_t column;
    if (*line == '#') continue;
    while (at && !strchr(",\t;=", line[at - 1])) at--;
    for (start = at; start < length && line[start] == ' ';) start++;
    const int type = find_type(line + start, length - start);
    status = at ? find_column(plan, "types", line, at - 1, &column)
                : irl_word_rows_fail(&rows, rows.line, "a line must be COLUMN,TYPE");
    if (!status && type < 0)
      status = irl_word_rows_fail(&rows, line + at, "a type is " KNOWN_TYPES ", not '%.*s'",
                                  (int)(length - start), line + start);
    if (!status) plan->columns[column].forced = type;
  }
  irl_word_rows_close(&rows);
  return status;
}

/* A list of columns that are named. */
static irl_status apply_list(typed_plan *plan, const char *option, const char *list, bool keeps) {
  irl_env *env = plan->csv.env;
  irl_status status = IRL_STATUS_OK;
  uint32_t column;
  if (!list) return IRL_STATUS_OK;
  bool *is_named = irl_mem_alloc(&env->allocator, plan->csv.n_columns, sizeof *is_named);
  if (!is_named) return irl_fail_memory(env);
  for (const char *item = list, *next; item && !status; item = next) {
    size_t n, line = strcspn(item, "\n");
    next = irl_list_item(item, ",\n", &n);
    const bool is_start = item == list || item[-1] == '\n';
    if (is_start && irl_names_find(&plan->csv.columns, item, line) != IRL_NO_NAME) {
      n = line; /* one name that has commas itself */
      next = item[n] ? item + n + 1 : NULL;
    }
    status = find_column(plan, option, item, n, &column);
    if (!status) is_named[column] = true;
  }
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++)
    if (is_named[i] != keeps && plan->columns[i].role == TYPED_KEEP)
      plan->columns[i].role = TYPED_SKIP;
  irl_mem_free(&env->allocator, is_named);
  return status;
}

/* The column of strata, of groups or of given folds is read whatever else is said about it, the
 * latter two as texts if their file has no types. */
static irl_status keep_column(typed_plan *plan, const char *option, const char *name,
                              bool as_texts) {
  uint32_t i;
  if (!name) return IRL_STATUS_OK;
  const irl_status status = find_column(plan, option, name, strlen(name), &i);
  if (status) return status;
  typed_column *c = &plan->columns[i];
  if (c->role == TYPED_LABEL || c->role == TYPED_WEIGHT)
    return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT, "%s: column '%s' for --%s has the %s",
                    plan->csv.source->path, name, option,
                    c->role == TYPED_LABEL ? "labels" : "weights");
  c->role = TYPED_KEEP;
  if (as_texts && !plan->has_types && !plan->is_arff) c->forced = IRL_COLUMN_CATEGORY;
  if (c->forced == IRL_COLUMN_IGNORED)
    c->forced = plan->is_arff ? IRL_COLUMN_CATEGORY : IRL_NOT_FORCED;
  return IRL_STATUS_OK;
}

static irl_status apply_options(typed_plan *plan, const irl_options *options) {
  const bool has_types = plan->has_types; /* which are not to be changed */
  const char *weights = options->data.weight_column;
  irl_status status =
      options->data.types && !has_types ? apply_types(plan, options->data.types) : IRL_STATUS_OK;
  if (!status && options->data.type && !has_types) status = apply_type(plan, options->data.type);
  if (!status && weights) {
    uint32_t i;
    status = find_column(plan, "weight-column", weights, strlen(weights), &i);
    if (!status && plan->columns[i].role == TYPED_LABEL)
      status = irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT,
                        "%s: column '%s' cannot have both the labels and the weights",
                        plan->csv.source->path, weights);
    if (!status) plan->columns[i].role = TYPED_WEIGHT;
  }
  if (!status) status = apply_list(plan, "only", options->data.only, true);
  if (!status) status = apply_list(plan, "ignore", options->data.ignore, false);
  if (!status) status = keep_column(plan, "strata", options->data.strata, false);
  if (!status) status = keep_column(plan, "group", options->data.group, true);
  if (!status) status = keep_column(plan, "fold-column", options->data.fold_column, true);
  return status;
}

/* The columns that a rule needs, with the types it gives them. */
static void apply_wanted(typed_plan *plan) {
  const irl_source *source = plan->csv.source;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    typed_column *c = &plan->columns[i];
    const char *name = irl_names_get(&plan->csv.columns, i);
    const uint32_t wanted = irl_names_find(source->only, name, strlen(name));
    bool is_wanted = wanted != IRL_NO_NAME;
    if (i + 1 == plan->csv.id) {
      c->role = TYPED_ID;
      c->forced = c->type = IRL_COLUMN_CATEGORY; /* of as many values as there are */
    }
    if (c->role != TYPED_KEEP) continue;
    /* A rule may name the carriers of a SNP without saying what they mean. */
    for (int k = 0; k < 3 && !is_wanted && plan->has_types; k++) {
      static const char *const suffixes[] = {":dom", ":rec", ":het"};
      char carriers[1024];
      const int n = snprintf(carriers, sizeof carriers, "%s%s", name, suffixes[k]);
      is_wanted = n < (int)sizeof carriers &&
                  irl_names_find(source->only, carriers, (size_t)n) != IRL_NO_NAME;
    }
    if (!is_wanted)
      c->role = TYPED_SKIP;
    else if (!plan->has_types)
      c->forced = source->only_types ? source->only_types[wanted] : IRL_COLUMN_BINARY;
  }
}

static irl_status add_columns(typed_plan *plan) {
  irl_table *table = plan->table;
  uint32_t n = 0;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    typed_column *c = &plan->columns[i];
    const char *name = irl_names_get(&plan->csv.columns, i);
    if (c->role == TYPED_KEEP && c->forced == IRL_COLUMN_IGNORED) c->role = TYPED_SKIP;
    if (c->role != TYPED_KEEP) continue;
    const irl_status status = irl_csv_check_name(&plan->csv, i);
    if (status) return status;
    c->into = n++;
    if (!irl_names_add(&table->names, name, strlen(name))) return irl_fail_memory(plan->csv.env);
  }
  assert(table->names.n == n && !table->columns);
  if (plan->csv.id) {
    const char *name = irl_names_get(&plan->csv.columns, plan->csv.id - 1);
    table->id_name = irl_mem_copy_text(&table->allocator, name, strlen(name));
    if (!table->id_name) return irl_fail_memory(plan->csv.env);
  }
  table->columns = irl_mem_alloc(&table->allocator, n, sizeof *table->columns);
  if (!table->columns || !irl_names_index(&table->names, NULL))
    return irl_fail_memory(plan->csv.env);
  if (n || plan->csv.source->only) return IRL_STATUS_OK;
  if (plan->has_types)
    return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT, "%s: no column is left for features",
                    plan->csv.source->path);
  return irl_csv_fail(&plan->csv, plan->csv.header,
                      plan->csv.n_columns == 1
                          ? "one column only, so no features; is the delimiter right?"
                          : "no column is left for features");
}

irl_status irl_typed_roles(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  const irl_source *source = plan->csv.source;
  irl_status status = IRL_STATUS_OK;
  if (!plan->columns)
    plan->columns = irl_mem_alloc(&env->allocator, plan->csv.n_columns, sizeof *plan->columns);
  if (!plan->columns) return irl_fail_memory(env);
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    plan->columns[i].role = i == plan->csv.target ? TYPED_LABEL : TYPED_KEEP;
    if (!plan->is_arff) plan->columns[i].forced = IRL_NOT_FORCED;
  }
  if (source->only)
    apply_wanted(plan);
  else if (source->options)
    status = apply_options(plan, source->options);
  /* A first column without a name is how other programs write the names of rows. */
  typed_column *first = &plan->columns[0];
  if (!status && !source->only && plan->csv.has_row_names && first->role == TYPED_KEEP &&
      first->forced == IRL_NOT_FORCED && !(source->options && source->options->data.only)) {
    first->role = TYPED_SKIP;
    irl_log(env, IRL_LOG_WARNING,
            "%s: the first column has no name, as row names have none, and is left out; --type "
            "'%s=...' keeps it",
            source->path, irl_names_get(&plan->csv.columns, 0));
  }
  return status ? status : add_columns(plan);
}
