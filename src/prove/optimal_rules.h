/* All rules that are as good as the best, or nearly; see optimal_rules.c. */
#ifndef IRL_PROVE_OPTIMAL_RULES_H
#define IRL_PROVE_OPTIMAL_RULES_H

#include "rule/rule.h"
#include "state/learner.h"

/* Rules side by side: sizes and literals of K clauses each, M literals a clause. */
typedef struct irl_optimal_rules {
  irl_allocator allocator;
  uint32_t K, M;
  size_t n, capacity;
  uint32_t *clauses;     /* how many each rule has */
  uint32_t *sizes;       /* K each */
  irl_literal *literals; /* K * M each */
  int64_t *losses;
  bool is_complete; /* there are no others */
} irl_optimal_rules;

/* Up to `max` rules with a loss of at most `most`, in which every clause and every literal matters:
 * without it the loss is larger. The best rule must be proven. */
irl_status irl_prove_optimal_rules(irl_learner *learner, int64_t most, size_t max,
                                   irl_optimal_rules *optimal_rules);
void irl_optimal_rules_free(irl_optimal_rules *optimal_rules);

/* One of them as a rule. */
irl_status irl_optimal_rules_get(irl_env *env, const irl_data *data,
                                 const irl_optimal_rules *optimal_rules, size_t rule,
                                 irl_rule **out);

static inline const irl_literal *irl_optimal_rules_clause(const irl_optimal_rules *optimal_rules,
                                                          size_t rule, uint32_t clause) {
  return optimal_rules->literals + (rule * optimal_rules->K + clause) * optimal_rules->M;
}

#endif
