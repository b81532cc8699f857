/* Branch and bound: presolve, root, rounds of plunges (milp_search.h), and what came of it. */
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <inttypes.h>
#include <math.h>

#define ROUND      8u   /* tasks in a round, each with a worker of its own */
#define RAMP       100u /* nodes after which a round has one task more, up to ROUND */
#define TASK_FIRST 20u  /* nodes of a task in the first rounds */
#define TASK_LAST  256u /* most nodes of a task in later ones */
#define TASK_SHARE 64u  /* share of the nodes so far that a task of a later round gets */
#define TASK_WORK  ((uint64_t)200000000)
/* Share of the gap that a sibling's bound may lie above the least one to be taken up at once. */
#define PLUNGE_GAP 0.5
/* Nodes between two lines of the log grow by this factor. */
#define REPORT_GROWTH 1.5
#define MAX_MEMORY    ((size_t)2 << 30)

void irl_milp_problem_init(irl_milp_problem *problem, const irl_lp *lp, const bool *is_integer) {
  *problem = (irl_milp_problem){.lp = lp, .is_integer = is_integer, .bound = -INFINITY};
}

void irl_milp_options_init(irl_milp_options *options, const irl_env *env) {
  *options = (irl_milp_options){.limit = {.env = env, .max_work = UINT64_MAX},
                                .max_nodes = UINT64_MAX,
                                .max_iterations = UINT64_MAX,
                                .max_memory = MAX_MEMORY,
                                .seed = 1,
                                .threads = 1,
                                .divisor = 1};
}

/* ---- the log ---- */

static double global_bound(const irl_milp_search *s) {
  double bound = s->frontier.n ? s->frontier.nodes[0]->at.bound : s->root_bound;
  bound = fmax(fmin(bound, s->round_bound), s->original.problem->bound);
  return fmin(irl_milp_round_bound(&s->original, fmin(bound, s->least_unresolved)), s->objective);
}

/* For the callbacks of the host. */
static void note_progress(const irl_milp_search *s, double bound) {
  const double divisor = s->options->divisor;
  irl_callbacks_note_engine(s->env, "branch and bound", s->work,
                            s->has_point ? s->objective / divisor : NAN,
                            isfinite(bound) ? bound / divisor : NAN);
}

void irl_milp_report(irl_milp_search *s, char tag) {
  const double bound = global_bound(s), gap = irl_milp_gap(s->objective, bound);
  char incumbent[32] = "-", shown[16] = "-";
  note_progress(s, bound);
  if (!s->env->log_hook) return;
  if (s->has_point)
    irl_c_snprintf(incumbent, sizeof incumbent, "%.9g", s->objective / s->options->divisor);
  if (isfinite(gap)) irl_c_snprintf(shown, sizeof shown, "%.2f%%", 100 * gap);
  irl_log(s->env, IRL_LOG_NOTE,
          "%c %9" PRIu64 " %8zu %15.9g %15s %9s %10" PRIu64 " %7zu %12" PRIu64 " %8.1f", tag,
          s->nodes, s->frontier.n, bound / s->options->divisor, incumbent, shown, s->iterations,
          s->cuts.n, s->work, irl_clock_now() - s->env->started);
}

/* ---- merging ---- */

#ifndef NDEBUG
/* Does the incumbent pass the check again, with the objective that is said of it, and do all cuts
 * hold for it? For assertions. */
static bool is_incumbent_right(irl_milp_search *s) {
  double objective;
  for (size_t i = 0; i < s->cuts.n; i++)
    if (!irl_milp_cut_check(&s->cuts.cuts[i], &s->model, s->point)) return false;
  return irl_milp_check_solution(&s->original, s->point, 1, &objective) &&
         objective == s->objective;
}
#endif

