/* AND/OR structure of a model, kept as bits beside its rows: the paper's models BP1 .. BP6, SP and
 * MP, and what others make of them, recognised from the rows alone.
 *
 * A model has the structure if its integer decisions are literals s, chosen for K places (the
 * clauses), and everything else follows from them: a cover t of a sample by a clause, which is the
 * AND of the literals that the clause asks for, and an output y of a sample, the OR of its covers.
 * Outputs of cases are worth something, outputs and covers of controls cost. The places must be
 * interchangeable. So the model is: choose K clauses of at most M literals such that
 *
 *   loss_i = sum of weights of the cases that no clause covers
 *          + sum of weights of the controls that a clause covers (shared: once; private: once for
 *            each clause that covers it)
 *          + what a clause and a literal cost, for each
 *
 * stays within the limit of every row i > 0, and loss_0, the objective, is least. All weights are
 * integers. Rows of the model that say something else are left out: what is found then is a bound,
 * and a solution if its point meets all rows, which is always checked. In (MP) a literal is a
 * clause of the pool and M is 1.
 *
 * Where the structure is an irl_problem (andor_problem.c), the engine that learns rules solves it
 * (learn/solve_structure.c); otherwise the general search does. */
#ifndef IRL_MILP_ANDOR_H
#define IRL_MILP_ANDOR_H

#include "milp/milp_model.h"
#include "problem/problem.h"

enum { IRL_ANDOR_MAX_ROWS = 8 };
#define IRL_ANDOR_NONE UINT32_MAX

/* Samples of a kind: each weighs its copies times the factor of the row. */
typedef struct irl_andor_side {
  uint32_t n_samples, n_private;
  irl_bits_matrix bits; /* by literal: the samples that have it */
  uint32_t *copies, n_copies;
  int64_t factors[IRL_ANDOR_MAX_ROWS];
} irl_andor_side;

typedef struct irl_andor_row {
  int64_t limit, literal_cost, clause_cost;
} irl_andor_row;

/* What a column of the model is in the structure. */
typedef enum irl_andor_role {
  IRL_ANDOR_UNKNOWN,
  IRL_ANDOR_CONSTANT,
  IRL_ANDOR_LITERAL,
  IRL_ANDOR_USED, /* is the clause used at all? */
  IRL_ANDOR_CASE_COVER,
  IRL_ANDOR_CASE,
  IRL_ANDOR_CONTROL_COVER,
  IRL_ANDOR_CONTROL
} irl_andor_role;

typedef struct irl_andor {
  irl_env *env;
  irl_arena arena;
  const irl_milp_model *model;
  uint32_t K, M, n_literals;
  bool may_be_empty;  /* a clause without literals, which covers everything, is allowed */
  bool may_be_unused; /* fewer than K clauses are allowed */
  bool is_choice;     /* (MP): literals are chosen as they are, there are no columns by place */
  bool is_relaxed;    /* some rows were left out */
  irl_andor_side cases, controls;
  uint32_t n_rows;
  irl_andor_row rows[IRL_ANDOR_MAX_ROWS];
  double base, unit; /* the objective is base + unit * loss_0 */
  /* By column of the model: its role, its place, the literal or where its sample stands. */
  uint8_t *role;
  uint32_t *place, *at;
  double *value; /* of constants */
  /* Places in falling order of the cases that may be covered there, and the cases that may not be
   * covered everywhere: where they stand and at how many places they may. */
  uint32_t *order, n_restricted;
  uint32_t *restricted_at, *restricted_places;
} irl_andor;

/* A rule: clause k has sizes[k] literals from literals[k * M] on. */
typedef struct irl_andor_rule {
  uint32_t n;
  uint32_t *sizes, *literals;
} irl_andor_rule;

/* andor_find.c, andor_build.c: is there such a structure? If not, *is_found is false. */
irl_status irl_andor_find(irl_andor *andor, const irl_milp_model *model, const irl_limit *limit,
                          bool *is_found);
void irl_andor_free(irl_andor *andor);

/* The structure as a problem: the rules of 1 to K clauses that have literals, and perhaps the empty
 * rule. A sample stands in the data as often as it weighs. */
typedef struct irl_andor_problem {
  irl_problem problem;
  irl_data *data;
  int64_t scale;       /* of the weight of cases, if controls that have none get 1 */
  int64_t loss_of_all; /* of rules that cover everything by a clause without literals, at least;
                          INT64_MAX: there are none */
} irl_andor_problem;

/* andor_problem.c: *is_one is false if it is no such problem. `needs_clause`: without the empty
 * rule. Errors go to `env`. */
irl_status irl_andor_problem_init(irl_andor_problem *problem, irl_env *env, const irl_andor *andor,
                                  bool needs_clause, bool *is_one);
void irl_andor_problem_free(irl_andor_problem *problem);

/* andor_point.c: the point of a rule, its clauses in an order that the rows allow if there is one.
 * If fewer than K are given and none may be unused, the first one is repeated. */
irl_status irl_andor_point(const irl_andor *andor, const irl_andor_rule *rule, double *x);

#endif
