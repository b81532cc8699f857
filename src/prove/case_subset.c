/* Proving on few cases, for noise and many features. Fast where a few heavy cases decide.
 *
 * Let U be the target: rules of less loss are sought. Keep any set of cases, each of which weighs e
 * or more, and forget the others: e * (kept cases left uncovered) + (weight of covered controls) is
 * at most the loss of a rule. So a proof may look at the kept cases alone. At the root, with W kept
 * cases, one of the K clauses covers at least T = (e * W - (U - 1)) / (K * e) of them (the lemma of
 * rule_list.c). Which cases are kept decides how sharp that is:
 *
 *   those that the best rule leaves uncovered   their loss is in U already;
 *   k of each of its clauses, which no other    once a clause of the best rule is taken, the same
 *   of its clauses covers, and one more for     number of cases is left to each of the others: T is
 *   each case's worth of controls it covers     about k at the root and at all nodes below.
 *
 * Hence ONE list of all clauses with at least T kept cases and at most (U - 1) / w0 controls serves
 * the whole tree, where a branch and bound that counts all cases lists clauses anew at each node;
 * and the columns are short, a few hundred bits, so that all triples of literals can be counted
 * (clause/covering.c). A random triple covers an eighth of the kept cases, and about 1/K of them
 * are asked for: with K up to 6 or 7 there are few such triples, and few clauses. With more clauses
 * to a rule random triples pass and the list has no end; then there is nothing to be had here.
 *
 * Where the clauses of the best rule overlap, few cases are left to one of them alone; then all
 * cases, or one in so many, are kept instead.
 *
 * More kept cases tell a planted clause from a random one more surely, fewer are counted faster:
 * which are kept is chosen by a sample of the triples (clause/covering_estimate.c), and the listing
 * begins only if it is expected to end within the work allowed. A target below the loss of the best
 * rule asks for clauses that cover more cases and fewer controls, which takes less. So targets rise
 * from low ones, each with a part of the work that is left: a long proof begins with them, and
 * where it is out of reach they leave a bound.
 *
 * Choices of cases are made in subset_plan.c, lists in subset_list.c, bounds in subset_bounds.c.
 *
 * For the weighted loss without penalties and limits; other losses need other values. */
#include "base/memory.h"
#include "prove/subset_plan.h"
#include <math.h>

/* The kept cases in terms of the original ones. */
static irl_status keep_evidence(const irl_subset *x, const irl_subset_plan *p, int64_t target,
                                irl_proof_evidence *evidence) {
  const irl_search *search = x->search;
  const size_t words = search->problem->data->cases.stride;
  *evidence = (irl_proof_evidence){.way = IRL_PROOF_BY_CASE_SUBSET, .target = target};
  evidence->relaxed =
      irl_mem_alloc_aligned(&search->env->allocator, words, sizeof *evidence->relaxed);
  if (!evidence->relaxed) return irl_fail_memory(search->env);
  for (uint32_t i = 0; i < x->merged->data->n_cases; i++)
    if (irl_bits_get(x->keep, i))
      irl_bits_set(evidence->relaxed, x->merged->own ? x->merged->case_index[i] : i);
  assert(p->least && p->target > 0);
  evidence->largest = p->least;
  return IRL_STATUS_OK;
}

/* Says why nothing was tried, where a proof is wanted. */
static void log_refusal(const irl_subset *x, const irl_subset_plan *p) {
  if (!x->search->settings.prove || x->prover->is_once) return;
  if (p->work < INFINITY)
    irl_log(x->search->env, IRL_LOG_NOTE,
            "  case subset: about %.2g words for all clauses with %u of %u cases: not tried",
            p->work, p->least, p->n_kept);
  else
    irl_log(x->search->env, IRL_LOG_NOTE,
            "  case subset: %u of %u cases are no more than chance covers, about %.2g triples "
            "of literals do: not tried",
            p->least, p->n_kept, p->n_triples);
}

/* A better rule was found on the way and is proven; a certificate wants to know it from the start.
 */
