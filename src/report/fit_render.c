/* The answer of a fit as text and as JSON. */
#include "report/optimal_rules_render.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
#include "validate/hold_out.h"
#include <math.h>

static void print_cnf(irl_text *text, const irl_fit_result *result) {
  irl_text_puts(text, "\nCNF: ");
  irl_rule_print_cnf(text, result->rule);
  irl_text_printf(
      text,
      "\nThe same as clauses for '%s', any of which says so; no literal of theirs holds "
      "on a missing value:\n",
      result->rule->positive);
}

static irl_status render_json(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **text) {
  const irl_fit_info *info = &result->info;
  irl_json json;
  irl_run run;
  irl_env_run(env, &run);
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, "status", irl_outcome_text(info->outcome));
  if (result->reason) irl_json_string(&json, "reason", result->reason);
  irl_json_real(&json, "objective", info->objective);
  irl_json_real(&json, "bound", info->bound);
  irl_json_real(&json, "gap", info->gap);
  if (irl_fit_rests_on(result)) irl_json_string(&json, "bound_rests_on", irl_fit_rests_on(result));
  irl_json_real(&json, "rate", info->rate);
  if (result->data->is_reflected) {
    irl_json_string(&json, "form", "cnf");
    irl_rule_put_cnf(&json, "clauses", result->rule);
  } else {
    irl_rule_put_clauses(&json, "clauses", result->rule);
  }
  irl_evaluation_put(&json, e);
  irl_status status = IRL_OK;
  if (result->optimal_rules.K)
    status = irl_optimal_rules_put(env, &json, result->data, result->settings.divisor,
                                   &result->optimal_rules);
  irl_json_unsigned(&json, "samples", info->samples);
  irl_json_unsigned(&json, "features", info->features);
  irl_json_unsigned(&json, "K", info->K);
  irl_json_unsigned(&json, "M", info->M);
  irl_json_string(&json, "method", info->method);
  irl_scope_put(&json, "scope", false, result->scope);
  irl_json_unsigned(&json, "seed", info->seed);
  irl_json_unsigned(&json, "work", info->work);
  if (!status) {
    if (result->data->is_reflected) /* what follows is of the CNF's reflection */
      irl_json_string(&json, "statistics_and_equivalents_for", result->rule->positive);
    status = irl_clause_rows_put(env, result->rule, result->data, &json, "clause_statistics");
  }
  if (!status) status = irl_fit_put_equivalents(env, result, &json);
  if (status) {
    irl_json_drop(&json);
    return status;
  }
  irl_fit_put_honest(&json, result);
  irl_json_open_flat(&json, "run", '{');
  irl_json_put_run(&json, &run);
  irl_json_real(&json, "best_seconds", isnan(info->objective) ? NAN : info->best_seconds);
  irl_json_close(&json, '}');
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

/* Among which rules it is the best, or was searched. */
static void print_scope(irl_text *text, const irl_fit_result *result) {
  irl_text_puts(text, result->info.outcome == IRL_OPTIMAL      ? "optimal among all "
                      : result->info.outcome == IRL_INFEASIBLE ? "none among all "
                                                               : "sought among ");
  irl_scope_print(text, result->scope);
  irl_text_puts(text, "\n");
}

static irl_status render_text(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **out) {
  const irl_fit_info *info = &result->info;
  irl_text text;
  irl_text_init(&text, env);
  if (isnan(info->objective)) {
    irl_text_printf(&text, "%s: %s\n", irl_outcome_text(info->outcome), result->reason);
    print_scope(&text, result);
    return irl_text_take_shown(&text, out);
  }
  irl_text_printf(&text, "%s: ", irl_outcome_text(info->outcome));
  irl_fit_print_objective(&text, result);
  irl_text_printf(&text, ", bound %.6g, gap %.2f %%\n", info->bound, 100 * info->gap);
  if (result->reason) irl_text_printf(&text, "%s\n", result->reason);
  if (irl_fit_rests_on(result))
    irl_text_printf(&text, "the bound rests on checkpoint %s\n", irl_fit_rests_on(result));
  print_scope(&text, result);
  irl_text_printf(&text,
                  "balanced accuracy %.4f, sensitivity %.4f (%llu of %llu), specificity %.4f (%llu "
                  "of %llu)\n",
                  e->balanced_accuracy, e->sensitivity, (unsigned long long)e->tp,
                  (unsigned long long)(e->tp + e->fn), e->specificity, (unsigned long long)e->tn,
                  (unsigned long long)(e->tn + e->fp));
  if (result->data->is_reflected) print_cnf(&text, result);
  irl_status status = irl_clause_rows_print(env, result->rule, result->data, &text);
  if (!status) status = irl_fit_print_equivalents(env, result, &text);
  if (!status && result->optimal_rules.K)
    status = irl_optimal_rules_print(env, result->data, result->settings.divisor,
                                     &result->optimal_rules, &text);
  irl_fit_print_honest(&text, result);
  if (!status) return irl_text_take_shown(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_fit_render(irl_env *env, const irl_fit_result *result, irl_format format,
                          char **text) {
  irl_evaluation e;
  const irl_status status = irl_evaluate(env, result->rule, result->data, &e);
  if (status) return status;
  if (result->data->is_reflected) irl_evaluation_turn(&e);
  return format == IRL_FORMAT_JSON ? render_json(env, result, &e, text)
                                   : render_text(env, result, &e, text);
}
