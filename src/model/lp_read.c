/* Reader of the LP format of CPLEX, as other solvers write it and as model/mps_write.c does.
 *
 *   \ a comment
 *   Minimize                     or Maximize, with the other spellings that are in use
 *    cost: 3 x + 2 y - 4.5 z + 7
 *   Subject To
 *    c1: x + y >= 2
 *    c2: -1 <= x - 3 z <= 8      rows may have two sides, and need no name
 *   Bounds                       0 <= x if nothing is said
 *    -inf <= x <= 5
 *    y free
 *    z = 4
 *   General                      columns that are integer, Binary: 0 or 1
 *    x y
 *   End
 *
 * Section words are such only at the beginning of a line and without a colon behind them. Terms of
 * one column are added up. A column is known from where it is first named. A column `constant_`
 * that is in the objective alone and fixed at 1 is the constant of the objective, as written by
 * mps_write.c; a bare number there is one as well. Semi-continuous columns, sets, squares and
 * piecewise objectives are not read. */
#include "base/array.h"
#include "base/c_locale.h"
#include "lp/sparse.h"
#include "lp/tol.h"
#include "model/lp_names.h"
#include "model/lp_scan.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>

#define CONSTANT "constant_"

typedef struct reader {
  irl_lp_scanner s;
  irl_lp_names *model;
  irl_hash_index row_index, column_index;
  irl_lp_section section; /* the one that is being read */
  /* The row, or objective, that is being read: */
  irl_lp_lists terms; /* columns and their coefficients, not closed */
  double constant;
  struct {
    IRL_ARRAY(uint32_t)
  } place; /* by column: where it stands among those, + 1 */
  struct {
    IRL_ARRAY(size_t)
  } bound_line;    /* by column: where its last bound stands; 0: nowhere */
  size_t row_line; /* where the row begins that is being read */
  bool has_terms;
  uint32_t n_made;      /* names of rows */
  double constant_cost; /* of the column CONSTANT in the objective, while it is no true column */
  bool is_constant_waiting, is_constant_one;
} reader;

static irl_status bad(const reader *r, const char *what) {
  return irl_lp_scan_bad(&r->s, what, true);
}

static bool is_kind(const reader *r, irl_lp_token kind) {
  return r->s.kind == kind;
}

static bool is_infinity(const reader *r) {
  return is_kind(r, IRL_LP_NAME) &&
         (irl_lp_scan_is(&r->s, "inf") || irl_lp_scan_is(&r->s, "infinity"));
}

/* ---- columns ---- */

static irl_status add_column(reader *r, const char *name, size_t length, double cost,
                             uint32_t *column) {
  irl_lp *lp = r->model->lp;
  irl_status status = irl_lp_name_column(r->model, name, length, false);
  *column = irl_lp_n_columns(lp);
  if (!status) status = irl_lp_add_column(lp, cost, 0, INFINITY, NULL);
  if (status) return status;
  if (!irl_lp_index_add(&r->column_index, r->model->column_names, *column) ||
      !irl_array_push(&r->s.env->allocator, &r->place, 0) ||
      !irl_array_push(&r->s.env->allocator, &r->bound_line, 0))
    return irl_fail_memory(r->s.env);
  assert(r->place.n == irl_lp_n_columns(lp));
  return IRL_STATUS_OK;
}

/* The waiting column of the constant becomes a true one. */
static irl_status add_constant_column(reader *r, uint32_t *column) {
  r->is_constant_waiting = false;
  const irl_status status = add_column(r, CONSTANT, strlen(CONSTANT), r->constant_cost, column);
  if (!status && r->is_constant_one) irl_lp_set_bounds(r->model->lp, *column, 1, 1);
  return status;
}

/* The column that the word names. */
static irl_status find_column(reader *r, uint32_t *column) {
  *column = irl_lp_index_find(&r->column_index, r->model->column_names, r->s.text, r->s.length);
  if (*column != UINT32_MAX) return IRL_STATUS_OK;
  if (r->is_constant_waiting && irl_lp_scan_is(&r->s, CONSTANT))
    return add_constant_column(r, column);
  return add_column(r, r->s.text, r->s.length, 0, column);
}

/* ---- sums of terms ---- */

