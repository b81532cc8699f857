/* What each column of a file is for: left out, a feature of a type, the labels, the weights. The
 * options say so, or the rule that is to be applied: it knows its columns and their types. */
#include "base/c_locale.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "read/typed.h"

static const char *const type_names[IRL_N_TYPES] = {
#define TEXT_ROW(name, text) text,
    IRL_COLUMN_TABLE(TEXT_ROW)
#undef TEXT_ROW
};

const char *irl_column_type_text(irl_column_type type) {
  return type_names[type];
}

irl_status irl_typed_no_column(const typed_plan *plan, const char *option, const char *name,
                               size_t length) {
  const char *nearest = irl_names_suggest(&plan->csv.columns, name, length);
  return irl_fail(plan->csv.env, IRL_BAD_INPUT, "%s: there is no column '%.*s' for --%s%s%s%s",
                  plan->csv.source->path, (int)length, name, option,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* One list of columns being applied. */
typedef struct chooser {
  typed_plan *plan;
  const char *option;
  bool *is_named;   /* per column: where the names go, */
  const char *file; /* or types from this file, */
  size_t line;      /* at this line */
} chooser;

static irl_status find_column(const chooser *c, const char *name, size_t length, uint32_t *found) {
  *found = irl_names_find(&c->plan->csv.columns, name, length);
  return *found == IRL_NO_NAME ? irl_typed_no_column(c->plan, c->option, name, length) : IRL_OK;
}

static irl_status name_column(void *user, const char *item, size_t length) {
  const chooser *c = user;
  uint32_t i;
  const irl_status status = find_column(c, item, length, &i);
  if (!status) c->is_named[i] = true;
  return status;
}

/* A list of columns; a line may be one name that has commas itself. */
static irl_status name_line(void *user, const char *item, size_t length) {
  const chooser *c = user;
  const irl_names *columns = &c->plan->csv.columns;
  if (irl_names_find(columns, item, length) != IRL_NO_NAME) return name_column(user, item, length);
  char *line = irl_mem_copy_text(&c->plan->csv.env->allocator, item, length);
  if (!line) return irl_fail_memory(c->plan->csv.env);
  const irl_status status = irl_list_walk(line, false, name_column, user);
  irl_mem_free(&c->plan->csv.env->allocator, line);
  return status;
}

static irl_status set_type(const chooser *c, const char *name, size_t length, const char *type,
                           size_t type_length) {
  uint32_t i;
  const irl_status status = find_column(c, name, length, &i);
  if (status) return status;
  for (int t = 0; t < IRL_N_TYPES; t++)
    if (strlen(type_names[t]) == type_length &&
        irl_c_equal_ignoring_case(type_names[t], type, type_length)) {
      c->plan->columns[i].forced = t;
      return IRL_OK;
    }
  const char *known = "binary, number, category, snp or ignore";
  if (c->file)
    return irl_fail(c->plan->csv.env, IRL_BAD_INPUT, "%s:%zu:%zu: a type is %s, not '%.*s'",
                    c->file, c->line, length + 2, known, (int)type_length, type);
  return irl_fail(c->plan->csv.env, IRL_BAD_ARGUMENT, "option type: a type is %s, not '%.*s'",
                  known, (int)type_length, type);
}

/* Where the type of COL=TYPE begins; 0: nowhere. */
static size_t after_sign(const char *item, size_t length) {
  while (length && item[length - 1] != '=') length--;
  return length;
}

/* Does the item name a column? */
static bool is_type_item(const chooser *c, const char *item, size_t length) {
  const size_t at = after_sign(item, length);
  return at && irl_names_find(&c->plan->csv.columns, item, at - 1) != IRL_NO_NAME;
}

/* Items with commas between, which a name may have too. */
static irl_status type_items(void *user, const char *line, size_t length) {
  const chooser *c = user;
  irl_status status = IRL_OK;
  for (size_t from = 0; from <= length && !status;) {
    const char *item = line + from;
    size_t n = strcspn(item, ",\n"), longer = n;
    while (from + longer < length && !is_type_item(c, item, longer))
      longer += 1 + strcspn(item + longer + 1, ",\n");
    if (from + longer <= length && is_type_item(c, item, longer)) n = longer;
    const size_t at = after_sign(item, n);
    status = at ? set_type(c, item, at - 1, item + at, n - at)
                : irl_fail(c->plan->csv.env, IRL_BAD_ARGUMENT,
                           "option type takes COL=TYPE, COL=TYPE, not '%.*s'", (int)n, item);
    from += n + 1;
  }
  return status;
}

/* A line `COL,TYPE` of a types file; the last delimiter counts. */
static irl_status type_line(void *user, const char *line, size_t length) {
  chooser *c = user;
  c->line++;
  while (length && (line[length - 1] == '\r' || line[length - 1] == ' ')) length--;
  if (!length || *line == '#') return IRL_OK;
  size_t at = length;
  while (at && !strchr(",\t;=", line[at - 1])) at--;
  if (!at)
    return irl_fail(c->plan->csv.env, IRL_BAD_INPUT, "%s:%zu:1: a line must be COLUMN,TYPE",
                    c->file, c->line);
  size_t start = at;
  while (start < length && line[start] == ' ') start++;
  return set_type(c, line, at - 1, line + start, length - start);
}

static irl_status apply_list(typed_plan *plan, const char *option, const char *list, bool keeps) {
  irl_env *env = plan->csv.env;
  if (!list) return IRL_OK;
  bool *is_named = irl_mem_alloc(&env->allocator, plan->csv.n_columns, sizeof *is_named);
  chooser c = {plan, option, is_named, NULL, 0};
  const irl_status status =
      is_named ? irl_list_walk(list, true, name_line, &c) : irl_fail_memory(env);
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++)
    if (is_named[i] != keeps && plan->columns[i].role == TYPED_KEEP)
      plan->columns[i].role = TYPED_SKIP;
  irl_mem_free(&env->allocator, is_named);
  return status;
}

static irl_status apply_options(typed_plan *plan, const irl_options *options) {
  irl_env *env = plan->csv.env;
  irl_status status = IRL_OK;
  if (options->types && !plan->has_types) { /* types of the file are not to be changed */
    chooser c = {plan, "types", NULL, options->types, 0};
    irl_file file;
    status = irl_file_open(env, options->types, &file);
    if (status) return status;
    char *text = irl_mem_copy_text(&env->allocator, file.bytes, file.size);
    status = text ? irl_list_walk(text, true, type_line, &c) : irl_fail_memory(env);
    irl_mem_free(&env->allocator, text);
    irl_file_close(&file);
  }
  chooser c = {plan, "type", NULL, NULL, 0};
  if (!status && options->type && !plan->has_types)
    status = irl_list_walk(options->type, true, type_items, &c);
  if (!status && options->weight_column) {
    uint32_t i;
    c.option = "weight-column";
    status = find_column(&c, options->weight_column, strlen(options->weight_column), &i);
    if (!status && plan->columns[i].role == TYPED_LABEL)
      status = irl_fail(env, IRL_BAD_INPUT,
                        "%s: column '%s' cannot have both the labels and the weights",
                        plan->csv.source->path, options->weight_column);
    if (!status) plan->columns[i].role = TYPED_WEIGHT;
  }
  if (!status) status = apply_list(plan, "only", options->only, true);
  if (!status) status = apply_list(plan, "ignore", options->ignore, false);
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
    if (c->role != TYPED_KEEP) continue;
    /* A rule may name the carriers of a SNP without saying what they mean. */
    for (int k = 0; k < 2 && !is_wanted && plan->has_types; k++) {
      char carriers[1024];
      const int n = snprintf(carriers, sizeof carriers, "%s%s", name, k ? ":rec" : ":dom");
      is_wanted = n < (int)sizeof carriers &&
                  irl_names_find(source->only, carriers, (size_t)n) != IRL_NO_NAME;
    }
    if (!is_wanted)
      c->role = TYPED_SKIP;
    else if (!plan->has_types)
      c->forced = source->only_types ? source->only_types[wanted] : IRL_BINARY;
  }
}

