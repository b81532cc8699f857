/* The bits behind literals. */
#ifndef IRL_RULE_LITERAL_COLUMNS_H
#define IRL_RULE_LITERAL_COLUMNS_H

#include "data/dataset.h"
#include "rule/literal.h"

/* The samples of a class that a clause covers. */
void irl_literals_cover(const irl_data *data, bool is_control, const irl_literal *literals,
                        size_t n, uint64_t *cover);

#endif
