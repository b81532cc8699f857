/* The root: LP, cuts, fixing, heuristics.
 *
 * Cuts come in rounds: Gomory cuts from the tableau rows of fractional columns, covers from rows,
 * cliques; the deepest that are not nearly parallel to one another are added, the LP is solved
 * again, and those that its point does not touch are dropped. It ends when the bound hardly moves.
 * What remains is part of every LP of the search. */
#include "base/memory.h"
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <math.h>
#include <stdlib.h>

#define MAX_ROUNDS      30u
#define MAX_STALLED     4u   /* rounds in a row without progress */
#define PROGRESS        5e-4 /* of the bound, relative, that counts as such */
#define MAX_PER_ROW     0.5  /* cuts added in a round, per row of the model */
#define MIN_ADDED       20u  /* cuts that are allowed beyond that share */
#define MAX_SOURCES     150u /* fractional columns asked for a Gomory cut */
#define MAX_MIR_ENTRIES 500u /* of a row that is rounded by itself */
#define MAX_PARALLEL    0.9  /* cosine of two cuts of the same round */
#define EARLY_DIVES     2u
#define DIVE_STEPS      5000u
/* Cuts are not tried on models with more entries than this: the time goes into the LP. */
#define MAX_ENTRIES ((size_t)2000000)

typedef struct root {
  irl_milp_search *search;
  irl_milp_worker *worker;
  irl_arena arena;
  irl_milp_rounding rounding;
  irl_milp_cuts found;
  double *multipliers;
  double objective;
} root;

/* ---- finding ---- */

static irl_status keep_cut(root *r, const irl_milp_cut *cut) {
  assert(
      irl_milp_cut_check(cut, &r->search->model, r->search->has_point ? r->search->point : NULL));
  return irl_milp_cuts_add(&r->found, cut) ? IRL_STATUS_OK : irl_fail_memory(r->search->env);
}

static irl_status find_cuts(root *r) {
  const irl_milp_model *m = &r->search->model;
  irl_milp_worker *w = r->worker;
  const size_t n_rows = irl_lp_n_rows(w->lp);
  irl_milp_cut cut;
  irl_status status = IRL_STATUS_OK;
  double *grown = irl_mem_grow(&w->env.allocator, r->multipliers, 2 * n_rows + 1, sizeof *grown);
  if (!grown) return irl_fail_memory(r->search->env);
  r->multipliers = grown;
  for (uint32_t i = 0; i < m->n_rows && !status && !irl_milp_worker_is_cut(w); i++) {
    if (m->row_upper[i] < INFINITY && irl_milp_cover(&r->rounding.out, i, 1, w->x, &cut))
      status = keep_cut(r, &cut);
    if (!status && m->row_lower[i] > -INFINITY &&
        irl_milp_cover(&r->rounding.out, i, -1, w->x, &cut))
      status = keep_cut(r, &cut);
  }
  if (!status) status = irl_milp_cliques(&r->rounding.out, w->x, &r->found);
  /* Rounding where there is something continuous to replace: integer rows are left to covers. */
  for (uint32_t i = 0; i < m->n_rows && m->n_integer < m->n_columns && !status; i++) {
    const size_t n = m->row_start[i + 1] - m->row_start[i];
    if (m->is_exact[i] || n > MAX_MIR_ENTRIES) continue;
    if (irl_milp_worker_is_cut(w)) break;
    status = irl_milp_mir(&r->rounding, i, r->multipliers, &r->found);
  }
  for (uint32_t k = 0; k < w->n_fractional && k < MAX_SOURCES && !status; k++) {
    if (irl_milp_worker_is_cut(w)) break;
    if (!irl_lp_tableau_multipliers(w->lp, w->fractional[k], r->multipliers)) continue;
    if (irl_milp_gomory(&r->rounding, r->multipliers, &cut)) status = keep_cut(r, &cut);
    w->work += n_rows;
  }
  return status;
}

/* ---- choosing ---- */

