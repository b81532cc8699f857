/* Branch and price. A node has some groups of equal cases that must be covered and some that are
 * left out for good; both change only what a group may be worth in the LP's dual, so pricing stays
 * the clause problem that it is. A node is solved by column generation; it is closed when its bound
 * reaches the incumbent, or when the clauses that its reduced costs leave over are few and the
 * selection engine has found the best choice of them (brcg_enumerate.c). Otherwise it branches on
 * the group whose cover is least clear. A node that cannot branch, or has no work left, stays open;
 * the least bound of the open nodes holds for all rules.
 *
 * Depth first: the LP goes on from the parent's basis with one bound changed, and the clauses of
 * all nodes stay in the pool. */
#include "brcg/brcg.h"
#include "state/effort.h"
#include <math.h>

#define CLEAR 1e-6 /* a cover this close to 0 or 1 is decided */

typedef struct tree {
  irl_brcg *cg;
  uint64_t end;       /* of the work */
  int64_t open_bound; /* the least bound of open nodes */
} tree;

static bool limit_reached(const tree *t) {
  return t->cg->learner->work >= t->end || irl_learner_is_done(t->cg->learner);
}

static void leave_open(tree *t, int64_t bound) {
  if (bound < t->open_bound) t->open_bound = bound;
}

/* How much of a group the LP leaves out. */
static double left_out(const irl_brcg *cg, uint32_t group) {
  const double merged = irl_lp_reduced(cg->lp)[group];
  return merged < 0 ? -merged : 0;
}

/* The free group whose cover is least clear, heavy ones first; n_groups if all are clear. */
static uint32_t find_most_fractional(const irl_brcg *cg, bool *is_rather_covered) {
  double most = 0;
  uint32_t most_fractional = cg->n_groups;
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    const double xi = left_out(cg, g), doubt = fmin(xi, 1 - xi);
    if (cg->states[g] != IRL_BRCG_FREE || doubt < CLEAR || doubt * cg->sizes[g] <= most) continue;
    most = doubt * cg->sizes[g];
    most_fractional = g;
    *is_rather_covered = xi < 0.5;
  }
  return most_fractional;
}

static irl_status visit(tree *t, int64_t bound, uint32_t depth);

static irl_status branch_on(tree *t, uint32_t group, bool is_covered_first, uint32_t depth) {
  irl_brcg *cg = t->cg;
  const int64_t bound = cg->bound;
  irl_status status = IRL_OK;
  for (int i = 0; i < 2 && !status; i++) {
    const bool is_covered = is_covered_first == (i == 0);
    irl_brcg_set_state(cg, group, is_covered ? IRL_BRCG_COVERED : IRL_BRCG_LEFT);
    status = visit(t, bound, depth + 1);
  }
  irl_brcg_set_state(cg, group, IRL_BRCG_FREE);
  return status;
}

static irl_status visit(tree *t, int64_t bound, uint32_t depth) {
  irl_brcg *cg = t->cg;
  irl_learner *learner = cg->learner;
  bool is_complete = false, is_covered_first = false;
  if (bound >= learner->best.loss) return IRL_OK;
  if (limit_reached(t)) return leave_open(t, bound), IRL_OK;
  learner->nodes++;
  assert(bound >= learner->proof.bound && depth <= IRL_EFFORT_DEPTH);
  if (depth) irl_brcg_forget(cg, bound);
  irl_status status = irl_brcg_generate(cg, learner->best.loss, t->end - learner->work);
  if (status || cg->bound >= learner->best.loss) return status;
  status = irl_brcg_enumerate(cg, cg->node_cap, IRL_EFFORT_SELECT, &is_complete);
  if (status || is_complete) return status;
  const uint32_t group = cg->is_stuck || depth == IRL_EFFORT_DEPTH
                             ? cg->n_groups
                             : find_most_fractional(cg, &is_covered_first);
  if (group < cg->n_groups && !limit_reached(t))
    return branch_on(t, group, is_covered_first, depth);
  const int64_t open = cg->bound;
  status = irl_brcg_enumerate(cg, cg->leaf_cap, IRL_EFFORT_SELECT, &is_complete);
  if (!status && !is_complete) leave_open(t, open);
  return status;
}

/* A rule of k clauses has C - k literals at most, which says more than a sum of both: where
 * complexity is bounded, the first branches are the numbers of clauses. */
static irl_status visit_numbers(tree *t, int64_t bound) {
  irl_brcg *cg = t->cg;
  const irl_learn_settings *settings = &cg->learner->settings;
  irl_status status = IRL_OK;
  for (uint32_t k = cg->K; k > 0 && !status; k--) {
    const uint64_t literals = settings->max_complexity - k;
    irl_brcg_set_room(cg, k, literals < settings->max_literals ? literals : settings->max_literals);
    status = visit(t, bound, 1);
  }
  return status;
}

irl_status irl_brcg_branch(irl_brcg *cg, uint64_t max_work) {
  irl_learner *learner = cg->learner;
  tree t = {.cg = cg, .end = UINT64_MAX, .open_bound = INT64_MAX};
  if (max_work < UINT64_MAX - learner->work) t.end = learner->work + max_work;
  const irl_status status = cg->K && cg->max_complexity != UINT64_MAX
                                ? visit_numbers(&t, learner->proof.bound)
                                : visit(&t, learner->proof.bound, 0);
  if (!status) irl_proof_raise(&learner->proof, t.open_bound, learner->best.loss);
  return status;
}
