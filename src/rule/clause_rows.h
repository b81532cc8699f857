/* The clauses of a rule on samples, a row each, with their statistics. */
#ifndef IRL_RULE_CLAUSE_ROWS_H
#define IRL_RULE_CLAUSE_ROWS_H

#include "base/json.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "rule/rule.h"

/* What one clause covers; `added`: the cases that no clause before it does. */
typedef struct irl_clause_count {
  uint64_t tp, fp, added;
} irl_clause_count;

/* What was counted of a rule, on the samples of all blocks so far. */
struct irl_evaluator {
  irl_allocator allocator;
  const irl_rule *rule;
  uint64_t n_cases, n_controls, tp, fp;
  irl_clause_count *clauses; /* of the rule */
  bool has_weights;
  double weight_unit;            /* of the sums, in the user's weights */
  double weights[2], covered[2]; /* sums over cases and controls */
};

/* Where the clauses come from, which decides what their p-values are worth. NULL stands for clauses
 * that these samples had no part in: then Fisher's test is right. */
typedef struct irl_clause_chance {
  const double
      *p; /* of the permutation test of the whole search, per clause; NULL: none was made */
} irl_clause_chance;

/* A table with a heading. */
void irl_clause_rows_print(const irl_evaluator *counted, const irl_clause_chance *chance,
                           irl_text *text);
/* An array of objects. */
void irl_clause_rows_put(const irl_evaluator *counted, const irl_clause_chance *chance,
                         irl_json *json, const char *key);
/* Counts on one data set. */
irl_status irl_evaluator_of(irl_env *env, const irl_rule *rule, const irl_data *data,
                            irl_evaluator **counted);

#endif
