/* A warm start: the clauses of a rule go to the pool before the run, and the rule itself is the
 * first one if it is within the limits. The bound does not depend on it, only how soon it helps. */
#include "learn/fit.h"

static irl_status check(irl_env *env, const irl_learner *learner, const irl_rule *start) {
  const irl_data *data = learner->data;
  if (start->positive && strcmp(start->positive, data->positive) &&
      !strcmp(start->positive, data->negative))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "the rule to start from is for '%s', and the clauses to be learnt are for "
                    "'%s'%s",
                    start->positive, data->positive,
                    data->is_reflected ? ": a CNF says no where one of them holds" : "");
  for (size_t k = 0; k < start->n_clauses; k++) {
    const size_t n = start->start[k + 1] - start->start[k];
    if (!n || n > learner->settings.M)
      return irl_fail(env, IRL_BAD_ARGUMENT,
                      "clause %zu of the rule to start from has %zu literals, not 1 to M = %u",
                      k + 1, n, learner->settings.M);
  }
  for (size_t i = 0; i < start->n_literals && !learner->settings.negations; i++)
    if (irl_data_may_negate(data) &&
        irl_literal_is_negated(start->literals[i]) != irl_data_is_complemented(data))
      return irl_fail(env, IRL_BAD_ARGUMENT,
                      "the rule to start from has negated literals: option negations allows them");
  return IRL_OK;
}

static irl_status add_clauses(irl_learner *learner, const irl_bound_rule *bound) {
  irl_learn_rule rule = {.n = 0};
  irl_status status = IRL_OK;
  bool is_new;
  const size_t n = bound->rule->n_clauses;
  for (size_t k = 0; k < n && !status; k++) {
    uint32_t literals[IRL_CLAUSE_MAX], number;
    const size_t size = bound->rule->start[k + 1] - bound->rule->start[k];
    for (uint32_t i = 0; i < size; i++)
      irl_literal_insert(
          literals, i,
          irl_bound_rule_literal(bound, bound->rule->literals[bound->rule->start[k] + i]));
    status = irl_clause_set_add(learner->env, &learner->pool, literals, (uint32_t)size, &number,
                                &is_new);
    if (!status && rule.n < learner->settings.K && is_new) rule.clauses[rule.n++] = number;
  }
  return status ? status : irl_learner_offer(learner, &rule, &is_new);
}

irl_status irl_fit_take_start(irl_learner *learner, const irl_rule *start) {
  irl_bound_rule bound;
  irl_status status = check(learner->env, learner, start);
  if (!status) status = irl_rule_bind(learner->env, start, learner->data, &bound);
  if (status) return status;
  status = add_clauses(learner, &bound);
  irl_bound_rule_free(learner->env, &bound);
  return status;
}
