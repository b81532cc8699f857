/* Trade-off curves: what a pool can do at every sensitivity, and with rules of every size. */
#ifndef IRL_CURVE_CURVE_H
#define IRL_CURVE_CURVE_H

#include "ireland_study.h"
#include "learn/fit_result.h"

/* The best rule from the pool for one bound. What is proven is proven for the pool, until
 * irl_curve_prove makes it claims about all rules. */
typedef struct irl_curve_solution {
  irl_search_rule rule; /* its loss by the settings' weights */
  uint64_t literals;
  irl_outcome outcome; /* optimal: none is better; else how its search ended */
  uint64_t max_tp;     /* none with no more false positives has more true ones, */
  uint64_t min_fp;     /* none with as many true positives has fewer false ones, */
  int64_t min_loss;    /* and of complexity curves: none of that size has less loss */
} irl_curve_solution;

/* Points in order: true and false positives both grow, or size grows and loss falls. */
typedef struct irl_curve_line {
  irl_curve_solution *solutions;
  size_t n, capacity;
  irl_outcome outcome; /* optimal: every point is, and no gap wider than the threshold hides one */
} irl_curve_line;

/* What making a curve needs. */
typedef struct irl_curve_solver {
  irl_env *env;
  const irl_fit_result *fit;
  irl_limit limit;     /* its max_work counts `work` */
  irl_problem problem; /* the fit's, by its weights alone */
  irl_select_pool *pool;
  uint64_t *scratch; /* cases, then controls, of a rule that is counted */
  double threshold;
  uint64_t least_tp, most_fp; /* where the curve begins and ends */
  int64_t min_loss; /* of any rule, by the weights alone, as this run of the fit has proven */
  uint64_t work, nodes, n_selections;
} irl_curve_solver;

irl_status irl_curve_solver_init(irl_curve_solver *solver, irl_env *env, const irl_fit_result *fit,
                                 const irl_options *options);
void irl_curve_solver_free(irl_curve_solver *solver);

/* Sensitivity against specificity; see pareto.c. */
irl_status irl_curve_pareto(irl_curve_solver *solver, irl_curve_line *line);
/* Loss against the number of literals or of clauses; see size_curve.c. */
irl_status irl_curve_literals(irl_curve_solver *solver, irl_curve_line *line);
irl_status irl_curve_clauses(irl_curve_solver *solver, irl_curve_line *line);
/* Rules without anything superfluous, in numbers of `pool`, and claims about all rules; see
 * curve_prove.c. */
irl_status irl_curve_prove(irl_curve_solver *solver, irl_curve_kind kind, irl_clause_set *pool,
                           irl_curve_line *line);
/* The certificates of all proven points, one after the other; see curve_certify.c. NULL in *text:
 * none is proven. */
irl_status irl_curve_certify(irl_env *env, const irl_curve *curve, char **text);
void irl_curve_line_free(const irl_allocator *allocator, irl_curve_line *line);

/* All curves of a fit, with their rules. */
struct irl_curve {
  irl_allocator allocator;
  const irl_fit_result *fit;
  irl_clause_set pool; /* the clauses of the points; data NULL: none */
  irl_curve_line lines[IRL_N_CURVE_KINDS];
  irl_rule **rules[IRL_N_CURVE_KINDS]; /* of each point */
  double threshold;
  char *certificates; /* of all proven points; NULL: not asked for, or there are none */
  irl_curve_info info;
};

/* ---- for the files of the curves ---- */

/* A selection from the prepared pool, for a problem that is derived from the solver's, which starts
 * from solution->rule and leaves its result there. *bound: no choice has less, or than `to_beat`;
 * *is_found: it has less loss than that. */
irl_status irl_curve_select(irl_curve_solver *solver, const irl_problem *problem, int64_t to_beat,
                            irl_curve_solution *solution, int64_t *bound, bool *is_found);
/* The loss of a rule by the weights of the fit alone. */
int64_t irl_curve_loss(const irl_curve_solver *solver, uint64_t cases, uint64_t controls);
bool irl_curve_limit_reached(const irl_curve_solver *solver);
irl_status irl_curve_insert(irl_env *env, irl_curve_line *line, size_t at,
                            const irl_curve_solution *solution);

#endif
