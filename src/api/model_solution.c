/* Files of an answer, in the formats of two other solvers.
 *
 * The one of HiGHS (its raw style, which it reads too): the status, then values of columns and
 * rows, reduced costs and dual values, and the basis, each under a heading. Numbers read back bit
 * by bit.
 *
 * The one of glpsol -o, for people: tables of rows and columns with activity, bounds and, for LPs,
 * how each of them stands in the basis (B basic, NL and NU at its lower and upper bound, NF free,
 * NS fixed) and its marginal. Names of more than twelve letters stand on a line of their own. */
#include "api/api_model.h"
#include "base/c_locale.h"
#include "base/contract.h"
#include "base/file.h"
#include "base/memory.h"
#include <math.h>

/* Marginals of the table below this are rounding errors, and shown as such. */
#define TABLE_EPSILON 1e-9
#define TABLE_NAME    12u

/* Columns, or rows, as both formats list them. */
typedef struct side {
  const char *what;
  uint32_t n;
  const char *const *names;
  const double *values, *duals; /* duals NULL: none */
  const uint8_t *at;            /* basis; NULL: none */
  const bool *is_integer;       /* NULL: none is */
} side;

static void get_bounds(const irl_model *model, const side *s, uint32_t i, double *lower,
                       double *upper) {
  assert(i < s->n);
  if (*s->what == 'C')
    irl_lp_bounds(model->named.lp, i, lower, upper);
  else
    irl_lp_row_bounds(model->named.lp, i, lower, upper);
}

/* ---- as HiGHS has it ---- */

static void print_values(FILE *stream, const side *s, const double *values) {
  fprintf(stream, "# %s %u\n", s->what, s->n);
  for (uint32_t i = 0; i < s->n; i++) irl_c_fprintf(stream, "%s %.17g\n", s->names[i], values[i]);
}

/* 0: at the lower bound, 1: basic, 2: at the upper bound, 3: free at zero. */
static void print_basis(FILE *stream, const side *s) {
  static const int code[] = {
      [IRL_LP_LOWER] = 0, [IRL_LP_BASIC] = 1, [IRL_LP_UPPER] = 2, [IRL_LP_ZERO] = 3};
  fprintf(stream, "# %s %u\n", s->what, s->n);
  for (uint32_t i = 0; i < s->n; i++) fprintf(stream, "%d ", code[s->at[i]]);
  fputc('\n', stream);
}

static void print_sections(FILE *stream, const irl_model *model, const side *columns,
                           const side *rows) {
  static const char *const words[] = {[IRL_OUTCOME_OPTIMAL] = "Optimal",
                                      [IRL_OUTCOME_LIMIT] = "Limit reached",
                                      [IRL_OUTCOME_INFEASIBLE] = "Infeasible",
                                      [IRL_OUTCOME_UNBOUNDED] = "Unbounded",
                                      [IRL_OUTCOME_INTERRUPTED] = "Interrupted by user"};
  const bool has_point = model->answer.has_point;
  fprintf(stream, "Model status\n%s\n\n# Primal solution values\n%s\n",
          words[model->solution.outcome], has_point ? "Feasible" : "None");
  if (has_point) {
    irl_c_fprintf(stream, "Objective %.17g\n", model->solution.objective);
    print_values(stream, columns, columns->values);
    print_values(stream, rows, rows->values);
  }
  fprintf(stream, "\n# Dual solution values\n%s\n", columns->duals ? "Feasible" : "None");
  if (columns->duals) {
    print_values(stream, columns, columns->duals);
    print_values(stream, rows, rows->duals);
  }
  fprintf(stream, "\n# Basis\nHiGHS v1\n%s\n", columns->at ? "Valid" : "None");
  if (!columns->at) return;
  print_basis(stream, columns);
  print_basis(stream, rows);
}

/* ---- as glpsol -o has it ---- */

static void print_cell(FILE *stream, double value) {
  if (isfinite(value))
    irl_c_fprintf(stream, "%13.6g ", value);
  else
    fprintf(stream, "%13s ", "");
}

static const char *stand(const side *s, uint32_t i, double lower, double upper) {
  static const char *const words[] = {
      [IRL_LP_LOWER] = "NL", [IRL_LP_BASIC] = "B ", [IRL_LP_UPPER] = "NU", [IRL_LP_ZERO] = "NF"};
  if (!s->at) return s->is_integer && s->is_integer[i] ? "* " : "  ";
  return s->at[i] != IRL_LP_BASIC && lower == upper ? "NS" : words[s->at[i]];
}

