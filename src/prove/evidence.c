/* The evidence of a closed proof, where it was not left on the way.
 *
 * The nodes of a branch and bound are evidence only if the search knew the final loss from the
 * start, and multipliers only if they were made for it. Where the proof has no such evidence (a
 * better rule was found on the way, a bound alone closed it, or it was not recorded) it is searched
 * for here: the branch and bound runs once more, or the enumeration; and if there are many nodes,
 * an enumeration with little work is tried, which a checker may get through faster.
 *
 * All of it obeys the limits of the run: without evidence there is no certificate
 * (IRL_STATUS_LIMIT), and the rule is as proven as before. */
#include "prove/methods.h"
#include "prove/proof_enumerate.h"
#include "prove/prove.h"
#include "prove/rule_bnb.h"

static irl_status cut_short(const irl_search *search) {
  return irl_fail(search->env, IRL_STATUS_LIMIT, "%s while the certificate was made",
                  irl_stopped(search->env) ? "stopped" : "a limit came");
}

/* A branch and bound that knows the final loss, but no bound. */
static irl_status search_nodes(irl_search *search, irl_proof_evidence *evidence) {
  irl_text nodes;
  irl_text_init(&nodes, search->env);
  irl_rule_bnb_task task = {.cap = SIZE_MAX / 2,
                            .target = irl_search_target(search),
                            .has_no_bound = true,
                            .nodes = &nodes};
  const irl_limit left = irl_search_sublimit(search, UINT64_MAX);
  irl_status status = irl_rule_bnb_solve(search, &left, &task);
  if (!status && task.ending) status = cut_short(search);
  assert(status || (task.n_nodes && task.target == irl_search_target(search)));
  *evidence = (irl_proof_evidence){IRL_PROOF_BY_RULE_BNB, .target = task.target};
  evidence->n_nodes = task.n_nodes;
  if (!status) return irl_text_take(&nodes, &evidence->nodes);
  irl_text_drop(&nodes);
  return status;
}

/* An enumeration for the final loss; without success there is no evidence. */
static irl_status search_multipliers(irl_search *search, size_t cap, uint64_t work,
                                     irl_proof_evidence *evidence) {
  irl_proof_enumeration task = {.cap = cap};
  const irl_limit part = irl_search_sublimit(search, work);
  const irl_status status = irl_proof_enumerate(search, &part, &task);
  *evidence = task.evidence;
  if (status || task.bound < search->best.loss)
    irl_proof_evidence_free(evidence, &search->env->allocator);
  return status;
}

bool irl_prove_has_evidence(const irl_search *search) {
  const irl_proof_evidence *evidence = &search->proof.evidence;
  return evidence->target == irl_search_target(search) &&
         (evidence->way == IRL_PROOF_BY_ENUMERATION || evidence->way == IRL_PROOF_BY_CASE_SUBSET ||
          evidence->nodes);
}

irl_status irl_prove_find_evidence(irl_search *search) {
  const irl_allocator *allocator = &search->env->allocator;
  irl_proof_evidence evidence = {.target = -1}, shorter = {.target = -1};
  irl_status status = IRL_STATUS_OK;
  assert(irl_search_is_proven(search));
  if (irl_prove_has_evidence(search)) return IRL_STATUS_OK;
  if (search->proof.evidence.way == IRL_PROOF_BY_ENUMERATION) {
    status = search_multipliers(search, irl_prove_max_cap(search), UINT64_MAX, &evidence);
    if (!status && evidence.target < 0) status = cut_short(search);
  } else {
    status = search_nodes(search, &evidence);
    /* A list says nothing about literals, which a checker that chooses from it goes without. */
    if (!status && evidence.n_nodes > search->settings.tuning.few_nodes &&
        !irl_problem_limits_size(search->problem))
      status = search_multipliers(search, 5 * search->settings.tuning.list_cap,
                                  search->settings.tuning.prove, &shorter);
    if (!status && shorter.target >= 0) {
      irl_proof_evidence_free(&evidence, allocator);
      evidence = shorter;
    }
  }
  if (!status && evidence.target >= 0)
    irl_proof_close(&search->proof, search->best.loss, &evidence, allocator);
  irl_proof_evidence_free(&evidence, allocator);
  return status;
}
