/* Models in memory: rows and columns as they come, changes between solves. Everything is looked at
 * before anything is changed. */
#include "api/api_model.h"
#include "base/contract.h"
#include "base/memory.h"
#include "lp/tol.h"
#include <math.h>
#include <stdio.h>

irl_model *irl_model_alloc(irl_env *env) {
  irl_model *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return NULL;
  made->allocator = env->allocator;
  made->solution =
      (irl_solution){.outcome = IRL_OUTCOME_LIMIT, .objective = NAN, .bound = NAN, .gap = NAN};
  return made;
}

irl_status irl_model_enter(irl_env *env, irl_model *model) {
  IRL_NEED(env, "env, model", env, model);
  model->named.env = env;
  irl_lp_use_env(model->named.lp, env);
  return IRL_STATUS_OK;
}

irl_status irl_model_create(irl_env *env, irl_model **model) {
  IRL_NEED(env, "env, model", env, model);
  irl_model *made = irl_model_alloc(env);
  if (!made) return irl_fail_memory(env);
  const irl_status status = irl_lp_names_init(env, &made->named);
  if (status)
    irl_model_free(made);
  else
    *model = made;
  return status;
}

/* ---- what can be ---- */

static bool is_number(double value) {
  return fabs(value) < IRL_LP_INFINITY; /* no NaN */
}

static bool are_bounds(double lower, double upper) {
  return !isnan(lower) && !isnan(upper) && lower < IRL_LP_INFINITY && upper > -IRL_LP_INFINITY;
}

static irl_status check_bounds(irl_env *env, const char *what, size_t i, double lower,
                               double upper) {
  if (are_bounds(lower, upper)) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "%s %zu cannot be from %g to %g", what, i, lower,
                  upper);
}

static irl_status check_index(irl_env *env, const char *what, uint32_t i, uint32_t n) {
  if (i < n) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there is no %s %u: the model has %u", what, i, n);
}

static bool reserve_seen(irl_model *model, size_t n) {
  if (n <= model->seen_capacity) return true;
  bool *grown = irl_mem_grow(&model->allocator, model->is_seen, 2 * n, sizeof *grown);
  if (!grown) return false;
  memset(grown + model->seen_capacity, 0, (2 * n - model->seen_capacity) * sizeof *grown);
  model->is_seen = grown;
  model->seen_capacity = 2 * n;
  return true;
}

/* The entries of the row or column `number`: each place, below `n`, once. */
static irl_status check_terms(irl_env *env, irl_model *model, size_t number, uint32_t n,
                              const irl_lp_terms *terms) {
  uint32_t k = 0;
  if (!terms->n) return IRL_STATUS_OK;
  if (!terms->index || !terms->value)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "line %zu has %u entries and no arrays of them",
                    number, terms->n);
  if (!reserve_seen(model, n)) return irl_fail_memory(env);
  while (k < terms->n && terms->index[k] < n && !model->is_seen[terms->index[k]] &&
         is_number(terms->value[k]))
    model->is_seen[terms->index[k++]] = true;
  for (uint32_t i = 0; i < k; i++) model->is_seen[terms->index[i]] = false;
  if (k == terms->n) return IRL_STATUS_OK;
  if (terms->index[k] < n && is_number(terms->value[k]))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "line %zu has two entries at %u", number,
                    terms->index[k]);
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "line %zu cannot have the entry %g at %u: there are %u places", number,
                  terms->value[k], terms->index[k], n);
}

/* A given name, or a letter and a number. */
static const char *name_of(const char *name, char letter, uint32_t i, char made[16]) {
  if (name) return name;
  snprintf(made, 16, "%c%u", letter, i + 1);
  return made;
}

static irl_status check_room(irl_env *env, uint32_t used, uint32_t n) {
  if (n < UINT32_MAX - used) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a model has at most %u rows and columns",
                  UINT32_MAX - 1);
}

/* Struct k of an array of the caller's, as this library knows it. */
static void take_item(const void *items, uint32_t k, void *ours, size_t own) {
  size_t size;
  memcpy(&size, items, sizeof size);
  irl_sized_copy_in((const char *)items + size * k, ours, own);
}

