/* The last look at a rule: is there a place where another literal is better? A search that a limit
 * has cut may not have come to that, and it costs no more than counting once for each place. */
#include "base/memory.h"
#include "learn/equivalent.h"
#include "learn/fit_result.h"
#include "learn/learn.h"

/* Clause k of the best rule with another literal at a place. */
static irl_status put_literal(irl_learner *learner, uint32_t k, uint32_t place, irl_literal literal,
                              bool *is_better) {
  const irl_clause_set *pool = &learner->pool;
  const uint32_t number = learner->best.clauses[k], n = pool->sizes[number];
  irl_learn_rule rule = learner->best;
  irl_literal literals[IRL_CLAUSE_MAX];
  uint32_t m = 0;
  for (uint32_t i = 0; i < n; i++)
    if (i != place) literals[m++] = irl_clause_set_literals(pool, number)[i];
  for (; m && literals[m - 1] > literal; m--) literals[m] = literals[m - 1];
  literals[m] = literal;
  const irl_status status =
      irl_clause_set_add(learner->env, &learner->pool, literals, n, &rule.clauses[k], NULL);
  return status ? status : irl_learner_offer(learner, &rule, is_better);
}

/* Takes the best literal of the first place that has a better one. */
static irl_status replace_one(irl_learner *learner, const irl_bound_rule *bound,
                              irl_equivalents *found, bool *is_better) {
  const irl_equivalent_search search = {.bound = bound,
                                        .settings = &learner->settings,
                                        .least = INT64_MIN,
                                        .most = -1,
                                        .tp = learner->best.tp,
                                        .fp = learner->best.fp,
                                        .min_cases = learner->min_cases,
                                        .max_controls = learner->max_controls};
  const irl_rule *rule = bound->rule;
  irl_status status = IRL_OK;
  for (uint32_t k = 0; k < rule->n_clauses && !status && !*is_better; k++)
    for (uint32_t i = 0; i < irl_rule_clause_size(rule, k) && !status && !*is_better; i++) {
      status = irl_equivalents_find(learner->env, &search, k, i, found);
      learner->work += bound->data->n_features * (bound->cases.stride + bound->controls.stride);
      if (!status && found->n)
        status = put_literal(learner, k, i, found->others[0].literal, is_better);
    }
  return status;
}

static irl_status try_once(irl_learner *learner, irl_equivalents *found, bool *is_better) {
  irl_rule *rule;
  irl_bound_rule bound;
  irl_status status = irl_learner_make_rule(learner->env, &learner->pool, learner->settings.K,
                                            &learner->best, &rule);
  if (status) return status;
  status = irl_rule_bind(learner->env, rule, learner->data, &bound);
  if (!status) {
    status = replace_one(learner, &bound, found, is_better);
    irl_bound_rule_free(learner->env, &bound);
  }
  irl_rule_free(rule);
  return status;
}

bool irl_learn_exchange_literal_is_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return irl_learner_has_rule(learner) &&
         !irl_proof_is_closed(&learner->proof, learner->best.loss) && !settings->is_hamming &&
         !settings->is_paper && !settings->has_pool;
}

irl_status irl_learn_exchange_literal(irl_learner *learner) {
  irl_equivalents *found = irl_mem_alloc(&learner->env->allocator, 1, sizeof *found);
  irl_status status = found ? IRL_OK : irl_fail_memory(learner->env);
  for (bool is_better = true; is_better && !status && irl_learn_exchange_literal_is_due(learner);) {
    is_better = false;
    status = try_once(learner, found, &is_better);
    if (is_better && !status) status = irl_learn_prune_rule(learner);
  }
  irl_mem_free(&learner->env->allocator, found);
  return status;
}
