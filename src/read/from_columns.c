/* A raw table from the caller's columns: the values are copied and checked, then it is like one
 * that was read from a file. */
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "read/typed.h"

static irl_status refuse_cell(irl_env *env, const irl_column_view *from, uint32_t sample,
                              const char *what) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column '%s', sample %u: %s", from->name, sample,
                  what);
}

static irl_status take_numbers(irl_env *env, const irl_column_view *from, uint32_t n,
                               irl_column *into) {
  const double most = from->type == IRL_COLUMN_BINARY ? 1 : 2;
  if (!from->numbers)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column '%s' has no numbers", from->name);
  if (!irl_column_init(into, &env->allocator, from->type, n)) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    const double value = from->numbers[i];
    into->n_missing += isnan(value);
    if (from->type != IRL_COLUMN_NUMBER && !isnan(value) &&
        (!(value >= 0 && value <= most) || value != floor(value)))
      return refuse_cell(env, from, i, most == 1 ? "this is not 0 or 1" : "this is not 0, 1 or 2");
    irl_column_set_number(into, i, value);
  }
  return IRL_STATUS_OK;
}

static irl_status take_codes(irl_env *env, const irl_column_view *from, uint32_t n,
                             irl_column *into) {
  if (!from->codes || (from->n_values && !from->values))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column '%s' has no codes or no values",
                    from->name);
  if (!irl_column_init(into, &env->allocator, from->type, n) ||
      !irl_names_index(into->values, NULL))
    return irl_fail_memory(env);
  for (uint32_t v = 0; v < from->n_values; v++) {
    uint32_t number;
    if (!from->values[v])
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column '%s': value %u is NULL", from->name, v);
    if (!irl_names_intern(into->values, from->values[v], strlen(from->values[v]), &number))
      return irl_fail_memory(env);
    if (number != v)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column '%s': value '%s' is there twice",
                      from->name, from->values[v]);
  }
  for (uint32_t i = 0; i < n; i++) {
    const int32_t code = from->codes[i];
    if (code >= 0 && (uint32_t)code >= from->n_values)
      return refuse_cell(env, from, i, "this code has no value");
    into->codes[i] = code < 0 ? IRL_NO_VALUE : (uint32_t)code;
    into->n_missing += code < 0;
  }
  return IRL_STATUS_OK;
}

/* Column j of the caller's array, whose elements have the size of the first one. */
static irl_column_view column_at(const irl_table_view *view, size_t j) {
  irl_column_view own;
  const char *first = (const char *)view->columns;
  irl_sized_copy_in(first + j * view->columns->size, &own, sizeof own);
  return own;
}

typedef struct bringer {
  irl_env *env;
  const irl_table_view *view;
} bringer;

static irl_status bring(void *user, size_t j, irl_column *into) {
  const bringer *b = user;
  const irl_column_view column = column_at(b->view, j), *from = &column;
  into->type = from->type;
  if (from->type == IRL_COLUMN_CATEGORY) return take_codes(b->env, from, b->view->n_samples, into);
  if (from->type == IRL_COLUMN_IGNORED) return IRL_STATUS_OK;
  if ((unsigned)from->type >= IRL_N_COLUMN_TYPES)
    return irl_fail(b->env, IRL_STATUS_BAD_ARGUMENT, "column '%s' has no known type", from->name);
  return take_numbers(b->env, from, b->view->n_samples, into);
}

static irl_status name_columns(irl_env *env, const irl_table_view *view, irl_names *names) {
  uint32_t twice;
  for (uint32_t j = 0; j < view->n_columns; j++) {
    const char *name = column_at(view, j).name;
    if (!name || !*name || *name == '!')
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "column %u needs a name that does not start with '!'", j + 1);
    if (!irl_names_add(names, name, strlen(name))) return irl_fail_memory(env);
  }
  if (!irl_names_index(names, &twice)) return irl_fail_memory(env);
  if (twice != IRL_NO_NAME)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column name '%s' is there twice",
                    irl_names_get(names, twice));
  return IRL_STATUS_OK;
}

static irl_status copy_samples(irl_env *env, const irl_table_view *view, irl_table *table) {
  const irl_data_labels called = {view->target, view->positive, view->negative, false};
  const uint32_t n = view->n_samples;
  table->n_samples = n;
  table->has_labels = view->labels != NULL;
  if (view->labels) table->labels = irl_mem_alloc(&env->allocator, n, 1);
  if (view->weights) table->weights = irl_mem_alloc(&env->allocator, n, sizeof *table->weights);
  if ((view->labels && !table->labels) || (view->weights && !table->weights))
    return irl_fail_memory(env);
  for (uint32_t i = 0; i < n && view->labels; i++) table->labels[i] = view->labels[i] != 0;
  for (uint32_t i = 0; i < n && view->weights; i++) {
    table->weights[i] = view->weights[i];
    if (!(view->weights[i] >= 0) || !isfinite(view->weights[i]))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "the weight of sample %u is not a number from 0 on", i);
  }
  return irl_table_name_labels(env, table, &called);
}

/* The caller's view as this library knows it. */
static irl_status take_view(irl_env *env, const irl_table_view *view, irl_table_view *own) {
  irl_status status = irl_sized_need(env, view, "view");
  if (status) return status;
  irl_sized_copy_in(view, own, sizeof *own);
  if (!own->n_samples || !own->n_columns || own->n_samples > UINT32_MAX - 512)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a table needs at least one sample and one column");
  status = irl_sized_need(env, own->columns, "view->columns");
  if (status) return status;
  const size_t stride = own->columns->size;
  if (stride % _Alignof(irl_column_view))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "no irl_column_view has %zu bytes", stride);
  for (uint32_t j = 1; j < own->n_columns; j++)
    if (memcmp((const char *)own->columns + j * stride, &stride, sizeof stride))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column %u has another size than the first",
                      j + 1);
  return IRL_STATUS_OK;
}

irl_status irl_table_from_columns(irl_env *env, const irl_table_view *view,
                                  const irl_options *options, irl_table **out) {
  IRL_NEED(env, "env, view, options, table", env, view, options, out);
  irl_table_view brought;
  bringer b = {env, &brought};
  irl_names names;
  irl_table *table;
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  options = &own;
  status = irl_options_check(env, options, IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE,
                             IRL_FROM_MEMORY);
  if (!status) status = take_view(env, view, &brought);
  const irl_source source = {.path = IRL_TABLE_IN_MEMORY,
                             .options = options,
                             .threads = irl_threads(env, options->limits.threads)};
  if (!status) status = irl_table_create(env, &source, &table);
  if (status) return status;
  irl_names_init(&names, &env->allocator);
  status = name_columns(env, &brought, &names);
  if (!status) status = copy_samples(env, &brought, table);
  if (!status) status = irl_typed_file(env, &source, &names, table, bring, &b);
  if (!status && (options->data.group || options->data.fold_column))
    status = irl_table_set_groups(env, table, options);
  if (!status) table->is_bits = irl_table_is_binary(table);
  irl_names_free(&names);
  assert(status || irl_table_check(table));
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}
