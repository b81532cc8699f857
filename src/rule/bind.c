/* A rule meets a data set: features matched by name, covers of the clauses computed. */
#include "base/memory.h"
#include "rule/literal_columns.h"
#include "rule/rule.h"
#include <assert.h>

#define NAMES_SHOWN 10u

size_t irl_names_list_missing(irl_text *list, const irl_names *names, const irl_names *among,
                              const bool *is_needed) {
  size_t n = 0;
  for (size_t i = 0; i < names->n; i++) {
    const char *name = irl_names_get(names, i);
    if (is_needed && !is_needed[i]) continue;
    if (irl_names_find(among, name, strlen(name)) != IRL_NO_NAME) continue;
    if (n++ < NAMES_SHOWN) irl_text_printf(list, "%s'%s'", n > 1 ? ", " : "", name);
  }
  if (n > NAMES_SHOWN) irl_text_puts(list, ", ...");
  return n;
}

/* Finds the number of each name of the rule; fails with those that the data lacks. A name that is
 * negated throughout may be there as its opposite. */
static irl_status match_names(irl_env *env, const irl_bound_rule *bound) {
  const irl_rule *rule = bound->rule;
  const irl_data *data = bound->data;
  irl_text missing;
  /* A name that the rule uses only negated, and whose opposite is there, is not needed. */
  bool *is_needed = irl_mem_alloc(&env->allocator, rule->names.n, sizeof *is_needed);
  if (!is_needed) return irl_fail_memory(env);
  for (size_t i = 0; i < rule->names.n; i++) is_needed[i] = bound->opposite[i] == IRL_NO_NAME;
  for (size_t i = 0; i < rule->n_literals; i++)
    if (!irl_literal_is_negated(rule->literals[i]))
      is_needed[irl_literal_feature(rule->literals[i])] = true;
  irl_text_init(&missing, env);
  for (size_t i = 0; i < rule->names.n; i++) {
    const char *name = irl_names_get(&rule->names, i);
    bound->feature[i] = irl_names_find(&data->names, name, strlen(name));
  }
  const size_t n_missing = irl_names_list_missing(&missing, &rule->names, &data->names, is_needed);
  irl_status status = IRL_STATUS_OK;
  if (n_missing)
    status = irl_fail(
        env, IRL_STATUS_BAD_INPUT, "data: %zu of the rule's %zu features %s missing: %s", n_missing,
        rule->names.n, n_missing == 1 ? "is" : "are", missing.failed ? "" : missing.bytes);
  irl_text_drop(&missing);
  irl_mem_free(&env->allocator, is_needed);
  return status;
}

/* Does the rule name a carrier of this SNP? */
static bool is_carrier(const irl_named_condition *ours, const irl_named_condition *theirs) {
  irl_condition carrier;
  if (!irl_condition_is_plain(&ours->condition)) return false;
  const size_t n = irl_rule_carrier(ours->column, &carrier);
  return n && n == strlen(theirs->column) && !strncmp(ours->column, theirs->column, n) &&
         theirs->condition.relation == carrier.relation && theirs->condition.cut == carrier.cut;
}

/* Does a literal of the rule ask the same as the feature that is called like it? Data that is 0/1
 * throughout misses no value, whatever would stand for it. */
static bool asks_the_same(const irl_bound_rule *bound, irl_literal literal) {
  const irl_rule *rule = bound->rule;
  const irl_data *data = bound->data;
  const uint32_t name = irl_literal_feature(literal);
  const bool by_opposite = irl_literal_is_negated(literal) && bound->opposite[name] != IRL_NO_NAME;
  const uint32_t feature = by_opposite ? bound->opposite[name] : bound->feature[name];
  irl_named_condition ours = irl_condition_of(&rule->conditions, &rule->names, name);
  const irl_named_condition theirs = irl_condition_of(&data->conditions, &data->names, feature);
  if (!irl_has_conditions(&data->conditions))
    return ours.condition.relation == IRL_IS_ONE && !strcmp(ours.column, theirs.column);
  irl_named_condition asked = theirs;
  if (by_opposite) asked.condition = irl_condition_opposite(&theirs.condition);
  if (is_carrier(&ours, &asked)) return true;
  if (by_opposite) ours.condition = irl_condition_opposite(&ours.condition);
  return irl_named_condition_equal(&ours, &theirs);
}

