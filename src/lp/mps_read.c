/* Reader of MPS files, fixed and free.
 *
 * The whole file is read as free format (fields are words); if that fails it is read again as fixed
 * format (fields by column: 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, so that names may hold spaces).
 * If both fail, the error of the free reading is reported, unless the fixed one got further.
 * A right-hand side on the objective row is minus the constant. RANGES follow the usual rule: R on
 * an E row with right-hand side b gives [b, b + R] or, for negative R, [b + R, b]. An upper bound
 * below 0 on a variable with lower bound 0 removes that lower bound. Of several RHS, RANGES or
 * BOUNDS sets the first is used. Other N rows than the first are dropped. A column between markers
 * that no bound names is binary, as in other readers; its first bound starts from [0, infinity). */
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "lp/named.h"
#include "lp/tol.h"
#include <math.h>

#define MAX_FIELDS 6u
#define DROPPED    (UINT32_MAX - 1) /* an N row that is not the objective */
#define OBJECTIVE  (UINT32_MAX - 2)

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
  uint32_t number; /* in the model, or OBJECTIVE, or DROPPED */
} mps_row;

typedef struct reader {
  irl_env *env;
  const char *path;
  irl_lp_named *model;
  bool is_fixed;
  section now;
  size_t line;
  field fields[MAX_FIELDS];
  size_t n_fields;
  irl_lp_index row_index, column_index;
  const char **all_rows; /* names, with the N rows */
  mps_row *rows;
  size_t n_rows, rows_capacity, names_capacity;
  bool has_objective, is_in_integers, has_column;
  field column_name; /* of the column that is being read, in the file's bytes */
  bool column_is_integer;
  uint32_t *entry_rows;
  double *entry_values, cost;
  size_t n_entries, entry_rows_capacity, entry_values_capacity;
  uint32_t *last_column; /* by row: the column that last had an entry here, + 1 */
  size_t last_capacity;
  double constant;
  bool *is_bounded;        /* by column: BOUNDS has named it */
  const char *set[ENDATA]; /* name of the set in use, by section */
  size_t set_length[ENDATA];
} reader;

static irl_status bad(reader *r, size_t column, const char *what, const field *name) {
  if (!name)
    return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s", r->path, r->line, column, what);
  return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s '%.*s'", r->path, r->line, column, what,
                  (int)(name->length < 100 ? name->length : 100), name->text);
}

static bool equals(const field *f, const char *text) {
  return f->length == strlen(text) && irl_plain_same(f->text, text, f->length);
}

/* Words of the line. */
static irl_status split_free(reader *r, const char *line, size_t length, bool is_header) {
  r->n_fields = 0;
  for (size_t i = 0; i < length;) {
    if (irl_plain_is_space(line[i])) {
      i++;
      continue;
    }
    const size_t start = i;
    while (i < length && !irl_plain_is_space(line[i])) i++;
    if (r->n_fields == MAX_FIELDS && is_header) break; /* a title of many words */
    if (r->n_fields == MAX_FIELDS) return bad(r, start + 1, "too many words in this line", NULL);
    r->fields[r->n_fields++] = (field){line + start, i - start, start + 1};
  }
  return IRL_OK;
}

/* Fields by columns; field 0 (the type) is skipped where it is empty and the section has none. */
static void split_fixed(reader *r, const char *line, size_t length) {
  static const size_t start[] = {1, 4, 14, 24, 39, 49}, end[] = {3, 12, 22, 36, 47, 61};
  const bool has_type = r->now == ROWS || r->now == BOUNDS;
  r->n_fields = 0;
  for (size_t k = has_type ? 0 : 1; k < MAX_FIELDS && start[k] < length; k++) {
    size_t from = start[k], to = end[k] < length ? end[k] : length;
    while (from < to && irl_plain_is_space(line[from])) from++;
    while (to > from && irl_plain_is_space(line[to - 1])) to--;
    r->fields[r->n_fields++] = (field){line + from, to - from, from + 1};
  }
  while (r->n_fields > 0 && !r->fields[r->n_fields - 1].length) r->n_fields--;
}

