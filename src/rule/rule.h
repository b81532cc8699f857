/* The rule: a DNF over named features, on its own or bound to a data set. */
#ifndef IRL_RULE_RULE_H
#define IRL_RULE_RULE_H

#include "base/text.h"
#include "data/dataset.h"
#include "ireland_data.h"
#include "rule/literal.h"
#include "rule/scope.h"

typedef struct irl_training irl_training; /* training.h */

struct irl_rule {
  irl_allocator allocator;
  irl_names names; /* of the features that the rule uses, indexed */
  size_t n_clauses, n_literals;
  size_t *start;         /* clause k has the literals start[k] .. start[k + 1] - 1, */
  irl_literal *literals; /* their features numbered as in `names` */
  size_t start_capacity, literals_capacity;
  uint32_t K, M;
  char *target, *positive, *negative; /* NULL if not known */
  bool is_rest;                       /* the controls have several labels, */
  bool rest_is_cases;                 /* or the cases: the rule is the reflection of a CNF */
  irl_conditions conditions;          /* of the names; none: each is a 0/1 column */
  irl_scope *scope;                   /* what it was searched among; NULL: not known */
  irl_training *training;             /* of what it was learnt from; NULL: not known */
};

/* Building: create, for each clause its literals (none: it holds always) and then end_clause,
 * finish. A rule that failed to build is freed by its maker. */
irl_status irl_rule_create(irl_env *env, uint32_t K, uint32_t M, const irl_data_labels *called,
                           irl_rule **rule);
irl_status irl_rule_add_literal(irl_env *env, irl_rule *rule, const char *name, size_t length,
                                bool negated);
/* Adds a literal on a raw column, of which the name without its sign asks that. */
irl_status irl_rule_add_condition(irl_env *env, irl_rule *rule, const char *name, size_t length,
                                  bool negated, const irl_named_condition *asked);
irl_status irl_rule_end_clause(irl_env *env, irl_rule *rule);
/* Clauses of a data set's features side by side, and the limits that they were learnt with. */
typedef struct irl_clause_list {
  uint32_t K, M, n;
  const uint32_t *sizes;
  const irl_literal *literals; /* of clause k from literals[k * M] on */
} irl_clause_list;

irl_status irl_rule_from_literals(irl_env *env, const irl_data *data, const irl_clause_list *list,
                                  irl_rule **rule);

/* Do clauses, names and conditions fit together? For assertions. */
bool irl_rule_check(const irl_rule *rule);

static inline const char *irl_rule_name(const irl_rule *rule, irl_literal literal) {
  return irl_names_get(&rule->names, irl_literal_feature(literal));
}

/* A literal of a data set as rules write it. */
typedef struct irl_literal_view {
  const char *feature;
  bool negated;
} irl_literal_view;
irl_literal_view irl_literal_in_words(const irl_data *data, irl_literal literal);
/* The same as text; of reflected data the literal of the CNF. */
void irl_literal_print(irl_text *text, const irl_data *data, irl_literal literal,
                       const char *negation);

/* A rule may name a carrier of a SNP, rs123_A:dom, :rec or :het, without saying what that means: it
 * can mean nothing else. The length of the column's name; 0: it is no such name. */
size_t irl_rule_carrier(const char *name, irl_condition *condition);
/* Lists those that are not among others, the first few of them; how many there are. `is_needed`
 * NULL: all are. */
size_t irl_names_list_missing(irl_text *list, const irl_names *names, const irl_names *among,
                              const bool *is_needed);

/* Does name i of a rule say all there is: a 0/1 column that is called so? */
bool irl_rule_is_bit(const irl_rule *rule, size_t i);

/* "(a AND NOT b)" */
void irl_rule_print_clause(irl_text *text, const irl_rule *rule, size_t clause);
/* "(a AND NOT b) OR (c)"; "FALSE" without clauses. */
void irl_rule_print_all(irl_text *text, const irl_rule *rule);

/* The CNF that the rule is the reflection of: "(NOT a OR b) AND (NOT c)", "TRUE" without clauses.
 */
void irl_rule_print_cnf(irl_text *text, const irl_rule *rule);
/* One of its literals: the opposite of the rule's, as it is called where values may be missing. */
void irl_rule_print_opposite(irl_text *text, const irl_rule *rule, irl_literal literal,
                             const char *negation);

/* A rule on a data set: the covers of its clauses. */
typedef struct irl_bound_rule {
  const irl_rule *rule;
  const irl_data *data;
  uint32_t *feature;               /* of the data, for each of the rule's names; owns both, */
  uint32_t *opposite;              /* and its opposite where it is a feature too, or IRL_NO_NAME */
  irl_bits_matrix cases, controls; /* a cover per clause */
} irl_bound_rule;

/* Does a sample, by its class and its number there, miss literal i of the rule's literals? */
bool irl_bound_rule_misses(const irl_bound_rule *bound, bool is_case, uint32_t sample, size_t i);

/* The columns of a raw file that the rule needs, and their types (irl_column_type), one per name of
 * `columns`, indexed. */
irl_status irl_rule_columns(irl_env *env, const irl_rule *rule, irl_names *columns,
                            uint8_t **types);

/* These samples of a raw table (NULL: all) as the rule's features; fails if it lacks a column. */
irl_status irl_rule_code_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                               const irl_rows *rows, irl_data **data);
/* Does the rule ask more of a column than whether it is 1? */
bool irl_rule_has_conditions(const irl_rule *rule);

irl_status irl_rule_bind(irl_env *env, const irl_rule *rule, const irl_data *data,
                         irl_bound_rule *bound);
/* A literal of the rule as one of the data's features: its opposite without a sign, where that is a
 * feature. */
irl_literal irl_bound_rule_literal(const irl_bound_rule *bound, irl_literal literal);
void irl_bound_rule_free(irl_env *env, irl_bound_rule *bound);

typedef struct irl_visitor {
  int (*visit)(void *user, const irl_verdict *verdict); /* not 0: no more */
  void *user;
} irl_visitor;
/* What the rule says of each sample of data that may be made of a table (NULL: it is not). */
irl_status irl_predict_samples(irl_env *env, const irl_rule *rule, const irl_data *data,
                               const irl_table *table, const irl_visitor *visitor);

#endif