static void begin_terms(reader *r) {
  for (size_t i = 0; i < r->terms.used; i++) r->place.items[r->terms.index[i]] = 0;
  r->terms.used = 0;
  r->constant = 0;
  r->has_terms = false;
}

/* All signs before a number or a name. */
static irl_status read_signs(reader *r, double *sign) {
  irl_status status = IRL_STATUS_OK;
  for (*sign = 1; is_kind(r, IRL_LP_SIGN) && !status; status = irl_lp_scan(&r->s))
    if (*r->s.text == '-') *sign = -*sign;
  return status;
}

/* NUMBER [*] NAME, NUMBER or NAME behind its signs; CONSTANT is no column in the objective. */
static irl_status read_term(reader *r, bool is_objective) {
  double value;
  irl_status status = read_signs(r, &value);
  if (status) return status;
  if (is_infinity(r)) return bad(r, "no coefficient is infinite:");
  if (is_kind(r, IRL_LP_NUMBER)) {
    value *= r->s.number;
    status = irl_lp_scan(&r->s);
    if (!status && is_kind(r, IRL_LP_OTHER) && *r->s.text == '*') status = irl_lp_scan(&r->s);
    if (status) return status;
    if (!is_kind(r, IRL_LP_NAME) || irl_lp_scan_is_label(&r->s)) {
      r->constant += value;
      return isfinite(r->constant) ? IRL_STATUS_OK : bad(r, "the constant is not finite before");
    }
  }
  if (!is_kind(r, IRL_LP_NAME)) return bad(r, "expected a number or the name of a column, not");
  r->has_terms = true;
  if (is_objective && irl_lp_scan_is(&r->s, CONSTANT)) {
    r->is_constant_waiting = true;
    r->constant_cost += value;
    if (!isfinite(r->constant_cost)) return bad(r, "the constant is not finite:");
    return irl_lp_scan(&r->s);
  }
  uint32_t column;
  if ((status = find_column(r, &column))) return status;
  if (!r->place.items[column]) {
    if (!irl_lp_lists_push(&r->s.env->allocator, &r->terms, column, 0))
      return irl_fail_memory(r->s.env);
    r->place.items[column] = (uint32_t)r->terms.used;
  }
  double *sum = &r->terms.value[r->place.items[column] - 1];
  *sum += value;
  if (!(fabs(value) < IRL_LP_INFINITY) || !(fabs(*sum) < IRL_LP_INFINITY))
    return bad(r, "no coefficient is beyond 1e20, as that of");
  return irl_lp_scan(&r->s);
}

/* The first term needs no sign. */
static irl_status read_terms(reader *r, bool is_objective) {
  irl_status status = read_term(r, is_objective);
  while (!status && is_kind(r, IRL_LP_SIGN)) status = read_term(r, is_objective);
  if (!status && is_kind(r, IRL_LP_OTHER) && (*r->s.text == '[' || *r->s.text == '^'))
    status = bad(r, "squares and products are not read:");
  return status;
}

static irl_status read_label(reader *r, const char **name, size_t *length) {
  *name = r->s.text;
  *length = r->s.length;
  irl_status status = irl_lp_scan(&r->s); /* the colon */
  return status ? status : irl_lp_scan(&r->s);
}

/* ---- the objective ---- */

static irl_status read_objective(reader *r) {
  irl_status status = irl_lp_scan(&r->s);
  if (!status && irl_lp_scan_is_label(&r->s)) {
    const char *name;
    size_t length;
    status = read_label(r, &name, &length);
    if (!status) r->model->objective = irl_arena_copy_text(&r->model->arena, name, length);
    if (!status && !r->model->objective) return irl_fail_memory(r->s.env);
  }
  begin_terms(r);
  if (!status && !is_kind(r, IRL_LP_SECTION)) status = read_terms(r, true);
  if (!status && !is_kind(r, IRL_LP_SECTION))
    status = bad(r, "expected a sign or 'Subject To' behind the objective, not");
  for (size_t i = 0; i < r->terms.used && !status; i++)
    irl_lp_set_cost(r->model->lp, r->terms.index[i], r->terms.value[i]);
  if (!status) irl_lp_set_constant(r->model->lp, r->constant);
  return status;
}

