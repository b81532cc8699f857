/* A run, part by part: the loop, refining and the proof, or column generation; tidying. */
#include "learn/learner.h"

static irl_status choose(irl_learner *learner) {
  irl_learn_rule rule = learner->best;
  bool is_better;
  if (!learner->pool.n) return IRL_OK;
  const irl_status status = irl_learner_select(learner, UINT64_MAX, &rule);
  return status ? status : irl_learner_offer(learner, &rule, &is_better);
}

/* The pool, and a rule from it. */
static irl_status find(irl_learner *learner) {
  if (learner->settings.has_pool) return choose(learner);
  if (learner->settings.is_brcg) return irl_learn_brcg(learner);
  irl_status status = irl_learn_ireland(learner);
  if (!status && !learner->settings.is_paper) status = irl_learn_refine(learner);
  /* A limit may end the loop right after clauses were found: the rule is chosen from them anyway.
   */
  if (!status && irl_limit_reached(&learner->limit, learner->work)) status = choose(learner);
  return status;
}

/* A given pool is asked for a rule, not for a proof, unless that is wanted. */
static bool is_proof_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return learner->best.loss > learner->bound && !settings->is_hamming && !settings->is_quick &&
         (!settings->has_pool || settings->prove);
}

/* A run ends: how? */
static void conclude(irl_learner *learner) {
  const bool is_ended = irl_limit_reached(&learner->limit, learner->work);
  learner->outcome = learner->best.loss <= learner->bound ? IRL_OPTIMAL
                     : is_ended                           ? irl_limit_outcome(&learner->limit)
                                                          : IRL_FEASIBLE;
}

irl_status irl_learn(irl_learner *learner) {
  irl_status status = find(learner);
  if (!status && is_proof_due(learner)) status = irl_learn_prove(learner);
  if (!status) status = irl_learn_tidy(learner);
  if (!status && !learner->settings.is_paper) status = irl_learn_simplify(learner);
  if (!status) status = irl_learn_tidy(learner);
  if (!status) conclude(learner);
  return status;
}
