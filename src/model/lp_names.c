#include "model/lp_names.h"
#include "base/memory.h"
#include "model/lp_scan.h"
#include <math.h>

#define MOST_COUNTED 9007199254740992.0 /* 2^53: up to here every integer is a double */

irl_status irl_lp_names_init(irl_env *env, irl_lp_names *model) {
  *model = (irl_lp_names){.env = env, .allocator = env->allocator, .name = "", .objective = ""};
  irl_arena_init(&model->arena, &env->allocator);
  return irl_lp_create(env, &model->lp);
}

void irl_lp_names_free(irl_lp_names *model) {
  if (!model->env) return;
  const irl_allocator *a = &model->allocator;
  irl_mem_free(a, model->row_names);
  irl_mem_free(a, model->column_names);
  irl_mem_free(a, model->is_integer);
  irl_arena_free(&model->arena);
  irl_lp_free(model->lp);
  *model = (irl_lp_names){0};
}

irl_status irl_lp_name_row(irl_lp_names *model, const char *name, size_t length) {
  const uint32_t row = irl_lp_n_rows(model->lp);
  const char *copy = irl_arena_copy_text(&model->arena, name, length);
  if (!copy || !irl_mem_reserve(&model->allocator, &model->row_names, &model->rows_capacity, row,
                                sizeof *model->row_names))
    return irl_fail_memory(model->env);
  assert(row < model->rows_capacity);
  model->row_names[row] = copy;
  return IRL_STATUS_OK;
}

irl_status irl_lp_name_column(irl_lp_names *model, const char *name, size_t length,
                              bool is_integer) {
  const uint32_t column = irl_lp_n_columns(model->lp);
  const irl_allocator *a = &model->allocator;
  const char *copy = irl_arena_copy_text(&model->arena, name, length);
  if (!copy ||
      !irl_mem_reserve(a, &model->column_names, &model->columns_capacity, column,
                       sizeof *model->column_names) ||
      !irl_mem_reserve(a, &model->is_integer, &model->integer_capacity, column,
                       sizeof *model->is_integer))
    return irl_fail_memory(model->env);
  model->column_names[column] = copy;
  model->is_integer[column] = is_integer;
  model->n_integer += is_integer;
  return IRL_STATUS_OK;
}

void irl_lp_names_set_sense(irl_lp_names *model, double constant) {
  irl_lp *lp = model->lp;
  const double sign = model->is_maximised ? -1 : 1;
  irl_lp_set_constant(lp, constant == 0 ? 0 : sign * constant);
  for (uint32_t j = 0; j < irl_lp_n_columns(lp) && sign < 0; j++)
    irl_lp_set_cost(lp, j, -irl_lp_cost(lp, j));
}

bool irl_lp_names_is_uncounted(const irl_lp_names *model, uint32_t column) {
  double lower, upper;
  irl_lp_bounds(model->lp, column, &lower, &upper);
  return model->is_integer[column] && ((isfinite(lower) && fabs(lower) > MOST_COUNTED) ||
                                       (isfinite(upper) && fabs(upper) > MOST_COUNTED));
}

/* Is there nothing that an LP file could hold? It has no rows without sides. */
static bool is_empty(const irl_lp *lp) {
  double lower = -INFINITY, upper = INFINITY;
  for (uint32_t i = 0; i < irl_lp_n_rows(lp) && isinf(lower) && isinf(upper); i++)
    irl_lp_row_bounds(lp, i, &lower, &upper);
  return !irl_lp_n_columns(lp) && isinf(lower) && isinf(upper);
}

irl_status irl_lp_names_check(irl_env *env, const char *path, const irl_lp_names *model,
                              const size_t *lines) {
  if (is_empty(model->lp))
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s:1:1: the model is empty: no column, and no row with a side", path);
  for (uint32_t j = 0; j < irl_lp_n_columns(model->lp) && lines; j++) {
    double lower, upper;
    irl_lp_bounds(model->lp, j, &lower, &upper);
    if (lower > upper)
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s:%zu:1: column '%s' has the lower bound %g above its upper bound %g", path,
                      lines[j], model->column_names[j], lower, upper);
    if (irl_lp_names_is_uncounted(model, j))
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s:%zu:1: the integer column '%s' has a bound beyond 2^53, where not every "
                      "integer is a number of the machine; leave the bound out if it means none",
                      path, lines[j], model->column_names[j]);
  }
  return IRL_STATUS_OK;
}

uint32_t irl_lp_index_find(const irl_hash_index *index, const char *const *names, const char *name,
                           size_t length) {
  irl_hash_probe probe = irl_hash_probe_start(index, irl_hash_of(index, name, length));
  for (;;) {
    const uint32_t number = irl_hash_probe_next(&probe);
    if (number == IRL_HASH_NONE) return UINT32_MAX;
    if (!strncmp(names[number], name, length) && !names[number][length]) return number;
  }
}

bool irl_lp_index_add(irl_hash_index *index, const char *const *names, uint32_t number) {
  const char *name = names[number];
  return irl_hash_index_insert(index, irl_hash_of(index, name, strlen(name)), number);
}

irl_status irl_lp_read(irl_env *env, const char *path, irl_lp_names *model) {
  irl_file file;
  irl_lp_names made;
  irl_lp_scanner s;
  char extension[16];
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  /* The format is that of the extension; of other files, and of pipes, that of the first word. */
  irl_file_extension(path, extension);
  bool is_lp_format = !strcmp(extension, "lp");
  if (!is_lp_format && strcmp(extension, "mps") != 0) {
    irl_lp_scan_init(&s, env, path, &file);
    is_lp_format = !irl_lp_scan(&s) && s.kind == IRL_LP_SECTION &&
                   (s.section == IRL_LP_MINIMISE || s.section == IRL_LP_MAXIMISE);
  }
  status = (is_lp_format ? irl_lp_parse_lp : irl_lp_parse_mps)(env, path, &file, &made);
  irl_file_close(&file);
  if (!status) *model = made;
  return status;
}
