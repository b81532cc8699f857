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

#define FIELD_ROW(type, name) IRL_FIELD(irl_scope, name),
static const irl_field fields[] = {IRL_SCOPE_TABLE(FIELD_ROW) IRL_FIELDS_END};

/* The option that says what a field of the scope says, under the same name; NULL: there is none.
 * Those on reading the labels have other words for it. */
static const irl_option_info *option_of(const irl_field *field) {
  const unsigned jobs = IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_RUN | IRL_FOR_VERIFY;
  const irl_option_info *info = irl_option_find(field->name);
  return info && info->jobs & jobs && info->type != IRL_OPTION_OBJECT ? info : NULL;
}

/* A number that is not given is below the range of its option; what else is not given is 0, which
 * is its preset too. */
static bool is_given(const irl_option_info *info, const void *option) {
  if (info->type == IRL_OPTION_INTEGER) return (double)*(const int64_t *)option >= info->low;
  return info->type != IRL_OPTION_REAL || *(const double *)option >= info->low;
}

void irl_certificate_clear_options(irl_options *options) {
  irl_options own;
  if (!irl_options_copy(options, &own)) return;
  for (const irl_field *field = fields; field->name; field++) {
    const irl_option_info *info = option_of(field);
    if (!info) continue;
    void *option = (char *)&own + info->offset;
    if (info->type == IRL_OPTION_INTEGER)
      *(int64_t *)option = (int64_t)info->low - 1;
    else if (info->type == IRL_OPTION_REAL)
      *(double *)option = info->low - 1;
    else
      memset(option, 0, irl_option_bytes(info));
  }
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
static irl_status compare_integer(const comparer *c, const irl_option_info *info, int64_t theirs,
                                  int64_t *option) {
  const bool agrees = !is_given(info, option) || *option == theirs || (theirs < 0 && !*option);
  *option = theirs < 0 ? 0 : theirs;
  if (agrees) return IRL_STATUS_OK;
  return theirs < 0 ? differs(c, info->name, "none")
                    : differs(c, info->name, "%lld", (long long)theirs);
}

static irl_status compare_real(const comparer *c, const irl_option_info *info, double theirs,
                               double *option) {
  const bool agrees = !is_given(info, option) || (!(*option < theirs) && !(*option > theirs));
  *option = theirs;
  return agrees ? IRL_STATUS_OK : differs(c, info->name, "%.15g", theirs);
}

static irl_status compare_text(const comparer *c, const char *name, const char *theirs,
                               const char **option) {
  const bool agrees = !*option || (theirs && !strcmp(*option, theirs));
  *option = theirs;
  if (agrees) return IRL_STATUS_OK;
  return theirs ? differs(c, name, "'%s'", theirs) : differs(c, name, "none");
}

static irl_status compare_word(const comparer *c, const irl_option_info *info, const char *theirs,
                               irl_options *options) {
  char text[IRL_OPTION_SIZE];
  irl_option_render(info, options, text);
  const char *ours = *text ? text : NULL;
  const irl_status status = compare_text(c, info->name, theirs, &ours);
  return status || !theirs ? status : irl_option_parse(c->env, info, options, theirs);
}

static irl_status compare_flag(const comparer *c, const irl_option_info *info, bool theirs,
                               bool *option) {
  const bool agrees = !*option || theirs;
  *option = theirs;
  return agrees ? IRL_STATUS_OK : differs(c, info->name, "none");
}

static irl_status compare_field(const comparer *c, const irl_option_info *info, const void *theirs,
                                irl_options *options) {
  void *option = (char *)options + info->offset;
  switch (info->type) {
  case IRL_OPTION_INTEGER:
    return compare_integer(c, info, *(const int64_t *)theirs, option);
  case IRL_OPTION_REAL:
    return compare_real(c, info, *(const double *)theirs, option);
  case IRL_OPTION_FLAG:
    return compare_flag(c, info, *(const bool *)theirs, option);
  case IRL_OPTION_TEXT:
    return compare_text(c, info->name, *(char *const *)theirs, option);
  default:
    return compare_word(c, info, *(char *const *)theirs, options);
  }
}

irl_status irl_certificate_options(irl_env *env, const irl_certificate *certificate,
                                   irl_options *options) {
  IRL_NEED(env, "env, certificate, options", env, certificate, options);
  const comparer c = {env, certificate};
  const irl_scope *scope = certificate->scope;
  irl_options made, presets;
  irl_status status = irl_options_copy_in(env, options, &made);
  irl_options_init(&presets, sizeof presets);
  for (const irl_field *field = fields; field->name && !status; field++) {
    const irl_option_info *info = option_of(field);
    if (!info) continue;
    void *option = (char *)&made + info->offset;
    if (scope)
      status = compare_field(&c, info, (const char *)scope + field->offset, &made);
    else if (!is_given(info, option)) /* nothing is known, and nothing will be valid */
      memcpy(option, (const char *)&presets + info->offset, irl_option_bytes(info));
  }
  if (status) return status;
  if (!scope) {
    irl_options_copy_out(&made, options);
    return IRL_STATUS_OK;
  }
  /* The scope has the form of rules and the label of the cases in other words. */
  const char *form = made.rule.cnf ? "cnf" : NULL;
  const char *label = made.data.vs_rest ? made.data.vs_rest : made.data.positive;
  status = compare_text(&c, "cnf", scope->form, &form);
  if (!status) status = compare_text(&c, "positive", scope->positive, &label);
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
