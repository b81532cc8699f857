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
static irl_status build_master(irl_env *env, const irl_data *data, const irl_options *options,
                               const irl_bp_settings *settings, irl_bp *bp) {
  irl_clause_set pool;
  bool negations;
  if (!options->search.pool)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "form mp needs a pool: option pool");
  irl_status status = irl_pool_load(env, options->search.pool, data, &pool, &negations);
  if (status) return status;
  const irl_bp_pool covers = {&pool.cases, &pool.controls, pool.n};
  status = irl_bp_write_master(bp, env, data, settings, &covers);
  irl_clause_set_free(&pool);
  return status;
}

/* With the limits and weights that a fit has: a penalty that is no whole number scales these. */
static irl_status write_whole(irl_env *env, const irl_data *data, const irl_options *options,
                              irl_bp_settings settings, irl_bp *bp) {
  irl_problem problem;
  irl_learn_settings fit;
  const irl_status status = irl_fit_settings(env, data, options, &problem, &fit);
  if (status) return status;
  settings.case_weight = problem.case_weight;
  settings.control_weight = problem.control_weight;
  return irl_bp_write_whole(bp, env, data, &settings,
                            &(irl_bp_limits){.min_cases = problem.min_cases,
                                             .max_controls = problem.max_controls,
                                             .max_literals = problem.max_literals,
                                             .penalty = problem.penalty});
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
  const bool is_unit = options->rule.weights == IRL_WEIGHTS_UNIT;
  const irl_bp_settings settings = {
      .form = form <= IRL_FORM_BP6 ? (uint32_t)form : 0,
      .K = (uint32_t)options->rule.K,
      .M = (uint32_t)options->rule.M,
      .case_weight = is_unit ? 1 : (int64_t)irl_data_total(data, 1),
      .control_weight = is_unit ? 1 : (int64_t)irl_data_total(data, 0),
      .negations = options->rule.negations && irl_data_may_negate(data),
      .is_binary = options->search.binary,
      .is_plain = options->search.plain};
  const double budget =
      options->rule.budget_count >= 0
          ? (double)options->rule.budget_count
          : floor(options->rule.budget * (double)irl_data_total(data, 1) + IRL_FIT_ROUNDING);
  irl_model *made = irl_model_alloc(env);
  if (!made) return irl_fail_memory(env);
  status = is_clause   ? irl_bp_write_clause(&made->bp, env, data, &settings, (uint64_t)budget)
           : is_master ? build_master(env, data, options, &settings, &made->bp)
           : form == IRL_FORM_WHOLE ? write_whole(env, data, options, settings, &made->bp)
                                    : irl_bp_init(&made->bp, env, data, &settings);
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
