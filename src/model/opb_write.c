/* Writer of OPB, the format of pseudo-Boolean programs: min: 3 x1 2 x2 ; and 1 x1 1 ~x2 >= 1 ;
 *
 * All columns are 0 or 1 and all numbers whole. Coefficients are positive: -c x is c ~x less c, in
 * rows as well as the other side. So a clause is a sum of literals of at least 1. A row of two
 * sides is two, unless they are equal. The objective keeps its signs, and a constant, which it
 * cannot have, stands in a comment. Names are those of the model if all of them are a letter and
 * letters, digits or '_', else x1, x2, ... */
#include "base/c_locale.h"
#include "base/file.h"
#include "base/limit.h"
#include "lp/lp_model.h"
#include "model/lp_names.h"
#include <math.h>

#define TERM_BYTES 16u                /* that a term counts as when limits are looked at */
#define LARGEST    9007199254740992.0 /* 2^53: whole numbers beyond it are not exact */

typedef struct writer {
  const irl_lp_names *model;
  const irl_lp *lp;
  irl_lp_matrix a;
  FILE *out;
  bool keeps_names;
  double sum; /* of the negative coefficients of a row */
  irl_pace pace;
} writer;

static bool is_whole(double value) {
  return fabs(value) < LARGEST && value == floor(value);
}

static bool is_plain(const char *name) {
  bool is_good = irl_c_is_letter(*name) && name[1];
  for (const char *c = name; *c && is_good; c++)
    is_good = irl_c_is_letter(*c) || irl_c_is_digit(*c) || *c == '_';
  return is_good;
}

static const char *name_of(const writer *w, uint32_t j, char made[16]) {
  if (w->keeps_names) return w->model->column_names[j];
  snprintf(made, 16, "x%u", j + 1);
  return made;
}

/* Can the format say it? */
static irl_status check(irl_env *env, writer *w) {
  const irl_lp *lp = w->lp;
  const irl_lp_names *model = w->model;
  const char *what = is_whole(lp->constant) ? NULL : "a constant that is not whole";
  uint32_t j = 0;
  w->keeps_names = model->column_names != NULL;
  for (; j < lp->columns.count && !what; j++) {
    if (!model->is_integer || !model->is_integer[j] || lp->columns.lower[j] != 0 ||
        lp->columns.upper[j] != 1)
      what = "a column that is not 0 or 1";
    else if (!is_whole(lp->cost[j]))
      what = "a cost that is not whole";
    w->keeps_names = w->keeps_names && is_plain(model->column_names[j]);
  }
  for (uint32_t i = 0; i < lp->rows.count && !what; i++) {
    const double lower = lp->rows.lower[i], upper = lp->rows.upper[i];
    if ((lower > -INFINITY && !is_whole(lower)) || (upper < INFINITY && !is_whole(upper)))
      what = "a side that is not whole";
    for (size_t e = w->a.rows.start[i]; e < w->a.rows.start[i + 1] && !what; e++)
      if (!is_whole(w->a.rows.value[e])) what = "a coefficient that is not whole";
  }
  if (!what) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "the model has %s, which OPB cannot say; an .lp or .mps file can", what);
}

/* Each term is followed by a blank. */
static void put_term(writer *w, double value, uint32_t j) {
  char made[16];
  if (value == 0 || irl_pace_is_cut(&w->pace, TERM_BYTES)) return;
  fprintf(w->out, "%lld %s%s ", (long long)fabs(value), value < 0 ? "~" : "", name_of(w, j, made));
  if (value < 0) w->sum -= value;
}

/* The row times the sign, and its side. */
static void put_row(writer *w, uint32_t i, double sign, const char *relation, double side) {
  w->sum = 0;
  for (size_t e = w->a.rows.start[i]; e < w->a.rows.start[i + 1]; e++)
    put_term(w, sign * w->a.rows.value[e], w->a.rows.index[e]);
  fprintf(w->out, "%s %lld ;\n", relation, (long long)(sign * side + w->sum));
}

static void write_opb(writer *w) {
  const irl_lp *lp = w->lp;
  const double sign = w->model->is_maximised ? -1 : 1;
  uint32_t n_rows = 0;
  char made[16];
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const double lower = lp->rows.lower[i], upper = lp->rows.upper[i];
    n_rows += lower == upper ? 1 : (lower > -INFINITY) + (upper < INFINITY);
  }
  fprintf(w->out, "* #variable= %u #constraint= %u\n", lp->columns.count, n_rows);
  if (lp->constant != 0) fprintf(w->out, "* and %lld\n", (long long)(sign * lp->constant));
  fputs("min: ", w->out); /* costs are those of the least */
  for (uint32_t j = 0; j < lp->columns.count; j++)
    if (lp->cost[j] != 0) fprintf(w->out, "%lld %s ", (long long)lp->cost[j], name_of(w, j, made));
  fputs(";\n", w->out);
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const double lower = lp->rows.lower[i], upper = lp->rows.upper[i];
    if (lower == upper) put_row(w, i, 1, "=", lower);
    if (lower != upper && lower > -INFINITY) put_row(w, i, 1, ">=", lower);
    if (lower != upper && upper < INFINITY) put_row(w, i, -1, ">=", upper);
  }
}

irl_status irl_lp_write_opb(irl_env *env, const irl_lp_names *model, const char *path) {
  writer w = {.model = model, .lp = model->lp, .pace = {.env = env}};
  irl_output output;
  irl_status status = irl_lp_matrix_compile(env, w.lp, &w.a);
  if (status) return status;
  status = check(env, &w);
  if (!status) status = irl_output_open(env, path, &output);
  if (!status) {
    w.out = output.stream;
    write_opb(&w);
    status = irl_output_finish(&output, w.pace.is_cut ? IRL_STATUS_LIMIT : IRL_STATUS_OK);
  }
  irl_lp_matrix_free(&env->allocator, &w.a);
  return status;
}
