/* The public functions for linear and mixed-integer programs: models from files, solved and shown.
 * How they are built is in model_build.c, what a solve leaves in model_answer.c. */
#include "api/api_model.h"
#include "base/c_locale.h"
#include "base/contract.h"
#include "base/file.h"
#include "base/memory.h"
#include "ireland_model.h"
#include "milp/milp.h"
#include "model/lp_names.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>

/* Bounds farther from the objective than this (relative) are no news about an optimal LP. */
#define USEFUL_GAP 1e-6

irl_status irl_model_read(irl_env *env, const char *path, irl_model **model) {
  IRL_NEED(env, "env, path, model", env, path, model);
  irl_model *made = irl_model_alloc(env);
  if (!made) return irl_fail_memory(env);
  const irl_status status = irl_lp_read(env, path, &made->named);
  if (status)
    irl_mem_free(&env->allocator, made);
  else
    *model = made;
  return status;
}

irl_status irl_model_write(irl_env *env, const irl_model *model, const char *path) {
  IRL_NEED(env, "env, model, path", env, model, path);
  return irl_lp_write(env, &model->named, path);
}

void irl_model_free(irl_model *model) {
  if (!model) return;
  const irl_allocator allocator = model->allocator;
  irl_lp_names_free(&model->named);
  irl_bp_free(&model->bp);
  irl_mem_free(&allocator, model->answer.values);
  irl_mem_free(&allocator, model->start);
  irl_mem_free(&allocator, model->is_seen);
  irl_mem_free(&allocator, model);
}

static irl_status solve_lp(irl_env *env, irl_model *model, const irl_options *options,
                           irl_solution *s) {
  irl_lp_options lp_options;
  irl_lp_result result;
  irl_lp *lp = model->named.lp;
  double safe;
  irl_lp_options_init(&lp_options, env);
  irl_limit_init(&lp_options.limit, env, options);
  if (options->limits.iteration_limit > 0)
    lp_options.max_iterations = (uint64_t)options->limits.iteration_limit;
  lp_options.seed = (uint64_t)options->search.seed;
  irl_status status = options->search.no_presolve || model->has_basis
                          ? irl_lp_solve(lp, &lp_options, &result)
                          : irl_lp_solve_presolved(lp, &lp_options, &result);
  if (status) return status;
  model->has_basis = result.end != IRL_LP_TROUBLE;
  if (result.end == IRL_LP_TROUBLE)
    return irl_fail(env, IRL_STATUS_INTERNAL, "numerical trouble: no answer passed the checks");
  s->outcome = result.end == IRL_LP_OPTIMAL      ? IRL_OUTCOME_OPTIMAL
               : result.end == IRL_LP_INFEASIBLE ? IRL_OUTCOME_INFEASIBLE
               : result.end == IRL_LP_UNBOUNDED  ? IRL_OUTCOME_UNBOUNDED
                                                 : irl_limit_outcome(&lp_options.limit);
  s->iterations = result.iterations;
  s->work = result.work;
  if (s->outcome == IRL_OUTCOME_OPTIMAL) s->objective = result.objective;
  if (s->outcome == IRL_OUTCOME_OPTIMAL) irl_model_take_lp_answer(model);
  irl_model_take_ray(model, s->outcome);
  /* An optimal LP's bound is the safe one if it says as much, else the dual objective, which the
   * check has found equal to the primal one. At a limit only the safe one counts. */
  status = irl_lp_safe_bound(lp, irl_lp_dual(lp), &safe);
  if (status) return status;
  if (s->outcome == IRL_OUTCOME_OPTIMAL) {
    const double gap = fabs(s->objective - safe) / fmax(1, fabs(s->objective));
    s->bound = gap <= USEFUL_GAP ? fmin(safe, s->objective) : s->objective;
    s->gap = (s->objective - s->bound) / fmax(1, fabs(s->objective));
    assert(s->bound <= s->objective);
  } else if (s->outcome != IRL_OUTCOME_INFEASIBLE && s->outcome != IRL_OUTCOME_UNBOUNDED &&
             isfinite(safe)) {
    s->bound = safe;
  }
  return IRL_STATUS_OK;
}

