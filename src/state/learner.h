/* What learning a rule shares: the problem, the pool, the best rule so far. */
#ifndef IRL_STATE_LEARNER_H
#define IRL_STATE_LEARNER_H

#include "base/limit.h"
#include "clause/pool.h"
#include "rule/rule.h"
#include "rule/scope.h"
#include "select/select.h"
#include "state/allowance.h"
#include "state/checkpoint.h"
#include "state/clause_set.h"
#include "state/proof.h"

#define IRL_LEARN_MAX_K       64u
#define IRL_LEARN_MAX_BUDGETS 64u

typedef struct irl_learn_settings {
  uint32_t K, M;
  bool negations;
  int64_t case_weight, control_weight; /* of a false negative, of a false positive */
  int64_t penalty;                     /* of each clause and of each literal */
  double divisor;      /* a loss over this is an objective: a sum of weights that the user knows */
  double all;          /* the loss of a rule that is wrong everywhere */
  bool is_unit;        /* every error counts by the weight of its sample, whatever its class */
  bool is_quick;       /* less work for a selection, and no proof */
  bool is_one_of_many; /* quick, and short searches; larger selections do without an exact part */
  bool is_brcg;        /* column generation, not IRELAND */
  bool is_hamming;     /* a control counts for each clause that covers it */
  uint64_t min_cases, max_controls;        /* that a rule of a curve covers */
  uint64_t max_literals;                   /* in the whole rule; UINT64_MAX: any number */
  uint64_t max_complexity;                 /* sum of 1 + literals; 0, UINT64_MAX: any */
  uint32_t n_budgets;                      /* 0: found */
  uint64_t budgets[IRL_LEARN_MAX_BUDGETS]; /* false positives, ascending */
  bool is_paper;                           /* the paper's sub-sampling and limits: */
  uint64_t paper_sample;                   /* false negatives in a sub problem, */
  double paper_seconds;                    /* for one solve */
  bool uses_milp;                          /* solves are MILPs */
  bool prove;
  bool certify;   /* a certificate is wanted: the evidence of a proof is recorded */
  bool has_pool;  /* the clauses are given, no others are generated */
  bool for_curve; /* clauses for the whole range of budgets are wanted, */
  bool all_sizes; /* and of every size */
  uint32_t form;  /* 1 .. 6: the direct model of that number; 0: the loop alone */
  bool is_binary, is_plain, no_start; /* of the direct model */
  uint64_t seed;
  uint32_t sample; /* of each class, in searches that come before one on all samples; 0: none */
  bool is_sample;  /* this is such a search: it proves nothing, and nobody is shown its rules */
  int threads;
  double memory_limit_mb; /* beyond what the process had before; 0: none */
  uint32_t without;  /* proof methods that are left out, a bit each, to measure what they bring */
  double equivalent; /* how much equivalent literals may cost, as a share of all weights */
} irl_learn_settings;

/* A rule as numbers of the pool. */
typedef struct irl_learn_rule {
  uint32_t clauses[IRL_LEARN_MAX_K];
  uint32_t n;
  int64_t loss; /* IRL_SELECT_NO_LOSS: it is not within the limits */
  uint64_t tp, fp, literals;
} irl_learn_rule;

/* The steps that a checkpoint keeps. */
enum { IRL_LEARN_GENERATE = 1, IRL_LEARN_SELECT, IRL_LEARN_PROOF };

typedef struct irl_learner {
  irl_env *env;
  const irl_data *data;
  irl_data *whole; /* of divided data, for the proof; NULL: `data` is whole, or there is no proof */
  irl_learn_settings settings;
  const irl_scope *scope; /* of what is claimed; NULL: there is no certificate */
  irl_limit limit;
  irl_clause_set pool;
  irl_checkpoint checkpoint; /* for checkpoints */
  irl_learn_rule best;
  uint64_t *live_cases, *live_controls; /* what a rule leaves uncovered; irl_learner_uncovered */
  uint64_t *scratch;                    /* cases, then controls, of a rule that is weighed */
  uint64_t min_cases, max_controls;     /* that a rule must and may cover: not those of a curve */
  irl_proof proof;
  bool is_complete; /* the pool has all clauses that there are */
  bool is_settled;  /* searches on samples agree on the rule: none on all samples is due */
  irl_outcome outcome;
  uint64_t work, nodes;
  irl_allowance allowance;
  int64_t loss_refined;                    /* of the best rule when the exchange ended */
  double best_seconds;                     /* when a rule as good as the best was first there */
  unsigned round;                          /* for the log */
  int64_t loss_shown;                      /* of the last rule that was shown; */
  bool has_shown;                          /* none yet if not set */
  const struct irl_learner_engine *engine; /* NULL: those on bits */
} irl_learner;

