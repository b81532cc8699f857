/* Curves, for the public: made from a fit, told point by point. */
#include "base/contract.h"
#include "base/memory.h"
#include "curve/curve.h"
#include "ireland_study.h"
#include "report/report.h"
#include <math.h>
#include <string.h>

/* ---- making ---- */

static irl_status trace(irl_curve_solver *solver, const irl_options *options, irl_curve *curve) {
  irl_curve_line *lines = curve->lines;
  irl_status status = irl_curve_pareto(solver, &lines[IRL_CURVE_TRADEOFF]);
  if (!status && options->output.sizes)
    status = irl_curve_literals(solver, &lines[IRL_CURVE_LITERALS]);
  if (!status && options->output.sizes)
    status = irl_curve_clauses(solver, &lines[IRL_CURVE_CLAUSES]);
  irl_clause_set_init(&curve->pool, solver->fit->pool.data, solver->fit->pool.max_size);
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS && !status; kind++) {
    status = irl_curve_prove(solver, kind, &curve->pool, &lines[kind]);
    if (status) break;
    const size_t n = lines[kind].n;
    curve->rules[kind] = irl_mem_alloc(&curve->allocator, n, sizeof *curve->rules[kind]);
    if (!curve->rules[kind]) return irl_fail_memory(solver->env);
    for (size_t i = 0; i < n && !status; i++)
      status = irl_search_make_rule(solver->env, &curve->pool, curve->fit->problem.K,
                                    &lines[kind].solutions[i].rule, &curve->rules[kind][i]);
  }
  return status;
}

/* Under straight lines from (0, 0) through the points to (1, 1), 1 - specificity to the right. */
static double area_under(const irl_curve *curve) {
  double area = 0, x = 0, y = 0;
  for (uint32_t i = 0; i <= irl_curve_size(curve, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_point point = {.size = sizeof point, .sensitivity = 1, .specificity = 0};
    if (i < irl_curve_size(curve, IRL_CURVE_TRADEOFF))
      irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &point);
    area += (1 - point.specificity - x) * (point.sensitivity + y) / 2;
    x = 1 - point.specificity;
    y = point.sensitivity;
  }
  return area;
}

/* The outcome of the worst line; or that of the learning, if it was stopped or had no time to find
 * any clause: then the lines are no answer, proven as they may be for so small a pool. */
static irl_outcome outcome_of(const irl_curve *curve) {
  const irl_outcome learning = curve->fit->info.outcome;
  irl_outcome worst = curve->lines[0].outcome;
  if (learning == IRL_OUTCOME_INTERRUPTED || (learning == IRL_OUTCOME_LIMIT && !curve->fit->pool.n))
    return learning;
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS; kind++)
    if (curve->lines[kind].n && curve->lines[kind].outcome > worst)
      worst = curve->lines[kind].outcome;
  return worst;
}

irl_status irl_curve_make(irl_env *env, const irl_fit_result *fit, const irl_options *options,
                          irl_curve **out) {
  IRL_NEED(env, "env, fit, options, curve", env, fit, options, out);
  irl_curve_solver solver = {0};
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check(env, &own, IRL_FOR_CURVE, 0);
  if (status) return status;
  options = &own;
  irl_curve *curve = irl_mem_alloc(&env->allocator, 1, sizeof *curve);
  if (!curve) return irl_fail_memory(env);
  *curve =
      (irl_curve){.allocator = env->allocator, .fit = fit, .threshold = options->output.threshold};
  if (fit->pool.data) {
    status = irl_curve_solver_init(&solver, env, fit, options);
    if (!status) status = trace(&solver, options, curve);
    if (!status && options->search.certificate &&
        irl_curve_certify(env, curve, &curve->certificates)) /* the points stay */
      irl_log(env, IRL_LOG_WARNING, "there is no certificate: %s", irl_env_error(env));
  } else {
    curve->lines[IRL_CURVE_TRADEOFF].outcome = IRL_OUTCOME_INFEASIBLE;
  }
  const bool is_balanced =
      fit->problem.case_weight != fit->problem.control_weight || fit->problem.case_weight != 1;
  curve->info = (irl_curve_info){.outcome = outcome_of(curve),
                                 .pool = fit->pool.n,
                                 .is_complete = fit->is_complete,
                                 .selections = solver.n_selections,
                                 .work = solver.work,
                                 .nodes = solver.nodes,
                                 .accuracy_is = is_balanced ? "balanced accuracy" : "accuracy"};
  irl_curve_solver_free(&solver);
  if (status) {
    irl_curve_free(curve);
    return status;
  }
  curve->info.area = area_under(curve);
  *out = curve;
  return IRL_STATUS_OK;
}

