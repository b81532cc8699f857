/* Learning by column generation (Dash, Gunluk, Wei 2018: BRCG) for the Hamming loss: columns until
 * the LP is solved, a rule from the columns now and then, at the end the best one of them; then
 * branch and price where bound and rule do not meet. */
#include "brcg/brcg.h"

static bool is_power_of_two(uint32_t n) {
  return (n & (n - 1)) == 0;
}

/* Rounds until the LP is solved or the search has done so much work. */
static irl_status add_columns(irl_brcg *cg, uint64_t end, bool *is_done) {
  irl_search *search = cg->search;
  irl_status status = IRL_STATUS_OK;
  cg->end = end;
  for (uint32_t round = 1; !status && !*is_done && search->work < end; round++) {
    status = irl_brcg_step(cg, search->best.loss, is_done);
    if (!status && (*is_done || is_power_of_two(round)))
      status = irl_brcg_restricted_mip(cg, irl_tuning_select_short(&search->settings.tuning));
    irl_proof_raise(&search->proof, cg->bound, search->best.loss);
    if (is_power_of_two(round)) irl_search_log(search, "columns", UINT64_MAX);
  }
  return status;
}

/* Columns, then branch and price. */
static irl_status run(irl_brcg *cg) {
  irl_search *search = cg->search;
  bool is_done = false;
  irl_status status = add_columns(
      cg, search->settings.prove ? UINT64_MAX : search->settings.tuning.columns, &is_done);
  if (!status) status = irl_brcg_restricted_mip(cg, search->settings.tuning.select);
  irl_proof_raise(&search->proof, cg->bound, search->best.loss);
  if (!status) irl_search_log(search, "columns", UINT64_MAX);
  /* Without a proof at the root there is nothing to branch on. */
  if (!status && cg->proof.control && !irl_search_is_done(search)) {
    status =
        irl_brcg_branch(cg, search->settings.prove ? UINT64_MAX : search->settings.tuning.columns);
    irl_search_log(search, "branch", UINT64_MAX);
  }
  return status;
}

irl_status irl_learn_brcg(irl_search *search) {
  irl_brcg cg;
  search->proof.method = IRL_PROOF_COLUMNS;
  irl_status status = irl_brcg_init(&cg, search);
  if (!status) status = irl_brcg_make_master(&cg);
  if (!status) status = run(&cg);
  irl_brcg_free_master(&cg);
  irl_brcg_free(&cg);
  return status;
}
