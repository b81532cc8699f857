/* Branch and bound over the clauses of a rule: what its files share. */
#ifndef IRL_MILP_ANDOR_SEARCH_H
#define IRL_MILP_ANDOR_SEARCH_H

#include "milp/andor_clause.h"

enum { IRL_ANDOR_MAX_REFUTED = 128 }; /* refuted clauses that are kept at a node */

/* Clauses by what they cover: vectors of cases, then of controls, one clause after the other. */
typedef struct irl_andor_covers {
  uint64_t *words;
  size_t capacity; /* clauses */
  uint32_t n;
} irl_andor_covers;

/* A node of the way down: the clauses so far are those of the levels above. */
typedef struct irl_andor_step {
  uint64_t *cases, *controls; /* not covered, not paid */
  uint64_t *counted;          /* cases outside of D, the relaxed ones (andor_relax.c) */
  int64_t relaxed;            /* weight of those of D that are left */
  int64_t loss[IRL_ANDOR_MAX_ROWS];
  irl_andor_list list;      /* of the clauses that one of a better rule is among */
  irl_andor_covers refuted; /* clauses that no better rule has beside those so far */
  void *entries;            /* scratch of andor_select.c */
  size_t entries_capacity;
} irl_andor_step;

/* Why nodes were closed. */
typedef struct irl_andor_counts {
  uint64_t by_value, by_sum, by_multipliers, by_dominance, by_limit, lists, searches;
} irl_andor_counts;

/* A clause that a search without proof has found. */
typedef struct irl_andor_clause_found {
  int64_t value; /* only a larger one is taken */
  uint32_t size, *literals, *scratch;
} irl_andor_clause_found;

typedef struct irl_andor_beam irl_andor_beam;
typedef struct irl_andor_search irl_andor_search;
struct irl_andor_search {
  const irl_andor *andor;
  irl_limit limit;
  irl_arena arena;
  irl_andor_seeker seeker;
  irl_andor_step *steps;              /* K + 1 */
  irl_andor_rule path;                /* the clauses so far */
  irl_andor_rule best;                /* loss INT64_MAX: none */
  int64_t limits[IRL_ANDOR_MAX_ROWS]; /* of a better rule */
  int64_t bound;                      /* no rule loses less */
  bool has_costs;                     /* of literals */
  bool needs_all;                     /* a rule has K clauses: none can be repeated for nothing */
  bool is_cut;
  bool is_full;                    /* a node has more clauses than there may be */
  size_t max_clauses, max_list;    /* that a node branches on, that are chosen from as a list */
  uint64_t max_nodes, nodes, work; /* work beside the seeker's */
  uint64_t round_work;             /* work at which a round ends */
  uint64_t seed, n_dives;
  uint64_t *relaxed, *scratch; /* D of the list that is being chosen from; of its size */
  irl_andor_beam *beam;
  int64_t beam_case_weight[IRL_ANDOR_MAX_SEGMENTS], beam_control_weight[IRL_ANDOR_MAX_SEGMENTS];
  double beam_all[2]; /* weights of all cases and controls that are left */
  irl_andor_counts counts;
  const irl_andor_list *chosen_from;
  irl_andor_covers covers; /* of its clauses */
  irl_status status;
  /* Called whenever a better rule is found, and now and then. */
  irl_status (*note)(void *user, const irl_andor_search *search, bool is_better);
  void *user;
};

irl_status irl_andor_search_init(irl_andor_search *search, const irl_andor *andor,
                                 const irl_limit *limit);
void irl_andor_search_free(irl_andor_search *search);
/* Searches until the best rule is proven or a limit is reached (is_cut). */
irl_status irl_andor_search_run(irl_andor_search *search);

/* Takes the path as the best rule if it is one and better. */
void irl_andor_offer(irl_andor_search *search, const irl_andor_step *step);
/* The step after the clause, which becomes the last one of the path. */
void irl_andor_push(irl_andor_search *search, uint32_t depth, uint32_t size,
                    const uint32_t *literals);
/* The row to branch by: one that asks for a gain, row 0 if none does; IRL_ANDOR_NONE: one asks for
 * what no further clause can give. */
uint32_t irl_andor_choose_row(const irl_andor_search *search, const irl_andor_step *step);
/* At the root no clause, or none of those that are left, has a value above `most` in row 0, without
 * the relaxed cases of that weight. */
void irl_andor_note_bound(irl_andor_search *search, int64_t relaxed, int64_t most);
bool irl_andor_is_over(irl_andor_search *search);
/* Does a refuted clause of a step up to `depth` dominate the one with that cover of what is left?
 */
bool irl_andor_is_dominated(irl_andor_search *search, uint32_t depth, const uint64_t *cover);
size_t irl_andor_words(const irl_andor_side *side);
/* Room for one clause more. */
bool irl_andor_covers_reserve(irl_andor_search *search, irl_andor_covers *covers, uint32_t n);
/* andor_beam.c: a good clause for what is left at the step, by its value on `cases`. */
bool irl_andor_beam_init(irl_andor_search *search);
void irl_andor_beam_seek(irl_andor_search *search, const irl_andor_step *step,
                         const uint64_t *cases, irl_andor_clause_found *best);
/* andor_relax.c: looks for relaxed cases that raise the threshold of a list of the node, whose
 * query is given; false: the node is closed by them. */
bool irl_andor_relax(irl_andor_search *search, uint32_t depth, const irl_andor_query *query,
                     int64_t *threshold);
/* What is counted at the step by the relaxed cases of the search. */
void irl_andor_relax_step(irl_andor_search *search, irl_andor_step *step);
/* andor_dive.c: rules found by filling places one after the other and by exchanges. */
void irl_andor_dive(irl_andor_search *search, uint64_t max_work);
/* andor_select.c: the same search below a node whose better rules all come from its list. */
void irl_andor_select(irl_andor_search *search, uint32_t depth);

#endif
