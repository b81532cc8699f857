/* Writers: free MPS and the LP format of CPLEX. Numbers have as few digits as read back to the same
 * double. Blocks of bits are written out entry by entry, columns one at a time. Names that the
 * format cannot hold (spaces, or a digit first in LP files), or that two share, are replaced by x1,
 * x2, ... and r1, r2, ...; so are the missing ones of models that were not read from a file. */
#include "base/c_locale.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/memory.h"
#include "lp/lp_model.h"
#include "lp/tol.h"
#include "model/lp_names.h"
#include "model/lp_scan.h"
#include <math.h>

#define CONSTANT   "constant_" /* a column fixed at 1: not all readers take a bare number */
#define TERM_BYTES 32u         /* that a term counts as when limits are looked at */
#define SECOND     "_up" /* what the second of two rows that stand for one is called beside it */

typedef struct writer {
  const irl_lp_names *model;
  const irl_lp *lp;
  irl_lp_matrix a;
  FILE *out;
  bool is_lp_format;
  bool keeps_row_names, keeps_column_names;
  double sign;             /* -1 if the model maximises */
  const char *objective;   /* its name in MPS files */
  char made_objective[24]; /* that name, if it is none of the model's */
  irl_pace pace;           /* by terms */
} writer;

static const char *number_text(double value, char text[40]) {
  int digits = 15;
  assert(isfinite(value));
  if (value == 0) value = 0; /* no minus zero */
  do irl_c_snprintf(text, 40, "%.*g", digits, value);
  while (digits++ < 17 && irl_c_strtod(text, NULL) != value);
  return text;
}

static bool is_plain(const char *name, bool is_lp_format) {
  static const char *const words[] = {"free", "inf", "infinity", CONSTANT}; /* of LP files */
  irl_lp_section section;
  if (!*name || (is_lp_format && strlen(name) > 255)) return false;
  for (const char *c = name; *c; c++)
    if (*c <= ' ' || *c > '~' ||
        (is_lp_format && !irl_c_is_letter(*c) && !irl_c_is_digit(*c) &&
         !strchr("_.#$&(),;?@{}~", *c)))
      return false;
  if (!is_lp_format) return strcmp(name, "RHS") && strcmp(name, "BOUND") && strcmp(name, "RANGE");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (irl_c_equal_ignoring_case(name, words[i], strlen(words[i]) + 1)) return false;
  return !irl_c_is_digit(*name) && *name != '.' && irl_c_lower(*name) != 'e' &&
         !irl_lp_is_keyword(name, strlen(name), &section);
}

