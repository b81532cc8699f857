/* Selecting a rule from the pool of a search; select_rule.c. */
#ifndef IRL_SELECT_SELECT_RULE_H
#define IRL_SELECT_SELECT_RULE_H

#include "search/search.h"
#include "select/select.h"

/* The best choice from the pool for the problem's loss (budget UINT64_MAX), or the most true
 * positives within a budget. `rule` holds a start and gets the result, its loss by the problem's
 * weights. */
irl_status irl_search_select(irl_search *search, uint64_t budget, irl_search_rule *rule);
/* Offers the best choice by the problem's loss; a better one gets a line of the log. */
irl_status irl_search_select_best(irl_search *search, const char *tag, uint64_t budget);
/* The best choice for a problem that is derived from that of the search, by which the loss in
 * `rule` is. */
irl_status irl_search_select_for(irl_search *search, const irl_problem *problem,
                                 irl_search_rule *rule);

#endif
