/* What the lines of each section of an MPS file say; `mps_read.c` says which rules they follow. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "lp/tol.h"
#include "model/mps_work.h"
#include <math.h>

static irl_status parse_number(irl_mps_reader *r, const irl_mps_field *f, double *value) {
  char text[64], *end;
  if (f->length == 0 || f->length >= sizeof text)
    return irl_mps_bad(r, f->column, "not a number:", f);
  memcpy(text, f->text, f->length);
  text[f->length] = '\0';
  for (char *c = text; *c; c++)
    if (*c == 'd' || *c == 'D') *c = 'e';
  *value = irl_c_strtod(text, &end);
  const char first = text[text[0] == '-' || text[0] == '+'];
  const bool is_word = irl_c_is_letter(first) && irl_c_lower(first) != 'i';
  if (*end || isnan(*value) || is_word) return irl_mps_bad(r, f->column, "not a number:", f);
  return IRL_OK;
}

irl_status irl_mps_add_row(irl_mps_reader *r, const irl_mps_field *kind,
                           const irl_mps_field *name) {
  const char *letters = "nlge", *found = memchr(letters, irl_c_lower(kind->text[0]), 4);
  if (kind->length != 1 || !found)
    return irl_mps_bad(r, kind->column, "a row is N, L, G or E, not", kind);
  if (irl_lp_index_find(&r->row_index, r->all_rows, name->text, name->length) != UINT32_MAX)
    return irl_mps_bad(r, name->column, "second row of the name", name);
  const irl_allocator *a = &r->env->allocator;
  const char *copy = irl_arena_copy_text(&r->model->arena, name->text, name->length);
  if (!copy || !irl_mem_reserve(a, &r->rows, &r->rows_capacity, r->n_rows, sizeof *r->rows) ||
      !irl_mem_reserve(a, &r->all_rows, &r->names_capacity, r->n_rows, sizeof *r->all_rows))
    return irl_fail_memory(r->env);
  const char letter = "NLGE"[found - letters];
  irl_mps_row row = {.kind = letter, .number = irl_lp_n_rows(r->model->lp)};
  if (letter == 'N' && !r->has_objective) {
    row.number = IRL_MPS_OBJECTIVE;
    r->model->objective = copy;
    r->has_objective = true;
  }
  r->all_rows[r->n_rows] = copy;
  r->rows[r->n_rows] = row;
  if (!irl_lp_index_add(&r->row_index, r->all_rows, (uint32_t)r->n_rows))
    return irl_fail_memory(r->env);
  r->n_rows++;
  if (row.number == IRL_MPS_OBJECTIVE) return IRL_OK;
  const irl_status status = irl_lp_name_row(r->model, name->text, name->length);
  return status ? status : irl_lp_add_row(r->model->lp, 0, 0, NULL);
}

irl_status irl_mps_end_column(irl_mps_reader *r) {
  if (!r->has_column) return IRL_OK;
  const irl_mps_field *name = &r->column_name;
  irl_status status = irl_lp_name_column(r->model, name->text, name->length, r->column_is_integer);
  if (!status)
    status =
        irl_lp_add_column(r->model->lp, r->cost, 0, r->column_is_integer ? 1 : INFINITY,
                          &(irl_lp_terms){(uint32_t)r->n_entries, r->entry_rows, r->entry_values});
  if (status) return status;
  r->has_column = false;
  if (!irl_lp_index_add(&r->column_index, r->model->column_names,
                        irl_lp_n_columns(r->model->lp) - 1))
    return irl_fail_memory(r->env);
  return IRL_OK;
}

static irl_status begin_column(irl_mps_reader *r, const irl_mps_field *name) {
  if (r->has_column && name->length == r->column_name.length &&
      !memcmp(name->text, r->column_name.text, name->length))
    return IRL_OK;
  const irl_status status = irl_mps_end_column(r);
  if (status) return status;
  if (irl_lp_index_find(&r->column_index, r->model->column_names, name->text, name->length) !=
      UINT32_MAX)
    return irl_mps_bad(r, name->column, "the entries of a column must stand together; again", name);
  r->has_column = true;
  r->column_name = *name;
  r->column_is_integer = r->is_in_integers;
  r->n_entries = 0;
  r->cost = 0;
  return IRL_OK;
}

/* A row and a finite number for it. */
static irl_status read_pair(irl_mps_reader *r, const irl_mps_field *name,
                            const irl_mps_field *number, uint32_t *row, double *value) {
  *row = irl_lp_index_find(&r->row_index, r->all_rows, name->text, name->length);
  if (*row == UINT32_MAX) return irl_mps_bad(r, name->column, "there is no row", name);
  irl_status status = parse_number(r, number, value);
  if (!status && !isfinite(*value))
    status = irl_mps_bad(r, number->column, "not a finite number:", number);
  return status;
}

