/* One pass of the heuristic phase: a beam over clauses, level by level. */
#ifndef IRL_CLAUSE_BEAM_H
#define IRL_CLAUSE_BEAM_H

#include "clause/distributed.h"
#include "clause/worker.h"

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

/* ---- inside: what beam.c and beam_scan.c share ---- */

#define IRL_BEAM_KEPT 2u /* extensions per clause of the next level: some are the same clause */

/* An extension that may go on. */
typedef struct irl_beam_item {
  double score; /* squared z */
  uint32_t parent, column;
} irl_beam_item;

typedef struct irl_beam_thread {
  irl_beam_item *items;
  uint32_t n;
  double least; /* a lower score is not among the best KEPT * width that it saw */
  irl_clause_pool pool;
  uint64_t *scratch; /* a cover, then a mask over the columns */
  uint64_t work;
} irl_beam_thread;

struct irl_clause_beam {
  irl_env *env;
  const irl_clause_model *model;
  const irl_clause_table *table;
  const irl_limit *limit;
  irl_arena arena; /* of the threads and their scratch */
  int n_threads;
  irl_beam_thread *threads;
  irl_bits_matrix rows;        /* of the first controls: a bit per column of a part of those that */
  uint32_t part_first, n_part; /* are here, from this one on; the most that a part has */
  const uint64_t **part;       /* its columns */
  /* The clauses of the current level; columns of the table stand for themselves at the first. */
  irl_clause *clauses;
  uint64_t *covers;
  uint32_t n;
  /* Divided data, the first level: the columns from this one on, some at a time. */
  uint64_t *block;
  uint32_t block_first;
  /* This level. */
  uint32_t level, width;
  bool is_last, is_pairs;
  double rate; /* of cases among all */
};

/* Clauses between two checks of the limit, for several processes: at most so many, and fewer where
 * they would take long. */
#define IRL_BEAM_BLOCK 512u
static inline uint32_t irl_beam_block(const irl_clause_table *table, int size) {
  const uint64_t work = (uint64_t)table->set.n / (unsigned)size * table->stride + 1;
  const uint64_t quick = ((uint64_t)1 << 29) / work + 16; /* words: some tenths of a second */
  const uint32_t affordable = irl_clause_fetch_size(table);
  const uint32_t most = quick < IRL_BEAM_BLOCK ? (uint32_t)quick : IRL_BEAM_BLOCK;
  return affordable < most ? affordable : most;
}
/* By score, then parent, then column. */
int irl_beam_compare(const void *a, const void *b);
void irl_beam_push(const irl_clause_beam *beam, irl_beam_thread *thread, double score,
                   uint32_t parent, uint32_t column);
/* The clause of entry `parent`, extended; does it hold a literal of the same group? */
irl_clause irl_beam_extend(const irl_clause_beam *beam, uint32_t parent, uint32_t column);
bool irl_beam_holds_group(const irl_clause_beam *beam, uint32_t parent, uint32_t column);
/* The cover of entry `parent`. */
static inline const uint64_t *irl_beam_cover(const irl_clause_beam *beam, uint32_t parent) {
  const size_t stride = beam->table->stride;
  if (!beam->is_pairs) return beam->covers + parent * stride;
  return beam->block ? beam->block + (parent - beam->block_first) * stride
                     : irl_clause_cases(beam->table, parent);
}
/* Makes the rows of the columns from `first` on. */
void irl_beam_turn(irl_clause_beam *beam, uint32_t first);
/* Extends all clauses of the level; *is_cut: not all. */
irl_status irl_beam_scan(irl_clause_beam *beam, bool *is_cut);

#endif
