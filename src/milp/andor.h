/* AND/OR structure of a model: the paper's models BP1 .. BP6, SP and MP, and what others make of
 * them, recognised from the rows alone.
 *
 * A model has the structure if some of its binary columns are literals s, chosen for K places (the
 * clauses), and others follow from them: a cover t of a sample by a clause, which is the AND of the
 * literals that the clause asks for, and an output y of a sample, the OR of its covers. Outputs of
 * cases are worth something, outputs and covers of controls cost. The places must be
 * interchangeable. So every point is a rule of at most K clauses of at most M literals, and its
 * objective is at least base + unit * loss of the rule, where the loss is that of an irl_problem:
 *
 *   the cases that no clause covers and the controls that a clause covers, by weight (with the
 *   Hamming loss, a control counts once for each clause that covers it), within limits on cases,
 *   controls and literals
 *
 * Only this direction is shown, from implications that single rows have (andor_find.c): what rows
 * say besides is left out. So the least loss is a bound; a rule is a solution if its point meets
 * all rows, which is always checked. The engine that learns rules solves the problem
 * (learn/solve_structure.c). In (MP) a literal is a clause of the pool and M is 1. */
#ifndef IRL_MILP_ANDOR_H
#define IRL_MILP_ANDOR_H

#include "milp/propagate.h"
#include "problem/problem.h"

#define IRL_ANDOR_NONE UINT32_MAX

/* A case that only some places may cover. */
typedef struct irl_andor_restricted {
  const uint64_t *missed; /* literals */
  uint32_t n_places;      /* so many of `order`, the first ones */
} irl_andor_restricted;

typedef struct irl_andor {
  irl_env *env;
  irl_arena arena;
  const irl_milp_model *model;
  irl_problem problem;
  irl_data *data;        /* of the problem: a sample stands there as often as it weighs */
  uint32_t n_samples[2]; /* controls, cases */
  int64_t scale;         /* of the weight of cases, if controls that have none get 1 */
  int64_t loss_of_all;   /* of rules that cover everything by a clause without literals, at least;
                            INT64_MAX: there are none */
  double base, unit;
  bool may_be_empty;  /* a clause without literals, which covers everything, is allowed */
  bool may_be_unused; /* fewer than K clauses are allowed */
  bool is_choice;     /* (MP): literals are chosen as they are, all at one place */
  bool has_limits;
  bool is_relaxed; /* some rows were left out */
  uint32_t n_places, n_literals;
  uint32_t *literals; /* the columns of place k from literals[k * n_literals] on */
  uint32_t *used;     /* by place: the column that says that its clause is used; or NONE */
  bool *is_high;      /* by column: better 1 than 0, like the outputs and covers of cases */
  uint32_t *order;    /* places in falling order of the cases that they may cover */
  uint32_t n_restricted;
  irl_andor_restricted *restricted;
  irl_bits_matrix missed; /* by cover: a bit for each literal; in (MP) for those that it has */
} irl_andor;

/* A rule: clause k has sizes[k] literals from literals[k * M] on. */
typedef struct irl_andor_rule {
  uint32_t n;
  uint32_t *sizes, *literals;
} irl_andor_rule;

/* Is there such a structure? If not, *is_found is false. Rules without any clause are no points
 * unless clauses may be unused: with `needs_clause` the problem does not allow them. */
irl_status irl_andor_find(irl_andor *andor, const irl_milp_model *model, bool needs_clause,
                          const irl_limit *limit, bool *is_found);
void irl_andor_free(irl_andor *andor);

/* andor_problem.c: the point of a rule, its clauses in an order that the rows allow if there is
 * one; what it leaves open is as good as can be. If fewer than K are given and none may be unused,
 * the first one is repeated. *is_met is false if it is no point. */
irl_status irl_andor_point(const irl_andor *andor, const irl_andor_rule *rule, double *x,
                           bool *is_met);

#endif
