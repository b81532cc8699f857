/* A rule on raw files: the columns it needs with their types, and its features as a coding. Where
 * it has a negated literal the opposite becomes a feature too, since on a missing value it is not
 * the complement. */
#include "base/memory.h"
#include "data/raw_table.h"
#include "rule/rule.h"

static irl_column_type type_of(const irl_condition *c) {
  switch (c->relation) {
  case IRL_EQUALS:
  case IRL_DIFFERS:
    return IRL_CATEGORY;
  case IRL_AT_MOST:
  case IRL_ABOVE:
    return IRL_NUMBER;
  default:
    return IRL_BINARY;
  }
}

irl_status irl_rule_columns(irl_env *env, const irl_rule *rule, irl_names *columns,
                            uint8_t **types) {
  const irl_meanings *meanings = &rule->meanings;
  const bool has_meanings = irl_has_meanings(meanings);
  uint32_t twice;
  uint8_t *found = irl_mem_alloc(&env->allocator, rule->names.n, 1);
  if (!irl_names_copy(columns, has_meanings ? &meanings->columns : &rule->names, &env->allocator) ||
      !irl_names_index(columns, &twice) || !found) {
    irl_mem_free(&env->allocator, found);
    return irl_fail_memory(env);
  }
  memset(found, IRL_N_TYPES, rule->names.n);
  for (size_t i = 0; i < rule->names.n; i++) {
    const uint32_t column = has_meanings ? meanings->conditions[i].column : (uint32_t)i;
    const uint8_t type =
        has_meanings ? (uint8_t)type_of(&meanings->conditions[i]) : (uint8_t)IRL_BINARY;
    if (found[column] != IRL_N_TYPES && found[column] != type) {
      irl_mem_free(&env->allocator, found);
      return irl_fail(env, IRL_BAD_INPUT, "the rule takes column '%s' as %s and as %s",
                      irl_names_get(columns, column), irl_column_type_text(found[column]),
                      irl_column_type_text(type));
    }
    found[column] = type;
  }
  *types = found;
  return IRL_OK;
}

static irl_status add_feature(irl_env *env, irl_coding *coding, const irl_rule *rule, size_t i,
                              bool is_opposite) {
  const irl_meanings *meanings = &rule->meanings;
  const char *name = irl_names_get(&rule->names, i), *column = name, *value = NULL;
  irl_condition c = {.relation = IRL_IS_ONE};
  irl_text text;
  if (irl_has_meanings(meanings)) {
    c = meanings->conditions[i];
    column = irl_names_get(&meanings->columns, c.column);
    if (irl_condition_is_text(&c)) value = irl_names_get(&meanings->values, c.value);
  }
  if (is_opposite) c = irl_condition_opposite(&c);
  irl_text_init(&text, env);
  irl_text_printf(&text, "%s%s", is_opposite ? "!" : "", name);
  const bool done = !text.failed && irl_names_add(&coding->features, text.bytes, text.length) &&
                    irl_meanings_add(&coding->meanings, c, column, value);
  irl_text_drop(&text);
  return done ? IRL_OK : irl_fail_memory(env);
}

irl_status irl_rule_code(irl_env *env, const irl_rule *rule, irl_coding **out) {
  irl_coding *coding;
  irl_status status = irl_coding_create(env, &coding);
  if (status) return status;
  bool *is_negated = irl_mem_alloc(&env->allocator, rule->names.n, sizeof *is_negated);
  if (!is_negated) status = irl_fail_memory(env);
  for (size_t l = 0; l < rule->n_literals && !status; l++)
    is_negated[irl_literal_feature(rule->literals[l])] |= irl_literal_is_negated(rule->literals[l]);
  for (size_t i = 0; i < rule->names.n && !status; i++)
    status = add_feature(env, coding, rule, i, false);
  for (size_t i = 0; i < rule->names.n && !status; i++)
    if (is_negated[i]) status = add_feature(env, coding, rule, i, true);
  irl_mem_free(&env->allocator, is_negated);
  if (status)
    irl_coding_free(coding);
  else
    *out = coding;
  return status;
}
