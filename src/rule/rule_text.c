/* A rule for people: (a AND NOT b) OR (c). */
#include "rule/rule.h"

void irl_rule_print_clause(irl_text *text, const irl_rule *rule, size_t clause) {
  if (rule->start[clause] == rule->start[clause + 1]) irl_text_puts(text, "(TRUE");
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = rule->literals[i];
    irl_text_puts(text, i == rule->start[clause] ? "(" : " AND ");
    if (irl_literal_is_negated(literal)) irl_text_puts(text, "NOT ");
    irl_text_puts(text, irl_rule_name(rule, literal));
  }
  irl_text_puts(text, ")");
}

void irl_rule_print_all(irl_text *text, const irl_rule *rule) {
  if (!rule->n_clauses) irl_text_puts(text, "FALSE");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    if (k) irl_text_puts(text, " OR ");
    irl_rule_print_clause(text, rule, k);
  }
}

irl_status irl_rule_print(irl_env *env, const irl_rule *rule, char **out) {
  irl_text text;
  irl_text_init(&text, env);
  irl_rule_print_all(&text, rule);
  return irl_text_take(&text, out);
}
