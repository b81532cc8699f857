/* Tidying: literals and clauses that change nothing are dropped, as long as the loss does not grow.
 */
#include "learn/learn.h"
#include "state/learner.h"

/* Drops one clause that is not needed, if there is one. */
static irl_status drop_clause(irl_learner *learner, bool *is_dropped) {
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t i = 0; i < learner->best.n && !status && !*is_dropped; i++) {
    irl_learn_rule without = learner->best;
    memmove(without.clauses + i, without.clauses + i + 1,
            (without.n - i - 1) * sizeof *without.clauses);
    without.n--;
    status = irl_learner_weigh(learner, &without);
    *is_dropped = !status && without.loss <= learner->best.loss;
    if (*is_dropped) learner->best = without;
  }
  return status;
}

static irl_status drop_clauses(irl_learner *learner) {
  bool is_dropped = true;
  irl_status status = IRL_OK;
  while (is_dropped && !status) status = drop_clause(learner, &is_dropped);
  return status;
}

/* Clause i without one of its literals, if the rule is as good. A shorter clause with the same
 * cover takes the place of the longer one in the pool itself. */
static irl_status drop_literal(irl_learner *learner, uint32_t i, bool *is_dropped) {
  const irl_clause_set *pool = &learner->pool;
  const uint32_t k = learner->best.clauses[i], n = pool->sizes[k];
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t l = 0; l < n && n > 1 && !status && !*is_dropped; l++) {
    uint32_t shorter[IRL_CLAUSE_MAX], m = 0;
    bool is_new;
    irl_learn_rule with = learner->best;
    for (uint32_t j = 0; j < n; j++)
      if (j != l) shorter[m++] = irl_clause_set_literals(pool, k)[j];
    status =
        irl_clause_set_add(learner->env, &learner->pool, shorter, m, &with.clauses[i], &is_new);
    if (!status) status = irl_learner_weigh(learner, &with);
    if (status) break;
    *is_dropped = with.loss <= learner->best.loss && pool->sizes[with.clauses[i]] < n;
    if (*is_dropped) learner->best = with;
  }
  return status;
}

static irl_status drop_literals(irl_learner *learner, bool *is_dropped) {
  irl_status status = IRL_OK;
  *is_dropped = false;
  for (uint32_t i = 0; i < learner->best.n && !status;) {
    bool is_shorter;
    status = drop_literal(learner, i, &is_shorter);
    *is_dropped |= is_shorter;
    i += !is_shorter;
  }
  return status;
}

irl_status irl_learn_prune_rule(irl_learner *learner) {
  bool is_dropped = true;
  irl_status status = IRL_OK;
  while (is_dropped && !status) {
    status = drop_clauses(learner);
    if (!status) status = drop_literals(learner, &is_dropped);
  }
  return status;
}