static irl_status prove_again(irl_subset *x, irl_proof_evidence *evidence) {
  const irl_search *search = x->search;
  const int64_t target = irl_search_target(search), next = irl_merged_target(x->merged, target);
  irl_subset_plan plan;
  bool is_closed = false;
  if (search->settings.prove != IRL_SEARCH_CERTIFY || !search->best.n || next <= 0 ||
      !irl_subset_look_at_rule(x))
    return IRL_STATUS_OK;
  irl_status status = irl_subset_make_plan(x, next, &plan);
  if (!status && plan.work < INFINITY) status = irl_subset_run(x, &plan, &is_closed);
  return status || !is_closed ? status : keep_evidence(x, &plan, target, evidence);
}

static irl_status prove(irl_subset *x, bool *is_closed, irl_proof_evidence *evidence) {
  irl_search *search = x->search;
  const int64_t target = irl_search_target(search);
  const bool is_once = x->prover->is_once;
  const double fill = (double)search->settings.tuning.list_fill;
  irl_subset_plan whole;
  irl_status status = irl_subset_make_plan(x, irl_merged_target(x->merged, target), &whole);
  if (status) return status;
  /* A long list comes first if half of the work is enough for it; otherwise low targets do. */
  const bool is_in_reach =
      irl_search_uses(search, IRL_PROOF_CASE_SUBSET) && irl_subset_is_worth(x, &whole);
  const bool is_first = whole.work < irl_subset_long_work(x) ||
                        whole.work <= (double)irl_subset_limit(x).max_work / 2;
  if (!is_in_reach) log_refusal(x, &whole);
  /* What listing takes is foreseen, the tree is not: if it does not end, a bound has the rest. */
  if (is_in_reach && is_first)
    status = irl_subset_run_part(x, &whole, is_once ? 1 : 100.0 / fill, is_closed);
  if (!status && !*is_closed && !is_once && irl_search_target(search) == target)
    status = irl_subset_raise_bounds(x, is_in_reach && !is_first ? 0.5 : 1);
  if (!status && is_in_reach && !is_first && irl_search_target(search) == target)
    status = irl_subset_run_part(x, &whole, 1, is_closed);
  if (!status && is_in_reach && !is_first && !*is_closed && !is_once &&
      irl_search_target(search) == target)
    status = irl_subset_raise_bounds(x, 1);
  if (status || !*is_closed) return status;
  assert(irl_search_target(search) <= target);
  return irl_search_target(search) == target ? keep_evidence(x, &whole, target, evidence)
                                             : prove_again(x, evidence);
}

/* ---- the method ---- */

/* Is the problem one that it is for? */
static bool fits(const irl_search *search) {
  const irl_problem *problem = search->problem;
  return irl_problem_is_simple(problem) && !irl_problem_limits_size(problem) && problem->M >= 3 &&
         problem->K >= 2 && irl_search_has_rule(search) && search->best.n &&
         irl_merged_target(&problem->merged, irl_search_target(search)) > 0;
}

static bool case_subset_applies(const irl_prover *p) {
  return !irl_prover_is_small(p) && p->effort >= p->search->settings.tuning.prove / 10 &&
         fits(p->search);
}

/* It makes plans itself, and begins only what fits. */
static double estimate_case_subset(const irl_prover *p) {
  return (double)p->effort;
}

static irl_status run_case_subset(irl_prover *p) {
  irl_search *search = p->search;
  const irl_allocator *allocator = &search->env->allocator;
  irl_proof_evidence evidence = {.target = -1};
  bool is_closed = false;
  if (!fits(search)) return IRL_STATUS_OK;
  irl_subset x = {.search = search,
                  .prover = p,
                  .merged = &search->problem->merged,
                  .cap = p->cap ? p->cap : irl_prove_max_cap(search),
                  .limit = irl_prover_limit(p),
                  .start = search->work};
  irl_arena_init(&x.arena, allocator);
  const irl_status status =
      irl_subset_look_at_rule(&x) ? prove(&x, &is_closed, &evidence) : irl_fail_memory(search->env);
  irl_arena_free(&x.arena);
  search->proof.method = IRL_PROOF_CASE_SUBSET; /* a bound on the way was of CASE_TARGETS */
  if (!status && is_closed)
    irl_proof_close(&search->proof, search->best.loss, &evidence, allocator);
  irl_proof_evidence_free(&evidence, allocator);
  return status;
}

const irl_prover_method irl_method_case_subset = {false, 32, case_subset_applies,
                                                  estimate_case_subset, run_case_subset};
