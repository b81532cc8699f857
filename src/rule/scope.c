/* Scopes: made, copied, compared, as JSON and as a line for people. */
#include "rule/scope.h"
#include "base/c_locale.h"
#include "base/endian.h"
#include "base/memory.h"
#include "table/cuts.h"
#include <inttypes.h>
#include <math.h>
#include <xxhash.h>

/* ---- fields of every kind ---- */

#define FIELD_ROW(type, name) IRL_FIELD(irl_scope, name),
#define COUNT_ROW(type, name) +1
enum { N_FIELDS = 0 IRL_SCOPE_TABLE(COUNT_ROW) };
static const irl_field fields[] = {IRL_SCOPE_TABLE(FIELD_ROW) IRL_FIELDS_END};

static void *field_of(const irl_scope *scope, size_t i) {
  return (char *)scope + fields[i].offset;
}

void irl_scope_free(irl_scope *scope) {
  if (!scope) return;
  const irl_allocator allocator = scope->allocator;
  for (size_t i = 0; i < N_FIELDS; i++)
    if (fields[i].type == IRL_FIELD_TEXT) irl_mem_free(&allocator, *(char **)field_of(scope, i));
  irl_mem_free(&allocator, scope);
}

irl_status irl_scope_copy(irl_env *env, const irl_scope *scope, irl_scope **out) {
  irl_scope *copy = irl_mem_alloc(&env->allocator, 1, sizeof *copy);
  if (!copy) return irl_fail_memory(env);
  bool is_done = true;
  *copy = *scope;
  copy->allocator = env->allocator;
  for (size_t i = 0; i < N_FIELDS; i++) {
    char **field = field_of(copy, i);
    if (fields[i].type != IRL_FIELD_TEXT || !*field) continue;
    *field = is_done ? irl_mem_copy_text(&env->allocator, *field, strlen(*field)) : NULL;
    is_done = *field;
  }
  if (!is_done) {
    irl_scope_free(copy);
    return irl_fail_memory(env);
  }
  *out = copy;
  return IRL_STATUS_OK;
}

/* ---- comparing ---- */

static bool is_same(irl_field_type type, const void *a, const void *b) {
  if (type == IRL_FIELD_FLAG) return *(const bool *)a == *(const bool *)b;
  if (type == IRL_FIELD_SIGNED) return *(const int64_t *)a == *(const int64_t *)b;
  if (type == IRL_FIELD_REAL) {
    const double x = *(const double *)a, y = *(const double *)b;
    return isnan(x) ? isnan(y) : x <= y && x >= y;
  }
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  return x && y ? !strcmp(x, y) : x == y;
}

static void print_field(irl_text *text, irl_field_type type, const void *field) {
  if (type == IRL_FIELD_FLAG)
    irl_text_puts(text, *(const bool *)field ? "true" : "false");
  else if (type == IRL_FIELD_REAL)
    irl_text_printf(text, "%.15g", *(const double *)field);
  else if (type == IRL_FIELD_SIGNED && *(const int64_t *)field >= 0)
    irl_text_printf(text, "%" PRId64, *(const int64_t *)field);
  else if (type == IRL_FIELD_TEXT && *(char *const *)field)
    irl_text_printf(text, "'%s'", *(char *const *)field);
  else
    irl_text_puts(text, "not set");
}

irl_status irl_scope_compare(irl_env *env, const irl_scope *a, const irl_scope *b, const char *here,
                             const char *there, char **difference) {
  irl_text text;
  irl_text_init(&text, env);
  irl_text_puts(&text, "");
  for (size_t i = 0; i < N_FIELDS && !text.length; i++) {
    const irl_field *field = &fields[i];
    const void *of_a = field_of(a, i), *of_b = field_of(b, i);
    if (is_same(field->type, of_a, of_b)) continue;
    irl_text_printf(&text, "%s is ", field->name);
    print_field(&text, field->type, of_a);
    irl_text_printf(&text, " %s and ", here);
    print_field(&text, field->type, of_b);
    irl_text_printf(&text, " %s", there);
  }
  return irl_text_take(&text, difference);
}

/* ---- making ---- */

/* Are there literals `x <= c` or `x > c`? Those of SNPs compare too, but are called x:dom and x:rec
 * and have no cuts to choose. */
