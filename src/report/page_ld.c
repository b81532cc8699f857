/* Linkage disequilibrium among the variants of a rule and their partners: a triangle of r2 in the
 * order of the file, and the same as a table. */
#include "base/memory.h"
#include "report/html.h"
#include "report/page.h"
#include "table/cell_file.h"
#include <math.h>
#include <stdlib.h>

#define MOST  40u  /* variants: those of the rule, then partners */
#define CELL  18.0 /* sides of a square */
#define NAMES 190.0
#define TEXT  22u /* bytes of a name that are drawn */

/* A variant of the picture. */
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

/* ---- the picture ---- */

static const char *name_at(const irl_page *page, const ld *l, size_t i) {
  return irl_names_get(&page->fit->variants.names, l->members[i].name);
}

/* A name that is not longer than the room for it, cut between characters. */
static void put_label(irl_text *text, const char *name) {
  char cut[TEXT + 4];
  size_t n = strlen(name);
  if (n > TEXT) {
    n = TEXT - 1;
    while (n && ((unsigned char)name[n] & 0xc0) == 0x80) n--;
    memcpy(cut, name, n);
    strcpy(cut + n, "\xe2\x80\xa6");
    name = cut;
  }
  irl_html_text(text, name);
}

static void put_picture(irl_page *page, const ld *l) {
  irl_text *text = &page->text;
  const double width = NAMES + CELL * (double)l->n, height = CELL * (double)l->n;
  irl_text_printf(text,
                  "<figure class=\"ld\"><svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"Linkage disequilibrium "
                  "of %zu variants; a table of the same follows\">\n",
                  width, height, width, height, l->n);
  for (size_t i = 0; i < l->n; i++) {
    irl_text_printf(text, "<text class=\"%s\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">",
                    l->members[i].is_in_rule ? "label" : "other", NAMES - 8,
                    CELL * (double)i + 13.5);
    put_label(text, name_at(page, l, i));
    irl_text_puts(text, "</text>\n");
    for (size_t j = 0; j <= i; j++) {
      const double r2 = i == j ? 1 : isnan(l->r2[i][j]) ? 0 : l->r2[i][j];
      irl_text_printf(text,
                      "<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"17\" height=\"17\" "
                      "fill-opacity=\"%.2f\">",
                      i == j ? "controls" : "cases", NAMES + CELL * (double)j, CELL * (double)i,
                      i == j ? 1 : r2);
      if (i != j) {
        irl_html_put(text, "<title>%s, %s: r2 ", name_at(page, l, i), name_at(page, l, j));
        irl_text_printf(text, "%.2f</title>", r2);
      }
      irl_text_puts(text, "</rect>");
    }
    irl_text_puts(text, "\n");
  }
  irl_text_puts(text, "</svg></figure>\n");
}

static void put_table(irl_page *page, const ld *l) {
  irl_text *text = &page->text;
  irl_text_puts(text, "<details><summary>The same as a table</summary><div class=\"wide\"><table "
                      "class=\"numbers\">\n<thead><tr><th scope=\"col\" class=\"text\">r2</th>");
  for (size_t j = 0; j + 1 < l->n; j++)
    irl_html_put(text, "<th scope=\"col\">%s</th>", name_at(page, l, j));
  irl_text_puts(text, "</tr></thead>\n<tbody>\n");
  for (size_t i = 1; i < l->n; i++) {
    irl_html_put(text, "<tr><th scope=\"row\">%s</th>", name_at(page, l, i));
    for (size_t j = 0; j < i; j++) {
      if (isnan(l->r2[i][j]))
        irl_text_puts(text, "<td>\xe2\x80\x93</td>");
      else
        irl_text_printf(text, "<td>%.2f</td>", l->r2[i][j]);
    }
    irl_text_puts(text, "</tr>\n");
  }
  irl_text_puts(text, "</tbody>\n</table></div></details>\n");
}

irl_status irl_page_ld(irl_page *page) {
  const irl_variant_facts *f = &page->fit->variants;
  irl_text *text = &page->text;
  if (!f->n || !page->fit->table) return IRL_STATUS_OK;
  ld *l = irl_mem_alloc(&page->env->allocator, 1, sizeof *l);
  if (!l) return irl_fail_memory(page->env);
  for (size_t i = 0; i < f->n; i++) add(l, page, f->items[i].column, true);
  for (size_t i = 0; i < f->n; i++)
    for (uint32_t k = 0; k < f->items[i].n_partners; k++)
      add(l, page, f->items[i].partners[k].column, false);
  qsort(l->members, l->n, sizeof *l->members, compare);
  if (l->n > 1 && measure(l, page)) {
    irl_text_printf(text,
                    "<h3>Linkage disequilibrium</h3>\n<p>Squared correlation of allele counts (r2) "
                    "of the variants of the rule, in bold, and those with an r2 of at least %.3g "
                    "to one of them, in the order of the file: the darker, the nearer to 1.</p>\n",
                    f->r2);
    irl_text_puts(text, "<div class=\"wide\">");
    put_picture(page, l);
    irl_text_puts(text, "</div>\n");
    put_table(page, l);
  }
  irl_mem_free(&page->env->allocator, l);
  return IRL_STATUS_OK;
}
