/* A certificate as a file: its text, its scope, and the options that make the data it is about. */
#include "verify/certificate_file.h"
#include "base/contract.h"
#include "base/memory.h"
#include <stdarg.h>

irl_status irl_certificate_parse(irl_env *env, const irl_bytes *bytes, irl_certificate **out) {
  IRL_NEED(env, "env, bytes, certificate", env, bytes, out);
  if (bytes->size) IRL_NEED(env, "bytes->data", bytes->data);
  const char *name = bytes->name ? bytes->name : "certificate";
  irl_certificate *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  made->allocator = env->allocator;
  made->path = irl_mem_copy_text(&env->allocator, name, strlen(name));
  made->bytes = irl_mem_copy_text(&env->allocator, bytes->data, bytes->size);
  made->size = bytes->size;
  irl_status status = made->path && made->bytes ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status)
    status = irl_verify_read_scope(env, made->bytes, made->size, &made->scope, &made->head);
  if (status)
    irl_certificate_free(made);
  else
    *out = made;
  return status;
}

irl_status irl_certificate_read(irl_env *env, const char *path, irl_certificate **certificate) {
  IRL_NEED(env, "env, path, certificate", env, path, certificate);
  irl_bytes bytes;
  irl_status status = irl_file_read(env, path, &bytes);
  if (status) return status;
  status = irl_certificate_parse(env, &bytes, certificate);
  irl_bytes_free(env, &bytes);
  return status;
}

void irl_certificate_free(irl_certificate *certificate) {
  if (!certificate) return;
  const irl_allocator allocator = certificate->allocator;
  irl_scope_free(certificate->scope);
  irl_mem_free(&allocator, certificate->path);
  irl_mem_free(&allocator, certificate->bytes);
  irl_mem_free(&allocator, certificate);
}

irl_status irl_certificate_scope(irl_env *env, const irl_certificate *certificate,
                                 irl_format format, char **text) {
  IRL_NEED(env, "env, certificate, text", env, certificate, text);
  IRL_NEED_FORMAT(env, format);
  irl_json json;
  if (!certificate->scope)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s:%zu: %s", certificate->path,
                    certificate->head.line, certificate->head.reason);
  if (format == IRL_FORMAT_TEXT) return irl_scope_line(env, certificate->scope, text);
  irl_json_init(&json, env);
  irl_scope_put(&json, NULL, false, certificate->scope);
  return irl_json_take(&json, text);
}

/* ---- options ---- */

/* Options that a scope has under the same name, of what stands for `not given` where the preset is
 * a value like others, and what the scope has for no such limit. */
#define SAME_OPTIONS(X)                                                                            \
  X(INTEGER, rule, K, 0)                                                                           \
  X(INTEGER, rule, M, 0)                                                                           \
  X(INTEGER, rule, max_literals, -1)                                                               \
  X(REAL, rule, min_sensitivity, -1)                                                               \
  X(REAL, rule, min_specificity, -1)                                                               \
  X(WORD, rule, loss, 0)                                                                           \
  X(WORD, rule, weights, 0)                                                                        \
  X(TEXT, data, weight_column, NULL)                                                               \
  X(TEXT, data, strata, NULL)                                                                      \
  X(TEXT, data, group, NULL)                                                                       \
  X(TEXT, data, fold_column, NULL)                                                                 \
  X(REAL, rule, penalty, -1)                                                                       \
  X(WORD, data, cuts, 0)                                                                           \
  X(FLAG, rule, negations, false)                                                                  \
  X(FLAG, genotypes, het, false)                                                                   \
  X(TEXT, data, forbid, NULL)                                                                      \
  X(TEXT, data, only, NULL)                                                                        \
  X(TEXT, data, ignore, NULL)                                                                      \
  X(WORD, data, missing, 0)                                                                        \
  X(REAL, output, test, -1)                                                                        \
  X(INTEGER, search, seed, -1)

/* Words that are not given are 0, which is their preset too. */
#define CLEAR_INTEGER(field, none) field = none
#define CLEAR_REAL(field, none)    field = none
#define CLEAR_TEXT(field, none)    field = none
#define CLEAR_FLAG(field, none)    field = none
#define CLEAR_WORD(field, none)    memset(&field, none, sizeof field)

void irl_certificate_clear_options(irl_options *options) {
  irl_options own;
  if (!irl_options_copy(options, &own)) return;
#define CLEAR_ROW(type, group, name, none) CLEAR_##type(own.group.name, none);
  SAME_OPTIONS(CLEAR_ROW)
#undef CLEAR_ROW
  own.rule.cnf = false;
  irl_options_copy_out(&own, options);
}

typedef struct comparer {
  irl_env *env;
  const irl_certificate *certificate;
} comparer;

static irl_status differs(const comparer *c, const char *option, const char *format, ...) {
  char theirs[200];
  va_list arguments;
  va_start(arguments, format);
  irl_c_vsnprintf(theirs, sizeof theirs, format, arguments);
  va_end(arguments);
  return irl_fail(c->env, IRL_STATUS_BAD_ARGUMENT, "option %s: the certificate %s has %s", option,
                  c->certificate->path, theirs);
}

