/* A run: a chain of steps, each of which is taken if it is due. */
#include "base/clock.h"
#include "brcg/brcg.h"
#include "learn/learn.h"
#include "prove/prove.h"

static bool brcg_is_due(const irl_learner *learner) {
  return learner->settings.is_brcg && !learner->settings.has_pool;
}

/* The rule comes from a given pool; or a limit ended the loop right after clauses were found. */
static bool selection_is_due(const irl_learner *learner) {
  const bool is_cut = irl_learn_loop_is_due(learner) && irl_learner_limit_reached(learner);
  return learner->pool.n && (learner->settings.has_pool || is_cut);
}

static irl_status select_rule(irl_learner *learner) {
  irl_learn_rule rule = learner->best;
  const irl_status status = irl_learner_select(learner, UINT64_MAX, &rule);
  return status ? status : irl_learner_offer(learner, &rule, NULL);
}

/* How the run ended. The best rule of a given pool need not be the best of all rules. */
static irl_status conclude(irl_learner *learner) {
  const bool has_rule = irl_learner_has_rule(learner);
  assert(!has_rule || learner->best.n <= learner->settings.K);
  if (irl_learner_is_proven(learner))
    learner->outcome = !has_rule                    ? IRL_OUTCOME_INFEASIBLE
                       : learner->settings.has_pool ? IRL_OUTCOME_FEASIBLE
                                                    : IRL_OUTCOME_OPTIMAL;
  else if (has_rule && !irl_learner_limit_reached(learner))
    learner->outcome = IRL_OUTCOME_FEASIBLE;
  else
    learner->outcome = irl_limit_outcome(&learner->limit);
  return IRL_STATUS_OK;
}

static const struct step {
  bool (*is_due)(const irl_learner *learner); /* NULL: always */
  irl_status (*act)(irl_learner *learner);
} steps[] = {{NULL, irl_learner_merge_samples},
             {brcg_is_due, irl_learn_brcg},
             {irl_learn_samples_is_due, irl_learn_samples},
             {irl_learn_loop_is_due, irl_learn_loop},
             {irl_learn_exchange_is_due, irl_learn_exchange},
             {irl_learn_smaller_is_due, irl_learn_smaller},
             {selection_is_due, select_rule},
             {irl_prove_is_due, irl_prove_rule},
             {irl_prove_read_is_due, irl_prove_read},
             {NULL, irl_learn_prune_rule},
             {irl_learn_shorten_is_due, irl_learn_shorten_rule},
             {NULL, irl_learn_prune_rule},
             {irl_learn_exchange_literal_is_due, irl_learn_exchange_literal},
             {irl_learn_enumerate_pool_is_due, irl_learn_enumerate_pool},
             {NULL, conclude},
             {irl_learn_solve_bp_is_due, irl_learn_solve_bp}};

irl_status irl_learn(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  irl_status status = IRL_STATUS_OK;
  if (settings->form && (settings->is_plain || settings->no_start)) {
    learner->best.loss = IRL_SELECT_NO_LOSS; /* the model begins without a rule */
    status = irl_learn_solve_bp(learner);
  } else {
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
      if (steps[i].is_due && !steps[i].is_due(learner)) continue;
      status = steps[i].act(learner);
      assert(status || irl_clause_set_check(&learner->pool));
      assert(status || steps[i].act == irl_learn_solve_bp ||
             irl_proof_check(&learner->proof, learner->best.loss));
    }
  }
  if (!status && irl_learner_has_rule(learner))
    irl_log(learner->env, IRL_LOG_NOTE, "  the best rule was there after %.2f s of %.2f s",
            learner->best_seconds, irl_clock_now() - learner->env->started);
  return status;
}
