/* A run, part by part: the loop, refining, the proof, tidying; then the direct model, if asked. */
#include "learn/learner.h"

/* A limit may end the loop right after clauses were found: the rule is chosen from them anyway. */
static irl_status choose_at_end(irl_learner *learner) {
  irl_learn_rule rule = learner->best;
  bool is_better;
  if (!learner->pool.n || !irl_limit_reached(&learner->limit, learner->work)) return IRL_OK;
  const irl_status status = irl_learner_select(learner, UINT64_MAX, &rule);
  return status ? status : irl_learner_offer(learner, &rule, &is_better);
}

irl_status irl_learn(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  if (settings->form && (settings->is_plain || settings->no_start))
    return irl_learn_direct(learner);
  irl_status status = irl_learn_ireland(learner);
  if (!status && !learner->settings.is_paper) status = irl_learn_refine(learner);
  if (!status) status = choose_at_end(learner);
  if (!status && learner->best.loss > learner->bound) status = irl_learn_prove(learner);
  if (!status) status = irl_learn_tidy(learner);
  learner->has_rule = true;
  if (status) return status;
  if (settings->form) return irl_learn_direct(learner);
  const bool is_ended = irl_limit_reached(&learner->limit, learner->work);
  learner->outcome = learner->best.loss <= learner->bound ? IRL_OPTIMAL
                     : is_ended                           ? irl_limit_outcome(&learner->limit)
                                                          : IRL_FEASIBLE;
  return IRL_OK;
}
