/* Branch and price. A node has some groups of equal cases that must be covered and some that are
 * left out for good; both change only what a group may be worth in the LP's dual, so pricing stays
 * the clause problem that it is. A node is solved by column generation; it is closed when its bound
 * reaches the incumbent, or when the clauses that its reduced costs leave over are few and the
 * selection engine has found the best choice of them (brcg_restricted_mip.c). Otherwise it branches
 * on the group whose cover is least clear. A node that cannot branch, or has no work left, stays
 * open; the least bound of the open nodes holds for all rules.
 *
 * Depth first: the LP goes on from the parent's basis with one bound changed, and the clauses of
 * all nodes stay in the pool. */
#include "brcg/brcg.h"
#include <math.h>

#define MAX_DEPTH 64u  /* of a node: each has a frame on the stack */
#define CLEAR     1e-6 /* a cover this close to 0 or 1 is decided */

typedef struct tree {
  irl_brcg *cg;
  uint64_t end;       /* of the work */
  int64_t open_bound; /* the least bound of open nodes */
} tree;

static bool limit_reached(const tree *t) {
  return t->cg->search->work >= t->end || irl_search_is_done(t->cg->search);
}

static void leave_open(tree *t, int64_t bound) {
  if (bound < t->open_bound) t->open_bound = bound;
}

/* The free group whose cover is least clear, heavy ones first; n_groups if all are clear. */
static uint32_t find_most_fractional(const irl_brcg *cg, bool *is_rather_covered) {
  double most = 0;
  uint32_t most_fractional = cg->n_groups;
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    const double xi = fmax(-irl_lp_reduced(cg->lp)[g], 0); /* how much of it the LP leaves out */
    const double doubt = fmin(xi, 1 - xi);
    if (cg->states[g] != IRL_BRCG_FREE || doubt < CLEAR || doubt * (double)cg->weights[g] <= most)
      continue;
    most = doubt * (double)cg->weights[g];
    most_fractional = g;
    *is_rather_covered = xi < 0.5;
  }
  return most_fractional;
}

static irl_status visit(tree *t, int64_t bound, uint32_t depth) {
  irl_brcg *cg = t->cg;
  irl_search *search = cg->search;
  bool is_complete = false, is_covered_first = false;
  if (bound >= search->best.loss) return IRL_STATUS_OK;
  if (limit_reached(t)) return leave_open(t, bound), IRL_STATUS_OK;
  search->nodes++;
  assert(bound >= search->proof.bound && depth <= MAX_DEPTH);
  if (depth) { /* of what was proven with other states of the groups only the bound holds */
    cg->bound = bound;
    cg->lp_bound = cg->center_value = -INFINITY;
    cg->proof.control = 0;
    cg->level = -1;
    cg->was_proven = cg->is_solved = false;
  }
  irl_status status = irl_brcg_generate(cg, search->best.loss, t->end - search->work);
  if (status || cg->bound >= search->best.loss) return status;
  status = irl_brcg_enumerate(cg, cg->node_cap, search->settings.tuning.select, &is_complete);
  if (status || is_complete) return status;
  const uint32_t group = cg->is_stuck || depth == MAX_DEPTH
                             ? cg->n_groups
                             : find_most_fractional(cg, &is_covered_first);
  const int64_t open = cg->bound;
  if (group < cg->n_groups && !limit_reached(t)) {
    for (int i = 0; i < 2 && !status; i++) {
      const bool is_covered = is_covered_first == (i == 0);
      irl_brcg_set_state(cg, group, is_covered ? IRL_BRCG_COVERED : IRL_BRCG_LEFT);
      status = visit(t, open, depth + 1);
    }
    irl_brcg_set_state(cg, group, IRL_BRCG_FREE);
    return status;
  }
  status = irl_brcg_enumerate(cg, cg->leaf_cap, search->settings.tuning.select, &is_complete);
  if (!status && !is_complete) leave_open(t, open);
  return status;
}

irl_status irl_brcg_branch(irl_brcg *cg, uint64_t max_work) {
  irl_search *search = cg->search;
  assert(search->proof.bound <= search->best.loss);
  tree t = {.cg = cg, .end = UINT64_MAX, .open_bound = INT64_MAX};
  if (max_work < UINT64_MAX - search->work) t.end = search->work + max_work;
  const irl_problem *problem = search->problem;
  const int64_t bound = search->proof.bound;
  irl_status status = IRL_STATUS_OK;
  /* A rule of k clauses has C - k literals at most, which says more than a sum of both: where
   * complexity is bounded, the first branches are the numbers of clauses. */
  const bool has_numbers = cg->problem.K && cg->problem.max_complexity != UINT64_MAX;
  bool is_complete = false;
  if (has_numbers) /* what the root's reduced costs leave over may be few already */
    status = irl_brcg_enumerate(cg, cg->leaf_cap, search->settings.tuning.select, &is_complete);
  else
    status = visit(&t, bound, 0);
  for (uint32_t k = cg->problem.K; k > 0 && has_numbers && !is_complete && !status; k--) {
    const uint64_t literals = problem->max_complexity - k;
    irl_brcg_set_room(cg, k, literals < problem->max_literals ? literals : problem->max_literals);
    status = visit(&t, bound, 1);
  }
  if (!status) irl_proof_raise(&search->proof, t.open_bound, search->best.loss);
  return status;
}
