/* How stable the rule is, as text and as JSON. */
#include "base/number.h"
#include "report/report.h"
#include <math.h>

#define LEAST_SHARE 0.1 /* of resamples that have a literal which the rule has not, in the text */
#define SHOWN       10u /* of these literals */

#define FIELD(name, member) IRL_FIELD_AS(irl_stability, name, member)
static const irl_field fields[] = {FIELD("resamples", n_asked), FIELD("done", n_done),
                                   FIELD("same_clauses", n_same), FIELD("agreement", agreement),
                                   IRL_FIELDS_END};
static const irl_field clause_fields[] = IRL_FIELDS(irl_stable_clause, count, overlap);

static const irl_field cut_fields[] = {IRL_FIELD_LIST(irl_stable_literal, "cuts", low, 2),
                                       IRL_FIELDS_END};

static void print_cuts(irl_text *text, const irl_stable_literal *l) {
  char low[IRL_NUMBER_SIZE], high[IRL_NUMBER_SIZE];
  if (isnan(l->low)) return;
  irl_number_print(l->low, low);
  irl_number_print(l->high, high);
  if (l->low < l->high)
    irl_text_printf(text, " (%s to %s)", low, high);
  else
    irl_text_printf(text, " (%s)", low);
}

static void print_literal(irl_text *text, const irl_stability *s, uint32_t number) {
  const irl_stable_literal *l = &s->literals[number];
  irl_text_printf(text, "  %5.2f  %s", (double)l->count / s->n_done,
                  irl_names_get(&s->names, number));
  print_cuts(text, l);
  for (uint32_t i = 0; i < l->n_others; i++)
    irl_text_printf(text, "%s %s %.2f (r %.2f)",
                    i ? "," : "; instead:", irl_names_get(&s->names, l->others[i].literal),
                    (double)l->others[i].count / s->n_done, l->others[i].r);
  irl_text_puts(text, "\n");
}

void irl_stability_print(irl_text *text, const irl_stability *s) {
  uint32_t n_others = 0;
  if (!s) return;
  if (s->none_since) {
    irl_text_printf(text, "\nstability: not known, since %s\n", s->none_since);
    return;
  }
  irl_fields_print(text, fields, s,
                   "\nstability: {done} of {resamples} resamples done; the same clauses in "
                   "{same_clauses} of them; {agreement:.1p} % of the samples predicted alike on "
                   "average\n  share  literal of the rule (cut points), and what stands in its "
                   "place\n");
  for (size_t i = 0; i < s->names.n; i++) {
    const irl_stable_literal *l = &s->literals[s->order[i]];
    if (!l->is_in_rule && (l->count < LEAST_SHARE * s->n_done || n_others == SHOWN)) break;
    if (!l->is_in_rule && !n_others++)
      irl_text_puts(text, "  share  literal that the rule has not\n");
    print_literal(text, s, s->order[i]);
  }
  irl_text_puts(text, "  share  overlap  clause\n");
  for (size_t k = 0; k < s->n_clauses; k++)
    irl_text_printf(text, "  %5.2f  %7.2f  %zu\n", (double)s->clauses[k].count / s->n_done,
                    s->clauses[k].overlap, k + 1);
}

static void put_literal(irl_json *json, const irl_stability *s, uint32_t number) {
  const irl_stable_literal *l = &s->literals[number];
  irl_json_open(json, NULL, '{');
  irl_json_string(json, "literal", irl_names_get(&s->names, number));
  irl_json_bool(json, "in_rule", l->is_in_rule);
  irl_json_unsigned(json, "count", l->count);
  if (!isnan(l->low)) irl_fields_put(json, cut_fields, l);
  if (l->is_in_rule) {
    irl_json_open(json, "instead", '[');
    for (uint32_t i = 0; i < l->n_others; i++) {
      irl_json_open_flat(json, NULL, '{');
      irl_json_string(json, "literal", irl_names_get(&s->names, l->others[i].literal));
      irl_json_unsigned(json, "count", l->others[i].count);
      irl_json_real(json, "correlation", l->others[i].r);
      irl_json_close(json, '}');
    }
    irl_json_close(json, ']');
  }
  irl_json_close(json, '}');
}

void irl_stability_put(irl_json *json, const irl_stability *s) {
  if (!s) return;
  irl_json_open(json, "stability", '{');
  if (s->none_since) {
    irl_json_string(json, "none_since", s->none_since);
    irl_json_close(json, '}');
    return;
  }
  irl_fields_put(json, fields, s);
  irl_json_open(json, "literals", '[');
  for (size_t i = 0; i < s->names.n; i++) put_literal(json, s, s->order[i]);
  irl_json_close(json, ']');
  irl_json_open(json, "clauses", '[');
  for (size_t k = 0; k < s->n_clauses; k++)
    irl_fields_put_object(json, NULL, clause_fields, &s->clauses[k]);
  irl_json_close(json, ']');
  irl_json_close(json, '}');
}