irl_status irl_learner_init(irl_learner *learner, irl_env *env, const irl_data *data,
                            const irl_learn_settings *settings, const irl_options *options);
void irl_learner_free(irl_learner *learner);
/* One on little data, where threads wait for each other too often. */
int irl_learner_threads(const irl_learner *learner);
/* Prepares the problem of the proof, and has its first bound. */
irl_status irl_learner_merge_samples(irl_learner *learner);

/* The data as a proof sees it. */
static inline const irl_data *irl_learner_whole(const irl_learner *learner) {
  return learner->whole ? learner->whole : learner->data;
}
/* Words of the data. */
static inline uint64_t irl_learner_words(const irl_learner *learner) {
  const irl_data *data = learner->data;
  return (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
}
/* At least this much work, and enough for a pass of a beam: on large data a search must be able to
 * make one. */
uint64_t irl_learner_pass_work(const irl_learner *learner, uint64_t least);
/* Is a proof worth its memory, several times that of the data, or asked for? */
bool irl_learner_may_prove(const irl_learner *learner);
/* A direct model that was not solved far enough, or bounds that no rule meets, leave none. */
static inline bool irl_learner_has_rule(const irl_learner *learner) {
  return learner->best.loss < IRL_SELECT_NO_LOSS;
}
/* Is the best rule proven, and by this run? */
static inline bool irl_learner_is_proven(const irl_learner *learner) {
  return irl_proof_is_closed(&learner->proof, learner->best.loss) && !learner->proof.is_read;
}
/* Is a proof method to be used? */
static inline bool irl_learner_uses(const irl_learner *learner, irl_proof_method method) {
  return !(learner->settings.without >> method & 1u);
}
/* Bytes that one list or table may take: `most`, or a quarter of the memory limit. */
size_t irl_learner_affords(const irl_learner *learner, size_t most);
/* Has work, clock, memory or a request ended the run? */
bool irl_learner_limit_reached(const irl_learner *learner);
/* Has a limit, or is there no work left for the phase, or does the bound meet the best rule's loss?
 */
bool irl_learner_is_done(const irl_learner *learner);
/* The limit for a part of the run: at most `work`, and no more than is left, to the run and to its
 * present phase. */
irl_limit irl_learner_sublimit(const irl_learner *learner, uint64_t work);

/* A run within the run, over clauses of at most M literals: it has an incumbent, settings and a
 * proof of its own, while pool, work, limits and checkpoint are shared. */
typedef struct irl_learner_outer {
  irl_learn_settings settings;
  irl_learn_rule best;
  irl_proof proof;
  irl_allowance allowance;
  double best_seconds;
} irl_learner_outer;

void irl_learner_enter(irl_learner *learner, uint32_t M, irl_learner_outer *outer);
/* Ends it, whatever its status, and offers its rule to the run around it. */
irl_status irl_learner_leave(irl_learner *learner, irl_learner_outer *outer, irl_status status);

/* Sets live_cases and live_controls to the samples that the clauses of a rule leave uncovered (and,
 * for the Hamming loss, to all controls: each clause pays for its own), `except` (or
 * IRL_LEARN_MAX_K) left out. The number of cases. */
uint64_t irl_learner_uncovered(irl_learner *learner, const irl_learn_rule *rule, uint32_t except);

/* What to ask of the clause engine. */
typedef struct irl_learn_subproblem {
  const uint64_t *live_cases, *live_controls; /* NULL: all */
  int64_t case_weight, control_weight;
  uint64_t budget;
  uint64_t max_work;
  uint32_t width;        /* of a single pass over all pairs; 0: the usual passes */
  uint32_t n_wanted;     /* clauses for the pool: the best ones; 0: few, but varied */
  uint32_t max_literals; /* 0: those of the settings */
  /* One per case (NULL: the class has one): then only clauses are wanted that are worth min_value
   * and literal_weight for each literal. */
  const int64_t *case_weights;
  int64_t min_value, literal_weight;
} irl_learn_subproblem;

/* Another way than the engines on bits to solve the sub and master problems of the paper. */
typedef struct irl_learner_engine {
  /* The best clause for these cases; none found: the pool stays empty. */
  irl_status (*find_clause)(irl_learner *learner, const irl_learn_subproblem *subproblem,
                            const irl_limit *limit, irl_clause_pool *found);
  /* As irl_select_solve; what stands in `chosen` stays if nothing is found. */
  irl_status (*choose)(irl_learner *learner, const irl_select_problem *problem,
                       const irl_limit *limit, uint32_t *chosen, irl_select_result *result);
} irl_learner_engine;

/* What a search brought. */
typedef struct irl_learn_generated {
  uint32_t n_new; /* clauses that were not in the pool */
  bool is_chance; /* the best one might be chance, though the search went far */
  bool is_small;  /* K clauses like the best one do not cover what is live */
} irl_learn_generated;

/* Generates clauses and puts the good and varied ones into the pool; generate_clauses.c. */
irl_status irl_learner_generate(irl_learner *learner, const irl_learn_subproblem *subproblem,
                                irl_learn_generated *generated);
/* Generates clauses with true positives before all else: the most live cases within a budget. */
irl_status irl_learner_generate_within(irl_learner *learner, const uint64_t *live_cases,
                                       uint64_t budget, uint64_t max_work,
                                       irl_learn_generated *generated);
/* The best choice from the pool for the settings' loss (budget UINT64_MAX), or the most true
 * positives within a budget. `rule` holds a start and gets the result, its loss by the settings'
 * weights. */
irl_status irl_learner_select(irl_learner *learner, uint64_t budget, irl_learn_rule *rule);
/* What to select for: at most K clauses within a budget, by weights of their own. */
typedef struct irl_learn_goal {
  uint32_t K;
  uint64_t budget; /* UINT64_MAX: any number */
  int64_t case_weight, control_weight;
} irl_learn_goal;
/* The best choice for a goal; its loss is by the settings' weights. */
irl_status irl_learner_select_for(irl_learner *learner, const irl_learn_goal *goal,
                                  irl_learn_rule *rule);
/* Fills in the selection problem: the least loss, or within a budget true positives before all
 * else. */
void irl_learner_set_goal(const irl_learner *learner, uint64_t budget, irl_select_problem *problem);
/* Takes the rule if it is better than the best, or as good and simpler: fewer clauses, then fewer
 * literals. What it is worth is computed from its covers. `is_better`, which may be NULL: it has
 * less loss. */
irl_status irl_learner_offer(irl_learner *learner, const irl_learn_rule *rule, bool *is_better);
/* Offers the rule; a better one gets a line of the log with this tag and budget. */
irl_status irl_learner_offer_logged(irl_learner *learner, const irl_learn_rule *rule,
                                    const char *tag, uint64_t budget);
/* Adds a choice from another set to the pool and offers it; the tag is for the log. */
irl_status irl_learner_offer_choice(irl_learner *learner, const irl_clause_set *from,
                                    const uint32_t *chosen, uint32_t n, const char *tag);
/* Computes loss and counts of a rule from its covers. */
void irl_learner_weigh(const irl_learner *learner, irl_learn_rule *rule);
/* A rule that is of interest has less loss: that of the best, or more than any without one. */
int64_t irl_learner_target(const irl_learner *learner);
/* Do limits or the loss count literals, so that a longer clause dominates no shorter one? */
bool irl_learner_counts_literals(const irl_learner *learner);
/* Is there nothing but weights of the classes, so that the proof may merge samples and relax
 * cases? */
bool irl_learner_is_simple(const irl_learner *learner);
/* What a clause of so many literals costs by itself. */
int64_t irl_learner_cost(const irl_learner *learner, uint32_t n_literals);
/* A clause to the checkpoint and from it; get gives its size, 0 if there is none. */
void irl_learner_put_clause(irl_learner *learner, const uint32_t *literals, uint32_t n);
uint32_t irl_learner_get_clause(const irl_learner *learner, const uint64_t **words,
                                const uint64_t *end, uint32_t *literals);
void irl_learner_log(irl_learner *learner, const char *tag, uint64_t budget);
/* Tells those who watch what the run has come to, and shows them a better rule. */
irl_status irl_learner_call_hooks(irl_learner *learner);
/* A loss as the public sees it. */
double irl_learner_objective(const irl_learner *learner, int64_t loss);

/* Clauses of a pool as a rule. */
irl_status irl_learner_make_rule(irl_env *env, const irl_clause_set *pool, uint32_t K,
                                 const irl_learn_rule *chosen, irl_rule **rule);

#endif
