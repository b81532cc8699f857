/* Proving by an enumeration of all clauses that a better rule may hold; see proof_enumerate.c. */
#ifndef IRL_PROVE_PROOF_ENUMERATE_H
#define IRL_PROVE_PROOF_ENUMERATE_H

#include "rule/merge_samples.h"
#include "search/ending.h"
#include "search/search.h"

typedef struct irl_proof_enumeration {
  size_t cap;     /* clauses, at most */
  int64_t cutoff; /* only rules of less loss are looked for; 0: all that are better */
  /* After so much work the choice of clauses goes on only if it seems to end within the limit; 0:
   * it always goes on. */
  uint64_t trial_work;
  /* Results. */
  irl_ending ending;  /* of the list of clauses */
  bool is_done;       /* the bound is the cutoff, or a better rule was found and is the best */
  int64_t bound;      /* no rule has less loss; IRL_NO_LOSS: none has less than the best */
  uint64_t work_left; /* that a choice which was given up would have taken, about; 0: not known */
  irl_proof_evidence evidence; /* target -1: there is none; the caller's to free */
} irl_proof_enumeration;

/* Proves, or finds better rules and proves those, unless the limit or the cap ends it. */
irl_status irl_proof_enumerate(irl_search *search, const irl_limit *limit,
                               irl_proof_enumeration *task);

/* Takes over what an enumeration found about the loss of the best rule. */
void irl_proof_take_enumeration(irl_search *search, irl_proof_enumeration *task);

/* 0/1 multipliers of cases, by which few clauses can be part of a better rule; multipliers.c. */
typedef struct irl_multipliers {
  const irl_tuning *tuning;
  const irl_merged *merged;
  const irl_clause_set *known; /* covers over the merged samples, */
  uint32_t n_pool;             /* of which those from this one on count in any case */
  uint32_t K;
  int64_t required_gain; /* of a better rule against no rule */
  int64_t budget;        /* for its controls: clauses that cost more do not count */
  uint64_t *relaxed;     /* cases with multiplier 1: a set to start from, and the result */
  /* Results. */
  int64_t weight;  /* of the relaxed cases */
  int64_t largest; /* value of a known clause, or required_gain - weight if that is more */
  uint64_t work;
} irl_multipliers;

irl_status irl_multipliers_search(irl_env *env, irl_multipliers *task);

#endif
