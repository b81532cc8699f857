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
#include "base/c_locale.h"
#include "base/memory.h"
#include "model/mps_work.h"
#include <assert.h>

irl_status irl_mps_bad(irl_mps_reader *r, size_t column, const char *what,
                       const irl_mps_field *name) {
  if (!name)
    return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s", r->path, r->line, column, what);
  return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s '%.*s'", r->path, r->line, column, what,
                  (int)(name->length < 100 ? name->length : 100), name->text);
}

bool irl_mps_equals(const irl_mps_field *f, const char *text) {
  return f->length == strlen(text) && irl_c_equal_ignoring_case(f->text, text, f->length);
}

/* Words of the line. */
static irl_status split_free(irl_mps_reader *r, const char *line, size_t length, bool is_header) {
  r->n_fields = 0;
  for (size_t i = 0; i < length;) {
    if (irl_c_is_space(line[i])) {
      i++;
      continue;
    }
    const size_t start = i;
    while (i < length && !irl_c_is_space(line[i])) i++;
    if (r->n_fields == IRL_MPS_MAX_FIELDS && is_header) break; /* a title of many words */
    if (r->n_fields == IRL_MPS_MAX_FIELDS)
      return irl_mps_bad(r, start + 1, "too many words in this line", NULL);
    r->fields[r->n_fields++] = (irl_mps_field){line + start, i - start, start + 1};
  }
  return IRL_OK;
}

/* Fields by columns; field 0 (the type) is skipped where it is empty and the section has none. */
static void split_fixed(irl_mps_reader *r, const char *line, size_t length) {
  static const size_t start[] = {1, 4, 14, 24, 39, 49}, end[] = {3, 12, 22, 36, 47, 61};
  const bool has_type = r->now == ROWS || r->now == BOUNDS;
  r->n_fields = 0;
  for (size_t k = has_type ? 0 : 1; k < IRL_MPS_MAX_FIELDS && start[k] < length; k++) {
    size_t from = start[k], to = end[k] < length ? end[k] : length;
    while (from < to && irl_c_is_space(line[from])) from++;
    while (to > from && irl_c_is_space(line[to - 1])) to--;
    r->fields[r->n_fields++] = (irl_mps_field){line + from, to - from, from + 1};
  }
  while (r->n_fields > 0 && !r->fields[r->n_fields - 1].length) r->n_fields--;
}

static irl_status set_sense(irl_mps_reader *r, const irl_mps_field *f) {
  if (irl_mps_equals(f, "MAX") || irl_mps_equals(f, "MAXIMIZE") || irl_mps_equals(f, "MAXIMISE"))
    r->model->is_maximised = true;
  else if (!irl_mps_equals(f, "MIN") && !irl_mps_equals(f, "MINIMIZE") &&
           !irl_mps_equals(f, "MINIMISE"))
    return irl_mps_bad(r, f->column, "the sense is MAX or MIN, not", f);
  return IRL_OK;
}

static irl_status read_name(irl_mps_reader *r) {
  if (r->has_begun[ROWS] || *r->model->name)
    return irl_mps_bad(r, r->fields[0].column, "the name comes twice or after ROWS", NULL);
  if (r->n_fields > 1)
    r->model->name = irl_arena_copy_text(&r->model->arena, r->fields[1].text, r->fields[1].length);
  return r->model->name ? IRL_OK : irl_fail_memory(r->env);
}

/* The sections, and the one that each of them needs before it. Rows and columns are complete once
 * their section ends, so none comes twice. */
static const struct {
  const char *name;
  irl_mps_section section, needs;
} sections[] = {{"OBJSENSE", OBJSENSE, NO_SECTION}, {"ROWS", ROWS, NO_SECTION},
                {"COLUMNS", COLUMNS, ROWS},         {"RHS", RHS, COLUMNS},
                {"RANGES", RANGES, COLUMNS},        {"BOUNDS", BOUNDS, COLUMNS},
                {"ENDATA", ENDATA, NO_SECTION}};

static irl_status begin_section(irl_mps_reader *r, irl_mps_section section, irl_mps_section needs) {
  const irl_mps_field *f = &r->fields[0];
  const irl_status status = r->now == COLUMNS ? irl_mps_end_column(r) : IRL_OK;
  if (status) return status;
  if (r->has_begun[section]) return irl_mps_bad(r, f->column, "this section comes twice:", f);
  if (needs != NO_SECTION && !r->has_begun[needs])
    return irl_mps_bad(r, f->column,
                       needs == ROWS ? "ROWS must come before the section"
                                     : "COLUMNS must come before the section",
                       f);
  r->has_begun[section] = true;
  r->now = section;
  if (section != BOUNDS) return IRL_OK;
  assert(!r->is_bounded);
  r->is_bounded = irl_mem_alloc(&r->env->allocator, irl_lp_n_columns(r->model->lp), sizeof(bool));
  return r->is_bounded ? IRL_OK : irl_fail_memory(r->env);
}