static irl_status parse_number(reader *r, const field *f, double *value) {
  char text[64], *end;
  if (f->length == 0 || f->length >= sizeof text) return bad(r, f->column, "not a number:", f);
  memcpy(text, f->text, f->length);
  text[f->length] = '\0';
  for (char *c = text; *c; c++)
    if (*c == 'd' || *c == 'D') *c = 'e';
  *value = irl_plain_strtod(text, &end);
  const char first = text[text[0] == '-' || text[0] == '+'];
  const bool is_word = irl_plain_is_letter(first) && irl_plain_lower(first) != 'i';
  if (*end || isnan(*value) || is_word) return bad(r, f->column, "not a number:", f);
  return IRL_OK;
}

static irl_status add_row(reader *r, const field *kind, const field *name) {
  const char *letters = "nlge", *found = memchr(letters, irl_plain_lower(kind->text[0]), 4);
  if (kind->length != 1 || !found) return bad(r, kind->column, "a row is N, L, G or E, not", kind);
  if (irl_lp_index_find(&r->row_index, r->all_rows, name->text, name->length) != UINT32_MAX)
    return bad(r, name->column, "second row of the name", name);
  const irl_allocator *a = &r->env->allocator;
  const char *copy = irl_arena_copy_text(&r->model->arena, name->text, name->length);
  if (!copy ||
      !irl_mem_reserve(a, (void **)&r->rows, &r->rows_capacity, r->n_rows, sizeof *r->rows) ||
      !irl_mem_reserve(a, (void **)&r->all_rows, &r->names_capacity, r->n_rows,
                       sizeof *r->all_rows) ||
      !irl_mem_reserve(a, (void **)&r->last_column, &r->last_capacity, r->n_rows,
                       sizeof *r->last_column))
    return irl_fail_memory(r->env);
  const char letter = "NLGE"[found - letters];
  mps_row row = {.kind = letter, .number = irl_lp_n_rows(r->model->lp)};
  if (letter == 'N') {
    row.number = r->has_objective ? DROPPED : OBJECTIVE;
    if (!r->has_objective) r->model->objective = copy;
    r->has_objective = true;
  }
  r->all_rows[r->n_rows] = copy;
  r->rows[r->n_rows] = row;
  r->last_column[r->n_rows] = 0;
  if (!irl_lp_index_add(&r->row_index, r->all_rows, (uint32_t)r->n_rows))
    return irl_fail_memory(r->env);
  r->n_rows++;
  if (letter == 'N') return IRL_OK;
  const irl_status status = irl_lp_name_row(r->model, name->text, name->length);
  return status ? status : irl_lp_add_row(r->model->lp, 0, 0, 0, NULL, NULL, NULL);
}

static irl_status flush_column(reader *r) {
  if (!r->has_column) return IRL_OK;
  const field *name = &r->column_name;
  irl_status status = irl_lp_name_column(r->model, name->text, name->length, r->column_is_integer);
  if (!status)
    status = irl_lp_add_column(r->model->lp, r->cost, 0, r->column_is_integer ? 1 : INFINITY,
                               (uint32_t)r->n_entries, r->entry_rows, r->entry_values, NULL);
  if (status) return status;
  r->has_column = false;
  if (!irl_lp_index_add(&r->column_index, r->model->column_names,
                        irl_lp_n_columns(r->model->lp) - 1))
    return irl_fail_memory(r->env);
  return IRL_OK;
}

static irl_status begin_column(reader *r, const field *name) {
  if (r->has_column && name->length == r->column_name.length &&
      !memcmp(name->text, r->column_name.text, name->length))
    return IRL_OK;
  const irl_status status = flush_column(r);
  if (status) return status;
  if (irl_lp_index_find(&r->column_index, r->model->column_names, name->text, name->length) !=
      UINT32_MAX)
    return bad(r, name->column, "the entries of a column must stand together; again", name);
  r->has_column = true;
  r->column_name = *name;
  r->column_is_integer = r->is_in_integers;
  r->n_entries = 0;
  r->cost = 0;
  return IRL_OK;
}

static irl_status find_row(reader *r, const field *name, uint32_t *row) {
  *row = irl_lp_index_find(&r->row_index, r->all_rows, name->text, name->length);
  return *row == UINT32_MAX ? bad(r, name->column, "there is no row", name) : IRL_OK;
}

