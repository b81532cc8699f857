/* Reader of MPS files, fixed and free.
 *
 * The whole file is read as free format (fields are words); if that fails it is read again as fixed
 * format (fields by column: 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, so that names may hold spaces).
 * If both fail, the error of the free reading is reported, unless the fixed one got further.
 * A right-hand side on the objective row is minus the constant. RANGES follow the usual rule: R on
 * an E row with right-hand side b gives [b, b + R] or, for negative R, [b + R, b]. An upper bound
 * below 0 on a variable with lower bound 0 removes that lower bound. Of several RHS, RANGES or
 * BOUNDS sets the first is used. The first N row is the objective, the others are rows without
 * sides. Every section comes once: ROWS, then COLUMNS, then RHS, RANGES and BOUNDS in any order;
 * OBJSENSE may stand anywhere between them. A column between markers that no bound names is binary,
 * as in other readers; its first bound starts from [0, infinity). */
#include "base/array.h"
#include "base/c_locale.h"
#include "lp/sparse.h"
#include "lp/tol.h"
#include "model/lp_names.h"
#include <assert.h>
#include <math.h>

#define MAX_FIELDS 6u
#define OBJECTIVE  UINT32_MAX /* number of the row that is the objective */

typedef enum section { NO_SECTION, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA } section;

typedef struct field {
  const char *text;
  size_t length, column; /* column counts from 1 */
} field;

/* A row before it is known what its bounds are. */
typedef struct mps_row {
  char kind; /* N, L, G, E */
  bool has_range;
  double rhs, range;
  uint32_t number;      /* in the model, or OBJECTIVE */
  uint32_t last_column; /* the one that last had an entry here, + 1 */
} mps_row;

typedef struct reader {
  irl_env *env;
  const char *path;
  irl_lp_names *model;
  bool is_fixed;
  section now;
  bool has_begun[ENDATA + 1];
  size_t line;
  field fields[MAX_FIELDS];
  size_t n_fields;
  irl_hash_index row_index, column_index;
  struct {
    IRL_ARRAY(const char *)
  } names; /* of all rows, with the objective */
  struct {
    IRL_ARRAY(mps_row)
  } rows;
  bool has_objective, is_in_integers, has_column;
  field column_name; /* of the column that is being read, in the file's bytes */
  bool column_is_integer;
  irl_lp_lists entries; /* of that column, not closed */
  double cost;
  size_t *bound_line;          /* by column: where BOUNDS has named it last; 0: nowhere */
  const char *set[ENDATA + 1]; /* name of the set in use, by section */
  size_t set_length[ENDATA + 1];
} reader;

/* A sentence with file, line and column, and the field quoted behind it. */
static irl_status bad(reader *r, const char *what, const field *f) {
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s '%.*s'", r->path, r->line,
                  f->column, what, (int)(f->length < 100 ? f->length : 100), f->text);
}

static irl_status bad_line(reader *r, size_t column, const char *what) {
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s", r->path, r->line, column, what);
}

static irl_status bad_count(reader *r) {
  return bad_line(r, 1, "this line has too few or too many fields for its section");
}

static bool equals(const field *f, const char *text) {
  return f->length == strlen(text) && irl_c_equal_ignoring_case(f->text, text, f->length);
}

static irl_status parse_number(reader *r, const field *f, double *value) {
  char text[64], *end;
  if (f->length == 0 || f->length >= sizeof text) return bad(r, "not a number:", f);
  memcpy(text, f->text, f->length);
  text[f->length] = '\0';
  for (char *c = text; *c; c++)
    if (*c == 'd' || *c == 'D') *c = 'e';
  *value = irl_c_strtod(text, &end);
  const char first = text[text[0] == '-' || text[0] == '+'];
  const bool is_word = irl_c_is_letter(first) && irl_c_lower(first) != 'i';
  return *end || isnan(*value) || is_word ? bad(r, "not a number:", f) : IRL_STATUS_OK;
}

/* A row's name in f[0] and a finite number for it in f[1]. */
static irl_status read_pair(reader *r, const field *f, mps_row **row, double *value) {
  const uint32_t i = irl_lp_index_find(&r->row_index, r->names.items, f[0].text, f[0].length);
  if (i == UINT32_MAX) return bad(r, "there is no row", &f[0]);
  *row = &r->rows.items[i];
  const irl_status status = parse_number(r, &f[1], value);
  return status || isfinite(*value) ? status : bad(r, "not a finite number:", &f[1]);
}

