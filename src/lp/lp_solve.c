/* The solve: a chain of phases that ends in a solution which passes the independent check.
 *
 *   dual start -> dual simplex (perturbed costs) -> true costs
 *     -> primal simplex if reduced costs have the wrong sign -> true bounds
 *     -> dual simplex if the basis is not primal feasible -> ...
 *
 * The last rounds work with the final tolerances. Whatever ends in trouble, or fails the check, is
 * tried again: first with safer pivots, then from the slack basis, without and with scaling. */
#include "base/clock.h"
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tol.h"
#include <inttypes.h>
#include <math.h>

#define MAX_ROUNDS 12u
/* Rounds after which the final tolerances are given up for the working ones. */
#define STRICT_ROUNDS 8u
/* Times that the primal simplex may lose its point before another attempt is the better hope. */
#define MAX_LOST 2u

void irl_lp_options_init(irl_lp_options *options, const irl_env *env) {
  *options = (irl_lp_options){.limit = {.env = env, .max_work = UINT64_MAX},
                              .max_iterations = UINT64_MAX,
                              .cutoff = INFINITY,
                              .seed = 1};
}

bool irl_lp_is_primal_feasible(const irl_lp_simplex *s) {
  for (uint32_t p = 0; p < s->m; p++)
    if (s->infeasibility[p] > 0) return false;
  return true;
}

/* True costs and bounds again, what they change computed afresh. */
static irl_status restore_model(irl_lp_simplex *s) {
  const bool is_true = !s->is_shifted && !s->is_loosened && s->is_accurate;
  if (s->is_shifted) irl_lp_load_costs(s);
  if (s->is_loosened) {
    irl_lp_load_bounds(s);
    for (uint32_t v = 0; v < s->total; v++) {
      if (s->at[v] == IRL_LP_LOWER) s->x[v] = s->lower[v];
      if (s->at[v] == IRL_LP_UPPER) s->x[v] = s->upper[v];
    }
  }
  if (!is_true) return irl_lp_recompute(s);
  for (uint32_t p = 0; p < s->m; p++) irl_lp_note_infeasibility(s, p);
  return IRL_STATUS_OK;
}

static void set_tolerances(irl_lp_simplex *s, bool is_strict) {
  s->primal_tolerance = is_strict ? IRL_LP_TOL_FINAL : IRL_LP_TOL_PRIMAL;
  s->dual_tolerance = is_strict ? IRL_LP_TOL_FINAL : IRL_LP_TOL_DUAL;
}

/* A line of progress: where the phase that just ended has come to. */
static void report(irl_lp_simplex *s, const char *phase) {
  double objective = 0, infeasible = 0;
  if (!s->env->log_hook) return;
  for (uint32_t v = 0; v < s->total; v++) objective += s->true_cost[v] * s->x[v];
  for (uint32_t p = 0; p < s->m; p++) infeasible += sqrt(s->infeasibility[p]);
  irl_log(s->env, IRL_LOG_PROGRESS,
          "lp %-6s iterations %" PRIu64 " objective %.10g infeasibility %.3g work %" PRIu64
          " factors %zu nucleus %u dense %u seconds %.1f",
          phase, s->iterations, objective * s->bound_unit * s->cost_unit, infeasible,
          irl_lp_work(s), s->lu.size_fresh, s->lu.n_active, s->lu.n_dense,
          irl_clock_now() - s->env->started);
}

/* Dual and primal in turns until both are feasible for the true model. */
static irl_status run_phases(irl_lp_simplex *s, bool is_cold, irl_lp_end *end) {
  irl_status status = irl_lp_dual_start(s, is_cold, end);
  bool is_strict = true;
  if (status || *end != IRL_LP_OPTIMAL) return status;
  report(s, "start");
  for (uint32_t round = 0; round < MAX_ROUNDS && s->n_lost <= MAX_LOST; round++) {
    if (!irl_lp_is_primal_feasible(s)) {
      irl_lp_force_dual_feasible(s);
      if ((status = irl_lp_run_dual(s, end))) return status;
      report(s, "dual");
      if (*end != IRL_LP_OPTIMAL && *end != IRL_LP_TROUBLE) return IRL_STATUS_OK;
    }
    if ((round > 0 && *end == IRL_LP_TROUBLE) || round >= STRICT_ROUNDS) is_strict = false;
    set_tolerances(s, is_strict);
    if ((status = restore_model(s))) return status;
    if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
    if (irl_lp_count_dual_infeasible(s)) {
      if ((status = irl_lp_run_primal(s, end))) return status;
      report(s, "primal");
      if (*end == IRL_LP_LIMIT) return IRL_STATUS_OK;
      if (*end != IRL_LP_OPTIMAL) set_tolerances(s, is_strict = false);
      if ((status = restore_model(s))) return status;
      if (s->lu.is_cut) return *end = IRL_LP_LIMIT, IRL_STATUS_OK;
      /* A direction says nothing unless there is a point to start from. */
      if (*end == IRL_LP_UNBOUNDED && irl_lp_is_primal_feasible(s)) return IRL_STATUS_OK;
    }
    if (irl_lp_is_primal_feasible(s) && !irl_lp_count_dual_infeasible(s))
      return *end = IRL_LP_OPTIMAL, IRL_STATUS_OK;
  }
  return *end = IRL_LP_TROUBLE, IRL_STATUS_OK;
}

