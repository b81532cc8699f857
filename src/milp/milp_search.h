/* Branch and bound: what all threads read, and what each has of its own.
 *
 * The search goes in rounds. A round takes some open nodes, fixed in number whatever the threads,
 * and each becomes a task: a dive into its subtree for a limited work, with what was known when the
 * round began (incumbent, pseudo-costs, bounds) and what the task itself finds. Then one thread
 * merges the tasks in order. So the search is the same on any number of threads. */
#ifndef IRL_MILP_MILP_SEARCH_H
#define IRL_MILP_MILP_SEARCH_H

#include "milp/cut.h"
#include "milp/milp_node.h"
#include "milp/propagate.h"
#include "milp/pseudocost.h"

struct irl_milp_search {
  irl_env *env;
  irl_arena arena; /* all arrays whose size stays */
  const irl_milp_options *options;
  irl_milp_model original; /* as it was given: incumbents are checked against it */
  irl_milp_model model;    /* presolved, with the bounds that hold everywhere */
  irl_milp_cuts cuts;      /* rows of every worker's LP after those of the model */
  irl_milp_pseudocost pseudo;
  irl_milp_frontier frontier;
  bool has_point;
  double best_seconds; /* when the point was found */
  double objective;    /* of the incumbent; INFINITY: none */
  double *point;
  irl_milp_domain global; /* the bounds that hold everywhere */
  double plunge_bound;    /* siblings above it are left for later */
  double round_bound;     /* the least bound of the nodes that a round works on; INFINITY: none */
  double root_bound, *root_reduced; /* of the root's LP, for fixing; -INFINITY: none */
  double least_unresolved; /* bound of leaves where no point passed the check; INFINITY: none */
  uint64_t nodes, iterations, work, created;
  uint64_t dive_iterations, probe_iterations; /* of heuristics, of strong branching */
};

typedef struct irl_milp_worker {
  const irl_milp_search *search;
  irl_env env;     /* its own error text */
  irl_arena arena; /* all arrays whose size stays */
  irl_lp *lp;
  irl_milp_domain domain;
  irl_milp_pseudocost pseudo;
  struct {
    IRL_ARRAY(irl_milp_gain)
  } gains; /* observed by this task */
  struct {
    IRL_ARRAY(irl_milp_node *)
  } stack; /* siblings that wait */
  irl_milp_branching *path;
  size_t path_capacity;
  uint32_t depth;
  uint32_t *fractional, n_fractional;
  double *x;        /* of the node's LP; heuristics and strong branching leave it alone */
  double *reduced;  /* safe reduced costs of the last LP */
  double *point;    /* the best one found by this task, if it is better than the search's */
  double objective; /* of that point, otherwise of the incumbent of the search */
  double least_unresolved;
  uint8_t *at;
  double *scratch;
  uint64_t nodes, iterations, work, dive_iterations, probe_iterations;
  irl_status status;
  bool is_cut;      /* clock or stop request */
  bool is_doubtful; /* the last LP was infeasible by a proof that rounding might have made */
} irl_milp_worker;

/* milp_worker.c */
irl_status irl_milp_worker_init(irl_milp_worker *worker, const irl_milp_search *search);
void irl_milp_worker_free(irl_milp_worker *worker);
/* A new LP from the model with all cuts. */
irl_status irl_milp_worker_load(irl_milp_worker *worker);
/* Forgets the last task. */
void irl_milp_worker_reset(irl_milp_worker *worker);
/* Solves the LP for the bounds of the domain. */
irl_lp_end irl_milp_worker_lp(irl_milp_worker *worker, uint64_t max_iterations, double *objective);
double irl_milp_worker_cutoff(const irl_milp_worker *worker);
/* The bound of the LP just solved, and its reduced costs in worker->reduced: safe, or where a
 * column without bounds leaves none the objective less a tolerance. */
double irl_milp_worker_bound(irl_milp_worker *worker, double objective, bool *is_safe);
/* Takes a copy of the point x, rounded, if it passes the check, with that share of the tolerances,
 * and is better; true: it passes. */
bool irl_milp_worker_offer(irl_milp_worker *worker, const double *x, double share);
/* The values that should be integers and are not. */
void irl_milp_worker_find_fractional(irl_milp_worker *worker, const double *x);
void irl_milp_worker_note_gain(irl_milp_worker *worker, uint32_t column, bool is_up, double gain,
                               double distance);
bool irl_milp_worker_is_cut(irl_milp_worker *worker);
/* The node at the end of the path as it is now, with the LP's basis; NULL: out of memory. */
irl_milp_node *irl_milp_worker_node(irl_milp_worker *worker, const irl_milp_place *at);

/* plunge.c: works on the subtree of a node until it is done or the allowance used up and the way
 * down at its end; what is left stays on the stack. Takes the node. */
void irl_milp_plunge(irl_milp_worker *worker, irl_milp_node *node, uint64_t max_work,
                     uint64_t max_nodes);

/* milp_branch.c */
typedef enum irl_milp_choice {
  IRL_MILP_CHOSEN,
  IRL_MILP_TIGHTENED, /* a bound was found instead: solve again */
  IRL_MILP_EMPTY,     /* the node is infeasible or too expensive */
} irl_milp_choice;
irl_milp_choice irl_milp_select_branching(irl_milp_worker *worker, double objective,
                                          irl_milp_branching *branching);

/* dive.c */
enum { IRL_MILP_N_DIVES = 4 };
/* From the LP's point by rule 0 .. IRL_MILP_N_DIVES - 1; the LP is solved again afterwards. */
void irl_milp_dive(irl_milp_worker *worker, unsigned rule, uint64_t max_iterations);
/* Rounding of the LP's point with propagation. */
void irl_milp_round(irl_milp_worker *worker);

/* milp_root.c: the root's LP, cuts and heuristics, and the root node. */
typedef enum irl_milp_root_end {
  IRL_MILP_ROOT_OPEN,
  IRL_MILP_ROOT_CLOSED,
  IRL_MILP_ROOT_UNBOUNDED,
  IRL_MILP_ROOT_CUT
} irl_milp_root_end;
irl_status irl_milp_root(irl_milp_search *search, irl_milp_worker *worker, irl_milp_root_end *end);
/* Takes over what the worker has found. */
irl_status irl_milp_merge(irl_milp_search *search, irl_milp_worker *worker);
/* A line of the log. */
void irl_milp_report(irl_milp_search *search, char tag);

/* Bounds from the root's reduced costs, after a better incumbent; false: nothing better is left. */
bool irl_milp_fix_globally(irl_milp_search *search);

/* milp_presolve.c: columns that are integer in some optimum become integer. */
irl_status irl_milp_imply_integers(irl_milp_model *model, const irl_limit *limit);
/* Bounds, sides and entries of the model made tighter, rows left out. */
irl_status irl_milp_presolve(irl_milp_search *search);

#endif
