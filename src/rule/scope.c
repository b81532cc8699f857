/* Making, copying and comparing scopes. */
#include "rule/scope.h"
#include "base/c_locale.h"
#include "base/memory.h"
#include "table/cuts.h"
#include <math.h>

/* ---- fields of every kind ---- */

#define FREE_FLAG(field)    ((void)0)
#define FREE_INTEGER(field) ((void)0)
#define FREE_REAL(field)    ((void)0)
#define FREE_TEXT(field)    irl_mem_free(&allocator, scope->field)

void irl_scope_free(irl_scope *scope) {
  if (!scope) return;
  const irl_allocator allocator = scope->allocator;
#define FREE_ROW(type, name) FREE_##type(name);
  IRL_SCOPE_TABLE(FREE_ROW)
#undef FREE_ROW
  irl_mem_free(&allocator, scope);
}

/* False: out of memory. */
static bool set_text(irl_scope *scope, char **field, const char *text) {
  if (!text) return true;
  *field = irl_mem_copy_text(&scope->allocator, text, strlen(text));
  return *field != NULL;
}

#define COPY_FLAG(field)    (copy->field = scope->field, true)
#define COPY_INTEGER(field) (copy->field = scope->field, true)
#define COPY_REAL(field)    (copy->field = scope->field, true)
#define COPY_TEXT(field)    set_text(copy, &copy->field, scope->field)

irl_status irl_scope_copy(irl_env *env, const irl_scope *scope, irl_scope **out) {
  irl_scope *copy = irl_mem_alloc(&env->allocator, 1, sizeof *copy);
  if (!copy) return irl_fail_memory(env);
  copy->allocator = env->allocator;
  bool is_done = true;
#define COPY_ROW(type, name) is_done = is_done && COPY_##type(name);
  IRL_SCOPE_TABLE(COPY_ROW)
#undef COPY_ROW
  if (!is_done) {
    irl_scope_free(copy);
    return irl_fail_memory(env);
  }
  *out = copy;
  return IRL_OK;
}

/* ---- comparing ---- */

static void print_flag(irl_text *text, bool value) {
  irl_text_puts(text, value ? "true" : "false");
}

static void print_integer(irl_text *text, int64_t value) {
  if (value < 0)
    irl_text_puts(text, "not set");
  else
    irl_text_printf(text, "%lld", (long long)value);
}

static void print_real(irl_text *text, double value) {
  irl_text_printf(text, "%.15g", value);
}

static void print_text(irl_text *text, const char *value) {
  if (value)
    irl_text_printf(text, "'%s'", value);
  else
    irl_text_puts(text, "not set");
}

static bool is_same_text(const char *a, const char *b) {
  return a && b ? !strcmp(a, b) : a == b;
}

static bool is_same_real(double a, double b) {
  return isnan(a) ? isnan(b) : !(a < b) && !(a > b) && !isnan(b);
}

#define SAME_FLAG(field)     (a->field == b->field)
#define SAME_INTEGER(field)  (a->field == b->field)
#define SAME_REAL(field)     is_same_real(a->field, b->field)
#define SAME_TEXT(field)     is_same_text(a->field, b->field)
#define PRINT_FLAG(value)    print_flag(&text, value)
#define PRINT_INTEGER(value) print_integer(&text, value)
#define PRINT_REAL(value)    print_real(&text, value)
#define PRINT_TEXT(value)    print_text(&text, value)