/* Total, so that every qsort chooses the same cuts. */
static int by_depth(const void *a, const void *b) {
  const irl_milp_cut *p = a, *q = b;
  if (p->depth != q->depth) return p->depth > q->depth ? -1 : 1;
  if (p->n != q->n) return p->n < q->n ? -1 : 1;
  for (uint32_t k = 0; k < p->n; k++) {
    if (p->columns[k] != q->columns[k]) return p->columns[k] < q->columns[k] ? -1 : 1;
    if (p->values[k] != q->values[k]) return p->values[k] < q->values[k] ? -1 : 1;
  }
  return (p->lower > q->lower) - (p->lower < q->lower);
}

static double cosine(const irl_milp_cut *a, const irl_milp_cut *b) {
  double sum = 0, a_squares = 0, b_squares = 0;
  assert(a->n > 0 && b->n > 0);
  for (uint32_t k = 0; k < a->n; k++) a_squares += a->values[k] * a->values[k];
  for (uint32_t k = 0; k < b->n; k++) b_squares += b->values[k] * b->values[k];
  for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
    if (a->columns[i] == b->columns[k]) sum += a->values[i] * b->values[k];
    const uint32_t column = a->columns[i] < b->columns[k] ? a->columns[i] : b->columns[k];
    i += a->columns[i] == column;
    k += b->columns[k] == column;
  }
  return sum / (sqrt(a_squares) * sqrt(b_squares));
}

/* Adds the best of what was found to the search and to the LP. */
static irl_status add_best(root *r, size_t *n_added) {
  irl_milp_cuts *cuts = &r->search->cuts;
  const size_t first = cuts->n, most = (size_t)(MAX_PER_ROW * r->search->model.n_rows) + MIN_ADDED;
  irl_status status = IRL_STATUS_OK;
  if (r->found.n) qsort(r->found.cuts, r->found.n, sizeof *r->found.cuts, by_depth);
  for (size_t i = 0; i < r->found.n && cuts->n - first < most && !status; i++) {
    const irl_milp_cut *cut = &r->found.cuts[i];
    if (irl_milp_worker_is_cut(r->worker)) break;
    bool is_parallel = false;
    for (size_t k = first; k < cuts->n && !is_parallel; k++)
      is_parallel = cosine(&cuts->cuts[k], cut) > MAX_PARALLEL;
    if (is_parallel) continue;
    assert(
        irl_milp_cut_check(cut, &r->search->model, r->search->has_point ? r->search->point : NULL));
    if (!irl_milp_cuts_add(cuts, cut)) return irl_fail_memory(r->search->env);
    status = irl_lp_add_row(r->worker->lp, cut->lower, INFINITY,
                            &(irl_lp_terms){cut->n, cut->columns, cut->values});
  }
  while (r->found.n) irl_milp_cuts_drop(&r->found, r->found.n - 1);
  *n_added = cuts->n - first;
  return status;
}

/* Drops all cuts, or those whose rows are basic: the point does not touch them. */
static irl_status drop_cuts(root *r, bool drops_all) {
  irl_lp *lp = r->worker->lp;
  irl_milp_cuts *cuts = &r->search->cuts;
  const uint32_t n_rows = irl_lp_n_rows(lp), n_columns = irl_lp_n_columns(lp);
  const irl_allocator *a = &r->worker->env.allocator;
  uint8_t *at = irl_mem_alloc(a, 2 * (size_t)n_rows + n_columns, 1);
  if (!at) return irl_fail_memory(r->search->env);
  bool *is_gone = (bool *)(at + n_rows + n_columns), any = false;
  const uint32_t first = n_rows - (uint32_t)cuts->n;
  assert(first == r->search->model.n_rows);
  irl_lp_get_basis(lp, at);
  for (size_t i = cuts->n; i-- > 0;) {
    if (!drops_all && at[n_columns + first + i] != IRL_LP_BASIC) continue;
    is_gone[first + i] = any = true;
    irl_milp_cuts_drop(cuts, i);
  }
  const irl_status status = any ? irl_lp_delete_rows(lp, is_gone) : IRL_STATUS_OK;
  irl_mem_free(a, at);
  return status;
}

/* ---- the LP ---- */

