/* Mixed-integer linear programs: branch and bound on the LP engine. */
#ifndef IRL_MILP_MILP_H
#define IRL_MILP_MILP_H

#include "lp/lp.h"

/* What to solve: minimise the LP with some columns integer. All of it is borrowed. */
typedef struct irl_milp_problem {
  const irl_lp *lp;
  const bool *is_integer;  /* by column */
  const uint8_t *priority; /* by column: the highest among the fractional ones is branched on; NULL:
                              all alike */
  const double *start;     /* a feasible point to begin with, NULL: none; checked like any other */
  double bound;            /* a bound on the optimum that the caller can prove; -INFINITY: none */
  double grid;             /* the optimum is known to be a multiple of this integer; 0: not known */
} irl_milp_problem;

/* How the search of a structure within the model left that of the model. */
typedef enum irl_andor_end {
  IRL_ANDOR_NOT_FOUND, /* it has none */
  IRL_ANDOR_DONE,      /* the incumbent is best, or there is no point */
  IRL_ANDOR_BOUNDED,   /* *bound holds for the model; no point that was found meets it */
  IRL_ANDOR_CUT        /* by a limit; root_bound holds */
} irl_andor_end;

typedef struct irl_milp_search irl_milp_search; /* milp_search.h */

typedef struct irl_milp_options {
  irl_limit limit;
  uint64_t max_nodes;
  uint64_t max_iterations;
  size_t max_memory; /* bytes: open nodes with their bases, models, cuts, LPs with factors */
  uint64_t seed;
  int threads;
  double divisor; /* objective and bound are shown over this; 1 if the caller says nothing */
  bool no_presolve, no_cuts, no_heuristics;
  /* Solves a model with AND/OR structure in another way, unless nodes are limited: those of the
   * general search are. NULL: nothing is looked for. */
  irl_status (*solve_structure)(irl_milp_search *search, irl_andor_end *end, double *bound);
} irl_milp_options;

typedef struct irl_milp_result {
  irl_outcome outcome; /* optimal, infeasible, unbounded, limit or interrupted */
  bool has_point;
  double objective, bound; /* INFINITY, -INFINITY: none */
  double best_seconds;     /* when the point was found, since the environment was made */
  uint64_t nodes, iterations, work;
} irl_milp_result;

void irl_milp_problem_init(irl_milp_problem *problem, const irl_lp *lp, const bool *is_integer);
void irl_milp_options_init(irl_milp_options *options, const irl_env *env);
/* `x` gets the best point, one value per column, if has_point. */
irl_status irl_milp_solve(irl_env *env, const irl_milp_problem *problem,
                          const irl_milp_options *options, double *x, irl_milp_result *result);

/* (objective - bound) relative to the objective, or to 1 if that is more. */
double irl_milp_gap(double objective, double bound);

/* Of whole numbers; b may be 0. */
double irl_milp_greatest_common(double a, double b);

#endif
