/* A rule as JSON, one object:
 *
 *   {
 *     "format": "ireland-rule",
 *     "version": 1,
 *     "K": 3, "M": 3,                     the limits that it was learnt with
 *     "target": "ill",                    the label column,
 *     "positive": "yes",                  the label of the cases,
 *     "negative": "no",                   and of the controls
 *     "rest": true,                       only if the controls have several labels
 *     "features": ["age > 52.5", "smokes"],
 *     "literals": [                       what features that are not 0/1 columns ask of a raw one
 *       {"name": "age > 52.5", "column": "age", "is": ">", "value": 52.5}
 *     ],
 *     "scope": {"K": 3, ...},             what it was searched among (scope.h); older files have
 * none "clauses": [                        a sample is a case if all literals of some clause hold
 *       ["age > 52.5", "!smokes"]         `!name` negates
 *     ]
 *   }
 *
 * Only "clauses" is needed. `is` is <=, >, =, !=, `is 1` or `is 0`; a value is a number, or the
 * text of a category. A literal on a missing value is false, negated or not, unless "missing" in
 * its object says what it is: that of an imputed value. Columns are found by name, so their order
 * in a file does not matter. Members that are not known are left alone. */
#ifndef IRL_RULE_RULE_JSON_H
#define IRL_RULE_RULE_JSON_H

#include "base/fields.h"
#include "rule/rule.h"

irl_status irl_rule_parse(irl_env *env, const char *place, const char *text, size_t length,
                          irl_rule **rule);
irl_status irl_rule_format(irl_env *env, const irl_rule *rule, char **text);
/* What each feature of the data asks, as one line of JSON: the name of a 0/1 column, or an object
 * as those of "literals" without a name. */
irl_status irl_rule_format_features(irl_env *env, const irl_data *data, char **text);
irl_status irl_rule_print(irl_env *env, const irl_rule *rule, char **text);
/* The confusion counts; with the measures, as members of the open object. */
extern const irl_field irl_confusion_fields[];
void irl_evaluation_put(irl_json *json, const irl_evaluation *evaluation);
/* The clauses as an array of arrays of literals. */
void irl_rule_put_clauses(irl_json *json, const char *key, const irl_rule *rule);
void irl_rule_put_clause(irl_json *json, const char *key, const irl_rule *rule, size_t clause);
/* The clauses of the CNF that the rule is the reflection of. */
void irl_rule_put_cnf(irl_json *json, const char *key, const irl_rule *rule);

#endif
