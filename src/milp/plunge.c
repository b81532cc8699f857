/* A plunge: depth-first into the subtree of a node. Of two children one is gone into, the other
 * waits on the stack with the length of the trail at its parent, so that coming back to it costs an
 * undo. The LP goes on from whatever basis it has, which stays dual feasible all the time.
 *
 * At a node: propagate, solve, prune by the safe bound, fix by reduced costs, round; then branch.
 * An LP that ends in trouble prunes nothing: the node is split at any column that is not fixed. */
#include "base/memory.h"
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <math.h>

#define MAX_RESOLVES 5u /* of one node, after fixing or strong branching */
/* A dive at the first node of a task, while dives have used less than this share of all. */
#define DIVE_SHARE 0.15
#define DIVE_STEPS 2000u
/* Roundings are tried at nodes whose depth is a multiple of this; with continuous columns each
 * costs an LP. */
#define ROUND_DEPTH 4u
#define ROUND_MIXED 16u

typedef enum verdict { PRUNED, BRANCHED, OPEN } verdict;

/* The LP's point is integral: if it is a solution, the new cutoff closes the node. Where rounding
 * has made it dearer than the LP said, it does not, and others below the node may be better. */
static bool take_integral(irl_milp_worker *w, double bound) {
  const irl_milp_model *m = &w->search->model;
  const size_t mark = w->domain.trail.n;
  double objective;
  if (irl_milp_worker_offer(w, w->x, IRL_MILP_TOL_STRICT) || m->n_integer == m->n_columns)
    return bound > irl_milp_worker_cutoff(w);
  /* All integers fixed as the LP has them rounded; the LP finds the rest. */
  irl_lp_get_basis(w->lp, w->at);
  for (uint32_t j = 0; j < m->n_columns; j++)
    if (m->is_integer[j])
      irl_milp_domain_tighten(&w->domain, j, nearbyint(w->x[j]), nearbyint(w->x[j]));
  if (!w->domain.is_empty && irl_milp_worker_lp(w, UINT64_MAX, &objective) == IRL_LP_OPTIMAL &&
      !irl_milp_worker_offer(w, irl_lp_primal(w->lp), IRL_MILP_TOL_STRICT))
    irl_milp_worker_offer(w, irl_lp_primal(w->lp), 1);
  irl_milp_domain_undo(&w->domain, mark);
  assert(irl_milp_domain_check(&w->domain));
  irl_lp_set_basis(w->lp, w->at);
  return bound > irl_milp_worker_cutoff(w);
}

/* A leaf: the integers have one value each. Without other columns the check alone decides. */
static verdict close_leaf(irl_milp_worker *w, double bound) {
  const irl_milp_model *m = &w->search->model;
  double objective;
  if (m->n_integer == m->n_columns) {
    irl_milp_worker_offer(w, w->domain.lower, 1);
    return PRUNED;
  }
  const irl_lp_end end = irl_milp_worker_lp(w, UINT64_MAX, &objective);
  if (irl_milp_worker_is_cut(w)) return OPEN;
  /* Nothing is left to branch on: here the LP's own proof, with its tolerance, has to do. */
  if (end == IRL_LP_INFEASIBLE || end == IRL_LP_CUTOFF || w->is_doubtful) return PRUNED;
  if (end != IRL_LP_OPTIMAL || !irl_milp_worker_offer(w, irl_lp_primal(w->lp), 1))
    w->least_unresolved = fmin(w->least_unresolved, bound);
  return PRUNED;
}

/* No column counts as fractional, or there is no LP to tell: branches on the column, of those that
 * are not fixed, whose value is farthest from an integer after all (an entry of 1e5 makes much of
 * 1e-7). If all are fixed it is a leaf. */
static verdict split_or_leave(irl_milp_worker *w, double bound, irl_milp_branching *branching) {
  const irl_milp_model *m = &w->search->model;
  uint32_t best = UINT32_MAX;
  double most = -1;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (!m->is_integer[j] || w->domain.lower[j] == w->domain.upper[j]) continue;
    const double off = isfinite(w->x[j]) ? fabs(w->x[j] - nearbyint(w->x[j])) : 0;
    if (off <= most) continue;
    most = off;
    best = j;
  }
  if (best == UINT32_MAX) return close_leaf(w, bound);
  const double lower = w->domain.lower[best], upper = w->domain.upper[best];
  double value = isfinite(w->x[best]) ? nearbyint(w->x[best]) : 0;
  value = fmin(fmax(value, lower), upper);
  if (fabs(value) > IRL_MILP_MAX_INTEGER) { /* neighbours are not told apart: left undecided */
    w->least_unresolved = fmin(w->least_unresolved, bound);
    return PRUNED;
  }
  const bool is_up = value == upper || (value > lower && value > w->x[best]);
  assert(is_up ? value > lower : value < upper);
  *branching = (irl_milp_branching){value, best, is_up};
  return BRANCHED;
}

