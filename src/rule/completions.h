/* What a rule says of a sample that misses values, over all that they could be. */
#ifndef IRL_RULE_COMPLETIONS_H
#define IRL_RULE_COMPLETIONS_H

#include "rule/rule.h"
#include "table/raw_table.h"

typedef struct irl_completions irl_completions;

/* The rule on data that was made of this table. */
irl_status irl_completions_create(irl_env *env, const irl_bound_rule *bound, const irl_table *table,
                                  irl_completions **completions);
void irl_completions_free(irl_completions *completions);

typedef enum irl_certainty {
  IRL_IS_KNOWN, /* no value is missing that the rule could ask for */
  IRL_IS_CASE,  /* whatever the missing values are */
  IRL_IS_CONTROL,
  IRL_CANNOT_TELL /* both outcomes are possible */
} irl_certainty;

/* Of a sample of the table. If one cannot tell, `*columns` are the names of columns, `*n` of them,
 * which decide it once they are known, whatever else is missing. */
irl_certainty irl_completions_judge(irl_completions *completions, uint32_t sample,
                                    const char *const **columns, uint32_t *n);

#endif
