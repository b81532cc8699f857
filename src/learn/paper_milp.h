/* The problems of the paper's loop as MILPs, and the engine that solves them so. */
#ifndef IRL_LEARN_PAPER_MILP_H
#define IRL_LEARN_PAPER_MILP_H

#include "learn/learn.h"
#include "milp/bp.h"

/* The models; to be freed by irl_bp_free. */
irl_status irl_learn_build_sub(irl_search *search, const irl_subproblem *subproblem, irl_bp *bp);
irl_status irl_learn_build_master(irl_search *search, const irl_select_problem *problem,
                                  irl_bp *bp);

extern const irl_search_engine irl_learn_milp_engine;

#endif