static irl_status add_entry(irl_mps_reader *r, const irl_mps_field *name,
                            const irl_mps_field *number) {
  uint32_t row;
  double value;
  const irl_status status = read_pair(r, name, number, &row, &value);
  if (status) return status;
  if (fabs(value) >= IRL_LP_INFINITY)
    return irl_mps_bad(r, number->column, "no coefficient is beyond 1e20:", number);
  const uint32_t mark = irl_lp_n_columns(r->model->lp) + 1;
  if (r->rows[row].last_column == mark)
    return irl_mps_bad(r, name->column, "second entry of this column in row", name);
  r->rows[row].last_column = mark;
  if (r->rows[row].number == IRL_MPS_OBJECTIVE) {
    r->cost = value;
    return IRL_OK;
  }
  const irl_allocator *a = &r->env->allocator;
  if (!irl_mem_reserve(a, &r->entry_rows, &r->entry_rows_capacity, r->n_entries,
                       sizeof *r->entry_rows) ||
      !irl_mem_reserve(a, &r->entry_values, &r->entry_values_capacity, r->n_entries,
                       sizeof *r->entry_values))
    return irl_fail_memory(r->env);
  r->entry_rows[r->n_entries] = r->rows[row].number;
  r->entry_values[r->n_entries++] = value;
  return IRL_OK;
}

irl_status irl_mps_bad_count(irl_mps_reader *r) {
  return irl_mps_bad(r, 1, "this line has too few or too many fields for its section", NULL);
}

irl_status irl_mps_read_column(irl_mps_reader *r) {
  const irl_mps_field *f = r->fields;
  if (r->n_fields >= 3 && irl_mps_equals(&f[1], "'MARKER'")) {
    const irl_mps_field *kind = &f[r->n_fields - 1];
    const bool starts = irl_mps_equals(kind, "'INTORG'");
    if (!starts && !irl_mps_equals(kind, "'INTEND'"))
      return irl_mps_bad(r, kind->column, "unknown marker", kind);
    r->is_in_integers = starts;
    return IRL_OK;
  }
  if (r->n_fields != 3 && r->n_fields != 5) return irl_mps_bad_count(r);
  irl_status status = begin_column(r, &f[0]);
  if (!status) status = add_entry(r, &f[1], &f[2]);
  if (!status && r->n_fields == 5) status = add_entry(r, &f[3], &f[4]);
  return status;
}