static uint32_t find_column(const reader *r, const field *f) {
  return irl_lp_index_find(&r->column_index, r->model->column_names, f->text, f->length);
}

/* ---- what the lines of each section say ---- */

static irl_status read_sense(reader *r, const field *f) {
  if (equals(f, "MAX") || equals(f, "MAXIMIZE") || equals(f, "MAXIMISE"))
    r->model->is_maximised = true;
  else if (!equals(f, "MIN") && !equals(f, "MINIMIZE") && !equals(f, "MINIMISE"))
    return bad(r, "the sense is MAX or MIN, not", f);
  return IRL_STATUS_OK;
}

/* kind name. */
static irl_status read_row(reader *r, const field *f) {
  if (r->n_fields != 2) return bad_count(r);
  const field *name = &f[1];
  const char *letters = "nlge", *found = memchr(letters, irl_c_lower(f->text[0]), 4);
  if (f->length != 1 || !found) return bad(r, "a row is N, L, G or E, not", f);
  if (irl_lp_index_find(&r->row_index, r->names.items, name->text, name->length) != UINT32_MAX)
    return bad(r, "second row of the name", name);
  const irl_allocator *a = &r->env->allocator;
  const char *copy = irl_arena_copy_text(&r->model->arena, name->text, name->length);
  mps_row row = {.kind = "NLGE"[found - letters], .number = irl_lp_n_rows(r->model->lp)};
  if (row.kind == 'N' && !r->has_objective) row.number = OBJECTIVE;
  if (!copy || !irl_array_push(a, &r->rows, row) || !irl_array_push(a, &r->names, copy) ||
      !irl_lp_index_add(&r->row_index, r->names.items, (uint32_t)r->rows.n - 1))
    return irl_fail_memory(r->env);
  assert(r->rows.n == r->names.n);
  if (row.number == OBJECTIVE) {
    r->model->objective = copy;
    r->has_objective = true;
    return IRL_STATUS_OK;
  }
  const irl_status status = irl_lp_name_row(r->model, name->text, name->length);
  return status ? status : irl_lp_add_row(r->model->lp, 0, 0, NULL);
}

/* Adds the column that has been read to the model. */
static irl_status end_column(reader *r) {
  if (!r->has_column) return IRL_STATUS_OK;
  const field *name = &r->column_name;
  const irl_lp_terms terms = {(uint32_t)r->entries.used, r->entries.index, r->entries.value};
  irl_status status = irl_lp_name_column(r->model, name->text, name->length, r->column_is_integer);
  if (!status)
    status =
        irl_lp_add_column(r->model->lp, r->cost, 0, r->column_is_integer ? 1 : INFINITY, &terms);
  if (status) return status;
  r->has_column = false;
  const uint32_t last = irl_lp_n_columns(r->model->lp) - 1;
  return irl_lp_index_add(&r->column_index, r->model->column_names, last) ? IRL_STATUS_OK
                                                                          : irl_fail_memory(r->env);
}

/* column row value [row value], or a marker. */
static irl_status read_column(reader *r, const field *f) {
  if (r->n_fields >= 3 && equals(&f[1], "'MARKER'")) {
    const field *kind = &f[r->n_fields - 1];
    r->is_in_integers = equals(kind, "'INTORG'");
    return r->is_in_integers || equals(kind, "'INTEND'") ? IRL_STATUS_OK
                                                         : bad(r, "unknown marker", kind);
  }
  if (r->n_fields != 3 && r->n_fields != 5) return bad_count(r);
  if (!r->has_column || f->length != r->column_name.length ||
      memcmp(f->text, r->column_name.text, f->length) != 0) {
    const irl_status status = end_column(r);
    if (status) return status;
    if (find_column(r, f) != UINT32_MAX)
      return bad(r, "the entries of a column must stand together; again", f);
    r->has_column = true;
    r->column_name = *f;
    r->column_is_integer = r->is_in_integers;
    r->entries.used = 0;
    r->cost = 0;
  }
  const irl_allocator *a = &r->env->allocator;
  const uint32_t mark = irl_lp_n_columns(r->model->lp) + 1;
  for (size_t k = 1; k < r->n_fields; k += 2) {
    mps_row *row;
    double value;
    const irl_status status = read_pair(r, &f[k], &row, &value);
    if (status) return status;
    if (fabs(value) >= IRL_LP_INFINITY) return bad(r, "no coefficient is beyond 1e20:", &f[k + 1]);
    if (row->last_column == mark) return bad(r, "second entry of this column in row", &f[k]);
    row->last_column = mark;
    if (row->number == OBJECTIVE)
      r->cost = value;
    else if (!irl_lp_lists_push(a, &r->entries, row->number, value))
      return irl_fail_memory(r->env);
  }
  return IRL_STATUS_OK;
}

