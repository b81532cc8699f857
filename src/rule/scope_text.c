/* A scope as JSON and as a line for people. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "rule/scope.h"
#include <math.h>

/* ---- JSON ---- */

void irl_scope_put(irl_json *json, const char *key, bool is_flat, const irl_scope *scope) {
  if (is_flat)
    irl_json_open_flat(json, key, '{');
  else
    irl_json_open(json, key, '{');
  for (size_t i = 0; i < IRL_SCOPE_N; i++) {
    const irl_scope_field *field = &irl_scope_fields[i];
    const void *value = irl_scope_at(scope, i);
    if (field->type == IRL_FLAG)
      irl_json_bool(json, field->name, *(const bool *)value);
    else if (field->type == IRL_REAL)
      irl_json_real(json, field->name, *(const double *)value);
    else if (field->type == IRL_TEXT)
      irl_json_string(json, field->name, *(char *const *)value);
    else if (*(const int64_t *)value >= 0)
      irl_json_integer(json, field->name, *(const int64_t *)value);
    else
      irl_json_string(json, field->name, NULL);
  }
  irl_json_close(json, '}');
}

/* ---- reading ---- */

typedef struct reader {
  irl_env *env;
  const char *place, *text;
} reader;

static irl_status refuse(const reader *r, const irl_json_value *value, const char *what) {
  return irl_json_refuse(r->env, r->place, r->text, value, what);
}

/* From its digits: a double has not room for all. */
static irl_status get_integer(const reader *r, const irl_json_value *value, int64_t *field) {
  const char *digits = r->text + value->offset;
  uint64_t number = 0;
  for (; value->type == IRL_JSON_NUMBER && *digits >= '0' && *digits <= '9'; digits++) {
    if (number > (uint64_t)INT64_MAX / 10 - 1) return refuse(r, value, "this number is too large");
    number = 10 * number + (uint64_t)(*digits - '0');
  }
  if (value->type != IRL_JSON_NUMBER || digits == r->text + value->offset || *digits == '.' ||
      *digits == 'e' || *digits == 'E')
    return refuse(r, value, "this member of a scope is a whole number");
  *field = (int64_t)number;
  return IRL_OK;
}

/* Whatever is null or not there stays as it is, but a number that is none is -1. */
static irl_status get_field(const reader *r, irl_option_type type, const irl_json_value *value,
                            void *field) {
  if (type == IRL_INTEGER) *(int64_t *)field = -1;
  if (!value || value->type == IRL_JSON_NULL) return IRL_OK;
  if (type == IRL_INTEGER) return get_integer(r, value, field);
  if (type == IRL_FLAG) {
    if (value->type != IRL_JSON_TRUE && value->type != IRL_JSON_FALSE)
      return refuse(r, value, "this member of a scope is true or false");
    *(bool *)field = value->type == IRL_JSON_TRUE;
  } else if (type == IRL_REAL) {
    if (value->type != IRL_JSON_NUMBER || !isfinite(value->number))
      return refuse(r, value, "this member of a scope is a number");
    *(double *)field = value->number;
  } else {
    if (value->type != IRL_JSON_STRING || memchr(value->text, '\0', value->length))
      return refuse(r, value, "this member of a scope is a text");
    *(char **)field = irl_mem_copy_text(&r->env->allocator, value->text, value->length);
    if (!*(char **)field) return irl_fail_memory(r->env);
  }
  return IRL_OK;
}

static bool is_one_of(const char *text, const char *first, const char *second) {
  return text && (!strcmp(text, first) || !strcmp(text, second));
}

irl_status irl_scope_get(irl_env *env, const char *place, const char *text,
                         const irl_json_value *object, irl_scope **out) {
  irl_scope *scope = irl_mem_alloc(&env->allocator, 1, sizeof *scope);
  if (!scope) return irl_fail_memory(env);
  const reader r = {env, place, text};
  scope->allocator = env->allocator;
  irl_status status =
      object->type == IRL_JSON_OBJECT ? IRL_OK : refuse(&r, object, "a scope is an object");
  for (size_t i = 0; i < IRL_SCOPE_N && !status; i++)
    status = get_field(&r, irl_scope_fields[i].type, irl_json_get(object, irl_scope_fields[i].name),
                       irl_scope_at(scope, i));
  /* What a claim cannot do without. */
  if (!status && (scope->K < 1 || scope->M < 1 || scope->literals < 0 || scope->samples < 0))
    status = refuse(&r, object, "a scope needs K, M, literals and samples");
  if (!status && (!scope->loss || !is_one_of(scope->weights, "balanced", "unit") ||
                  !is_one_of(scope->form, "dnf", "cnf") || !scope->missing || !scope->checksum))
    status = refuse(&r, object, "a scope needs loss, weights, form, missing and checksum");
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
    irl_text_printf(text, "%s of %s %lld clause%s%s",
                    !strcmp(scope->form, "cnf") ? "CNFs" : "rules",
                    scope->plain ? "exactly" : "at most", (long long)scope->K, plural(scope->K),
                    scope->pool ? " of a pool," : "");
  irl_text_printf(text, " of at most %lld of %lld literal%s (", (long long)scope->M,
                  (long long)scope->literals, plural(scope->literals));
  if (scope->cuts) irl_text_printf(text, "cuts %s, ", scope->cuts);
  irl_text_puts(text, scope->negations ? "negations" : "no negations");
  if (scope->only) irl_text_puts(text, ", some columns only");
  if (scope->ignore) irl_text_puts(text, ", without some columns");
  if (scope->forbid) irl_text_puts(text, ", without forbidden ones");
  if (scope->missing && strcmp(scope->missing, "false"))
    irl_text_printf(text, ", missing values: %s", scope->missing);
  irl_text_puts(text, ")");
  if (scope->max_literals >= 0)
    irl_text_printf(text, ", at most %lld literal%s in all", (long long)scope->max_literals,
                    plural(scope->max_literals));
  if (scope->complexity >= 0)
    irl_text_printf(text, ", complexity at most %lld", (long long)scope->complexity);
  if (is_clause)
    irl_text_printf(text, ", covering at most %lld control%s", (long long)scope->budget,
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
  if (scope->rounded_to > 0)
    irl_text_printf(text, ", rounded to multiples of %.3g", scope->rounded_to);
  if (scope->penalty > 0) irl_text_printf(text, ", penalty %.15g", scope->penalty);
  if (scope->test > 0)
    irl_text_printf(text, ", on %lld samples (test %.15g, seed %lld)", (long long)scope->samples,
                    scope->test, (long long)scope->seed);
}

irl_status irl_scope_line(irl_env *env, const irl_scope *scope, char **line) {
  irl_text text;
  irl_text_init(&text, env);
  irl_scope_print(&text, scope);
  return irl_text_take_shown(&text, line);
}