static void print_table(FILE *stream, const irl_model *model, const side *s) {
  const bool is_lp = s->at != NULL;
  fprintf(stream, "\n   No. %-12s %s   Activity     Lower bound   Upper bound%s\n",
          *s->what == 'C' ? "Column name" : "  Row name", is_lp ? "St" : "  ",
          is_lp ? "    Marginal" : "");
  fprintf(stream, "------ ------------ %s ------------- ------------- -------------%s\n",
          is_lp ? "--" : "  ", is_lp ? " -------------" : "");
  for (uint32_t i = 0; i < s->n; i++) {
    double lower, upper;
    get_bounds(model, s, i, &lower, &upper);
    if (strlen(s->names[i]) > TABLE_NAME)
      fprintf(stream, "%6u %s\n%20s", i + 1, s->names[i], "");
    else
      fprintf(stream, "%6u %-12s ", i + 1, s->names[i]);
    fprintf(stream, "%s ", stand(s, i, lower, upper));
    print_cell(stream, s->values[i]);
    print_cell(stream, lower);
    if (lower == upper)
      fprintf(stream, "%13s ", "=");
    else
      print_cell(stream, upper);
    if (s->duals && s->at[i] != IRL_LP_BASIC) {
      if (fabs(s->duals[i]) < TABLE_EPSILON)
        fprintf(stream, "%13s", "< eps");
      else
        print_cell(stream, s->duals[i]);
    }
    fputc('\n', stream);
  }
}

static uint32_t count_binaries(const irl_model *model) {
  uint32_t n = 0;
  for (uint32_t j = 0; j < irl_lp_n_columns(model->named.lp); j++) {
    double lower, upper;
    irl_lp_bounds(model->named.lp, j, &lower, &upper);
    n += model->named.is_integer[j] && lower == 0 && upper == 1;
  }
  return n;
}

static void print_report(FILE *stream, const irl_model *model, const side *columns,
                         const side *rows) {
  static const char *const words[] = {[IRL_OUTCOME_OPTIMAL] = "OPTIMAL",
                                      [IRL_OUTCOME_LIMIT] = "UNDEFINED",
                                      [IRL_OUTCOME_INFEASIBLE] = "EMPTY",
                                      [IRL_OUTCOME_UNBOUNDED] = "UNBOUNDED",
                                      [IRL_OUTCOME_INTERRUPTED] = "UNDEFINED"};
  const irl_lp_names *named = &model->named;
  const bool has_point = model->answer.has_point, is_milp = !columns->at && named->n_integer > 0;
  const irl_outcome outcome = model->solution.outcome;
  const bool is_cut = outcome == IRL_OUTCOME_LIMIT || outcome == IRL_OUTCOME_INTERRUPTED;
  fprintf(stream, "Problem:    %s\nRows:       %u\nColumns:    %u", named->name, rows->n,
          columns->n);
  if (named->n_integer)
    fprintf(stream, " (%u integer, %u binary)", named->n_integer, count_binaries(model));
  fprintf(stream, "\nNon-zeros:  %zu\nStatus:     %s%s\n", irl_lp_n_entries(named->lp),
          is_milp ? "INTEGER " : "", is_cut && has_point ? "NON-OPTIMAL" : words[outcome]);
  if (!has_point) return;
  irl_c_fprintf(stream, "Objective:  %s = %.10g (%s)\n", named->objective,
                model->solution.objective, named->is_maximised ? "MAXimum" : "MINimum");
  print_table(stream, model, rows);
  print_table(stream, model, columns);
  fputs("\nEnd of output\n", stream);
}

irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path) {
  irl_output output;
  char extension[16];
  IRL_NEED(env, "env, model, path", env, model, path);
  const irl_model_answer *a = &model->answer;
  const irl_lp_names *named = &model->named;
  uint8_t *at = irl_mem_alloc(&env->allocator, irl_lp_n_variables(named->lp), 1);
  if (!at) return irl_fail_memory(env);
  irl_lp_get_basis(named->lp, at);
  side columns = {.what = "Columns",
                  .n = a->n_columns,
                  .names = named->column_names,
                  .is_integer = named->is_integer};
  side rows = {.what = "Rows", .n = a->n_rows, .names = named->row_names};
  if (a->has_point) columns.values = a->values, rows.values = irl_model_part(a, true, false);
  if (a->has_duals) {
    columns.duals = irl_model_part(a, false, true);
    rows.duals = irl_model_part(a, true, true);
    columns.at = at;
    rows.at = at + irl_lp_n_columns(named->lp);
  }
  irl_status status = irl_output_open(env, path, &output);
  if (!status) {
    irl_file_extension(path, extension);
    (!strcmp(extension, "txt") ? print_report : print_sections)(output.stream, model, &columns,
                                                                &rows);
    status = irl_output_close(&output, true);
  }
  irl_mem_free(&env->allocator, at);
  return status;
}
