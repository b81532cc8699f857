/* The public functions for linear and mixed-integer programs: models from files, solved and shown.
 */
#include "api/api_model.h"
#include "base/c_locale.h"
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

irl_model *irl_model_create(irl_env *env) {
  irl_model *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return NULL;
  made->allocator = env->allocator;
  made->solution =
      (irl_solution){.outcome = IRL_OUTCOME_LIMIT, .objective = NAN, .bound = NAN, .gap = NAN};
  return made;
}

irl_status irl_model_read(irl_env *env, const char *path, irl_model **model) {
  irl_model *made = irl_model_create(env);
  if (!made) return irl_fail_memory(env);
  const irl_status status = irl_lp_read(env, path, &made->named);
  if (status)
    irl_mem_free(&env->allocator, made);
  else
    *model = made;
  return status;
}

irl_status irl_model_write(irl_env *env, const irl_model *model, const char *path) {
  return irl_lp_write(env, &model->named, path);
}

void irl_model_free(irl_model *model) {
  if (!model) return;
  const irl_allocator allocator = model->allocator;
  irl_lp_names_free(&model->named);
  irl_bp_free(&model->bp);
  irl_mem_free(&allocator, model->point);
  irl_mem_free(&allocator, model);
}

void irl_model_describe(const irl_model *model, irl_model_info *info) {
  *info = (irl_model_info){.name = model->named.name,
                           .rows = irl_lp_n_rows(model->named.lp),
                           .columns = irl_lp_n_columns(model->named.lp),
                           .entries = irl_lp_n_entries(model->named.lp),
                           .integers = model->named.n_integer,
                           .is_maximised = model->named.is_maximised};
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
  irl_status status = options->search.no_presolve
                          ? irl_lp_solve(lp, &lp_options, &result)
                          : irl_lp_solve_presolved(lp, &lp_options, &result);
  if (status) return status;
  if (result.end == IRL_LP_TROUBLE)
    return irl_fail(env, IRL_STATUS_INTERNAL, "numerical trouble: no answer passed the checks");
  s->outcome = result.end == IRL_LP_OPTIMAL      ? IRL_OUTCOME_OPTIMAL
               : result.end == IRL_LP_INFEASIBLE ? IRL_OUTCOME_INFEASIBLE
               : result.end == IRL_LP_UNBOUNDED  ? IRL_OUTCOME_UNBOUNDED
                                                 : irl_limit_outcome(&lp_options.limit);
  s->iterations = result.iterations;
  s->work = result.work;
  if (s->outcome == IRL_OUTCOME_OPTIMAL) s->objective = result.objective;
  model->has_point = s->outcome == IRL_OUTCOME_OPTIMAL;
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
  model->point =
      irl_mem_alloc(&model->allocator, irl_lp_n_columns(model->named.lp), sizeof *model->point);
  if (!model->point) return irl_fail_memory(env);
  const irl_status status = irl_milp_solve(env, &problem, &milp, model->point, &result);
  if (status) return status;
  s->outcome = result.outcome;
  s->nodes = result.nodes;
  s->iterations = result.iterations;
  s->work = result.work;
  model->has_point = result.has_point;
  if (result.has_point) s->objective = result.objective;
  if (isfinite(result.bound) && s->outcome != IRL_OUTCOME_UNBOUNDED) s->bound = result.bound;
  const double gap = irl_milp_gap(s->objective, s->bound);
  if (isfinite(gap)) s->gap = gap;
  return IRL_STATUS_OK;
}

irl_status irl_model_solve(irl_env *env, irl_model *model, const irl_options *options,
                           irl_solution *solution) {
  const double sign = model->named.is_maximised ? -1 : 1;
  const bool is_milp = model->named.n_integer && !options->search.relax;
  irl_solution s = {.objective = NAN, .bound = NAN, .gap = NAN};
  irl_status status = irl_options_check(env, options, IRL_FOR_SOLVE, 0);
  if (status) return status;
  /* Without integers there is nothing to branch on, and nothing to relax. */
  if (!model->named.n_integer && (options->search.relax || options->limits.node_limit))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option %s has no effect on a model without integers",
                    options->search.relax ? "relax" : "node_limit");
  irl_lp_use_env(model->named.lp, env);
  irl_mem_free(&model->allocator, model->point);
  model->point = NULL;
  model->has_point = false;
  status = is_milp ? solve_milp(env, model, options, &s) : solve_lp(env, model, options, &s);
  if (status) return status;
  s.objective *= sign;
  s.bound *= sign;
  *solution = model->solution = s;
  return IRL_STATUS_OK;
}

const char *irl_model_column(const irl_model *model, uint32_t column, double *value) {
  if (value) *value = model->point ? model->point[column] : irl_lp_primal(model->named.lp)[column];
  return model->named.column_names[column];
}

irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format, char **text) {
  const irl_solution *s = &model->solution;
  irl_text out;
  irl_json json;
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
irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path) {
  const irl_lp_names *named = &model->named;
  const irl_lp *lp = named->lp;
  const double sign = named->is_maximised ? -1 : 1;
  const bool is_lp = !model->point;
  irl_output output;
  double *activity = NULL;
  irl_status status = irl_output_open(env, path, &output);
  if (status) return status;
  fprintf(output.stream, "status %s\n", irl_outcome_text(model->solution.outcome));
  if (model->has_point) {
    irl_c_fprintf(output.stream, "objective %.17g\n", model->solution.objective);
    activity = irl_mem_alloc(&env->allocator, irl_lp_n_rows(lp), sizeof *activity);
    if (!activity) status = irl_fail_memory(env);
  }
  if (activity) {
    if (!is_lp) irl_lp_multiply(lp, model->point, activity);
    for (uint32_t j = 0; j < irl_lp_n_columns(lp); j++) {
      irl_c_fprintf(output.stream, "column %s %.17g", named->column_names[j],
                    is_lp ? irl_lp_primal(lp)[j] : model->point[j]);
      if (is_lp) irl_c_fprintf(output.stream, " %.17g", sign * irl_lp_reduced(lp)[j]);
      fputc('\n', output.stream);
    }
    for (uint32_t i = 0; i < irl_lp_n_rows(lp); i++) {
      irl_c_fprintf(output.stream, "row %s %.17g", named->row_names[i],
                    is_lp ? irl_lp_activity(lp)[i] : activity[i]);
      if (is_lp) irl_c_fprintf(output.stream, " %.17g", sign * irl_lp_dual(lp)[i]);
      fputc('\n', output.stream);
    }
  }
  irl_mem_free(&env->allocator, activity);
  const irl_status closed = irl_output_close(&output, !status);
  return status ? status : closed;
}
