/* Clauses of a value or more at a node of the search: propagation and bounds on bits. */
#ifndef IRL_MILP_ANDOR_CLAUSE_H
#define IRL_MILP_ANDOR_CLAUSE_H

#include "base/array.h"
#include "base/limit.h"
#include "milp/andor.h"

typedef struct irl_andor_found {
  int64_t value;
  uint32_t first, size; /* its literals in the list's */
} irl_andor_found;

typedef struct irl_andor_list {
  struct {
    IRL_ARRAY(irl_andor_found)
  } clauses;
  struct {
    IRL_ARRAY(uint32_t)
  } literals;
} irl_andor_list;

/* The literals of a clause of the list; NULL: it has none. */
static inline const uint32_t *irl_andor_literals(const irl_andor_list *list,
                                                 const irl_andor_found *found) {
  return found->size ? list->literals.items + found->first : NULL;
}

/* What is asked for. The value of a clause in a row is, counted on `cases` and `controls`,
 *
 *   factor * (cases - private controls - cost) - shared controls
 *
 * with the query's factor in row `row`, where it must be at least `least`, and with factor 1 in
 * every other row i, where it must be at least need[i]. */
typedef struct irl_andor_query {
  const uint64_t *cases, *controls;
  uint32_t row;
  int64_t factor, least;
  int64_t need[IRL_ANDOR_MAX_ROWS]; /* INT64_MIN: anything */
  bool wants_best;                  /* one of largest value: the list keeps the last one found */
  size_t max_clauses;
  uint64_t max_work;
} irl_andor_query;

typedef struct irl_andor_level irl_andor_level;

/* The scratch of a search for clauses. */
typedef struct irl_andor_seeker {
  const irl_andor *andor;
  const irl_limit *limit;
  irl_arena arena;
  irl_andor_level *levels; /* M + 1 */
  uint32_t *chosen;
  int64_t case_weight[IRL_ANDOR_MAX_ROWS][IRL_ANDOR_MAX_SEGMENTS];
  int64_t control_weight[IRL_ANDOR_MAX_ROWS][IRL_ANDOR_MAX_SEGMENTS];
  int64_t factor[IRL_ANDOR_MAX_ROWS], need[IRL_ANDOR_MAX_ROWS];
  uint32_t rows[IRL_ANDOR_MAX_ROWS], n_rows; /* those that can refuse a clause, the query's first */
  const irl_andor_query *query;
  irl_andor_list *list;
  uint64_t work, nodes, start_work, next_poll; /* words, partial clauses so far */
  bool is_cut, is_out_of_memory;
} irl_andor_seeker;

irl_status irl_andor_seeker_init(irl_andor_seeker *seeker, const irl_andor *andor,
                                 const irl_limit *limit);
void irl_andor_seeker_free(irl_andor_seeker *seeker);
/* Fills the list, which is emptied first. *is_complete: all such clauses are there, but for those
 * that another one makes needless (it has a literal less, covers all cases that they cover and the
 * same controls). */
irl_status irl_andor_seek(irl_andor_seeker *seeker, const irl_andor_query *query,
                          irl_andor_list *list, bool *is_complete);
void irl_andor_list_free(const irl_allocator *allocator, irl_andor_list *list);

#endif
