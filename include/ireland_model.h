/* Linear and mixed-integer programs: minimise or maximise c'x with sides on the rows of Ax and
 * bounds on x, and with some columns of x integer.
 *
 * A complete program, which solves an LP, changes a bound and solves again from where it was:
 *
 *   #include <ireland_model.h>
 *   #include <math.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     const irl_variable x[] = {{sizeof *x, 5, 0, INFINITY, false, "chairs", 0, NULL, NULL},
 *                               {sizeof *x, 4, 0, INFINITY, false, "stools", 0, NULL, NULL}};
 *     const double wood[] = {6, 3}, hours[] = {3, 3}, paint[] = {6, 2};
 *     const uint32_t both[] = {0, 1};
 *     const irl_constraint rows[] = {{sizeof *rows, -INFINITY, 80, "wood", 2, both, wood},
 *                                    {sizeof *rows, -INFINITY, 30, "hours", 2, both, hours},
 *                                    {sizeof *rows, -INFINITY, 40, "paint", 2, both, paint}};
 *     irl_env *env = NULL;
 *     irl_model *model = NULL;
 *     irl_options options;
 *     irl_solution first = IRL_SIZED(irl_solution), second = first;
 *     irl_options_init(&options, sizeof options);
 *     if (irl_env_create(NULL, &env)) return 1;
 *     if (irl_model_create(env, &model) || irl_model_maximise(env, model, true) ||
 *         irl_model_add_columns(env, model, 2, x) || irl_model_add_rows(env, model, 3, rows) ||
 *         irl_model_solve(env, model, &options, &first) ||
 *         irl_model_set_bounds(env, model, 0, 0, 2) ||
 *         irl_model_solve(env, model, &options, &second))
 *       return puts(irl_env_error(env));
 *     printf("%g in %d steps, then %g in %d\n", first.objective, (int)first.iterations,
 *            second.objective, (int)second.iterations);
 *     irl_model_free(model);
 *     irl_env_free(env);
 *     return 0;
 *   }
 *
 * States and ownership
 *   - A model is made by irl_model_create, irl_model_read or irl_model_from_data and is the
 *     caller's until irl_model_free, which takes NULL too and may come before or after the end of
 *     the env. One thread uses a model at a time, with any env.
 *   - What a caller passes is copied: arrays, names and structs may go when the call returns. Names
 *     that the library returns live as long as the model.
 *   - A struct of this header begins with its size, which the caller sets to its sizeof before the
 *     call (IRL_SIZED does): the library reads and writes no more than that, and a program that was
 *     built with an older header gets along with a newer library.
 *   - Rows and columns are numbered from 0 in the order in which they come. A bound or a side of
 *     1e20 and beyond is infinite. Where a lower one is above its upper one the model is
 *     infeasible, which is an outcome and no failure.
 *   - Nothing is deleted. A row is switched off by sides of -INFINITY and INFINITY, a column by
 *     bounds of 0 and 0.
 *   - A call that fails returns a status, irl_env_error has the sentence, and the model is as it
 *     was; after a solve that fails it has no answer.
 *
 *   | call                                   | when it may come                                   |
 *   | -------------------------------------- | -------------------------------------------------- |
 *   | add, set, maximise, write, solve       | always, before and after a solve                   |
 *   | irl_model_primal, irl_model_activity   | the last solve has found a point: its objective is |
 *   |                                        | a number                                           |
 *   | irl_model_reduced, irl_model_dual      | the same, and it was an LP: no column was integer, |
 *   |                                        | or the option relax was set                        |
 *   | irl_model_ray                          | the last solve was an LP and ended infeasible or   |
 *   |                                        | unbounded                                          |
 *   | irl_model_conflict                     | the last solve ended infeasible                    |
 *
 *   The answer of a solve is that of the model as it was then: it stays, for as many columns and
 *   rows as there were, whatever changes, until the next solve begins.
 *
 * Warm starts
 *   - The basis of the last LP stays in the model whatever changes: a new row is basic in it, a new
 *     column stands at a bound. The next LP goes on from it, by the dual simplex after changes of
 *     bounds and sides and after new rows, by the primal simplex after changes of costs and new
 *     columns.
 *   - Presolve would leave no place for a basis: a model that has one is solved without. The first
 *     LP has presolve unless the option no_presolve is set; a basis of the whole model comes of it
 *     too.
 *   - An integer program starts from the best point of the last one if that is still feasible, or
 *     from that of irl_model_set_start. It neither uses nor changes the basis. */
