/* Listing all clauses that cover at least so many cases and at most so many controls; covering.c.
 */
#ifndef IRL_CLAUSE_COVERING_H
#define IRL_CLAUSE_COVERING_H

#include "clause/enumerate.h"

#define IRL_COVERING_MAX_CASES 4095u /* of the model, at most: so far its counters go */

/* Controls of a last literal are counted before its cases if it may cover no more than this, */
#define IRL_COVERING_FEW_CONTROLS 56u
/* and after so many of them hardly a random literal is left. */
#define IRL_COVERING_ROWS(max_controls) (2 * (max_controls) + 16)
/* Words of controls after which a count looks whether they are too many. */
#define IRL_COVERING_CONTROL_PART ((size_t)16)

/* Is that so, if the cases of the chosen literals are so many words? */
static inline bool irl_covering_has_controls(const irl_clause_thresholds *thresholds,
                                             size_t words) {
  const uint32_t most = thresholds->max_controls;
  return most <= IRL_COVERING_FEW_CONTROLS && 2 * IRL_COVERING_ROWS(most) <= 64 * words;
}

/* Is a clause that covers enough cases within the controls and of enough value, which is by the
 * weights of the classes? */
static inline bool irl_covering_is_wanted(const irl_clause_model *model,
                                          const irl_clause_thresholds *thresholds, uint64_t cases,
                                          uint64_t controls) {
  const irl_clause_problem *problem = model->problem;
  return controls <= thresholds->max_controls &&
         problem->case_weight * (int64_t)cases - problem->control_weight * (int64_t)controls >=
             thresholds->min_value;
}

/* All clauses of the model with at least min_cases cases (1 or more), at most max_controls controls
 * and at least min_value; up to `cap` of them, in the same order for any number of threads.
 * IRL_ENDED: there are no more. Their values are not set. For whole data and three literals or
 * more. */
irl_status irl_clause_list_covering(const irl_clause_search *search,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, irl_ending *ending);

/* What that would be, by a sample of the pairs of literals. */
typedef struct irl_covering_estimate {
  double work;    /* of the listing */
  double triples; /* of literals that cover enough cases */
  double clauses; /* that would be listed */
} irl_covering_estimate;

/* `n_sampled`: pairs of literals that are completed by every third one. */
irl_status irl_clause_estimate_covering(const irl_clause_search *search,
                                        const irl_clause_thresholds *thresholds, uint32_t n_sampled,
                                        irl_covering_estimate *estimate);

#endif
