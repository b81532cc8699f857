/* Models of a data set: the paper's formulations, for our solver and for others. */
#include "api/api_model.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_model.h"
#include "learn/fit.h"
#include "learn/pool_file.h"
#include "table/raw_table.h"
#include <math.h>

/* The master problem over the clauses of a file. */
static irl_status build_master(irl_env *env, const irl_problem *problem, const irl_options *options,
                               const irl_bp_style *style, irl_bp *bp) {
  irl_clause_set pool;
  bool negations;
  if (!options->search.pool)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "form mp needs a pool: option pool");
  irl_status status = irl_pool_load(env, options->search.pool, problem->data, &pool, &negations);
  if (status) return status;
  const irl_bp_pool covers = {&pool.cases, &pool.controls, pool.n};
  status = irl_bp_write_master(bp, env, problem, style, &covers);
  irl_clause_set_free(&pool);
  return status;
}

/* Weights and sizes are those of a fit. The whole question has its limits too; elsewhere a budget
 * is the only one. */
static irl_status read_problem(irl_env *env, const irl_data *data, const irl_options *options,
                               irl_problem *problem) {
  const double controls = (double)irl_data_total(data, 1);
  const double budget = options->rule.budget_count >= 0
                            ? (double)options->rule.budget_count
                            : floor(options->rule.budget * controls + IRL_FIT_ROUNDING);
  const irl_form form = options->search.form;
  irl_learn_settings fit;
  const irl_status status = irl_fit_settings(env, data, options, problem, &fit);
  if (status || form == IRL_FORM_WHOLE) return status;
  problem->min_cases = 0;
  problem->max_controls = form == IRL_FORM_SP ? (uint64_t)budget : UINT64_MAX;
  return IRL_STATUS_OK;
}

static irl_status make(irl_env *env, const irl_data *data, const irl_options *options,
                       irl_model **model) {
  const irl_form form = options->search.form;
  irl_options standard;
  irl_status status = irl_options_check(env, options, IRL_FOR_MODEL, 0);
  if (status) return status;
  if (!form)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "which model? option form takes bp1 to bp6, sp, mp or whole");
  if (!data->n_cases || !data->n_controls)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "the data has no %s, so there is nothing to model",
                    data->n_cases ? "controls" : "cases");
  const bool is_clause = form == IRL_FORM_SP, is_master = form == IRL_FORM_MP;
  /* One line may describe a problem of which several forms are made: what a form leaves out is
   * said. */
  irl_options_init(&standard, sizeof standard);
  if (is_clause && options->rule.K != standard.rule.K)
    irl_log(env, IRL_LOG_WARNING, "option K has no effect with form sp, which has one clause");
  if (!is_clause && options->rule.budget != standard.rule.budget)
    irl_log(env, IRL_LOG_WARNING, "option budget has no effect with form %s, which has none",
            irl_option_find("form")->words[form]);
  irl_problem problem;
  status = read_problem(env, data, options, &problem);
  if (status) return status;
  const irl_bp_style style = {.form = form <= IRL_FORM_BP6 ? (uint32_t)form : 0,
                              .is_binary = options->search.binary,
                              .is_plain = options->search.plain};
  irl_model *made = irl_model_alloc(env);
  if (!made) return irl_fail_memory(env);
  status = is_clause                ? irl_bp_write_clause(&made->bp, env, &problem, &style)
           : is_master              ? build_master(env, &problem, options, &style, &made->bp)
           : form == IRL_FORM_WHOLE ? irl_bp_write_whole(&made->bp, env, &problem)
                                    : irl_bp_init(&made->bp, env, &problem, &style);
  if (status) {
    irl_model_free(made);
    return status;
  }
  made->named = made->bp.named;
  made->bp.named = (irl_lp_names){0};
  *model = made;
  return IRL_STATUS_OK;
}

/* As in learning, what weighs nothing is left out, and with weights of samples errors count by
 * these alone unless balancing is asked for. */
irl_status irl_model_from_data(irl_env *env, const irl_data *data, const irl_options *options,
                               irl_model **model) {
  irl_data *kept = NULL;
  irl_options own;
  IRL_NEED(env, "env, data, model", env, data, model);
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status && irl_data_has_weights(data) && !own.rule.weights)
    own.rule.weights = IRL_WEIGHTS_UNIT;
  if (!status)
    status = irl_data_drop_weightless(env, data, irl_threads(env, own.limits.threads), &kept);
  if (!status) status = make(env, kept ? kept : data, &own, model);
  irl_data_free(kept);
  return status;
}
