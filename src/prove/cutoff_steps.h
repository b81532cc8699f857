/* The next of rising cutoffs, from what the steps before took; cutoff_steps.c. */
#ifndef IRL_PROVE_CUTOFF_STEPS_H
#define IRL_PROVE_CUTOFF_STEPS_H

#include "search/proof.h"
#include "search/tuning.h"

/* What there is to go by. */
typedef struct irl_cutoff_room {
  const irl_tuning *tuning;
  int64_t bound, target; /* the cutoff is above the one and at most the other */
  double turn;           /* work that a step should take, */
  double most;           /* and that is left for this and all further steps */
} irl_cutoff_room;

/* The cutoff of the next step. */
int64_t irl_cutoff_next(const irl_cutoff_steps *steps, const irl_cutoff_room *room);
/* A step to that cutoff took so much work, or, if it was given up, would have taken it. */
void irl_cutoff_note(irl_cutoff_steps *steps, int64_t cutoff, double work, bool is_done);

#endif
