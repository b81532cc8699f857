/* A worker: its LP, its bounds, and what it has found. */
#include "base/memory.h"
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <math.h>

void irl_milp_worker_free(irl_milp_worker *w) {
  if (!w->search) return;
  const irl_allocator *a = &w->env.allocator;
  for (size_t i = 0; i < w->stack.n; i++) irl_mem_free(a, w->stack.items[i]);
  irl_array_free(a, &w->gains);
  irl_array_free(a, &w->stack);
  irl_mem_free(a, w->path);
  irl_mem_free(a, w->at);
  irl_lp_free(w->lp);
  irl_milp_domain_free(&w->domain);
  irl_arena_free(&w->arena);
  *w = (irl_milp_worker){0};
}

irl_status irl_milp_worker_init(irl_milp_worker *w, const irl_milp_search *search) {
  irl_env *env = search->env;
  irl_arena *a = &w->arena;
  const uint32_t n = search->model.n_columns;
  *w = (irl_milp_worker){.search = search};
  w->env.allocator = env->allocator;
  w->env.started = env->started;
  irl_arena_init(a, &env->allocator);
  if ((w->fractional = irl_arena_alloc(a, n, sizeof *w->fractional)) &&
      (w->reduced = irl_arena_alloc(a, n, sizeof(double))) &&
      (w->x = irl_arena_alloc(a, n, sizeof(double))) &&
      (w->point = irl_arena_alloc(a, n, sizeof(double))) &&
      (w->scratch = irl_arena_alloc(a, n, sizeof(double))) &&
      irl_milp_domain_init(&w->domain, a, &search->model) &&
      irl_milp_pseudocost_init(&w->pseudo, a, n))
    return IRL_STATUS_OK;
  irl_milp_worker_free(w);
  return irl_fail_memory(env);
}

irl_status irl_milp_worker_load(irl_milp_worker *w) {
  const irl_milp_cuts *cuts = &w->search->cuts;
  irl_lp *lp;
  irl_status status = irl_milp_model_lp(&w->search->model, &w->env, &lp);
  if (status) return status;
  for (size_t i = 0; i < cuts->n && !status; i++) {
    const irl_milp_cut *cut = &cuts->cuts[i];
    status = irl_lp_add_row(lp, cut->lower, INFINITY,
                            &(irl_lp_terms){cut->n, cut->columns, cut->values});
  }
  uint8_t *at = irl_mem_grow(&w->env.allocator, w->at, irl_lp_n_variables(lp), 1);
  if (at)
    w->at = at;
  else if (!status)
    status = irl_fail_memory(&w->env);
  for (uint32_t j = 0; j < w->search->model.n_columns; j++)
    if (w->search->model.is_integer[j])
      irl_lp_set_bounds(lp, j, w->domain.lower[j], w->domain.upper[j]);
  assert(status || irl_lp_n_rows(lp) == w->search->model.n_rows + cuts->n);
  irl_lp_free(w->lp);
  w->lp = lp;
  return status;
}

void irl_milp_worker_reset(irl_milp_worker *w) {
  const irl_milp_search *s = w->search;
  irl_milp_domain_undo(&w->domain, 0);
  for (uint32_t j = 0; j < s->model.n_columns; j++)
    irl_milp_domain_tighten(&w->domain, j, s->model.lower[j], s->model.upper[j]);
  irl_milp_domain_propagate(&w->domain); /* the bounds that hold everywhere are consistent */
  assert(w->stack.n == 0);
  w->domain.trail.n = 0;
  irl_milp_pseudocost_copy(&w->pseudo, &s->pseudo);
  w->gains.n = 0;
  w->depth = 0;
  w->objective = s->objective;
  w->is_cut = false;
  w->least_unresolved = INFINITY;
  w->nodes = w->iterations = w->work = w->dive_iterations = w->probe_iterations = 0;
}

bool irl_milp_worker_is_cut(irl_milp_worker *w) {
  if (irl_limit_poll(&w->search->options->limit)) w->is_cut = true;
  if (w->domain.is_out_of_memory && !w->status) w->status = irl_fail_memory(&w->env);
  return w->is_cut || w->status;
}

double irl_milp_worker_cutoff(const irl_milp_worker *w) {
  return irl_milp_cutoff(&w->search->original, w->objective);
}

double irl_milp_worker_bound(irl_milp_worker *w, double objective, bool *is_safe) {
  double bound = -INFINITY;
  const irl_status status = irl_lp_safe_reduced(w->lp, irl_lp_dual(w->lp), &bound, w->reduced);
  if (status) w->status = status;
  *is_safe = bound > -INFINITY;
  if (status || *is_safe) return bound;
  return objective - IRL_MILP_TOL_UNSAFE * fmax(1, fabs(objective));
}

