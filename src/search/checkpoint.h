/* The checkpoint of a run: what it has come to. Another run of the same job goes on from there: it
 * takes the clauses into its pool and the rule as its incumbent, and weighs both on the data. What
 * the file says was proven it keeps beside its own proof, where no method sees it: it is shown,
 * with the name of the file, where the run itself proves less, and nothing is optimal for it alone.
 * The two runs need not take the same course.
 *
 * As bytes a checkpoint has little-endian words of 64 bits,
 *
 *   "ILND_CK2"   eight letters
 *   n            how many words follow the header
 *   hash         XXH3 of them
 *   job          bytes of the text, then the text, padded with zeros. It names the version, the
 *                data, the clauses that the run began with and all options that change the answer
 *                (irl_fit_job), so that a run of another job can say what differs
 *   work, nodes  that were taken
 *   bound        no rule has less loss,
 *   method       by this method (irl_proof_method)
 *   rule         how many clauses the best rule has
 *   clauses      to the end: size, then literals, ascending; those of the rule come first */
#ifndef IRL_SEARCH_CHECKPOINT_H
#define IRL_SEARCH_CHECKPOINT_H

#include "base/env.h"
#include "search/proof.h"

struct irl_search;
struct irl_search_rule;

typedef struct irl_checkpoint {
  const irl_checkpoint_sink *sink; /* where it is saved; NULL: nowhere */
  char *job;                       /* whose checkpoint it is */
  int64_t read_bound;              /* what the file says was proven; 0: nothing */
  irl_proof_method read_by;        /* and how */
  size_t max_clauses;              /* of the pool: others are made again */
  /* Of the run around a run within it (irl_learner_enter); NULL: there is none. */
  const struct irl_search_rule *outer_best;
  const irl_proof *outer_proof;
  double next_save;
  bool is_lost;    /* it could not be kept the last time */
  bool has_warned; /* and that was said */
} irl_checkpoint;

/* What messages call it. */
static inline const char *irl_checkpoint_name(const char *name) {
  return name ? name : "checkpoint";
}

/* From now on the search has a checkpoint, of the job of that text, which it takes over. */
void irl_search_set_checkpoint(struct irl_search *search, const irl_checkpoint_sink *sink,
                               char *job);
/* Goes on from the checkpoint of an earlier run of the same job; that of another one is refused
 * with the line of the job that differs. Its work counts, but not towards the limit. */
irl_status irl_search_resume(struct irl_search *search, const irl_bytes *file);
/* The bound of the run, its own or that of the file if that is greater, and how it was proven. */
int64_t irl_search_bound(const struct irl_search *search, irl_proof_method *by);
/* Saves what the search has come to, if the last time was a few seconds ago. */
void irl_search_keep(struct irl_search *search);
/* Saves now. Bytes that the caller could not keep do not end the run: false, and a warning the
 * first time. */
bool irl_search_save(struct irl_search *search);

#endif
