/* Column generation (Dash, Gunluk, Wei 2018) for the Hamming loss
 *
 *   case_weight * (cases left out) + control_weight * (clauses that cover each control, added up)
 *
 * over rules of at most K clauses of at most M literals, with bounds on literals and complexity.
 * Its LP is over all clauses, of which the master holds those that were met. Every point of the
 * LP's dual gives a bound on all rules once the clause engine has bounded the best clause at that
 * point; the bound is computed in integers. */
#ifndef IRL_BRCG_BRCG_H
#define IRL_BRCG_BRCG_H

#include "base/arena.h"
#include "clause/enumerate.h"
#include "clause/generate_clauses.h"
#include "clause/solve.h"
#include "lp/lp.h"
#include "select/select_rule.h"

/* A point of the dual, in units of the control weight: what covering a case is worth, what a
 * clause costs, and a literal of it (the prices of K, of complexity and of literals). */
typedef struct irl_brcg_point {
  double *worth; /* of each group of equal cases */
  double clause, complexity, literal;
} irl_brcg_point;

/* Prices in integers; a control costs `control`. */
typedef struct irl_brcg_prices {
  int64_t *worth;         /* of each case: of a group the first has all */
  int64_t control;        /* how many units the control weight is; 0: no prices yet */
  int64_t *controls;      /* that times the weight of each control; NULL: all weigh one */
  int64_t sum;            /* of all that cases are worth */
  int64_t clause;         /* price of the bound K on clauses */
  int64_t complexity;     /* price of the bound on the sum of 1 + literals */
  int64_t literals;       /* price of the bound on literals */
  uint64_t *live_cases;   /* cases that are worth something */
  int64_t literal_weight; /* what a literal costs a clause: complexity + literals */
} irl_brcg_prices;

typedef enum irl_brcg_state { IRL_BRCG_FREE, IRL_BRCG_COVERED, IRL_BRCG_LEFT } irl_brcg_state;

typedef struct irl_brcg {
  irl_search *search;
  irl_arena arena; /* of the arrays that do not grow */
  /* That of the search, within a room: K is no more than the other bounds on size leave, and those
   * that say no more than K and M do are none. */
  irl_problem problem;
  const irl_data *data; /* in one piece */
  uint64_t n_cases;     /* the weight of all cases */
  /* Cases with equal features are one row of the LP. */
  uint32_t n_groups;
  uint32_t *group_of; /* each case */
  uint32_t *first;    /* of each group: its first case, */
  int64_t *weights;   /* and what its cases weigh */
  uint64_t *firsts;   /* the first cases as bits over the cases */
  uint8_t *states;    /* irl_brcg_state of each group */
  int64_t left_loss;  /* of the groups that are left out for good */
  /* The master, as the dual of the restricted LP: a row per clause. */
  irl_lp *lp;
  uint32_t *clause_of; /* number in the pool of each row */
  size_t n_rows, rows_capacity;
  uint8_t *size_in_lp; /* literals of each clause of the pool as the LP has it; 0: it has not */
  size_t size_capacity;
  irl_brcg_point now, center; /* the LP's solution, and the best point so far */
  double value;               /* of the restricted LP, in units of the loss */
  double center_value;        /* of the center, as the heuristic sees it */
  irl_brcg_point trial;
  irl_brcg_prices prices;
  irl_brcg_prices proof; /* the prices with the best bound */
  int64_t proof_best;    /* what no clause exceeds at those */
  double lp_bound;       /* proven on the LP's value */
  int64_t bound;         /* proven on the loss of every rule: the LP's bound rounded up */
  bool is_stale;         /* the LP has changed since it was solved */
  bool is_stuck;         /* the LP engine met a limit or trouble */
  bool is_solved;        /* the LP over all clauses is solved */
  /* How the next round prices. */
  uint64_t end;        /* of the search's work */
  int level;           /* the means that failed last, -1: none */
  bool was_proven;     /* the last exact search ended, at the LP's own solution */
  uint64_t beam_work;  /* for a short search */
  uint64_t proof_work; /* for an exact one, more each time it is not enough */
  uint64_t last_work;  /* that the last search by beam took */
  bool enumerates;     /* enumerating all violated clauses takes less than that */
  size_t node_cap;     /* clauses that a node of branch and price may enumerate */
  size_t leaf_cap;     /* clauses that a node may enumerate that cannot branch */
} irl_brcg;

/* brcg_problem.c */
/* Starts with the pool of a search for the Hamming loss, to which the clauses that are found go. */
irl_status irl_brcg_init(irl_brcg *cg, irl_search *search);
void irl_brcg_free(irl_brcg *cg);
/* The most that a group may be worth. */
double irl_brcg_most(const irl_brcg *cg, uint32_t group);
/* The weight of the controls that clause k of the pool covers. */
uint64_t irl_brcg_controls(const irl_brcg *cg, uint32_t k);

