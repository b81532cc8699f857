/* Genotypes clause by clause: for the variants of a clause, how many cases and controls have each
 * combination of genotypes, which combinations it asks for, and the share of cases in each: what
 * geneticists know as a penetrance table, of as many variants as the clause has. */
#include "base/memory.h"
#include "report/html.h"
#include "report/page.h"
#include "table/cell_file.h"
#include <math.h>

#define MOST_VARIANTS 5u  /* of a clause: 4^5 combinations */
#define SHOWN         48u /* combinations of one clause */

typedef struct clause {
  size_t number;
  uint32_t names[MOST_VARIANTS];   /* of its variants, among the facts */
  uint32_t columns[MOST_VARIANTS]; /* of the table */
  size_t n;
  bool has_others;                             /* literals on columns that are no variants */
  uint8_t asks[MOST_VARIANTS];                 /* bit g: genotype g (3: missing) will do */
  uint32_t counts[1u << 2 * MOST_VARIANTS][2]; /* by two bits per variant: controls, cases */
} clause;

/* The literal's demand on its variant: two literals of one variant must both hold. */
static bool add_literal(clause *c, const irl_page *page, irl_literal literal) {
  const irl_rule *rule = page->fit->rule;
  const irl_variant_facts *f = &page->fit->variants;
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  const irl_condition condition =
      irl_literal_is_negated(literal) ? irl_condition_opposite(&asked.condition) : asked.condition;
  const size_t length = strlen(asked.column);
  const uint32_t column = irl_names_find(&page->fit->table->names, asked.column, length);
  const uint32_t name = irl_names_find(&f->names, asked.column, length);
  size_t at = 0;
  uint8_t asks = 0;
  if (column == IRL_NO_NAME || name == IRL_NO_NAME) {
    c->has_others = true;
    return true;
  }
  for (unsigned g = 0; g < 4; g++)
    if (irl_condition_holds(&condition, g < 3 ? (double)g : (double)NAN))
      asks |= (uint8_t)(1u << g);
  while (at < c->n && c->columns[at] != column) at++;
  if (at == MOST_VARIANTS) return false;
  if (at == c->n) {
    c->names[at] = name;
    c->columns[at] = column;
    c->asks[at] = 15;
    c->n++;
  }
  c->asks[at] &= asks;
  return true;
}

/* False: the cells could not be read. */
static bool count(clause *c, irl_page *page) {
  const irl_table *table = page->fit->table;
  irl_cell_reader readers[MOST_VARIANTS];
  const irl_packed *cells[MOST_VARIANTS] = {NULL};
  bool is_whole = true;
  for (size_t v = 0; v < c->n; v++) {
    is_whole = irl_cell_reader_init(&readers[v], table, &page->env->allocator) && is_whole;
    if (is_whole) cells[v] = irl_cells_read(&readers[v], c->columns[v]);
    is_whole = is_whole && cells[v];
  }
  for (uint32_t i = 0; i < table->n_samples && is_whole; i++) {
    unsigned combination = 0;
    for (size_t v = 0; v < c->n; v++) combination |= irl_packed_get(cells[v], i) << 2 * v;
    c->counts[combination][table->labels && table->labels[i]]++;
  }
  for (size_t v = 0; v < c->n; v++) is_whole = irl_cell_reader_end(&readers[v]) && is_whole;
  return is_whole;
}

/* ---- the table ---- */

/* "A/G": the counted allele first where there is one of each. */
static void put_genotype(irl_page *page, uint32_t name, unsigned genotype) {
  const irl_variant_facts *f = &page->fit->variants;
  const irl_variant *v = &f->places.items[name];
  const char *counted = irl_names_get(&f->places.texts, v->counted),
             *other = irl_names_get(&f->places.texts, v->other);
  if (genotype == IRL_CELL_MISSING)
    irl_text_puts(&page->text, "<td class=\"text type\">\xe2\x80\x93</td>");
  else
    irl_html_put(&page->text, "<td class=\"text type\"><code>%s/%s</code></td>",
                 genotype ? counted : other, genotype == 2 ? counted : other);
}

