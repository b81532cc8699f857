#include "rule/rule_json.h"
#include "base/memory.h"
#include "rule/training.h"
#include <math.h>

#define FORMAT  "ireland-rule"
#define VERSION 1

/* ---- writing ---- */

void irl_rule_put_clause(irl_json *json, const char *key, const irl_rule *rule, size_t clause) {
  irl_json_open_flat(json, key, '[');
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++)
    irl_json_literal(json, irl_rule_name(rule, rule->literals[i]),
                     irl_literal_is_negated(rule->literals[i]));
  irl_json_close(json, ']');
}

void irl_rule_put_clauses(irl_json *json, const char *key, const irl_rule *rule) {
  irl_json_open(json, key, '[');
  for (size_t k = 0; k < rule->n_clauses; k++) irl_rule_put_clause(json, NULL, rule, k);
  irl_json_close(json, ']');
}

void irl_rule_put_cnf(irl_json *json, const char *key, const irl_rule *rule) {
  irl_text name;
  irl_json_open(json, key, '[');
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_json_open_flat(json, NULL, '[');
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      irl_text_init(&name, json->text.env);
      irl_rule_print_opposite(&name, rule, rule->literals[i], "!");
      irl_json_take_text(json, NULL, &name);
    }
    irl_json_close(json, ']');
  }
  irl_json_close(json, ']');
}

/* The members of an open object that say what a condition asks. */
static void put_condition(irl_json *json, const irl_named_condition *named) {
  const irl_condition *c = &named->condition;
  irl_json_string(json, "column", named->column);
  irl_json_string(json, "is", irl_relation_text(c->relation));
  if (named->value)
    irl_json_string(json, "value", named->value);
  else if (c->relation == IRL_AT_MOST || c->relation == IRL_ABOVE)
    irl_json_real(json, "value", c->cut);
  if (c->is_imputed) irl_json_bool(json, "missing", c->is_true_missing);
}

/* What features that are not 0/1 columns ask of theirs. */
static void put_conditions(irl_json *json, const irl_rule *rule) {
  bool is_open = false;
  for (uint32_t i = 0; i < rule->conditions.n; i++) {
    const irl_named_condition named = irl_condition_of(&rule->conditions, &rule->names, i);
    if (irl_rule_is_bit(rule, i)) continue;
    if (!is_open) irl_json_open(json, "literals", '[');
    is_open = true;
    irl_json_open_flat(json, NULL, '{');
    irl_json_string(json, "name", irl_names_get(&rule->names, i));
    put_condition(json, &named);
    irl_json_close(json, '}');
  }
  if (is_open) irl_json_close(json, ']');
}

irl_status irl_rule_format_features(irl_env *env, const irl_data *data, char **text) {
  irl_json json;
  irl_json_init(&json, env);
  irl_json_open_flat(&json, NULL, '[');
  for (uint32_t i = 0; i < data->n_features; i++) {
    irl_named_condition named = irl_condition_of(&data->conditions, &data->names, i);
    if (irl_data_is_complemented(data)) named.condition.relation = IRL_IS_ZERO;
    if (irl_condition_is_plain(&named.condition)) {
      irl_json_string(&json, NULL, named.column);
      continue;
    }
    irl_json_open(&json, NULL, '{');
    put_condition(&json, &named);
    irl_json_close(&json, '}');
  }
  irl_json_close(&json, ']');
  return irl_json_take(&json, text);
}

irl_status irl_rule_format(irl_env *env, const irl_rule *rule, char **text) {
  irl_json json;
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, "format", FORMAT);
  irl_json_integer(&json, "version", VERSION);
  irl_json_unsigned(&json, "K", rule->K);
  irl_json_unsigned(&json, "M", rule->M);
  if (rule->target) irl_json_string(&json, "target", rule->target);
  if (rule->positive) irl_json_string(&json, "positive", rule->positive);
  if (rule->negative) irl_json_string(&json, "negative", rule->negative);
  if (rule->rest_is_cases) irl_json_string(&json, "rest", "positive");
  if (rule->is_rest && !rule->rest_is_cases) irl_json_bool(&json, "rest", true);
  irl_json_open_flat(&json, "features", '[');
  for (size_t i = 0; i < rule->names.n; i++)
    irl_json_string(&json, NULL, irl_names_get(&rule->names, i));
  irl_json_close(&json, ']');
  put_conditions(&json, rule);
  if (rule->scope) irl_scope_put(&json, "scope", false, rule->scope);
  irl_rule_put_clauses(&json, "clauses", rule);
  if (rule->training) irl_training_put(&json, "training", rule->training);
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

