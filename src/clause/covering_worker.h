/* What the parts of the listing of covering.c share: the job, a thread, the clause so far. */
#ifndef IRL_CLAUSE_COVERING_WORKER_H
#define IRL_CLAUSE_COVERING_WORKER_H

#include "bits/row_kernels.h"
#include "clause/covering.h"
#include "search/ending.h"
#include <stdatomic.h>

#define IRL_COVERING_CHUNK 64u      /* next literals whose lists of rows are made together */
#define IRL_COVERING_POLL  1000000u /* words of work between two looks at the limit */

typedef struct irl_covering {
  const irl_clause_search *search;
  const irl_clause_thresholds *thresholds;
  const irl_row_kernels *kernels;
  struct irl_covering_worker *workers; /* one per thread */
  irl_clause_array *stores;            /* of each task, empty once joined */
  irl_clause_array *all;
  size_t cap;
  uint32_t n_tasks;
  double began, reported; /* by the clock */
  irl_ending ending;
  atomic_bool is_out_of_memory;
} irl_covering;

/* The literals that cover enough cases with those chosen so far. */
typedef struct irl_covering_table {
  uint32_t n;
  uint32_t *column, *cases; /* in the root; covered together with the chosen ones */
  size_t words;             /* of a column, packed to the cases of the chosen ones */
  irl_clause_words columns, rows, alive;
  /* The same for the first controls of the chosen ones, where the next but one literal is the last
   * of a clause: ones where a candidate covers the control. */
  bool has_controls;
  irl_clause_words control_columns, control_rows;
  uint16_t *control_lists;
  uint32_t control_sizes[IRL_COVERING_CHUNK];
  uint16_t *lists;                         /* of rows, for each next literal of a chunk */
  uint32_t list_sizes[IRL_COVERING_CHUNK]; /* their lengths */
  uint32_t *ids;                           /* literals after the next, n for each further depth */
} irl_covering_table;

/* All that one thread writes. */
typedef struct irl_covering_worker {
  const irl_covering *job;
  uint64_t work, max_work, next_poll;
  irl_ending ending;
  irl_clause_array *store;
  irl_clause clause;          /* the literals chosen so far, in the order of choice */
  irl_covering_table *tables; /* by the number of literals chosen, from 1 */
  irl_clause_words covers;    /* by that number: controls, and a column of cases */
} irl_covering_worker;

static inline bool irl_covering_must_end(irl_covering_worker *w) {
  if (w->ending) return true;
  if (w->work < w->next_poll && w->work < w->max_work) return false;
  w->next_poll = w->work + IRL_COVERING_POLL;
  if (w->work < w->max_work && !irl_limit_poll(w->job->search->limit)) return false;
  w->ending = IRL_ENDED_BY_LIMIT;
  return true;
}

static inline const uint64_t *irl_covering_controls(const irl_covering_worker *w, uint32_t column) {
  return irl_clause_controls(&w->job->search->model->root, column);
}

/* The controls of the first n literals chosen, and scratch for their cases. */
static inline uint64_t *irl_covering_path_controls(const irl_covering_worker *w, uint32_t n) {
  return w->covers.words + n * w->job->search->model->root.stride;
}
static inline uint64_t *irl_covering_path_cases(const irl_covering_worker *w, uint32_t n) {
  return irl_covering_path_controls(w, n) + w->job->search->model->root.control_words;
}

/* One more literal is chosen; how many controls all of them cover. */
static inline uint64_t irl_covering_push(irl_covering_worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  const uint32_t n = w->clause.n++;
  w->clause.literals[n] = model->root.set.id[column];
  w->work += model->root.control_words;
  return model->kernels->and_into(irl_covering_path_controls(w, n + 1),
                                  irl_covering_path_controls(w, n),
                                  irl_covering_controls(w, column), model->root.control_words);
}

/* Controls of the clause so far and one more literal, counted until they are too many. */
static inline uint64_t irl_covering_count_controls(irl_covering_worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  const uint64_t *a = irl_covering_path_controls(w, w->clause.n),
                 *b = irl_covering_controls(w, column);
  const size_t words = model->root.control_words;
  const uint32_t most = w->job->thresholds->max_controls;
  uint64_t n = 0;
  size_t at = 0;
  assert(w->clause.n && w->clause.n < model->max_size);
  while (at < words && n <= most) {
    const size_t part =
        words - at < IRL_COVERING_CONTROL_PART ? words - at : IRL_COVERING_CONTROL_PART;
    n += model->kernels->and_count(a + at, b + at, part);
    at += part;
  }
  w->work += at;
  return n;
}

static inline bool irl_covering_is_grouped(const irl_covering_worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  for (uint32_t i = 0; i < w->clause.n; i++)
    if (irl_clause_are_grouped(model->problem, w->clause.literals[i], model->root.set.id[column]))
      return true;
  return false;
}

static inline uint32_t irl_covering_and_words(uint64_t *into, const uint64_t *a, const uint64_t *b,
                                              size_t n_words) {
  uint32_t n = 0;
  for (size_t w = 0; w < n_words; w++) n += (uint32_t)__builtin_popcountll(into[w] = a[w] & b[w]);
  return n;
}

/* Keeps the clause so far and one more literal. */
void irl_covering_keep(irl_covering_worker *w, uint32_t column, uint32_t cases, uint64_t controls);
/* The clause so far, whose cases are given as a column of the table, with one of the n literals
 * each, which all cover enough cases with it; and with more of them. */
void irl_covering_extend(irl_covering_worker *w, const irl_covering_table *t, const uint64_t *cases,
                         uint32_t *ids, uint32_t n);
/* All clauses whose first literal is column a of the root, by tables (covering_table.c). */
void irl_covering_try_first(irl_covering_worker *w, uint32_t a);

#endif
