/* Why a model is infeasible: rows that cannot hold together (conflict.c). */
#ifndef IRL_MILP_CONFLICT_H
#define IRL_MILP_CONFLICT_H

#include "milp/milp.h"

typedef struct irl_milp_conflict {
  uint32_t n;
  uint32_t *rows;      /* ascending; of the environment's allocator, to be freed by the caller */
  bool is_irreducible; /* without any one of them the others can hold */
  bool needs_integers; /* with continuous columns they could hold together */
  uint64_t work;
} irl_milp_conflict;

/* Rows of an infeasible model that cannot hold together within the bounds of the columns. The limit
 * of `options` ends the search for fewer of them: what is left then is a conflict too. */
irl_status irl_milp_find_conflict(irl_env *env, const irl_milp_problem *problem,
                                  const irl_milp_options *options, irl_milp_conflict *conflict);

#endif
