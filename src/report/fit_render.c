/* The answer of a fit as text and as JSON. */
#include "base/contract.h"
#include "learn/equivalent.h"
#include "report/report.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
#include "validate/hold_out.h"
#include <inttypes.h>
#include <math.h>

#define SHOWN 8u /* equivalent literals for one place, in the text */

static const irl_field answer_fields[] = IRL_FIELDS(irl_fit_info, objective, bound, gap, bound_by);
const irl_field irl_fit_problem_fields[] =
    IRL_FIELDS(irl_fit_info, samples, features, K, M, method);
static const irl_field work_fields[] = IRL_FIELDS(irl_fit_info, seed, work, best_work);
static const irl_field run_fields[] = IRL_FIELDS(irl_run, threads, seconds, peak_mb, kernel);
#define TEST(name, member) IRL_FIELD_AS(irl_fit_result, name, member)
static const irl_field permutation_fields[] = {
    TEST("permutations", info.permutations), TEST("permutations_asked", n_permutations_asked),
    TEST("permutations_as_good", n_as_good), IRL_FIELDS_END};

void irl_report_open(irl_json *json, irl_env *env, const char *status) {
  irl_json_init(json, env);
  irl_json_open(json, NULL, '{');
  irl_json_string(json, "status", status);
}

irl_status irl_report_close(irl_json *json, const irl_fit_info *fit, char **text) {
  irl_run run = IRL_SIZED(irl_run);
  irl_env_run(json->text.env, &run);
  irl_json_open_flat(json, "run", '{');
  irl_fields_put(json, run_fields, &run);
  if (fit) {
    irl_json_real(json, "best_seconds", isnan(fit->objective) ? NAN : fit->best_seconds);
    irl_json_open_flat(json, "phases", '{');
    for (int i = 0; i < IRL_N_PHASE; i++)
      irl_json_real(json, irl_phase_text((irl_phase)i), fit->phase_seconds[i]);
    irl_json_close(json, '}');
  }
  irl_json_close(json, '}');
  irl_json_close(json, '}');
  assert(json->text.failed || !json->depth);
  return irl_json_take(json, text);
}

/* ---- equivalent literals ---- */

typedef struct printer {
  irl_text *text;
  bool has_any;
} printer;

static void print_place(void *user, const irl_equivalent_place *place) {
  printer *p = user;
  const irl_equivalents *found = place->found;
  if (!p->has_any) irl_text_puts(p->text, "\ncould stand in place of\n");
  p->has_any = true;
  irl_text_printf(
      p->text, "  %s%s (clause %zu):", irl_literal_is_negated(place->literal) ? IRL_NEGATION : "",
      irl_rule_name(place->rule, place->literal), place->clause + 1);
  for (uint32_t i = 0; i < found->n && i < SHOWN; i++) {
    const irl_equivalent *other = &found->others[i];
    const irl_literal_view words = irl_literal_in_words(place->data, other->literal);
    irl_text_printf(p->text, "%s %s%s", i ? "," : "", words.negated ? IRL_NEGATION : "",
                    words.feature);
    if (other->change) irl_text_printf(p->text, " (%+.4g)", (double)other->change / place->divisor);
  }
  if (found->n_all > SHOWN) irl_text_printf(p->text, " and %u more", found->n_all - SHOWN);
  irl_text_puts(p->text, "\n");
}

static void put_place(void *user, const irl_equivalent_place *place) {
  irl_json *json = user;
  const irl_equivalents *found = place->found;
  irl_json_open_flat(json, NULL, '{');
  irl_json_unsigned(json, "clause", place->clause);
  irl_json_open_flat(json, "literal", '[');
  irl_json_literal(json, irl_rule_name(place->rule, place->literal),
                   irl_literal_is_negated(place->literal));
  irl_json_close(json, ']');
  irl_json_unsigned(json, "count", found->n_all);
  irl_json_open_flat(json, "others", '[');
  for (uint32_t i = 0; i < found->n; i++) {
    const irl_literal_view words = irl_literal_in_words(place->data, found->others[i].literal);
    irl_json_literal(json, words.feature, words.negated);
  }
  irl_json_close(json, ']');
  irl_json_open_flat(json, "changes", '[');
  for (uint32_t i = 0; i < found->n; i++)
    irl_json_real(json, NULL, (double)found->others[i].change / place->divisor);
  irl_json_close(json, ']');
  irl_json_close(json, '}');
}

