/* Clauses of a pool that others make superfluous; see select_dominance.c. */
#ifndef IRL_SELECT_SELECT_DOMINANCE_H
#define IRL_SELECT_SELECT_DOMINANCE_H

#include "select/select_pool.h"

/* A clause, in an order in which whatever makes it superfluous stands before it. */
typedef struct irl_select_entry {
  uint32_t id, cases, controls, size;
  int64_t cost;
  bool is_dropped;
} irl_select_entry;

/* By covered cases (most first), covered controls, size, cost and number. */
int irl_select_compare_entries(const void *x, const void *y);
/* Marks what is dominated. When time or the share of work is up the rest simply stays. Adds to the
 * pool's work. */
irl_status irl_select_drop_dominated(irl_env *env, irl_select_pool *pool, irl_select_entry *entries,
                                     uint32_t n, const irl_limit *limit);

#endif