/* Is this line of the set that the section uses? */
static bool is_in_set(reader *r, const field *name) {
  const char *text = name ? name->text : "";
  const size_t length = name ? name->length : 0;
  if (!r->set[r->now]) {
    r->set[r->now] = text;
    r->set_length[r->now] = length;
  }
  return r->set_length[r->now] == length && !memcmp(r->set[r->now], text, length);
}

/* RHS and RANGES: [set] row value [row value]. */
static irl_status read_sides(reader *r, const field *f) {
  const size_t first = r->is_fixed || r->n_fields % 2;
  if (r->n_fields < 2 || r->n_fields > 5 || (r->n_fields - first) % 2) return bad_count(r);
  if (!is_in_set(r, first ? &f[0] : NULL)) return IRL_STATUS_OK;
  for (size_t k = first; k < r->n_fields; k += 2) {
    mps_row *row;
    double value;
    const irl_status status = read_pair(r, &f[k], &row, &value);
    if (status) return status;
    /* No row can be beyond, or equal to, a side as large as an infinite bound. */
    const bool is_low = row->kind == 'G' || row->kind == 'E';
    const bool is_high = row->kind == 'L' || row->kind == 'E';
    if (r->now == RANGES) {
      row->has_range = true;
      row->range = value;
    } else if ((is_low && value >= IRL_LP_INFINITY) || (is_high && value <= -IRL_LP_INFINITY)) {
      return bad(r, "no row has a value beyond 1e20:", &f[k + 1]);
    } else {
      row->rhs = value;
    }
  }
  return IRL_STATUS_OK;
}

/* Types of bounds: which sides the value of the line sets, or what they become without one. */
static const struct bound_kind {
  const char *name;
  bool sets_lower, sets_upper, makes_integer;
  double lower, upper; /* NAN: stays */
} bound_kinds[] = {{"UP", false, true, false, NAN, NAN},
                   {"UI", false, true, true, NAN, NAN},
                   {"LO", true, false, false, NAN, NAN},
                   {"LI", true, false, true, NAN, NAN},
                   {"FX", true, true, false, NAN, NAN},
                   {"BV", false, false, true, 0, 1},
                   {"FR", false, false, false, -INFINITY, INFINITY},
                   {"MI", false, false, false, -INFINITY, NAN},
                   {"PL", false, false, false, NAN, INFINITY}};

/* type [set] column [value]. */
static irl_status read_bound(reader *r, const field *f) {
  const struct bound_kind *kind = NULL;
  for (size_t k = 0; k < sizeof bound_kinds / sizeof *bound_kinds; k++)
    if (equals(f, bound_kinds[k].name)) kind = &bound_kinds[k];
  if (r->n_fields < 2 || r->n_fields > 4) return bad_count(r);
  const bool wants_value = !kind || kind->sets_lower || kind->sets_upper;
  size_t at = 2;
  if (!r->is_fixed &&
      (wants_value ? r->n_fields == 3
                   : r->n_fields == 2 || (r->n_fields == 3 && find_column(r, &f[2]) == UINT32_MAX)))
    at = 1;
  if (r->n_fields <= at || (wants_value && r->n_fields != at + 2)) return bad_count(r);
  const uint32_t j = find_column(r, &f[at]);
  if (j == UINT32_MAX) return bad(r, "there is no column", &f[at]);
  if (!is_in_set(r, at == 2 ? &f[1] : NULL)) return IRL_STATUS_OK;
  double value = 0, lower, upper;
  const irl_status status = wants_value ? parse_number(r, &f[at + 1], &value) : IRL_STATUS_OK;
  if (status) return status;
  if (!kind) return bad(r, "unknown or unsupported bound type", f);
  irl_lp_bounds(r->model->lp, j, &lower, &upper);
  bool *is_integer = &r->model->is_integer[j];
  if (!r->bound_line[j] && *is_integer) upper = INFINITY;
  r->bound_line[j] = r->line;
  if (kind->sets_upper && !kind->sets_lower && value < 0 && lower == 0) lower = -INFINITY;
  if (!isnan(kind->lower) || kind->sets_lower) lower = kind->sets_lower ? value : kind->lower;
  if (!isnan(kind->upper) || kind->sets_upper) upper = kind->sets_upper ? value : kind->upper;
  if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
    return bad(r, "no column has a value beyond 1e20, as this bound asks:", f);
  r->model->n_integer += kind->makes_integer && !*is_integer;
  *is_integer |= kind->makes_integer;
  irl_lp_set_bounds(r->model->lp, j, lower, upper);
  return IRL_STATUS_OK;
}