/* ---- rows ---- */

/* A number with its sign; infinity may be one. */
static irl_status read_value(reader *r, double *value) {
  double sign;
  irl_status status = read_signs(r, &sign);
  if (status) return status;
  if (!is_kind(r, IRL_LP_NUMBER) && !is_infinity(r)) return bad(r, "expected a number, not");
  *value = sign * (is_kind(r, IRL_LP_NUMBER) ? r->s.number : INFINITY);
  if (fabs(*value) >= IRL_LP_INFINITY) *value = sign * INFINITY;
  return irl_lp_scan(&r->s);
}

/* What stands left of the relation is to be so compared with `value`. */
static irl_status set_side(reader *r, char relation, double value, double sides[2]) {
  const bool is_low = relation != '<', is_high = relation != '>';
  if ((is_low && value == INFINITY) || (is_high && value == -INFINITY))
    return irl_lp_scan_bad(&r->s, "nothing has a value beyond 1e20, as is asked before this",
                           false);
  if (is_low) sides[0] = value;
  if (is_high) sides[1] = value;
  return IRL_STATUS_OK;
}

/* Adds the row that has been read; without a name it gets one that no row has. */
static irl_status add_row(reader *r, const char *name, size_t length, const double sides[2]) {
  const double lower = sides[0] - r->constant, upper = sides[1] - r->constant;
  const uint32_t row = irl_lp_n_rows(r->model->lp);
  irl_lp_terms terms = {0, r->terms.index, r->terms.value};
  char made[32];
  /* A number beyond 1e20 would be an infinite side where none was meant. */
  if ((isfinite(sides[0]) && fabs(lower) >= IRL_LP_INFINITY) ||
      (isfinite(sides[1]) && fabs(upper) >= IRL_LP_INFINITY))
    return bad(r, "a side less the constant of its row is beyond 1e20 before");
  if (lower > upper)
    return irl_fail(r->s.env, IRL_STATUS_BAD_INPUT,
                    "%s:%zu:1: the row has the lower side %g above its upper side %g", r->s.path,
                    r->row_line, lower, upper);
  for (size_t i = 0; i < r->terms.used; i++) {
    r->place.items[r->terms.index[i]] = 0;
    if (r->terms.value[i] == 0) continue;
    r->terms.index[terms.n] = r->terms.index[i];
    r->terms.value[terms.n++] = r->terms.value[i];
  }
  r->terms.used = 0;
  if (!name) {
    snprintf(made, sizeof made, "c%u", row + 1);
    while (irl_lp_index_find(&r->row_index, r->model->row_names, made, strlen(made)) != UINT32_MAX)
      snprintf(made, sizeof made, "c_%u", ++r->n_made);
    name = made;
    length = strlen(made);
  }
  irl_status status = irl_lp_name_row(r->model, name, length);
  if (!status) status = irl_lp_add_row(r->model->lp, lower, upper, &terms);
  if (!status && !irl_lp_index_add(&r->row_index, r->model->row_names, row))
    status = irl_fail_memory(r->s.env);
  return status;
}

/* RELATION VALUE behind the terms. */
static irl_status read_right(reader *r, char left, double sides[2]) {
  const char relation = r->s.relation;
  double value;
  if (left && (left != relation || left == '='))
    return bad(r, "two sides need two <= or two >=, not");
  irl_status status = irl_lp_scan(&r->s);
  if (!status) status = read_value(r, &value);
  if (!status) status = set_side(r, relation, value, sides);
  /* Behind it another row, or a section, begins. */
  if (status || is_kind(r, IRL_LP_SECTION) || is_kind(r, IRL_LP_END) || r->s.is_first ||
      irl_lp_scan_is_label(&r->s))
    return status;
  return bad(r, "the right-hand side is a single number; behind it stands");
}

/* Do a value and a relation begin here, so that the row has its first side on the left? */
static bool is_left_side(const reader *r) {
  irl_lp_scanner ahead = r->s;
  while (ahead.kind == IRL_LP_SIGN)
    if (irl_lp_scan(&ahead)) return false;
  const reader there = {.s = ahead};
  if (ahead.kind != IRL_LP_NUMBER && !is_infinity(&there)) return false;
  return !irl_lp_scan(&ahead) && ahead.kind == IRL_LP_RELATION;
}

