/* Checking certificates, for the public. */
#include "base/contract.h"
#include "report/report.h"
#include "rule/rule_json.h"
#include "table/raw_table.h"
#include "validate/hold_out.h"
#include "verify/certificate_file.h"
#include <inttypes.h>

static void refuse(irl_verification *v, uint64_t line, const char *format, const char *what) {
  *v = (irl_verification){.line = line};
  irl_c_snprintf(v->reason, sizeof v->reason, format, what);
}

/* ---- scopes ---- */

/* Is the rule of the certificate's scope? One without any is held against its proof alone. */
static irl_status compare_rule(irl_env *env, const irl_rule *rule,
                               const irl_certificate *certificate, irl_verification *v) {
  char *difference;
  if (!rule) return IRL_STATUS_OK;
  if (!rule->scope) {
    irl_log(env, IRL_LOG_WARNING,
            "the rule's file does not say among which rules it is the best: what is checked is the "
            "certificate's scope");
    return IRL_STATUS_OK;
  }
  const irl_status status = irl_scope_compare(env, rule->scope, certificate->scope, "in the rule",
                                              "in the certificate", &difference);
  if (status) return status;
  if (*difference) refuse(v, 2, "the rule has another scope: %s", difference);
  irl_text_free(env, difference);
  return IRL_STATUS_OK;
}

/* Are these the samples, classes and literals of the scope, and is the rule about what is proven?
 * The same clauses for the other class say the opposite. */
static void compare_data(const irl_rule *rule, const irl_data *data, const irl_scope *scope,
                         irl_verification *v) {
  irl_data_info info = IRL_SIZED(irl_data_info);
  char checksum[17], groups[IRL_SCOPE_GROUPS_SIZE];
  irl_data_describe(data, &info);
  irl_scope_groups(data, groups);
  irl_c_snprintf(checksum, sizeof checksum, "%016" PRIx64, info.checksum);
  const char *positive = data->is_reflected ? data->negative : data->positive;
  const char *negative = data->is_reflected ? data->positive : data->negative;
  const double rounded_to = data->is_rounded ? data->weight_unit : 0;
  if (!scope->positive || strcmp(scope->positive, positive))
    refuse(v, 2, "the cases of the data are those with the label '%s'", positive);
  else if (!scope->negative || strcmp(scope->negative, negative))
    refuse(v, 2, "the controls of the data are those with the label '%s'", negative);
  else if (!scope->target || strcmp(scope->target, data->target))
    refuse(v, 2, "the labels of the data are in the column '%s'", data->target);
  else if (irl_data_has_weights(data) == !(scope->weight_column || scope->strata))
    refuse(v, 2, "the samples of the data have %s weights", irl_data_has_weights(data) ? "" : "no");
  else if (scope->rounded_to < rounded_to || scope->rounded_to > rounded_to)
    refuse(v, 2, "the weights of the data are %s", data->is_rounded ? "rounded" : "not rounded");
  else if (scope->samples != data->n_samples || strcmp(scope->checksum, checksum))
    refuse(v, 2,
           "the certificate is for other data, or data read with other options (give those on "
           "types, missing values, delimiter and header as fit had them; checksum %s here)",
           checksum);
  else if (strcmp(scope->one_per ? scope->one_per : "", groups))
    refuse(v, 2, "the groups of columns (--one-per) are others: '%s' here", groups);
  else if (rule && rule->target && strcmp(rule->target, data->target))
    refuse(v, 2, "the rule is about the column '%s', which is not that of the labels",
           rule->target);
  else if (rule && rule->positive && strcmp(rule->positive, data->positive))
    refuse(v, 2, "the rule is for the label '%s', which is not that of the proof", rule->positive);
  else if (rule && rule->negative && strcmp(rule->negative, data->negative))
    refuse(v, 2, "the rule is against the label '%s', which is not that of the proof",
           rule->negative);
}

/* ---- checking ---- */

/* Replays the proof, which is about the samples that weigh something. */
static irl_status run(irl_env *env, const irl_rule *rule, const irl_data *data,
                      const irl_options *options, const irl_certificate *certificate,
                      irl_verification *v) {
  irl_data *kept = NULL;
  irl_verify_job job = {.rule = rule, .bytes = certificate->bytes, .size = certificate->size};
  irl_verify_result result;
  irl_status status =
      irl_data_drop_weightless(env, data, irl_threads(env, options->limits.threads), &kept);
  if (status) return status;
  job.data = kept ? kept : data;
  irl_limit_init(&job.limit, env, options);
  status = irl_verify_run(env, &job, &result);
  irl_data_free(kept);
  if (status) return status;
  assert(!result.is_valid || (!result.is_cut && !result.line));
  *v = (irl_verification){.valid = result.is_valid,
                          .cut = result.is_cut,
                          .line = result.line,
                          .nodes = result.nodes,
                          .clauses = result.clauses,
                          .work = result.work,
                          .cases = result.cases,
                          .controls = result.controls,
                          .rules = result.rules,
                          .loss = (double)result.loss,
                          .most = (double)result.most};
  irl_c_snprintf(v->reason, sizeof v->reason, "%s", result.reason);
  irl_c_snprintf(v->rule, sizeof v->rule, "%s", result.rule);
  return IRL_STATUS_OK;
}

