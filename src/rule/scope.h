/* The scope of a claim: among which rules one is the best, by which loss, on which samples.
 *
 * `optimal` and `proven` are said of all rules of a scope. A fit makes it once from its data and
 * options; text, JSON, page, rule file and certificate show the same one, and verify makes the data
 * again from what it says. How a file was read (types, texts of missing values, delimiter, header)
 * is no part of it, since the same table in another format is the same data: the checksum tells.
 * Whatever may be missing is NULL, -1 or NaN here and null in JSON. */
#ifndef IRL_RULE_SCOPE_H
#define IRL_RULE_SCOPE_H

#include "base/fields.h"
#include "data/dataset.h"

/* X(type, name): a row gives the field, its place in JSON, its copy and its comparison. */
#define IRL_SCOPE_TABLE(X)                                                                         \
  X(INTEGER, K)            /* clauses of a rule, at most */                                        \
  X(INTEGER, M)            /* literals of a clause, at most */                                     \
  X(FLAG, plain)           /* exactly K clauses, and clauses without literals too */               \
  X(FLAG, pool)            /* only clauses of a pool that was given */                             \
  X(INTEGER, max_literals) /* of a rule, at most; -1: any number */                                \
  X(INTEGER, complexity)   /* sum of 1 + literals over its clauses, at most; -1: any */            \
  X(INTEGER, budget)       /* of the best clause: controls that it may cover; -1: no such limit */ \
  X(REAL, min_sensitivity)                                                                         \
  X(REAL, min_specificity)                                                                         \
  X(TEXT, loss)          /* weighted, hamming; coverage: the cases that a clause leaves out */     \
  X(TEXT, weights)       /* of the classes: balanced or unit */                                    \
  X(TEXT, weight_column) /* of the samples; NULL: each counts once */                              \
  X(TEXT, strata)        /* column of groups in which samples are balanced; NULL: none */          \
  X(REAL, rounded_to)    /* multiples that the weights of samples were rounded to; 0: exact */     \
  X(REAL, penalty)       /* of a clause and of a literal, as a share of all weights */             \
  X(TEXT, form)          /* dnf or cnf */                                                          \
  X(INTEGER, literals)   /* how many there were to choose from */                                  \
  X(TEXT, cuts)          /* of numbers; NULL: there are none */                                    \
  X(FLAG, negations)                                                                               \
  X(FLAG, het) /* literals of exactly one counted allele, too */                                   \
  X(TEXT, forbid)                                                                                  \
  X(TEXT, one_per) /* groups of which a clause has one literal at most: a hash; NULL: none */      \
  X(TEXT, only)                                                                                    \
  X(TEXT, ignore)                                                                                  \
  X(TEXT, missing)                                                                                 \
  X(TEXT, target)                                                                                  \
  X(TEXT, positive)                                                                                \
  X(TEXT, negative)                                                                                \
  X(FLAG, vs_rest)     /* the controls have several labels */                                      \
  X(INTEGER, samples)  /* that it is about */                                                      \
  X(REAL, test)        /* share of the samples that was held out before; 0: none */                \
  X(INTEGER, seed)     /* by which these were drawn; -1: none were */                              \
  X(TEXT, group)       /* column of samples that stay together; NULL: none */                      \
  X(TEXT, fold_column) /* column of given folds, which gives no literals; NULL: none */            \
  X(TEXT, checksum)    /* of these samples with their features: 16 hexadecimal digits */

#define IRL_SCOPE_GROUPS_SIZE           48
#define IRL_SCOPE_FLAG                  bool
#define IRL_SCOPE_INTEGER               int64_t
#define IRL_SCOPE_REAL                  double
#define IRL_SCOPE_TEXT                  char *
#define IRL_SCOPE_FIELD_ROW(type, name) IRL_SCOPE_##type name;
typedef struct irl_scope {
  irl_allocator allocator;
  IRL_SCOPE_TABLE(IRL_SCOPE_FIELD_ROW)
} irl_scope;
#undef IRL_SCOPE_FIELD_ROW

/* What a fit with these options on these data, as they are before any weights, is about. Of
 * reflected data (reflect.h) it has the checksum, but the classes as they were given. */
irl_status irl_scope_make(irl_env *env, const irl_data *data, const irl_options *options,
                          irl_scope **scope);
/* The groups of the data that bind, as a scope has them: "" if there are none. */
void irl_scope_groups(const irl_data *data, char text[IRL_SCOPE_GROUPS_SIZE]);
/* The scope of the best clause within a budget. */
irl_status irl_scope_make_clause(irl_env *env, const irl_data *data, const irl_options *options,
                                 uint64_t budget, irl_scope **scope);
irl_status irl_scope_copy(irl_env *env, const irl_scope *scope, irl_scope **copy);
void irl_scope_free(irl_scope *scope);

/* The member `key` of the open object, `is_flat`: on one line; or alone, if `key` is NULL. */
void irl_scope_put(irl_json *json, const char *key, bool is_flat, const irl_scope *scope);
/* From an object of a JSON text. */
irl_status irl_scope_get(const irl_json_source *source, const irl_json_value *object,
                         irl_scope **scope);
/* "rules of at most 3 clauses of at most 3 of 104 literals (cuts mdl:3, no negations), balanced
 * weights" */
void irl_scope_print(irl_text *text, const irl_scope *scope);
/* The line as a text of its own. */
irl_status irl_scope_line(irl_env *env, const irl_scope *scope, char **line);
/* In what two scopes differ, as "K is 3 here and 5 there", or "" if they are the same. */
irl_status irl_scope_compare(irl_env *env, const irl_scope *a, const irl_scope *b, const char *here,
                             const char *there, char **difference);

#endif
