/* Rules that are as good as the best, shown. */
#ifndef IRL_REPORT_OPTIMAL_RULES_RENDER_H
#define IRL_REPORT_OPTIMAL_RULES_RENDER_H

#include "base/json.h"
#include "prove/optimal_rules.h"
#include "rule/rule.h"

/* Losses over `divisor` are objectives. Members of an open JSON object: the rules, are they all,
 * the literals of all of them. */
irl_status irl_optimal_rules_put(irl_env *env, irl_json *json, const irl_data *data, double divisor,
                                 const irl_optimal_rules *optimal_rules);
irl_status irl_optimal_rules_print(irl_env *env, const irl_data *data, double divisor,
                                   const irl_optimal_rules *optimal_rules, irl_text *text);

#endif
