/* Linear and mixed-integer programs. */
#ifndef IRELAND_MODEL_H
#define IRELAND_MODEL_H

#include "ireland.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- linear and mixed-integer programs ------------------------------------------------------ */

/* A model as it stands in a file: minimise or maximise c'x subject to row and column bounds, with
 * some columns integer. */
typedef struct irl_model irl_model;

typedef struct irl_model_info {
  const char *name;
  uint64_t rows, columns, entries, integers;
  bool is_maximised;
} irl_model_info;

typedef struct irl_solution {
  irl_outcome outcome; /* optimal, infeasible, unbounded, limit, interrupted */
  double objective;    /* NaN if there is no feasible point */
  double bound;        /* no feasible point is better; NaN if none is known */
  double gap;          /* of objective and bound, relative to the objective; NaN if unknown */
  uint64_t nodes, iterations, work;
} irl_solution;

/* A model in the caller's arrays. Bounds may be infinite; NULL stands for none, and for columns
 * from 0 on. */
typedef struct irl_model_view {
  uint32_t n_rows, n_columns;
  bool is_maximised;
  const double *cost, *lower, *upper;  /* per column */
  const uint8_t *is_integer;           /* the same; NULL: none is */
  const double *row_lower, *row_upper; /* per row */
  const size_t *start;                 /* column j has the entries start[j] .. start[j + 1] - 1: */
  const uint32_t *rows;                /* each row once, */
  const double *values;
  const char *const *row_names, *const *column_names; /* NULL: r1, ... and x1, ... */
} irl_model_view;

IRL_API irl_status irl_model_from_arrays(irl_env *env, const irl_model_view *view,
                                         irl_model **model);
/* MPS, fixed or free, or the LP format of CPLEX: by extension (.mps, .lp, with .gz as well), of
 * other names by the first word. */
IRL_API irl_status irl_model_read(irl_env *env, const char *path, irl_model **model);
/* .mps or .lp by extension; every number reads back to the same double. */
IRL_API irl_status irl_model_write(irl_env *env, const irl_model *model, const char *path);
/* The model that the options form, K, M, ... name: bp1 to bp6 minimise N1*FP + N0*FN (bp5 and bp6:
 * with every clause that a control satisfies), sp maximises covered cases within the budget, mp
 * chooses from the clauses of a pool file (option pool). */
IRL_API irl_status irl_model_from_data(irl_env *env, const irl_data *data,
                                       const irl_options *options, irl_model **model);
IRL_API void irl_model_free(irl_model *model);
IRL_API void irl_model_describe(const irl_model *model, irl_model_info *info);
/* The answer stays in the model until the next solve. At a limit there may be a feasible point all
 * the same: then the objective is a number. */
IRL_API irl_status irl_model_solve(irl_env *env, irl_model *model, const irl_options *options,
                                   irl_solution *solution);
/* The value of a column in the last answer. */
IRL_API const char *irl_model_column(const irl_model *model, uint32_t column, double *value);
/* The whole answer of `ireland solve`. */
IRL_API irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format,
                                    char **text);
/* The answer row by row and column by column: status and objective, then a line 'column NAME VALUE
 * REDUCED_COST' for each column and 'row NAME ACTIVITY DUAL' for each row; for integer models
 * without reduced costs and duals. */
IRL_API irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path);

#ifdef __cplusplus
}
#endif
#endif