static irl_status add_entry(reader *r, const field *name, const field *number) {
  uint32_t row;
  double value;
  irl_status status = find_row(r, name, &row);
  if (!status) status = parse_number(r, number, &value);
  if (status) return status;
  if (!isfinite(value)) return bad(r, number->column, "not a finite number:", number);
  const uint32_t mark = irl_lp_n_columns(r->model->lp) + 1;
  if (r->last_column[row] == mark)
    return bad(r, name->column, "second entry of this column in row", name);
  r->last_column[row] = mark;
  if (r->rows[row].number == OBJECTIVE) r->cost = value;
  if (r->rows[row].number >= OBJECTIVE) return IRL_OK;
  const irl_allocator *a = &r->env->allocator;
  if (!irl_mem_reserve(a, (void **)&r->entry_rows, &r->entry_rows_capacity, r->n_entries,
                       sizeof *r->entry_rows) ||
      !irl_mem_reserve(a, (void **)&r->entry_values, &r->entry_values_capacity, r->n_entries,
                       sizeof *r->entry_values))
    return irl_fail_memory(r->env);
  r->entry_rows[r->n_entries] = r->rows[row].number;
  r->entry_values[r->n_entries++] = value;
  return IRL_OK;
}

static irl_status too_few(reader *r) {
  return bad(r, 1, "this line has too few or too many fields for its section", NULL);
}