/* ---- reading ---- */

typedef struct reader {
  irl_json_source in;
  const irl_json_value *root;
  bool has_conditions; /* the file has "literals": */
  irl_names named;     /* their names, indexed, */
  const irl_json_value **conditions;
} reader;

static irl_status refuse(const reader *r, const irl_json_value *value, const char *what) {
  return irl_json_refuse(&r->in, value, what);
}

static irl_status get_text(const reader *r, const char *key, const char **text) {
  const irl_json_value *value = irl_json_get(r->root, key);
  if (!value || value->type == IRL_JSON_NULL) return IRL_STATUS_OK;
  if (!irl_json_is_text(value)) return refuse(r, value, "this must be a text");
  *text = value->text;
  return IRL_STATUS_OK;
}

static irl_status get_number(const reader *r, const char *key, uint32_t *number) {
  const irl_json_value *value = irl_json_get(r->root, key);
  if (!value) return IRL_STATUS_OK;
  if (!irl_json_is_whole(value, 0, 1e9)) return refuse(r, value, "this must be a whole number");
  *number = (uint32_t)value->number;
  return IRL_STATUS_OK;
}

/* Looks once at what the file says of literals, so that each is found at once; of two with the same
 * name the first counts. */
static irl_status find_conditions(reader *r) {
  const irl_json_value *list = irl_json_get(r->root, "literals");
  if (!list) return IRL_STATUS_OK;
  r->has_conditions = true;
  r->conditions = irl_mem_alloc(&r->in.env->allocator, list->n_items, sizeof *r->conditions);
  if (!r->conditions) return irl_fail_memory(r->in.env);
  for (const irl_json_value *v = list->first; v; v = v->next) {
    const irl_json_value *own = irl_json_get(v, "name");
    if (!irl_json_is_text(own)) continue;
    r->conditions[r->named.n] = v;
    if (!irl_names_add(&r->named, own->text, own->length)) return irl_fail_memory(r->in.env);
  }
  return irl_names_index(&r->named, NULL) ? IRL_STATUS_OK : irl_fail_memory(r->in.env);
}

/* What the file says of a literal's column. */
static irl_status read_condition(const reader *r, const irl_json_value *from,
                                 irl_named_condition *asked) {
  const irl_json_value *named = irl_json_get(from, "column"), *is = irl_json_get(from, "is");
  const irl_json_value *value = irl_json_get(from, "value"),
                       *missing = irl_json_get(from, "missing");
  irl_condition *c = &asked->condition;
  if (!irl_json_is_text(named) || !irl_json_is_text(is))
    return refuse(r, from, "a literal needs \"name\", \"column\" and \"is\"");
  c->relation = irl_relation_find(is->text);
  asked->column = named->text;
  if (c->relation == IRL_N_RELATIONS)
    return refuse(r, is, "this must be <=, >, =, !=, is 1, is 0, is het or is not het");
  if (irl_condition_is_text(c)) {
    if (!irl_json_is_text(value)) return refuse(r, from, "the value must be a text");
    asked->value = value->text;
  } else if (c->relation == IRL_AT_MOST || c->relation == IRL_ABOVE) {
    if (!value || value->type != IRL_JSON_NUMBER || !isfinite(value->number))
      return refuse(r, from, "the value must be a number");
    c->cut = value->number;
  }
  c->is_imputed = missing && (missing->type == IRL_JSON_TRUE || missing->type == IRL_JSON_FALSE);
  c->is_true_missing = missing && missing->type == IRL_JSON_TRUE;
  return IRL_STATUS_OK;
}

