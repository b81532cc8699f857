/* A run, part by part: the loop, refining and the proof, or column generation; tidying; for a curve
 * also what it needs; then the direct model, if asked. */
#include "base/clock.h"
#include "brcg/brcg.h"
#include "learn/learn.h"
#include "prove/prove.h"
#include "state/learner.h"

static irl_status choose(irl_learner *learner) {
  irl_learn_rule rule = learner->best;
  bool is_better;
  if (!learner->pool.n) return IRL_OK;
  const irl_status status = irl_learner_select(learner, UINT64_MAX, &rule);
  return status ? status : irl_learner_offer(learner, &rule, &is_better);
}

/* The loop once more for each smaller M, so that the pool has clauses of every size. */
static irl_status find_small(irl_learner *learner) {
  irl_status status = IRL_OK;
  for (uint32_t m = learner->settings.M - 1; m && !status && !irl_learner_limit_reached(learner);
       m--) {
    irl_learner_outer outer;
    status = irl_learner_enter(learner, m, &outer);
    if (!status) status = irl_learn_loop(learner);
    status = irl_learner_leave(learner, &outer, status);
  }
  return status;
}

/* The pool, and a rule from it. */
static irl_status find(irl_learner *learner) {
  if (learner->settings.has_pool) return choose(learner);
  if (learner->settings.is_brcg) return irl_learn_brcg(learner);
  irl_status status = irl_learn_loop(learner);
  if (!status && !learner->settings.is_paper)
    status = irl_learn_exchange(learner, learner->settings.is_quick);
  if (!status && learner->settings.all_sizes) status = find_small(learner);
  /* A limit may end the loop right after clauses were found: the rule is chosen from them anyway.
   */
  if (!status && irl_limit_reached(&learner->limit, learner->work)) status = choose(learner);
  return status;
}

/* A given pool is asked for a rule, not for a proof, unless that is wanted. */
static bool is_proof_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return learner->best.loss > learner->proof.bound && !settings->is_brcg &&
         irl_learner_may_prove(learner) && (!settings->has_pool || settings->prove);
}

/* A run ends: how? */
static void conclude(irl_learner *learner) {
  const bool is_ended = irl_learner_limit_reached(learner);
  const bool has_rule = irl_learner_has_rule(learner);
  const bool is_proven = learner->best.loss <= learner->proof.bound && !learner->proof.is_read;
  learner->outcome = is_proven               ? has_rule ? IRL_OPTIMAL : IRL_INFEASIBLE
                     : is_ended || !has_rule ? irl_limit_outcome(&learner->limit)
                                             : IRL_FEASIBLE;
  /* The best of a pool is not sought among all rules. */
  if (learner->settings.has_pool && learner->outcome == IRL_OPTIMAL)
    learner->outcome = IRL_FEASIBLE;
}

static bool is_completion_due(const irl_learn_settings *settings) {
  return settings->for_curve && settings->prove && !settings->has_pool;
}

static irl_status run(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  if (settings->form && (settings->is_plain || settings->no_start)) {
    learner->best.loss = IRL_SELECT_NO_LOSS; /* there is no rule yet */
    return irl_learn_solve_bp(learner);
  }
  irl_status status = irl_learner_merge_samples(learner);
  if (!status) status = find(learner);
  if (!status && is_proof_due(learner)) status = irl_prove_rule(learner);
  if (!status && learner->proof.is_read && learner->best.loss <= learner->proof.bound)
    status = irl_prove_read(learner);
  if (!status) status = irl_learn_prune_rule(learner);
  if (!status && !settings->is_paper) status = irl_learn_shorten_rule(learner);
  if (!status) status = irl_learn_prune_rule(learner);
  if (!status) status = irl_learn_exchange_literal(learner);
  if (!status && is_completion_due(&learner->settings)) status = irl_learn_enumerate_pool(learner);
  if (!status) conclude(learner);
  return status || !settings->form ? status : irl_learn_solve_bp(learner);
}

irl_status irl_learn(irl_learner *learner) {
  const irl_status status = run(learner);
  if (!status && irl_learner_has_rule(learner))
    irl_log(learner->env, IRL_LOG_NOTE, "  the best rule was there after %.2f s of %.2f s",
            learner->best_seconds, irl_clock_now() - learner->env->started);
  return status;
}