irl_status irl_milp_merge(irl_milp_search *s, irl_milp_worker *w) {
  const uint32_t n = s->model.n_columns;
  irl_status status = w->status;
  s->nodes += w->nodes;
  s->iterations += w->iterations;
  s->work += w->work;
  s->dive_iterations += w->dive_iterations;
  s->probe_iterations += w->probe_iterations;
  s->least_unresolved = fmin(s->least_unresolved, w->least_unresolved);
  for (size_t i = 0; i < w->gains.n; i++) irl_milp_pseudocost_note(&s->pseudo, &w->gains.items[i]);
  if (w->objective < s->objective) {
    memcpy(s->point, w->point, n * sizeof *s->point);
    s->objective = w->objective;
    s->has_point = true;
    s->best_seconds = irl_clock_now() - s->env->started;
    assert(is_incumbent_right(s));
    irl_milp_report(s, '*');
  }
  while (w->stack.n > 0 && !status) {
    irl_milp_node *node = w->stack.items[--w->stack.n];
    node->number = s->created++;
    assert(node->at.bound >= s->root_bound && irl_milp_node_check(node, n));
    if (!irl_milp_frontier_push(&s->frontier, node)) status = irl_fail_memory(s->env);
  }
  if (w->status) irl_fail(s->env, w->status, "%s", w->env.error);
  return status;
}

bool irl_milp_fix_globally(irl_milp_search *s) {
  irl_milp_model *m = &s->model;
  const double cutoff = irl_milp_cutoff(&s->original, s->objective);
  assert(s->global.trail.n == 0);
  if (!irl_milp_domain_fix(&s->global, s->root_bound, s->root_reduced, cutoff)) return true;
  const bool is_possible = irl_milp_domain_propagate(&s->global);
  s->global.trail.n = 0;
  for (uint32_t j = 0; j < m->n_columns && is_possible; j++) {
    if (!m->is_integer[j]) continue;
    assert(s->global.lower[j] >= m->lower[j] && s->global.upper[j] <= m->upper[j]);
    m->lower[j] = s->global.lower[j];
    m->upper[j] = s->global.upper[j];
  }
  return is_possible;
}

/* ---- rounds ---- */

typedef struct rounds {
  irl_milp_search *search;
  irl_milp_worker workers[ROUND];
  irl_milp_node *tasks[ROUND];
  uint32_t n;
} rounds;

