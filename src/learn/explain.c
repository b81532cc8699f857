/* Why there is no rule, or why it is empty, and what could be reached: said in words. */
#include "learn/fit_result.h"
#include "state/effort.h"

/* Limits are in the user's terms, counts in those of the data, which a CNF reflects. */
static irl_status explain_none(irl_learner *learner, irl_text *text) {
  const irl_scope *scope = learner->scope;
  const irl_data *data = learner->data;
  const bool is_cnf = data->is_reflected;
  const uint64_t budget =
      learner->max_controls < data->n_controls ? learner->max_controls : data->n_controls;
  if (learner->outcome != IRL_OUTCOME_INFEASIBLE) {
    irl_text_puts(text, "no rule was found before the limit");
    return IRL_STATUS_OK;
  }
  /* The most cases that a choice from the pool covers within the limits on controls and size. */
  const irl_limit part = irl_learner_sublimit(learner, IRL_EFFORT_SELECT_SHORT);
  irl_select_problem problem;
  irl_select_result reach = {.n = 0};
  uint32_t chosen[IRL_LEARN_MAX_K];
  irl_learner_set_goal(learner, budget, &problem);
  const irl_status status = learner->pool.n
                                ? irl_select_solve(learner->env, &problem, &part, chosen, &reach)
                                : IRL_STATUS_OK;
  if (status) return status;
  assert(reach.cases <= data->n_cases && reach.controls <= budget);
  irl_text_printf(text, "no rule within K = %u, M = %u has ", learner->settings.K,
                  learner->settings.M);
  const double first = is_cnf ? scope->min_specificity : scope->min_sensitivity;
  const double second = is_cnf ? scope->min_sensitivity : scope->min_specificity;
  const char *const names[] = {"sensitivity", "specificity"};
  irl_text_printf(text, "%s >= %.6g", names[is_cnf], first);
  if (second > 0) irl_text_printf(text, " and %s >= %.6g", names[!is_cnf], second);
  irl_text_printf(text, "; the best found reaches %s %.4g", names[is_cnf],
                  (double)reach.cases / data->n_cases);
  if (second > 0)
    irl_text_printf(text, " with %s %.4g", names[!is_cnf],
                    1 - (double)reach.controls / data->n_controls);
  return IRL_STATUS_OK;
}

static void explain_empty(const irl_learner *learner, irl_text *text) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_clause_set *pool = &learner->pool;
  const irl_learn_settings *settings = &learner->settings;
  irl_text_puts(text, learner->data->is_reflected ? "the best rule is TRUE: no clause "
                                                  : "the best rule is FALSE: no clause ");
  if (!pool->n) {
    irl_text_puts(text, "was found");
    return;
  }
  /* The clause of the pool that would make the best rule by itself. */
  int64_t least = INT64_MAX;
  uint32_t best = 0;
  for (uint32_t k = 0; k < pool->n; k++) {
    const uint64_t tp = kernels->count(irl_bits_vector(&pool->cases, k), pool->cases.stride);
    const uint64_t fp = kernels->count(irl_bits_vector(&pool->controls, k), pool->controls.stride);
    const int64_t loss = settings->case_weight * (int64_t)(learner->data->n_cases - tp) +
                         settings->control_weight * (int64_t)fp +
                         irl_learner_cost(learner, pool->sizes[k]);
    if (loss >= least) continue;
    least = loss;
    best = k;
  }
  irl_text_puts(text, "pays for itself; the best one found, (");
  for (uint32_t i = 0; i < pool->sizes[best]; i++) {
    const irl_literal literal = irl_clause_set_literals(pool, best)[i];
    irl_text_printf(text, "%s%s", i ? " AND " : "", irl_literal_is_negated(literal) ? "NOT " : "");
    irl_text_puts(text, irl_names_get(&learner->data->names, irl_literal_feature(literal)));
  }
  irl_text_printf(text, "), would cost %.6g, the empty rule costs %.6g",
                  irl_learner_objective(learner, least),
                  irl_learner_objective(learner, learner->best.loss));
}

irl_status irl_learn_explain(irl_learner *learner, char **reason) {
  irl_text text;
  irl_status status = IRL_STATUS_OK;
  *reason = NULL;
  if (irl_learner_has_rule(learner) && learner->best.n) return IRL_STATUS_OK;
  irl_text_init(&text, learner->env);
  if (irl_learner_has_rule(learner))
    explain_empty(learner, &text);
  else
    status = explain_none(learner, &text);
  if (!status) return irl_text_take(&text, reason);
  irl_text_drop(&text);
  return status;
}
