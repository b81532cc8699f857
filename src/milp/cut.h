/* Cuts: rows that every integer point satisfies, whatever rounding went into them. */
#ifndef IRL_MILP_CUT_H
#define IRL_MILP_CUT_H

#include "milp/milp_model.h"

/* sum of values[k] * x[columns[k]] >= lower. */
typedef struct irl_milp_cut {
  uint32_t n;
  uint32_t *columns; /* ascending */
  double *values;    /* of a copy: one block with the columns */
  double lower;
  double depth; /* by which the LP's point misses it, in the norm of the values */
} irl_milp_cut;

typedef struct irl_milp_cuts {
  irl_allocator allocator;
  irl_milp_cut *cuts;
  size_t n, capacity;
} irl_milp_cuts;

void irl_milp_cuts_free(irl_milp_cuts *cuts);
/* Adds a copy. */
bool irl_milp_cuts_add(irl_milp_cuts *cuts, const irl_milp_cut *cut);
void irl_milp_cuts_drop(irl_milp_cuts *cuts, size_t i);
/* Are the columns ascending and the values numbers, and does the cut hold for the integer point x
 * (NULL: none) unless x lies outside of the bounds of the model? For assertions. */
bool irl_milp_cut_check(const irl_milp_cut *cut, const irl_milp_model *model, const double *x);

/* cut_build.c: a row being built up with its rounding errors. */
typedef struct irl_milp_sum {
  double value, size; /* sum and sum of absolute values */
  uint32_t n;         /* terms */
} irl_milp_sum;

typedef struct irl_milp_builder {
  const irl_milp_model *model;
  irl_milp_sum *sums;     /* by column */
  uint32_t *list, n_list; /* columns that take part */
  uint32_t *columns;      /* of the finished cut */
  double *values;
  irl_milp_sum side;
} irl_milp_builder;

/* Its arrays live as long as the arena; false: out of memory. */
bool irl_milp_builder_init(irl_milp_builder *builder, irl_arena *arena,
                           const irl_milp_model *model);
void irl_milp_builder_clear(irl_milp_builder *builder);
void irl_milp_builder_add(irl_milp_builder *builder, uint32_t column, double value);
void irl_milp_builder_add_side(irl_milp_builder *builder, double value);
/* The term `coefficient` times a literal of  sum <= side , which the cut has negated. */
void irl_milp_builder_add_literal(irl_milp_builder *builder, uint32_t column, bool is_complemented,
                                  double coefficient);
/* By how much rounding may have made a sum wrong. */
double irl_milp_sum_error(const irl_milp_sum *sum);
/* The cut  sum >= side,  weakened until no rounding can have made it false; false: it is of no use,
 * or x does not miss it. Its arrays are the builder's. */
bool irl_milp_builder_finish(irl_milp_builder *builder, const double *x, irl_milp_cut *cut);

/* What cuts are made of: the LP's point, the cuts that are rows of it already, and two builders as
 * scratch, the second one for the cut itself. */
typedef struct irl_milp_rounding {
  irl_milp_builder work, out;
  const irl_milp_cuts *cuts;
  const double *x;
} irl_milp_rounding;

/* cut_rounding.c: from the tableau row of a basic column. The multipliers belong to the rows of the
 * model, then to the cuts. */
bool irl_milp_gomory(irl_milp_rounding *r, const double *multipliers, irl_milp_cut *cut);
/* cut_cover.c: from a row of the model, `sign` times it <= its side. */
bool irl_milp_cover(irl_milp_builder *out, uint32_t row, double sign, const double *x,
                    irl_milp_cut *cut);
/* From a row of the model, those that are found added to `found`; `multipliers` is
 * scratch for twice as many numbers as there are rows and cuts. */
irl_status irl_milp_mir(irl_milp_rounding *r, uint32_t row, double *multipliers,
                        irl_milp_cuts *found);
/* cut_clique.c: all that are found, added to `found`. */
irl_status irl_milp_cliques(irl_milp_builder *out, const double *x, irl_milp_cuts *found);

#endif
