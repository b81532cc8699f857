/* A run that learns a rule: the problem, the search, and the course that it takes. */
#ifndef IRL_LEARN_LEARNER_H
#define IRL_LEARN_LEARNER_H

#include "clause/generate_clauses.h"
#include "rule/scope.h"
#include "select/select_rule.h"

#define IRL_LEARN_MAX_BUDGETS 64u

/* What the clauses of a run are for. */
typedef enum irl_learn_aim {
  IRL_LEARN_RULE,
  IRL_LEARN_CURVE, /* rules for the whole range of budgets, */
  IRL_LEARN_SIZES  /* and of every size */
} irl_learn_aim;

/* The course of a run; what rules it is about is in the problem. */
typedef struct irl_learn_settings {
  irl_search_settings search;
  bool is_unit; /* every error counts by the weight of its sample, whatever its class */
  irl_method method;
  uint64_t least_tp, most_fp;              /* where a curve of its rules begins and ends */
  uint32_t n_budgets;                      /* 0: found */
  uint64_t budgets[IRL_LEARN_MAX_BUDGETS]; /* false positives, ascending */
  bool is_paper;                           /* the paper's sub-sampling: */
  uint64_t paper_sample;                   /* false negatives in a sub problem */
  bool has_pool;                           /* the clauses are given, no others are generated */
  irl_learn_aim aim;
  bool is_binary, is_plain, no_start; /* of the direct model */
  double equivalent; /* how much equivalent literals may cost, as a share of all weights */
} irl_learn_settings;

/* 1 .. 6: the question is that of the direct model of that number. */
static inline uint32_t irl_learn_form(const irl_learn_settings *settings) {
  return settings->method >= IRL_METHOD_BP1 ? (uint32_t)(settings->method - IRL_METHOD_BP1 + 1) : 0;
}

/* Is the model to be written out? Otherwise the loop and the proof answer its question. */
static inline bool irl_learn_is_model(const irl_learn_settings *settings) {
  return irl_learn_form(settings) && (settings->is_plain || settings->no_start);
}

typedef struct irl_learner {
  irl_problem problem;
  irl_search search; /* of that problem: a learner stays where it was made */
  irl_learn_settings settings;
  const irl_data *data;
  irl_data *whole; /* of divided data, for the proof; NULL: `data` is whole, or there is no proof */
  uint64_t *live_cases, *live_controls; /* what a rule leaves uncovered; irl_learner_uncovered */
  bool is_complete;                     /* the pool has all clauses that there are */
  bool is_settled; /* searches on samples agree on the rule: none on all samples is due */
  irl_outcome outcome;
  int64_t loss_refined; /* of the best rule when the exchange ended */
} irl_learner;

/* The problem's data is that of the learner. */
irl_status irl_learner_init(irl_learner *learner, irl_env *env, const irl_problem *problem,
                            const irl_learn_settings *settings, const irl_limit *limit);
void irl_learner_free(irl_learner *learner);
/* Another problem on the same data, with settings of its own: pool, work and limit stay. */
void irl_learner_set(irl_learner *learner, const irl_problem *problem,
                     const irl_learn_settings *settings);
/* Prepares the problem of the proof, and has its first bound. */
irl_status irl_learner_merge_samples(irl_learner *learner);

/* A run within the run, over clauses of at most M literals: it has an incumbent and a proof of its
 * own, while pool, work, limits and checkpoint are shared. */
typedef struct irl_learner_outer {
  uint32_t M;
  irl_search_rule best;
  irl_proof proof;
  irl_allowance allowance;
  double best_seconds;
} irl_learner_outer;

void irl_learner_enter(irl_learner *learner, uint32_t M, irl_learner_outer *outer);
/* Ends it, whatever its status, and offers its rule to the run around it. */
irl_status irl_learner_leave(irl_learner *learner, irl_learner_outer *outer, irl_status status);

/* Sets live_cases and live_controls to the samples that the clauses of a rule leave uncovered (and,
 * for the Hamming loss, to all controls: each clause pays for its own), `except` (or
 * IRL_MAX_K) left out. The weight of the cases. */
uint64_t irl_learner_uncovered(irl_learner *learner, const irl_search_rule *rule, uint32_t except);

#endif