/* ---- lines ---- */

/* The sections, what reads their lines, and the one that each of them needs before it. Rows and
 * columns are complete once their section ends, so none comes twice. */
static const struct {
  const char *name;
  irl_status (*read)(reader *r, const field *f);
  section needs;
} sections[] = {
    [NO_SECTION] = {"", NULL, NO_SECTION},      [OBJSENSE] = {"OBJSENSE", read_sense, NO_SECTION},
    [ROWS] = {"ROWS", read_row, NO_SECTION},    [COLUMNS] = {"COLUMNS", read_column, ROWS},
    [RHS] = {"RHS", read_sides, COLUMNS},       [RANGES] = {"RANGES", read_sides, COLUMNS},
    [BOUNDS] = {"BOUNDS", read_bound, COLUMNS}, [ENDATA] = {"ENDATA", NULL, NO_SECTION}};

static irl_status read_header(reader *r) {
  const field *f = &r->fields[0];
  if (equals(f, "NAME")) {
    if (r->has_begun[ROWS] || *r->model->name)
      return bad_line(r, f->column, "the name comes twice or after ROWS");
    if (r->n_fields > 1)
      r->model->name = irl_arena_copy_text(&r->model->arena, f[1].text, f[1].length);
    return r->model->name ? IRL_STATUS_OK : irl_fail_memory(r->env);
  }
  section begun = NO_SECTION;
  for (section k = OBJSENSE; k <= ENDATA; k++)
    if (equals(f, sections[k].name)) begun = k;
  if (begun == NO_SECTION) return bad(r, "unknown or unsupported section", f);
  const irl_status status = r->now == COLUMNS ? end_column(r) : IRL_STATUS_OK;
  const section needs = sections[begun].needs;
  if (status) return status;
  if (r->has_begun[begun]) return bad(r, "this section comes twice:", f);
  if (needs != NO_SECTION && !r->has_begun[needs])
    return bad(r,
               needs == ROWS ? "ROWS must come before the section"
                             : "COLUMNS must come before the section",
               f);
  r->has_begun[begun] = true;
  r->now = begun;
  if (begun == OBJSENSE && r->n_fields > 1) return read_sense(r, &f[1]);
  if (begun != BOUNDS) return IRL_STATUS_OK;
  assert(!r->bound_line);
  r->bound_line =
      irl_mem_alloc(&r->env->allocator, irl_lp_n_columns(r->model->lp), sizeof *r->bound_line);
  return r->bound_line ? IRL_STATUS_OK : irl_fail_memory(r->env);
}

static irl_status read_line(reader *r, const char *line, size_t length) {
  static const size_t starts[] = {1, 4, 14, 24, 39, 49}, ends[] = {3, 12, 22, 36, 47, 61};
  while (length > 0 && irl_c_is_space(line[length - 1])) length--;
  if (length == 0 || line[0] == '*') return IRL_STATUS_OK;
  if (memchr(line, '\0', length)) return bad_line(r, 1, "this is not a text file");
  const bool is_header = !irl_c_is_space(line[0]);
  const bool is_fixed = r->is_fixed && !is_header && r->now != OBJSENSE;
  r->n_fields = 0;
  /* Fields by columns; the first (the type) is left out where the section has none. */
  for (size_t k = r->now == ROWS || r->now == BOUNDS ? 0 : 1;
       is_fixed && k < MAX_FIELDS && starts[k] < length; k++) {
    size_t from = starts[k], to = ends[k] < length ? ends[k] : length;
    while (from < to && irl_c_is_space(line[from])) from++;
    while (to > from && irl_c_is_space(line[to - 1])) to--;
    r->fields[r->n_fields++] = (field){line + from, to - from, from + 1};
  }
  while (r->n_fields > 0 && !r->fields[r->n_fields - 1].length) r->n_fields--;
  /* Words of the line. */
  for (size_t to = 0, from; !is_fixed && to < length;) {
    for (from = to; irl_c_is_space(line[from]); from++) continue;
    for (to = from; to < length && !irl_c_is_space(line[to]); to++) continue;
    if (r->n_fields == MAX_FIELDS && is_header) break; /* a title of many words */
    if (r->n_fields == MAX_FIELDS) return bad_line(r, from + 1, "too many words in this line");
    r->fields[r->n_fields++] = (field){line + from, to - from, from + 1};
  }
  if (!r->n_fields) return IRL_STATUS_OK;
  if (is_header) return read_header(r);
  if (r->now == NO_SECTION)
    return bad_line(r, r->fields[0].column, "data before the first section");
  return sections[r->now].read(r, r->fields);
}

