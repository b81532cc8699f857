/* Bounds on the weighted error by column generation. A control is paid once however many of at most
 * K clauses cover it, so
 *
 *   K * error  >=  K * case_weight * (cases left out) + control_weight * (covers of controls)
 *
 * and the right side is a Hamming loss: its bound over K is one on the error, and a clause that no
 * rule with less Hamming loss than K * (U - 1) may hold is in no rule with less error than U. Where
 * few clauses are left the selection engine proves the best choice of them for the error itself. */
#include "learn/brcg.h"
#include "learn/loss.h"

/* The learner's bound by that of the Hamming loss. */
static void raise_bound(irl_brcg *cg) {
  irl_learner *learner = cg->learner;
  const irl_learn_settings *settings = &learner->settings;
  const int64_t share = (cg->bound + cg->share - 1) / cg->share;
  const int64_t bound =
      irl_loss_round_up(share, settings->case_weight, settings->control_weight, cg->data->n_cases);
  if (bound > learner->bound) learner->bound = bound;
  if (learner->bound > learner->best.loss) learner->bound = learner->best.loss;
}

irl_status irl_learn_bound_by_columns(irl_learner *learner, size_t cap, uint64_t max_work) {
  const irl_learn_settings *settings = &learner->settings;
  const uint64_t end =
      max_work < UINT64_MAX - learner->work ? learner->work + max_work : UINT64_MAX;
  const uint32_t K = irl_brcg_most_clauses(settings);
  irl_brcg cg = {0};
  bool is_complete = false;
  if (!K || settings->penalty) return IRL_OK; /* the columns know nothing of penalties */
  irl_status status =
      irl_brcg_init(&cg, learner, K * settings->case_weight, settings->control_weight);
  cg.share = K;
  if (!status) status = irl_brcg_generate(&cg, K * (learner->best.loss - 1) + 1, max_work);
  if (!status) raise_bound(&cg);
  if (!status && cap && learner->work < end && !irl_learner_must_end(learner))
    status = irl_brcg_enumerate(&cg, cap, end - learner->work, &is_complete);
  if (is_complete) learner->bound = learner->best.loss;
  irl_brcg_free(&cg);
  return status;
}