/* Is this line of the set that the section uses? */
static bool is_in_set(irl_mps_reader *r, const irl_mps_field *name) {
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

static irl_status set_side(irl_mps_reader *r, const irl_mps_field *name,
                           const irl_mps_field *number) {
  uint32_t row;
  double value;
  const irl_status status = read_pair(r, name, number, &row, &value);
  if (status) return status;
  if (r->now != RANGES && is_out_of_reach(r->rows[row].kind, value))
    return irl_mps_bad(r, number->column, "no row has a value beyond 1e20:", number);
  if (r->now == RANGES) {
    r->rows[row].has_range = true;
    r->rows[row].range = value;
  } else {
    r->rows[row].rhs = value;
  }
  return IRL_OK;
}

/* RHS and RANGES: [set] row value [row value]. */
irl_status irl_mps_read_sides(irl_mps_reader *r) {
  const irl_mps_field *f = r->fields;
  if (r->n_fields < 2 || r->n_fields > 5) return irl_mps_bad_count(r);
  const size_t first = r->is_fixed || r->n_fields % 2;
  if ((r->n_fields - first) % 2) return irl_mps_bad_count(r);
  if (!is_in_set(r, first ? &f[0] : NULL)) return IRL_OK;
  irl_status status = set_side(r, &f[first], &f[first + 1]);
  if (!status && r->n_fields == first + 4) status = set_side(r, &f[first + 2], &f[first + 3]);
  return status;
}

static bool needs_value(const irl_mps_field *kind) {
  return !irl_mps_equals(kind, "FR") && !irl_mps_equals(kind, "MI") &&
         !irl_mps_equals(kind, "PL") && !irl_mps_equals(kind, "BV");
}

static irl_status set_bound(irl_mps_reader *r, const irl_mps_field *kind, uint32_t j,
                            double value) {
  irl_lp *lp = r->model->lp;
  double lower, upper;
  bool makes_integer = false;
  irl_lp_bounds(lp, j, &lower, &upper);
  if (!r->is_bounded[j] && r->model->is_integer[j]) upper = INFINITY;
  r->is_bounded[j] = true;
  if (irl_mps_equals(kind, "UP") || irl_mps_equals(kind, "UI")) {
    upper = value;
    if (value < 0 && lower == 0) lower = -INFINITY;
    makes_integer = irl_mps_equals(kind, "UI");
  } else if (irl_mps_equals(kind, "LO") || irl_mps_equals(kind, "LI")) {
    lower = value;
    makes_integer = irl_mps_equals(kind, "LI");
  } else if (irl_mps_equals(kind, "FX")) {
    lower = upper = value;
  } else if (irl_mps_equals(kind, "FR")) {
    lower = -INFINITY;
    upper = INFINITY;
  } else if (irl_mps_equals(kind, "MI")) {
    lower = -INFINITY;
  } else if (irl_mps_equals(kind, "PL")) {
    upper = INFINITY;
  } else if (irl_mps_equals(kind, "BV")) {
    lower = 0;
    upper = 1;
    makes_integer = true;
  } else {
    return irl_mps_bad(r, kind->column, "unknown or unsupported bound type", kind);
  }
  if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
    return irl_mps_bad(r, kind->column,
                       "no column has a value beyond 1e20, as this bound asks:", kind);
  if (makes_integer && !r->model->is_integer[j]) {
    r->model->is_integer[j] = true;
    r->model->n_integer++;
  }
  irl_lp_set_bounds(lp, j, lower, upper);
  return IRL_OK;
}

static uint32_t find_column(const irl_mps_reader *r, const irl_mps_field *f) {
  return irl_lp_index_find(&r->column_index, r->model->column_names, f->text, f->length);
}

/* type [set] column [value]. */
irl_status irl_mps_read_bound(irl_mps_reader *r) {
  const irl_mps_field *f = r->fields;
  if (r->n_fields < 2 || r->n_fields > 4) return irl_mps_bad_count(r);
  const bool wants_value = needs_value(&f[0]);
  size_t at = 2;
  if (!r->is_fixed &&
      (wants_value ? r->n_fields == 3
                   : r->n_fields == 2 || (r->n_fields == 3 && find_column(r, &f[2]) == UINT32_MAX)))
    at = 1;
  if (r->n_fields <= at || (wants_value && r->n_fields != at + 2)) return irl_mps_bad_count(r);
  const uint32_t j = find_column(r, &f[at]);
  if (j == UINT32_MAX) return irl_mps_bad(r, f[at].column, "there is no column", &f[at]);
  if (!is_in_set(r, at == 2 ? &f[1] : NULL)) return IRL_OK;
  double value = 0;
  const irl_status status = wants_value ? parse_number(r, &f[at + 1], &value) : IRL_OK;
  return status ? status : set_bound(r, &f[0], j, value);
}

static void row_sides(const irl_mps_row *row, double *lower, double *upper) {
  const bool has_lower = row->kind == 'G' || row->kind == 'E';
  const bool has_upper = row->kind == 'L' || row->kind == 'E';
  *lower = has_lower ? row->rhs : -INFINITY;
  *upper = has_upper ? row->rhs : INFINITY;
  if (!row->has_range) return;
  if (row->kind == 'L') *lower = row->rhs - fabs(row->range);
  if (row->kind == 'G') *upper = row->rhs + fabs(row->range);
  if (row->kind == 'E' && row->range < 0) *lower += row->range;
  if (row->kind == 'E' && row->range > 0) *upper += row->range;
}

irl_status irl_mps_set_sides(irl_mps_reader *r) {
  for (size_t k = 0; k < r->n_rows; k++) {
    const irl_mps_row *row = &r->rows[k];
    double lower, upper;
    if (row->number == IRL_MPS_OBJECTIVE) {
      r->constant = row->rhs == 0 ? 0 : -row->rhs;
      continue;
    }
    row_sides(row, &lower, &upper);
    if (lower >= IRL_LP_INFINITY || upper <= -IRL_LP_INFINITY)
      return irl_mps_bad(r, 1, "a side and its range ask a row for a value beyond 1e20", NULL);
    irl_lp_set_row_bounds(r->model->lp, row->number, lower, upper);
  }
  return IRL_OK;
}
