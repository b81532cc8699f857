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

irl_status irl_fit_take_start(irl_learner *learner, const irl_rule *start) {
  irl_bound_rule bound;
  irl_learn_rule rule = {.n = 0};
  irl_status status = check(learner->env, learner, start);
  if (!status) status = irl_rule_bind(learner->env, start, learner->data, &bound);
  if (status) return status;
  for (size_t k = 0; k < start->n_clauses && !status; k++) {
    uint32_t literals[IRL_CLAUSE_MAX], number, n = 0;
    bool is_new;
    for (size_t i = start->start[k]; i < start->start[k + 1]; i++)
      irl_literal_insert(literals, n++, irl_bound_rule_literal(&bound, start->literals[i]));
    status = irl_clause_set_add(learner->env, &learner->pool, literals, n, &number, &is_new);
    if (!status && rule.n < learner->settings.K && is_new) rule.clauses[rule.n++] = number;
  }
  irl_bound_rule_free(learner->env, &bound);
  return status ? status : irl_learner_offer(learner, &rule, NULL);
}