static bool is_at_limit(const rounds *r) {
  const irl_milp_search *s = r->search;
  const irl_milp_options *o = s->options;
  /* Memory: what grows, and what is there from the start: the two models by rows and by columns. */
  const size_t entry = sizeof(uint32_t) + sizeof(double);
  const size_t entries =
      s->original.row_start[s->original.n_rows] + s->model.row_start[s->model.n_rows];
  size_t bytes = s->frontier.bytes + 2 * entries * entry;
  for (size_t i = 0; i < s->cuts.n; i++) bytes += s->cuts.cuts[i].n * entry;
  for (uint32_t i = 0; i < ROUND; i++) {
    const irl_milp_worker *w = &r->workers[i];
    if (w->lp) bytes += irl_lp_bytes(w->lp);
    bytes += w->domain.trail.capacity * sizeof *w->domain.trail.items;
  }
  return irl_limit_reached(&o->limit, s->work) || s->nodes >= o->max_nodes ||
         s->iterations >= o->max_iterations || bytes > o->max_memory;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static irl_status run_round(rounds *r) {
  irl_milp_search *s = r->search;
  const double before = s->objective, cutoff = irl_milp_cutoff(&s->original, before);
  const double bound = s->round_bound = s->frontier.nodes[0]->at.bound;
  irl_status status = IRL_STATUS_OK;
  s->plunge_bound =
      isfinite(cutoff) && isfinite(bound) ? bound + PLUNGE_GAP * (cutoff - bound) : INFINITY;
  /* A small tree is best searched by one; as it grows there is work for more. */
  const uint64_t n = least(ROUND, 1 + s->nodes / RAMP);
  for (r->n = 0; r->n < n && s->frontier.n && !status; r->n++) {
    r->tasks[r->n] = irl_milp_frontier_pop(&s->frontier);
    irl_milp_worker *w = &r->workers[r->n];
    if (!w->search) status = irl_milp_worker_init(w, s);
    if (!status && !w->lp) status = irl_milp_worker_load(w);
  }
  assert(irl_milp_frontier_check(&s->frontier, s->model.n_columns));
  if (status) {
    for (uint32_t i = 0; i < r->n; i++) irl_mem_free(&s->frontier.allocator, r->tasks[i]);
    return status;
  }
  assert(r->n > 0 && r->n <= ROUND && s->work <= s->options->limit.max_work);
  const uint64_t grown = s->nodes / TASK_SHARE, left = s->options->limit.max_work - s->work;
  const uint64_t max_nodes = least(grown < TASK_FIRST ? TASK_FIRST : least(grown, TASK_LAST),
                                   (s->options->max_nodes - s->nodes - 1) / r->n + 1);
  const uint64_t max_work = least(TASK_WORK, left / r->n + 1);
#pragma omp parallel for num_threads(irl_threads_here(s->options->threads)) schedule(dynamic, 1)
  for (uint32_t i = 0; i < r->n; i++) {
    irl_milp_worker_reset(&r->workers[i]);
    irl_milp_plunge(&r->workers[i], r->tasks[i], max_work, max_nodes);
  }
  for (uint32_t i = 0; i < r->n; i++) {
    const irl_status merged = irl_milp_merge(s, &r->workers[i]);
    if (merged) status = merged;
  }
  s->round_bound = INFINITY;
  assert(s->objective <= before);
  if (status || s->objective == before) return status;
  const bool is_possible = irl_milp_fix_globally(s);
  irl_milp_frontier_prune(&s->frontier,
                          is_possible ? irl_milp_cutoff(&s->original, s->objective) : -INFINITY);
  return IRL_STATUS_OK;
}

static irl_status search_tree(rounds *r) {
  irl_milp_search *s = r->search;
  irl_status status = IRL_STATUS_OK;
  uint64_t next_report = 100;
  const double known = s->original.problem->bound;
  while (s->frontier.n && !status && !is_at_limit(r)) {
    if (known > irl_milp_cutoff(&s->original, s->objective)) break;
    status = run_round(r);
    note_progress(s, global_bound(s));
    if (s->nodes < next_report) continue;
    irl_milp_report(s, '.');
    next_report = (uint64_t)(REPORT_GROWTH * (double)s->nodes);
  }
  return status;
}

/* ---- the whole ---- */

static irl_status init_search(irl_milp_search *s, irl_env *env, const irl_milp_problem *problem,
                              const irl_milp_options *options) {
  *s = (irl_milp_search){.env = env,
                         .options = options,
                         .objective = INFINITY,
                         .plunge_bound = INFINITY,
                         .round_bound = INFINITY,
                         .root_bound = -INFINITY,
                         .least_unresolved = INFINITY};
  s->cuts.allocator = s->frontier.allocator = s->global.allocator = env->allocator;
  irl_arena_init(&s->arena, &env->allocator);
  const uint32_t n = irl_lp_n_columns(problem->lp);
  irl_status status = irl_milp_model_init(&s->original, env, problem);
  if (!status) status = irl_milp_model_init(&s->model, env, problem);
  if (!status && !((s->point = irl_arena_alloc(&s->arena, n, sizeof *s->point)) &&
                   (s->root_reduced = irl_arena_alloc(&s->arena, n, sizeof *s->root_reduced)) &&
                   irl_milp_pseudocost_init(&s->pseudo, &s->arena, n) &&
                   irl_milp_domain_init(&s->global, &s->arena, &s->model)))
    status = irl_fail_memory(env);
  if (!status && problem->start) {
    double objective;
    /* As it was given: continuous columns may be anything. */
    memcpy(s->point, problem->start, n * sizeof *s->point);
    if (irl_milp_check_solution(&s->original, s->point, 1, &objective)) {
      s->has_point = true;
      s->best_seconds = irl_clock_now() - env->started;
      s->objective = objective;
    }
  }
  for (int i = 0; i < 2 && !status && !options->no_presolve && !s->model.is_infeasible; i++)
    status = irl_milp_imply_integers(i ? &s->model : &s->original, &options->limit);
  return status;
}

static void write_result(irl_milp_search *s, irl_milp_root_end end, double *x,
                         irl_milp_result *result) {
  const double cutoff = irl_milp_cutoff(&s->original, s->objective);
  const bool is_open = s->frontier.n > 0 || end == IRL_MILP_ROOT_CUT;
  const bool is_known = s->original.problem->bound > cutoff;
  *result = (irl_milp_result){.has_point = s->has_point,
                              .objective = s->objective,
                              .bound = global_bound(s),
                              .best_seconds = s->best_seconds,
                              .nodes = s->nodes,
                              .iterations = s->iterations,
                              .work = s->work};
  if (s->has_point) memcpy(x, s->point, s->model.n_columns * sizeof *x);
  if (end == IRL_MILP_ROOT_UNBOUNDED)
    result->outcome = IRL_OUTCOME_UNBOUNDED;
  else if (!is_known &&
           (is_open || (isfinite(s->least_unresolved) && s->least_unresolved <= cutoff)))
    result->outcome = irl_limit_outcome(&s->options->limit);
  else
    result->outcome = s->has_point ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE;
  assert(!s->has_point || result->bound <= s->objective);
  if (result->outcome == IRL_OUTCOME_OPTIMAL) result->bound = s->objective;
  if (result->outcome == IRL_OUTCOME_INFEASIBLE) result->bound = INFINITY;
  if (!is_open) s->root_bound = result->bound; /* for the last line of the log */
}

/* AND/OR structure, if there is any: solved, or at least a bound. */
static irl_status solve_structure(irl_milp_search *s, irl_milp_problem *own,
                                  irl_andor_end *structure, irl_milp_root_end *end) {
  double bound = -INFINITY;
  const irl_status status = s->options->solve_structure(s, structure, &bound);
  if (status || *structure == IRL_ANDOR_NOT_FOUND) return status;
  if (*structure == IRL_ANDOR_CUT) *end = IRL_MILP_ROOT_CUT;
  if (*structure == IRL_ANDOR_DONE) s->root_bound = bound;
  if (*structure == IRL_ANDOR_BOUNDED) {
    own->bound = fmax(own->bound, bound);
    s->root_bound = -INFINITY;
  }
  return IRL_STATUS_OK;
}

static irl_status solve_bounded(irl_env *env, const irl_milp_problem *problem,
                                const irl_milp_options *options, double *x,
                                irl_milp_result *result) {
  irl_milp_search s;
  irl_milp_problem own = *problem;
  rounds r = {.search = &s};
  irl_milp_root_end end = IRL_MILP_ROOT_CLOSED;
  irl_andor_end structure = IRL_ANDOR_NOT_FOUND;
  irl_status status = init_search(&s, env, &own, options);
  if (!status) {
    irl_log(env, IRL_LOG_NOTE,
            "  R root LP, C cuts, D dive, * better solution, . search; open: nodes left; gap: of "
            "incumbent and bound, over the incumbent; iterations: of the simplex");
    irl_log(env, IRL_LOG_NOTE, "  %9s %8s %15s %15s %9s %10s %7s %12s %8s", "nodes", "open",
            "bound", "incumbent", "gap", "iterations", "cuts", "work", "seconds");
  }
  if (!status && !s.model.is_infeasible && options->solve_structure &&
      options->max_nodes == UINT64_MAX && !options->no_presolve &&
      !(own.bound > irl_milp_cutoff(&s.original, s.objective)))
    status = solve_structure(&s, &own, &structure, &end);
  const bool is_solved = structure == IRL_ANDOR_DONE || structure == IRL_ANDOR_CUT;
  if (!status && !s.model.is_infeasible && !is_solved) status = irl_milp_presolve(&s);
  if (!status && !s.model.is_infeasible && !is_solved &&
      !(own.bound > irl_milp_cutoff(&s.original, s.objective))) {
    status = irl_milp_worker_init(&r.workers[0], &s);
    if (!status) status = irl_milp_root(&s, &r.workers[0], &end);
    if (!status && end == IRL_MILP_ROOT_OPEN) status = search_tree(&r);
  }
  if (!status) write_result(&s, end, x, result);
  if (!status) irl_milp_report(&s, '.');
  for (uint32_t i = 0; i < ROUND; i++) irl_milp_worker_free(&r.workers[i]);
  irl_milp_model_free(&s.original);
  irl_milp_model_free(&s.model);
  irl_milp_cuts_free(&s.cuts);
  irl_milp_frontier_free(&s.frontier);
  irl_milp_domain_free(&s.global);
  irl_arena_free(&s.arena);
  return status;
}

/* ---- integers without bounds ---- */

/* Integer columns without bounds can be branched on for ever where there is no integer point. Let g
 * divide the entries of all such columns of a row: they add up to a multiple g k. If the bounds of
 * the others leave a single k, the others lie within the sides less g k, and that is a row of
 * bounded columns alone. Its sides are loosened by the tolerance of the first row. */
static irl_status add_bounded_part(const irl_milp_model *m, uint32_t i, const uint8_t *is_bounded,
                                   double *values, irl_lp *lp) {
  const size_t first = m->row_start[i], n = m->row_start[i + 1] - first;
  double divisor = 0, least = 0, most = 0;
  for (size_t e = 0; e < n; e++) {
    const double a = m->row_value[first + e];
    const uint32_t j = m->row_column[first + e];
    values[e] = is_bounded[j] ? a : 0;
    if (is_bounded[j]) {
      least += fmin(a * m->lower[j], a * m->upper[j]);
      most += fmax(a * m->lower[j], a * m->upper[j]);
    } else {
      if (!m->is_integer[j] || !irl_milp_is_whole(a)) return IRL_STATUS_OK;
      divisor = irl_milp_greatest_common(fabs(a), divisor);
    }
  }
  const double loose = m->tolerance[i] + IRL_MILP_TOL_ROW * fmax(most, -least);
  const double lower = m->row_lower[i] - loose, upper = m->row_upper[i] + loose;
  if (divisor == 0 || !isfinite(lower) || !isfinite(upper)) return IRL_STATUS_OK;
  const double k = ceil((lower - most) / divisor);
  if (k < floor((upper - least) / divisor)) return IRL_STATUS_OK;
  return irl_lp_add_row(lp, lower - divisor * k, upper - divisor * k,
                        &(irl_lp_terms){(uint32_t)n, m->row_column + first, values});
}

/* Solves a copy of the model with the bounded parts of its rows; if there are such parts bounded
 * columns are branched on first. The copy has costs or none. */
static irl_status solve_copy(irl_env *env, const irl_milp_problem *problem,
                             const irl_milp_options *options, bool has_costs, double *x,
                             irl_milp_result *result) {
  irl_milp_model m;
  irl_lp *lp = NULL;
  irl_milp_problem own = *problem;
  irl_status status = irl_milp_model_init(&m, env, problem);
  if (status) return status;
  const uint32_t n_rows = m.n_rows;
  uint8_t *is_bounded = irl_mem_alloc(&env->allocator, m.n_columns, sizeof *is_bounded);
  double *values = irl_mem_alloc(&env->allocator, m.n_columns, sizeof *values);
  if (!has_costs) memset(m.cost, 0, m.n_columns * sizeof *m.cost);
  status = is_bounded && values ? irl_milp_model_lp(&m, env, &lp) : irl_fail_memory(env);
  for (uint32_t j = 0; j < m.n_columns && !status; j++)
    is_bounded[j] = isfinite(m.lower[j]) && isfinite(m.upper[j]);
  for (uint32_t i = 0; i < n_rows && !status; i++)
    status = add_bounded_part(&m, i, is_bounded, values, lp);
  irl_milp_model_free(&m);
  const bool has_parts = !status && irl_lp_n_rows(lp) > n_rows;
  if (!has_costs) own.bound = -INFINITY;
  if (!has_costs || has_parts) own.lp = lp;
  if (has_parts && !own.priority) own.priority = is_bounded;
  if (!status) status = solve_bounded(env, &own, options, x, result);
  irl_lp_free(lp);
  irl_mem_free(&env->allocator, is_bounded);
  irl_mem_free(&env->allocator, values);
  return status;
}

static bool has_endless_integers(const irl_milp_problem *problem) {
  bool has = false;
  for (uint32_t j = 0; j < irl_lp_n_columns(problem->lp) && !has; j++) {
    double lower, upper;
    irl_lp_bounds(problem->lp, j, &lower, &upper);
    has = problem->is_integer[j] && !(isfinite(lower) && isfinite(upper));
  }
  return has;
}

irl_status irl_milp_solve(irl_env *env, const irl_milp_problem *problem,
                          const irl_milp_options *options, double *x, irl_milp_result *result) {
  irl_milp_result any;
  irl_status status = has_endless_integers(problem)
                          ? solve_copy(env, problem, options, true, x, result)
                          : solve_bounded(env, problem, options, x, result);
  if (status || result->outcome != IRL_OUTCOME_UNBOUNDED) return status;
  /* The LP is unbounded: so is the model, if it has any point at all (its data are rational). */
  status = solve_copy(env, problem, options, false, x, &any);
  if (status) return status;
  result->outcome = any.outcome == IRL_OUTCOME_OPTIMAL ? IRL_OUTCOME_UNBOUNDED : any.outcome;
  result->has_point = false;
  result->nodes += any.nodes;
  result->iterations += any.iterations;
  result->work += any.work;
  return IRL_STATUS_OK;
}
