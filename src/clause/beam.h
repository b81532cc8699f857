/* One pass of the heuristic phase: a beam over clauses, level by level. */
#ifndef IRL_CLAUSE_BEAM_H
#define IRL_CLAUSE_BEAM_H

#include "clause/pool.h"
#include "clause/table.h"

typedef struct irl_clause_beam irl_clause_beam;

typedef struct irl_clause_pass {
  uint32_t width; /* clauses that go on to the third level; later levels get fewer */
  bool all_pairs; /* the second level is complete */
} irl_clause_pass;

/* `table`: the literals to use, over all samples of the root. */
irl_status irl_clause_beam_create(const irl_clause_search *search, const irl_clause_table *table,
                                  irl_clause_beam **beam);
void irl_clause_beam_free(irl_clause_beam *beam);
/* Adds every good clause it meets to the pool, the work to *work. */
irl_status irl_clause_beam_run(irl_clause_beam *beam, const irl_clause_pass *pass,
                               irl_clause_pool *pool, uint64_t *work);
/* What a pass takes, about. */
uint64_t irl_clause_beam_work(const irl_clause_beam *beam, const irl_clause_pass *pass);

#endif