irl_status irl_verify(irl_env *env, const irl_rule *rule, const irl_data *data,
                      const irl_options *options, const irl_certificate *certificate,
                      irl_verification *verification) {
  IRL_NEED(env, "env, data, options, certificate, verification", env, data, options, certificate,
           verification);
  irl_verification v = {.valid = false};
  irl_data *reflected = NULL;
  irl_options own;
  irl_status status = irl_sized_need(env, verification, "verification");
  if (!status) status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check_ranges(env, &own);
  if (status) return status;
  if (!data->has_labels) return irl_fail(env, IRL_STATUS_BAD_INPUT, "the data has no labels");
  if (!certificate->scope)
    refuse(&v, certificate->head.line, "%s", certificate->head.reason);
  else
    status = compare_rule(env, rule, certificate, &v);
  if (!status && !v.line && !strcmp(certificate->scope->form, "cnf") && !data->is_reflected)
    status = irl_data_reflected(env, data, irl_threads(env, own.limits.threads), &reflected);
  if (reflected) data = reflected;
  if (!status && !v.line) compare_data(rule, data, certificate->scope, &v);
  if (!status && !v.line) status = run(env, rule, data, &own, certificate, &v);
  irl_data_free(reflected);
  return status ? status : irl_sized_copy_out(verification, &v, sizeof v);
}

irl_status irl_verify_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                            const irl_options *options, const irl_certificate *certificate,
                            irl_verification *verification) {
  IRL_NEED(env, "env, table, options, certificate, verification", env, table, options, certificate,
           verification);
  irl_data *data = NULL;
  irl_limit limit;
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check_ranges(env, &own);
  if (status) return status;
  irl_reading_begin(env, &limit, &own);
  status = irl_fit_training_data(env, table, &own, &data);
  irl_reading_end(env, &limit);
  if (!status)
    status = irl_verify(env, rule, data ? data : table->divided, &own, certificate, verification);
  irl_data_free(data);
  return status;
}

/* ---- the answer ---- */

static const irl_field work_fields[] = IRL_FIELDS(irl_verification, nodes, clauses, work);
static const irl_field cover_fields[] = IRL_FIELDS(irl_verification, cases, controls);

irl_status irl_verify_render(irl_env *env, const irl_verification *verification,
                             const irl_certificate *certificate, irl_format format, char **out) {
  IRL_NEED(env, "env, verification, certificate, text", env, verification, certificate, out);
  IRL_NEED_FORMAT(env, format);
  irl_text text;
  irl_json json;
  irl_verification own;
  const irl_status status = irl_sized_need(env, verification, "verification");
  if (status) return status;
  irl_sized_copy_in(verification, &own, sizeof own);
  own.reason[sizeof own.reason - 1] = own.rule[sizeof own.rule - 1] = '\0';
  const irl_verification *v = &own;
  if (format == IRL_FORMAT_JSON) {
    irl_report_open(&json, env, v->valid ? "valid" : v->cut ? "not checked" : "invalid");
    if (!v->valid && !v->cut) irl_json_unsigned(&json, "line", v->line);
    if (!v->valid) irl_json_string(&json, "reason", v->reason);
    if (certificate->scope) irl_scope_put(&json, "scope", false, certificate->scope);
    if (v->valid && *v->rule) irl_json_string(&json, "rule", v->rule);
    if (v->valid) irl_fields_put(&json, cover_fields, v);
    if (v->valid && v->rules) irl_json_unsigned(&json, "rules", v->rules);
    irl_fields_put(&json, work_fields, v);
    return irl_report_close(&json, NULL, out);
  }
  irl_text_init(&text, env);
  if (v->cut) {
    irl_text_printf(&text, "not checked: %s", v->reason);
    irl_fields_print(&text, work_fields, v, " (after {nodes} nodes, {clauses} clauses listed)\n");
  } else if (!v->valid) {
    irl_text_printf(&text, "invalid: %s:%" PRIu64 ": %s\n", certificate->path, v->line, v->reason);
  } else {
    irl_fields_print(&text, work_fields, v,
                     "valid: none has a smaller loss ({nodes} nodes, {clauses} clauses listed)\n");
    if (v->rules)
      irl_text_printf(&text,
                      "no rules but the %" PRIu64
                      " that it lists have a loss of at most %.17g (the "
                      "best: %.17g), unless something in them is superfluous\n",
                      v->rules, v->most, v->loss);
    if (*v->rule) irl_text_puts(&text, v->rule);
    if (*v->rule)
      irl_fields_print(&text, cover_fields, v, " covers {cases} cases and {controls} controls\n");
    irl_text_puts(&text, "among all ");
    irl_scope_print(&text, certificate->scope);
    irl_text_puts(&text, "\n");
  }
  return irl_text_take_shown(&text, out);
}
