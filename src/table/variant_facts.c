#include "table/variant_facts.h"
#include "base/memory.h"
#include <stdlib.h>

/* Sums over the samples that have both counts. */
double irl_variant_r2(const irl_packed *a, const irl_packed *b, size_t n_samples) {
  uint64_t n = 0, one[2] = {0}, two[2] = {0}, both[3] = {0};
  const size_t words = irl_packed_words(n_samples);
  for (size_t w = 0; w < words; w++) {
    const size_t left = n_samples - 64 * w;
    const uint64_t there = left < 64 ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    const uint64_t known = there & ~(a->low[w] & a->high[w]) & ~(b->low[w] & b->high[w]);
    const uint64_t a1 = a->low[w] & known, a2 = a->high[w] & known, b1 = b->low[w] & known,
                   b2 = b->high[w] & known;
    n += (uint64_t)__builtin_popcountll(known);
    one[0] += (uint64_t)__builtin_popcountll(a1);
    two[0] += (uint64_t)__builtin_popcountll(a2);
    one[1] += (uint64_t)__builtin_popcountll(b1);
    two[1] += (uint64_t)__builtin_popcountll(b2);
    both[0] += (uint64_t)__builtin_popcountll(a1 & b1);
    both[1] += (uint64_t)__builtin_popcountll((a1 & b2) | (a2 & b1));
    both[2] += (uint64_t)__builtin_popcountll(a2 & b2);
  }
  const double all = (double)n, x = (double)(one[0] + 2 * two[0]),
               y = (double)(one[1] + 2 * two[1]), xx = (double)(one[0] + 4 * two[0]),
               yy = (double)(one[1] + 4 * two[1]),
               xy = (double)(both[0] + 2 * both[1] + 4 * both[2]);
  const double spread = (all * xx - x * x) * (all * yy - y * y), shared = all * xy - x * y;
  return spread > 0 ? shared * shared / spread : (double)NAN;
}

static void count_genotypes(const irl_table *table, const irl_packed *cells,
                            irl_variant_fact *fact) {
  for (uint32_t i = 0; i < table->n_samples; i++)
    fact->genotypes[table->labels && table->labels[i]][irl_packed_get(cells, i)]++;
  for (int class = 0; class < 2; class ++) {
    const uint32_t *n = fact->genotypes[class];
    const double known = 2.0 * (n[0] + n[1] + n[2]);
    fact->frequency[class] = known > 0 ? (n[1] + 2.0 * n[2]) / known : (double)NAN;
  }
}

/* Keeps the partners of the highest r2, nearer ones first among equals, in that order. */
static void keep_partner(irl_variant_fact *fact, const irl_ld_partner *partner) {
  uint32_t at = fact->n_partners;
  fact->n_linked++;
  while (at && (partner->r2 > fact->partners[at - 1].r2 ||
                (partner->r2 >= fact->partners[at - 1].r2 &&
                 llabs(partner->distance) < llabs(fact->partners[at - 1].distance))))
    at--;
  if (at == IRL_LD_SHOWN) return;
  const uint32_t kept = fact->n_partners < IRL_LD_SHOWN ? fact->n_partners : IRL_LD_SHOWN - 1;
  memmove(&fact->partners[at + 1], &fact->partners[at], (kept - at) * sizeof *fact->partners);
  fact->partners[at] = *partner;
  fact->n_partners = kept + 1;
}

static void find_partners(irl_cell_reader *others, const irl_packed *cells, double least,
                          irl_variant_fact *fact) {
  const irl_table *table = others->table;
  const irl_variant *places = table->variants.items, *own = &places[fact->column];
  for (uint32_t j = 0; j < table->names.n; j++) {
    const int64_t distance = (int64_t)places[j].position - (int64_t)own->position;
    if (j == fact->column || places[j].chromosome != own->chromosome ||
        llabs(distance) > (int64_t)IRL_LD_WINDOW)
      continue;
    const irl_packed *other = irl_cells_read(others, j);
    if (!other) return;
    const double r2 = irl_variant_r2(cells, other, table->n_samples);
    const irl_ld_partner partner = {j, distance, r2};
    if (r2 >= least) keep_partner(fact, &partner); /* NaN is not */
  }
}