/* An option that is given must be what the scope has; one that is not becomes that. */
static irl_status compare_integer(const comparer *c, const char *name, int64_t theirs, int64_t none,
                                  int64_t *option) {
  const bool agrees = *option == none || *option == theirs || (theirs < 0 && !*option);
  *option = theirs < 0 ? 0 : theirs;
  if (agrees) return IRL_STATUS_OK;
  return theirs < 0 ? differs(c, name, "none") : differs(c, name, "%lld", (long long)theirs);
}

static irl_status compare_real(const comparer *c, const char *name, double theirs, double none,
                               double *option) {
  const bool agrees = !(*option > none) || (!(*option < theirs) && !(*option > theirs));
  *option = theirs;
  return agrees ? IRL_STATUS_OK : differs(c, name, "%.15g", theirs);
}

static irl_status compare_text(const comparer *c, const char *name, const char *theirs,
                               const char *none, const char **option) {
  const bool agrees = *option == none || (theirs && !strcmp(*option, theirs));
  *option = theirs;
  if (agrees) return IRL_STATUS_OK;
  return theirs ? differs(c, name, "'%s'", theirs) : differs(c, name, "none");
}

static irl_status compare_word(const comparer *c, const char *name, const char *theirs, int none,
                               irl_options *options) {
  char text[IRL_OPTION_SIZE];
  const irl_option_info *info = irl_option_find(name);
  irl_option_render(info, options, text);
  const char *ours = *text ? text : NULL;
  const irl_status status = compare_text(c, name, theirs, NULL, &ours);
  (void)none;
  return status || !theirs ? status : irl_option_parse(c->env, info, options, theirs);
}

static irl_status compare_flag(const comparer *c, const char *name, bool theirs, bool none,
                               bool *option) {
  const bool agrees = *option == none || theirs;
  *option = theirs;
  return agrees ? IRL_STATUS_OK : differs(c, name, "none");
}

#define COMPARE_INTEGER compare_integer
#define COMPARE_REAL    compare_real
#define COMPARE_TEXT    compare_text
#define COMPARE_FLAG    compare_flag
#define COMPARE_WORD    compare_word
/* A word is compared as a text, for which all options are needed. */
#define COMPARED_INTEGER(options, field) &(options).field
#define COMPARED_REAL(options, field)    &(options).field
#define COMPARED_TEXT(options, field)    &(options).field
#define COMPARED_FLAG(options, field)    &(options).field
#define COMPARED_WORD(options, field)    &(options)

irl_status irl_certificate_options(irl_env *env, const irl_certificate *certificate,
                                   irl_options *options) {
  IRL_NEED(env, "env, certificate, options", env, certificate, options);
  const comparer c = {env, certificate};
  const irl_scope *scope = certificate->scope;
  irl_options made;
  irl_status status = irl_options_copy_in(env, options, &made);
  if (status) return status;
  if (!scope) {
    /* Without a scope nothing is known, and nothing will be valid. */
    irl_options presets;
    irl_options_init(&presets, sizeof presets);
#define PRESET_INTEGER(field, preset, none)                                                        \
  if (field == (none)) field = preset
#define PRESET_REAL(field, preset, none)                                                           \
  if (field == (none)) field = preset
#define PRESET_TEXT(field, preset, none)                                                           \
  if (field == (none)) field = preset
#define PRESET_FLAG(field, preset, none)                                                           \
  if (field == (none)) field = preset
#define PRESET_WORD(field, preset, none)
#define PRESET_ROW(type, group, name, none)                                                        \
  PRESET_##type(made.group.name, presets.group.name, none);
    SAME_OPTIONS(PRESET_ROW)
#undef PRESET_ROW
    irl_options_copy_out(&made, options);
    return IRL_STATUS_OK;
  }
#define COMPARE_ROW(type, group, name, none)                                                       \
  if (!status)                                                                                     \
    status = COMPARE_##type(&c, #name, scope->name, none, COMPARED_##type(made, group.name));
  SAME_OPTIONS(COMPARE_ROW)
#undef COMPARE_ROW
  /* The scope has the form of rules and the label of the cases in other words. */
  const char *form = made.rule.cnf ? "cnf" : NULL;
  const char *label = made.data.vs_rest ? made.data.vs_rest : made.data.positive;
  if (!status) status = compare_text(&c, "cnf", scope->form, NULL, &form);
  if (!status) status = compare_text(&c, "positive", scope->positive, NULL, &label);
  if (!status && made.data.vs_rest && !scope->vs_rest)
    status = differs(&c, "vs_rest", "two classes");
  if (status) return status;
  made.rule.cnf = !strcmp(scope->form, "cnf");
  made.data.vs_rest = scope->vs_rest ? scope->positive : NULL;
  made.data.positive = scope->vs_rest ? NULL : scope->positive;
  if (!made.data.target && !made.data.no_header) made.data.target = scope->target;
  if (!strcmp(scope->missing, "false")) made.data.missing = IRL_MISSING_DEFAULT; /* its preset */
  irl_options_copy_out(&made, options);
  return IRL_STATUS_OK;
}