/* Is the LP's word that there is no point beyond doubt? In a model of integers a proof that
 * rounding might have made is not taken: branching goes on, down to points that the check decides.
 * With continuous columns the LP's own tolerance has to do. */
static bool is_surely_infeasible(irl_milp_worker *w) {
  const irl_milp_model *m = &w->search->model;
  bool is_proven = true;
  if (!irl_lp_ray(w->lp)) return true; /* bounds that contradict each other */
  if (m->n_integer < m->n_columns) return true;
  const irl_status status = irl_lp_safe_infeasible(w->lp, irl_lp_ray(w->lp), &is_proven);
  if (status) w->status = status;
  for (uint32_t j = 0; j < m->n_columns && !is_proven; j++)
    if (!isfinite(m->lower[j]) || !isfinite(m->upper[j])) return true;
  return is_proven;
}

irl_lp_end irl_milp_worker_lp(irl_milp_worker *w, uint64_t max_iterations, double *objective) {
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, &w->env);
  options.limit = w->search->options->limit;
  const uint64_t used = w->search->work + w->work;
  assert(!w->domain.is_empty && irl_milp_domain_check(&w->domain));
  if (options.limit.max_work != UINT64_MAX)
    options.limit.max_work = options.limit.max_work > used ? options.limit.max_work - used : 1;
  options.max_iterations = max_iterations;
  options.cutoff = irl_milp_worker_cutoff(w);
  options.seed = w->search->options->seed;
  irl_milp_domain_tell(&w->domain, w->lp);
  const irl_status status = irl_lp_solve(w->lp, &options, &result);
  if (status) {
    w->status = status;
    return IRL_LP_LIMIT;
  }
  w->iterations += result.iterations;
  w->work += result.work;
  *objective = result.objective;
  if (result.end == IRL_LP_LIMIT && result.iterations < max_iterations) w->is_cut = true;
  w->is_doubtful = result.end == IRL_LP_INFEASIBLE && !is_surely_infeasible(w);
  return w->is_doubtful ? IRL_LP_TROUBLE : result.end;
}

bool irl_milp_worker_offer(irl_milp_worker *w, const double *x, double share) {
  const irl_milp_search *s = w->search;
  const size_t bytes = s->model.n_columns * sizeof *x;
  double objective;
  memcpy(w->scratch, x, bytes);
  const bool is_feasible = irl_milp_check_solution(&s->original, w->scratch, share, &objective);
  w->work += s->original.row_start[s->original.n_rows];
  if (is_feasible && objective < w->objective) {
    assert(isfinite(objective));
    w->objective = objective;
    memcpy(w->point, w->scratch, bytes);
  }
  return is_feasible;
}

void irl_milp_worker_find_fractional(irl_milp_worker *w, const double *x) {
  const irl_milp_model *m = &w->search->model;
  w->n_fractional = 0;
  for (uint32_t j = 0; j < m->n_columns; j++)
    if (m->is_integer[j] && fabs(x[j] - nearbyint(x[j])) > IRL_MILP_TOL_INTEGER)
      w->fractional[w->n_fractional++] = j;
}

void irl_milp_worker_note_gain(irl_milp_worker *w, uint32_t column, bool is_up, double gain,
                               double distance) {
  if (!(distance > IRL_MILP_TOL_INTEGER) || !isfinite(gain)) return;
  const irl_milp_gain seen = {fmax(gain, 0) / distance, column, is_up};
  assert(w->search->model.is_integer[column]);
  if (irl_array_push(&w->env.allocator, &w->gains, seen))
    irl_milp_pseudocost_note(&w->pseudo, &seen);
  else
    w->status = irl_fail_memory(&w->env);
}

irl_milp_node *irl_milp_worker_node(irl_milp_worker *w, const irl_milp_place *at) {
  const size_t n = irl_lp_n_variables(w->lp), path = w->depth * sizeof *w->path;
  const size_t bytes = sizeof(irl_milp_node) + path + (n + 3) / 4;
  irl_milp_node *node = irl_mem_alloc(&w->env.allocator, bytes, 1);
  if (!node) return NULL;
  node->at = *at;
  node->mark = w->domain.trail.n;
  node->depth = w->depth;
  node->bytes = bytes;
  node->basis = (uint8_t *)node + sizeof *node + path;
  if (path) memcpy(node->branchings, w->path, path);
  irl_lp_get_basis(w->lp, w->at);
  for (size_t v = 0; v < n; v++) {
    assert(w->at[v] < 4);
    node->basis[v / 4] |= (uint8_t)((unsigned)w->at[v] << (v % 4 * 2));
  }
  assert(irl_milp_node_check(node, w->search->model.n_columns));
  return node;
}