/* VALUE RELATION before the terms. */
static irl_status read_left(reader *r, char *relation, double sides[2]) {
  double value;
  irl_status status = read_value(r, &value);
  *relation = r->s.relation;
  if (!status) status = irl_lp_scan(&r->s);
  return status ? status
                : set_side(r,
                           *relation == '<'   ? '>'
                           : *relation == '>' ? '<'
                                              : '=',
                           value, sides);
}

static irl_status read_row(reader *r) {
  double sides[2] = {-INFINITY, INFINITY};
  const char *name = NULL;
  size_t length = 0;
  char left = '\0';
  irl_status status = IRL_STATUS_OK;
  r->row_line = r->s.word_line;
  if (irl_lp_scan_is_label(&r->s)) {
    if (irl_lp_index_find(&r->row_index, r->model->row_names, r->s.text, r->s.length) != UINT32_MAX)
      return bad(r, "second row of the name");
    status = read_label(r, &name, &length);
  }
  begin_terms(r);
  if (!status && is_left_side(r)) status = read_left(r, &left, sides);
  if (!status) status = read_terms(r, false);
  if (!status && !r->has_terms) status = bad(r, "a row needs a column before");
  if (!status && is_kind(r, IRL_LP_RELATION))
    status = read_right(r, left, sides);
  else if (!status && !left)
    status = bad(r, "expected <=, >= or = behind the terms of a row, not");
  return status ? status : add_row(r, name, length, sides);
}

/* ---- bounds and kinds of columns ---- */

/* [VALUE RELATION] name, then nothing, `free`, or RELATION VALUE. */
static irl_status read_bound(reader *r) {
  double sides[2] = {-INFINITY, INFINITY}, bounds[2];
  char left = '\0';
  uint32_t column;
  irl_lp_scanner ahead = r->s;
  irl_status status = IRL_STATUS_OK;
  if (r->is_constant_waiting && irl_lp_scan_is(&r->s, CONSTANT) && !irl_lp_scan(&ahead) &&
      ahead.kind == IRL_LP_RELATION && ahead.relation == '=' && !irl_lp_scan(&ahead) &&
      ahead.kind == IRL_LP_NUMBER && ahead.number == 1) {
    r->is_constant_one = true;
    r->s = ahead;
    return irl_lp_scan(&r->s);
  }
  const bool has_left = is_left_side(r);
  if (has_left) status = read_left(r, &left, sides);
  if (!status && (!is_kind(r, IRL_LP_NAME) || is_infinity(r)))
    status = bad(r, "expected the name of a column, not");
  if (!status) status = find_column(r, &column);
  if (!status) r->bound_line.items[column] = r->s.word_line;
  if (!status) status = irl_lp_scan(&r->s);
  if (status) return status;
  irl_lp_bounds(r->model->lp, column, &bounds[0], &bounds[1]);
  if (has_left && left != '<') bounds[1] = sides[1];
  if (has_left && left != '>') bounds[0] = sides[0];
  if (is_kind(r, IRL_LP_RELATION)) {
    status = read_right(r, left, bounds);
  } else if (!has_left && is_kind(r, IRL_LP_NAME) && irl_lp_scan_is(&r->s, "free")) {
    bounds[0] = -INFINITY;
    bounds[1] = INFINITY;
    status = irl_lp_scan(&r->s);
  } else if (!has_left) {
    status = bad(r, "expected <=, >=, = or free behind a column, not");
  }
  if (!status) irl_lp_set_bounds(r->model->lp, column, bounds[0], bounds[1]);
  return status;
}

/* A column that is integer, and 0 or 1 in the section of binary ones. */
static irl_status read_integer(reader *r) {
  uint32_t column;
  double lower, upper;
  if (!is_kind(r, IRL_LP_NAME)) return bad(r, "expected the name of a column, not");
  const irl_status status = find_column(r, &column);
  if (status) return status;
  irl_lp_bounds(r->model->lp, column, &lower, &upper);
  if (r->section == IRL_LP_BINARIES) {
    irl_lp_set_bounds(r->model->lp, column, fmax(lower, 0), fmin(upper, 1));
    r->bound_line.items[column] = r->s.word_line;
  }
  r->model->n_integer += !r->model->is_integer[column];
  r->model->is_integer[column] = true;
  return irl_lp_scan(&r->s);
}