static irl_status read_column_line(reader *r) {
  const field *f = r->fields;
  if (r->n_fields >= 3 && equals(&f[1], "'MARKER'")) {
    const field *kind = &f[r->n_fields - 1];
    const bool starts = equals(kind, "'INTORG'");
    if (!starts && !equals(kind, "'INTEND'")) return bad(r, kind->column, "unknown marker", kind);
    r->is_in_integers = starts;
    return IRL_OK;
  }
  if (r->n_fields != 3 && r->n_fields != 5) return too_few(r);
  irl_status status = begin_column(r, &f[0]);
  if (!status) status = add_entry(r, &f[1], &f[2]);
  if (!status && r->n_fields == 5) status = add_entry(r, &f[3], &f[4]);
  return status;
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

/* A side as large as an infinite bound that a row is to be beyond, or equal to. */
static bool is_out_of_reach(char kind, double side) {
  return (side >= IRL_LP_INFINITY && (kind == 'G' || kind == 'E')) ||
         (side <= -IRL_LP_INFINITY && (kind == 'L' || kind == 'E'));
}

static irl_status set_side(reader *r, const field *name, const field *number) {
  uint32_t row;
  double value;
  irl_status status = find_row(r, name, &row);
  if (!status) status = parse_number(r, number, &value);
  if (status) return status;
  if (!isfinite(value)) return bad(r, number->column, "not a finite number:", number);
  if (r->now != RANGES && is_out_of_reach(r->rows[row].kind, value))
    return bad(r, number->column, "no row has a value beyond 1e20:", number);
  if (r->now == RANGES) {
    r->rows[row].has_range = true;
    r->rows[row].range = value;
  } else {
    r->rows[row].rhs = value;
  }
  return IRL_OK;
}

/* RHS and RANGES: [set] row value [row value]. */
static irl_status read_side_line(reader *r) {
  const field *f = r->fields;
  if (r->n_fields < 2 || r->n_fields > 5) return too_few(r);
  const size_t first = r->is_fixed || r->n_fields % 2;
  if ((r->n_fields - first) % 2) return too_few(r);
  if (!is_in_set(r, first ? &f[0] : NULL)) return IRL_OK;
  irl_status status = set_side(r, &f[first], &f[first + 1]);
  if (!status && r->n_fields == first + 4) status = set_side(r, &f[first + 2], &f[first + 3]);
  return status;
}

static bool needs_value(const field *kind) {
  return !equals(kind, "FR") && !equals(kind, "MI") && !equals(kind, "PL") && !equals(kind, "BV");
}

static irl_status set_bound(reader *r, const field *kind, uint32_t j, double value) {
  irl_lp *lp = r->model->lp;
  double lower, upper;
  bool makes_integer = false;
  irl_lp_bounds(lp, j, &lower, &upper);
  if (!r->is_bounded[j] && r->model->is_integer[j]) upper = INFINITY;
  r->is_bounded[j] = true;
  if (equals(kind, "UP") || equals(kind, "UI")) {
    upper = value;
    if (value < 0 && lower == 0) lower = -INFINITY;
    makes_integer = equals(kind, "UI");
  } else if (equals(kind, "LO") || equals(kind, "LI")) {
    lower = value;
    makes_integer = equals(kind, "LI");
  } else if (equals(kind, "FX")) {
    lower = upper = value;
  } else if (equals(kind, "FR")) {
    lower = -INFINITY;
    upper = INFINITY;
  } else if (equals(kind, "MI")) {
    lower = -INFINITY;
  } else if (equals(kind, "PL")) {
    upper = INFINITY;
  } else if (equals(kind, "BV")) {
    lower = 0;
    upper = 1;
    makes_integer = true;
  } else {
    return bad(r, kind->column, "unknown or unsupported bound type", kind);
  }
  if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
    return bad(r, kind->column, "no column has a value beyond 1e20, as this bound asks:", kind);
  if (makes_integer && !r->model->is_integer[j]) {
    r->model->is_integer[j] = true;
    r->model->n_integer++;
  }
  irl_lp_set_bounds(lp, j, lower, upper);
  return IRL_OK;
}

static uint32_t find_column(const reader *r, const field *f) {
  return irl_lp_index_find(&r->column_index, r->model->column_names, f->text, f->length);
}

/* type [set] column [value]. */
static irl_status read_bound_line(reader *r) {
  const field *f = r->fields;
  if (r->n_fields < 2 || r->n_fields > 4) return too_few(r);
  const bool wants_value = needs_value(&f[0]);
  size_t at = 2;
  if (!r->is_fixed &&
      (wants_value ? r->n_fields == 3
                   : r->n_fields == 2 || (r->n_fields == 3 && find_column(r, &f[2]) == UINT32_MAX)))
    at = 1;
  if (r->n_fields <= at || (wants_value && r->n_fields != at + 2)) return too_few(r);
  const uint32_t j = find_column(r, &f[at]);
  if (j == UINT32_MAX) return bad(r, f[at].column, "there is no column", &f[at]);
  if (!is_in_set(r, at == 2 ? &f[1] : NULL)) return IRL_OK;
  double value = 0;
  const irl_status status = wants_value ? parse_number(r, &f[at + 1], &value) : IRL_OK;
  return status ? status : set_bound(r, &f[0], j, value);
}

static irl_status set_sense(reader *r, const field *f) {
  if (equals(f, "MAX") || equals(f, "MAXIMIZE") || equals(f, "MAXIMISE"))
    r->model->is_maximised = true;
  else if (!equals(f, "MIN") && !equals(f, "MINIMIZE") && !equals(f, "MINIMISE"))
    return bad(r, f->column, "the sense is MAX or MIN, not", f);
  return IRL_OK;
}

static irl_status read_header(reader *r) {
  static const struct {
    const char *name;
    section section;
  } table[] = {{"OBJSENSE", OBJSENSE}, {"ROWS", ROWS},     {"COLUMNS", COLUMNS}, {"RHS", RHS},
               {"RANGES", RANGES},     {"BOUNDS", BOUNDS}, {"ENDATA", ENDATA}};
  const field *f = &r->fields[0];
  if (equals(f, "NAME")) {
    if (r->n_fields > 1)
      r->model->name =
          irl_arena_copy_text(&r->model->arena, r->fields[1].text, r->fields[1].length);
    return r->model->name ? IRL_OK : irl_fail_memory(r->env);
  }
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (!equals(f, table[k].name)) continue;
    const irl_status status = r->now == COLUMNS ? flush_column(r) : IRL_OK;
    if (status) return status;
    if (table[k].section == r->now ||
        (table[k].section != OBJSENSE && table[k].section < r->now && table[k].section <= COLUMNS))
      return bad(r, f->column, "this section comes twice or too late:", f);
    r->now = table[k].section;
    if (r->now == BOUNDS && !r->is_bounded) {
      r->is_bounded =
          irl_mem_alloc(&r->env->allocator, irl_lp_n_columns(r->model->lp), sizeof(bool));
      if (!r->is_bounded) return irl_fail_memory(r->env);
    }
    return r->now == OBJSENSE && r->n_fields > 1 ? set_sense(r, &r->fields[1]) : IRL_OK;
  }
  return bad(r, f->column, "unknown or unsupported section", f);
}

static irl_status read_data(reader *r) {
  switch (r->now) {
  case NO_SECTION:
    return bad(r, r->fields[0].column, "data before the first section", NULL);
  case OBJSENSE:
    return set_sense(r, &r->fields[0]);
  case ROWS:
    return r->n_fields == 2 ? add_row(r, &r->fields[0], &r->fields[1]) : too_few(r);
  case COLUMNS:
    return read_column_line(r);
  case RHS:
  case RANGES:
    return read_side_line(r);
  case BOUNDS:
    return read_bound_line(r);
  case ENDATA:
    break;
  }
  return IRL_OK;
}