void irl_curve_free(irl_curve *curve) {
  if (!curve) return;
  const irl_allocator allocator = curve->allocator;
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS; kind++) {
    for (size_t i = 0; curve->rules[kind] && i < curve->lines[kind].n; i++)
      irl_rule_free(curve->rules[kind][i]);
    irl_mem_free(&allocator, curve->rules[kind]);
    irl_curve_line_free(&allocator, &curve->lines[kind]);
  }
  if (curve->pool.data) irl_clause_set_free(&curve->pool);
  irl_mem_free(&allocator, curve->certificates);
  irl_mem_free(&allocator, curve);
}

/* ---- telling ---- */

irl_status irl_curve_describe(const irl_curve *curve, irl_curve_info *info) {
  return curve ? irl_sized_copy_out(info, &curve->info, sizeof *info) : IRL_STATUS_BAD_ARGUMENT;
}

uint32_t irl_curve_size(const irl_curve *curve, irl_curve_kind kind) {
  return curve && (unsigned)kind < IRL_N_CURVE_KINDS ? (uint32_t)curve->lines[kind].n : 0;
}

const irl_rule *irl_curve_rule(const irl_curve *curve, irl_curve_kind kind, uint32_t i) {
  return i < irl_curve_size(curve, kind) ? curve->rules[kind][i] : NULL;
}

irl_status irl_curve_get(const irl_curve *curve, irl_curve_kind kind, uint32_t i,
                         irl_curve_point *point) {
  if (i >= irl_curve_size(curve, kind)) return IRL_STATUS_BAD_ARGUMENT;
  const irl_data *data = curve->fit->data;
  const double n1 = (double)irl_data_total(data, 0), n0 = (double)irl_data_total(data, 1);
  const double most = (double)curve->fit->problem.case_weight * n1 +
                      (double)curve->fit->problem.control_weight * n0;
  const irl_curve_solution *solution = &curve->lines[kind].solutions[i];
  const bool is_tradeoff = kind == IRL_CURVE_TRADEOFF;
  const irl_curve_point made = {
      .outcome = solution->outcome,
      .tp = solution->rule.tp,
      .fp = solution->rule.fp,
      .sensitivity = (double)solution->rule.tp / n1,
      .specificity = (n0 - (double)solution->rule.fp) / n0,
      .accuracy = 1 - (double)solution->rule.loss / most,
      .sensitivity_bound = is_tradeoff ? (double)solution->max_tp / n1 : NAN,
      .specificity_bound = is_tradeoff ? (n0 - (double)solution->min_fp) / n0 : NAN,
      .accuracy_bound = is_tradeoff ? NAN : 1 - (double)solution->min_loss / most,
      .clauses = solution->rule.n,
      .literals = (uint32_t)solution->literals};
  return irl_sized_copy_out(point, &made, sizeof made);
}

irl_status irl_curve_render(irl_env *env, const irl_curve *curve, irl_format format, char **text) {
  IRL_NEED(env, "env, curve, text", env, curve, text);
  IRL_NEED_FORMAT(env, format);
  return format == IRL_FORMAT_JSON ? irl_report_curve_json(env, curve, text)
                                   : irl_report_curve_table(env, curve, text);
}

irl_status irl_curve_export(irl_env *env, const irl_curve *curve, const char *to, char **text) {
  IRL_NEED(env, "env, curve, to, text", env, curve, to, text);
  if (!strcmp(to, "csv")) return irl_report_curve_csv(env, curve, text);
  if (!strcmp(to, "svg")) return irl_report_curve_svg(env, curve, text);
  if (!strcmp(to, "plot")) return irl_report_curve_plot(env, curve, text);
  if (!strcmp(to, "certificate")) {
    const char *own = curve->certificates ? curve->certificates : "";
    char *copy = irl_mem_copy_text(&env->allocator, own, strlen(own));
    if (copy) *text = copy;
    return copy ? IRL_STATUS_OK : irl_fail_memory(env);
  }
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "a curve is written as csv, svg, plot or certificate, not '%s'", to);
}

irl_status irl_report_render(irl_env *env, const irl_fit_result *fit, const irl_curve *curve,
                             const irl_options *options, const char *command, char **html) {
  IRL_NEED(env, "env, fit, options, html", env, fit, options, html);
  irl_options own;
  const irl_status status = irl_options_copy_in(env, options, &own);
  return status ? status : irl_report_page(env, fit, curve, &own, command, html);
}

const char *irl_curve_rests_on(const irl_curve *curve) {
  (void)curve;
  return NULL;
}

bool irl_curve_lost_checkpoint(const irl_curve *curve) {
  return curve && curve->fit->lost_checkpoint;
}
