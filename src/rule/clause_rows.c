#include "rule/clause_rows.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "rule/rule_json.h"
#include "rule/statistics.h"
#include <inttypes.h>
#include <math.h>

#define LEAST_P 1e-300 /* smaller ones are not told apart */

static irl_statistics describe(const irl_evaluator *counted, size_t k) {
  const irl_clause_count *c = &counted->clauses[k];
  irl_statistics statistics = IRL_SIZED(irl_statistics);
  assert(c->tp <= counted->n_cases && c->fp <= counted->n_controls && c->added <= c->tp);
  irl_statistics_compute(c->tp, c->fp, counted->n_cases - c->tp, counted->n_controls - c->fp,
                         &statistics);
  return statistics;
}

static void print_p(irl_text *text, double p) {
  if (p < LEAST_P)
    irl_text_printf(text, " %9s", "<1e-300");
  else if (isnan(p))
    irl_text_printf(text, " %9s", "-");
  else
    irl_text_printf(text, " %9.3g", p);
}

void irl_clause_rows_print(const irl_evaluator *counted, const irl_clause_chance *chance,
                           irl_text *text) {
  const irl_rule *rule = counted->rule;
  bool has_star = false; /* something is to be explained */
  irl_text_printf(text, "\n%7s %7s %7s  %9s  %13s %9s  %9s  clause\n", "tp", "fp", "adds",
                  "precision", "95 % interval", "odds",
                  !chance     ? "Fisher p"
                  : chance->p ? "p-value"
                              : "nominal p");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    const irl_statistics row = describe(counted, k);
    irl_fields_print(text, irl_statistics_fields, &row, "{tp:7} {fp:7}");
    irl_text_printf(text, " %7" PRIu64, counted->clauses[k].added);
    irl_fields_print(text, irl_statistics_fields, &row,
                     row.tp + row.fp ? "  {precision:9.4f}" : "          -");
    irl_fields_print(text, irl_statistics_fields, &row,
                     "  {precision_interval[0]:.4f}-{precision_interval[1]:.4f} {odds_ratio:9.4}");
    irl_text_puts(text, row.is_corrected ? "*" : " ");
    print_p(text, chance && chance->p ? chance->p[k] : row.fisher_p);
    irl_text_puts(text, "  ");
    irl_rule_print_clause(text, rule, k);
    irl_text_puts(text, "\n");
    has_star |= row.is_corrected;
  }
  if (has_star) irl_text_puts(text, "* a cell of the table is 0, so one half was added to each\n");
  if (!rule->n_clauses) return;
  irl_text_puts(text, !chance     ? "Fisher p: valid on samples that the rule was not learnt from\n"
                      : chance->p ? "p-value: by permutation of the whole search, for all clauses "
                                    "together (family-wise)\n"
                                  : "nominal p: Fisher's test, not valid after search, since the "
                                    "clauses were chosen because they fit;\n"
                                    "           --permutations 999 gives p-values that hold\n");
}

void irl_clause_rows_put(const irl_evaluator *counted, const irl_clause_chance *chance,
                         irl_json *json, const char *key) {
  irl_json_open(json, key, '[');
  for (size_t k = 0; k < counted->rule->n_clauses; k++) {
    const irl_statistics row = describe(counted, k);
    irl_json_open_flat(json, NULL, '{');
    irl_rule_put_clause(json, "clause", counted->rule, k);
    irl_fields_put(json, irl_statistics_fields, &row);
    if (chance) irl_json_string(json, "fisher_p_is", "not valid after search");
    if (chance && chance->p) irl_json_real(json, "p_value", chance->p[k]);
    irl_json_unsigned(json, "adds", counted->clauses[k].added);
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
}
