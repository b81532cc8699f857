/* Rules of different codings on the same samples, and how two of them compare. */
#ifndef IRL_VALIDATE_APPLIED_RULE_H
#define IRL_VALIDATE_APPLIED_RULE_H

#include "rule/rule.h"
#include "table/raw_table.h"

typedef struct irl_applied_rule {
  irl_data *data; /* its features on the samples */
  irl_bound_rule bound;
  irl_bits_matrix literals[2]; /* a vector per literal, over cases and controls */
  uint64_t *predicted[2];      /* the union of the clauses */
  irl_names cores;             /* of the literals, in their order: not indexed */
} irl_applied_rule;

/* What something covers of cases and controls. */
typedef struct irl_cover {
  const uint64_t *of[2];
} irl_cover;

/* The rule, which has literals, on these samples. */
irl_status irl_applied_make(irl_env *env, const irl_table *table, const irl_rows *rows,
                            const irl_rule *rule, irl_applied_rule *applied);
/* Also of one that could not be made whole. */
void irl_applied_free(irl_env *env, irl_applied_rule *applied);

irl_cover irl_applied_literal(const irl_applied_rule *applied, size_t i);
irl_cover irl_applied_clause(const irl_applied_rule *applied, size_t k);
/* Samples that both cover; `words` of a vector over cases, and over controls. */
double irl_cover_shared(const uint64_t *const a[2], const uint64_t *const b[2],
                        const size_t words[2]);
/* The phi coefficient over n samples; 0 where one of them does not vary. */
double irl_cover_correlate(irl_cover a, irl_cover b, const size_t words[2], double n);
/* The Jaccard index; 0 where both are empty. */
double irl_cover_overlap(irl_cover a, irl_cover b, const size_t words[2]);
/* Have clause k of one rule and clause l of another the same literals, cut points aside? */
bool irl_applied_same_clause(const irl_applied_rule *a, size_t k, const irl_applied_rule *b,
                             size_t l);

/* The cut point of a literal that is written with one; NaN: it is not. */
double irl_literal_cut(const irl_rule *rule, irl_literal literal);

#endif