static bool has_numbers(const irl_data *data) {
  const irl_conditions *conditions = &data->conditions;
  for (uint32_t i = 0; irl_has_conditions(conditions) && i < conditions->n; i++) {
    const irl_named_condition q = irl_condition_of(conditions, &data->names, i);
    const char *name = irl_names_get(&data->names, i);
    const size_t n = strlen(q.column);
    if ((q.condition.relation == IRL_AT_MOST || q.condition.relation == IRL_ABOVE) &&
        !strncmp(name, q.column, n) && name[n] == ' ')
      return true;
  }
  return false;
}

/* How many groups, and a hash of which features are in which; they are numbered in the order of the
 * features, whatever the user calls them. */
void irl_scope_groups(const irl_data *data, char text[IRL_SCOPE_GROUPS_SIZE]) {
  uint64_t hash = 0;
  uint32_t n = 0;
  *text = '\0';
  if (!irl_groups_bind(data->groups, data->n_features)) return;
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint32_t group = data->groups[j] & IRL_GROUP_BINDS ? data->groups[j] : 0;
    const uint32_t entry[2] = {irl_endian_32(j), irl_endian_32(group)};
    if (!group) continue;
    if ((group & ~IRL_GROUP_BINDS) > n) n = group & ~IRL_GROUP_BINDS;
    hash = XXH3_64bits_withSeed(entry, sizeof entry, hash);
  }
  irl_c_snprintf(text, IRL_SCOPE_GROUPS_SIZE, "%u groups %016" PRIx64, n, hash);
}

/* Adds what the data and their coding say, whose texts are borrowed as all others, and copies. */
static irl_status finish(irl_env *env, irl_scope *scope, const irl_data *data,
                         const irl_options *options, irl_scope **out) {
  const bool by_sign = options->rule.negations && irl_data_may_negate(data);
  char checksum[17], cuts[IRL_OPTION_SIZE], missing[IRL_OPTION_SIZE];
  char groups[IRL_SCOPE_GROUPS_SIZE];
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  irl_cuts_render(&options->data.cuts, cuts);
  irl_scope_groups(data, groups);
  irl_option_render(irl_option_find("missing"), options, missing);
  irl_c_snprintf(checksum, sizeof checksum, "%016" PRIx64, info.checksum);
  scope->literals = (int64_t)data->n_features * (by_sign ? 2 : 1);
  scope->negations = options->rule.negations;
  scope->het = options->genotypes.het;
  scope->vs_rest = data->is_rest;
  scope->samples = data->n_samples;
  scope->cuts = options->data.cuts.method || has_numbers(data) ? cuts : NULL;
  scope->forbid = (char *)options->data.forbid;
  scope->one_per = *groups ? groups : NULL;
  scope->only = (char *)options->data.only;
  scope->ignore = (char *)options->data.ignore;
  scope->missing = *missing ? missing : "false";
  scope->target = data->target;
  scope->positive = data->is_reflected ? data->negative : data->positive;
  scope->negative = data->is_reflected ? data->positive : data->negative;
  scope->checksum = checksum;
  return irl_scope_copy(env, scope, out);
}

irl_status irl_scope_make(irl_env *env, const irl_data *data, const irl_options *options,
                          irl_scope **out) {
  /* By default errors weigh by their class, or all the same if samples have weights. */
  const bool is_unit = options->rule.weights ? options->rule.weights == IRL_WEIGHTS_UNIT
                                             : irl_data_has_weights(data);
  const char *column = !irl_data_has_weights(data) || options->data.strata ? NULL
                       : options->data.weight_column ? options->data.weight_column
                                                     : "";
  irl_scope scope = {.K = options->rule.K,
                     .M = options->rule.M,
                     .plain = options->search.plain,
                     .pool = options->search.pool != NULL,
                     .max_literals = options->rule.max_literals ? options->rule.max_literals : -1,
                     .complexity = options->rule.complexity ? options->rule.complexity : -1,
                     .budget = -1,
                     .min_sensitivity = options->rule.min_sensitivity,
                     .min_specificity = options->rule.min_specificity,
                     .loss = irl_options_loss(options) == IRL_LOSS_HAMMING ? "hamming" : "weighted",
                     .weights = is_unit ? "unit" : "balanced",
                     .weight_column = (char *)column,
                     .strata = (char *)options->data.strata,
                     .rounded_to = data->is_rounded ? data->weight_unit : 0,
                     .penalty = options->rule.penalty,
                     .form = options->rule.cnf ? "cnf" : "dnf",
                     .test = options->output.test,
                     .seed = options->output.test > 0 ? options->search.seed : -1,
                     .group = (char *)options->data.group,
                     .fold_column = (char *)options->data.fold_column};
  return finish(env, &scope, data, options, out);
}