static irl_status add_columns(typed_plan *plan) {
  irl_table *table = plan->table;
  uint32_t n = 0;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    typed_column *c = &plan->columns[i];
    const char *name = irl_names_get(&plan->csv.columns, i);
    if (c->role == TYPED_KEEP && c->forced == IRL_IGNORED) c->role = TYPED_SKIP;
    if (c->role != TYPED_KEEP) continue;
    const irl_status status = irl_csv_check_name(&plan->csv, i);
    if (status) return status;
    c->into = n++;
    if (!irl_names_add(&table->names, name, strlen(name))) return irl_fail_memory(plan->csv.env);
  }
  assert(table->names.n == n && !table->columns);
  table->columns = irl_mem_alloc(&table->allocator, n, sizeof *table->columns);
  if (!table->columns || !irl_names_index(&table->names, NULL))
    return irl_fail_memory(plan->csv.env);
  if (n || plan->csv.source->only) return IRL_OK;
  if (plan->has_types)
    return irl_fail(plan->csv.env, IRL_BAD_INPUT, "%s: no column is left for features",
                    plan->csv.source->path);
  return irl_csv_fail(&plan->csv, plan->csv.header,
                      plan->csv.n_columns == 1
                          ? "one column only, so no features; is the delimiter right?"
                          : "no column is left for features");
}

irl_status irl_typed_roles(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  const irl_source *source = plan->csv.source;
  irl_status status = IRL_OK;
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
      first->forced == IRL_NOT_FORCED && !(source->options && source->options->only)) {
    first->role = TYPED_SKIP;
    irl_log(env, IRL_LOG_WARNING,
            "%s: the first column has no name, as row names have none, and is left out; --type "
            "'%s=...' keeps it",
            source->path, irl_names_get(&plan->csv.columns, 0));
  }
  return status ? status : add_columns(plan);
}
