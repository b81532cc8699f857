/* A model from arrays, column by column. */
#ifndef TESTS_MODEL_ARRAYS_H
#define TESTS_MODEL_ARRAYS_H

#include "ireland_model.h"
#include <math.h>

/* Bounds may be infinite; NULL stands for none, and for columns from 0 on. */
typedef struct model_view {
  uint32_t n_rows, n_columns;
  bool is_maximised;
  const double *cost, *lower, *upper;  /* per column */
  const uint8_t *is_integer;           /* the same; NULL: none is */
  const double *row_lower, *row_upper; /* per row */
  const size_t *start;                 /* column j has the entries start[j] .. start[j + 1] - 1 */
  const uint32_t *rows;
  const double *values;
  const char *const *row_names, *const *column_names; /* NULL: r1, ... and x1, ... */
} model_view;

static inline irl_status add_view_rows(irl_env *env, const model_view *view, irl_model *model) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < view->n_rows && !status; i++) {
    const irl_constraint row = {.size = sizeof row,
                                .lower = view->row_lower ? view->row_lower[i] : -INFINITY,
                                .upper = view->row_upper ? view->row_upper[i] : INFINITY,
                                .name = view->row_names ? view->row_names[i] : NULL};
    status = irl_model_add_rows(env, model, 1, &row);
  }
  return status;
}

static inline irl_status add_view_columns(irl_env *env, const model_view *view, irl_model *model) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t j = 0; j < view->n_columns && !status; j++) {
    const size_t at = view->start[j], n = view->start[j + 1] - at;
    const irl_variable column = {.size = sizeof column,
                                 .cost = view->cost[j],
                                 .lower = view->lower ? view->lower[j] : 0,
                                 .upper = view->upper ? view->upper[j] : INFINITY,
                                 .is_integer = view->is_integer && view->is_integer[j],
                                 .name = view->column_names ? view->column_names[j] : NULL,
                                 .n_entries = (uint32_t)n,
                                 .rows = n ? view->rows + at : NULL,
                                 .values = n ? view->values + at : NULL};
    status = irl_model_add_columns(env, model, 1, &column);
  }
  return status;
}

static inline irl_status model_of_arrays(irl_env *env, const model_view *view, irl_model **model) {
  irl_model *made = NULL;
  irl_status status = irl_model_create(env, &made);
  if (!status) status = irl_model_maximise(env, made, view->is_maximised);
  if (!status) status = add_view_rows(env, view, made);
  if (!status) status = add_view_columns(env, view, made);
  if (status)
    irl_model_free(made);
  else
    *model = made;
  return status;
}

#endif
