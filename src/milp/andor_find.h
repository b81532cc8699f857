/* What the files that recognise AND/OR structure share: the rows as inequalities, and what each of
 * them and each column was found to be. */
#ifndef IRL_MILP_ANDOR_FIND_H
#define IRL_MILP_ANDOR_FIND_H

#include "base/array.h"
#include "milp/andor.h"
#include <math.h>

typedef enum irl_andor_kind {
  IRL_ANDOR_OPEN,        /* not recognised */
  IRL_ANDOR_GONE,        /* always holds, or became a bound */
  IRL_ANDOR_AND_CASE,    /* t = 1 only if no literal is chosen that the sample misses */
  IRL_ANDOR_OR_CASE,     /* y = 1 only if a cover is */
  IRL_ANDOR_AND_CONTROL, /* t = 1 if no literal is chosen that the sample misses */
  IRL_ANDOR_OR_CONTROL,  /* y = 1 if a cover is */
  IRL_ANDOR_SIZE,        /* literals of a place, or clauses, at most */
  IRL_ANDOR_FILLED       /* a clause has a literal if it is used */
} irl_andor_kind;
/* Sets of kinds. */
#define IRL_ANDOR_OPENS (1u << IRL_ANDOR_OPEN)
#define IRL_ANDOR_ANDS  (1u << IRL_ANDOR_AND_CASE | 1u << IRL_ANDOR_AND_CONTROL)
#define IRL_ANDOR_ORS   (1u << IRL_ANDOR_OR_CASE | 1u << IRL_ANDOR_OR_CONTROL)
#define IRL_ANDOR_ANY   (~0u)

/* A sample by the columns that stand for it. */
typedef struct irl_andor_sample {
  uint32_t output;          /* the column that is worth or costs something */
  uint32_t first, n_covers; /* its covers, or itself */
  uint32_t place;           /* of a private control; IRL_ANDOR_NONE: all */
  uint32_t at;              /* where it stands in its side */
  bool is_case;
} irl_andor_sample;

/* A row in doubles: what each column's 1 adds to it. */
typedef struct irl_andor_sum {
  double *values, limit;
} irl_andor_sum;

/* Side 2i of row i is its upper one, 2i + 1 its lower one; each is an inequality
 * sum a_j x_j <= rhs over the columns that are not fixed. */
typedef struct irl_andor_finder {
  irl_andor *andor;
  const irl_milp_model *m;
  irl_arena arena;
  double *lower, *upper; /* by column, with what single rows say */
  uint8_t *kind;         /* by side */
  uint32_t *parent;      /* by column: union-find of literals and used columns */
  irl_pace pace; /* by entries; once it is cut no side is seen any more, and nothing is found */
  /* The side that was loaded last. */
  uint32_t n;
  uint32_t *columns;
  double *values, rhs;
  /* Places: the columns of the literals of place k stand from literals[k * n_literals] on. */
  uint32_t *literals, *used;
  uint64_t *hash; /* by column */
  irl_andor_sample *samples;
  uint32_t n_samples, *covers;
  irl_andor_sum sums[IRL_ANDOR_MAX_ROWS]; /* sums[0] is the objective */
  uint32_t n_sums;
  uint8_t *is_missed; /* by literal, for comparing */
  irl_status status;  /* out of memory */
} irl_andor_finder;

static inline bool irl_andor_near(double a, double b) {
  return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}
static inline bool irl_andor_is_zero(double a, double scale) {
  return fabs(a) <= 1e-9 * fabs(scale);
}

static inline bool irl_andor_fail_memory(irl_andor_finder *f) {
  f->status = irl_fail_memory(f->andor->env);
  return false;
}

/* andor_rows.c */
void irl_andor_load_side(irl_andor_finder *f, uint32_t side);
/* Loads the next side after `*side` that is of one of the kinds; IRL_ANDOR_NONE comes before the
 * first. False: there are no more. */
bool irl_andor_load_next(irl_andor_finder *f, unsigned kinds, uint32_t *side);
/* Loads the next side of column j that is of one of the kinds; *at is 0 at first. False: there are
 * no more. A column may stand in long rows, and all its neighbours too, so whoever knows the kinds
 * that matter says so. */
bool irl_andor_next_side(irl_andor_finder *f, uint32_t j, unsigned kinds, size_t *at,
                         uint32_t *side);
/* Rows of one column become bounds, rows that always hold go, columns that nothing keeps from
 * their better bound are fixed; false: nothing is feasible, or a column is not between 0 and 1. */
bool irl_andor_simplify(irl_andor_finder *f);
uint32_t irl_andor_root(irl_andor_finder *f, uint32_t column);
void irl_andor_join(irl_andor_finder *f, uint32_t a, uint32_t b);

/* andor_roles.c: the role of every column and the kind of every side. */
bool irl_andor_find_roles(irl_andor_finder *f);
/* The same for the choice from a pool, where outputs are ORs of the decisions themselves. */
bool irl_andor_find_choice(irl_andor_finder *f);

/* andor_places.c: the samples, the places, and which literals of them are the same; false: there
 * is no such thing, or no memory. */
bool irl_andor_find_places(irl_andor_finder *f);
/* Stamps is_missed for the literals that the sample misses at the place; returns how many, or
 * IRL_ANDOR_NONE if it has no cover there, IRL_ANDOR_BAD if what it has is no AND of literals. Call
 * irl_andor_forget afterwards. */
#define IRL_ANDOR_BAD (UINT32_MAX - 1)
uint32_t irl_andor_misses(irl_andor_finder *f, const irl_andor_sample *sample, uint32_t place);
void irl_andor_forget(irl_andor_finder *f);

/* andor_build.c: sizes, rows, and samples as bits. */
bool irl_andor_build(irl_andor_finder *f);

#endif
