/* What the files that recognise AND/OR structure share: what each row and each column was found to
 * be. */
#ifndef IRL_MILP_ANDOR_FIND_H
#define IRL_MILP_ANDOR_FIND_H

#include "milp/andor.h"

/* What a column of the model is in the structure; sets of them are bits. */
typedef enum irl_andor_role {
  IRL_ANDOR_UNKNOWN = 1,
  IRL_ANDOR_LITERAL = 2,
  IRL_ANDOR_USED = 4, /* is the clause used at all? */
  IRL_ANDOR_CASE = 8, /* its own cover, unless it is: */
  IRL_ANDOR_JOINED_CASE = 16,
  IRL_ANDOR_CASE_COVER = 32,
  IRL_ANDOR_CONTROL_COVER = 64, /* or a control that has no other output */
  IRL_ANDOR_CONTROL = 128
} irl_andor_role;
#define IRL_ANDOR_COVERS (IRL_ANDOR_CASE | IRL_ANDOR_CASE_COVER | IRL_ANDOR_CONTROL_COVER)

typedef enum irl_andor_kind {
  IRL_ANDOR_OPEN,        /* not recognised */
  IRL_ANDOR_CASE_OR,     /* y = 1 only if a cover is */
  IRL_ANDOR_CASE_AND,    /* t = 1 only if no literal is chosen that the sample misses */
  IRL_ANDOR_CONTROL_AND, /* t = 1 if no literal is chosen that the sample misses */
  IRL_ANDOR_CONTROL_OR,  /* y = 1 if a cover is */
  IRL_ANDOR_SAID         /* the problem says it */
} irl_andor_kind;

/* Side 2i of row i is its upper one, 2i + 1 its lower one; each is an inequality over the columns
 * that are not fixed, all of them binary. With the opposite of a column for the column where its
 * entry is negative it says
 *
 *   sum of |values| over the literals that are true <= capacity
 *
 * so two literals whose values together exceed the capacity exclude each other, and if all of them
 * exceed it not all are true. */
typedef struct irl_andor_finder {
  irl_andor *andor;
  const irl_milp_model *m;
  double *lower, *upper; /* by column: equal where nothing keeps it from its better bound */
  irl_arena arena;
  irl_pace pace; /* by entries; once it is cut no side is seen any more, and nothing is found */
  uint8_t *role, *kind;          /* by column, by side */
  uint32_t *parent, *place, *at; /* by column: union-find of a place; the place; which literal */
  uint32_t *output, *anchor;     /* by cover: output, and a literal or used column of its place */
  uint64_t *hash;                /* by literal: of the samples that lack it */
  uint64_t *places;              /* by output: a bit for each place that has a cover */
  uint32_t *first_cover;         /* by output; covers are numbered as in `missed`: */
  uint32_t *number;              /* by cover of a case, in (MP) by output; controls' come after */
  uint32_t *cover_output, n_numbered, n_covers;
  uint32_t most_covers; /* of a case */
  bool is_bad, needs_clause;
  /* The side that was loaded last: columns with positive entries come first. */
  uint32_t n, n_up;
  uint32_t *columns;
  double *values, capacity;
  irl_status status; /* out of memory */
} irl_andor_finder;

/* Loads the next side after `*side` of this kind that does not always hold; IRL_ANDOR_NONE comes
 * before the first. False: there are no more. */
bool irl_andor_next(irl_andor_finder *f, irl_andor_kind kind, uint32_t *side);
/* Have the columns of the loaded side from `first` to before `end` one of these roles each? */
bool irl_andor_have_roles(const irl_andor_finder *f, uint32_t first, uint32_t end, unsigned roles);
bool irl_andor_fail_memory(irl_andor_finder *f);
static inline uint64_t irl_andor_all_places(const irl_andor *a) {
  return a->n_places < 64 ? ((uint64_t)1 << a->n_places) - 1 : UINT64_MAX;
}

/* andor_problem.c: samples, weights, limits and sizes as a problem; false: it is none. */
bool irl_andor_build(irl_andor_finder *f);

#endif