irl_status irl_scope_make_clause(irl_env *env, const irl_data *data, const irl_options *options,
                                 uint64_t budget, irl_scope **out) {
  irl_scope scope = {.K = 1,
                     .M = options->rule.M,
                     .budget = (int64_t)(budget < data->n_controls ? budget : data->n_controls),
                     .max_literals = -1,
                     .complexity = -1,
                     .loss = "coverage",
                     .weights = "unit",
                     .form = "dnf",
                     .seed = -1};
  return finish(env, &scope, data, options, out);
}

/* ---- JSON ---- */

void irl_scope_put(irl_json *json, const char *key, bool is_flat, const irl_scope *scope) {
  if (is_flat)
    irl_json_open_flat(json, key, '{');
  else
    irl_json_open(json, key, '{');
  irl_fields_put(json, fields, scope);
  irl_json_close(json, '}');
}

/* ---- reading ---- */

/* From its digits: a double has not room for all. */
static irl_status get_integer(const irl_json_source *in, const irl_json_value *value,
                              int64_t *field) {
  const char *digits = in->text + value->offset;
  uint64_t number = 0;
  for (; value->type == IRL_JSON_NUMBER && *digits >= '0' && *digits <= '9'; digits++) {
    if (number > (uint64_t)INT64_MAX / 10 - 1)
      return irl_json_refuse(in, value, "this number is too large");
    number = 10 * number + (uint64_t)(*digits - '0');
  }
  if (value->type != IRL_JSON_NUMBER || digits == in->text + value->offset || *digits == '.' ||
      *digits == 'e' || *digits == 'E')
    return irl_json_refuse(in, value, "this member of a scope is a whole number");
  *field = (int64_t)number;
  return IRL_STATUS_OK;
}

/* Whatever is null or not there stays as it is, but a number that is none is -1. */
static irl_status get_field(const irl_json_source *in, irl_field_type type,
                            const irl_json_value *value, void *field) {
  if (type == IRL_FIELD_SIGNED) *(int64_t *)field = -1;
  if (!value || value->type == IRL_JSON_NULL) return IRL_STATUS_OK;
  if (type == IRL_FIELD_SIGNED) return get_integer(in, value, field);
  if (type == IRL_FIELD_FLAG) {
    if (value->type != IRL_JSON_TRUE && value->type != IRL_JSON_FALSE)
      return irl_json_refuse(in, value, "this member of a scope is true or false");
    *(bool *)field = value->type == IRL_JSON_TRUE;
  } else if (type == IRL_FIELD_REAL) {
    if (value->type != IRL_JSON_NUMBER || !isfinite(value->number))
      return irl_json_refuse(in, value, "this member of a scope is a number");
    *(double *)field = value->number;
  } else {
    if (!irl_json_is_text(value))
      return irl_json_refuse(in, value, "this member of a scope is a text");
    *(char **)field = irl_mem_copy_text(&in->env->allocator, value->text, value->length);
    if (!*(char **)field) return irl_fail_memory(in->env);
  }
  return IRL_STATUS_OK;
}

static bool is_one_of(const char *text, const char *first, const char *second) {
  return text && (!strcmp(text, first) || !strcmp(text, second));
}