/* What follows from the LP just solved. `*again`: bounds changed, solve once more. */
static verdict judge_lp(irl_milp_worker *w, irl_milp_place *at, double objective,
                        irl_milp_branching *branching, bool *again) {
  const irl_milp_model *m = &w->search->model;
  const double cutoff = irl_milp_worker_cutoff(w);
  bool is_safe;
  const double own = irl_milp_worker_bound(w, objective, &is_safe);
  assert(!isnan(own) && !isnan(at->bound));
  at->bound = fmax(at->bound, own);
  if (at->bound > cutoff) return PRUNED;
  memcpy(w->x, irl_lp_primal(w->lp), m->n_columns * sizeof *w->x);
  /* The reduced costs belong to the bound of this LP, not to a better one from elsewhere. */
  if (irl_milp_domain_fix(&w->domain, own, w->reduced, cutoff)) {
    if (!irl_milp_domain_propagate(&w->domain)) return PRUNED;
    for (uint32_t k = 0; k < w->domain.n_touched && !*again; k++) {
      const uint32_t j = w->domain.touched[k];
      *again = w->x[j] < w->domain.lower[j] - IRL_MILP_TOL_INTEGER ||
               w->x[j] > w->domain.upper[j] + IRL_MILP_TOL_INTEGER;
    }
    if (*again) return OPEN;
  }
  irl_milp_worker_find_fractional(w, w->x);
  if (!w->n_fractional)
    return take_integral(w, at->bound) ? PRUNED : split_or_leave(w, at->bound, branching);
  const uint32_t every = m->n_integer == m->n_columns ? ROUND_DEPTH : ROUND_MIXED;
  if (!w->search->options->no_heuristics && w->depth % every == 0) irl_milp_round(w);
  if (at->bound > irl_milp_worker_cutoff(w)) return PRUNED;
  switch (irl_milp_select_branching(w, objective, branching)) {
  case IRL_MILP_CHOSEN:
    return BRANCHED;
  case IRL_MILP_TIGHTENED:
    *again = true;
    return irl_milp_domain_propagate(&w->domain) ? OPEN : PRUNED;
  case IRL_MILP_EMPTY:
    break;
  }
  return PRUNED;
}

/* One node; `*objective` is that of its LP. */
static verdict visit_node(irl_milp_worker *w, irl_milp_place *at, irl_milp_branching *branching,
                          double *objective) {
  w->nodes++;
  assert(at->bound >= w->search->root_bound);
  if (!irl_milp_domain_propagate(&w->domain)) return PRUNED;
  for (uint32_t round = 0; round <= MAX_RESOLVES; round++) {
    bool again = false;
    const irl_lp_end end = irl_milp_worker_lp(w, UINT64_MAX, objective);
    if (irl_milp_worker_is_cut(w) || end == IRL_LP_LIMIT) return OPEN;
    if (end == IRL_LP_INFEASIBLE || end == IRL_LP_CUTOFF) return PRUNED;
    if (end != IRL_LP_OPTIMAL) {
      memcpy(w->x, irl_lp_primal(w->lp), w->search->model.n_columns * sizeof *w->x);
      return split_or_leave(w, at->bound, branching);
    }
    if (round == 0 && w->depth > 0 && isfinite(at->parent_objective)) {
      const irl_milp_branching *last = &w->path[w->depth - 1];
      irl_milp_worker_note_gain(w, last->column, last->is_up, *objective - at->parent_objective,
                                at->distance);
      at->parent_objective = NAN; /* once per node */
    }
    const verdict v = judge_lp(w, at, *objective, branching, &again);
    if (irl_milp_worker_is_cut(w)) return v == PRUNED ? PRUNED : OPEN;
    if (!again) return v;
    if (v == PRUNED) return PRUNED;
  }
  return split_or_leave(w, at->bound, branching);
}

/* ---- the tree ---- */