static irl_status check_array(irl_env *env, const void *items, uint32_t n, const char *what) {
  size_t first, size;
  irl_status status = n ? irl_sized_need(env, items, what) : IRL_STATUS_OK;
  for (uint32_t k = 0; k < n && !status; k++) {
    memcpy(&first, items, sizeof first);
    memcpy(&size, (const char *)items + first * k, sizeof size);
    if (size != first)
      status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "%s: number %u has the size %zu, not %zu",
                        what, k, size, first);
  }
  return status;
}

/* ---- columns ---- */

static double opposite(double cost) {
  return cost == 0 ? 0 : -cost;
}

/* The LP minimises: its costs are those of the caller or their opposites. */
static double signed_cost(const irl_model *model, double cost) {
  return model->named.is_maximised ? opposite(cost) : cost;
}

static irl_lp_terms column_terms(const irl_variable *c) {
  return (irl_lp_terms){c->n_entries, c->rows, c->values};
}

static irl_status check_column(irl_env *env, irl_model *model, const irl_variable *c, size_t j) {
  const irl_lp_terms terms = column_terms(c);
  if (!is_number(c->cost))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column %zu cannot cost %g", j, c->cost);
  const irl_status status = check_bounds(env, "column", j, c->lower, c->upper);
  return status ? status : check_terms(env, model, j, irl_lp_n_rows(model->named.lp), &terms);
}

static irl_status add_column(irl_model *model, const irl_variable *c) {
  irl_lp_names *named = &model->named;
  const uint32_t j = irl_lp_n_columns(named->lp);
  const double cost = signed_cost(model, c->cost);
  const irl_lp_terms terms = column_terms(c);
  char made[16];
  const char *name = name_of(c->name, 'x', j, made);
  irl_status status = irl_lp_name_column(named, name, strlen(name), false);
  if (!status) status = irl_lp_add_column(named->lp, cost, c->lower, c->upper, &terms);
  if (status) return status;
  named->is_integer[j] = c->is_integer;
  named->n_integer += c->is_integer;
  return IRL_STATUS_OK;
}

irl_status irl_model_add_columns(irl_env *env, irl_model *model, uint32_t n,
                                 const irl_variable *columns) {
  irl_variable own;
  irl_status status = irl_model_enter(env, model);
  if (!status) status = check_array(env, columns, n, "columns");
  if (status) return status;
  const uint32_t first = irl_lp_n_columns(model->named.lp);
  status = check_room(env, first, n);
  for (uint32_t k = 0; k < n && !status; k++) {
    take_item(columns, k, &own, sizeof own);
    status = check_column(env, model, &own, (size_t)first + k);
  }
  for (uint32_t k = 0; k < n && !status; k++) {
    take_item(columns, k, &own, sizeof own);
    status = add_column(model, &own);
  }
  return status;
}

/* ---- rows ---- */

static irl_lp_terms row_terms(const irl_constraint *r) {
  return (irl_lp_terms){r->n_entries, r->columns, r->values};
}

static irl_status check_row(irl_env *env, irl_model *model, const irl_constraint *r, size_t i) {
  const irl_lp_terms terms = row_terms(r);
  const irl_status status = check_bounds(env, "row", i, r->lower, r->upper);
  return status ? status : check_terms(env, model, i, irl_lp_n_columns(model->named.lp), &terms);
}

static irl_status add_row(irl_model *model, const irl_constraint *r) {
  const irl_lp_terms terms = row_terms(r);
  char made[16];
  const char *name = name_of(r->name, 'r', irl_lp_n_rows(model->named.lp), made);
  const irl_status status = irl_lp_name_row(&model->named, name, strlen(name));
  return status ? status : irl_lp_add_row(model->named.lp, r->lower, r->upper, &terms);
}