/* ---- hold-out and permutations ---- */

/* What the permutations look at. */
static const char *permuted(const irl_fit_result *result) {
  return result->all_clauses_permuted ? "all clauses of at most M literals"
                                      : "the clauses that a quick search finds";
}

static void put_honest(irl_json *json, const irl_fit_result *result) {
  if (result->has_test) {
    irl_json_open(json, "test", '{');
    irl_json_unsigned(json, "samples",
                      result->test.tp + result->test.fp + result->test.tn + result->test.fn);
    irl_evaluation_put(json, &result->test);
    irl_json_close(json, '}');
  }
  if (!result->wants_permutations) return;
  irl_fields_put(json, permutation_fields, result);
  irl_json_string(json, "permutations_of", permuted(result));
  irl_json_real(json, "p_value", result->info.p_value);
}

static void print_honest(irl_text *text, const irl_fit_result *result) {
  if (!result->wants_permutations) return;
  if (!result->info.permutations)
    irl_text_puts(text, "\nno permutation was ended, so there is no p-value\n");
  else
    irl_text_printf(text, "\np-value of the whole search: %.4g (%u permutations, %u as good)\n",
                    result->info.p_value, result->info.permutations, result->n_as_good);
  if (result->info.permutations)
    irl_text_printf(text, "the strongest clause of each, among %s; %s\n", permuted(result),
                    result->info.permutations < result->n_permutations_asked
                        ? "ended early, since enough were as good"
                        : "all were made");
}

/* ---- the whole ---- */

static irl_status render_json(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **text) {
  const irl_fit_info *info = &result->info;
  const irl_clause_chance chance = {result->clause_p};
  irl_json json;
  irl_report_open(&json, env, irl_outcome_text(info->outcome));
  if (result->reason) irl_json_string(&json, "reason", result->reason);
  if (result->n_notes) {
    irl_json_open(&json, "notes", '[');
    for (uint32_t i = 0; i < result->n_notes; i++) irl_json_string(&json, NULL, result->notes[i]);
    irl_json_close(&json, ']');
  }
  irl_fields_put(&json, answer_fields, info);
  if (info->outcome == IRL_OUTCOME_OPTIMAL) irl_json_string(&json, "proven_by", info->bound_by);
  if (irl_fit_rests_on(result)) irl_json_string(&json, "bound_rests_on", irl_fit_rests_on(result));
  irl_json_real(&json, "rate", info->rate);
  if (result->data->is_reflected) irl_json_string(&json, "form", "cnf");
  irl_report_put_clauses(&json, result->data, result->rule);
  irl_report_put_held_out(&json, result);
  irl_evaluation_put(&json, e);
  irl_report_put_estimate(&json, result);
  irl_report_put_tuning(&json, result->tuning);
  irl_status status = irl_optimal_rules_show(env, NULL, &json, result);
  if (!status) status = irl_rule_count_show(env, NULL, &json, result);
  irl_fields_put(&json, irl_fit_problem_fields, info);
  irl_scope_put(&json, "scope", false, result->scope);
  irl_fields_put(&json, work_fields, info);
  if (!status) {
    if (result->data->is_reflected) /* what follows is of the CNF's reflection */
      irl_json_string(&json, "statistics_and_equivalents_for", result->rule->positive);
    irl_evaluator *counted = NULL;
    status = irl_evaluator_of(env, result->rule, result->data, &counted);
    if (!status) irl_clause_rows_put(counted, &chance, &json, "clause_statistics");
    irl_evaluator_free(counted);
  }
  irl_json_open(&json, "equivalents", '[');
  if (!status) status = irl_equivalents_walk(env, result, put_place, &json);
  irl_json_close(&json, ']');
  irl_stability_put(&json, result->stability);
  irl_variant_facts_put(&json, &result->variants);
  put_honest(&json, result);
  if (!status) return irl_report_close(&json, info, text);
  irl_json_drop(&json);
  return status;
}

