/* The simplest rule first: of all rules with the loss of the best one, one with the fewest clauses
 * and, among those, the fewest literals.
 *
 * Dropping what is not needed (prune_rule.c) ends where nothing more can be dropped, but another
 * rule with the same loss may still be simpler. So short clauses are sought as well, each for what
 * the other clauses of the best rule leave, one length after the other; and then the pool is asked
 * once more, with losses scaled up so far that clauses and literals can be charged behind the
 * point. The selection is exact as far as its work allows, and the pool holds what was found: in
 * general the rule is the simplest of those met, not provably of all. */
#include "base/memory.h"
#include "learn/learn.h"
#include "state/learner.h"

#define SEEK_WORK   ((uint64_t)1e8) /* for one search of clauses, */
#define SELECT_WORK ((uint64_t)1e8) /* for the selection */
#define QUICK_SHARE 10u             /* so many times less if it has to be quick */
#define MAX_LOSS    (IRL_SELECT_NO_LOSS / 64)

static uint64_t share(const irl_learner *learner, uint64_t work) {
  return learner->settings.is_quick ? work / QUICK_SHARE : work;
}

/* Clauses of fewer literals for the place of clause i. */
static irl_status seek_short(irl_learner *learner, uint32_t i, uint64_t *cases,
                             uint64_t *controls) {
  const irl_learn_settings *settings = &learner->settings;
  irl_learn_subproblem question = {.live_cases = cases,
                                   .live_controls = controls,
                                   .case_weight = settings->case_weight,
                                   .control_weight = settings->control_weight,
                                   .budget = UINT64_MAX,
                                   .max_work = share(learner, SEEK_WORK)};
  irl_learn_generated answer;
  irl_status status = IRL_OK;
  irl_learner_uncovered(learner, &learner->best, i, cases, controls);
  if (!irl_bits_kernels()->count(cases, learner->data->cases.stride)) return IRL_OK;
  for (uint32_t m = 1; m < settings->M && !status; m++) {
    if (irl_limit_reached(&learner->limit, learner->work)) break;
    question.max_literals = m;
    status = irl_learner_generate(learner, &question, &answer);
  }
  return status;
}

static irl_status seek_all_short(irl_learner *learner) {
  const irl_allocator *allocator = &learner->env->allocator;
  uint64_t *cases = irl_mem_alloc_aligned(allocator, learner->data->cases.stride, sizeof *cases);
  uint64_t *controls =
      irl_mem_alloc_aligned(allocator, learner->data->controls.stride, sizeof *controls);
  irl_status status = cases && controls ? IRL_OK : irl_fail_memory(learner->env);
  for (uint32_t i = 0; i < learner->best.n && !status; i++)
    status = seek_short(learner, i, cases, controls);
  irl_mem_free_aligned(allocator, cases);
  irl_mem_free_aligned(allocator, controls);
  return status;
}

/* The best choice from the pool by loss, clauses and literals, in this order. */
static irl_status choose(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  irl_learn_rule rule = learner->best;
  const int64_t most = (int64_t)rule.n * settings->M; /* literals, */
  const int64_t scale = rule.n * (most + 1) + most + 1;
  const int64_t all = settings->case_weight * (int64_t)learner->data->n_cases +
                      settings->control_weight * (int64_t)learner->data->n_controls;
  irl_select_problem problem;
  irl_select_result result;
  bool is_better;
  if (all > MAX_LOSS / scale) return IRL_OK;
  irl_learner_set_goal(learner, UINT64_MAX, &problem);
  problem.K = rule.n;
  problem.case_weight *= scale;
  problem.control_weight *= scale;
  problem.clause_cost = problem.clause_cost * scale + most + 1;
  problem.literal_cost = problem.literal_cost * scale + 1;
  const irl_limit part = irl_learner_sublimit(learner, share(learner, SELECT_WORK));
  const irl_status status = irl_select_solve(learner->env, &problem, &part, settings->threads,
                                             rule.clauses, rule.n, &result);
  if (status) return status;
  learner->work += result.work;
  rule.n = result.n;
  return irl_learner_offer(learner, &rule, &is_better);
}

irl_status irl_learn_shorten_rule(irl_learner *learner) {
  if (learner->best.literals < 2 || irl_limit_reached(&learner->limit, learner->work))
    return IRL_OK;
  irl_status status = learner->settings.has_pool ? IRL_OK : seek_all_short(learner);
  if (!status && !irl_limit_reached(&learner->limit, learner->work)) status = choose(learner);
  return status;
}
