/* Checking certificates, for the public. */
#include "base/json.h"
#include "verify/verify.h"

irl_status irl_verify(irl_env *env, const irl_rule *rule, const irl_data *data,
                      const char *certificate, irl_verification *verification) {
  irl_verify_result result;
  if (!data->has_labels) return irl_fail(env, IRL_BAD_INPUT, "the data has no labels");
  const irl_status status = irl_verify_run(env, rule, data, certificate, &result);
  if (status) return status;
  *verification = (irl_verification){.valid = result.is_valid,
                                     .line = result.line,
                                     .nodes = result.nodes,
                                     .clauses = result.clauses};
  snprintf(verification->reason, sizeof verification->reason, "%s", result.reason);
  return IRL_OK;
}

static irl_status render_json(irl_env *env, const irl_verification *v, char **text) {
  irl_json json;
  irl_run run;
  irl_env_run(env, &run);
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, "status", v->valid ? "valid" : "invalid");
  if (!v->valid) {
    irl_json_unsigned(&json, "line", v->line);
    irl_json_string(&json, "reason", v->reason);
  }
  irl_json_unsigned(&json, "nodes", v->nodes);
  irl_json_unsigned(&json, "clauses", v->clauses);
  irl_json_run(&json, "run", &run);
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

irl_status irl_verify_render(irl_env *env, const irl_verification *v, const char *certificate,
                             irl_format format, char **out) {
  irl_text text;
  if (format == IRL_FORMAT_JSON) return render_json(env, v, out);
  irl_text_init(&text, env);
  if (v->valid)
    irl_text_printf(&text,
                    "valid: no rule within the limits of the certificate has a smaller loss (%llu "
                    "nodes, %llu clauses listed)\n",
                    (unsigned long long)v->nodes, (unsigned long long)v->clauses);
  else
    irl_text_printf(&text, "invalid: %s:%llu: %s\n", certificate, (unsigned long long)v->line,
                    v->reason);
  return irl_text_take_shown(&text, out);
}
