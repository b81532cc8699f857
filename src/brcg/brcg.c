/* Learning by column generation (Dash, Gunluk, Wei 2018: BRCG) for the Hamming loss: columns until
 * the LP is solved, a rule from the columns now and then, at the end the best one of them; then
 * branch and price where bound and rule do not meet. */
#include "brcg/brcg.h"
#include "state/effort.h"

static bool is_power_of_two(uint32_t n) {
  return (n & (n - 1)) == 0;
}

/* Rounds until the LP is solved or the learner has done so much work. */
static irl_status add_columns(irl_brcg *cg, uint64_t end, bool *is_done) {
  irl_learner *learner = cg->learner;
  irl_status status = IRL_STATUS_OK;
  cg->end = end;
  for (uint32_t round = 1; !status && !*is_done && learner->work < end; round++) {
    status = irl_brcg_step(cg, learner->best.loss, is_done);
    if (!status && (*is_done || is_power_of_two(round)))
      status = irl_brcg_restricted_mip(cg, IRL_EFFORT_SELECT_SHORT);
    irl_proof_raise(&learner->proof, cg->bound, learner->best.loss);
    if (is_power_of_two(round)) irl_learner_log(learner, "columns", UINT64_MAX);
  }
  return status;
}

/* Columns, then branch and price. */
static irl_status run(irl_brcg *cg) {
  irl_learner *learner = cg->learner;
  bool is_done = false;
  irl_status status =
      add_columns(cg, learner->settings.prove ? UINT64_MAX : IRL_EFFORT_COLUMNS, &is_done);
  if (!status) status = irl_brcg_restricted_mip(cg, IRL_EFFORT_SELECT);
  irl_proof_raise(&learner->proof, cg->bound, learner->best.loss);
  if (!status) irl_learner_log(learner, "columns", UINT64_MAX);
  /* Without a proof at the root there is nothing to branch on. */
  if (!status && cg->proof.control && !irl_learner_is_done(learner)) {
    status = irl_brcg_branch(cg, learner->settings.prove ? UINT64_MAX : IRL_EFFORT_BRANCH);
    irl_learner_log(learner, "branch", UINT64_MAX);
  }
  return status;
}

irl_status irl_learn_brcg(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  irl_brcg cg;
  learner->proof.method = IRL_PROOF_COLUMNS;
  irl_status status =
      irl_brcg_init(&cg, learner, &learner->pool, settings->case_weight, settings->control_weight);
  if (!status) status = irl_brcg_make_master(&cg);
  if (!status) status = run(&cg);
  irl_brcg_free_master(&cg);
  irl_brcg_free(&cg);
  return status;
}
