/* A rule as JSON: format, version, K, M, labels, features and clauses (`!name` negates). Features
 * that are not 0/1 columns stand in "literals" with what they ask of a raw column:
 *
 *   {"name": "age > 52.5", "column": "age", "is": ">", "value": 52.5}
 *
 * `is` being <=, >, =, !=, `is 1` or `is 0`; "missing", if there, says what an imputed literal is
 * on a missing value. "rest": true if the controls have several labels. */
#ifndef IRL_RULE_RULE_JSON_H
#define IRL_RULE_RULE_JSON_H

#include "base/json.h"
#include "rule/rule.h"

irl_status irl_rule_parse(irl_env *env, const char *place, const char *text, size_t length,
                          irl_rule **rule);
irl_status irl_rule_format(irl_env *env, const irl_rule *rule, char **text);
irl_status irl_rule_print(irl_env *env, const irl_rule *rule, char **text);
/* The confusion counts and measures, as members of the open object. */
void irl_evaluation_put(irl_json *json, const irl_evaluation *evaluation);
/* The clauses as an array of arrays of literals. */
void irl_rule_put_clauses(irl_json *json, const char *key, const irl_rule *rule);
void irl_rule_put_clause(irl_json *json, const char *key, const irl_rule *rule, size_t clause);

#endif
