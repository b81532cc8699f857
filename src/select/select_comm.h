/* A search that several processes share: see select_comm.c. */
#ifndef IRL_SELECT_SELECT_COMM_H
#define IRL_SELECT_SELECT_COMM_H

#include "select/select.h"

/* Calls the other processes to share the search of this problem. */
irl_status irl_select_call(irl_env *env, const irl_select_problem *problem, const irl_limit *limit);
/* Solves the problem here, alone or in step with all other processes. */
irl_status irl_select_solve_here(irl_env *env, const irl_select_problem *problem,
                                 const irl_limit *limit, bool is_shared, uint32_t *chosen,
                                 irl_select_result *result);

#endif
