/* Completing the pool: a curve that is to be proven gets all clauses that there are, if they are
 * few enough to be enumerated, so that what is proven for the pool is proven for all rules. */
#include "clause/enumerate.h"
#include "learn/learn.h"

#define MOST_BYTES ((size_t)1 << 29) /* of covers */

bool irl_learn_enumerate_pool_is_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return settings->aim && learner->search.settings.prove && !settings->has_pool;
}

irl_status irl_learn_enumerate_pool(irl_learner *learner) {
  const irl_data *data = learner->data;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1, .max_controls = data->n_controls, .min_value = IRL_CLAUSE_NO_VALUE};
  const size_t affordable = irl_search_affords(&learner->search, MOST_BYTES) /
                            ((data->cases.stride + data->controls.stride) * sizeof(uint64_t));
  const size_t all = learner->search.settings.tuning.all_clauses;
  const size_t most = affordable < all ? affordable : all;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array found;
  irl_ending ending;
  irl_clause_problem_init(&problem, data);
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = learner->problem.M;
  problem.negations = learner->problem.negations;
  problem.keeps_all = true; /* curves weigh cases, controls and literals in every way */
  irl_status status = irl_clause_model_init(learner->search.env, &model, &problem);
  if (status) return status;
  learner->search.checkpoint.max_clauses = learner->search.pool.n;
  irl_clause_array_init(&found, &learner->search.env->allocator, learner->problem.M);
  const irl_limit part = irl_search_sublimit(&learner->search, UINT64_MAX);
  status = irl_clause_enumerate_all(&(irl_clause_search){learner->search.env, &model, &part,
                                                         learner->search.settings.threads,
                                                         &learner->search.work},
                                    &thresholds, most, &found, &ending);
  learner->is_complete = !status && !ending;
  assert(status || found.n <= most);
  for (size_t i = 0; i < found.n && !status && learner->is_complete; i++) {
    irl_clause clause;
    irl_clause_array_get(&found, i, &clause);
    assert(clause.n && clause.n <= learner->problem.M);
    status = irl_clause_set_add(learner->search.env, &learner->search.pool, clause.literals,
                                clause.n, NULL, NULL);
  }
  if (!status && !learner->is_complete)
    irl_log(learner->search.env, IRL_LOG_NOTE,
            "there are too many clauses to list: points are proven for those that were found");
  irl_clause_array_free(&found);
  irl_clause_model_free(&model);
  return status;
}