/* Can the format hold all names, and is no name there twice? */
static irl_status are_plain(irl_env *env, const char *const *names, uint32_t n, bool is_lp_format,
                            bool *answer) {
  irl_hash_index index;
  bool has_memory = true;
  irl_hash_index_init(&index, &env->allocator);
  *answer = names != NULL;
  for (uint32_t i = 0; i < n && *answer && has_memory; i++) {
    *answer = is_plain(names[i], is_lp_format) &&
              irl_lp_index_find(&index, names, names[i], strlen(names[i])) == UINT32_MAX;
    has_memory = irl_lp_index_add(&index, names, i);
  }
  irl_hash_index_free(&index);
  return has_memory ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* The names in the model, or those made of letter and number. */
static const char *column_text(const writer *w, uint32_t j, char made[16]) {
  if (w->keeps_column_names) return w->model->column_names[j];
  snprintf(made, 16, "x%u", j + 1);
  return made;
}

static const char *row_text(const writer *w, uint32_t i, char made[16]) {
  if (w->keeps_row_names) return w->model->row_names[i];
  snprintf(made, 16, "r%u", i + 1);
  return made;
}

static bool is_integer(const writer *w, uint32_t j) {
  return w->model->is_integer && w->model->is_integer[j];
}

/* ---- MPS ---- */

static char row_kind(const writer *w, uint32_t i) {
  const double lower = w->lp->rows.lower[i], upper = w->lp->rows.upper[i];
  if (lower == -INFINITY && upper == INFINITY) return 'N';
  return lower == upper ? 'E' : upper < INFINITY ? 'L' : 'G';
}

static bool is_row_name(const writer *w, const char *name) {
  for (uint32_t i = 0; w->keeps_row_names && i < w->lp->rows.count; i++)
    if (!strcmp(w->model->row_names[i], name)) return true;
  return false;
}

/* Short names are padded: then the fields also stand where fixed format wants them. */
static void mps_line(writer *w, const char *first, const char *second, double value) {
  char text[40];
  if (irl_pace_is_cut(&w->pace, TERM_BYTES)) return;
  fprintf(w->out, "    %-8s  %-8s  %s\n", first, second, number_text(value, text));
}

static void mps_columns(writer *w) {
  bool is_in_integers = false;
  uint32_t n_markers = 0;
  char made[16], made_row[16];
  fputs("COLUMNS\n", w->out);
  for (uint32_t j = 0; j < w->lp->columns.count; j++) {
    if (is_integer(w, j) != is_in_integers) {
      is_in_integers = !is_in_integers;
      fprintf(w->out, "    MARKER%-2u  'MARKER'                 '%s'\n", ++n_markers,
              is_in_integers ? "INTORG" : "INTEND");
    }
    const char *column = column_text(w, j, made);
    mps_line(w, column, w->objective, w->sign * w->lp->cost[j]);
    for (size_t e = w->a.columns.start[j]; e < w->a.columns.start[j + 1]; e++)
      mps_line(w, column, row_text(w, w->a.columns.index[e], made_row), w->a.columns.value[e]);
  }
  if (is_in_integers)
    fprintf(w->out, "    MARKER%-2u  'MARKER'                 'INTEND'\n", ++n_markers);
}

/* Kinds without a number of their own get NAN. */
static void mps_bound(const writer *w, const char *kind, uint32_t j, double value) {
  char made[16], text[40];
  fprintf(w->out, " %s BOUND     %-8s", kind, column_text(w, j, made));
  if (!isnan(value)) fprintf(w->out, "  %s", number_text(value, text));
  fputc('\n', w->out);
}

static void mps_bounds(const writer *w) {
  fputs("BOUNDS\n", w->out);
  for (uint32_t j = 0; j < w->lp->columns.count; j++) {
    const double lower = w->lp->columns.lower[j], upper = w->lp->columns.upper[j];
    if (lower == upper) {
      mps_bound(w, "FX", j, lower);
    } else if (lower == -INFINITY && upper == INFINITY) {
      mps_bound(w, "FR", j, NAN);
    } else {
      if (lower == -INFINITY) mps_bound(w, "MI", j, NAN);
      if (lower != 0 && lower > -INFINITY) mps_bound(w, "LO", j, lower);
      if (upper < INFINITY) mps_bound(w, "UP", j, upper);
      /* Readers take a negative upper bound on its own to mean that there is no lower one. */
      if (lower == 0 && upper < 0) mps_bound(w, "LO", j, lower);
      if (upper == INFINITY && is_integer(w, j)) mps_bound(w, "PL", j, NAN);
    }
  }
}

static void write_mps(writer *w) {
  const irl_lp *lp = w->lp;
  char made[16];
  /* The objective is a row here: it gets a name that no other row has, as it may have in an LP
   * file. */
  w->objective = w->model->objective;
  if (!w->keeps_row_names || !is_plain(w->objective, false) || is_row_name(w, w->objective)) {
    w->objective = w->made_objective;
    snprintf(w->made_objective, sizeof w->made_objective, "OBJ_COST");
    for (uint32_t i = 1; is_row_name(w, w->objective); i++)
      snprintf(w->made_objective, sizeof w->made_objective, "OBJ_COST%u", i);
  }
  fprintf(w->out, "NAME %s\n", w->model->name);
  if (w->sign < 0) fputs("OBJSENSE\n MAX\n", w->out);
  fprintf(w->out, "ROWS\n N  %s\n", w->objective);
  for (uint32_t i = 0; i < lp->rows.count; i++)
    fprintf(w->out, " %c  %-8s\n", row_kind(w, i), row_text(w, i, made));
  mps_columns(w);
  fputs("RHS\n", w->out);
  if (lp->constant != 0) mps_line(w, "RHS", w->objective, -w->sign * lp->constant);
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const double side = row_kind(w, i) == 'G' ? lp->rows.lower[i] : lp->rows.upper[i];
    if (row_kind(w, i) != 'N' && side != 0) mps_line(w, "RHS", row_text(w, i, made), side);
  }
  fputs("RANGES\n", w->out);
  for (uint32_t i = 0; i < lp->rows.count; i++)
    if (row_kind(w, i) == 'L' && lp->rows.lower[i] > -INFINITY)
      mps_line(w, "RANGE", row_text(w, i, made), lp->rows.upper[i] - lp->rows.lower[i]);
  mps_bounds(w);
  fputs("ENDATA\n", w->out);
}

/* ---- LP format ---- */

static void lp_term(writer *w, const char *column, double value, uint32_t *n_terms) {
  char text[40];
  if (irl_pace_is_cut(&w->pace, TERM_BYTES)) return;
  fprintf(w->out, "%s%s %s %s", *n_terms && *n_terms % 8 == 0 ? "\n  " : " ", value < 0 ? "-" : "+",
          number_text(fabs(value), text), column);
  ++*n_terms;
}

static void lp_row(writer *w, uint32_t i) {
  const double lower = w->lp->rows.lower[i], upper = w->lp->rows.upper[i];
  const double sides[] = {lower, upper};
  const bool has[] = {lower > -INFINITY && lower != upper, upper < INFINITY};
  const char *signs[] = {">=", lower == upper ? "=" : "<="};
  char made[16], text[40];
  for (int side = 0; side < 2; side++) {
    if (!has[side]) continue;
    fprintf(w->out, " %s%s:", row_text(w, i, made), has[0] && side ? SECOND : "");
    uint32_t n = 0;
    for (size_t e = w->a.rows.start[i]; e < w->a.rows.start[i + 1]; e++)
      lp_term(w, column_text(w, w->a.rows.index[e], made), w->a.rows.value[e], &n);
    if (!n) lp_term(w, column_text(w, 0, made), 0, &n);
    fprintf(w->out, " %s %s\n", signs[side], number_text(sides[side], text));
  }
}

