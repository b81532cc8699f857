/* A literal: a feature number and a sign in one word. */
#ifndef IRL_RULE_LITERAL_H
#define IRL_RULE_LITERAL_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t irl_literal;

#define IRL_CLAUSE_MAX 64u /* literals of a clause, at most */

/* The sign before the name of a negated feature, in options, rule files, text, log and pages alike:
 * no column's name may begin with it, so that it is never a part of one. */
#define IRL_NEGATION "!"

static inline irl_literal irl_literal_make(uint32_t feature, bool negated) {
  return feature << 1 | negated;
}

static inline uint32_t irl_literal_feature(irl_literal literal) {
  return literal >> 1;
}

static inline bool irl_literal_is_negated(irl_literal literal) {
  return literal & 1;
}

/* Puts a literal among n ascending ones, after equal ones, and says where. */
static inline uint32_t irl_literal_insert(irl_literal *literals, uint32_t n, irl_literal literal) {
  uint32_t at = n;
  for (; at && literals[at - 1] > literal; at--) literals[at] = literals[at - 1];
  literals[at] = literal;
  return at;
}

#endif
