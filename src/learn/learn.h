/* The parts of a run, each in a file of its own; run.c says in which order. */
#ifndef IRL_LEARN_LEARN_H
#define IRL_LEARN_LEARN_H

#include "state/learner.h"

irl_status irl_learn_loop(irl_learner *learner);
irl_status irl_learn_exchange(irl_learner *learner, bool is_quick);
irl_status irl_learn_wide_beam(irl_learner *learner);
irl_status irl_learn_prune_rule(irl_learner *learner);
irl_status irl_learn_shorten_rule(irl_learner *learner);
irl_status irl_learn_exchange_literal(irl_learner *learner);
irl_status irl_learn_enumerate_pool(irl_learner *learner);
irl_status irl_learn_solve_bp(irl_learner *learner);
/* All of them in order. */
irl_status irl_learn(irl_learner *learner);

#endif
