/* Models of a data set: the paper's formulations, for our solver and for others; and models from
 * the caller's arrays, column by column. */
#include "api/api_model.h"
#include "base/memory.h"
#include "ireland_model.h"
#include "learn/fit.h"
#include "learn/pool_file.h"
#include "lp/tol.h"
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

static irl_status make(irl_env *env, const irl_data *data, const irl_options *options,
                       irl_model **model) {
  const irl_form form = options->search.form;
  irl_options standard;
  irl_status status = irl_options_check(env, options, IRL_FOR_MODEL, 0);
  if (status) return status;
  if (!form)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "which model? option form takes bp1 to bp6, sp or mp");
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
  const irl_bp_settings settings = {.form = form <= IRL_FORM_BP6 ? (uint32_t)form : 0,
                                    .K = (uint32_t)options->rule.K,
                                    .M = (uint32_t)options->rule.M,
                                    .case_weight = is_unit ? 1 : data->n_controls,
                                    .control_weight = is_unit ? 1 : data->n_cases,
                                    .negations =
                                        options->rule.negations && irl_data_may_negate(data),
                                    .is_binary = options->search.binary,
                                    .is_plain = options->search.plain};
  const double budget = options->rule.budget_count >= 0
                            ? (double)options->rule.budget_count
                            : floor(options->rule.budget * data->n_controls + IRL_FIT_ROUNDING);
  irl_model *made = irl_model_create(env);
  if (!made) return irl_fail_memory(env);
  status = is_clause   ? irl_bp_write_clause(&made->bp, env, data, &settings, (uint64_t)budget)
           : is_master ? build_master(env, data, options, &settings, &made->bp)
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

/* With weights, a sample stands in the data as often as it weighs, as in learning. */
irl_status irl_model_from_data(irl_env *env, const irl_data *data, const irl_options *options,
                               irl_model **model) {
  irl_data *expanded;
  irl_options own = *options;
  if (!data->case_weights) return make(env, data, options, model);
  irl_status status =
      irl_data_expand(env, data, irl_threads(env, options->limits.threads), &expanded);
  if (status) return status;
  if (!own.rule.weights) own.rule.weights = IRL_WEIGHTS_UNIT;
  status = make(env, expanded, &own, model);
  irl_data_free(expanded);
  return status;
}

/* ---- from arrays ---- */

/* A given name, or a letter and a number. */
static const char *name_of(const char *const *names, uint32_t i, char letter, char made[16]) {
  if (names) return names[i];
  snprintf(made, 16, "%c%u", letter, i + 1);
  return made;
}

static irl_status refuse(irl_env *env, const char *what, uint32_t i) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "%s %u of the model has a number that cannot be",
                  what, i);
}

static bool are_bounds(double lower, double upper) {
  return lower < IRL_LP_INFINITY && upper > -IRL_LP_INFINITY; /* neither is NaN */
}

static irl_status add_rows(irl_env *env, const irl_model_view *view, irl_lp_names *named) {
  char made[16];
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < view->n_rows && !status; i++) {
    const char *name = name_of(view->row_names, i, 'r', made);
    const double lower = view->row_lower ? view->row_lower[i] : -INFINITY;
    const double upper = view->row_upper ? view->row_upper[i] : INFINITY;
    if (!are_bounds(lower, upper)) return refuse(env, "row", i);
    status = irl_lp_name_row(named, name, strlen(name));
    if (!status) status = irl_lp_add_row(named->lp, lower, upper, NULL);
  }
  return status;
}

/* `seen` holds for each row the last column that had it, plus 1. */
static irl_status add_column(irl_env *env, const irl_model_view *view, uint32_t j, uint32_t *seen,
                             irl_lp_names *named) {
  char made[16];
  const double sign = view->is_maximised ? -1 : 1;
  const char *name = name_of(view->column_names, j, 'x', made);
  const double lower = view->lower ? view->lower[j] : 0;
  const double upper = view->upper ? view->upper[j] : INFINITY;
  const size_t at = view->start[j], end = view->start[j + 1];
  /* Rows are in range, each is there once, and no number is too large. */
  bool is_fine = at <= end && are_bounds(lower, upper) && fabs(view->cost[j]) < IRL_LP_INFINITY;
  for (size_t e = at; e < end && is_fine; e++) {
    const uint32_t row = view->rows[e];
    is_fine = row < view->n_rows && fabs(view->values[e]) < IRL_LP_INFINITY && seen[row] != j + 1;
    if (is_fine) seen[row] = j + 1;
  }
  if (!is_fine) return refuse(env, "column", j);
  const irl_lp_terms terms = {(uint32_t)(end - at), view->rows + at, view->values + at};
  const irl_status status =
      irl_lp_name_column(named, name, strlen(name), view->is_integer && view->is_integer[j]);
  return status ? status : irl_lp_add_column(named->lp, sign * view->cost[j], lower, upper, &terms);
}

irl_status irl_model_from_arrays(irl_env *env, const irl_model_view *view, irl_model **model) {
  irl_model *made = irl_model_create(env);
  if (!made) return irl_fail_memory(env);
  irl_status status = irl_lp_names_init(env, &made->named);
  uint32_t *seen = irl_mem_alloc(&env->allocator, view->n_rows, sizeof *seen);
  made->named.is_maximised = view->is_maximised;
  if (!status && !seen) status = irl_fail_memory(env);
  if (!status) status = add_rows(env, view, &made->named);
  for (uint32_t j = 0; j < view->n_columns && !status; j++)
    status = add_column(env, view, j, seen, &made->named);
  irl_mem_free(&env->allocator, seen);
  if (status)
    irl_model_free(made);
  else
    *model = made;
  return status;
}
