/* Tables: the columns of a node's candidates, packed to the samples that the node still covers. A
 * column is its cases and then its controls. Deeper tables have fewer columns and shorter ones. */
#ifndef IRL_CLAUSE_TABLE_H
#define IRL_CLAUSE_TABLE_H

#include "base/hash_index.h"
#include "clause/clause_problem.h"

/* Candidates with what their clause (the node's and this literal) covers. A type of its own, of
 * arrays side by side, because kernels write ids and counts and bounds read one field of all. */
typedef struct irl_literal_set {
  uint32_t n, capacity;
  uint32_t *id; /* column in a table, or a literal */
  uint32_t *cases, *controls;
  int64_t *gain, *cost; /* weights of those */
  void *memory;
} irl_literal_set;

/* Words that grow; what they held is lost then. */
typedef struct irl_clause_words {
  uint64_t *words;
  size_t capacity;
} irl_clause_words;

typedef struct irl_clause_table {
  irl_literal_set set; /* id: the literal of each column */
  /* Divided data: the columns that are here, ascending; NULL: all are. */
  uint32_t *own;
  uint32_t n_own;
  uint32_t n_cases, n_controls;
  bool is_reducible; /* may some columns be superfluous? */
  int64_t cost;      /* of all its controls */
  size_t case_words, control_words, stride;
  uint64_t *words;
  uint64_t *planes; /* of the weights: the cases' planes, then the controls' */
  irl_clause_words words_memory, planes_memory;
} irl_clause_table;

/* What all threads read: the problem, prepared. */
typedef struct irl_clause_model {
  const irl_clause_problem *problem;
  const irl_kernels *kernels;
  irl_allocator allocator;
  irl_clause_table root;
  uint32_t max_size;
  uint32_t budget;    /* at most the live controls */
  uint32_t min_cases; /* UINT32_MAX: more than there are */
  /* Weights of live samples: no planes where all of a class have the same. */
  unsigned n_planes[2];    /* of cases, of controls */
  int64_t weight[2];       /* the largest */
  int64_t least_weight[2]; /* the smallest */
  bool may_replace;    /* may a literal make place for one that covers no fewer cases and no more
                          controls? */
  uint32_t *column_of; /* of each literal in the root; UINT32_MAX: not there */
  uint64_t work;       /* that preparing took */
  bool is_shared; /* enumerating takes long: processes that have a copy of the data take part */
  irl_env *comm;  /* divided data: whose, */
  uint64_t id;    /* and the number of the model there */
} irl_clause_model;

/* Words of all columns of a table. */
static inline double irl_clause_scan_work(const irl_clause_table *table) {
  return (double)table->set.n * (double)table->stride;
}
/* About that of a first literal's subtree, if nothing is pruned in its first two levels. */
static inline double irl_clause_task_work(const irl_clause_model *model) {
  const double scan = irl_clause_scan_work(&model->root);
  return model->max_size > 2 ? scan * model->root.set.n : scan;
}

/* At least n words, aligned. False: out of memory. */
bool irl_clause_reserve_words(const irl_allocator *allocator, irl_clause_words *words, size_t n);

bool irl_literal_set_reserve(const irl_allocator *allocator, irl_literal_set *set,
                             uint32_t capacity);
static inline void irl_literal_set_put(irl_literal_set *set, uint32_t at,
                                       const irl_literal_set *from, uint32_t i) {
  assert(at < set->capacity && i < from->capacity);
  set->id[at] = from->id[i];
  set->cases[at] = from->cases[i];
  set->controls[at] = from->controls[i];
  set->gain[at] = from->gain[i];
  set->cost[at] = from->cost[i];
}

/* How many columns are here, and which number each has in the whole table. */
static inline uint32_t irl_clause_n_here(const irl_clause_table *table) {
  return table->own ? table->n_own : table->set.n;
}
static inline uint32_t irl_clause_number(const irl_clause_table *table, uint32_t here) {
  assert(here < irl_clause_n_here(table));
  return table->own ? table->own[here] : here;
}

/* `column`: as they stand here. */
static inline uint64_t *irl_clause_cases(const irl_clause_table *table, uint32_t column) {
  assert(column < irl_clause_n_here(table));
  return table->words + column * table->stride;
}
static inline uint64_t *irl_clause_controls(const irl_clause_table *table, uint32_t column) {
  assert(column < irl_clause_n_here(table));
  return table->words + column * table->stride + table->case_words;
}

/* Sizes for n columns over that many samples, room for those that are here; false: out of memory.
 */
bool irl_clause_table_shape(const irl_clause_model *model, irl_clause_table *table, uint32_t n,
                            uint32_t n_cases, uint32_t n_controls);
/* `into`: the columns that `set` names of `from`, on the samples that column k of it covers. The
 * set's counts are those of the columns there. */
bool irl_clause_table_narrow(const irl_clause_model *model, const irl_clause_table *from,
                             uint32_t k, const irl_literal_set *set, irl_clause_table *into);
/* `into`: the columns that `set` names of `from`, on all samples; of those, the ones that are here.
 */
bool irl_clause_table_copy(const irl_clause_model *model, const irl_clause_table *from,
                           const irl_literal_set *set, irl_clause_table *into);
/* All of that but the columns. */
void irl_clause_table_copy_rest(const irl_clause_model *model, const irl_clause_table *from,
                                const irl_literal_set *set, irl_clause_table *into);
/* Do the columns stand by ascending cases, with tails that are zero and counts and weights that
 * are theirs? For assertions. */
bool irl_clause_table_check(const irl_clause_model *model, const irl_clause_table *table);
void irl_clause_table_free(const irl_allocator *allocator, irl_clause_table *table);

/* The planes of a class: bit b of the weights of its samples is plane b. */
static inline uint64_t *irl_clause_planes(const irl_clause_model *model,
                                          const irl_clause_table *table, int class) {
  return table->planes + (class ? model->n_planes[0] * table->case_words : 0);
}
/* The weight of `vector`, of one class, given its count. */
int64_t irl_clause_weigh(const irl_clause_model *model, const irl_clause_table *table, int class,
                         const uint64_t *vector, uint64_t count);
/* Sets the value of a clause whose counts are set, given its cover: IRL_CLAUSE_NO_VALUE if it costs
 * more than is allowed. */
void irl_clause_set_value(const irl_clause_model *model, const irl_clause_table *table,
                          const uint64_t *cover, irl_clause *clause);
/* Sets counts and value of a clause, given its cover. */
void irl_clause_set_counts(const irl_clause_model *model, const irl_clause_table *table,
                           const uint64_t *cover, irl_clause *clause);

/* What every search of a model is given. */
typedef struct irl_clause_search {
  irl_env *env;
  const irl_clause_model *model;
  const irl_limit *limit;
  int threads;
  uint64_t *work; /* grows by what the search takes */
} irl_clause_search;

irl_status irl_clause_model_init(irl_env *env, irl_clause_model *model,
                                 const irl_clause_problem *problem);
void irl_clause_model_free(irl_clause_model *model);
/* Does the clause stand for what it covers, within the limits of the model? `cover` is scratch. For
 * assertions; on divided data, whose columns are elsewhere, it is taken on trust. */
bool irl_clause_model_check(const irl_clause_model *model, const irl_clause *clause,
                            uint64_t *cover);

#endif
