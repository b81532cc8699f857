/* A scope as JSON and as a line for people. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "rule/scope.h"
#include <math.h>

/* ---- JSON ---- */

static void put_null(irl_json *json, const char *key) {
  irl_json_string(json, key, NULL);
}

static void put_integer(irl_json *json, const char *key, int64_t value) {
  if (value < 0)
    put_null(json, key);
  else
    irl_json_integer(json, key, value);
}

#define PUT_FLAG(json, name)    irl_json_bool(json, #name, scope->name)
#define PUT_INTEGER(json, name) put_integer(json, #name, scope->name)
#define PUT_REAL(json, name)    irl_json_real(json, #name, scope->name)
#define PUT_TEXT(json, name)    irl_json_string(json, #name, scope->name)

void irl_scope_put(irl_json *json, const char *key, bool is_flat, const irl_scope *scope) {
  if (is_flat)
    irl_json_open_flat(json, key, '{');
  else
    irl_json_open(json, key, '{');
#define PUT_ROW(type, name) PUT_##type(json, name);
  IRL_SCOPE_TABLE(PUT_ROW)
#undef PUT_ROW
  irl_json_close(json, '}');
}

/* ---- reading ---- */

typedef struct reader {
  irl_env *env;
  const char *place, *text;
  const irl_json_value *object;
  irl_scope *scope;
} reader;

static irl_status refuse(const reader *r, const irl_json_value *value, const char *what) {
  return irl_json_refuse(r->env, r->place, r->text, value, what);
}

static bool is_null(const irl_json_value *value) {
  return !value || value->type == IRL_JSON_NULL;
}

static irl_status get_flag(const reader *r, const irl_json_value *value, bool *field) {
  if (is_null(value)) return IRL_OK;
  if (value->type != IRL_JSON_TRUE && value->type != IRL_JSON_FALSE)
    return refuse(r, value, "this member of a scope is true or false");
  *field = value->type == IRL_JSON_TRUE;
  return IRL_OK;
}

/* From its digits: a double has not room for all. */
static irl_status get_integer(const reader *r, const irl_json_value *value, int64_t *field) {
  *field = -1;
  if (is_null(value)) return IRL_OK;
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

static irl_status get_real(const reader *r, const irl_json_value *value, double *field) {
  if (is_null(value)) return IRL_OK;
  if (value->type != IRL_JSON_NUMBER || !isfinite(value->number))
    return refuse(r, value, "this member of a scope is a number");
  *field = value->number;
  return IRL_OK;
}

static irl_status get_text(const reader *r, const irl_json_value *value, char **field) {
  if (is_null(value)) return IRL_OK;
  if (value->type != IRL_JSON_STRING || memchr(value->text, '\0', value->length))
    return refuse(r, value, "this member of a scope is a text");
  *field = irl_mem_copy_text(&r->env->allocator, value->text, value->length);
  return *field ? IRL_OK : irl_fail_memory(r->env);
}

#define GET_FLAG    get_flag
#define GET_INTEGER get_integer
#define GET_REAL    get_real
#define GET_TEXT    get_text

static bool is_one_of(const char *text, const char *first, const char *second) {
  return text && (!strcmp(text, first) || !strcmp(text, second));
}

/* What a claim cannot do without. */
static irl_status check(const reader *r) {
  const irl_scope *scope = r->scope;
  if (scope->K < 1 || scope->M < 1 || scope->literals < 0 || scope->samples < 0)
    return refuse(r, r->object, "a scope needs K, M, literals and samples");
  if (!scope->loss || !is_one_of(scope->weights, "balanced", "unit") ||
      !is_one_of(scope->form, "dnf", "cnf") || !scope->missing || !scope->checksum)
    return refuse(r, r->object, "a scope needs loss, weights, form, missing and checksum");
  return IRL_OK;
}

irl_status irl_scope_get(irl_env *env, const char *place, const char *text,
                         const irl_json_value *object, irl_scope **out) {
  irl_scope *scope = irl_mem_alloc(&env->allocator, 1, sizeof *scope);
  if (!scope) return irl_fail_memory(env);
  const reader r = {env, place, text, object, scope};
  scope->allocator = env->allocator;
  irl_status status =
      object->type == IRL_JSON_OBJECT ? IRL_OK : refuse(&r, object, "a scope is an object");
#define GET_ROW(type, name)                                                                        \
  if (!status) status = GET_##type(&r, irl_json_get(object, #name), &scope->name);
  IRL_SCOPE_TABLE(GET_ROW)
#undef GET_ROW
  if (!status) status = check(&r);
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

static void print_literals(irl_text *text, const irl_scope *scope) {
  irl_text_printf(text, "%lld of %lld literal%s (", (long long)scope->M, (long long)scope->literals,
                  plural(scope->literals));
  if (scope->cuts) irl_text_printf(text, "cuts %s, ", scope->cuts);
  irl_text_puts(text, scope->negations ? "negations" : "no negations");
  if (scope->only) irl_text_puts(text, ", some columns only");
  if (scope->ignore) irl_text_puts(text, ", without some columns");
  if (scope->forbid) irl_text_puts(text, ", without forbidden ones");
  if (scope->missing && strcmp(scope->missing, "false"))
    irl_text_printf(text, ", missing values: %s", scope->missing);
  irl_text_puts(text, ")");
}

static void print_limits(irl_text *text, const irl_scope *scope) {
  if (scope->max_literals >= 0)
    irl_text_printf(text, ", at most %lld literal%s in all", (long long)scope->max_literals,
                    plural(scope->max_literals));
  if (scope->complexity >= 0)
    irl_text_printf(text, ", complexity at most %lld", (long long)scope->complexity);
  if (scope->budget >= 0)
    irl_text_printf(text, ", covering at most %lld control%s", (long long)scope->budget,
                    plural(scope->budget));
  if (scope->min_sensitivity > 0)
    irl_text_printf(text, ", sensitivity at least %.15g", scope->min_sensitivity);
  if (scope->min_specificity > 0)
    irl_text_printf(text, ", specificity at least %.15g", scope->min_specificity);
}

static void print_loss(irl_text *text, const irl_scope *scope) {
  if (!strcmp(scope->loss, "coverage")) {
    irl_text_puts(text, ", by the cases covered");
  } else {
    irl_text_printf(text, ", %s weights", scope->weights);
    if (!strcmp(scope->loss, "hamming")) irl_text_puts(text, ", Hamming loss");
  }
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

void irl_scope_print(irl_text *text, const irl_scope *scope) {
  const char *kind = scope->budget >= 0            ? "clauses"
                     : !strcmp(scope->form, "cnf") ? "CNFs"
                                                   : "rules";
  irl_text_puts(text, kind);
  if (scope->budget < 0)
    irl_text_printf(text, " of %s %lld clause%s%s", scope->plain ? "exactly" : "at most",
                    (long long)scope->K, plural(scope->K), scope->pool ? " of a pool," : "");
  irl_text_puts(text, " of at most ");
  print_literals(text, scope);
  print_limits(text, scope);
  print_loss(text, scope);
}

irl_status irl_scope_line(irl_env *env, const irl_scope *scope, char **line) {
  irl_text text;
  irl_text_init(&text, env);
  irl_scope_print(&text, scope);
  return irl_text_take_shown(&text, line);
}
