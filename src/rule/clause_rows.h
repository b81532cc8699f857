/* The clauses of a rule on a data set, a row each, with their statistics. */
#ifndef IRL_RULE_CLAUSE_ROWS_H
#define IRL_RULE_CLAUSE_ROWS_H

#include "base/json.h"
#include "ireland_study.h"
#include "rule/rule.h"

/* What one clause covers. */
irl_statistics irl_clause_row(const irl_bound_rule *bound, size_t clause);
/* A table with a heading. */
irl_status irl_clause_rows_print(irl_env *env, const irl_rule *rule, const irl_data *data,
                                 irl_text *text);
/* An array of objects. */
irl_status irl_clause_rows_put(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_json *json, const char *key);

#endif