/* Solves, keeps bound and reduced costs, fixes. *is_closed: nothing better than the incumbent. */
static irl_status solve_lp(root *r, irl_lp_end *end, bool *is_closed) {
  irl_milp_search *s = r->search;
  irl_milp_worker *w = r->worker;
  *is_closed = false;
  *end = irl_milp_worker_lp(w, UINT64_MAX, &r->objective);
  if (w->status) return w->status;
  if (*end == IRL_LP_INFEASIBLE || *end == IRL_LP_CUTOFF) *is_closed = true;
  if (*end != IRL_LP_OPTIMAL) return IRL_STATUS_OK;
  memcpy(w->x, irl_lp_primal(w->lp), s->model.n_columns * sizeof *w->x);
  bool is_safe;
  const double bound = irl_milp_worker_bound(w, r->objective, &is_safe);
  if (w->status) return w->status;
  if (bound > s->root_bound) {
    s->root_bound = bound;
    memcpy(s->root_reduced, w->reduced, s->model.n_columns * sizeof *w->reduced);
    if (!is_safe) memset(s->root_reduced, 0, s->model.n_columns * sizeof *w->reduced);
  }
  irl_milp_worker_find_fractional(w, w->x);
  assert(s->root_bound >= bound);
  *is_closed = s->root_bound > irl_milp_worker_cutoff(w);
  return IRL_STATUS_OK;
}

/* What the worker has found so far becomes the search's, and tightens the bounds. */
static irl_status share_incumbent(root *r, bool *is_closed) {
  irl_milp_search *s = r->search;
  irl_milp_worker *w = r->worker;
  const bool is_better = w->objective < s->objective;
  const irl_status status = irl_milp_merge(s, w);
  if (status) return status;
  if (is_better && !irl_milp_fix_globally(s)) *is_closed = true;
  irl_milp_worker_reset(w);
  if (s->root_bound > irl_milp_worker_cutoff(w)) *is_closed = true;
  return IRL_STATUS_OK;
}

static bool is_progress(double before, double after) {
  return after - before > PROGRESS * fmax(1, fabs(before));
}

/* `*has_helped`: the bound is better than without. Cuts that do not help are not kept. */
static irl_status cut_loop(root *r, bool *is_closed, bool *has_helped) {
  irl_lp_end end = IRL_LP_OPTIMAL;
  irl_status status = IRL_STATUS_OK;
  uint32_t stalled = 0;
  const double first = r->objective;
  const irl_milp_model *m = &r->search->model;
  const bool may_cut = !r->search->options->no_cuts && m->row_start[m->n_rows] <= MAX_ENTRIES;
  for (uint32_t round = 0; round < MAX_ROUNDS && stalled < MAX_STALLED; round++) {
    size_t n_added = 0;
    const double before = r->objective;
    if (*is_closed || !may_cut || !r->worker->n_fractional || irl_milp_worker_is_cut(r->worker))
      break;
    if ((status = find_cuts(r)) || (status = add_best(r, &n_added))) break;
    if (!n_added) break;
    if ((status = solve_lp(r, &end, is_closed)) || end != IRL_LP_OPTIMAL) break;
    if ((status = drop_cuts(r, false)) || (status = solve_lp(r, &end, is_closed)) ||
        end != IRL_LP_OPTIMAL)
      break;
    stalled = is_progress(before, r->objective) ? 0 : stalled + 1;
    irl_milp_report(r->search, 'C');
  }
  *has_helped = is_progress(first, r->objective);
  if (!status && !*is_closed && !*has_helped && r->search->cuts.n) status = drop_cuts(r, true);
  return status;
}

/* After the rows have changed the LP's state must be that of an optimum again. */
static irl_status solve_again(root *r, bool *is_closed, irl_lp_end *end) {
  irl_milp_worker *w = r->worker;
  if (*is_closed) return IRL_STATUS_OK;
  uint8_t *at = irl_mem_grow(&w->env.allocator, w->at, irl_lp_n_variables(w->lp), 1);
  if (!at) return irl_fail_memory(r->search->env);
  w->at = at;
  return solve_lp(r, end, is_closed);
}

