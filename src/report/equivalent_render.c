/* The equivalent literals of a rule, in text and JSON. */
#include "learn/equivalent.h"
#include "validate/hold_out.h"

#define SHOWN 8u /* for one place, in the text */

typedef struct printer {
  irl_text *text;
  bool has_any;
} printer;

static void print_place(void *user, const irl_equivalent_place *place) {
  printer *p = user;
  const irl_equivalents *found = place->found;
  if (!p->has_any) irl_text_puts(p->text, "\ncould stand in place of\n");
  p->has_any = true;
  irl_text_printf(p->text,
                  "  %s%s (clause %zu):", irl_literal_is_negated(place->literal) ? "NOT " : "",
                  irl_rule_name(place->rule, place->literal), place->clause + 1);
  for (uint32_t i = 0; i < found->n && i < SHOWN; i++) {
    const irl_equivalent *other = &found->others[i];
    const irl_literal_view words = irl_literal_in_words(place->data, other->literal);
    irl_text_printf(p->text, "%s %s%s", i ? "," : "", words.negated ? "NOT " : "", words.feature);
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

irl_status irl_fit_print_equivalents(irl_env *env, const irl_fit_result *result, irl_text *text) {
  printer p = {.text = text};
  return irl_equivalents_walk(env, result, print_place, &p);
}

irl_status irl_fit_put_equivalents(irl_env *env, const irl_fit_result *result, irl_json *json) {
  irl_json_open(json, "equivalents", '[');
  const irl_status status = irl_equivalents_walk(env, result, put_place, json);
  irl_json_close(json, ']');
  return status;
}
