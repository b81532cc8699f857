/* A run: a chain of steps, each of which is taken if it is due. A step belongs to a phase, which
 * says how much work it may take after the last improvement (search/allowance.h) and where its time
 * is booked. */
#include "base/clock.h"
#include "brcg/brcg.h"
#include "learn/learn.h"
#include "prove/prove.h"

#define SHOWN_SECONDS 0.005 /* of a phase that is named in the log */

static bool brcg_is_due(const irl_learner *learner) {
  return learner->settings.method == IRL_METHOD_BRCG && !learner->settings.has_pool;
}

/* The rule comes from a given pool; or a limit ended the loop right after clauses were found. */
static bool selection_is_due(const irl_learner *learner) {
  const bool is_cut = irl_learn_loop_is_due(learner) && irl_search_limit_reached(&learner->search);
  return learner->search.pool.n && (learner->settings.has_pool || is_cut);
}

/* A given pool is asked for a rule, not for a proof, unless that is wanted. */
static bool proof_is_due(const irl_learner *learner) {
  const irl_search *search = &learner->search;
  return !irl_proof_is_closed(&search->proof, search->best.loss) &&
         learner->settings.method != IRL_METHOD_BRCG && irl_search_may_prove(search) &&
         irl_search_left(search) && (!learner->settings.has_pool || search->settings.prove);
}

/* A better rule was found after the exchange, which may go on with it. */
static bool refining_is_due(const irl_learner *learner) {
  return irl_learn_exchange_is_due(learner) && !learner->search.settings.prove &&
         learner->search.best.loss < learner->loss_refined && !irl_search_is_done(&learner->search);
}

static irl_status prove_rule(irl_learner *learner) {
  return irl_prove_rule(&learner->search);
}

static irl_status learn_brcg(irl_learner *learner) {
  return irl_learn_brcg(&learner->search);
}

static irl_status select_rule(irl_learner *learner) {
  irl_search_rule rule = learner->search.best;
  const irl_status status = irl_search_select(&learner->search, UINT64_MAX, &rule);
  return status ? status : irl_search_offer(&learner->search, &rule, NULL);
}

/* How the run ended. The best rule of a given pool need not be the best of all rules. */
static irl_status conclude(irl_learner *learner) {
  const bool has_rule = irl_search_has_rule(&learner->search);
  assert(!has_rule || learner->search.best.n <= learner->problem.K);
  if (irl_search_is_proven(&learner->search))
    learner->outcome = !has_rule                    ? IRL_OUTCOME_INFEASIBLE
                       : learner->settings.has_pool ? IRL_OUTCOME_FEASIBLE
                                                    : IRL_OUTCOME_OPTIMAL;
  else if (has_rule && !irl_search_limit_reached(&learner->search))
    learner->outcome = IRL_OUTCOME_FEASIBLE;
  else
    learner->outcome = irl_limit_outcome(&learner->search.limit);
  return IRL_STATUS_OK;
}

static const struct step {
  bool (*is_due)(const irl_learner *learner); /* NULL: always */
  irl_status (*act)(irl_learner *learner);
  irl_phase phase;
} steps[] = {{NULL, irl_learner_merge_samples, IRL_PHASE_PROVING},
             {brcg_is_due, learn_brcg, IRL_PHASE_SEARCHING},
             {irl_learn_samples_is_due, irl_learn_samples, IRL_PHASE_SEARCHING},
             {irl_learn_loop_is_due, irl_learn_loop, IRL_PHASE_SEARCHING},
             {irl_learn_exchange_is_due, irl_learn_exchange, IRL_PHASE_REFINING},
             {irl_learn_smaller_is_due, irl_learn_smaller, IRL_PHASE_SEARCHING},
             {selection_is_due, select_rule, IRL_PHASE_SEARCHING},
             {proof_is_due, prove_rule, IRL_PHASE_PROVING},
             {NULL, irl_learn_prune_rule, IRL_PHASE_SHORTENING},
             {irl_learn_shorten_is_due, irl_learn_shorten_rule, IRL_PHASE_SHORTENING},
             {NULL, irl_learn_prune_rule, IRL_PHASE_SHORTENING},
             {irl_learn_exchange_literal_is_due, irl_learn_exchange_literal, IRL_PHASE_SHORTENING},
             {refining_is_due, NULL, IRL_PHASE_REFINING}, /* back to the exchange */
             {irl_learn_enumerate_pool_is_due, irl_learn_enumerate_pool, IRL_PHASE_SEARCHING},
             {NULL, conclude, IRL_PHASE_SHORTENING}};

/* When the rule was there, and where the time went. */
static void log_phases(const irl_learner *learner) {
  irl_text text;
  irl_text_init(&text, learner->search.env);
  for (int i = 0; i < IRL_N_PHASE; i++)
    if (learner->search.allowance.seconds[i] >= SHOWN_SECONDS)
      irl_text_printf(&text, ", %s %.2f s", irl_phase_text((irl_phase)i),
                      learner->search.allowance.seconds[i]);
  if (irl_search_has_rule(&learner->search))
    irl_log(learner->search.env, IRL_LOG_NOTE, "  the best rule was there after %.2f s of %.2f s%s",
            learner->search.best_seconds, irl_clock_now() - learner->search.env->started,
            text.failed || !text.length ? "" : text.bytes);
  irl_text_drop(&text);
}

irl_status irl_learn(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  irl_status status = IRL_STATUS_OK;
  if (irl_learn_is_model(settings)) {
    status = irl_learn_solve_bp(learner);
  } else {
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
      irl_search_begin_phase(&learner->search, steps[i].phase);
      if (steps[i].is_due && !steps[i].is_due(learner)) continue;
      if (!steps[i].act) {
        for (i = 0; steps[i].act != irl_learn_exchange; i++) continue;
      }
      status = steps[i].act(learner);
      if (steps[i].act == irl_learn_exchange) learner->loss_refined = learner->search.best.loss;
      assert(status || irl_clause_set_check(&learner->search.pool));
      assert(status || irl_proof_check(&learner->search.proof, learner->search.best.loss));
    }
  }
  irl_search_begin_phase(&learner->search, IRL_PHASE_FINISHING);
  if (!status) log_phases(learner);
  return status;
}