static irl_status read_line(reader *r, const char *line, size_t length) {
  while (length > 0 && irl_plain_is_space(line[length - 1])) length--;
  if (length == 0 || line[0] == '*') return IRL_OK;
  if (memchr(line, '\0', length)) return bad(r, 1, "this is not a text file", NULL);
  const bool is_header = !irl_plain_is_space(line[0]);
  irl_status status = IRL_OK;
  if (is_header || !r->is_fixed || r->now == OBJSENSE)
    status = split_free(r, line, length, is_header);
  else
    split_fixed(r, line, length);
  if (status || !r->n_fields) return status;
  return is_header ? read_header(r) : read_data(r);
}

static irl_status set_row_bounds(reader *r) {
  for (size_t k = 0; k < r->n_rows; k++) {
    const mps_row *row = &r->rows[k];
    double lower = row->kind == 'L' ? -INFINITY : row->rhs;
    double upper = row->kind == 'G' ? INFINITY : row->rhs;
    if (row->number == OBJECTIVE) r->constant = row->rhs == 0 ? 0 : -row->rhs;
    if (row->number >= OBJECTIVE) continue;
    if (row->has_range && row->kind == 'L') lower = row->rhs - fabs(row->range);
    if (row->has_range && row->kind == 'G') upper = row->rhs + fabs(row->range);
    if (row->has_range && row->kind == 'E') {
      if (row->range < 0) lower += row->range;
      if (row->range > 0) upper += row->range;
    }
    if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
      return bad(r, 1, "a side and its range ask a row for a value beyond 1e20", NULL);
    irl_lp_set_row_bounds(r->model->lp, row->number, lower, upper);
  }
  return IRL_OK;
}

static void apply_sense(reader *r) {
  irl_lp *lp = r->model->lp;
  const double sign = r->model->is_maximised ? -1 : 1;
  irl_lp_set_constant(lp, sign * r->constant);
  if (sign < 0)
    for (uint32_t j = 0; j < irl_lp_n_columns(lp); j++) irl_lp_set_cost(lp, j, -irl_lp_cost(lp, j));
}

static irl_status read_all(reader *r, const irl_file *file) {
  irl_status status = IRL_OK;
  for (size_t at = 0; at < file->size && r->now != ENDATA && !status;) {
    const char *line = file->bytes + at;
    const char *end = memchr(line, '\n', file->size - at);
    const size_t length = end ? (size_t)(end - line) : file->size - at;
    r->line++;
    status = read_line(r, line, length);
    at += length + 1;
  }
  if (!status && r->now != ENDATA) status = bad(r, 1, "the file ends without ENDATA", NULL);
  if (!status && !irl_lp_n_columns(r->model->lp) && !r->n_rows)
    status = bad(r, 1, "the model is empty", NULL);
  if (!status) status = set_row_bounds(r);
  if (!status) apply_sense(r);
  return status;
}

static irl_status read_as(irl_env *env, const char *path, const irl_file *file, bool is_fixed,
                          irl_lp_named *model, size_t *line) {
  reader r = {.env = env, .path = path, .model = model, .is_fixed = is_fixed};
  irl_status status = irl_lp_named_init(env, model);
  if (status) return status;
  r.row_index.allocator = r.column_index.allocator = &env->allocator;
  status = read_all(&r, file);
  *line = r.line;
  irl_lp_index_free(&r.row_index);
  irl_lp_index_free(&r.column_index);
  irl_mem_free(&env->allocator, r.all_rows);
  irl_mem_free(&env->allocator, r.rows);
  irl_mem_free(&env->allocator, r.entry_rows);
  irl_mem_free(&env->allocator, r.entry_values);
  irl_mem_free(&env->allocator, r.last_column);
  irl_mem_free(&env->allocator, r.is_bounded);
  if (status) irl_lp_named_free(model);
  return status;
}

irl_status irl_lp_read_mps(irl_env *env, const char *path, irl_lp_named *model) {
  irl_file file;
  irl_lp_named made;
  char error[IRL_ERROR_SIZE];
  size_t line, other;
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  status = read_as(env, path, &file, false, &made, &line);
  if (status == IRL_BAD_INPUT) {
    memcpy(error, env->error, sizeof error);
    status = read_as(env, path, &file, true, &made, &other);
    if (status == IRL_BAD_INPUT && other <= line) memcpy(env->error, error, sizeof error);
  }
  irl_file_close(&file);
  if (!status) *model = made;
  return status;
}
