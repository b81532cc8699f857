/* A rule for people: (a AND NOT b) OR (c). */
#include "rule/rule.h"

void irl_rule_print_clause(irl_text *text, const irl_rule *rule, size_t clause) {
  if (rule->start[clause] == rule->start[clause + 1]) irl_text_puts(text, "(TRUE");
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = rule->literals[i];
    irl_text_puts(text, i == rule->start[clause] ? "(" : " AND ");
    if (irl_literal_is_negated(literal)) irl_text_puts(text, "NOT ");
    irl_text_show(text, irl_rule_name(rule, literal));
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

/* What follows column and relation in the name of a condition; NULL if it is called otherwise. */
static const char *value_of(const irl_conditions *conditions, const irl_condition *c,
                            const char *name) {
  const char *column = irl_names_get(&conditions->columns, c->column);
  const char *relation = irl_relation_text(c->relation);
  const size_t n = strlen(column), length = strlen(relation);
  const bool is_called_so = !strncmp(name, column, n) && name[n] == ' ' &&
                            !strncmp(name + n + 1, relation, length) && name[n + 1 + length] == ' ';
  return is_called_so ? name + n + 1 + length : NULL;
}

/* `x > 5` for `x <= 5`, and a sign for what is told apart by its sign. */
void irl_rule_print_opposite(irl_text *text, const irl_rule *rule, irl_literal literal,
                             const char *negation) {
  const char *name = irl_rule_name(rule, literal), *value;
  const irl_conditions *conditions = &rule->conditions;
  const irl_condition *c =
      irl_has_conditions(conditions) ? &conditions->items[irl_literal_feature(literal)] : NULL;
  if (c && !irl_literal_is_negated(literal) && (value = value_of(conditions, c, name)))
    irl_text_printf(text, "%s %s%s", irl_names_get(&conditions->columns, c->column),
                    irl_relation_text(irl_condition_opposite(c).relation), value);
  else
    irl_text_printf(text, "%s%s", irl_literal_is_negated(literal) ? "" : negation, name);
}

void irl_rule_print_cnf(irl_text *text, const irl_rule *rule) {
  if (!rule->n_clauses) irl_text_puts(text, "TRUE");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_text_puts(text, k ? " AND (" : "(");
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      if (i > rule->start[k]) irl_text_puts(text, " OR ");
      irl_rule_print_opposite(text, rule, rule->literals[i], "NOT ");
    }
    irl_text_puts(text, rule->start[k] == rule->start[k + 1] ? "FALSE)" : ")");
  }
}

irl_status irl_rule_print(irl_env *env, const irl_rule *rule, char **out) {
  irl_text text;
  irl_text_init(&text, env);
  irl_rule_print_all(&text, rule);
  return irl_text_take(&text, out);
}
