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
  irl_status status = IRL_STATUS_OK;
  uint8_t *found = irl_mem_alloc(&env->allocator, rule->names.n, 1);
  irl_names_init(columns, &env->allocator);
  if (!found || !irl_names_index(columns, NULL)) status = irl_fail_memory(env);
  for (uint32_t i = 0; i < rule->names.n && !status; i++) {
    const irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, i);
    const irl_condition *c = &asked.condition;
    const irl_column_type type = irl_condition_is_text(c) ? IRL_COLUMN_CATEGORY
                                 : irl_condition_is_cut(c) || irl_condition_is_het(c)
                                     ? IRL_COLUMN_NUMBER
                                     : IRL_COLUMN_BINARY;
    const size_t before = columns->n;
    uint32_t column;
    if (!irl_names_intern(columns, asked.column, strlen(asked.column), &column))
      status = irl_fail_memory(env);
    else if (column < before && found[column] != type)
      status =
          irl_fail(env, IRL_STATUS_BAD_INPUT, "the rule takes column '%s' as %s and as %s",
                   asked.column, irl_column_type_text(found[column]), irl_column_type_text(type));
    else
      found[column] = (uint8_t)type;
  }
  if (status)
    irl_mem_free(&env->allocator, found);
  else
    *types = found;
  return status;
}

size_t irl_rule_carrier(const char *name, irl_condition *condition) {
  static const char *const suffixes[] = {":dom", ":rec", ":het"};
  const size_t length = strlen(name);
  for (int i = 0; length > 4 && i < 3; i++) {
    if (strcmp(name + length - 4, suffixes[i])) continue;
    *condition =
        (irl_condition){.relation = i == 2 ? IRL_IS_HET : IRL_ABOVE, .cut = i == 2 ? 0 : 0.5 + i};
    return length - 4;
  }
  return 0;
}

/* The length of the column's name, if that of a literal is a carrier of a SNP of the table; or 0.
 */
static size_t find_carrier(const irl_table *table, const char *name, irl_condition *condition) {
  irl_condition carrier;
  const size_t length = irl_rule_carrier(name, &carrier);
  if (!length || irl_names_find(&table->names, name, strlen(name)) != IRL_NO_NAME) return 0;
  const uint32_t column = irl_names_find(&table->names, name, length);
  if (column == IRL_NO_NAME || table->columns[column].type != IRL_COLUMN_SNP) return 0;
  *condition = carrier;
  return length;
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

/* Fails if the table lacks columns of the rule. */
static irl_status check_columns(irl_env *env, const irl_names *columns, const irl_table *table) {
  irl_text list;
  irl_text_init(&list, env);
  const size_t n_missing = irl_names_list_missing(&list, columns, &table->names, NULL);
  irl_status status = list.failed ? irl_fail_memory(env) : IRL_STATUS_OK;
  if (!status && n_missing == 1)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: column %s, which the rule needs, is missing",
                      table->path, list.bytes);
  else if (!status && n_missing)
    status =
        irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %zu of the rule's %zu columns are missing: %s",
                 table->path, n_missing, columns->n, list.bytes);
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
