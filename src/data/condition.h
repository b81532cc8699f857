/* What features mean: each asks something of a raw column, or is a 0/1 column itself.
 *
 * A literal on a missing value is false, and so is its opposite. So where values may be missing the
 * opposite of a feature is not its complement but a feature of its own: `x <= c` and `x > c`, `x =
 * v` and `x != v`, and for a 0/1 column `x` the feature called `!x`, which a rule reads as the
 * negated literal of x. No feature of such a data set is negated by its sign. Files of 0/1 have no
 * missing values: there a negated literal is the complement, and opposites take no memory. */
#ifndef IRL_DATA_CONDITION_H
#define IRL_DATA_CONDITION_H

#include "data/names.h"
#include <math.h>

/* X(name, text): what a feature asks of its column. */
#define IRL_RELATION_TABLE(X)                                                                      \
  X(IRL_IS_ONE, "is 1") /* a 0/1 column; the feature has its name */                               \
  X(IRL_IS_ZERO, "is 0")                                                                           \
  X(IRL_AT_MOST, "<=")                                                                             \
  X(IRL_ABOVE, ">")                                                                                \
  X(IRL_EQUALS, "=")                                                                               \
  X(IRL_DIFFERS, "!=")                                                                             \
  X(IRL_IS_HET, "is het") /* a SNP: one counted allele of two */                                   \
  X(IRL_NOT_HET, "is not het")

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_relation { IRL_RELATION_TABLE(IRL_ENUM_ROW) IRL_N_RELATIONS } irl_relation;
#undef IRL_ENUM_ROW

typedef struct irl_condition {
  irl_relation relation;
  uint32_t column;      /* a name in `columns` */
  uint32_t value;       /* EQUALS, DIFFERS: a text in `values` */
  bool is_imputed;      /* a missing value stands for another one: */
  bool is_true_missing; /* what the feature is on it */
  double cut;           /* AT_MOST, ABOVE */
} irl_condition;

/* Conditions, one per feature of a data set or a rule. */
typedef struct irl_conditions {
  irl_allocator allocator; /* resize NULL: there are none, every feature is a 0/1 column */
  irl_condition *items;
  size_t n, capacity;
  irl_names columns, values; /* indexed */
} irl_conditions;

void irl_conditions_init(irl_conditions *conditions, const irl_allocator *allocator);
/* False: out of memory. `value` NULL: there is none. */
bool irl_conditions_add(irl_conditions *conditions, irl_condition condition, const char *column,
                        const char *value);
/* The names of the copy are not indexed. */
bool irl_conditions_copy(irl_conditions *into, const irl_conditions *from);
void irl_conditions_free(irl_conditions *conditions);

static inline bool irl_has_conditions(const irl_conditions *conditions) {
  return conditions->allocator.resize != NULL;
}

const char *irl_relation_text(irl_relation relation);
/* The relation of that text, IRL_N_RELATIONS if there is none. */
irl_relation irl_relation_find(const char *text);
/* Is the feature a 0/1 column as it is? */
static inline bool irl_condition_is_plain(const irl_condition *condition) {
  return condition->relation == IRL_IS_ONE && !condition->is_imputed;
}
static inline bool irl_condition_is_cut(const irl_condition *condition) {
  return condition->relation == IRL_AT_MOST || condition->relation == IRL_ABOVE;
}
static inline bool irl_condition_is_het(const irl_condition *condition) {
  return condition->relation == IRL_IS_HET || condition->relation == IRL_NOT_HET;
}
static inline bool irl_condition_is_text(const irl_condition *condition) {
  return condition->relation == IRL_EQUALS || condition->relation == IRL_DIFFERS;
}
/* What feature i asks, in words that do not depend on whose it is; without conditions it is the 0/1
 * column of its name. */
typedef struct irl_named_condition {
  irl_condition condition;
  const char *column, *value; /* value NULL: none */
} irl_named_condition;
irl_named_condition irl_condition_of(const irl_conditions *conditions, const irl_names *names,
                                     uint32_t i);
bool irl_named_condition_equal(const irl_named_condition *a, const irl_named_condition *b);
/* The answer on a number; NaN: on a missing value. */
static inline bool irl_condition_holds(const irl_condition *c, double value) {
  if (isnan(value)) return c->is_true_missing;
  switch (c->relation) {
  case IRL_AT_MOST:
    return value <= c->cut;
  case IRL_ABOVE:
    return value > c->cut;
  case IRL_IS_ZERO:
    return value == 0;
  case IRL_NOT_HET:
    return value != 1;
  default:
    return value == 1;
  }
}
/* What the opposite literal asks. */
irl_condition irl_condition_opposite(const irl_condition *condition);

#endif