static irl_status solve_milp(irl_env *env, irl_model *model, const irl_options *options,
                             irl_solution *s) {
  irl_milp_problem problem;
  irl_milp_options milp;
  irl_milp_result result;
  irl_milp_problem_init(&problem, model->named.lp, model->named.is_integer);
  irl_milp_options_init(&milp, env);
  irl_limit_init(&milp.limit, env, options);
  if (options->limits.iteration_limit > 0)
    milp.max_iterations = (uint64_t)options->limits.iteration_limit;
  if (options->limits.node_limit > 0) milp.max_nodes = (uint64_t)options->limits.node_limit;
  if (options->limits.memory_limit > 0)
    milp.max_memory = (size_t)options->limits.memory_limit * 1000000;
  milp.seed = (uint64_t)options->search.seed;
  milp.threads = irl_threads(env, options->limits.threads);
  milp.no_presolve = options->search.no_presolve;
  irl_status status = irl_model_reserve_start(env, model);
  if (status) return status;
  if (model->has_start) problem.start = model->start;
  status = irl_milp_solve(env, &problem, &milp, model->answer.values, &result);
  if (status) return status;
  s->outcome = result.outcome;
  s->nodes = result.nodes;
  s->iterations = result.iterations;
  s->work = result.work;
  if (result.has_point) {
    s->objective = result.objective;
    irl_model_take_milp_answer(model);
  }
  if (isfinite(result.bound) && s->outcome != IRL_OUTCOME_UNBOUNDED) s->bound = result.bound;
  const double gap = irl_milp_gap(s->objective, s->bound);
  if (isfinite(gap)) s->gap = gap;
  return IRL_STATUS_OK;
}

irl_status irl_model_solve(irl_env *env, irl_model *model, const irl_options *options,
                           irl_solution *solution) {
  irl_options own;
  irl_solution s = {.objective = NAN, .bound = NAN, .gap = NAN};
  irl_status status = irl_model_enter(env, model);
  if (!status) status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_sized_need(env, solution, "solution");
  if (!status) status = irl_options_check(env, &own, IRL_FOR_SOLVE, 0);
  if (status) return status;
  /* Without integers there is nothing to branch on, and nothing to relax. */
  if (!model->named.n_integer && (own.search.relax || own.limits.node_limit))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option %s has no effect on a model without integers",
                    own.search.relax ? "relax" : "node_limit");
  const double sign = model->named.is_maximised ? -1 : 1;
  const bool is_milp = model->named.n_integer && !own.search.relax;
  status = irl_model_begin_answer(env, model);
  if (!status) status = is_milp ? solve_milp(env, model, &own, &s) : solve_lp(env, model, &own, &s);
  if (status) return status;
  s.objective *= sign;
  s.bound *= sign;
  model->solution = s;
  return irl_sized_copy_out(solution, &s, sizeof s);
}

irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format, char **text) {
  irl_text out;
  irl_json json;
  IRL_NEED(env, "env, model, text", env, model, text);
  IRL_NEED_FORMAT(env, format);
  const irl_solution *s = &model->solution;
  if (format == IRL_FORMAT_JSON) {
    irl_report_open(&json, env, irl_outcome_text(s->outcome));
    irl_json_real(&json, "objective", s->objective);
    irl_json_real(&json, "bound", s->bound);
    irl_json_real(&json, "gap", s->gap);
    irl_json_unsigned(&json, "nodes", s->nodes);
    irl_json_unsigned(&json, "iterations", s->iterations);
    irl_json_unsigned(&json, "work", s->work);
    return irl_report_close(&json, NULL, text);
  }
  irl_text_init(&out, env);
  irl_text_printf(&out, "status     %s\n", irl_outcome_text(s->outcome));
  if (!isnan(s->objective)) irl_text_printf(&out, "objective  %.12g\n", s->objective);
  if (!isnan(s->bound)) irl_text_printf(&out, "bound      %.12g\n", s->bound);
  if (model->named.n_integer && !isnan(s->gap))
    irl_text_printf(&out, "gap        %.4g %%\n", 100 * s->gap);
  if (s->nodes) irl_text_printf(&out, "nodes      %" PRIu64 "\n", s->nodes);
  irl_text_printf(&out, "iterations %" PRIu64 "\n", s->iterations);
  return irl_text_take(&out, text);
}

/* A line per column and row: its value and, of an LP, its reduced cost or dual value. */
static void print_answer(FILE *stream, const irl_model *model) {
  const irl_model_answer *a = &model->answer;
  const double *activity = irl_model_activities(model);
  for (uint32_t j = 0; j < a->n_columns; j++) {
    irl_c_fprintf(stream, "column %s %.17g", model->named.column_names[j], a->values[j]);
    if (a->has_duals) irl_c_fprintf(stream, " %.17g", irl_model_reduced_costs(model)[j]);
    fputc('\n', stream);
  }
  for (uint32_t i = 0; i < a->n_rows; i++) {
    irl_c_fprintf(stream, "row %s %.17g", model->named.row_names[i], activity[i]);
    if (a->has_duals) irl_c_fprintf(stream, " %.17g", irl_model_duals(model)[i]);
    fputc('\n', stream);
  }
}

irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path) {
  irl_output output;
  IRL_NEED(env, "env, model, path", env, model, path);
  const irl_status status = irl_output_open(env, path, &output);
  if (status) return status;
  fprintf(output.stream, "status %s\n", irl_outcome_text(model->solution.outcome));
  if (model->answer.has_point) {
    irl_c_fprintf(output.stream, "objective %.17g\n", model->solution.objective);
    print_answer(output.stream, model);
  }
  return irl_output_close(&output, true);
}