/* ---- all of it ---- */

static irl_status read_sections(reader *r) {
  irl_status status = IRL_STATUS_OK;
  bool has_rows = false;
  while (!status && is_kind(r, IRL_LP_SECTION) && r->s.section != IRL_LP_ENDS) {
    const irl_lp_section section = r->section = r->s.section;
    if (section == IRL_LP_UNSUPPORTED) return bad(r, "this section is not read:");
    if (section == IRL_LP_MINIMISE || section == IRL_LP_MAXIMISE)
      return bad(r, "there is one objective, not another one:");
    if (section == IRL_LP_ROWS && has_rows) return bad(r, "this section comes twice:");
    if (section != IRL_LP_ROWS && !has_rows) return bad(r, "expected 'Subject To', not");
    has_rows = true;
    irl_status (*read_one)(reader *) = section == IRL_LP_ROWS     ? read_row
                                       : section == IRL_LP_BOUNDS ? read_bound
                                                                  : read_integer;
    status = irl_lp_scan(&r->s);
    while (!status && !is_kind(r, IRL_LP_SECTION) && !is_kind(r, IRL_LP_END)) status = read_one(r);
  }
  if (!status && !is_kind(r, IRL_LP_SECTION))
    status = irl_lp_scan_bad(&r->s, "the file ends without End", false);
  return status;
}

static irl_status read_all(reader *r, const irl_file *file) {
  /* A first line `\ NAME`, as it is written here. */
  const char *at = r->s.at, *line_end = memchr(at, '\n', (size_t)(r->s.end - at));
  bool has_name = line_end && line_end - at >= 3 && !memcmp(at, "\\ ", 2);
  for (size_t i = 2; has_name && at + i < line_end; i++) has_name = at[i] > ' ' && at[i] <= '~';
  if (has_name)
    r->model->name = irl_arena_copy_text(&r->model->arena, at + 2, (size_t)(line_end - at - 2));
  if (!r->model->name) return irl_fail_memory(r->s.env);
  if (memchr(file->bytes, '\0', file->size))
    return irl_fail(r->s.env, IRL_STATUS_BAD_INPUT, "%s:1:1: this is not a text file", r->s.path);
  irl_status status = irl_lp_scan(&r->s);
  if (status) return status;
  if (!is_kind(r, IRL_LP_SECTION) ||
      (r->s.section != IRL_LP_MINIMISE && r->s.section != IRL_LP_MAXIMISE))
    return bad(r, "a model in LP format begins with Minimize or Maximize, not with");
  r->model->is_maximised = r->s.section == IRL_LP_MAXIMISE;
  status = read_objective(r);
  if (!status) status = read_sections(r);
  if (status) return status;
  double constant = irl_lp_constant(r->model->lp);
  uint32_t column;
  if (r->is_constant_waiting && r->is_constant_one)
    constant += r->constant_cost;
  else if (r->is_constant_waiting)
    status = add_constant_column(r, &column);
  if (!status) status = irl_lp_names_check(r->s.env, r->s.path, r->model, r->bound_line.items);
  if (!status) irl_lp_names_set_sense(r->model, constant);
  return status;
}

irl_status irl_lp_parse_lp(irl_env *env, const char *path, const irl_file *file,
                           irl_lp_names *model) {
  const irl_allocator *a = &env->allocator;
  reader r = {.model = model};
  irl_hash_index_init(&r.row_index, a);
  irl_hash_index_init(&r.column_index, a);
  irl_status status = irl_lp_names_init(env, model);
  if (status) return status;
  irl_lp_scan_init(&r.s, env, path, file);
  status = read_all(&r, file);
  irl_hash_index_free(&r.row_index);
  irl_hash_index_free(&r.column_index);
  irl_lp_lists_free(a, &r.terms);
  irl_array_free(a, &r.place);
  irl_array_free(a, &r.bound_line);
  if (status) irl_lp_names_free(model);
  return status;
}
