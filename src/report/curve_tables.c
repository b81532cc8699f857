/* A curve as rows: for people, as JSON, as CSV. */
#include "ireland_study.h"
#include "report/report.h"
#include "rule/rule_json.h"
#include <inttypes.h>
#include <math.h>

static const char *curve_name(irl_curve_kind kind) {
  static const char *const names[IRL_N_CURVE_KINDS] = {"tradeoff", "literals", "clauses"};
  return names[kind];
}

static const irl_field point_fields[] =
    IRL_FIELDS(irl_curve_point, sensitivity, specificity, accuracy, tp, fp, literals);
static const irl_field tradeoff_fields[] =
    IRL_FIELDS(irl_curve_point, sensitivity_bound, specificity_bound);
static const irl_field size_fields[] = IRL_FIELDS(irl_curve_point, accuracy_bound);
static const irl_field work_fields[] = IRL_FIELDS(irl_curve_info, selections, nodes, work);

/* ---- for people ---- */

static void print_complexity(irl_text *text, const irl_curve *curve, irl_curve_kind kind) {
  if (!irl_curve_size(curve, kind)) return;
  irl_text_printf(text, "\n%s  %-17s      bound        tp        fp  status    rule\n",
                  curve_name(kind), curve->info.accuracy_is);
  for (uint32_t i = 0; i < irl_curve_size(curve, kind); i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(curve, kind, i, &p);
    irl_text_printf(text, "%*u  %-17.6f %10.6f %9" PRIu64 " %9" PRIu64 "  %-9s ",
                    (int)strlen(curve_name(kind)),
                    kind == IRL_CURVE_LITERALS ? p.literals : p.clauses, p.accuracy,
                    p.accuracy_bound, p.tp, p.fp, irl_outcome_text(p.outcome));
    irl_rule_print_all(text, irl_curve_rule(curve, kind, i));
    irl_text_puts(text, "\n");
  }
}

irl_status irl_report_curve_table(irl_env *env, const irl_curve *curve, char **out) {
  const uint32_t n = irl_curve_size(curve, IRL_CURVE_TRADEOFF);
  irl_text text;
  irl_text_init(&text, env);
  irl_text_printf(&text,
                  "%s: %u points, area under the curve %.4f, chosen from %s%" PRIu64 " clauses\n",
                  irl_outcome_text(curve->info.outcome), n, curve->info.area,
                  curve->info.is_complete ? "all " : "", curve->info.pool);
  irl_text_puts(&text, curve->info.is_complete ? "among all " : "sought among ");
  irl_scope_print(&text, curve->fit->scope);
  irl_text_puts(
      &text,
      "\n\nsensitivity  specificity        tp        fp  clauses  literals  status    rule\n");
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    irl_text_printf(&text, "%11.4f  %11.4f %9" PRIu64 " %9" PRIu64 " %8u %9u  %-9s ", p.sensitivity,
                    p.specificity, p.tp, p.fp, p.clauses, p.literals, irl_outcome_text(p.outcome));
    irl_rule_print_all(&text, irl_curve_rule(curve, IRL_CURVE_TRADEOFF, i));
    irl_text_puts(&text, "\n");
  }
  print_complexity(&text, curve, IRL_CURVE_LITERALS);
  print_complexity(&text, curve, IRL_CURVE_CLAUSES);
  return irl_text_take_shown(&text, out);
}

/* ---- JSON ---- */

static void put_points(irl_json *json, const irl_curve *curve, irl_curve_kind kind) {
  irl_json_open(json, curve_name(kind), '[');
  for (uint32_t i = 0; i < irl_curve_size(curve, kind); i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(curve, kind, i, &p);
    irl_json_open(json, NULL, '{');
    irl_json_string(json, "status", irl_outcome_text(p.outcome));
    irl_fields_put(json, point_fields, &p);
    irl_fields_put(json, kind == IRL_CURVE_TRADEOFF ? tradeoff_fields : size_fields, &p);
    irl_rule_put_clauses(json, "clauses", irl_curve_rule(curve, kind, i));
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
}

irl_status irl_report_curve_json(irl_env *env, const irl_curve *curve, char **text) {
  const irl_fit_info *fit = &curve->fit->info;
  irl_json json;
  irl_report_open(&json, env, irl_outcome_text(curve->info.outcome));
  irl_json_string(&json, "proven_for", curve->info.is_complete ? "rules" : "pool");
  irl_json_unsigned(&json, "pool", curve->info.pool);
  irl_json_real(&json, "threshold", curve->threshold);
  irl_json_real(&json, "area", curve->info.area);
  irl_json_string(&json, "accuracy_is", curve->info.accuracy_is);
  put_points(&json, curve, IRL_CURVE_TRADEOFF);
  for (irl_curve_kind kind = IRL_CURVE_LITERALS; kind < IRL_N_CURVE_KINDS; kind++)
    if (irl_curve_size(curve, kind)) put_points(&json, curve, kind);
  irl_fields_put(&json, irl_fit_problem_fields, fit);
  irl_scope_put(&json, "scope", false, curve->fit->scope);
  irl_json_unsigned(&json, "seed", fit->seed);
  irl_fields_put(&json, work_fields, &curve->info);
  irl_json_unsigned(&json, "learning_work", fit->work);
  return irl_report_close(&json, NULL, text);
}

/* ---- CSV ---- */

static void put_bound(irl_text *text, double bound) {
  if (isnan(bound))
    irl_text_puts(text, ",");
  else
    irl_text_printf(text, ",%.10g", bound);
}

irl_status irl_report_curve_csv(irl_env *env, const irl_curve *curve, char **out) {
  irl_text text, cell;
  irl_text_init(&text, env);
  irl_text_init(&cell, env);
  irl_text_puts(&text, "curve,sensitivity,specificity,accuracy,tp,fp,clauses,literals,status,"
                       "sensitivity_bound,specificity_bound,accuracy_bound,rule\n");
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS; kind++)
    for (uint32_t i = 0; i < irl_curve_size(curve, kind); i++) {
      irl_curve_point p = IRL_SIZED(irl_curve_point);
      irl_curve_get(curve, kind, i, &p);
      irl_text_printf(&text, "%s,%.10g,%.10g,%.10g,%" PRIu64 ",%" PRIu64 ",%u,%u,%s",
                      curve_name(kind), p.sensitivity, p.specificity, p.accuracy, p.tp, p.fp,
                      p.clauses, p.literals, irl_outcome_text(p.outcome));
      put_bound(&text, p.sensitivity_bound);
      put_bound(&text, p.specificity_bound);
      put_bound(&text, p.accuracy_bound);
      cell.length = 0;
      irl_rule_print_all(&cell, irl_curve_rule(curve, kind, i));
      irl_text_puts(&text, ",");
      if (!cell.failed) irl_text_cell(&text, cell.bytes, true);
      irl_text_puts(&text, "\n");
    }
  text.failed |= cell.failed;
  irl_text_drop(&cell);
  return irl_text_take(&text, out);
}