static void write_lp(writer *w) {
  uint32_t n = 0;
  char made[16], text[40];
  fprintf(w->out, "\\ %s\n%s\n obj:", w->model->name, w->sign < 0 ? "Maximize" : "Minimize");
  /* Those without a cost too: so columns keep their order in every reader. */
  for (uint32_t j = 0; j < w->lp->columns.count; j++)
    lp_term(w, column_text(w, j, made), w->sign * w->lp->cost[j], &n);
  if (w->lp->constant != 0) lp_term(w, CONSTANT, w->sign * w->lp->constant, &n);
  fputs("\nSubject To\n", w->out);
  for (uint32_t i = 0; i < w->lp->rows.count; i++) lp_row(w, i);
  fputs("Bounds\n", w->out);
  if (w->lp->constant != 0) fputs(" " CONSTANT " = 1\n", w->out);
  for (uint32_t j = 0; j < w->lp->columns.count; j++) {
    const double lower = w->lp->columns.lower[j], upper = w->lp->columns.upper[j];
    const char *column = column_text(w, j, made);
    if (lower == 0 && upper == INFINITY) continue;
    if (lower == -INFINITY && upper == INFINITY) {
      fprintf(w->out, " %s free\n", column);
      continue;
    }
    fprintf(w->out, " %s <= %s", lower == -INFINITY ? "-inf" : number_text(lower, text), column);
    if (upper < INFINITY) fprintf(w->out, " <= %s", number_text(upper, text));
    fputc('\n', w->out);
  }
  if (w->model->n_integer) fputs("Generals\n", w->out);
  for (uint32_t j = 0; j < w->lp->columns.count; j++)
    if (is_integer(w, j)) fprintf(w->out, " %s\n", column_text(w, j, made));
  fputs("End\n", w->out);
}

/* A row with two sides becomes two rows: is the name of the second one free? */
static irl_status check_seconds(irl_env *env, writer *w) {
  irl_hash_index index;
  const char *const *names = w->model->row_names;
  bool has_memory = true;
  irl_hash_index_init(&index, &env->allocator);
  for (uint32_t i = 0; i < w->lp->rows.count && w->keeps_row_names && has_memory; i++)
    has_memory = irl_lp_index_add(&index, names, i);
  for (uint32_t i = 0; i < w->lp->rows.count && w->keeps_row_names && has_memory; i++) {
    char second[300];
    if (w->lp->rows.lower[i] == w->lp->rows.upper[i] || w->lp->rows.lower[i] == -INFINITY ||
        w->lp->rows.upper[i] == INFINITY)
      continue;
    snprintf(second, sizeof second, "%s" SECOND, names[i]);
    w->keeps_row_names = irl_lp_index_find(&index, names, second, strlen(second)) == UINT32_MAX;
  }
  irl_hash_index_free(&index);
  return has_memory ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_lp_write(irl_env *env, const irl_lp_names *model, const char *path) {
  writer w = {
      .model = model, .lp = model->lp, .sign = model->is_maximised ? -1 : 1, .pace = {.env = env}};
  irl_output output;
  char extension[16];
  irl_file_extension(path, extension);
  if (!strcmp(extension, "opb")) return irl_lp_write_opb(env, model, path);
  w.is_lp_format = !strcmp(extension, "lp");
  irl_status status =
      are_plain(env, model->row_names, w.lp->rows.count, w.is_lp_format, &w.keeps_row_names);
  if (!status)
    status = are_plain(env, model->column_names, w.lp->columns.count, w.is_lp_format,
                       &w.keeps_column_names);
  if (!status && w.is_lp_format) status = check_seconds(env, &w);
  /* MPS gives the second side of a row as its distance from the first, so it cannot say that the
   * lower side is above the upper one: read again, such a row would be another. */
  for (uint32_t i = 0; i < w.lp->rows.count && !w.is_lp_format; i++)
    if (w.lp->rows.lower[i] > w.lp->rows.upper[i])
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "row '%s' has a lower side above its upper one, which MPS cannot say; an .lp "
                      "file can",
                      model->row_names[i]);
  if (!status) status = irl_lp_matrix_compile(env, w.lp, &w.a);
  if (status) return status;
  status = irl_output_open(env, path, &output);
  if (!status) {
    w.out = output.stream;
    (w.is_lp_format ? write_lp : write_mps)(&w);
    status = irl_output_finish(&output, w.pace.is_cut ? IRL_STATUS_LIMIT : IRL_STATUS_OK);
  }
  irl_lp_matrix_free(&env->allocator, &w.a);
  return status;
}
