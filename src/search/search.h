/* A search: what all methods share while they work on one problem.
 *
 * It has the environment, the one limit of the job, the counter of work, the pool of clauses found
 * so far, the incumbent (the best rule, as numbers of the pool) and the proof. Methods take an
 * irl_search, count their work in it, offer it rules and raise the bound of its proof. Who runs
 * which method when is known above (learn/run.c, prove/prove.c). */
#ifndef IRL_SEARCH_SEARCH_H
#define IRL_SEARCH_SEARCH_H

#include "base/limit.h"
#include "problem/clause_set.h"
#include "problem/problem.h"
#include "rule/rule.h"
#include "search/allowance.h"
#include "search/checkpoint.h"
#include "search/proof.h"
#include "search/tuning.h"

/* A rule as numbers of the pool. */
typedef struct irl_search_rule {
  uint32_t clauses[IRL_MAX_K];
  uint32_t n;
  int64_t loss; /* IRL_NO_LOSS: it is not within the limits */
  uint64_t tp, fp, literals;
} irl_search_rule;

typedef enum irl_search_effort {
  IRL_SEARCH_FULL,
  IRL_SEARCH_QUICK,   /* less work for a selection, and no proof */
  IRL_SEARCH_RESAMPLE /* one of many: quick, short searches, no exact part of larger selections */
} irl_search_effort;

/* Which proof is asked for. One that is cheap may come unasked. */
typedef enum irl_search_proof {
  IRL_SEARCH_UNASKED,
  IRL_SEARCH_PROVE,
  IRL_SEARCH_CERTIFY /* with its evidence */
} irl_search_proof;

/* How a search is to be run. */
typedef struct irl_search_settings {
  int threads;
  uint64_t seed;
  double memory_limit_mb; /* beyond what the process had before; 0: none */
  irl_search_proof prove;
  irl_search_effort effort;
  bool is_sample;     /* it proves nothing, and nobody is shown its rules */
  bool is_final;      /* selections are proven: the pool does not grow, or the paper does so */
  bool is_open_ended; /* it goes on although nothing better is found for a while */
  uint32_t without;   /* proof methods that are left out, a bit each */
  irl_tuning tuning;  /* 0: the usual value */
} irl_search_settings;

typedef struct irl_search {
  irl_env *env;
  const irl_problem *problem;
  irl_search_settings settings;
  irl_limit limit;
  uint64_t work, nodes;
  irl_clause_set pool;
  irl_search_rule best;
  irl_proof proof;
  irl_allowance allowance;
  irl_checkpoint checkpoint;
  uint64_t *scratch;   /* cases, then controls, of a rule that is weighed */
  double best_seconds; /* when a rule as good as the best was found */
  unsigned round;      /* for the log */
  int64_t loss_shown;  /* of the last rule that was shown; */
  bool has_shown;      /* none yet if not set */
} irl_search;

/* The incumbent is the empty rule. The limit is that of the job, which may have another
 * environment.
 */
irl_status irl_search_init(irl_search *search, irl_env *env, const irl_problem *problem,
                           const irl_search_settings *settings, const irl_limit *limit);
void irl_search_free(irl_search *search);

/* ---- limits ---- */

/* One on little data, where threads wait for each other too often. */
int irl_search_threads(const irl_search *search);
/* Words of the data. */
uint64_t irl_search_words(const irl_search *search);
/* At least this much work, and enough for a pass of a beam: on large data a search must be able to
 * make one. */
uint64_t irl_search_pass_work(const irl_search *search, uint64_t least);
/* Work of one search for clauses, by the effort of the run. */
uint64_t irl_search_generate_work(const irl_search *search);
/* Is a proof worth its memory, several times that of the data, or asked for? */
bool irl_search_may_prove(const irl_search *search);
/* Bytes that one list or table may take: `most`, or a quarter of the memory limit. */
size_t irl_search_affords(const irl_search *search, size_t most);
/* Has work, clock, memory or a request ended the run? */
bool irl_search_limit_reached(const irl_search *search);
/* Is a limit reached, no work left for the phase, or the best rule's loss met by the bound? */
bool irl_search_is_done(const irl_search *search);
/* The limit for a part of the run: at most `work`, and no more than is left, to the run and to its
 * present phase. */
irl_limit irl_search_sublimit(const irl_search *search, uint64_t work);
/* Is a proof method to be used? */
static inline bool irl_search_uses(const irl_search *search, irl_proof_method method) {
  return !(search->settings.without >> method & 1u);
}

/* ---- the incumbent ---- */

/* A direct model that was not solved far enough, or bounds that no rule meets, leave none. */
static inline bool irl_search_has_rule(const irl_search *search) {
  return search->best.loss < IRL_NO_LOSS;
}
static inline bool irl_search_is_proven(const irl_search *search) {
  return irl_proof_is_closed(&search->proof, search->best.loss);
}
/* A rule that is of interest has less loss: that of the best, or more than any without one. */
int64_t irl_search_target(const irl_search *search);
/* Computes loss and counts of a rule from its covers. */
void irl_search_weigh(const irl_search *search, irl_search_rule *rule);
/* Takes the rule if it is better than the best, or as good and simpler: fewer clauses, then fewer
 * literals. What it is worth is computed from its covers. `is_better`, which may be NULL: it has
 * less loss. */
irl_status irl_search_offer(irl_search *search, const irl_search_rule *rule, bool *is_better);
/* Offers the rule; a better one gets a line of the log with this tag and budget. */
irl_status irl_search_offer_logged(irl_search *search, const irl_search_rule *rule, const char *tag,
                                   uint64_t budget);
/* Adds a choice from another set to the pool and offers it; the tag is for the log. */
irl_status irl_search_offer_choice(irl_search *search, const irl_clause_set *from,
                                   const uint32_t *chosen, uint32_t n, const char *tag);
/* Clauses of a pool as a rule. */
irl_status irl_search_make_rule(irl_env *env, const irl_clause_set *pool, uint32_t K,
                                const irl_search_rule *chosen, irl_rule **rule);

/* ---- log ---- */

/* What is worth a line is worth a checkpoint, if it is time for one. */
void irl_search_log(irl_search *search, const char *tag, uint64_t budget);
/* Tells those who watch what the run has come to, and shows them a better rule. */
irl_status irl_search_call_hooks(irl_search *search);

#endif
