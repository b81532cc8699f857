/* The bits behind literals, on whole and on divided data. */
#ifndef IRL_RULE_LITERAL_COLUMNS_H
#define IRL_RULE_LITERAL_COLUMNS_H

#include "data/shard.h"
#include "rule/literal.h"

/* Makes irl_data_column work for the features of these literals: at least for the first
 * IRL_SHARD_WANTED of them. */
irl_status irl_literals_want(irl_env *env, const irl_data *data, const irl_literal *literals,
                             size_t n);
/* The samples of a class that a clause covers. Its features must be there. */
void irl_literals_cover(const irl_data *data, bool is_control, const irl_literal *literals,
                        size_t n, uint64_t *cover);

#endif
