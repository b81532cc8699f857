/* Tidying: literals and clauses that change nothing are dropped, as long as the loss does not grow.
 */
#include "learn/learner.h"

static bool drop_clauses(irl_learner *learner) {
  for (uint32_t i = 0; i < learner->best.n; i++) {
    irl_learn_rule without = learner->best;
    memmove(without.clauses + i, without.clauses + i + 1,
            (without.n - i - 1) * sizeof *without.clauses);
    without.n--;
    irl_learner_weigh(learner, &without);
    if (without.loss > learner->best.loss) continue;
    learner->best = without;
    return true;
  }
  return false;
}

/* Clause i without one of its literals; true if the rule is as good. */
static irl_status drop_literal(irl_learner *learner, uint32_t i, bool *is_dropped) {
  const irl_learn_pool *pool = &learner->pool;
  const uint32_t k = learner->best.clauses[i], n = pool->sizes[k];
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t l = 0; l < n && n > 1 && !status && !*is_dropped; l++) {
    uint32_t shorter[IRL_CLAUSE_MAX], m = 0;
    bool is_new;
    irl_learn_rule with = learner->best;
    for (uint32_t j = 0; j < n; j++)
      if (j != l) shorter[m++] = irl_learn_pool_literals(pool, k)[j];
    status =
        irl_learn_pool_add(learner->env, &learner->pool, shorter, m, &with.clauses[i], &is_new);
    if (status) break;
    irl_learner_weigh(learner, &with);
    *is_dropped = with.loss <= learner->best.loss && with.clauses[i] != k;
    if (*is_dropped) learner->best = with;
  }
  return status;
}

irl_status irl_learn_tidy(irl_learner *learner) {
  irl_status status = IRL_OK;
  while (drop_clauses(learner)) continue;
  for (uint32_t i = 0; i < learner->best.n && !status;) {
    bool is_dropped;
    status = drop_literal(learner, i, &is_dropped);
    if (!is_dropped) i++;
  }
  while (drop_clauses(learner)) continue;
  return status;
}

irl_status irl_learn(irl_learner *learner) {
  irl_status status = irl_learn_ireland(learner);
  if (!status && !learner->settings.is_paper) status = irl_learn_refine(learner);
  if (!status && learner->best.loss > learner->bound) status = irl_learn_prove(learner);
  if (!status) status = irl_learn_tidy(learner);
  if (status) return status;
  const bool is_ended = irl_limit_reached(&learner->limit, learner->work);
  learner->outcome = learner->best.loss <= learner->bound ? IRL_OPTIMAL
                     : is_ended                           ? irl_limit_outcome(&learner->limit)
                                                          : IRL_FEASIBLE;
  return IRL_OK;
}
