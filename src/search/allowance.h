/* What the phases of a run take, and what they may take once nothing better is found.
 *
 * Nobody waits for a command whose rule is there. Unless more is asked for (a proof, a curve, a
 * model), all that follows the last improvement takes at most a few times the work that led to it
 * (tuning.h: after), or after_least if that is more; each phase may take half of this and leaves
 * half of what the phases before it left, so that searching leaves something for a proof, and that
 * for simplifying. An improvement begins the count anew, whichever phase it comes from. As long as
 * clauses may be chance the count does not run: nothing is found yet. And a search that took all
 * there was still gets the selection from what it found.
 *
 * It is counted in work, so that a run repeats exactly; whoever asks for a limit gets it from here
 * (irl_search_sublimit, irl_search_is_done). Seconds are kept for the report alone. */
#ifndef IRL_SEARCH_ALLOWANCE_H
#define IRL_SEARCH_ALLOWANCE_H

#include "ireland.h"

struct irl_search;

typedef struct irl_allowance {
  irl_phase phase;             /* now, */
  double since;                /* which began at this irl_clock_now() */
  uint64_t begin;              /* and at this work */
  double seconds[IRL_N_PHASE]; /* of each phase so far, the present one left out */
  uint64_t best_work;          /* at which a rule as good as the best was first there */
  uint64_t counted_from;       /* that or later: work at which the count began */
  bool is_doubtful;            /* what was found may be chance */
  bool owes_selection;         /* clauses were found and no selection has seen them */
} irl_allowance;

void irl_allowance_init(irl_allowance *allowance, double started);
/* Begins a phase and returns the one before, with which the caller goes on afterwards. */
irl_phase irl_search_begin_phase(struct irl_search *search, irl_phase phase);
/* A better rule is there. */
void irl_search_note_better(struct irl_search *search);
/* Whether clauses that were found may be chance, so that a search is in its right to go far. */
void irl_search_set_doubtful(struct irl_search *search, bool is_doubtful);
/* Work that the present phase may still take; UINT64_MAX: any. */
uint64_t irl_search_left(const struct irl_search *search);

#endif