#ifndef IRELAND_MODEL_H
#define IRELAND_MODEL_H

#include "ireland.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct irl_model irl_model;

/* ---- building ------------------------------------------------------------------------------- */

/* A column. */
typedef struct irl_variable {
  size_t size; /* sizeof(irl_variable) */
  double cost, lower, upper;
  bool is_integer;
  const char *name;     /* NULL: x1, x2, ... by its number */
  uint32_t n_entries;   /* in rows that are there already, each row once: */
  const uint32_t *rows; /* NULL if there are none */
  const double *values;
} irl_variable;

/* A row. */
typedef struct irl_constraint {
  size_t size; /* sizeof(irl_constraint) */
  double lower, upper;
  const char *name;   /* NULL: r1, r2, ... by its number */
  uint32_t n_entries; /* in columns that are there already, each column once: */
  const uint32_t *columns;
  const double *values;
} irl_constraint;

/* An empty model, which minimises. */
IRL_API irl_status irl_model_create(irl_env *env, irl_model **model);
/* The next columns or rows, `n` of them in an array, all of one size. All are looked at before the
 * first one is added; only where memory ends do those before stay (irl_model_describe counts). */
IRL_API irl_status irl_model_add_columns(irl_env *env, irl_model *model, uint32_t n,
                                         const irl_variable *columns);
IRL_API irl_status irl_model_add_rows(irl_env *env, irl_model *model, uint32_t n,
                                      const irl_constraint *rows);
/* Maximise, or minimise again? Costs stay what they are. */
IRL_API irl_status irl_model_maximise(irl_env *env, irl_model *model, bool is_maximised);
/* The part of the objective that no column changes; 0 if nobody says otherwise. */
IRL_API irl_status irl_model_set_constant(irl_env *env, irl_model *model, double constant);
IRL_API irl_status irl_model_set_cost(irl_env *env, irl_model *model, uint32_t column, double cost);
IRL_API irl_status irl_model_set_bounds(irl_env *env, irl_model *model, uint32_t column,
                                        double lower, double upper);
IRL_API irl_status irl_model_set_integer(irl_env *env, irl_model *model, uint32_t column,
                                         bool is_integer);
/* The sides of a row: equal ones make an equation. */
IRL_API irl_status irl_model_set_sides(irl_env *env, irl_model *model, uint32_t row, double lower,
                                       double upper);

/* ---- whole models --------------------------------------------------------------------------- */

typedef struct irl_model_info {
  size_t size;      /* sizeof(irl_model_info) */
  const char *name; /* "" if the file has none */
  uint64_t rows, columns, entries, integers;
  bool is_maximised;
} irl_model_info;

/* MPS, fixed or free, or the LP format of CPLEX: by extension (.mps, .lp, with .gz as well), of
 * other names by the first word. */
IRL_API irl_status irl_model_read(irl_env *env, const char *path, irl_model **model);
/* .mps or .lp by extension; every number reads back to the same double. Names are replaced by r1,
 * ... or x1, ... where two are alike or the format cannot hold one. */
IRL_API irl_status irl_model_write(irl_env *env, const irl_model *model, const char *path);
/* The model that the options form, K, M, ... name: bp1 to bp6 minimise N1*FP + N0*FN (bp5 and bp6:
 * with every clause that a control satisfies), sp maximises covered cases within the budget, mp
 * chooses from the clauses of a pool (option pool). */
IRL_API irl_status irl_model_from_data(irl_env *env, const irl_data *data,
                                       const irl_options *options, irl_model **model);
IRL_API void irl_model_free(irl_model *model);
/* Without a model, or with a struct that has no size, nothing is written. */
IRL_API irl_status irl_model_describe(const irl_model *model, irl_model_info *info);
/* ---- solving -------------------------------------------------------------------------------- */

