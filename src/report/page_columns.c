/* The columns of the table: what each holds, how many values are missing, and which literals it
 * gives. Those of the rule come first; the others are folded away. Of columns without end, as
 * genotypes have them, the first ones are shown. */
#include "base/memory.h"
#include "base/number.h"
#include "report/html.h"
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
static void join_literals(lister *l) {
  for (size_t j = 0; j < l->columns->n; j++) l->first[j] = UINT32_MAX;
  for (uint32_t f = l->data->n_features; f-- > 0;) {
    const uint32_t column = column_of(l, f);
    l->next[f] = l->first[column];
    l->first[column] = f;
  }
  const irl_bound_rule *bound = &l->page->bound;
  for (size_t i = 0; i < bound->rule->names.n; i++) {
    const uint32_t feature =
        bound->feature[i] < l->data->n_features ? bound->feature[i] : bound->opposite[i];
    if (feature < l->data->n_features) l->is_used[column_of(l, feature)] = 1;
  }
}

/* "54.5, 60.5" or "a, b, c": each cut point and value once. */
static void put_literals(const lister *l, uint32_t column) {
  irl_text *text = &l->page->text;
  const irl_conditions *conditions = &l->data->conditions;
  uint32_t n = 0;
  double last = NAN;
  uint32_t last_value = UINT32_MAX;
  for (uint32_t f = l->first[column]; f != UINT32_MAX; f = l->next[f]) {
    if (!irl_has_conditions(conditions)) continue;
    const irl_condition *c = &conditions->items[f];
    const bool is_number = irl_condition_is_cut(c), is_text = irl_condition_is_text(c);
    if ((is_number && c->cut == last) || (is_text && c->value == last_value)) continue;
    if (!is_number && !is_text) continue;
    if (is_number) last = c->cut;
    if (is_text) last_value = c->value;
    if (n++ >= LITERALS) continue;
    char number[IRL_NUMBER_SIZE];
    if (is_number) irl_number_print(c->cut, number);
    irl_text_puts(text, n > 1 ? ", " : is_number ? "cut at " : "values ");
    irl_html_name(text, is_number ? number : irl_names_get(&conditions->values, c->value));
  }
  if (n > LITERALS) irl_text_printf(text, " and %u more", n - LITERALS);
  if (n) return;
  for (uint32_t f = l->first[column]; f != UINT32_MAX; f = l->next[f]) {
    if (f != l->first[column]) irl_text_puts(text, ", ");
    irl_html_name(text, irl_names_get(&l->data->names, f));
  }
}

static void put_column(const lister *l, uint32_t column) {
  irl_text *text = &l->page->text;
  const char *name = irl_names_get(l->columns, column);
  const uint32_t number =
      l->table ? irl_names_find(&l->table->names, name, strlen(name)) : IRL_NO_NAME;
  const bool is_raw = number != IRL_NO_NAME, is_coded = irl_has_conditions(&l->data->conditions);
  irl_text_puts(text, "<tr><td class=\"text\">");
  irl_html_name(text, name);
  irl_text_printf(text, "</td><td class=\"text type\">%s</td>",
                  is_raw     ? irl_column_type_text(l->table->columns[number].type)
                  : is_coded ? "\xe2\x80\x93"
                             : "binary");
  if (is_raw)
    irl_text_printf(text, "<td>%zu", l->table->columns[number].n_missing);
  else
    irl_text_puts(text, is_coded ? "<td>\xe2\x80\x93" : "<td>0");
  irl_text_puts(text, "</td><td class=\"text\">");
  put_literals(l, column);
  irl_text_puts(text, "</td></tr>\n");
}

/* The columns that the rule asks for, or the others. */
static void put_columns(const lister *l, bool is_used) {
  irl_text *text = &l->page->text;
  size_t n = 0;
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th scope=\"col\" "
                      "class=\"text\">column</th><th scope=\"col\" class=\"text\">type</th><th "
                      "scope=\"col\">missing</th><th scope=\"col\" class=\"text\">literals</th>"
                      "</tr></thead>\n<tbody>\n");
  for (uint32_t j = 0; j < l->columns->n; j++)
    if (l->is_used[j] == is_used && l->first[j] != UINT32_MAX && (is_used || n++ < SHOWN))
      put_column(l, j);
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  if (n > SHOWN) irl_text_printf(text, "<p class=\"hint\">And %zu more columns.</p>\n", n - SHOWN);
}

irl_status irl_page_columns(irl_page *page) {
  const irl_data *data = page->fit->data;
  irl_allocator *allocator = &page->env->allocator;
  lister l = {.page = page, .data = data, .table = page->fit->table};
  irl_text *text = &page->text;
  size_t n_used = 0, n = 0;
  l.columns = irl_has_conditions(&data->conditions) ? &data->conditions.columns : &data->names;
  l.first = irl_mem_alloc(allocator, l.columns->n, sizeof *l.first);
  l.next = irl_mem_alloc(allocator, data->n_features, sizeof *l.next);
  l.is_used = irl_mem_alloc(allocator, l.columns->n, 1);
  const bool is_ready = l.first && l.next && l.is_used;
  if (is_ready) {
    join_literals(&l);
    for (size_t j = 0; j < l.columns->n; j++) {
      n_used += l.is_used[j];
      n += l.first[j] != UINT32_MAX;
    }
    irl_text_printf(text,
                    "<section id=\"columns\">\n<h2>The columns</h2>\n<p>%zu columns give %u "
                    "literals; the rule asks for %zu of them. A missing value makes every literal "
                    "of its column false, unless <code>--missing</code> says otherwise; missing "
                    "values are counted in the whole file.</p>\n",
                    n, data->n_features, n_used);
    if (n_used) put_columns(&l, true);
    if (n > n_used) {
      irl_text_printf(text, "<details><summary>The other %zu columns</summary>", n - n_used);
      put_columns(&l, false);
      irl_text_puts(text, "</details>\n");
    }
    irl_text_puts(text, "</section>\n");
  }
  irl_mem_free(allocator, l.first);
  irl_mem_free(allocator, l.next);
  irl_mem_free(allocator, l.is_used);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(page->env);
}
