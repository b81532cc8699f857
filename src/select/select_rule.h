/* Selecting a rule from the pool of a search; select_rule.c. */
#ifndef IRL_SELECT_SELECT_RULE_H
#define IRL_SELECT_SELECT_RULE_H

#include "search/search.h"
#include "select/select.h"

/* The best choice from the pool for the problem's loss (budget UINT64_MAX), or the most true
 * positives within a budget. `rule` holds a start and gets the result, its loss by the problem's
 * weights. */
irl_status irl_search_select(irl_search *search, uint64_t budget, irl_search_rule *rule);
/* What to select for: at most K clauses within a budget, by weights of their own. */
typedef struct irl_select_goal {
  uint32_t K;
  uint64_t budget; /* UINT64_MAX: any number */
  int64_t case_weight, control_weight;
} irl_select_goal;
/* The best choice for a goal; its loss is by the problem's weights. */
irl_status irl_search_select_for(irl_search *search, const irl_select_goal *goal,
                                 irl_search_rule *rule);
/* Fills in the selection problem: the least loss, or within a budget true positives before all
 * else. */
void irl_search_set_goal(const irl_search *search, uint64_t budget, irl_select_problem *problem);

#endif
