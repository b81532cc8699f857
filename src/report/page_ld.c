/* Linkage disequilibrium among the variants of a rule and their partners: r2 of each pair, in the
 * order of the file. */
#include "base/memory.h"
#include "report/page.h"
#include "table/cell_file.h"
#include <math.h>
#include <stdlib.h>

#define MOST 40u /* variants: those of the rule, then partners */

typedef struct member {
  uint32_t column; /* of the table */
  uint32_t name;   /* among the facts */
  bool is_in_rule;
} member;

typedef struct ld {
  member members[MOST];
  size_t n;
  double r2[MOST][MOST]; /* below the diagonal; NaN: one of them does not vary */
} ld;

static void add(ld *l, const irl_page *page, uint32_t name, bool is_in_rule) {
  const irl_table *table = page->fit->table;
  const char *text = irl_names_get(&page->fit->variants.names, name);
  const uint32_t column = irl_names_find(&table->names, text, strlen(text));
  bool is_new = column != IRL_NO_NAME && l->n < MOST;
  for (size_t i = 0; i < l->n; i++) is_new = is_new && l->members[i].column != column;
  if (is_new) l->members[l->n++] = (member){column, name, is_in_rule};
}

static int compare(const void *a, const void *b) {
  const member *x = a, *y = b;
  return (x->column > y->column) - (x->column < y->column);
}

/* False: something could not be read, and nothing is said. */
static bool measure(ld *l, irl_page *page) {
  irl_cell_reader readers[2];
  bool is_whole = true;
  for (int i = 0; i < 2; i++)
    is_whole =
        irl_cell_reader_init(&readers[i], page->fit->table, &page->env->allocator) && is_whole;
  for (size_t i = 0; i < l->n && is_whole; i++) {
    const irl_packed *a = irl_cells_read(&readers[0], l->members[i].column);
    for (size_t j = 0; j < i && a && is_whole; j++) {
      const irl_packed *b = irl_cells_read(&readers[1], l->members[j].column);
      is_whole = b != NULL;
      if (b) l->r2[i][j] = irl_variant_r2(a, b, page->fit->table->n_samples);
    }
    is_whole = is_whole && a;
  }
  for (int i = 0; i < 2; i++) is_whole = irl_cell_reader_end(&readers[i]) && is_whole;
  return is_whole;
}

irl_status irl_page_ld(irl_page *page) {
  const irl_variant_facts *f = &page->fit->variants;
  irl_json *json = &page->json;
  if (!f->n || !page->fit->table) return IRL_STATUS_OK;
  ld *l = irl_mem_alloc(&page->env->allocator, 1, sizeof *l);
  if (!l) return irl_fail_memory(page->env);
  for (size_t i = 0; i < f->n; i++) add(l, page, f->items[i].column, true);
  for (size_t i = 0; i < f->n; i++)
    for (uint32_t k = 0; k < f->items[i].n_partners; k++)
      add(l, page, f->items[i].partners[k].column, false);
  qsort(l->members, l->n, sizeof *l->members, compare);
  if (l->n > 1 && measure(l, page)) {
    irl_json_open(json, "ld", '{');
    irl_json_real(json, "least_r2", f->r2);
    irl_json_open(json, "variants", '[');
    for (size_t i = 0; i < l->n; i++) {
      irl_json_open_flat(json, NULL, '{');
      irl_json_string(json, "name", irl_names_get(&f->names, l->members[i].name));
      irl_json_bool(json, "in_rule", l->members[i].is_in_rule);
      irl_json_open(json, "r2", '['); /* with those before it */
      for (size_t j = 0; j < i; j++) irl_json_real(json, NULL, l->r2[i][j]);
      irl_json_close(json, ']');
      irl_json_close(json, '}');
    }
    irl_json_close(json, ']');
    irl_json_close(json, '}');
  }
  irl_mem_free(&page->env->allocator, l);
  return IRL_STATUS_OK;
}