/* Among which rules it is the best, or was searched; and what is missing beside it. */
static void print_scope(irl_text *text, const irl_fit_result *result) {
  irl_text_puts(text, result->info.outcome == IRL_OUTCOME_OPTIMAL      ? "optimal among all "
                      : result->info.outcome == IRL_OUTCOME_INFEASIBLE ? "none among all "
                                                                       : "sought among ");
  irl_scope_print(text, result->scope);
  irl_text_puts(text, "\n");
  for (uint32_t i = 0; i < result->n_notes; i++)
    irl_text_printf(text, "note: %s\n", result->notes[i]);
}

static irl_status render_text(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **out) {
  const irl_fit_info *info = &result->info;
  irl_text text;
  printer equivalents = {.text = &text};
  const irl_clause_chance chance = {result->clause_p};
  irl_text_init(&text, env);
  if (isnan(info->objective)) {
    irl_text_printf(&text, "%s: %s\n", irl_outcome_text(info->outcome),
                    result->reason ? result->reason : "there is no rule");
    print_scope(&text, result);
    return irl_text_take_shown(&text, out);
  }
  irl_text_printf(&text, "%s: ", irl_outcome_text(info->outcome));
  irl_fit_print_objective(&text, result);
  irl_fields_print(&text, answer_fields, info, ", bound {bound}, gap {gap:.2p} %\n");
  if (result->reason) irl_text_printf(&text, "%s\n", result->reason);
  if (irl_fit_rests_on(result))
    irl_text_printf(&text, "the bound rests on checkpoint %s\n", irl_fit_rests_on(result));
  print_scope(&text, result);
  irl_report_print_tuning(&text, result->tuning);
  irl_report_print_estimate(&text, result);
  irl_text_printf(&text,
                  "balanced accuracy %.4f, sensitivity %.4f (%" PRIu64 " of %" PRIu64
                  "), specificity %.4f (%" PRIu64 " "
                  "of %" PRIu64 ")\n",
                  e->balanced_accuracy, e->sensitivity, e->tp, (e->tp + e->fn), e->specificity,
                  e->tn, (e->tn + e->fp));
  if (result->data->is_reflected) {
    irl_text_puts(&text, "\nCNF: ");
    irl_rule_print_cnf(&text, result->rule);
    irl_text_printf(&text,
                    "\nThe same as clauses for '%s', any of which says so; no literal of theirs "
                    "holds on a missing value:\n",
                    result->rule->positive);
  }
  irl_evaluator *counted = NULL;
  irl_status status = irl_evaluator_of(env, result->rule, result->data, &counted);
  if (!status) irl_clause_rows_print(counted, &chance, &text);
  irl_evaluator_free(counted);
  if (!status) status = irl_equivalents_walk(env, result, print_place, &equivalents);
  if (!status) status = irl_optimal_rules_show(env, &text, NULL, result);
  if (!status) status = irl_rule_count_show(env, &text, NULL, result);
  irl_stability_print(&text, result->stability);
  irl_variant_facts_print(&text, &result->variants);
  print_honest(&text, result);
  if (!status) return irl_text_take_shown(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_fit_render(irl_env *env, const irl_fit_result *result, irl_format format,
                          char **text) {
  IRL_NEED(env, "env, result, text", env, result, text);
  IRL_NEED_FORMAT(env, format);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  const irl_status status = irl_evaluate(env, result->rule, result->data, &e);
  if (status) return status;
  if (result->data->is_reflected) irl_evaluation_turn(&e);
  return format == IRL_FORMAT_JSON ? render_json(env, result, &e, text)
                                   : render_text(env, result, &e, text);
}