/* brcg_master.c */
/* The LP without clauses, which comes after irl_brcg_init and goes before irl_brcg_free. */
irl_status irl_brcg_make_master(irl_brcg *cg);
void irl_brcg_free_master(irl_brcg *cg);
/* What the LP may do with a group: leave it out at its price, cover it, leave it out for good. */
void irl_brcg_set_state(irl_brcg *cg, uint32_t group, irl_brcg_state state);
/* At most so many clauses and literals, instead of what the settings say. */
void irl_brcg_set_room(irl_brcg *cg, uint32_t K, uint64_t max_literals);
/* Solves the restricted LP over the pool; *n_added clauses of the pool came in. */
irl_status irl_brcg_solve(irl_brcg *cg, size_t *n_added);

/* brcg_price.c */
/* A point to integers, `control` units for a control. */
void irl_brcg_set_prices(irl_brcg *cg, const irl_brcg_point *point, int64_t control);
/* `wanted` units for a control, or fewer where numbers would become too large. */
int64_t irl_brcg_unit(const irl_brcg *cg, int64_t wanted);
/* What a clause of the pool is worth at the prices, less its controls and literals;
 * IRL_CLAUSE_NO_VALUE: it does not count. */
int64_t irl_brcg_worth(const irl_brcg *cg, uint32_t number);
/* The most that any of them is worth. */
int64_t irl_brcg_best_of_pool(const irl_brcg *cg);
/* The bound in units of the prices if no clause is worth more than `best` there. It may be below 0,
 * and must stay so where clauses are compared with it (src/doc/method.md, lemma 14). */
int64_t irl_brcg_sum(const irl_brcg *cg, const irl_brcg_prices *prices, int64_t best);

/* brcg_literal_cost.c: where each literal of a clause costs something. What
 * a clause is worth is its value less the price of its literals; values in results and stores do
 * not count it off. */
typedef struct irl_brcg_wish {
  int64_t literal; /* what one costs */
  int64_t need;    /* the least that a clause is to be worth */
  int64_t worth;   /* search for the best: those met that are worth so much go to the store, */
  size_t cap;      /* up to so many in all */
} irl_brcg_wish;
/* The best clause. Where a limit ended it, no clause that was left out is worth more than the
 * bound. */
irl_status irl_brcg_search_best(const irl_clause_problem *problem, const irl_brcg_wish *wish,
                                const irl_clause_search *with, irl_clause_array *store,
                                irl_clause_result *result);
/* All clauses that are worth what is needed. Unless the problem keeps all, one may be left out if
 * another covers no fewer cases and no more controls with no more literals. */
irl_status irl_brcg_search_all(const irl_clause_problem *problem, const irl_brcg_wish *wish,
                               const irl_clause_search *with, irl_clause_array *store,
                               irl_ending *ending);

/* brcg_exact.c */
/* The clause problem at prices, without those of literals. */
void irl_brcg_clause_problem(const irl_brcg *cg, const irl_brcg_prices *prices,
                             irl_clause_problem *problem);
/* All clauses that are worth what is needed, up to a cap, literals with or without a price. */
irl_status irl_brcg_list(irl_brcg *cg, const irl_clause_problem *problem, const irl_brcg_wish *wish,
                         const irl_limit *limit, irl_clause_array *store, irl_ending *ending);
/* The best clause at the prices, and the bound that follows, exact where *is_proven. */
irl_status irl_brcg_price_best(irl_brcg *cg, uint64_t work, bool *is_proven);
/* Generates all clauses that are worth more than the price of one, if they are few. */
irl_status irl_brcg_price_all(irl_brcg *cg, uint64_t work, bool *is_proven);

/* brcg_generate.c */
/* One round up to cg->end: the master is solved and priced by the next means that has not failed
 * yet. *is_done: the LP is solved, its bound reaches `goal` or cannot grow any more, or a limit
 * ended it. With the goal INT64_MAX nothing but the LP's solution counts. */
irl_status irl_brcg_step(irl_brcg *cg, int64_t goal, bool *is_done);
/* Rounds until it is done or has used so much work. */
irl_status irl_brcg_generate(irl_brcg *cg, int64_t goal, uint64_t max_work);

/* brcg_branch.c: branch and price; raises the search's bound as far as that much work allows. */
irl_status irl_brcg_branch(irl_brcg *cg, uint64_t max_work);

/* brcg_restricted_mip.c: the best rule from the clauses of the pool that the reduced costs leave,
 * with that much work, offered to the search. */
irl_status irl_brcg_restricted_mip(irl_brcg *cg, uint64_t max_work);
/* Enumerates all clauses that a rule with less loss than the best one may hold, as the proof says,
 * and selects among them. *is_complete: there is no better rule than the best one now, within the
 * states of the groups. */
irl_status irl_brcg_enumerate(irl_brcg *cg, size_t cap, uint64_t max_work, bool *is_complete);

/* Learns by column generation. */
irl_status irl_learn_brcg(irl_search *search);

#endif