/* Rounding and the dives by rules `first` .. `end` - 1. */
static irl_status heuristics(root *r, unsigned first, unsigned end, bool *is_closed) {
  irl_milp_worker *w = r->worker;
  irl_status status = IRL_STATUS_OK;
  if (r->search->options->no_heuristics || *is_closed || !w->n_fractional) return IRL_STATUS_OK;
  irl_milp_round(w);
  if ((status = share_incumbent(r, is_closed))) return status;
  for (unsigned rule = first; rule < end && !*is_closed && !status; rule++) {
    if (irl_milp_worker_is_cut(w)) break;
    irl_milp_dive(w, rule, DIVE_STEPS);
    if (!w->status) status = share_incumbent(r, is_closed);
    irl_milp_report(r->search, 'D');
  }
  return status ? status : w->status;
}

/* The first LP may already be a solution. */
static void try_point(root *r) {
  if (!r->worker->n_fractional) irl_milp_worker_offer(r->worker, r->worker->x, IRL_MILP_TOL_STRICT);
}

static irl_status run_root(root *r, irl_milp_root_end *end) {
  irl_milp_search *s = r->search;
  irl_milp_worker *w = r->worker;
  irl_lp_end lp_end;
  bool is_closed, has_helped = false;
  irl_status status = irl_milp_worker_load(w);
  irl_milp_worker_reset(w);
  *end = IRL_MILP_ROOT_CUT;
  if (!status) status = solve_lp(r, &lp_end, &is_closed);
  if (status || w->is_cut) return status;
  irl_milp_report(s, 'R');
  *end = lp_end == IRL_LP_UNBOUNDED ? IRL_MILP_ROOT_UNBOUNDED : IRL_MILP_ROOT_OPEN;
  if (lp_end == IRL_LP_UNBOUNDED) return IRL_STATUS_OK;
  if (lp_end == IRL_LP_OPTIMAL) {
    try_point(r);
    status = share_incumbent(r, &is_closed);
    /* A solution as good as the LP makes everything else needless: the first dives come first. */
    if (!status) status = heuristics(r, 0, EARLY_DIVES, &is_closed);
    if (!status) status = solve_again(r, &is_closed, &lp_end);
    if (!status) status = cut_loop(r, &is_closed, &has_helped);
    if (!status) status = solve_again(r, &is_closed, &lp_end);
    if (!status && lp_end == IRL_LP_OPTIMAL) try_point(r);
    if (!status) status = share_incumbent(r, &is_closed);
    /* From the same LP the first dives would go the same way. */
    if (!status) status = heuristics(r, has_helped ? 0 : EARLY_DIVES, IRL_MILP_N_DIVES, &is_closed);
  }
  if (status) return status;
  if (is_closed) *end = IRL_MILP_ROOT_CLOSED;
  if (is_closed) return IRL_STATUS_OK;
  irl_milp_node *node =
      irl_milp_worker_node(w, &(irl_milp_place){.bound = s->root_bound, .parent_objective = NAN});
  if (!node) return irl_fail_memory(s->env);
  node->number = s->created++;
  assert(node->depth == 0 && s->frontier.n == 0);
  return irl_milp_frontier_push(&s->frontier, node) ? IRL_STATUS_OK : irl_fail_memory(s->env);
}

irl_status irl_milp_root(irl_milp_search *s, irl_milp_worker *w, irl_milp_root_end *end) {
  root r = {.search = s, .worker = w};
  r.found.allocator = s->env->allocator;
  irl_arena_init(&r.arena, &s->env->allocator);
  r.rounding.cuts = &s->cuts;
  r.rounding.x = w->x;
  const bool has_memory = irl_milp_builder_init(&r.rounding.work, &r.arena, &s->model) &&
                          irl_milp_builder_init(&r.rounding.out, &r.arena, &s->model);
  const irl_status status = has_memory ? run_root(&r, end) : irl_fail_memory(s->env);
  irl_milp_cuts_free(&r.found);
  irl_mem_free(&s->env->allocator, r.multipliers);
  irl_arena_free(&r.arena);
  return status;
}
