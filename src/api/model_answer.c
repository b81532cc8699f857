/* The answer of a solve into the caller's arrays, and the point that the next one starts from. */
#include "api/api_model.h"
#include "base/contract.h"
#include "base/memory.h"
#include <math.h>

/* ---- from the LP ---- */

void irl_model_drop_conflict(irl_model *model) {
  irl_mem_free(&model->allocator, (void *)(uintptr_t)model->conflict.rows);
  model->conflict = (irl_conflict){0};
  model->has_conflict = false;
}

irl_status irl_model_begin_answer(irl_env *env, irl_model *model) {
  const uint32_t n = irl_lp_n_columns(model->named.lp), m = irl_lp_n_rows(model->named.lp);
  irl_mem_free(&model->allocator, model->answer.values);
  irl_model_drop_conflict(model);
  model->answer = (irl_model_answer){.n_columns = n, .n_rows = m};
  model->solution =
      (irl_solution){.outcome = IRL_OUTCOME_LIMIT, .objective = NAN, .bound = NAN, .gap = NAN};
  model->answer.values = irl_mem_alloc(&model->allocator, 2 * ((size_t)n + m), sizeof(double));
  return model->answer.values ? IRL_STATUS_OK : irl_fail_memory(env);
}

double *irl_model_part(const irl_model_answer *a, bool is_rows, bool is_dual) {
  assert(a->values && !a->n_ray);
  return a->values + (is_rows ? 2 * (size_t)a->n_columns + (is_dual ? a->n_rows : 0)
                              : (is_dual ? a->n_columns : 0));
}

static void copy_signed(double *to, const double *from, uint32_t n, double sign) {
  for (uint32_t i = 0; i < n; i++) to[i] = sign * from[i];
}

void irl_model_take_lp_answer(irl_model *model) {
  irl_model_answer *a = &model->answer;
  const irl_lp *lp = model->named.lp;
  const double sign = model->named.is_maximised ? -1 : 1;
  a->has_point = a->has_duals = true;
  copy_signed(irl_model_part(a, false, false), irl_lp_primal(lp), a->n_columns, 1);
  copy_signed(irl_model_part(a, false, true), irl_lp_reduced(lp), a->n_columns, sign);
  copy_signed(irl_model_part(a, true, false), irl_lp_activity(lp), a->n_rows, 1);
  copy_signed(irl_model_part(a, true, true), irl_lp_dual(lp), a->n_rows, sign);
}

void irl_model_take_ray(irl_model *model, irl_outcome outcome) {
  irl_model_answer *a = &model->answer;
  const bool is_farkas = outcome == IRL_OUTCOME_INFEASIBLE;
  const double *ray = irl_lp_ray(model->named.lp);
  if (!ray || !(is_farkas || outcome == IRL_OUTCOME_UNBOUNDED)) return;
  const uint32_t n = is_farkas ? a->n_rows : a->n_columns;
  copy_signed(a->values, ray, n, 1);
  a->n_ray = n;
}

/* Also where the next one begins, for which there is room. */
void irl_model_take_milp_answer(irl_model *model) {
  irl_model_answer *a = &model->answer;
  a->has_point = model->has_start = true;
  irl_lp_multiply(model->named.lp, a->values, irl_model_part(a, true, false));
  assert(model->n_start == a->n_columns);
  memcpy(model->start, a->values, a->n_columns * sizeof *model->start);
}

/* ---- to the caller ---- */

static irl_status copy_values(irl_env *env, const double *from, uint32_t n_from, uint32_t n,
                              double *values) {
  if (n != n_from)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "the answer has %u values, not %u", n_from, n);
  if (!values && n) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "an array of values is needed");
  if (n) memcpy(values, from, n * sizeof *values);
  return IRL_STATUS_OK;
}

static irl_status copy_part(irl_env *env, const irl_model *model, uint32_t n, double *values,
                            bool is_rows, bool is_dual) {
  IRL_NEED(env, "env, model", env, model);
  const irl_model_answer *a = &model->answer;
  if (!a->has_point)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "no solve has left a point in the model");
  if (is_dual && !a->has_duals)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "an integer program has no duals: solve with the option relax");
  return copy_values(env, irl_model_part(a, is_rows, is_dual), is_rows ? a->n_rows : a->n_columns,
                     n, values);
}

irl_status irl_model_primal(irl_env *env, const irl_model *model, uint32_t n, double *values) {
  return copy_part(env, model, n, values, false, false);
}

irl_status irl_model_reduced(irl_env *env, const irl_model *model, uint32_t n, double *values) {
  return copy_part(env, model, n, values, false, true);
}

irl_status irl_model_activity(irl_env *env, const irl_model *model, uint32_t n, double *values) {
  return copy_part(env, model, n, values, true, false);
}

irl_status irl_model_dual(irl_env *env, const irl_model *model, uint32_t n, double *values) {
  return copy_part(env, model, n, values, true, true);
}

irl_status irl_model_ray(irl_env *env, const irl_model *model, uint32_t n, double *values) {
  IRL_NEED(env, "env, model", env, model);
  if (!model->answer.n_ray)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "no solve has left a ray in the model");
  return copy_values(env, model->answer.values, model->answer.n_ray, n, values);
}

const char *irl_model_column(const irl_model *model, uint32_t column, double *value) {
  if (value) *value = NAN;
  if (!model || column >= irl_lp_n_columns(model->named.lp)) return NULL;
  const irl_model_answer *a = &model->answer;
  if (value && a->has_point && column < a->n_columns) *value = a->values[column];
  return model->named.column_names[column];
}

const char *irl_model_row(const irl_model *model, uint32_t row, double *value) {
  if (value) *value = NAN;
  if (!model || row >= irl_lp_n_rows(model->named.lp)) return NULL;
  const irl_model_answer *a = &model->answer;
  if (value && a->has_point && row < a->n_rows) *value = irl_model_part(a, true, false)[row];
  return model->named.row_names[row];
}

/* ---- where the next solve starts ---- */

irl_status irl_model_reserve_start(irl_env *env, irl_model *model) {
  const uint32_t n = irl_lp_n_columns(model->named.lp);
  double *grown = irl_mem_grow(&model->allocator, model->start, n, sizeof *grown);
  if (!grown) return irl_fail_memory(env);
  for (uint32_t j = model->n_start; j < n; j++) grown[j] = 0;
  model->start = grown;
  model->n_start = n;
  return IRL_STATUS_OK;
}

irl_status irl_model_set_start(irl_env *env, irl_model *model, uint32_t n, const double *values) {
  irl_status status = irl_model_enter(env, model);
  if (status) return status;
  if (!n && !values) {
    model->has_start = false;
    return IRL_STATUS_OK;
  }
  if (n != irl_lp_n_columns(model->named.lp) || !values)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a start has a value for each of %u columns",
                    irl_lp_n_columns(model->named.lp));
  for (uint32_t j = 0; j < n; j++)
    if (!isfinite(values[j]))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column %u cannot start at %g", j, values[j]);
  status = irl_model_reserve_start(env, model);
  if (status) return status;
  memcpy(model->start, values, n * sizeof *values);
  model->has_start = true;
  return IRL_STATUS_OK;
}
