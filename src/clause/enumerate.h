/* Listing all clauses within thresholds, on samples and literals that shrink from call to call: the
 * proof of whole rules asks this at each of its nodes.
 *
 * A scope is a set of live samples and of literals that can still matter on them. The caller keeps
 * one per depth and narrows it for a child; memory is reused, so that after a while nothing is
 * allocated. One lister per thread. */
#ifndef IRL_CLAUSE_ENUMERATE_H
#define IRL_CLAUSE_ENUMERATE_H

#include "clause/worker.h"

typedef struct irl_clause_thresholds {
  uint32_t min_cases;    /* at least; counts as 1 if it is 0 */
  uint32_t max_controls; /* at most */
  int64_t min_value;     /* at least */
} irl_clause_thresholds;

void irl_clause_set_thresholds(irl_clause_worker *worker, const irl_clause_thresholds *thresholds);

typedef struct irl_clause_scope {
  irl_clause_table table;
  irl_clause_thresholds thresholds; /* that its literals were chosen for */
} irl_clause_scope;

typedef struct irl_clause_enumerator {
  const irl_clause_model *model;
  irl_clause_worker worker;
  irl_clause_scope root;
} irl_clause_enumerator;

/* `model`'s problem says what is live at the root; its limits do not matter. */
irl_status irl_clause_enumerator_init(irl_env *env, irl_clause_enumerator *lister,
                                      const irl_clause_model *model);
void irl_clause_enumerator_free(irl_clause_enumerator *lister);
void irl_clause_scope_free(const irl_clause_enumerator *lister, irl_clause_scope *scope);

/* `child`: the samples of `parent` in `mask` (a column of the parent's table: cases, then
 * controls), and of its literals those that can be part of a clause within the thresholds there or
 * in any scope below with thresholds that are not looser. `parent` may be made for thresholds that
 * are not stricter. False: out of memory. */
bool irl_clause_scope_narrow(irl_clause_enumerator *lister, const irl_clause_scope *parent,
                             const uint64_t *mask, const irl_clause_thresholds *thresholds,
                             irl_clause_scope *child);
/* Calls visit for each clause of the scope within the thresholds; unless the problem keeps all, a
 * clause may be left out if another that is listed covers no fewer cases and no more controls.
 * `visit` answers true to end. False: out of memory. */
bool irl_clause_enumerate(irl_clause_enumerator *lister, const irl_clause_scope *scope,
                          const irl_clause_thresholds *thresholds, irl_clause_visit visit,
                          void *user);
/* The cover of a listed clause over the scope's samples, a column of its table. */
void irl_clause_scope_cover(const irl_clause_enumerator *lister, const irl_clause_scope *scope,
                            const irl_clause *clause, uint64_t *cover);

/* Clauses in few bytes. */
typedef struct irl_clause_array {
  irl_allocator allocator;
  uint32_t max_literals;
  size_t n, capacity;
  int64_t *values;
  uint32_t *cases, *controls, *sizes;
  uint32_t *literals; /* max_literals each */
} irl_clause_array;

void irl_clause_array_init(irl_clause_array *store, const irl_allocator *allocator,
                           uint32_t max_literals);
void irl_clause_array_free(irl_clause_array *store);
bool irl_clause_array_add(irl_clause_array *store, const irl_clause *clause);
void irl_clause_array_get(const irl_clause_array *store, size_t i, irl_clause *clause);

/* All clauses of the model within the thresholds, in parallel, up to `cap` of them: the same ones
 * in the same order for any number of threads. *is_complete: there are no more. A team shares the
 * work if the data is divided, or if the model is shared. */
irl_status irl_clause_enumerate_all(irl_env *env, const irl_clause_model *model,
                                    const irl_limit *limit, int threads,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, bool *is_complete, uint64_t *work);

#endif