/* Names and places of all columns that are spoken of, so that the facts outlive the table. */
static bool keep_name(irl_variant_facts *facts, const irl_table *table, uint32_t *column) {
  const char *name = irl_names_get(&table->names, *column);
  const irl_variants *v = &table->variants;
  const irl_variant *place = &v->items[*column];
  const char *texts[] = {irl_names_get(&v->texts, place->chromosome),
                         irl_names_get(&v->texts, place->counted),
                         irl_names_get(&v->texts, place->other)};
  const irl_variant_text text = {texts[0],         texts[1],         texts[2],
                                 strlen(texts[0]), strlen(texts[1]), strlen(texts[2]),
                                 place->position};
  const size_t before = facts->names.n;
  if (!irl_names_intern(&facts->names, name, strlen(name), column)) return false;
  return facts->names.n == before || irl_variants_add(&facts->places, &text);
}

/* `readers`: for the variant itself and for others. */
static irl_status fill_fact(irl_env *env, irl_cell_reader readers[2], const irl_options *options,
                            irl_variant_facts *facts, irl_variant_fact *fact) {
  const irl_table *table = readers[0].table;
  const irl_packed *cells = irl_cells_read(&readers[0], fact->column);
  const irl_variant *place = &table->variants.items[fact->column];
  const irl_bytes *genes = options->genotypes.genes;
  irl_status status = IRL_STATUS_OK;
  if (!cells) return irl_cells_check(env, table, false);
  count_genotypes(table, cells, fact);
  find_partners(&readers[1], cells, facts->r2, fact);
  if (genes)
    status = irl_gene_at(env, genes, irl_names_get(&table->variants.texts, place->chromosome),
                         place->position, &fact->gene);
  bool done = keep_name(facts, table, &fact->column);
  for (uint32_t k = 0; k < fact->n_partners && done; k++)
    done = keep_name(facts, table, &fact->partners[k].column);
  return !status && !done ? irl_fail_memory(env) : status;
}

irl_status irl_variant_facts_check(irl_env *env, const irl_table *table,
                                   const irl_options *options) {
  const bool has_r2 = irl_option_is_set(irl_option_find("ld_r2"), options);
  const irl_bytes *genes = options->genotypes.genes;
  if (table->variants.items) return genes ? irl_genes_check(env, genes) : IRL_STATUS_OK;
  if (!genes && !has_r2) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "option %s has no effect on data that are no genotypes",
                  has_r2 ? "ld_r2" : "genes");
}

irl_status irl_variant_facts_make(irl_env *env, const irl_table *table, const irl_names *columns,
                                  const irl_options *options, irl_variant_facts *facts) {
  irl_status status = IRL_STATUS_OK;
  *facts = (irl_variant_facts){.allocator = env->allocator, .r2 = options->genotypes.ld_r2};
  irl_names_init(&facts->names, &env->allocator);
  irl_variants_init(&facts->places, &env->allocator);
  if (!table->variants.items) return IRL_STATUS_OK;
  facts->items = irl_mem_alloc(&env->allocator, columns->n, sizeof *facts->items);
  irl_cell_reader readers[2];
  bool is_whole = true;
  for (int i = 0; i < 2; i++)
    is_whole = irl_cell_reader_init(&readers[i], table, &env->allocator) && is_whole;
  if (!facts->items || !is_whole) status = irl_fail_memory(env);
  for (size_t i = 0; i < columns->n && !status; i++) {
    const char *name = irl_names_get(columns, i);
    const uint32_t column = irl_names_find(&table->names, name, strlen(name));
    if (column == IRL_NO_NAME || table->variants.items[column].chromosome == IRL_NO_VARIANT)
      continue;
    irl_variant_fact *fact = &facts->items[facts->n++];
    fact->column = column;
    status = fill_fact(env, readers, options, facts, fact);
  }
  for (int i = 0; i < 2; i++) is_whole = irl_cell_reader_end(&readers[i]) && is_whole;
  if (!status) status = irl_cells_check(env, table, is_whole);
  if (status != IRL_STATUS_BAD_INPUT || !table->cell_file) return status;
  /* A rule that took long to find is not lost because the file is another one by now. */
  irl_log(env, IRL_LOG_WARNING, "%s; so nothing is said of the rule's variants",
          irl_env_error(env));
  while (facts->n) irl_mem_free(&facts->allocator, facts->items[--facts->n].gene);
  return IRL_STATUS_OK;
}

void irl_variant_facts_free(irl_variant_facts *facts) {
  if (!facts->allocator.resize) return;
  for (size_t i = 0; i < facts->n; i++) irl_mem_free(&facts->allocator, facts->items[i].gene);
  irl_mem_free(&facts->allocator, facts->items);
  irl_names_free(&facts->names);
  irl_variants_free(&facts->places);
}