irl_status irl_scope_get(const irl_json_source *in, const irl_json_value *object, irl_scope **out) {
  irl_scope *scope = irl_mem_alloc(&in->env->allocator, 1, sizeof *scope);
  if (!scope) return irl_fail_memory(in->env);
  scope->allocator = in->env->allocator;
  irl_status status = object->type == IRL_JSON_OBJECT
                          ? IRL_STATUS_OK
                          : irl_json_refuse(in, object, "a scope is an object");
  for (size_t i = 0; i < N_FIELDS && !status; i++)
    status =
        get_field(in, fields[i].type, irl_json_get(object, fields[i].name), field_of(scope, i));
  /* What a claim cannot do without. */
  if (!status && (scope->K < 1 || scope->M < 1 || scope->literals < 0 || scope->samples < 0))
    status = irl_json_refuse(in, object, "a scope needs K, M, literals and samples");
  if (!status && (!scope->loss || !is_one_of(scope->weights, "balanced", "unit") ||
                  !is_one_of(scope->form, "dnf", "cnf") || !scope->missing || !scope->checksum))
    status = irl_json_refuse(in, object, "a scope needs loss, weights, form, missing and checksum");
  if (status)
    irl_scope_free(scope);
  else
    *out = scope;
  return status;
}

/* ---- for people ---- */

static const char *plural(int64_t n) {
  return n == 1 ? "" : "s";
}

void irl_scope_print(irl_text *text, const irl_scope *scope) {
  const bool is_clause = scope->budget >= 0;
  assert(scope->K > 0 && scope->M > 0 && scope->literals >= 0);
  if (is_clause)
    irl_text_puts(text, "clauses");
  else
    irl_text_printf(text, "%s of %s %" PRId64 " clause%s%s",
                    !strcmp(scope->form, "cnf") ? "CNFs" : "rules",
                    scope->plain ? "exactly" : "at most", scope->K, plural(scope->K),
                    scope->pool ? " of a pool," : "");
  irl_text_printf(text, " of at most %" PRId64 " of %" PRId64 " literal%s (", scope->M,
                  scope->literals, plural(scope->literals));
  if (scope->cuts) irl_text_printf(text, "cuts %s, ", scope->cuts);
  irl_text_puts(text, scope->negations ? "negations" : "no negations");
  if (scope->het) irl_text_puts(text, ", het");
  if (scope->only) irl_text_puts(text, ", some columns only");
  if (scope->ignore) irl_text_puts(text, ", without some columns");
  if (scope->forbid) irl_text_puts(text, ", without forbidden ones");
  if (scope->one_per)
    irl_text_printf(text, ", at most one of each of %s in a clause", scope->one_per);
  if (scope->missing && strcmp(scope->missing, "false"))
    irl_text_printf(text, ", missing values: %s", scope->missing);
  irl_text_puts(text, ")");
  if (scope->max_literals >= 0)
    irl_text_printf(text, ", at most %" PRId64 " literal%s in all", scope->max_literals,
                    plural(scope->max_literals));
  if (scope->complexity >= 0)
    irl_text_printf(text, ", complexity at most %" PRId64, scope->complexity);
  if (is_clause)
    irl_text_printf(text, ", covering at most %" PRId64 " control%s", scope->budget,
                    plural(scope->budget));
  if (scope->min_sensitivity > 0)
    irl_text_printf(text, ", sensitivity at least %.15g", scope->min_sensitivity);
  if (scope->min_specificity > 0)
    irl_text_printf(text, ", specificity at least %.15g", scope->min_specificity);
  if (!strcmp(scope->loss, "coverage"))
    irl_text_puts(text, ", by the cases covered");
  else
    irl_text_printf(text, ", %s weights%s", scope->weights,
                    !strcmp(scope->loss, "hamming") ? ", Hamming loss" : "");
  if (scope->weight_column)
    irl_text_printf(text, ", samples weighted by %s",
                    *scope->weight_column ? scope->weight_column : "their weights");
  if (scope->strata) irl_text_printf(text, ", errors balanced within strata of %s", scope->strata);
  if (scope->rounded_to > 0)
    irl_text_printf(text, ", rounded to multiples of %.3g", scope->rounded_to);
  if (scope->penalty > 0) irl_text_printf(text, ", penalty %.15g", scope->penalty);
  if (scope->test > 0)
    irl_text_printf(text, ", on %" PRId64 " samples (test %.15g, seed %" PRId64 "%s%s)",
                    scope->samples, scope->test, scope->seed,
                    scope->group ? ", whole groups of " : "", scope->group ? scope->group : "");
}

irl_status irl_scope_line(irl_env *env, const irl_scope *scope, char **line) {
  irl_text text;
  irl_text_init(&text, env);
  irl_scope_print(&text, scope);
  return irl_text_take_shown(&text, line);
}
