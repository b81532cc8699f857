/* What a raw table is, for `ireland info`: sizes, balance, and a row per column. */
#include "base/contract.h"
#include "base/fields.h"
#include "base/memory.h"
#include "base/number.h"
#include "ireland_data.h"
#include "table/genotype_render.h"
#include "table/raw_table.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A column in figures. */
typedef struct summary {
  size_t n_values; /* different ones */
  double least, most;
  uint32_t mode, mode_count; /* of a category */
} summary;

/* Packed cells have few values. */
static irl_status sum_up_packed(irl_env *env, const irl_table *table, size_t j, summary *s) {
  irl_cell_reader reader;
  const bool is_ready = irl_cell_reader_init(&reader, table, &env->allocator);
  const irl_packed *cells = is_ready ? irl_cells_read(&reader, (uint32_t)j) : NULL;
  for (unsigned value = 0; cells && value < IRL_CELL_MISSING; value++)
    s->n_values += irl_packed_count(cells, table->n_samples, value) > 0;
  return irl_cells_check(env, table, irl_cell_reader_end(&reader));
}

static irl_status sum_up(irl_env *env, const irl_table *table, size_t j, summary *s) {
  const irl_column *c = &table->columns[j];
  const bool is_category = c->type == IRL_COLUMN_CATEGORY;
  *s = (summary){.least = NAN, .most = NAN};
  if (c->type == IRL_COLUMN_IGNORED) return IRL_STATUS_OK;
  if (irl_type_is_packed(c->type)) return sum_up_packed(env, table, j, s);
  double *sorted =
      irl_mem_alloc(&env->allocator, is_category ? 0 : table->n_samples, sizeof *sorted);
  uint32_t *counts = irl_mem_alloc(&env->allocator, is_category ? c->values->n : 0, sizeof *counts);
  const bool is_ready = sorted && counts;
  size_t n = 0;
  for (uint32_t i = 0; i < table->n_samples && is_ready; i++) {
    if (irl_column_is_missing(c, i)) continue;
    if (is_category)
      counts[c->codes[i]]++;
    else
      sorted[n++] = irl_column_number(c, i);
  }
  for (uint32_t v = 0; is_category && is_ready && v < c->values->n; v++) {
    s->n_values += counts[v] > 0;
    if (counts[v] <= s->mode_count) continue;
    s->mode = v;
    s->mode_count = counts[v];
  }
  if (n) {
    qsort(sorted, n, sizeof *sorted, irl_compare_numbers);
    for (size_t i = 0; i < n; i++) s->n_values += !i || sorted[i] > sorted[i - 1];
    s->least = sorted[0];
    s->most = sorted[n - 1];
  }
  irl_mem_free(&env->allocator, sorted);
  irl_mem_free(&env->allocator, counts);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

static const irl_field table_fields[] =
    IRL_FIELDS(irl_table_info, samples, cases, controls, target, positive, negative);

static irl_status render_json(irl_env *env, const irl_table *table, const irl_table_info *info,
                              char **text) {
  irl_json json;
  irl_status status = IRL_STATUS_OK;
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_fields_put(&json, table_fields, info);
  if (table->variants.items) status = irl_genotypes_put(env, table, &json);
  irl_json_open(&json, "columns", '[');
  for (size_t j = 0; j < table->names.n && !status; j++) {
    const irl_column *c = &table->columns[j];
    summary s;
    status = sum_up(env, table, j, &s);
    irl_json_open_flat(&json, NULL, '{');
    irl_json_string(&json, "name", irl_names_get(&table->names, j));
    irl_json_string(&json, "type", irl_column_type_text(c->type));
    irl_json_unsigned(&json, "missing", c->n_missing);
    if (c->type != IRL_COLUMN_IGNORED) irl_json_unsigned(&json, "values", s.n_values);
    if (c->type == IRL_COLUMN_NUMBER) {
      irl_json_real(&json, "least", s.least);
      irl_json_real(&json, "most", s.most);
    } else if (c->type == IRL_COLUMN_CATEGORY && s.mode_count) {
      irl_json_string(&json, "most_frequent", irl_names_get(c->values, s.mode));
    }
    irl_json_close(&json, '}');
  }
  irl_json_close(&json, ']');
  irl_json_close(&json, '}');
  if (!status) return irl_json_take(&json, text);
  irl_json_drop(&json);
  return status;
}

static irl_status render_text(irl_env *env, const irl_table *table, const irl_table_info *info,
                              char **out) {
  irl_text text;
  irl_status status = IRL_STATUS_OK;
  irl_text_init(&text, env);
  irl_text_printf(&text, "samples   %" PRIu64 "\ncolumns   %" PRIu64 "\n", info->samples,
                  info->columns);
  irl_text_print_class(&text, "cases", info->cases, info->samples, info->target, info->positive);
  irl_text_print_class(&text, "controls", info->controls, info->samples, info->target,
                       info->negative);
  if (table->variants.items) status = irl_genotypes_print(env, table, &text);
  irl_text_printf(&text, "\n%-8s %9s %9s  %s\n", "type", "values", "missing", "column");
  /* Of genotypes the first ones show what all look like. */
  const size_t n_shown = table->variants.items && table->names.n > 2 * IRL_GENOTYPE_ROWS
                             ? IRL_GENOTYPE_ROWS
                             : table->names.n;
  for (size_t j = 0; j < n_shown && !status; j++) {
    const irl_column *c = &table->columns[j];
    char least[IRL_NUMBER_SIZE], most[IRL_NUMBER_SIZE];
    summary s;
    status = sum_up(env, table, j, &s);
    irl_text_printf(&text, "%-8s %9zu %9zu  %s", irl_column_type_text(c->type), s.n_values,
                    c->n_missing, irl_names_get(&table->names, j));
    if (c->type == IRL_COLUMN_NUMBER) {
      irl_number_print(s.least, least);
      irl_number_print(s.most, most);
      irl_text_printf(&text, ": %s to %s", least, most);
    } else if (c->type == IRL_COLUMN_CATEGORY && s.mode_count) {
      irl_text_printf(&text, ": %s, ...", irl_names_get(c->values, s.mode));
    }
    irl_text_puts(&text, "\n");
  }
  if (n_shown < table->names.n)
    irl_text_printf(&text, "and %zu more columns, which --json lists\n", table->names.n - n_shown);
  if (!status) return irl_text_take_shown(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_table_render(irl_env *env, const irl_table *table, irl_format format, char **text) {
  IRL_NEED(env, "env, table, text", env, table, text);
  IRL_NEED_FORMAT(env, format);
  irl_table_info info = IRL_SIZED(irl_table_info);
  if (table->divided) return irl_data_render(env, table->divided, format, text);
  if (irl_table_is_binary(table)) { /* its bits say more than its columns do */
    irl_data *data;
    irl_status status = irl_table_bits(env, table, &data);
    if (status) return status;
    status = irl_data_render(env, data, format, text);
    irl_data_free(data);
    return status;
  }
  irl_table_describe(table, &info);
  return format == IRL_FORMAT_JSON ? render_json(env, table, &info, text)
                                   : render_text(env, table, &info, text);
}