irl_status irl_model_add_rows(irl_env *env, irl_model *model, uint32_t n,
                              const irl_constraint *rows) {
  irl_constraint own;
  irl_status status = irl_model_enter(env, model);
  if (!status) status = check_array(env, rows, n, "rows");
  if (status) return status;
  const uint32_t first = irl_lp_n_rows(model->named.lp);
  status = check_room(env, first, n);
  for (uint32_t k = 0; k < n && !status; k++) {
    take_item(rows, k, &own, sizeof own);
    status = check_row(env, model, &own, (size_t)first + k);
  }
  for (uint32_t k = 0; k < n && !status; k++) {
    take_item(rows, k, &own, sizeof own);
    status = add_row(model, &own);
  }
  return status;
}

/* ---- changes ---- */

static irl_status enter_column(irl_env *env, irl_model *model, uint32_t column) {
  const irl_status status = irl_model_enter(env, model);
  return status ? status : check_index(env, "column", column, irl_lp_n_columns(model->named.lp));
}

irl_status irl_model_maximise(irl_env *env, irl_model *model, bool is_maximised) {
  const irl_status status = irl_model_enter(env, model);
  if (status || is_maximised == model->named.is_maximised) return status;
  irl_lp *lp = model->named.lp;
  model->named.is_maximised = is_maximised;
  irl_lp_set_constant(lp, opposite(irl_lp_constant(lp)));
  for (uint32_t j = 0; j < irl_lp_n_columns(lp); j++)
    irl_lp_set_cost(lp, j, opposite(irl_lp_cost(lp, j)));
  return IRL_STATUS_OK;
}

irl_status irl_model_set_constant(irl_env *env, irl_model *model, double constant) {
  const irl_status status = irl_model_enter(env, model);
  if (status) return status;
  if (!is_number(constant))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "the constant cannot be %g", constant);
  irl_lp_set_constant(model->named.lp, signed_cost(model, constant));
  return IRL_STATUS_OK;
}

irl_status irl_model_set_cost(irl_env *env, irl_model *model, uint32_t column, double cost) {
  const irl_status status = enter_column(env, model, column);
  if (status) return status;
  if (!is_number(cost))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column %u cannot cost %g", column, cost);
  irl_lp_set_cost(model->named.lp, column, signed_cost(model, cost));
  return IRL_STATUS_OK;
}

irl_status irl_model_set_bounds(irl_env *env, irl_model *model, uint32_t column, double lower,
                                double upper) {
  irl_status status = enter_column(env, model, column);
  if (!status) status = check_bounds(env, "column", column, lower, upper);
  if (!status) irl_lp_set_bounds(model->named.lp, column, lower, upper);
  return status;
}

irl_status irl_model_set_integer(irl_env *env, irl_model *model, uint32_t column, bool is_integer) {
  const irl_status status = enter_column(env, model, column);
  if (status) return status;
  irl_lp_names *named = &model->named;
  named->n_integer += (uint32_t)is_integer - (uint32_t)named->is_integer[column];
  named->is_integer[column] = is_integer;
  assert(named->n_integer <= irl_lp_n_columns(named->lp));
  return IRL_STATUS_OK;
}

irl_status irl_model_set_sides(irl_env *env, irl_model *model, uint32_t row, double lower,
                               double upper) {
  irl_status status = irl_model_enter(env, model);
  if (!status) status = check_index(env, "row", row, irl_lp_n_rows(model->named.lp));
  if (!status) status = check_bounds(env, "row", row, lower, upper);
  if (!status) irl_lp_set_row_bounds(model->named.lp, row, lower, upper);
  return status;
}

/* ---- and back ---- */

irl_status irl_model_describe(const irl_model *model, irl_model_info *info) {
  if (!model) return IRL_STATUS_BAD_ARGUMENT;
  const irl_lp_names *named = &model->named;
  const irl_model_info own = {.name = named->name,
                              .rows = irl_lp_n_rows(named->lp),
                              .columns = irl_lp_n_columns(named->lp),
                              .entries = irl_lp_n_entries(named->lp),
                              .integers = named->n_integer,
                              .is_maximised = named->is_maximised};
  return irl_sized_copy_out(info, &own, sizeof own);
}
