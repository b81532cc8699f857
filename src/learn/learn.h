/* The steps of a run. Each has a file with a question (is it due?) and an act; run.c has the chain
 * of all of them. */
#ifndef IRL_LEARN_LEARN_H
#define IRL_LEARN_LEARN_H

#include "learn/learner.h"

/* All steps that are due, in order. */
irl_status irl_learn(irl_learner *learner);

/* The loop on samples of many samples, and whether that is enough. */
bool irl_learn_samples_is_due(const irl_learner *learner);
irl_status irl_learn_samples(irl_learner *learner);

/* The loop of the paper; for a curve once more with clauses of each smaller size. */
bool irl_learn_loop_is_due(const irl_learner *learner);
irl_status irl_learn_loop(irl_learner *learner);
/* Its problems as MILPs from now on. */
bool irl_learn_smaller_is_due(const irl_learner *learner);
irl_status irl_learn_smaller(irl_learner *learner);
/* Called by the loop where its clauses may be chance. */
irl_status irl_learn_cover_cases(irl_learner *learner);
irl_status irl_learn_wide_beam(irl_learner *learner);

/* What a clause covers of samples among which a share of `rate` are cases. */
typedef struct irl_learn_cover {
  uint64_t cases, controls;
  uint32_t n_literals;
} irl_learn_cover;

/* The natural logarithm of how many clauses of its length would cover just so many by chance. */
double irl_learn_log_chance(const irl_learner *learner, const irl_learn_cover *cover, double rate);
/* The clause problem of the largest ratio of two likelihoods of the labels that a clause covers: as
 * cases but for some noise, and as having nothing to do with it. `cases` and `controls` of `left`
 * are live, and it says for how many more clauses; the caller sets width and work. */
typedef struct irl_learn_left {
  uint64_t cases, controls;
  uint32_t n_clauses;
} irl_learn_left;
irl_subproblem irl_learn_likelihood_problem(const irl_learner *learner, const irl_learn_left *left);
/* Might clauses of the best rule be chance, each by itself? */
bool irl_learn_is_doubtful(const irl_learner *learner);

/* Better clauses for single places of the best rule. */
bool irl_learn_exchange_is_due(const irl_learner *learner);
irl_status irl_learn_exchange(irl_learner *learner);
irl_status irl_learn_exchange_quickly(irl_learner *learner);
/* The clause problem on what irl_learner_uncovered leaves live. */
irl_subproblem irl_learn_uncovered_problem(const irl_learner *learner, uint64_t work);

/* Simpler rules of the same loss. */
irl_status irl_learn_prune_rule(irl_learner *learner);
bool irl_learn_shorten_is_due(const irl_learner *learner);
irl_status irl_learn_shorten_rule(irl_learner *learner);

/* Pruning of any rule of a pool: weighs the candidate and says whether it may take the place. */
typedef struct irl_pruning {
  irl_env *env;
  irl_clause_set *pool;
  bool (*is_no_worse)(void *user, irl_search_rule *candidate, const irl_search_rule *rule);
  void *user;
} irl_pruning;

irl_status irl_learn_prune(const irl_pruning *pruning, irl_search_rule *rule);

/* Better literals for single places of the best rule. */
bool irl_learn_exchange_literal_is_due(const irl_learner *learner);
irl_status irl_learn_exchange_literal(irl_learner *learner);

/* All clauses that there are, for a curve that is to be proven. */
bool irl_learn_enumerate_pool_is_due(const irl_learner *learner);
irl_status irl_learn_enumerate_pool(irl_learner *learner);

/* A direct model BP1 to BP6, which begins without a rule. */
irl_status irl_learn_solve_bp(irl_learner *learner);

#endif
