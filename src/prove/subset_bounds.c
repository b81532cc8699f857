/* Bounds on few cases, where a proof (case_subset.c) is long or out of reach: targets below the
 * loss of the best rule. */
#include "prove/subset_plan.h"
#include <math.h>

/* A target at that share of the loss of the best rule. */
static int64_t target_at(const irl_subset *x, double share) {
  const int64_t most = irl_merged_target(x->merged, irl_search_target(x->search));
  const int64_t target = (int64_t)ceil(share * (double)most);
  assert(share > 0 && share <= 1);
  return target < most ? target : most;
}

/* Raises the bound to a target, if that is within reach. */
static irl_status raise_to(irl_subset *x, int64_t target, bool *is_raised) {
  irl_search *search = x->search;
  const double share = (double)search->settings.tuning.target_share;
  irl_subset_plan p;
  irl_subset_plan sharp = {
      .target = target, .every = 1, .is_priced = irl_subset_needs_price(x, target)};
  *is_raised = false;
  irl_status status = irl_subset_make_plan(x, target, &p);
  if (!status) status = irl_subset_estimate(x, &sharp);
  if (status) return status;
  /* With all cases the nodes below the root are sharper too, which no estimate sees. */
  if (sharp.work <= (double)irl_subset_limit(x).max_work / share / 2) p = sharp;
  /* The first bound of all is worth more. */
  const double part = search->proof.bound > 0 ? share : share / 2;
  if (!irl_subset_is_worth(x, &p) || p.work > (double)irl_subset_limit(x).max_work / part)
    return IRL_STATUS_OK;
  status = irl_subset_run_part(x, &p, part, is_raised);
  if (status || !*is_raised) return status;
  assert(p.target == target && irl_subset_is_above(x, target));
  search->proof.method = IRL_PROOF_CASE_TARGETS;
  irl_proof_raise(&search->proof, irl_merged_loss(x->merged, p.target), search->best.loss);
  irl_search_log(search, "subset", UINT64_MAX);
  return IRL_STATUS_OK;
}

/* Bounds on the way to a long proof, and where it is out of reach or did not end. Rungs rise from
 * low ones, which are cheap: clauses have to cover more cases and fewer controls. Each is begun
 * only if it is expected to take a part of the work that is left, and given up after that part;
 * then one half way to it is tried. */
irl_status irl_subset_raise_bounds(irl_subset *x, double most_share) {
  static const double shares[] = {0.05, 0.2, 0.5, 0.8};
  const int64_t goal = irl_search_target(x->search);
  double low = 0, high = 0;
  irl_status status = IRL_STATUS_OK;
  if (!irl_search_uses(x->search, IRL_PROOF_CASE_TARGETS)) return status;
  for (size_t i = 0; i < sizeof shares / sizeof *shares && !status && !high; i++) {
    bool is_raised;
    if (shares[i] > most_share || !irl_subset_is_above(x, target_at(x, shares[i]))) continue;
    status = raise_to(x, target_at(x, shares[i]), &is_raised);
    if (is_raised) low = shares[i];
    if (!is_raised) high = shares[i];
    if (irl_search_target(x->search) != goal) return status;
  }
  for (unsigned i = 0; i < x->search->settings.tuning.target_halves && !status && high; i++) {
    bool is_raised;
    const double middle = (low + high) / 2;
    if (irl_limit_reached(&x->limit, irl_subset_work(x))) break;
    if (!irl_subset_is_above(x, target_at(x, middle))) {
      low = middle;
      continue;
    }
    status = raise_to(x, target_at(x, middle), &is_raised);
    if (is_raised) low = middle;
    if (!is_raised) high = middle;
    if (irl_search_target(x->search) != goal) return status;
  }
  return status;
}
