/* Results for readers: curves as table, JSON, CSV, chart for the terminal and picture, and the page
 * about a fit. Nothing here computes more than a share. */
#ifndef IRL_REPORT_REPORT_H
#define IRL_REPORT_REPORT_H

#include "base/fields.h"
#include "curve/curve.h"
#include "ireland_study.h"
#include "table/variant_facts.h"

/* The JSON of an answer is an object that begins with its status and ends with its run: what may
 * differ between two runs (`fit`: when its rule was there, and its phases; NULL: none). */
void irl_report_open(irl_json *json, irl_env *env, const char *status);
irl_status irl_report_close(irl_json *json, const irl_fit_info *fit, char **text);
/* What was learnt from, and by which limits and method. */
extern const irl_field irl_fit_problem_fields[];

irl_status irl_report_curve_table(irl_env *env, const irl_curve *curve, char **text);
irl_status irl_report_curve_json(irl_env *env, const irl_curve *curve, char **text);
irl_status irl_report_curve_csv(irl_env *env, const irl_curve *curve, char **text);
irl_status irl_report_curve_plot(irl_env *env, const irl_curve *curve, char **text);
irl_status irl_report_curve_svg(irl_env *env, const irl_curve *curve, char **text);
/* The style of charts, light and dark; for pages and pictures (curve_chart.c). */
extern const char irl_chart_style[];
/* The page; `curve` and `command` may be NULL. */
irl_status irl_report_page(irl_env *env, const irl_fit_result *fit, const irl_curve *curve,
                           const irl_options *options, const char *command, char **html);

/* What is known of new samples, and the word that figures of training begin with
 * (estimate_render.c). */
void irl_report_print_estimate(irl_text *text, const irl_fit_result *result);
/* Members of the open object: held_out, validation. */
/* The figures of the held-out samples, if there are some; then the estimate. */
void irl_report_put_held_out(irl_json *json, const irl_fit_result *result);
void irl_report_put_estimate(irl_json *json, const irl_fit_result *result);

/* How the settings of a fit were chosen; NULL: nothing (cv_render.c). */
void irl_report_print_tuning(irl_text *text, const irl_cv_result *tuning);
void irl_report_put_tuning(irl_json *json, const irl_cv_result *tuning);

/* How stable the rule is; NULL: nothing (stability_render.c). */
void irl_stability_print(irl_text *text, const irl_stability *stability);
void irl_stability_put(irl_json *json, const irl_stability *stability);

/* The near-optimal rules, their literals, and how many have them; the count of all rules within the
 * loss, and of those that have each literal: as members of the open object, or as text if `json` is
 * NULL (optimal_render.c). */
irl_status irl_optimal_rules_show(irl_env *env, irl_text *text, irl_json *json,
                                  const irl_fit_result *result);
irl_status irl_rule_count_show(irl_env *env, irl_text *text, irl_json *json,
                               const irl_fit_result *result);
/* A rule's clauses as the answer shows them: those of the CNF, if it is one. */
void irl_report_put_clauses(irl_json *json, const irl_data *data, const irl_rule *rule);

/* The variants of a rule (variants_render.c). */
void irl_variant_facts_print(irl_text *text, const irl_variant_facts *facts);
void irl_variant_facts_put(irl_json *json, const irl_variant_facts *facts);

#endif