irl_literal irl_bound_rule_literal(const irl_bound_rule *bound, irl_literal literal) {
  const uint32_t name = irl_literal_feature(literal);
  const bool negated = irl_literal_is_negated(literal);
  assert(name < bound->rule->names.n);
  return negated && bound->opposite[name] != IRL_NO_NAME
             ? irl_literal_make(bound->opposite[name], false)
             : irl_literal_make(bound->feature[name],
                                negated != irl_data_is_complemented(bound->data));
}

bool irl_bound_rule_misses(const irl_bound_rule *bound, bool is_case, uint32_t sample, size_t i) {
  const irl_literal literal = irl_bound_rule_literal(bound, bound->rule->literals[i]);
  assert(sample < (is_case ? bound->data->n_cases : bound->data->n_controls));
  const uint64_t *bits = irl_data_column(bound->data, !is_case, irl_literal_feature(literal));
  return irl_bits_get(bits, sample) == irl_literal_is_negated(literal);
}

/* The covers of a clause. */
static irl_status cover_clause(irl_env *env, irl_bound_rule *bound, size_t clause) {
  const irl_rule *rule = bound->rule;
  const size_t first = rule->start[clause], n = rule->start[clause + 1] - first;
  irl_literal *literals = irl_mem_alloc(&env->allocator, n, sizeof *literals);
  if (!literals) return irl_fail_memory(env);
  for (size_t i = 0; i < n; i++)
    literals[i] = irl_bound_rule_literal(bound, rule->literals[first + i]);
  irl_literals_cover(bound->data, false, literals, n, irl_bits_vector(&bound->cases, clause));
  irl_literals_cover(bound->data, true, literals, n, irl_bits_vector(&bound->controls, clause));
  irl_mem_free(&env->allocator, literals);
  return IRL_STATUS_OK;
}

irl_status irl_rule_bind(irl_env *env, const irl_rule *rule, const irl_data *data,
                         irl_bound_rule *bound) {
  irl_bound_rule made = {.rule = rule, .data = data};
  if (irl_data_check_bits(env, data)) return IRL_STATUS_BAD_INPUT;
  assert(irl_rule_check(rule) && irl_data_check(data));
  made.feature = irl_mem_alloc(&env->allocator, 2 * rule->names.n, sizeof *made.feature);
  if (!made.feature) return irl_fail_memory(env);
  made.opposite = made.feature + rule->names.n;
  /* Features called `!x`: the opposite of x where values are missing. */
  irl_text name;
  irl_text_init(&name, env);
  for (size_t i = 0; i < rule->names.n && !name.failed; i++) {
    name.length = 0;
    irl_text_printf(&name, "!%s", irl_names_get(&rule->names, i));
    if (!name.failed) made.opposite[i] = irl_names_find(&data->names, name.bytes, name.length);
  }
  const bool failed = name.failed;
  irl_text_drop(&name);
  irl_status status = failed ? irl_fail_memory(env) : IRL_STATUS_OK;
  if (!status) status = match_names(env, &made);
  for (size_t i = 0; i < rule->n_literals && !status; i++)
    if (!asks_the_same(&made, rule->literals[i]))
      status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                        "the rule's literal '%s' asks something else than the feature of that name",
                        irl_rule_name(rule, rule->literals[i]));
  if (!status) status = irl_bits_matrix_init(env, &made.cases, rule->n_clauses, data->n_cases);
  if (!status)
    status = irl_bits_matrix_init(env, &made.controls, rule->n_clauses, data->n_controls);
  for (size_t k = 0; k < rule->n_clauses && !status; k++) status = cover_clause(env, &made, k);
  if (status)
    irl_bound_rule_free(env, &made);
  else
    *bound = made;
  return status;
}

void irl_bound_rule_free(irl_env *env, irl_bound_rule *bound) {
  irl_mem_free(&env->allocator, bound->feature);
  irl_bits_matrix_free(&bound->cases);
  irl_bits_matrix_free(&bound->controls);
}
