/* A rule on raw files: the columns it needs with their types, and its features as a coding. Where
 * it has a negated literal the opposite becomes a feature too, since on a missing value it is not
 * the complement. */
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "rule/rule.h"
#include "table/raw_table.h"

irl_status irl_rule_columns(irl_env *env, const irl_rule *rule, irl_names *columns,
                            uint8_t **types) {
  const irl_conditions *conditions = &rule->conditions;
  const bool has_conditions = irl_has_conditions(conditions);
  irl_status status = IRL_STATUS_OK;
  uint8_t *found = irl_mem_alloc(&env->allocator, rule->names.n, 1);
  if (!irl_names_copy(columns, has_conditions ? &conditions->columns : &rule->names,
                      &env->allocator) ||
      !irl_names_index(columns, NULL) || !found)
    status = irl_fail_memory(env);
  else
    memset(found, IRL_N_COLUMN_TYPES, rule->names.n);
  for (size_t i = 0; i < rule->names.n && !status; i++) {
    const irl_condition *c = has_conditions ? &conditions->items[i] : NULL;
    const bool is_cut = c && (irl_condition_is_cut(c) || irl_condition_is_het(c));
    const irl_column_type type = c && irl_condition_is_text(c) ? IRL_COLUMN_CATEGORY
                                 : is_cut                      ? IRL_COLUMN_NUMBER
                                                               : IRL_COLUMN_BINARY;
    const uint32_t column = c ? c->column : (uint32_t)i;
    if (found[column] != IRL_N_COLUMN_TYPES && found[column] != type)
      status = irl_fail(env, IRL_STATUS_BAD_INPUT, "the rule takes column '%s' as %s and as %s",
                        irl_names_get(columns, column), irl_column_type_text(found[column]),
                        irl_column_type_text(type));
    found[column] = (uint8_t)type;
  }
  if (status)
    irl_mem_free(&env->allocator, found);
  else
    *types = found;
  return status;
}

/* A rule may name a carrier of a SNP, rs123_A:dom, :rec or :het, without saying what that means:
 * the length of the column's name if the table has such a SNP, 0 otherwise. */
static size_t find_carrier(const irl_table *table, const char *name, irl_condition *condition) {
  const size_t length = strlen(name);
  const char *suffix = length > 4 ? name + length - 4 : "";
  const bool is_het = !strcmp(suffix, ":het"), is_dominant = !strcmp(suffix, ":dom");
  if (!is_het && !is_dominant && strcmp(suffix, ":rec")) return 0;
  if (irl_names_find(&table->names, name, length) != IRL_NO_NAME) return 0;
  const uint32_t column = irl_names_find(&table->names, name, length - 4);
  if (column == IRL_NO_NAME || table->columns[column].type != IRL_COLUMN_SNP) return 0;
  *condition = (irl_condition){.relation = is_het ? IRL_IS_HET : IRL_ABOVE,
                               .cut = is_het        ? 0
                                      : is_dominant ? 0.5
                                                    : 1.5};
  return length - 4;
}

/* Feature i of the rule, or its opposite, as one of the coding. */
static irl_status add_feature(irl_env *env, irl_coding *coding, const irl_rule *rule,
                              const irl_table *table, uint32_t i, bool is_opposite) {
  irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, i);
  irl_condition *c = &asked.condition;
  irl_text name;
  const size_t carrier = irl_condition_is_plain(c) ? find_carrier(table, asked.column, c) : 0;
  char *column =
      irl_mem_copy_text(&env->allocator, asked.column, carrier ? carrier : strlen(asked.column));
  if (is_opposite) *c = irl_condition_opposite(c);
  irl_text_init(&name, env);
  irl_text_printf(&name, "%s%s", is_opposite ? "!" : "", irl_names_get(&rule->names, i));
  const bool done = column && !name.failed &&
                    irl_names_add(&coding->features, name.bytes, name.length) &&
                    irl_conditions_add(&coding->conditions, *c, column, asked.value);
  irl_text_drop(&name);
  irl_mem_free(&env->allocator, column);
  return done ? IRL_STATUS_OK : irl_fail_memory(env);
}

#define NAMES_SHOWN 10u

/* Fails if the table lacks columns of the rule. */
static irl_status check_columns(irl_env *env, const irl_names *columns, const irl_table *table) {
  size_t n_missing = 0;
  irl_text list;
  irl_text_init(&list, env);
  for (size_t i = 0; i < columns->n; i++) {
    const char *name = irl_names_get(columns, i);
    if (irl_names_find(&table->names, name, strlen(name)) != IRL_NO_NAME) continue;
    if (n_missing++ < NAMES_SHOWN)
      irl_text_printf(&list, "%s'%s'", n_missing > 1 ? ", " : "", name);
  }
  irl_status status = list.failed ? irl_fail_memory(env) : IRL_STATUS_OK;
  if (!status && n_missing == 1)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: column %s, which the rule needs, is missing",
                      table->path, list.bytes);
  else if (!status && n_missing)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: %zu of the rule's %zu columns are missing: %s%s", table->path, n_missing,
                      columns->n, list.bytes, n_missing > NAMES_SHOWN ? ", ..." : "");
  irl_text_drop(&list);
  return status;
}

/* The rule's own features as the coding of this table. */
static irl_status make_coding(irl_env *env, const irl_rule *rule, const irl_table *table,
                              irl_coding **out) {
  irl_coding *coding;
  irl_status status = irl_coding_create(env, &coding);
  if (status) return status;
  bool *is_negated = irl_mem_alloc(&env->allocator, rule->names.n, sizeof *is_negated);
  if (!is_negated) status = irl_fail_memory(env);
  for (size_t l = 0; l < rule->n_literals && !status; l++)
    is_negated[irl_literal_feature(rule->literals[l])] |= irl_literal_is_negated(rule->literals[l]);
  for (uint32_t i = 0; i < rule->names.n && !status; i++)
    status = add_feature(env, coding, rule, table, i, false);
  /* Bits are negated by their complement. */
  coding->is_identity = table->is_bits && !irl_rule_has_conditions(rule);
  for (uint32_t i = 0; i < rule->names.n && !status && !coding->is_identity; i++)
    if (is_negated[i]) status = add_feature(env, coding, rule, table, i, true);
  irl_mem_free(&env->allocator, is_negated);
  if (!status) status = check_columns(env, &coding->conditions.columns, table);
  if (status)
    irl_coding_free(coding);
  else
    *out = coding;
  return status;
}

irl_status irl_rule_code_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                               const irl_rows *rows, irl_data **data) {
  irl_coding *coding = NULL;
  irl_status status = make_coding(env, rule, table, &coding);
  if (!status) status = irl_table_data(env, table, coding, rows, data);
  irl_coding_free(coding);
  return status;
}

bool irl_rule_has_conditions(const irl_rule *rule) {
  bool found = false;
  for (size_t i = 0; i < rule->conditions.n; i++)
    found |= !irl_condition_is_plain(&rule->conditions.items[i]);
  return found;
}

irl_status irl_table_data_for(irl_env *env, const irl_table *table, const irl_rule *rule,
                              irl_data **data) {
  IRL_NEED(env, "env, table, rule, data", env, table, rule, data);
  return irl_rule_code_table(env, rule, table, NULL, data);
}
