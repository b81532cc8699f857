/* Genotypes clause by clause: for the variants of a clause, how many cases and controls have each
 * combination of genotypes, which combinations it asks for, and the share of cases in each: what
 * geneticists know as a penetrance table, of as many variants as the clause has. */
#include "base/memory.h"
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

/* ---- as JSON ---- */

/* Genotypes as counts of the counted allele, null where missing; then cases, controls, and whether
 * the clause asks for the combination. */
static void put_combination(irl_json *json, const clause *c, unsigned combination) {
  bool holds = true;
  irl_json_open_flat(json, NULL, '{');
  irl_json_open(json, "genotypes", '[');
  for (size_t v = 0; v < c->n; v++) {
    const unsigned genotype = combination >> 2 * v & 3;
    holds = holds && c->asks[v] >> genotype & 1;
    irl_json_real(json, NULL, genotype == IRL_CELL_MISSING ? (double)NAN : (double)genotype);
  }
  irl_json_close(json, ']');
  irl_json_bool(json, "holds", holds);
  irl_json_unsigned(json, "cases", c->counts[combination][1]);
  irl_json_unsigned(json, "controls", c->counts[combination][0]);
  irl_json_close(json, '}');
}

static void put_clause(irl_page *page, const clause *c) {
  irl_json *json = &page->json;
  size_t n = 0;
  irl_json_open(json, NULL, '{');
  irl_json_unsigned(json, "clause", c->number);
  irl_json_open_flat(json, "variants", '[');
  for (size_t v = 0; v < c->n; v++)
    irl_json_string(json, NULL, irl_names_get(&page->fit->variants.names, c->names[v]));
  irl_json_close(json, ']');
  irl_json_bool(json, "has_others", c->has_others);
  irl_json_open(json, "combinations", '[');
  for (unsigned i = 0; i < 1u << 2 * c->n; i++)
    if ((c->counts[i][0] || c->counts[i][1]) && n++ < SHOWN) put_combination(json, c, i);
  irl_json_close(json, ']');
  irl_json_unsigned(json, "other_combinations", n > SHOWN ? n - SHOWN : 0);
  irl_json_close(json, '}');
}

irl_status irl_page_genotypes(irl_page *page) {
  const irl_rule *rule = page->fit->rule;
  if (!page->fit->variants.n || !page->fit->table) return IRL_STATUS_OK;
  irl_json_open(&page->json, "genotypes", '[');
  for (size_t k = 0; k < rule->n_clauses; k++) {
    clause *c = irl_mem_alloc(&page->env->allocator, 1, sizeof *c);
    bool is_small = true;
    if (!c) return irl_fail_memory(page->env);
    c->number = k;
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      is_small = is_small && add_literal(c, page, rule->literals[i]);
    if (is_small && c->n && count(c, page)) put_clause(page, c);
    irl_mem_free(&page->env->allocator, c);
  }
  irl_json_close(&page->json, ']');
  return IRL_STATUS_OK;
}