static void put_combination(irl_page *page, const clause *c, unsigned combination) {
  irl_text *text = &page->text;
  const uint32_t *n = c->counts[combination];
  bool holds = true;
  irl_text_puts(text, "<tr>");
  for (size_t v = 0; v < c->n; v++) {
    const unsigned genotype = combination >> 2 * v & 3;
    holds = holds && c->asks[v] >> genotype & 1;
    put_genotype(page, c->names[v], genotype);
  }
  irl_text_printf(text, "<td class=\"dot%s\"><span>%s</span></td><td>%u</td><td>%u</td><td>",
                  holds ? " on" : "", holds ? "yes" : "no", n[1], n[0]);
  irl_html_percent(text, (double)n[1] / (n[0] + n[1]));
  irl_text_puts(text, "<small>");
  irl_page_put_interval(text, n[1], (uint64_t)n[0] + n[1]);
  irl_text_puts(text, "</small></td>");
  irl_page_put_bar(text, (double)n[1] / (n[0] + n[1]), holds);
  irl_text_puts(text, "</tr>\n");
}

static void put_clause(irl_page *page, const clause *c) {
  irl_text *text = &page->text;
  size_t n = 0;
  irl_text_printf(
      text,
      "<div class=\"wide\"><table class=\"numbers upset\">\n<caption>Clause %zu: ", c->number + 1);
  irl_html_clause(text, page->fit->rule, c->number);
  irl_text_puts(text, "</caption>\n<thead><tr>");
  for (size_t v = 0; v < c->n; v++) {
    irl_text_puts(text, "<th scope=\"col\" class=\"text\">");
    irl_html_name(text, irl_names_get(&page->fit->variants.names, c->names[v]));
    irl_text_puts(text, "</th>");
  }
  irl_text_puts(text, c->has_others
                          ? "<th scope=\"col\">asked for<small>of the variants</small></th>"
                          : "<th scope=\"col\">asked for</th>");
  irl_text_puts(text, "<th scope=\"col\">cases</th><th scope=\"col\">controls</th><th "
                      "scope=\"col\">share of cases<small>95\xc2\xa0% interval</small></th><th "
                      "class=\"bar\"><span class=\"only-read\">bar</span></th></tr></thead>\n"
                      "<tbody>\n");
  for (unsigned i = 0; i < 1u << 2 * c->n; i++)
    if ((c->counts[i][0] || c->counts[i][1]) && n++ < SHOWN) put_combination(page, c, i);
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  if (n > SHOWN)
    irl_text_printf(text, "<p class=\"hint\">And %zu combinations more.</p>\n", n - SHOWN);
}

irl_status irl_page_genotypes(irl_page *page) {
  const irl_rule *rule = page->fit->rule;
  irl_text *text = &page->text;
  bool is_open = false;
  if (!page->fit->variants.n || !page->fit->table) return IRL_STATUS_OK;
  for (size_t k = 0; k < rule->n_clauses; k++) {
    clause *c = irl_mem_alloc(&page->env->allocator, 1, sizeof *c);
    bool is_small = true;
    if (!c) return irl_fail_memory(page->env);
    c->number = k;
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      is_small = is_small && add_literal(c, page, rule->literals[i]);
    if (is_small && c->n && count(c, page)) {
      if (!is_open)
        irl_text_puts(text, "<h3>Genotypes clause by clause</h3>\n<p>How many people of the whole "
                            "file have each combination of genotypes, and whether the clause asks "
                            "for it. A dash is a missing call.</p>\n");
      is_open = true;
      put_clause(page, c);
    }
    irl_mem_free(&page->env->allocator, c);
  }
  return IRL_STATUS_OK;
}
