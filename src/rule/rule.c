#include "rule/rule.h"
#include "base/contract.h"
#include "base/memory.h"
#include "rule/training.h"

static irl_status copy_text(irl_env *env, char **copy, const char *text) {
  if (!text) return IRL_STATUS_OK;
  *copy = irl_mem_copy_text(&env->allocator, text, strlen(text));
  return *copy ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_rule_create(irl_env *env, uint32_t K, uint32_t M, const irl_data_labels *called,
                           irl_rule **out) {
  irl_rule *rule = irl_mem_alloc(&env->allocator, 1, sizeof *rule);
  if (!rule) return irl_fail_memory(env);
  rule->allocator = env->allocator;
  rule->K = K;
  rule->M = M;
  irl_names_init(&rule->names, &env->allocator);
  irl_status status = copy_text(env, &rule->target, called->target);
  if (!status) status = copy_text(env, &rule->positive, called->positive);
  if (!status) status = copy_text(env, &rule->negative, called->negative);
  if (!status && !irl_mem_reserve(&env->allocator, &rule->start, &rule->start_capacity, 0,
                                  sizeof *rule->start))
    status = irl_fail_memory(env);
  if (status) {
    irl_rule_free(rule);
    return status;
  }
  rule->start[0] = 0;
  *out = rule;
  return IRL_STATUS_OK;
}

irl_status irl_rule_add_literal(irl_env *env, irl_rule *rule, const char *name, size_t length,
                                bool negated) {
  uint32_t feature;
  if (!irl_names_intern(&rule->names, name, length, &feature) ||
      !irl_mem_reserve(&env->allocator, &rule->literals, &rule->literals_capacity, rule->n_literals,
                       sizeof *rule->literals))
    return irl_fail_memory(env);
  rule->literals[rule->n_literals++] = irl_literal_make(feature, negated);
  return IRL_STATUS_OK;
}

irl_status irl_rule_add_condition(irl_env *env, irl_rule *rule, const char *name, size_t length,
                                  bool negated, const irl_named_condition *asked) {
  irl_conditions *conditions = &rule->conditions;
  if (!irl_has_conditions(conditions)) irl_conditions_init(conditions, &env->allocator);
  const irl_status status = irl_rule_add_literal(env, rule, name, length, negated);
  if (status || conditions->n == rule->names.n) return status;
  const bool done = irl_conditions_add(conditions, asked->condition, asked->column, asked->value);
  return done ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_rule_end_clause(irl_env *env, irl_rule *rule) {
  if (!irl_mem_reserve(&env->allocator, &rule->start, &rule->start_capacity, rule->n_clauses + 1,
                       sizeof *rule->start))
    return irl_fail_memory(env);
  rule->start[++rule->n_clauses] = rule->n_literals;
  return IRL_STATUS_OK;
}

/* What is called `!x` is the negated literal of x; no such feature has a sign of its own. */
irl_literal_view irl_literal_in_words(const irl_data *data, irl_literal literal) {
  const char *name = irl_names_get(&data->names, irl_literal_feature(literal));
  const bool is_opposite = *name == '!';
  const bool is_negated = irl_literal_is_negated(literal) != irl_data_is_complemented(data);
  return (irl_literal_view){name + is_opposite, is_negated != is_opposite};
}

static irl_status add_feature(irl_env *env, irl_rule *rule, const irl_data *data,
                              irl_literal literal) {
  const uint32_t feature = irl_literal_feature(literal);
  const irl_literal_view words = irl_literal_in_words(data, literal);
  assert(feature < data->n_features);
  const size_t length = strlen(words.feature);
  if (!irl_has_conditions(&data->conditions))
    return irl_rule_add_literal(env, rule, words.feature, length, words.negated);
  irl_named_condition asked = irl_condition_of(&data->conditions, &data->names, feature);
  if (words.negated != irl_literal_is_negated(literal))
    asked.condition = irl_condition_opposite(&asked.condition);
  return irl_rule_add_condition(env, rule, words.feature, length, words.negated, &asked);
}

irl_status irl_rule_from_literals(irl_env *env, const irl_data *data, const irl_clause_list *list,
                                  irl_rule **out) {
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  irl_rule *rule;
  irl_status status = irl_rule_create(env, list->K, list->M, &called, &rule);
  if (status) return status;
  rule->is_rest = data->is_rest;
  rule->rest_is_cases = data->is_rest && data->is_reflected;
  for (uint32_t k = 0; k < list->n && !status; k++) {
    assert(list->sizes[k] <= list->M);
    for (uint32_t i = 0; i < list->sizes[k] && !status; i++)
      status = add_feature(env, rule, data, list->literals[(size_t)k * list->M + i]);
    if (!status) status = irl_rule_end_clause(env, rule);
  }
  assert(status || irl_rule_check(rule));
  if (status)
    irl_rule_free(rule);
  else
    *out = rule;
  return status;
}

bool irl_rule_check(const irl_rule *rule) {
  const irl_conditions *conditions = &rule->conditions;
  bool is_fine = !rule->start[0] && rule->start[rule->n_clauses] == rule->n_literals &&
                 (!irl_has_conditions(conditions) || conditions->n == rule->names.n);
  for (size_t k = 0; k < rule->n_clauses; k++)
    is_fine = is_fine && rule->start[k] <= rule->start[k + 1];
  for (size_t i = 0; i < rule->n_literals; i++)
    is_fine = is_fine && irl_literal_feature(rule->literals[i]) < rule->names.n;
  for (size_t i = 0; i < conditions->n && is_fine; i++) {
    const irl_condition *c = &conditions->items[i];
    is_fine = c->relation < IRL_N_RELATIONS && c->column < conditions->columns.n &&
              (!irl_condition_is_text(c) || c->value < conditions->values.n);
  }
  return is_fine;
}

bool irl_rule_is_bit(const irl_rule *rule, size_t i) {
  if (!irl_has_conditions(&rule->conditions)) return true;
  const irl_condition *c = &rule->conditions.items[i];
  return irl_condition_is_plain(c) && !strcmp(irl_names_get(&rule->conditions.columns, c->column),
                                              irl_names_get(&rule->names, i));
}

void irl_rule_free(irl_rule *rule) {
  if (!rule) return;
  const irl_allocator allocator = rule->allocator;
  irl_names_free(&rule->names);
  irl_conditions_free(&rule->conditions);
  irl_scope_free(rule->scope);
  irl_training_free(rule->training);
  irl_mem_free(&allocator, rule->start);
  irl_mem_free(&allocator, rule->literals);
  irl_mem_free(&allocator, rule->target);
  irl_mem_free(&allocator, rule->positive);
  irl_mem_free(&allocator, rule->negative);
  irl_mem_free(&allocator, rule);
}

irl_status irl_rule_describe(const irl_rule *rule, irl_rule_info *info) {
  if (!rule) return IRL_STATUS_BAD_ARGUMENT;
  const irl_rule_info made = {.clauses = (uint32_t)rule->n_clauses,
                              .literals = (uint32_t)rule->n_literals,
                              .K = rule->K,
                              .M = rule->M,
                              .target = rule->target,
                              .positive = rule->positive,
                              .negative = rule->negative};
  return irl_sized_copy_out(info, &made, sizeof made);
}

uint32_t irl_rule_clause_size(const irl_rule *rule, uint32_t clause) {
  if (!rule || clause >= rule->n_clauses) return 0;
  return (uint32_t)(rule->start[clause + 1] - rule->start[clause]);
}

const char *irl_rule_literal(const irl_rule *rule, uint32_t clause, uint32_t i, bool *negated) {
  if (i >= irl_rule_clause_size(rule, clause)) return NULL;
  const irl_literal literal = rule->literals[rule->start[clause] + i];
  if (negated) *negated = irl_literal_is_negated(literal);
  return irl_rule_name(rule, literal);
}
