/* A model from the caller's arrays, column by column. */
#include "api/api_model.h"
#include "base/memory.h"
#include "lp/tol.h"
#include <math.h>
#include <stdio.h>

/* A given name, or a letter and a number. */
static const char *name_of(const char *const *names, uint32_t i, char letter, char made[16]) {
  if (names) return names[i];
  snprintf(made, 16, "%c%u", letter, i + 1);
  return made;
}

static irl_status refuse(irl_env *env, const char *what, uint32_t i) {
  return irl_fail(env, IRL_BAD_ARGUMENT, "%s %u of the model has a number that cannot be", what, i);
}

static bool are_bounds(double lower, double upper) {
  return lower < IRL_LP_INFINITY && upper > -IRL_LP_INFINITY; /* neither is NaN */
}

static irl_status add_rows(irl_env *env, const irl_model_view *view, irl_lp_names *named) {
  char made[16];
  irl_status status = IRL_OK;
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
