/* The last look at a rule: is there a place where another literal is better? A search that a limit
 * has cut may not have come to that, and it costs no more than counting once for each place. */
#include "base/memory.h"
#include "learn/equivalent.h"
#include "learn/fit_result.h"
#include "learn/learn.h"

/* Takes the best literal of the first place that has a better one. */
static irl_status replace_one(irl_learner *learner, const irl_bound_rule *bound,
                              irl_equivalents *found, bool *is_better) {
  const irl_equivalent_search search = {.bound = bound,
                                        .problem = &learner->problem,
                                        .threads = learner->search.settings.threads,
                                        .least = INT64_MIN,
                                        .most = -1,
                                        .tp = learner->search.best.tp,
                                        .fp = learner->search.best.fp};
  irl_clause_set *pool = &learner->search.pool;
  irl_status status = IRL_STATUS_OK;
  assert(bound->rule->n_clauses == learner->search.best.n);
  for (uint32_t k = 0; k < learner->search.best.n && !status && !*is_better; k++) {
    const uint32_t number = learner->search.best.clauses[k], n = pool->sizes[number];
    assert(irl_rule_clause_size(bound->rule, k) == n);
    for (uint32_t place = 0; place < n && !status && !*is_better; place++) {
      status = irl_equivalents_find(learner->search.env, &search, k, place, found);
      learner->search.work +=
          bound->data->n_features * (bound->cases.stride + bound->controls.stride);
      if (status || !found->n) continue;
      irl_search_rule rule = learner->search.best;
      irl_literal literals[IRL_CLAUSE_MAX];
      uint32_t m = 0;
      assert(found->others[0].change < 0);
      for (uint32_t i = 0; i < n; i++)
        if (i != place) literals[m++] = irl_clause_set_literals(pool, number)[i];
      irl_literal_insert(literals, m, found->others[0].literal);
      status = irl_clause_set_add(learner->search.env, pool, literals, n, &rule.clauses[k], NULL);
      if (!status) status = irl_search_offer(&learner->search, &rule, is_better);
    }
  }
  return status;
}

bool irl_learn_exchange_literal_is_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return irl_search_has_rule(&learner->search) &&
         !irl_proof_is_closed(&learner->search.proof, learner->search.best.loss) &&
         irl_problem_shares_controls(&learner->problem) && !settings->is_paper &&
         !settings->has_pool;
}

irl_status irl_learn_exchange_literal(irl_learner *learner) {
  irl_env *env = learner->search.env;
  irl_equivalents *found = irl_mem_alloc(&env->allocator, 1, sizeof *found);
  irl_status status = found ? IRL_STATUS_OK : irl_fail_memory(env);
  for (bool is_better = true; is_better && !status && irl_learn_exchange_literal_is_due(learner);) {
    irl_rule *rule = NULL;
    irl_bound_rule bound;
    is_better = false;
    status = irl_search_make_rule(env, &learner->search.pool, learner->problem.K,
                                  &learner->search.best, &rule);
    if (!status && !(status = irl_rule_bind(env, rule, learner->data, &bound))) {
      status = replace_one(learner, &bound, found, &is_better);
      irl_bound_rule_free(env, &bound);
    }
    irl_rule_free(rule);
    if (is_better && !status) status = irl_learn_prune_rule(learner);
  }
  irl_mem_free(&env->allocator, found);
  return status;
}
