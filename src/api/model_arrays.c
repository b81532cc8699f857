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

static irl_status add_rows(irl_env *env, const irl_model_view *view, irl_lp_names *named) {
  char made[16];
  irl_status status = IRL_OK;
  for (uint32_t i = 0; i < view->n_rows && !status; i++) {
    const char *name = name_of(view->row_names, i, 'r', made);
    const double lower = view->row_lower ? view->row_lower[i] : -INFINITY;
    const double upper = view->row_upper ? view->row_upper[i] : INFINITY;
    if (isnan(lower) || isnan(upper) || lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
      return refuse(env, "row", i);
    status = irl_lp_name_row(named, name, strlen(name));
    if (!status) status = irl_lp_add_row(named->lp, lower, upper, NULL);
  }
  return status;
}

/* Rows in range, each once (`seen` holds the last column that had it, plus 1), no number too large.
 */
static bool are_entries_fine(const irl_model_view *view, uint32_t j, uint32_t *seen) {
  for (size_t e = view->start[j]; e < view->start[j + 1]; e++) {
    if (view->rows[e] >= view->n_rows || !(fabs(view->values[e]) < IRL_LP_INFINITY)) return false;
    if (seen[view->rows[e]] == j + 1) return false;
    seen[view->rows[e]] = j + 1;
  }
  return true;
}

static irl_status add_column(irl_env *env, const irl_model_view *view, uint32_t j,
                             irl_lp_names *named) {
  char made[16];
  const double sign = view->is_maximised ? -1 : 1;
  const char *name = name_of(view->column_names, j, 'x', made);
  const double lower = view->lower ? view->lower[j] : 0;
  const double upper = view->upper ? view->upper[j] : INFINITY;
  if (isnan(lower) || isnan(upper) || lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY ||
      !(fabs(view->cost[j]) < IRL_LP_INFINITY))
    return refuse(env, "column", j);
  const size_t at = view->start[j], n = view->start[j + 1] - at;
  const irl_status status =
      irl_lp_name_column(named, name, strlen(name), view->is_integer && view->is_integer[j]);
  return status
             ? status
             : irl_lp_add_column(named->lp, sign * view->cost[j], lower, upper,
                                 &(irl_lp_terms){(uint32_t)n, view->rows + at, view->values + at});
}

static irl_status add_columns(irl_env *env, const irl_model_view *view, irl_lp_names *named) {
  irl_status status = IRL_OK;
  uint32_t *seen = irl_mem_alloc(&env->allocator, view->n_rows, sizeof *seen);
  if (!seen) return irl_fail_memory(env);
  for (uint32_t j = 0; j < view->n_columns && !status; j++) {
    if (view->start[j + 1] < view->start[j] || !are_entries_fine(view, j, seen))
      status = refuse(env, "column", j);
    if (!status) status = add_column(env, view, j, named);
  }
  irl_mem_free(&env->allocator, seen);
  return status;
}

irl_status irl_model_from_arrays(irl_env *env, const irl_model_view *view, irl_model **model) {
  irl_model *made = irl_model_create(env);
  if (!made) return irl_fail_memory(env);
  irl_status status = irl_lp_names_init(env, &made->named);
  made->named.is_maximised = view->is_maximised;
  if (!status) status = add_rows(env, view, &made->named);
  if (!status) status = add_columns(env, view, &made->named);
  if (status)
    irl_model_free(made);
  else
    *model = made;
  return status;
}
