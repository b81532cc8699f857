/* What learning leaves behind: the rule, how good it is, and the pool that it was chosen from. */
#ifndef IRL_LEARN_FIT_RESULT_H
#define IRL_LEARN_FIT_RESULT_H

#include "base/text.h"
#include "ireland_study.h"
#include "learn/learner.h"
#include "learn/stability.h"
#include "prove/optimal_rules.h"
#include "rule/rule.h"
#include "table/variant_facts.h"

#define IRL_FIT_NOTES     12u  /* there are fewer things to go without */
#define IRL_FIT_NOTE_SIZE 256u /* bytes */

struct irl_fit_result {
  irl_allocator allocator;
  const irl_data *data; /* for a CNF: reflected, and the rule is for the other class */
  irl_rule *rule;
  irl_scope *scope; /* of the rules among which it is the best */
  irl_fit_info info;
  char *reason;        /* why there is no rule, or an empty one; NULL: there is one */
  irl_problem problem; /* without merged samples */
  irl_learn_settings settings;
  irl_clause_set pool;
  irl_data *pool_data;    /* the samples that weigh something, which it is over; NULL: all do */
  bool is_complete;       /* the pool has all clauses that there are */
  irl_search_rule best;   /* the rule in numbers of the pool */
  irl_data *own_data;     /* data that was made for the result; NULL: it is the caller's */
  const irl_table *table; /* the caller's, that it was learnt from; NULL: it was data */
  irl_data *test_data;    /* what was held out; NULL: nothing */
  bool has_test;
  irl_evaluation test;      /* on the samples that were held out */
  double test_effect[2];    /* of groups among these controls, cases: 1 or more (units.h) */
  irl_estimate estimate;    /* for new samples, if the method is there */
  const char *no_estimate;  /* why there is none though it was asked for; NULL: there is one */
  irl_cv_result *tuning;    /* that chose the settings; NULL: they were given */
  irl_stability *stability; /* of the rule in resamples; NULL: not asked for */
  bool wants_permutations;
  uint32_t n_permutations;         /* that were made, */
  uint32_t n_as_good;              /* and of them those that reach what the true labels reach */
  uint32_t n_permutations_asked;   /* enough of them may be as good before */
  bool all_clauses_permuted;       /* not only those that the quick search finds */
  double *clause_p;                /* of the permutations, per clause; NULL: not asked for */
  int64_t bound;                   /* no rule has a smaller loss, as this run has proven */
  irl_limit limit;                 /* of the run */
  irl_optimal_rules optimal_rules; /* rules that are as good; K = 0: not asked for */
  irl_rule_count within;           /* all rules of that loss; not asked for: no allocator */
  char *certificate;               /* of the proof; NULL: not asked for, or there is none */
  char *resumed;                   /* the checkpoint that the run went on from; NULL: none */
  bool bound_is_read;              /* and info.bound is that of this file: this run proves less */
  bool lost_checkpoint;            /* it could not be kept in the end */
  irl_variant_facts variants;      /* of the rule, where the data are genotypes */
  /* What was asked for beside the rule and is missing, and why. */
  char notes[IRL_FIT_NOTES][IRL_FIT_NOTE_SIZE];
  uint32_t n_notes;
};

/* For assertions: is the loss that of the rule itself, the bound not above it, and the rule within
 * the limits? */
bool irl_fit_is_true(irl_env *env, const irl_fit_result *result);

/* Why there is no rule, or an empty one, and what could be reached; NULL if neither is so. */
irl_status irl_learn_explain(irl_learner *learner, char **reason);

/* Says in the log and in the result what is missing beside the rule; takes no memory. */
void irl_fit_add_note(irl_env *env, irl_fit_result *result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What could not be made beside the rule becomes a note, and the rule stays. Only the loss of a
 * process goes on as a status. */
irl_status irl_fit_go_without(irl_env *env, irl_fit_result *result, irl_status status,
                              const char *what);

/* Counts the samples learnt from by the clauses that hold; the rule keeps that. What it is called
 * where it is missing. */
#define IRL_FIT_COUNTS "count of training samples per clause, so no probabilities"
irl_status irl_fit_remember(irl_env *env, irl_fit_result *result);

/* What the objective is called, as "weighted error". */
const char *irl_fit_loss_name(const irl_fit_result *result);
/* The objective in words with its rate, as "14 of 435 samples wrong (3.22 %)". */
void irl_fit_print_objective(irl_text *text, const irl_fit_result *result);

#endif
