/* The public functions for linear and mixed-integer programs: models from files, solved and shown.
 * How they are built is in model_build.c, what a solve leaves in model_answer.c, its file in
 * model_solution.c. */
#include "api/api_model.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_model.h"
#include "learn/solve_structure.h"
#include "milp/conflict.h"
#include "model/lp_names.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>

/* Work for the conflict of an infeasible model, unless the options give less. */
#define CONFLICT_WORK 1000000000u
/* Rows of a conflict that the text names. */
#define CONFLICT_SHOWN 10u
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
  irl_model_drop_conflict(model);
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

static void set_milp_options(irl_env *env, const irl_options *options, irl_milp_options *milp) {
  irl_milp_options_init(milp, env);
  irl_limit_init(&milp->limit, env, options);
  if (options->limits.memory_limit > 0)
    milp->max_memory = (size_t)options->limits.memory_limit * 1000000;
  milp->seed = (uint64_t)options->search.seed;
  milp->threads = irl_threads(env, options->limits.threads);
  milp->solve_structure = irl_learn_structure;
}

static irl_status solve_milp(irl_env *env, irl_model *model, const irl_options *options,
                             irl_solution *s) {
  irl_milp_problem problem;
  irl_milp_options milp;
  irl_milp_result result;
  irl_milp_problem_init(&problem, model->named.lp, model->named.is_integer);
  set_milp_options(env, options, &milp);
  if (options->limits.iteration_limit > 0)
    milp.max_iterations = (uint64_t)options->limits.iteration_limit;
  if (options->limits.node_limit > 0) milp.max_nodes = (uint64_t)options->limits.node_limit;
  milp.no_presolve = options->search.no_presolve;
  if (options->search.no_structure) milp.solve_structure = NULL;
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

/* Beyond 2^53 there are integers that no double is. */
static irl_status check_integers(irl_env *env, const irl_model *model) {
  for (uint32_t j = 0; j < irl_lp_n_columns(model->named.lp) && model->named.n_integer; j++)
    if (irl_lp_names_is_uncounted(&model->named, j))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "the integer column '%s' has a bound beyond 2^53: leave it infinite",
                      model->named.column_names[j]);
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
  const char *vain = own.search.relax          ? "relax"
                     : own.limits.node_limit   ? "node_limit"
                     : own.search.no_structure ? "no_structure"
                                               : NULL;
  if (!model->named.n_integer && vain)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option %s has no effect on a model without integers", vain);
  if ((status = check_integers(env, model))) return status;
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

/* The conflict in an environment of its own: what it solves is not for the log. */
static irl_status find_conflict(irl_env *env, irl_model *model, const irl_options *options,
                                irl_milp_conflict *found) {
  irl_milp_problem problem;
  irl_milp_options milp;
  irl_env *quiet;
  irl_status status = irl_env_create_child(env, &quiet);
  if (status) return irl_fail_memory(env);
  irl_milp_problem_init(&problem, model->named.lp, model->named.is_integer);
  set_milp_options(quiet, options, &milp);
  if (milp.limit.max_work > CONFLICT_WORK) milp.limit.max_work = CONFLICT_WORK;
  status = irl_milp_find_conflict(quiet, &problem, &milp, found);
  if (status) irl_fail(env, status, "%s", irl_env_error(quiet));
  irl_env_free(quiet);
  return status;
}

irl_status irl_model_conflict(irl_env *env, irl_model *model, const irl_options *options,
                              irl_conflict *conflict) {
  irl_options own;
  irl_milp_conflict found;
  irl_status status = irl_model_enter(env, model);
  if (!status) status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_sized_need(env, conflict, "conflict");
  if (status) return status;
  if (model->solution.outcome != IRL_OUTCOME_INFEASIBLE)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "no solve has found the model infeasible");
  if (!model->has_conflict) {
    if ((status = find_conflict(env, model, &own, &found))) return status;
    uint32_t *rows = irl_mem_alloc(&model->allocator, found.n, sizeof *rows);
    if (rows && found.n) memcpy(rows, found.rows, found.n * sizeof *rows);
    irl_mem_free(&env->allocator, found.rows);
    if (!rows) return irl_fail_memory(env);
    model->has_conflict = true;
    model->conflict = (irl_conflict){.n_rows = found.n,
                                     .rows = rows,
                                     .is_irreducible = found.is_irreducible,
                                     .needs_integers = found.needs_integers};
  }
  return irl_sized_copy_out(conflict, &model->conflict, sizeof model->conflict);
}

static void render_conflict_json(irl_json *json, const irl_model *model) {
  const irl_conflict *c = &model->conflict;
  irl_json_open(json, "conflict", '{');
  irl_json_open_flat(json, "rows", '[');
  for (uint32_t k = 0; k < c->n_rows; k++)
    irl_json_string(json, NULL, model->named.row_names[c->rows[k]]);
  irl_json_close(json, ']');
  irl_json_bool(json, "irreducible", c->is_irreducible);
  irl_json_bool(json, "integers", c->needs_integers);
  irl_json_close(json, '}');
}

static void render_conflict_text(irl_text *out, const irl_model *model) {
  const irl_conflict *c = &model->conflict;
  irl_text_printf(out, "conflict  ");
  for (uint32_t k = 0; k < c->n_rows && k < CONFLICT_SHOWN; k++)
    irl_text_printf(out, " %s", model->named.row_names[c->rows[k]]);
  if (c->n_rows > CONFLICT_SHOWN)
    irl_text_printf(out, " and %u more rows", c->n_rows - CONFLICT_SHOWN);
  irl_text_printf(
      out, "%s\n           %s%s%s\n", c->n_rows ? "" : " the bounds of the columns alone",
      c->n_rows ? "these rows and the bounds of the columns cannot hold together" : "",
      c->needs_integers ? " in integers" : "",
      !c->n_rows          ? ""
      : c->is_irreducible ? "; without any one of them the others can"
                          : "; fewer of them may do: the search for such was cut short");
}

static const irl_field fields[] =
    IRL_FIELDS(irl_solution, objective, bound, gap, nodes, iterations, work);

irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format, char **text) {
  irl_text out;
  irl_json json;
  IRL_NEED(env, "env, model, text", env, model, text);
  IRL_NEED_FORMAT(env, format);
  const irl_solution *s = &model->solution;
  if (format == IRL_FORMAT_JSON) {
    irl_report_open(&json, env, irl_outcome_text(s->outcome));
    irl_fields_put(&json, fields, s);
    if (model->has_conflict) render_conflict_json(&json, model);
    return irl_report_close(&json, NULL, text);
  }
  irl_text_init(&out, env);
  irl_text_printf(&out, "status     %s\n", irl_outcome_text(s->outcome));
  if (!isnan(s->objective)) irl_fields_print(&out, fields, s, "objective  {objective:.12g}\n");
  if (!isnan(s->bound)) irl_fields_print(&out, fields, s, "bound      {bound:.12g}\n");
  if (model->named.n_integer && !isnan(s->gap))
    irl_text_printf(&out, "gap        %.4g %%\n", 100 * s->gap);
  if (s->nodes) irl_fields_print(&out, fields, s, "nodes      {nodes}\n");
  irl_fields_print(&out, fields, s, "iterations {iterations}\n");
  if (model->has_conflict) render_conflict_text(&out, model);
  return irl_text_take(&out, text);
}
