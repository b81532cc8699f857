/* The best choice of the clauses that a proof has listed; proof_choice.c. */
#ifndef IRL_PROVE_PROOF_CHOICE_H
#define IRL_PROVE_PROOF_CHOICE_H

#include "clause/enumerate.h"
#include "search/search.h"
#include "select/select_rule.h"

typedef struct irl_proof_choice {
  irl_limit limit;
  int64_t cutoff; /* choices of less loss are of interest; */
  int64_t target; /* the same in units of the merged samples */
  /* Of those only the ones that cover controls of so much weight, in units of merged samples. */
  int64_t least_controls, most_controls;
  uint64_t trial_work; /* as in irl_proof_enumeration */
  /* Results. */
  bool is_done;       /* nothing is left to look for */
  int64_t bound;      /* no such choice has less, at most the cutoff */
  uint64_t work_left; /* as in irl_select_result */
} irl_proof_choice;

/* Offers a better rule, if there is one, to the search. */
irl_status irl_proof_choose(irl_search *search, const irl_clause_array *found,
                            irl_proof_choice *task);

#endif