static bool has_crossed_bounds(const irl_lp_side *side) {
  for (uint32_t i = 0; i < side->count; i++)
    if (side->lower[i] > side->upper[i]) return true;
  return false;
}

/* One attempt, its solution stored in the model and checked. */
static irl_status attempt_solve(irl_lp *lp, const irl_lp_options *options, bool is_safe,
                                irl_lp_result *result) {
  irl_lp_residuals residuals;
  irl_status status = irl_lp_simplex_load(lp, options);
  if (status) return status;
  irl_lp_simplex *s = lp->simplex;
  s->lu.threshold = is_safe ? IRL_LP_TOL_MARKOWITZ_SAFE : IRL_LP_TOL_MARKOWITZ;
  if (is_safe) s->has_factors = false;
  bool is_cold = true; /* from the slack basis */
  for (uint32_t i = 0; i < lp->rows.count && is_cold; i++) is_cold = lp->rows.at[i] == IRL_LP_BASIC;
  if ((status = run_phases(s, is_cold, &result->end))) return status;
  irl_lp_simplex_store(s);
  assert(result->end != IRL_LP_OPTIMAL ||
         (irl_lp_is_primal_feasible(s) && !irl_lp_count_dual_infeasible(s)));
  assert(result->end != IRL_LP_OPTIMAL || (!s->is_shifted && !s->is_loosened));
  assert(result->end != IRL_LP_INFEASIBLE || lp->ray);
  result->objective = lp->constant;
  for (uint32_t j = 0; j < lp->columns.count; j++)
    result->objective += lp->cost[j] * lp->columns.value[j];
  result->iterations += s->iterations;
  result->work += irl_lp_work(s);
  if (result->end != IRL_LP_OPTIMAL) return IRL_STATUS_OK;
  if ((status = irl_lp_kkt(lp, &residuals))) return status;
  if (!irl_lp_residuals_are_small(&residuals)) result->end = IRL_LP_TROUBLE;
  return IRL_STATUS_OK;
}

irl_status irl_lp_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result) {
  irl_lp_options retry = *options;
  *result = (irl_lp_result){.end = IRL_LP_INFEASIBLE};
  irl_mem_free(&lp->allocator, lp->ray);
  lp->ray = NULL;
  if (has_crossed_bounds(&lp->columns) || has_crossed_bounds(&lp->rows)) return IRL_STATUS_OK;
  bool is_solved = false;
  irl_status status = IRL_STATUS_OK;
  if (irl_lp_lazy_rows_pay(lp))
    status = irl_lp_lazy_rows_solve(lp, options, result, &is_solved);
  else
    irl_lp_lazy_rows_drop(lp);
  if (status || is_solved) return status;
  status = attempt_solve(lp, options, false, result);
  if (!status && result->end == IRL_LP_TROUBLE) status = attempt_solve(lp, options, true, result);
  for (int way = 0; way < 2 && !status && result->end == IRL_LP_TROUBLE; way++) {
    retry.no_scaling = way == 0 || options->no_scaling;
    retry.seed++;
    memset(lp->columns.at, IRL_LP_LOWER, lp->columns.count); /* the slack basis */
    memset(lp->rows.at, IRL_LP_BASIC, lp->rows.count);
    memset(lp->rows.weight, 0, lp->rows.count * sizeof(double));
    lp->is_rebased = true;
    status = attempt_solve(lp, &retry, true, result);
  }
  if (lp->simplex) lp->simplex->options = NULL, lp->simplex->lu.limit = NULL;
  return status;
}
