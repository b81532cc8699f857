/* The best clause, as the public API shows it. */
#include "base/contract.h"
#include "base/memory.h"
#include "clause/solve.h"
#include "ireland_study.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>

struct irl_clause_solution {
  irl_allocator allocator;
  irl_clause_info info;
  irl_clause clause;
  char *names[IRL_CLAUSE_MAX]; /* of the clause's features */
  irl_scope *scope;            /* what it was searched among */
};

static irl_status make_problem(irl_env *env, const irl_data *data, const irl_options *options,
                               irl_clause_problem *problem) {
  irl_clause_problem_init(problem, data);
  const irl_status status = irl_options_check(env, options, IRL_FOR_CLAUSE, 0);
  if (status) return status;
  if (irl_data_has_weights(data))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a clause counts samples; option %s is for fit",
                    options->data.strata ? "strata" : "weight_column");
  if (!data->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the data has no labels, and a clause needs cases");
  problem->max_size = (uint32_t)options->rule.M;
  problem->negations = options->rule.negations && irl_data_may_negate(data);
  /* 0.07 of 100 controls are 7, though 0.07 * 100 is a little more in floating point, and 0.29 of
   * 100 are 29, though 0.29 * 100 is a little less. */
  problem->budget = (uint64_t)floor(options->rule.budget * data->n_controls + 1e-6);
  if (options->rule.budget_count >= 0) problem->budget = (uint64_t)options->rule.budget_count;
  return IRL_STATUS_OK;
}

irl_status irl_clause_solve(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_clause_solution **out) {
  IRL_NEED(env, "env, data, options, solution", env, data, options, out);
  irl_clause_problem problem;
  irl_clause_result result;
  irl_limit limit;
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  options = &own;
  status = make_problem(env, data, options, &problem);
  if (status) return status;
  const irl_clause_effort effort = {.threads = irl_threads(env, options->limits.threads),
                                    .seed = (uint64_t)options->search.seed,
                                    .proves = options->search.prove};
  irl_limit_init(&limit, env, options);
  status = irl_clause_problem_solve(env, &problem, &limit, &effort, NULL, &result);
  if (status) return status;
  irl_clause_solution *solution = irl_mem_alloc(&env->allocator, 1, sizeof *solution);
  if (!solution) return irl_fail_memory(env);
  const irl_clause *best = &result.best;
  const int64_t most = data->n_cases; /* a bound without any search */
  *solution = (irl_clause_solution){.allocator = env->allocator,
                                    .clause = *best,
                                    .info = {.outcome = result.outcome,
                                             .literals = best->n,
                                             .tp = best->n ? best->cases : 0,
                                             .fp = best->n ? best->controls : 0,
                                             .objective = best->n ? best->value : -1,
                                             .bound = result.bound < -1     ? -1
                                                      : result.bound > most ? most
                                                                            : result.bound,
                                             .nodes = result.nodes,
                                             .work = result.work}};
  assert(best->cases <= data->n_cases && best->controls <= data->n_controls);
  for (uint32_t i = 0; i < best->n && !status; i++) {
    const char *name = irl_names_get(&data->names, irl_literal_feature(best->literals[i]));
    solution->names[i] = irl_mem_copy_text(&env->allocator, name, strlen(name));
    if (!solution->names[i]) status = irl_fail_memory(env);
  }
  if (!status) status = irl_scope_make_clause(env, data, options, problem.budget, &solution->scope);
  if (status)
    irl_clause_free(solution);
  else
    *out = solution;
  return status;
}

void irl_clause_free(irl_clause_solution *solution) {
  if (!solution) return;
  const irl_allocator allocator = solution->allocator;
  for (uint32_t i = 0; i < IRL_CLAUSE_MAX; i++) irl_mem_free(&allocator, solution->names[i]);
  irl_scope_free(solution->scope);
  irl_mem_free(&allocator, solution);
}

irl_status irl_clause_describe(const irl_clause_solution *solution, irl_clause_info *info) {
  return solution ? irl_sized_copy_out(info, &solution->info, sizeof *info)
                  : IRL_STATUS_BAD_ARGUMENT;
}

const char *irl_clause_literal(const irl_clause_solution *solution, uint32_t literal,
                               bool *negated) {
  if (!solution || literal >= solution->clause.n) return NULL;
  if (negated) *negated = irl_literal_is_negated(solution->clause.literals[literal]);
  return solution->names[literal];
}

static const irl_field fields[] =
    IRL_FIELDS(irl_clause_info, tp, fp, objective, bound, nodes, work);

irl_status irl_clause_render(irl_env *env, const irl_clause_solution *solution, irl_format format,
                             char **out) {
  IRL_NEED(env, "env, solution, text", env, solution, out);
  IRL_NEED_FORMAT(env, format);
  const irl_clause_info *info = &solution->info;
  const bool is_json = format == IRL_FORMAT_JSON;
  irl_json json;
  irl_text text;
  if (is_json) {
    irl_report_open(&json, env, irl_outcome_text(info->outcome));
    irl_json_open_flat(&json, "clause", '[');
  } else {
    irl_text_init(&text, env);
    if (!info->literals) irl_text_puts(&text, "no clause");
  }
  for (uint32_t i = 0; i < info->literals; i++) {
    bool is_negated;
    const char *feature = irl_clause_literal(solution, i, &is_negated);
    if (is_json)
      irl_json_literal(&json, feature, is_negated);
    else
      irl_text_printf(&text, "%s%s%s", i ? " AND " : "", is_negated ? IRL_NEGATION : "", feature);
  }
  if (is_json) {
    irl_json_close(&json, ']');
    irl_fields_put(&json, fields, info);
    irl_scope_put(&json, "scope", false, solution->scope);
    return irl_report_close(&json, NULL, out);
  }
  irl_text_printf(&text, "\n%s", irl_outcome_text(info->outcome));
  if (info->literals)
    irl_fields_print(&text, fields, info, ": covers {tp} cases and {fp} controls");
  if (info->outcome != IRL_OUTCOME_INFEASIBLE)
    irl_fields_print(&text, fields, info,
                     info->literals
                         ? "; no clause within the budget covers more than {bound} cases"
                         : ": no clause within the budget covers more than {bound} cases");
  irl_text_puts(&text, info->outcome == IRL_OUTCOME_OPTIMAL      ? "\noptimal among all "
                       : info->outcome == IRL_OUTCOME_INFEASIBLE ? "\nnone among all "
                                                                 : "\nsought among ");
  irl_scope_print(&text, solution->scope);
  irl_text_printf(&text, "\n%" PRIu64 " nodes, %.3g words of work\n", info->nodes,
                  (double)info->work);
  return irl_text_take_shown(&text, out);
}
