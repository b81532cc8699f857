/* A rule for people: (a AND NOT b) OR (c). */
#include "rule/rule.h"

void irl_rule_print_clause(irl_text *text, const irl_rule *rule, size_t clause) {
  if (rule->start[clause] == rule->start[clause + 1]) irl_text_puts(text, "(TRUE");
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = rule->literals[i];
    irl_text_puts(text, i == rule->start[clause] ? "(" : " AND ");
    if (irl_literal_is_negated(literal)) irl_text_puts(text, IRL_NEGATION);
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

/* `x > 5` for `x <= 5`, if the literal is called by its column, relation and value, and a sign for
 * what is told apart by its sign. */
static void put_opposite(irl_text *text, irl_literal_view literal, const irl_named_condition *asked,
                         const char *negation) {
  const irl_condition *c = &asked->condition;
  const char *relation = irl_relation_text(c->relation), *name = literal.feature;
  const size_t n = strlen(asked->column), length = strlen(relation);
  if (!literal.negated && !strncmp(name, asked->column, n) && name[n] == ' ' &&
      !strncmp(name + n + 1, relation, length) && name[n + 1 + length] == ' ')
    irl_text_printf(text, "%s %s%s", asked->column,
                    irl_relation_text(irl_condition_opposite(c).relation), name + n + 1 + length);
  else
    irl_text_printf(text, "%s%s", literal.negated ? "" : negation, name);
}

void irl_rule_print_opposite(irl_text *text, const irl_rule *rule, irl_literal literal,
                             const char *negation) {
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  const irl_literal_view words = {irl_rule_name(rule, literal), irl_literal_is_negated(literal)};
  put_opposite(text, words, &asked, negation);
}

void irl_literal_print(irl_text *text, const irl_data *data, irl_literal literal,
                       const char *negation) {
  const irl_literal_view words = irl_literal_in_words(data, literal);
  irl_named_condition asked =
      irl_condition_of(&data->conditions, &data->names, irl_literal_feature(literal));
  if (words.negated != irl_literal_is_negated(literal))
    asked.condition = irl_condition_opposite(&asked.condition);
  if (data->is_reflected)
    put_opposite(text, words, &asked, negation);
  else
    irl_text_printf(text, "%s%s", words.negated ? negation : "", words.feature);
}

void irl_rule_print_cnf(irl_text *text, const irl_rule *rule) {
  if (!rule->n_clauses) irl_text_puts(text, "TRUE");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_text_puts(text, k ? " AND (" : "(");
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      if (i > rule->start[k]) irl_text_puts(text, " OR ");
      irl_rule_print_opposite(text, rule, rule->literals[i], IRL_NEGATION);
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
