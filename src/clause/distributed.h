/* Clause search on divided data: all processes have the literals with their counts, and each the
 * columns of its own features. What follows is collective unless it says otherwise. */
#ifndef IRL_CLAUSE_DISTRIBUTED_H
#define IRL_CLAUSE_DISTRIBUTED_H

#include "base/arena.h"
#include "clause/pool.h"
#include "clause/table.h"
#include "data/shard.h"

/* Which columns of a table with these literals are here. False: out of memory. Not collective. */
bool irl_clause_assign_own(const irl_clause_model *model, irl_clause_table *table);
/* Where column `number`, which is here, stands. Not collective. */
uint32_t irl_clause_find_own(const irl_clause_table *table, uint32_t number);

irl_status irl_clause_model_prepare(irl_env *env, irl_clause_model *model,
                                    const irl_clause_problem *problem);
/* The root calls all processes to prepare the model. */
irl_status irl_clause_model_ask(irl_env *env, irl_clause_model *model,
                                const irl_clause_problem *problem);

/* The columns with these numbers, from wherever they are, `stride` words each. They take as much
 * memory again meanwhile; IRL_CLAUSE_FETCH bytes at a time are enough. */
#define IRL_CLAUSE_FETCH ((size_t)16 << 20)
irl_status irl_clause_fetch(irl_env *env, const irl_clause_model *model,
                            const irl_clause_table *table, const uint32_t *numbers, size_t n,
                            uint64_t *into);
static inline uint32_t irl_clause_fetch_size(const irl_clause_table *table) {
  return (uint32_t)(IRL_CLAUSE_FETCH / (table->stride * sizeof(uint64_t) + 1)) + 1;
}
/* `into`: the columns that `set` names of the root, for all processes. */
irl_status irl_clause_take_table(irl_env *env, const irl_clause_model *model,
                                 const irl_literal_set *set, irl_clause_table *into);
/* A clause as part of a message; false: it ends before. Not collective. */
void irl_clause_put(irl_message *message, const irl_clause *clause);
bool irl_clause_get(irl_message *message, irl_clause *clause);
/* The clauses of all processes in the pool of each. */
irl_status irl_clause_pool_share(irl_env *env, irl_clause_pool *pool);

/* A problem as a message. The data is that of the number: divided, or a copy. Not collective. */
void irl_clause_problem_put(irl_message *message, const irl_clause_problem *problem);
/* Its arrays come from the arena, which is the caller's to free. */
irl_status irl_clause_problem_get(irl_env *env, irl_message *message, irl_arena *arena,
                                  irl_clause_problem *problem);

/* What the other processes do when they are called. */
irl_status irl_clause_serve_heuristic(irl_env *env, const irl_clause_model *model,
                                      irl_message *message);
irl_status irl_clause_serve_bnb(irl_env *env, const irl_clause_model *model, irl_message *message);
irl_status irl_clause_serve_enumerate(irl_env *env, irl_message *message);
/* The model that a process keeps under an id; NULL: there is none. */
const irl_clause_model *irl_clause_served_model(const irl_env *env, uint64_t id);
irl_status irl_clause_serve(irl_env *env, irl_comm_code code, irl_message *message);

#endif
