#include "api/api_alike.h"
#include "base/memory.h"

irl_status irl_alike_rule(irl_env *env, const irl_data *data, const irl_learn_alike *alike,
                          size_t rule, irl_rule **out) {
  return irl_rule_from_literals(env, data, alike->K, alike->M, alike->clauses[rule],
                                alike->sizes + rule * alike->K,
                                irl_learn_alike_clause(alike, rule, 0), out);
}

static bool holds(const irl_learn_alike *alike, size_t rule, irl_literal literal) {
  for (uint32_t k = 0; k < alike->clauses[rule]; k++)
    for (uint32_t i = 0; i < alike->sizes[rule * alike->K + k]; i++)
      if (irl_learn_alike_clause(alike, rule, k)[i] == literal) return true;
  return false;
}

/* The next literal from *clause, *i of the first rule on that is in every rule and was not met
 * before; false: there is none. */
static bool next_common(const irl_learn_alike *alike, uint32_t *clause, uint32_t *i,
                        irl_literal *literal) {
  for (; alike->n && *clause < alike->clauses[0]; ++*clause, *i = 0)
    for (; *i < alike->sizes[*clause]; ++*i) {
      *literal = irl_learn_alike_clause(alike, 0, *clause)[*i];
      bool is_common = true;
      for (uint32_t k = 0; k < *clause; k++)
        for (uint32_t j = 0; j < alike->sizes[k]; j++)
          is_common &= irl_learn_alike_clause(alike, 0, k)[j] != *literal;
      for (size_t r = 1; r < alike->n && is_common; r++) is_common = holds(alike, r, *literal);
      if (!is_common) continue;
      ++*i;
      return true;
    }
  return false;
}

static void put_literal(irl_json *json, const irl_data *data, irl_literal literal) {
  irl_json_literal(json, irl_names_get(&data->names, irl_literal_feature(literal)),
                   irl_literal_is_negated(literal));
}

void irl_alike_put(irl_json *json, const irl_data *data, double divisor,
                   const irl_learn_alike *alike) {
  uint32_t clause = 0, i = 0;
  irl_literal literal;
  irl_json_open(json, "rules", '[');
  for (size_t r = 0; r < alike->n; r++) {
    irl_json_open_flat(json, NULL, '{');
    irl_json_real(json, "objective", (double)alike->losses[r] / divisor);
    irl_json_open(json, "clauses", '[');
    for (uint32_t k = 0; k < alike->clauses[r]; k++) {
      irl_json_open(json, NULL, '[');
      for (uint32_t l = 0; l < alike->sizes[r * alike->K + k]; l++)
        put_literal(json, data, irl_learn_alike_clause(alike, r, k)[l]);
      irl_json_close(json, ']');
    }
    irl_json_close(json, ']');
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
  irl_json_bool(json, "rules_complete", alike->is_complete);
  irl_json_open_flat(json, "common_literals", '[');
  while (next_common(alike, &clause, &i, &literal)) put_literal(json, data, literal);
  irl_json_close(json, ']');
}

irl_status irl_alike_print(irl_env *env, const irl_data *data, double divisor,
                           const irl_learn_alike *alike, irl_text *text) {
  uint32_t clause = 0, i = 0, n = 0;
  irl_literal literal;
  irl_text_printf(text, "\n%zu rules in which everything matters%s\n%9s  rule\n", alike->n,
                  alike->is_complete ? ", and no others" : "; there may be others", "objective");
  for (size_t r = 0; r < alike->n; r++) {
    irl_rule *rule;
    char *shown;
    irl_status status = irl_alike_rule(env, data, alike, r, &rule);
    if (status) return status;
    status = irl_rule_render(env, rule, IRL_FORMAT_TEXT, &shown);
    irl_rule_free(rule);
    if (status) return status;
    shown[strcspn(shown, "\n")] = '\0';
    irl_text_printf(text, "%9.6g  %s\n", (double)alike->losses[r] / divisor, shown);
    irl_text_free(env, shown);
  }
  irl_text_puts(text, "in all of them:");
  while (next_common(alike, &clause, &i, &literal))
    irl_text_printf(text, "%s %s%s", n++ ? "," : "", irl_literal_is_negated(literal) ? "NOT " : "",
                    irl_names_get(&data->names, irl_literal_feature(literal)));
  irl_text_puts(text, n ? "\n" : " no literal\n");
  return IRL_OK;
}
