/* Models with AND/OR structure by the engine that learns rules; solve_structure.c. */
#ifndef IRL_LEARN_SOLVE_STRUCTURE_H
#define IRL_LEARN_SOLVE_STRUCTURE_H

#include "milp/milp_search.h"

/* For irl_milp_options.solve_structure. */
irl_status irl_learn_structure(irl_milp_search *search, irl_andor_end *end, double *bound);

#endif
