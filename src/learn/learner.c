#include "learn/learner.h"
#include "base/memory.h"
#include "data/shard.h"

void irl_learner_set(irl_learner *learner, const irl_problem *problem,
                     const irl_learn_settings *settings) {
  irl_search_settings *search = &learner->search.settings;
  const irl_merged merged = learner->problem.merged;
  learner->problem = *problem;
  learner->problem.merged = merged;
  learner->problem.whole = learner->whole ? learner->whole : problem->data;
  if (!problem->max_complexity) learner->problem.max_complexity = UINT64_MAX;
  learner->settings = *settings;
  irl_tuning_fill(&learner->settings.search.tuning);
  *search = learner->settings.search;
  if (irl_learn_form(settings) && !irl_learn_is_model(settings) && !search->prove)
    search->prove = IRL_SEARCH_PROVE;
  search->is_final = settings->is_paper || settings->has_pool;
  search->is_open_ended =
      search->prove || settings->aim || settings->is_paper || settings->method == IRL_METHOD_BRCG ||
      search->effort != IRL_SEARCH_FULL || settings->has_pool || irl_learn_form(settings);
}

irl_status irl_learner_init(irl_learner *learner, irl_env *env, const irl_problem *problem,
                            const irl_learn_settings *settings, const irl_limit *limit) {
  const irl_data *data = problem->data;
  *learner = (irl_learner){.data = data, .outcome = IRL_OUTCOME_FEASIBLE};
  irl_learner_set(learner, problem, settings);
  const irl_search_settings search = learner->search.settings;
  const irl_status status =
      irl_search_init(&learner->search, env, &learner->problem, &search, limit);
  if (status) return status;
  const size_t case_words = data->cases.stride, words = case_words + data->controls.stride;
  learner->live_cases = irl_mem_alloc_aligned(&env->allocator, words, sizeof(uint64_t));
  if (!learner->live_cases) return irl_fail_memory(env);
  learner->live_controls = learner->live_cases + case_words;
  return IRL_STATUS_OK;
}

irl_status irl_learner_merge_samples(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const bool may_prove = irl_search_may_prove(&learner->search);
  const bool may_merge =
      irl_problem_is_simple(learner->search.problem) && !settings->is_paper && may_prove;
  irl_status status = IRL_STATUS_OK;
  if (learner->data->shard && may_prove)
    status = irl_shard_whole(learner->search.env, learner->data, &learner->whole);
  if (learner->whole) learner->problem.whole = learner->whole;
  if (!status)
    status = irl_merged_init(
        learner->search.env, &learner->problem.merged, learner->problem.whole,
        (const int64_t[2]){learner->problem.case_weight, learner->problem.control_weight},
        may_merge, irl_search_threads(&learner->search));
  if (!status && learner->whole)
    status =
        irl_shard_copy(learner->search.env,
                       learner->problem.merged.own ? learner->problem.merged.own : learner->whole);
  learner->search.proof.least = learner->search.proof.bound = learner->problem.merged.offset;
  return status;
}

void irl_learner_free(irl_learner *learner) {
  if (!learner->search.env) return;
  irl_mem_free_aligned(&learner->search.env->allocator, learner->live_cases);
  irl_search_free(&learner->search);
  irl_merged_free(&learner->problem.merged);
  irl_data_free(learner->whole);
}

void irl_learner_enter(irl_learner *learner, uint32_t M, irl_learner_outer *outer) {
  assert(M && M <= learner->problem.M);
  *outer = (irl_learner_outer){learner->problem.M, learner->search.best, learner->search.proof,
                               learner->search.allowance, learner->search.best_seconds};
  learner->problem.M = M;
  learner->search.best = (irl_search_rule){.n = 0};
  learner->search.proof.evidence =
      (irl_proof_evidence){.target = -1}; /* the bound holds here as well */
  learner->search.proof.steps = (irl_cutoff_steps){.last = 0};
  irl_search_weigh(&learner->search, &learner->search.best);
  learner->search.checkpoint.outer_best = &outer->best;
  learner->search.checkpoint.outer_proof = &outer->proof;
}

irl_status irl_learner_leave(irl_learner *learner, irl_learner_outer *outer, irl_status status) {
  const irl_search_rule inner = learner->search.best;
  irl_proof_evidence_free(&learner->search.proof.evidence, &learner->search.env->allocator);
  learner->search.checkpoint.outer_best = NULL;
  learner->search.checkpoint.outer_proof = NULL;
  learner->problem.M = outer->M;
  learner->search.best = outer->best;
  learner->search.proof = outer->proof;
  learner->search.best_seconds = outer->best_seconds;
  learner->search.allowance.best_work = outer->allowance.best_work;
  learner->search.allowance.counted_from = outer->allowance.counted_from;
  return status ? status : irl_search_offer(&learner->search, &inner, NULL);
}

uint64_t irl_learner_uncovered(irl_learner *learner, const irl_search_rule *rule, uint32_t except) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_clause_set *pool = &learner->search.pool;
  const irl_data *data = learner->data;
  uint64_t *cases = learner->live_cases, *controls = learner->live_controls;
  irl_bits_fill(cases, data->n_cases, data->cases.stride);
  irl_bits_fill(controls, data->n_controls, data->controls.stride);
  for (uint32_t i = 0; i < rule->n; i++) {
    const uint32_t k = rule->clauses[i];
    if (i == except) continue;
    assert(k < pool->n);
    kernels->andnot_into(cases, cases, irl_bits_vector(&pool->cases, k), data->cases.stride);
    if (irl_problem_shares_controls(&learner->problem))
      kernels->andnot_into(controls, controls, irl_bits_vector(&pool->controls, k),
                           data->controls.stride);
  }
  return irl_data_weigh(data, 0, cases);
}
