/* What those who watch a run get to see: the objective, the bound, and each better rule. */
#include "state/learner.h"
#include <math.h>

double irl_learner_objective(const irl_learner *learner, int64_t loss) {
  return (double)loss / learner->settings.divisor;
}

static irl_status show_rule(irl_learner *learner) {
  irl_incumbent incumbent = {.objective = irl_learner_objective(learner, learner->best.loss),
                             .bound = irl_learner_objective(learner, learner->proof.bound),
                             .work = learner->work};
  irl_rule *rule;
  const irl_status status = irl_learner_make_rule(learner->env, &learner->pool, learner->settings.K,
                                                  &learner->best, &rule);
  if (status) return status;
  incumbent.rule = rule;
  irl_callbacks_show_rule(learner->env, &incumbent);
  irl_rule_free(rule);
  learner->loss_shown = learner->best.loss;
  learner->has_shown = true;
  return IRL_OK;
}

irl_status irl_learner_call_hooks(irl_learner *learner) {
  const bool has_rule = irl_learner_has_rule(learner);
  irl_callbacks_note(learner->env, NULL, learner->work,
                     has_rule ? irl_learner_objective(learner, learner->best.loss) : NAN,
                     irl_learner_objective(learner, learner->proof.bound));
  irl_callbacks_poll(learner->env);
  const bool is_better = !learner->has_shown || learner->best.loss < learner->loss_shown;
  if (!has_rule || !is_better || !irl_callbacks_wants_rules(learner->env)) return IRL_OK;
  return show_rule(learner);
}