static irl_status read_header(irl_mps_reader *r) {
  const irl_mps_field *f = &r->fields[0];
  if (irl_mps_equals(f, "NAME")) return read_name(r);
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
    if (!irl_mps_equals(f, sections[k].name)) continue;
    const irl_status status = begin_section(r, sections[k].section, sections[k].needs);
    if (status) return status;
    return r->now == OBJSENSE && r->n_fields > 1 ? set_sense(r, &r->fields[1]) : IRL_OK;
  }
  return irl_mps_bad(r, f->column, "unknown or unsupported section", f);
}

static irl_status read_data(irl_mps_reader *r) {
  switch (r->now) {
  case NO_SECTION:
    return irl_mps_bad(r, r->fields[0].column, "data before the first section", NULL);
  case OBJSENSE:
    return set_sense(r, &r->fields[0]);
  case ROWS:
    return r->n_fields == 2 ? irl_mps_add_row(r, &r->fields[0], &r->fields[1])
                            : irl_mps_bad_count(r);
  case COLUMNS:
    return irl_mps_read_column(r);
  case RHS:
  case RANGES:
    return irl_mps_read_sides(r);
  case BOUNDS:
    return irl_mps_read_bound(r);
  case ENDATA:
    break;
  }
  return IRL_OK;
}

static irl_status read_line(irl_mps_reader *r, const char *line, size_t length) {
  while (length > 0 && irl_c_is_space(line[length - 1])) length--;
  if (length == 0 || line[0] == '*') return IRL_OK;
  if (memchr(line, '\0', length)) return irl_mps_bad(r, 1, "this is not a text file", NULL);
  const bool is_header = !irl_c_is_space(line[0]);
  irl_status status = IRL_OK;
  if (is_header || !r->is_fixed || r->now == OBJSENSE)
    status = split_free(r, line, length, is_header);
  else
    split_fixed(r, line, length);
  if (status || !r->n_fields) return status;
  return is_header ? read_header(r) : read_data(r);
}

static irl_status read_all(irl_mps_reader *r, const irl_file *file) {
  irl_status status = IRL_OK;
  size_t next = 0;
  for (size_t at = 0; at < file->size && r->now != ENDATA && !status;) {
    if (irl_reading_limit_reached_at(r->env, &next, at)) return irl_reading_fail(r->env, r->path);
    const char *line = file->bytes + at;
    const char *end = memchr(line, '\n', file->size - at);
    const size_t length = end ? (size_t)(end - line) : file->size - at;
    r->line++;
    status = read_line(r, line, length);
    at += length + 1;
  }
  if (!status && r->now != ENDATA) status = irl_mps_bad(r, 1, "the file ends without ENDATA", NULL);
  if (!status && !irl_lp_n_columns(r->model->lp) && !r->n_rows)
    status = irl_mps_bad(r, 1, "the model is empty", NULL);
  if (!status) status = irl_mps_set_sides(r);
  if (!status) irl_lp_names_set_sense(r->model, r->constant);
  return status;
}

static irl_status read_as(irl_env *env, const char *path, const irl_file *file, bool is_fixed,
                          irl_lp_names *model, size_t *line) {
  irl_mps_reader r = {.env = env, .path = path, .model = model, .is_fixed = is_fixed};
  irl_status status = irl_lp_names_init(env, model);
  if (status) return status;
  r.row_index.allocator = r.column_index.allocator = env->allocator;
  status = read_all(&r, file);
  *line = r.line;
  irl_hash_index_free(&r.row_index);
  irl_hash_index_free(&r.column_index);
  irl_mem_free(&env->allocator, r.all_rows);
  irl_mem_free(&env->allocator, r.rows);
  irl_mem_free(&env->allocator, r.entry_rows);
  irl_mem_free(&env->allocator, r.entry_values);
  irl_mem_free(&env->allocator, r.is_bounded);
  if (status) irl_lp_names_free(model);
  return status;
}

irl_status irl_lp_parse_mps(irl_env *env, const char *path, const irl_file *file,
                            irl_lp_names *model) {
  char error[IRL_ERROR_SIZE];
  size_t line, other;
  irl_status status = read_as(env, path, file, false, model, &line);
  if (status != IRL_BAD_INPUT) return status;
  memcpy(error, env->error, sizeof error);
  status = read_as(env, path, file, true, model, &other);
  if (status == IRL_BAD_INPUT && other <= line) memcpy(env->error, error, sizeof error);
  return status;
}
