/* A pool in a file, so that rules can be chosen from it again without learning.
 *
 * JSON, one object:
 *
 *   {
 *     "format": "ireland-pool",
 *     "version": 1,
 *     "checksum": "29da46ae4c7be61c",      of the data, as `ireland info` shows it
 *     "M": 3,                              literals in a clause, at most
 *     "negations": false,                  may a literal be negated?
 *     "clauses": [                         literals by name, `!name` for a negation
 *       ["smoker", "!young"],
 *       ["fever"]
 *     ]
 *   }
 *
 * What covers what is not in the file: it follows from the data, and a pool belongs to the data
 * whose checksum it has. The clauses keep their order, so a pool that is read back gives the same
 * rules as the one that was written. Everything is checked on reading; errors read
 * `file:line:column: ...`. */
#ifndef IRL_LEARN_POOL_FILE_H
#define IRL_LEARN_POOL_FILE_H

#include "problem/clause_set.h"

/* The text of a pool, which is read when there are data. */
struct irl_pool {
  irl_allocator allocator;
  char *name; /* what messages call it, as its path */
  char *text;
  size_t size;
};

irl_status irl_pool_create(irl_env *env, const char *name, const char *text, size_t size,
                           irl_pool **pool);

irl_status irl_pool_render(irl_env *env, const irl_clause_set *pool, bool negations, char **text);
/* Fills `clauses` with those of the pool, which must be of `data`. The caller frees them. */
irl_status irl_pool_load(irl_env *env, const irl_pool *pool, const irl_data *data,
                         irl_clause_set *clauses, bool *negations);

#endif
