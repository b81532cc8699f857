/* Rules that are as good as the best, shown. */
#ifndef IRL_API_ALIKE_H
#define IRL_API_ALIKE_H

#include "base/json.h"
#include "learn/alike.h"
#include "rule/rule.h"

irl_status irl_alike_rule(irl_env *env, const irl_data *data, const irl_learn_alike *alike,
                          size_t rule, irl_rule **out);
/* Losses over `divisor` are objectives. Members of an open JSON object: the rules, are they all,
 * the literals of all of them. */
irl_status irl_alike_put(irl_env *env, irl_json *json, const irl_data *data, double divisor,
                         const irl_learn_alike *alike);
irl_status irl_alike_print(irl_env *env, const irl_data *data, double divisor,
                           const irl_learn_alike *alike, irl_text *text);

#endif