static irl_status add_literal(const reader *r, irl_rule *rule, const irl_json_value *value) {
  if (!irl_json_is_text(value))
    return refuse(r, value, "a literal must be a text: \"name\" or \"!name\"");
  const bool negated = *value->text == '!';
  const char *name = value->text + negated;
  const size_t length = value->length - negated;
  if (!*name || *name == '!') return refuse(r, value, "this literal has no feature name");
  if (!r->has_conditions) return irl_rule_add_literal(r->in.env, rule, name, length, negated);
  /* A literal of which nothing is said is a 0/1 column. */
  irl_named_condition asked = {.condition = {.relation = IRL_IS_ONE}, .column = name};
  const uint32_t found = irl_names_find(&r->named, name, length);
  const irl_status status =
      found == IRL_NO_NAME ? IRL_STATUS_OK : read_condition(r, r->conditions[found], &asked);
  return status ? status : irl_rule_add_condition(r->in.env, rule, name, length, negated, &asked);
}

/* A clause without literals is always true: `--plain` may give such a clause. */
static irl_status add_clause(const reader *r, irl_rule *rule, const irl_json_value *clause) {
  irl_status status = IRL_STATUS_OK;
  if (clause->type != IRL_JSON_ARRAY)
    return refuse(r, clause, "a clause must be an array of literals");
  for (const irl_json_value *v = clause->first; v && !status; v = v->next)
    status = add_literal(r, rule, v);
  return status ? status : irl_rule_end_clause(r->in.env, rule);
}

static irl_status build(const reader *r, irl_rule **out) {
  const irl_json_value *format = irl_json_get(r->root, "format");
  const irl_json_value *version = irl_json_get(r->root, "version");
  const irl_json_value *clauses = irl_json_get(r->root, "clauses");
  const irl_json_value *rest = irl_json_get(r->root, "rest");
  const irl_json_value *scope = irl_json_get(r->root, "scope");
  const irl_json_value *training = irl_json_get(r->root, "training");
  irl_data_labels called = {0};
  uint32_t K = 0, M = 0;
  irl_rule *rule = NULL;
  if (format && (format->type != IRL_JSON_STRING || strcmp(format->text, FORMAT)))
    return refuse(r, format, "this is not a rule: its format is not \"" FORMAT "\"");
  if (version && (version->type != IRL_JSON_NUMBER || version->number != VERSION))
    return refuse(r, version, "this version of the rule format is not known; version 1 is");
  if (!clauses || clauses->type != IRL_JSON_ARRAY)
    return refuse(r, clauses ? clauses : r->root,
                  "this is not a rule: it needs an array \"clauses\"");
  irl_status status = get_text(r, "target", &called.target);
  if (!status) status = get_text(r, "positive", &called.positive);
  if (!status) status = get_text(r, "negative", &called.negative);
  if (!status) status = get_number(r, "K", &K);
  if (!status) status = get_number(r, "M", &M);
  if (!status) status = irl_rule_create(r->in.env, K, M, &called, &rule);
  if (status) return status;
  rule->rest_is_cases =
      rest && rest->type == IRL_JSON_STRING && !strcmp(rest->text, "positive") && rule->negative;
  rule->is_rest = rule->rest_is_cases || (rest && rest->type == IRL_JSON_TRUE);
  if (scope) status = irl_scope_get(&r->in, scope, &rule->scope);
  for (const irl_json_value *v = clauses->first; v && !status; v = v->next)
    status = add_clause(r, rule, v);
  if (!status && training) status = irl_training_get(&r->in, training, rule);
  for (uint32_t k = 0; k < rule->n_clauses; k++) {
    const uint32_t size = irl_rule_clause_size(rule, k);
    if (rule->M < size) rule->M = size;
  }
  if (rule->K < rule->n_clauses) rule->K = (uint32_t)rule->n_clauses;
  assert(status || irl_rule_check(rule));
  if (status)
    irl_rule_free(rule);
  else
    *out = rule;
  return status;
}

irl_status irl_rule_parse(irl_env *env, const char *place, const char *text, size_t length,
                          irl_rule **rule) {
  irl_arena arena;
  irl_json_value *root;
  irl_arena_init(&arena, &env->allocator);
  irl_status status = irl_json_parse(env, place, text, length, &arena, &root);
  reader r = {.in = {env, place, text}, .root = status ? NULL : root};
  irl_names_init(&r.named, &env->allocator);
  if (!status) status = find_conditions(&r);
  if (!status) status = build(&r, rule);
  irl_names_free(&r.named);
  irl_mem_free(&env->allocator, r.conditions);
  irl_arena_free(&arena);
  return status;
}
