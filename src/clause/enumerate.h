/* Enumerating all clauses within thresholds. */
#ifndef IRL_CLAUSE_ENUMERATE_H
#define IRL_CLAUSE_ENUMERATE_H

#include "clause/worker.h"

/* Clauses in few bytes, as many as an enumeration finds. A type of its own: an irl_clause has room
 * for IRL_CLAUSE_MAX literals, and the covers of an irl_clause_set would take far more memory. */
typedef struct irl_clause_array {
  irl_allocator allocator;
  uint32_t max_size;
  size_t n, capacity;
  int64_t *values;
  uint32_t *cases, *controls, *sizes;
  uint32_t *literals; /* max_size each */
} irl_clause_array;

void irl_clause_array_init(irl_clause_array *store, const irl_allocator *allocator,
                           uint32_t max_size);
void irl_clause_array_free(irl_clause_array *store);
bool irl_clause_array_add(irl_clause_array *store, const irl_clause *clause);
void irl_clause_array_get(const irl_clause_array *store, size_t i, irl_clause *clause);

/* All clauses of the model within the thresholds, in parallel, up to `cap` of them: the same ones
 * in the same order for any number of threads. IRL_ENDED: there are no more. Unless the problem
 * keeps all, a clause may be left out if another one covers no fewer cases and no more controls.
 * The processes share the work if the data is divided, or if the model is shared. */
irl_status irl_clause_enumerate_all(const irl_clause_search *search,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, irl_ending *ending);

#endif