typedef struct irl_solution {
  size_t size;         /* sizeof(irl_solution) */
  irl_outcome outcome; /* optimal, infeasible, unbounded, limit, interrupted */
  double objective;    /* NaN if there is no feasible point */
  double bound;        /* no feasible point is better; NaN if none is known */
  double gap;          /* of objective and bound, relative to the objective; NaN if unknown */
  uint64_t nodes;      /* of the branch and bound */
  uint64_t iterations; /* of the simplex: what a warm start saves */
  uint64_t work;
} irl_solution;

/* Solves the model as it is now. The answer stays in the model until the next solve. At a limit an
 * integer program may have a feasible point all the same: then the objective is a number. Threads
 * (the option) search nodes of an integer program beside each other, in rounds whose results are
 * put together in a fixed order: answer, nodes, iterations and work are the same on any number of
 * them, unless a limit of time or memory cuts it. LPs, and models with AND/OR structure, which are
 * searched on bits, use one thread. */
IRL_API irl_status irl_model_solve(irl_env *env, irl_model *model, const irl_options *options,
                                   irl_solution *solution);

/* The answer into the caller's arrays, whose length `n` must be the number of columns, or of rows,
 * that were solved. Values of the columns and activities (row times x) of the rows: */
IRL_API irl_status irl_model_primal(irl_env *env, const irl_model *model, uint32_t n,
                                    double *values);
IRL_API irl_status irl_model_activity(irl_env *env, const irl_model *model, uint32_t n,
                                      double *values);
/* Dual values of the rows: what the objective changes by when the side that holds the row moves up
 * by one, as long as the basis stays. Reduced costs of the columns: the same for their bounds, cost
 * - dual'A. */
IRL_API irl_status irl_model_dual(irl_env *env, const irl_model *model, uint32_t n, double *values);
IRL_API irl_status irl_model_reduced(irl_env *env, const irl_model *model, uint32_t n,
                                     double *values);
/* Why there is no optimum. Infeasible: one multiplier y per row, such that y'Ax is greater for all
 * x within their bounds than y'r for all r within the sides (Farkas). Unbounded: one entry per
 * column, a direction in which every feasible point may go on for ever and the objective gets
 * better. There is none to show where bounds or sides cross. */
IRL_API irl_status irl_model_ray(irl_env *env, const irl_model *model, uint32_t n, double *values);

/* Rows that cannot hold together within the bounds of the columns. */
typedef struct irl_conflict {
  size_t size; /* sizeof(irl_conflict) */
  uint32_t n_rows;
  const uint32_t *rows; /* ascending; they live as long as the answer */
  bool is_irreducible;  /* without any one of them the others can hold */
  bool needs_integers;  /* if no column had to be integer all could hold */
} irl_conflict;

/* Why the last solve has ended infeasible. Rows are left out one after the other as long as no
 * point meets the rest; limits of the options, and one of its own, end that early, and the conflict
 * then may have more rows than it needs. */
IRL_API irl_status irl_model_conflict(irl_env *env, irl_model *model, const irl_options *options,
                                      irl_conflict *conflict);
/* The name of a column or of a row, NULL if it is not there, and its value or activity in the last
 * answer, NaN if it has none; `value` may be NULL. */
IRL_API const char *irl_model_column(const irl_model *model, uint32_t column, double *value);
IRL_API const char *irl_model_row(const irl_model *model, uint32_t row, double *value);

/* ---- warm starts ---------------------------------------------------------------------------- */

/* A point, one value per column, that the next integer program begins with if it is feasible. 0,
 * NULL takes it back, also that of the last answer. */
IRL_API irl_status irl_model_set_start(irl_env *env, irl_model *model, uint32_t n,
                                       const double *values);

/* ---- texts ---------------------------------------------------------------------------------- */

/* The whole answer of `ireland solve`. */
IRL_API irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format,
                                    char **text);
/* The answer row by row and column by column, in the format of HiGHS: status, values of columns and
 * rows, and for LPs reduced costs, dual values and the basis. If the name ends in .txt: as glpsol
 * -o prints it. */
IRL_API irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path);

#ifdef __cplusplus
}
#endif
#endif