/* The node where the plunge stands goes on the stack. */
static bool push_node(irl_milp_worker *w, const irl_milp_place *at) {
  irl_milp_node *node = irl_milp_worker_node(w, at);
  if (node && irl_array_push(&w->env.allocator, &w->stack, node)) return true;
  irl_mem_free(&w->env.allocator, node);
  w->status = irl_fail_memory(&w->env);
  return false;
}

/* One branching more on the path. */
static bool extend_path(irl_milp_worker *w, const irl_milp_branching *b) {
  if (!irl_mem_reserve(&w->env.allocator, &w->path, &w->path_capacity, w->depth, sizeof *w->path)) {
    w->status = irl_fail_memory(&w->env);
    return false;
  }
  w->path[w->depth++] = *b;
  return true;
}

/* Goes into the child that `b` names; its sibling waits. */
static void descend(irl_milp_worker *w, irl_milp_place *at, const irl_milp_branching *b,
                    double objective, double x) {
  const irl_milp_branching other = {b->is_up ? b->value - 1 : b->value + 1, b->column, !b->is_up};
  if (!extend_path(w, &other)) return;
  *at = (irl_milp_place){at->bound, objective, fabs(other.value - x)};
  if (!push_node(w, at)) return;
  assert(w->search->model.is_integer[b->column] && b->value == nearbyint(b->value));
  assert(at->bound >= w->search->root_bound);
  w->path[w->depth - 1] = *b;
  at->distance = fabs(b->value - x);
  irl_milp_domain_branch(&w->domain, b->column, b->value, b->is_up);
}

/* Takes up the last sibling; false: none is left that is worth it now. */
static bool come_back(irl_milp_worker *w, irl_milp_place *at) {
  const double cutoff = irl_milp_worker_cutoff(w);
  while (w->stack.n > 0) {
    irl_milp_node *node = w->stack.items[w->stack.n - 1];
    const bool is_worth = node->at.bound <= cutoff;
    if (is_worth && node->at.bound > w->search->plunge_bound) return false;
    w->stack.n--;
    if (is_worth) {
      assert(node->depth > 0 && node->depth <= w->depth && node->mark <= w->domain.trail.n);
      irl_milp_domain_undo(&w->domain, node->mark);
      w->depth = node->depth;
      const irl_milp_branching b = w->path[w->depth - 1] = node->branchings[w->depth - 1];
      *at = node->at;
      irl_milp_domain_branch(&w->domain, b.column, b.value, b.is_up);
    }
    irl_mem_free(&w->env.allocator, node);
    if (is_worth) return true;
  }
  return false;
}

void irl_milp_plunge(irl_milp_worker *w, irl_milp_node *node, uint64_t max_work,
                     uint64_t max_nodes) {
  const irl_milp_search *s = w->search;
  irl_milp_place at = node->at;
  irl_milp_branching branching;
  double objective = NAN;
  const uint64_t number = node->number, most = s->options->max_nodes - s->nodes;
  assert(w->depth == 0 && w->stack.n == 0 && w->domain.trail.n == 0);
  bool goes_on = true;
  for (uint32_t d = 0; d < node->depth && goes_on; d++) {
    const irl_milp_branching *b = &node->branchings[d];
    goes_on = extend_path(w, b);
    if (goes_on) irl_milp_domain_branch(&w->domain, b->column, b->value, b->is_up);
  }
  for (size_t v = 0; v < irl_lp_n_variables(w->lp); v++)
    w->at[v] = node->basis[v / 4] >> (v % 4 * 2) & 3;
  if (goes_on) irl_lp_set_basis(w->lp, w->at);
  irl_mem_free(&w->env.allocator, node);
  while (goes_on && !w->status) {
    const uint64_t before = w->domain.work;
    verdict v = visit_node(w, &at, &branching, &objective);
    if (v == BRANCHED) {
      const double x = w->x[branching.column];
      if (w->nodes == 1 && !s->options->no_heuristics &&
          (double)(s->dive_iterations + w->dive_iterations) <
              DIVE_SHARE * (double)(s->iterations + w->iterations))
        irl_milp_dive(w, (unsigned)(number % IRL_MILP_N_DIVES), DIVE_STEPS);
      descend(w, &at, &branching, objective, x);
    }
    if (v != OPEN) w->work += w->domain.work - before;
    if (v == BRANCHED && (w->work >= max_work || w->nodes >= most)) v = OPEN;
    if (v == OPEN) {
      push_node(w, &at);
      break;
    }
    /* On the way down a plunge goes on: the next round would take up another node. */
    if (v == PRUNED) goes_on = w->work < max_work && w->nodes < max_nodes && come_back(w, &at);
  }
}
