/* All rules that are as good as the best, or nearly; see optimal_rules.c. */
#ifndef IRL_PROVE_OPTIMAL_RULES_H
#define IRL_PROVE_OPTIMAL_RULES_H

#include "clause/clause_problem.h"
#include "rule/rule.h"
#include "search/search.h"

typedef struct irl_optimal_rule {
  int64_t loss;
  uint32_t K, M, n, n_literals; /* its limits, clauses and literals */
  uint32_t words[];             /* K sizes, then M literals for each of K clauses */
} irl_optimal_rule;

/* Rules side by side. */
typedef struct irl_optimal_rules {
  irl_allocator allocator;
  uint32_t K, M;
  size_t n, capacity, stride; /* the last in bytes */
  char *items;
  int64_t most;     /* none has more loss, */
  bool is_complete; /* and there are no others */
} irl_optimal_rules;

/* Up to `max` rules with a loss of at most `most`, in which every clause and every literal matters:
 * without it the loss is larger. The best rule must be proven. */
irl_status irl_prove_optimal_rules(irl_search *search, int64_t most, size_t max,
                                   irl_optimal_rules *optimal_rules);
void irl_optimal_rules_free(irl_optimal_rules *optimal_rules);

/* One of them as a rule. */
irl_status irl_optimal_rules_get(irl_env *env, const irl_data *data,
                                 const irl_optimal_rules *optimal_rules, size_t rule,
                                 irl_rule **out);

/* All rules within a loss, superfluous parts and all: sets of at most K distinct clauses. */
typedef struct irl_rule_count {
  irl_allocator allocator; /* resize NULL: not asked for */
  int64_t most;            /* the loss */
  uint64_t n;              /* rules; at least so many unless */
  bool is_complete;
  uint64_t n_clauses;     /* that a rule may have by themselves */
  uint64_t *literals;     /* rules that have each literal */
  const char *none_since; /* why nothing was counted; NULL: it was */
} irl_rule_count;

irl_status irl_prove_count_rules(irl_search *search, int64_t most, irl_rule_count *count);
void irl_rule_count_free(irl_rule_count *count);

static inline irl_optimal_rule *irl_optimal_rules_at(const irl_optimal_rules *rules, size_t i) {
  return (irl_optimal_rule *)(void *)(rules->items + i * rules->stride);
}

static inline const irl_literal *irl_optimal_rule_clause(const irl_optimal_rule *rule, uint32_t k) {
  return rule->words + rule->K + (size_t)k * rule->M;
}

#endif