static irl_status read_all(reader *r, const irl_file *file) {
  irl_status status = IRL_STATUS_OK;
  size_t next = 0;
  double constant = 0;
  for (size_t at = 0; at < file->size && r->now != ENDATA && !status;) {
    if (irl_reading_limit_reached_at(r->env, &next, at)) return irl_reading_fail(r->env, r->path);
    const char *line = file->bytes + at;
    const char *end = memchr(line, '\n', file->size - at);
    const size_t length = end ? (size_t)(end - line) : file->size - at;
    r->line++;
    status = read_line(r, line, length);
    at += length + 1;
  }
  if (!status && r->now != ENDATA) status = bad_line(r, 1, "the file ends without ENDATA");
  if (status) return status;
  /* The sides of the rows from their kinds, right-hand sides and ranges. */
  for (size_t k = 0; k < r->rows.n; k++) {
    const mps_row *row = &r->rows.items[k];
    double lower = row->kind == 'G' || row->kind == 'E' ? row->rhs : -INFINITY;
    double upper = row->kind == 'L' || row->kind == 'E' ? row->rhs : INFINITY;
    if (row->number == OBJECTIVE) {
      constant = row->rhs == 0 ? 0 : -row->rhs;
      continue;
    }
    if (row->has_range && row->kind == 'L') lower = row->rhs - fabs(row->range);
    if (row->has_range && row->kind == 'G') upper = row->rhs + fabs(row->range);
    if (row->has_range && row->kind == 'E' && row->range < 0) lower += row->range;
    if (row->has_range && row->kind == 'E' && row->range > 0) upper += row->range;
    if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
      return bad_line(r, 1, "a side and its range ask a row for a value beyond 1e20");
    irl_lp_set_row_bounds(r->model->lp, row->number, lower, upper);
  }
  irl_lp_names_set_sense(r->model, constant);
  return irl_lp_names_check(r->env, r->path, r->model, r->bound_line);
}

static irl_status read_as(irl_env *env, const char *path, const irl_file *file, bool is_fixed,
                          irl_lp_names *model, size_t *line) {
  const irl_allocator *a = &env->allocator;
  reader r = {.env = env, .path = path, .model = model, .is_fixed = is_fixed};
  irl_status status = irl_lp_names_init(env, model);
  if (status) return status;
  irl_hash_index_init(&r.row_index, a);
  irl_hash_index_init(&r.column_index, a);
  status = read_all(&r, file);
  *line = r.line;
  irl_hash_index_free(&r.row_index);
  irl_hash_index_free(&r.column_index);
  irl_array_free(a, &r.names);
  irl_array_free(a, &r.rows);
  irl_lp_lists_free(a, &r.entries);
  irl_mem_free(a, r.bound_line);
  if (status) irl_lp_names_free(model);
  return status;
}

irl_status irl_lp_parse_mps(irl_env *env, const char *path, const irl_file *file,
                            irl_lp_names *model) {
  char error[IRL_ERROR_SIZE];
  size_t line, other;
  irl_status status = read_as(env, path, file, false, model, &line);
  if (status != IRL_STATUS_BAD_INPUT) return status;
  memcpy(error, env->error, sizeof error);
  status = read_as(env, path, file, true, model, &other);
  if (status == IRL_STATUS_BAD_INPUT && other <= line) memcpy(env->error, error, sizeof error);
  return status;
}
