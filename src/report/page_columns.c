/* The columns of the table: what each holds, how many values are missing, and which literals it
 * gives. Of columns without end, as genotypes have them, those of the rule and the first others. */
#include "base/memory.h"
#include "report/page.h"
#include "table/raw_table.h"

#define SHOWN    200u /* columns beside those of the rule */
#define LITERALS 12u  /* cut points or categories of one column */

typedef struct lister {
  irl_page *page;
  const irl_data *data;
  const irl_table *table;   /* NULL, or of 0/1 throughout: nothing more is known */
  const irl_names *columns; /* of the literals */
  uint32_t *first;          /* of each column: its first literal, */
  uint32_t *next;           /* and of each literal the next one of its column; UINT32_MAX: none */
  uint8_t *is_used;         /* by the rule */
} lister;

/* Without conditions a feature is its own column. */
static uint32_t column_of(const lister *l, uint32_t feature) {
  return irl_has_conditions(&l->data->conditions) ? l->data->conditions.items[feature].column
                                                  : feature;
}

/* The literals of each column as a list, in their order. */
static irl_status join_literals(lister *l) {
  irl_bound_rule bound;
  for (size_t j = 0; j < l->columns->n; j++) l->first[j] = UINT32_MAX;
  for (uint32_t f = l->data->n_features; f-- > 0;) {
    const uint32_t column = column_of(l, f);
    l->next[f] = l->first[column];
    l->first[column] = f;
  }
  const irl_status status =
      irl_rule_bind(l->page->env, l->page->fit->rule, l->page->fit->data, &bound);
  if (status) return status;
  for (size_t i = 0; i < bound.rule->names.n; i++) {
    const uint32_t feature =
        bound.feature[i] < l->data->n_features ? bound.feature[i] : bound.opposite[i];
    if (feature < l->data->n_features) l->is_used[column_of(l, feature)] = 1;
  }
  irl_bound_rule_free(l->page->env, &bound);
  return IRL_STATUS_OK;
}

/* Cut points or values, each once, in the open list; how many there are. Without any: the names of
 * the literals. */
static uint32_t put_literals(const lister *l, uint32_t column) {
  irl_json *json = &l->page->json;
  const irl_conditions *conditions = &l->data->conditions;
  uint32_t n = 0, last_value = UINT32_MAX;
  double last = NAN;
  for (uint32_t f = l->first[column]; f != UINT32_MAX; f = l->next[f]) {
    if (!irl_has_conditions(conditions)) continue;
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
  if (n) return n;
  for (uint32_t f = l->first[column]; f != UINT32_MAX; f = l->next[f])
    irl_json_string(json, NULL, irl_names_get(&l->data->names, f));
  return 0;
}

static void put_column(const lister *l, uint32_t column) {
  irl_json *json = &l->page->json;
  const char *name = irl_names_get(l->columns, column);
  const uint32_t number =
      l->table ? irl_names_find(&l->table->names, name, strlen(name)) : IRL_NO_NAME;
  irl_json_open_flat(json, NULL, '{');
  irl_json_string(json, "name", name);
  irl_json_bool(json, "in_rule", l->is_used[column]);
  if (number != IRL_NO_NAME) {
    irl_json_string(json, "type", irl_column_type_text(l->table->columns[number].type));
    irl_json_unsigned(json, "missing", l->table->columns[number].n_missing);
  } else if (!irl_has_conditions(&l->data->conditions)) {
    irl_json_string(json, "type", "binary");
    irl_json_unsigned(json, "missing", 0);
  }
  irl_json_open(json, "literals", '[');
  const uint32_t n = put_literals(l, column);
  irl_json_close(json, ']');
  irl_json_bool(json, "names", !n);
  irl_json_unsigned(json, "more", n > LITERALS ? n - LITERALS : 0);
  irl_json_close(json, '}');
}

static void put_columns(const lister *l) {
  size_t n = 0, n_others = 0;
  irl_json_open(&l->page->json, "columns", '[');
  for (uint32_t j = 0; j < l->columns->n; j++) {
    if (l->first[j] == UINT32_MAX) continue;
    n++;
    if (l->is_used[j] || n_others++ < SHOWN) put_column(l, j);
  }
  irl_json_close(&l->page->json, ']');
  irl_json_unsigned(&l->page->json, "n_columns", n);
  irl_json_bool(&l->page->json, "coded", irl_has_conditions(&l->data->conditions));
}

irl_status irl_page_columns(irl_page *page) {
  const irl_data *data = page->fit->data;
  irl_allocator *allocator = &page->env->allocator;
  lister l = {.page = page, .data = data, .table = page->fit->table};
  irl_status status = IRL_STATUS_OK;
  l.columns = irl_has_conditions(&data->conditions) ? &data->conditions.columns : &data->names;
  l.first = irl_mem_alloc(allocator, l.columns->n, sizeof *l.first);
  l.next = irl_mem_alloc(allocator, data->n_features, sizeof *l.next);
  l.is_used = irl_mem_alloc(allocator, l.columns->n, 1);
  if (!l.first || !l.next || !l.is_used) status = irl_fail_memory(page->env);
  if (!status) status = join_literals(&l);
  if (!status) put_columns(&l);
  irl_mem_free(allocator, l.first);
  irl_mem_free(allocator, l.next);
  irl_mem_free(allocator, l.is_used);
  return status;
}
