/* The columns of the table: what each holds, how many values are missing, and which literals it
 * gives. Of columns without end, as genotypes have them, those of the rule and the first others. */
#include "base/memory.h"
#include "report/page.h"
#include "table/raw_table.h"

#define SHOWN    200u /* columns beside those of the rule */
#define LITERALS 12u  /* cut points or categories of one column */

/* Without conditions a feature is its own column. */
static uint32_t column_of(const irl_data *data, uint32_t feature) {
  return irl_has_conditions(&data->conditions) ? data->conditions.items[feature].column : feature;
}

/* Marks the columns of the rule. */
static irl_status find_used(irl_page *page, uint8_t *is_used) {
  const irl_data *data = page->fit->data;
  irl_bound_rule bound;
  const irl_status status = irl_rule_bind(page->env, page->fit->rule, data, &bound);
  if (status) return status;
  for (size_t i = 0; i < bound.rule->names.n; i++) {
    const uint32_t feature =
        bound.feature[i] < data->n_features ? bound.feature[i] : bound.opposite[i];
    if (feature < data->n_features) is_used[column_of(data, feature)] = 1;
  }
  irl_bound_rule_free(page->env, &bound);
  return IRL_STATUS_OK;
}

/* Cut points or values of the literals, each once, in the open list; how many there are. Without
 * any: the names of the literals. */
static uint32_t put_literals(irl_json *json, const irl_data *data, uint32_t first, uint32_t end) {
  const irl_conditions *conditions = &data->conditions;
  uint32_t n = 0, last_value = UINT32_MAX;
  double last = NAN;
  for (uint32_t f = first; f < end && irl_has_conditions(conditions); f++) {
    const irl_condition *c = &conditions->items[f];
    const bool is_number = irl_condition_is_cut(c), is_text = irl_condition_is_text(c);
    if ((is_number && c->cut == last) || (is_text && c->value == last_value)) continue;
    if (!is_number && !is_text) continue;
    if (is_number) last = c->cut;
    if (is_text) last_value = c->value;
    if (n++ >= LITERALS) continue;
    if (is_number)
      irl_json_real(json, NULL, c->cut);
    else
      irl_json_string(json, NULL, irl_names_get(&conditions->values, c->value));
  }
  for (uint32_t f = first; f < end && !n; f++)
    irl_json_string(json, NULL, irl_names_get(&data->names, f));
  return n;
}

/* A column and its literals, which are features one after another. */
static void put_column(irl_page *page, bool is_used, uint32_t first, uint32_t end) {
  irl_json *json = &page->json;
  const irl_data *data = page->fit->data;
  const irl_table *table = page->fit->table; /* NULL, or of 0/1: nothing more is known */
  const char *name = irl_condition_of(&data->conditions, &data->names, first).column;
  const uint32_t number = table ? irl_names_find(&table->names, name, strlen(name)) : IRL_NO_NAME;
  irl_json_open_flat(json, NULL, '{');
  irl_json_string(json, "name", name);
  irl_json_bool(json, "in_rule", is_used);
  if (number != IRL_NO_NAME) {
    irl_json_string(json, "type", irl_column_type_text(table->columns[number].type));
    irl_json_unsigned(json, "missing", table->columns[number].n_missing);
  } else if (!irl_has_conditions(&data->conditions)) {
    irl_json_string(json, "type", "binary");
    irl_json_unsigned(json, "missing", 0);
  }
  irl_json_open(json, "literals", '[');
  const uint32_t n = put_literals(json, data, first, end);
  irl_json_close(json, ']');
  irl_json_bool(json, "names", !n);
  irl_json_unsigned(json, "more", n > LITERALS ? n - LITERALS : 0);
  irl_json_close(json, '}');
}

irl_status irl_page_columns(irl_page *page) {
  const irl_data *data = page->fit->data;
  const irl_names *columns =
      irl_has_conditions(&data->conditions) ? &data->conditions.columns : &data->names;
  uint8_t *is_used = irl_mem_alloc(&page->env->allocator, columns->n, 1);
  const irl_status status = is_used ? find_used(page, is_used) : irl_fail_memory(page->env);
  size_t n = 0, n_others = 0;
  irl_json_open(&page->json, "columns", '[');
  for (uint32_t f = 0, end; f < data->n_features && !status; f = end, n++) {
    const uint32_t column = column_of(data, f);
    for (end = f + 1; end < data->n_features && column_of(data, end) == column;) end++;
    if (is_used[column] || n_others++ < SHOWN) put_column(page, is_used[column], f, end);
  }
  irl_json_close(&page->json, ']');
  irl_json_unsigned(&page->json, "n_columns", n);
  irl_json_bool(&page->json, "coded", irl_has_conditions(&data->conditions));
  irl_mem_free(&page->env->allocator, is_used);
  return status;
}