irl_status irl_scope_compare(irl_env *env, const irl_scope *a, const irl_scope *b, const char *here,
                             const char *there, char **difference) {
  irl_text text;
  irl_text_init(&text, env);
  irl_text_puts(&text, "");
#define COMPARE_ROW(type, name)                                                                    \
  if (!text.length && !SAME_##type(name)) {                                                        \
    irl_text_puts(&text, #name " is ");                                                            \
    PRINT_##type(a->name);                                                                         \
    irl_text_printf(&text, " %s and ", here);                                                      \
    PRINT_##type(b->name);                                                                         \
    irl_text_printf(&text, " %s", there);                                                          \
  }
  IRL_SCOPE_TABLE(COMPARE_ROW)
#undef COMPARE_ROW
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

/* What the data and their coding say. */
static irl_status set_data(irl_env *env, irl_scope *scope, const irl_data *data,
                           const irl_options *options) {
  const bool by_sign = options->negations && irl_data_may_negate(data);
  const char *cuts = options->cuts ? options->cuts : has_numbers(data) ? IRL_CUT_DEFAULT : NULL;
  char checksum[17];
  irl_data_info info;
  irl_data_describe(data, &info);
  irl_c_snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)info.checksum);
  scope->literals = (int64_t)data->n_features * (by_sign ? 2 : 1);
  scope->negations = options->negations;
  scope->vs_rest = data->is_rest;
  scope->samples = data->n_samples;
  const bool is_done =
      set_text(scope, &scope->cuts, cuts) && set_text(scope, &scope->forbid, options->forbid) &&
      set_text(scope, &scope->only, options->only) &&
      set_text(scope, &scope->ignore, options->ignore) &&
      set_text(scope, &scope->missing, options->missing ? options->missing : "false") &&
      set_text(scope, &scope->target, data->target) &&
      set_text(scope, &scope->positive, data->is_reflected ? data->negative : data->positive) &&
      set_text(scope, &scope->negative, data->is_reflected ? data->positive : data->negative) &&
      set_text(scope, &scope->checksum, checksum);
  return is_done ? IRL_OK : irl_fail_memory(env);
}

static int64_t limit_of(int64_t option) {
  return option ? option : -1;
}

/* By default errors weigh by their class, or all the same if samples have weights. */
static irl_status set_loss(irl_env *env, irl_scope *scope, const irl_data *data,
                           const irl_options *options) {
  const char *method = options->method ? options->method : "";
  const bool is_hamming = options->paper_brcg || !strcmp(method, "brcg") ||
                          !strcmp(method, "bp5") || !strcmp(method, "bp6");
  const char *loss = is_hamming ? "hamming" : options->loss ? options->loss : "weighted";
  const char *weights = options->weights     ? options->weights
                        : data->case_weights ? "unit"
                                             : "balanced";
  const char *column = !data->case_weights      ? NULL
                       : options->weight_column ? options->weight_column
                                                : "";
  scope->K = options->K;
  scope->M = options->M;
  scope->plain = options->plain;
  scope->pool = options->pool != NULL;
  scope->max_literals = limit_of(options->max_literals);
  scope->complexity = limit_of(options->complexity);
  scope->min_sensitivity = options->min_sensitivity;
  scope->min_specificity = options->min_specificity;
  scope->penalty = options->penalty;
  scope->rounded_to = data->is_rounded ? data->weight_unit : 0;
  scope->test = options->test;
  scope->seed = options->test > 0 ? options->seed : -1;
  const bool is_done = set_text(scope, &scope->loss, loss) &&
                       set_text(scope, &scope->weights, weights) &&
                       set_text(scope, &scope->weight_column, column) &&
                       set_text(scope, &scope->form, options->cnf ? "cnf" : "dnf");
  return is_done ? IRL_OK : irl_fail_memory(env);
}

static irl_status finish(irl_status status, irl_scope *scope, irl_scope **out) {
  if (status)
    irl_scope_free(scope);
  else
    *out = scope;
  return status;
}

irl_status irl_scope_make(irl_env *env, const irl_data *data, const irl_options *options,
                          irl_scope **out) {
  irl_scope *scope = irl_mem_alloc(&env->allocator, 1, sizeof *scope);
  if (!scope) return irl_fail_memory(env);
  scope->allocator = env->allocator;
  scope->budget = -1;
  irl_status status = set_loss(env, scope, data, options);
  if (!status) status = set_data(env, scope, data, options);
  return finish(status, scope, out);
}

irl_status irl_scope_make_clause(irl_env *env, const irl_data *data, const irl_options *options,
                                 uint64_t budget, irl_scope **out) {
  irl_scope *scope = irl_mem_alloc(&env->allocator, 1, sizeof *scope);
  if (!scope) return irl_fail_memory(env);
  scope->allocator = env->allocator;
  scope->K = 1;
  scope->M = options->M;
  scope->budget = (int64_t)(budget < data->n_controls ? budget : data->n_controls);
  scope->max_literals = scope->complexity = scope->seed = -1;
  const bool is_done = set_text(scope, &scope->loss, "coverage") &&
                       set_text(scope, &scope->weights, "unit") &&
                       set_text(scope, &scope->form, "dnf");
  return finish(is_done ? set_data(env, scope, data, options) : irl_fail_memory(env), scope, out);
}
