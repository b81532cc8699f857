#include "report/optimal_rules_render.h"
#include "base/memory.h"
#include "rule/rule_json.h"

static bool holds(const irl_optimal_rules *optimal_rules, size_t rule, irl_literal literal) {
  const irl_optimal_rule *at = irl_optimal_rules_at(optimal_rules, rule);
  for (uint32_t k = 0; k < at->n; k++)
    for (uint32_t i = 0; i < at->words[k]; i++)
      if (irl_optimal_rule_clause(at, k)[i] == literal) return true;
  return false;
}

/* The next literal from *clause, *i of the first rule on that is in every rule and was not met
 * before; false: there is none. */
static bool next_common(const irl_optimal_rules *optimal_rules, uint32_t *clause, uint32_t *i,
                        irl_literal *literal) {
  const irl_optimal_rule *first = irl_optimal_rules_at(optimal_rules, 0);
  for (; optimal_rules->n && *clause < first->n; ++*clause, *i = 0)
    for (; *i < first->words[*clause]; ++*i) {
      *literal = irl_optimal_rule_clause(first, *clause)[*i];
      bool is_common = true;
      for (uint32_t k = 0; k < *clause; k++)
        for (uint32_t j = 0; j < first->words[k]; j++)
          is_common &= irl_optimal_rule_clause(first, k)[j] != *literal;
      for (size_t r = 1; r < optimal_rules->n && is_common; r++)
        is_common = holds(optimal_rules, r, *literal);
      if (!is_common) continue;
      ++*i;
      return true;
    }
  return false;
}

/* A rule of one clause: the literals of all rules. */
static irl_status make_common(irl_env *env, const irl_data *data,
                              const irl_optimal_rules *optimal_rules, irl_rule **out) {
  uint32_t clause = 0, i = 0, n = 0;
  irl_literal literal;
  const uint32_t most = optimal_rules->K * optimal_rules->M;
  irl_literal *literals = irl_mem_alloc(&env->allocator, most, sizeof *literals);
  if (!literals) return irl_fail_memory(env);
  while (next_common(optimal_rules, &clause, &i, &literal)) literals[n++] = literal;
  assert(n <= most);
  const irl_status status = irl_rule_from_literals(env, data, 1, most, 1, &n, literals, out);
  irl_mem_free(&env->allocator, literals);
  return status;
}

/* Literals as the answer shows them: those of the CNF, if it is one. */
static void put_common(irl_json *json, const irl_data *data, const irl_rule *rule) {
  irl_text name;
  irl_text_init(&name, json->text.env);
  irl_json_open_flat(json, "common_literals", '[');
  for (size_t i = 0; i < rule->n_literals; i++) {
    const irl_literal literal = rule->literals[i];
    name.length = 0;
    irl_rule_print_opposite(&name, rule, literal, "!");
    if (data->is_reflected && !name.failed)
      irl_json_string(json, NULL, name.bytes);
    else
      irl_json_literal(json, irl_rule_name(rule, literal), irl_literal_is_negated(literal));
  }
  irl_json_close(json, ']');
  json->text.failed |= name.failed;
  irl_text_drop(&name);
}

irl_status irl_optimal_rules_put(irl_env *env, irl_json *json, const irl_data *data, double divisor,
                                 const irl_optimal_rules *optimal_rules) {
  irl_rule *rule;
  irl_status status = IRL_OK;
  irl_json_open(json, "rules", '[');
  for (size_t r = 0; r < optimal_rules->n && !status; r++) {
    status = irl_optimal_rules_get(env, data, optimal_rules, r, &rule);
    if (status) break;
    irl_json_open_flat(json, NULL, '{');
    irl_json_real(json, "objective",
                  (double)irl_optimal_rules_at(optimal_rules, r)->loss / divisor);
    if (data->is_reflected)
      irl_rule_put_cnf(json, "clauses", rule);
    else
      irl_rule_put_clauses(json, "clauses", rule);
    irl_json_close(json, '}');
    irl_rule_free(rule);
  }
  irl_json_close(json, ']');
  irl_json_bool(json, "rules_complete", optimal_rules->is_complete);
  if (!status) status = make_common(env, data, optimal_rules, &rule);
  if (status) return status;
  put_common(json, data, rule);
  irl_rule_free(rule);
  return IRL_OK;
}

static void print_common(irl_text *text, const irl_data *data, const irl_rule *rule) {
  irl_text_puts(text, "in all of them:");
  for (size_t i = 0; i < rule->n_literals; i++) {
    const irl_literal literal = rule->literals[i];
    irl_text_puts(text, i ? ", " : " ");
    if (data->is_reflected)
      irl_rule_print_opposite(text, rule, literal, "NOT ");
    else
      irl_text_printf(text, "%s%s", irl_literal_is_negated(literal) ? "NOT " : "",
                      irl_rule_name(rule, literal));
  }
  irl_text_puts(text, rule->n_literals ? "\n" : " no literal\n");
}

irl_status irl_optimal_rules_print(irl_env *env, const irl_data *data, double divisor,
                                   const irl_optimal_rules *optimal_rules, irl_text *text) {
  irl_rule *rule;
  irl_status status;
  irl_text_printf(text, "\n%zu rules in which everything matters%s\n%9s  rule\n", optimal_rules->n,
                  optimal_rules->is_complete ? ", and no others" : "; there may be others",
                  "objective");
  for (size_t r = 0; r < optimal_rules->n; r++) {
    status = irl_optimal_rules_get(env, data, optimal_rules, r, &rule);
    if (status) return status;
    irl_text_printf(text, "%9.6g  ",
                    (double)irl_optimal_rules_at(optimal_rules, r)->loss / divisor);
    if (data->is_reflected)
      irl_rule_print_cnf(text, rule);
    else
      irl_rule_print_all(text, rule);
    irl_text_puts(text, "\n");
    irl_rule_free(rule);
  }
  status = make_common(env, data, optimal_rules, &rule);
  if (status) return status;
  print_common(text, data, rule);
  irl_rule_free(rule);
  return IRL_OK;
}
