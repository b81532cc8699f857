/* What `ireland info` says of genotypes: sexes, missing calls, variants by chromosome, their
 * frequencies, those that are there twice under other names, and what filters would leave. */
#include "table/genotype_render.h"
#include "base/contract.h"
#include "base/memory.h"

#define N_BINS 10u /* of frequencies from 0 to 0.5 */

typedef struct overview {
  uint32_t women, men, sex_not_known;
  size_t n_variants, n_missing, n_twice;
  double missing_rate;
  size_t bins[N_BINS]; /* by the frequency of the rarer allele */
  size_t *by_text;     /* variants per text that is a chromosome */
  size_t maf_01, maf_05, missing_01, missing_05;
} overview;

#define FIELD(name, member) IRL_FIELD_AS(overview, name, member)
static const irl_field overview_fields[] = {FIELD("men", men),
                                            FIELD("women", women),
                                            FIELD("sex_not_known", sex_not_known),
                                            FIELD("variants", n_variants),
                                            FIELD("duplicates", n_twice),
                                            FIELD("missing_calls", n_missing),
                                            FIELD("missing_rate", missing_rate),
                                            IRL_FIELDS_END};
static const irl_field bin_fields[] = {IRL_FIELD_LIST(overview, "frequency_bins", bins[0], N_BINS),
                                       IRL_FIELDS_END};
static const irl_field filter_fields[] = {FIELD("maf 0.01", maf_01), FIELD("maf 0.05", maf_05),
                                          FIELD("geno 0.01", missing_01),
                                          FIELD("geno 0.05", missing_05), IRL_FIELDS_END};

/* Of one variant: frequency of the rarer allele among all samples, NaN without calls. */
static double rarer(const irl_table *table, size_t j, const irl_packed *cells) {
  const size_t n = table->n_samples;
  const double one = (double)irl_packed_count(cells, n, 1),
               two = (double)irl_packed_count(cells, n, 2);
  const double all = 2 * (double)(n - table->columns[j].n_missing);
  const double share = all > 0 ? (one + 2 * two) / all : (double)NAN;
  return share <= 0.5 ? share : 1 - share;
}

static irl_status look(irl_env *env, const irl_table *table, overview *o) {
  const irl_variants *v = &table->variants;
  const double n = table->n_samples;
  irl_hash_index seen;
  irl_cell_reader cells, others; /* the others are those that may be the same */
  *o = (overview){.sex_not_known = v->n_sex[0],
                  .men = v->n_sex[1],
                  .women = v->n_sex[2],
                  .by_text = irl_mem_alloc(&env->allocator, v->texts.n, sizeof *o->by_text)};
  irl_hash_index_init(&seen, &env->allocator);
  irl_status status = o->by_text && irl_hash_index_reserve(&seen, table->names.n)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(env);
  bool is_whole = irl_cell_reader_init(&cells, table, &env->allocator);
  is_whole = irl_cell_reader_init(&others, table, &env->allocator) && is_whole;
  const size_t bytes = 2 * irl_packed_words(table->n_samples) * sizeof(uint64_t);
  for (uint32_t j = 0; j < table->names.n && !status && is_whole; j++) {
    if (v->items[j].chromosome == IRL_NO_VARIANT) continue;
    const irl_column *c = &table->columns[j];
    const irl_packed *own = irl_cells_read(&cells, j);
    if (!own) break;
    const double share = rarer(table, j, own);
    const uint64_t hash = irl_hash_of(&seen, own->low, bytes);
    irl_hash_probe probe = irl_hash_probe_start(&seen, hash);
    uint32_t k;
    while ((k = irl_hash_probe_next(&probe)) != IRL_HASH_NONE) {
      const irl_packed *other = irl_cells_read(&others, k);
      if (other && !memcmp(other->low, own->low, bytes)) break;
    }
    if (k == IRL_HASH_NONE)
      irl_hash_index_insert(&seen, hash, j);
    else
      o->n_twice++;
    o->n_variants++;
    o->n_missing += c->n_missing;
    o->by_text[v->items[j].chromosome]++;
    if (share >= 0) o->bins[share < 0.5 ? (size_t)(2 * N_BINS * share) : N_BINS - 1]++;
    o->maf_01 += share >= 0.01;
    o->maf_05 += share >= 0.05;
    o->missing_01 += (double)c->n_missing <= 0.01 * n;
    o->missing_05 += (double)c->n_missing <= 0.05 * n;
  }
  if (o->n_variants && n > 0) o->missing_rate = (double)o->n_missing / ((double)o->n_variants * n);
  irl_hash_index_free(&seen);
  is_whole = irl_cell_reader_end(&cells) && is_whole;
  is_whole = irl_cell_reader_end(&others) && is_whole;
  return status ? status : irl_cells_check(env, table, is_whole);
}

static void print_overview(irl_text *text, const irl_table *table, const overview *o) {
  const irl_variants *v = &table->variants;
  irl_fields_print(text, overview_fields, o,
                   "sexes     {men} men, {women} women, {sex_not_known} not known\n"
                   "variants  {variants}, {duplicates} of them with the genotypes of another\n"
                   "missing   {missing_calls} calls ({missing_rate:.3p} %)\n"
                   "\nchromosome  variants\n");
  for (size_t i = 0; i < v->texts.n; i++)
    if (o->by_text[i])
      irl_text_printf(text, "%-10s %9zu\n", irl_names_get(&v->texts, i), o->by_text[i]);
  irl_text_puts(text, "\nfrequency of the rarer allele\n");
  for (size_t i = 0; i < N_BINS; i++)
    irl_text_printf(text, "%.2f to %.2f %9zu\n", (double)i / (2 * N_BINS),
                    (double)(i + 1) / (2 * N_BINS), o->bins[i]);
  irl_fields_print(text, filter_fields, o,
                   "\nfilters would leave of the variants: --maf 0.01 {maf 0.01}, --maf 0.05 "
                   "{maf 0.05}, --geno 0.01 {geno 0.01}, --geno 0.05 {geno 0.05}\n");
}

static void put_overview(irl_json *json, const irl_table *table, const overview *o) {
  const irl_variants *v = &table->variants;
  irl_json_open(json, "genotypes", '{');
  irl_fields_put(json, overview_fields, o);
  irl_json_open(json, "chromosomes", '{');
  for (size_t i = 0; i < v->texts.n; i++)
    if (o->by_text[i]) irl_json_unsigned(json, irl_names_get(&v->texts, i), o->by_text[i]);
  irl_json_close(json, '}');
  irl_fields_put(json, bin_fields, o);
  irl_fields_put_object(json, "left_by", filter_fields, o);
  irl_json_close(json, '}');
}

irl_status irl_genotypes_print(irl_env *env, const irl_table *table, irl_text *text) {
  overview o;
  const irl_status status = look(env, table, &o);
  if (!status) print_overview(text, table, &o);
  irl_mem_free(&env->allocator, o.by_text);
  return status;
}

irl_status irl_genotypes_put(irl_env *env, const irl_table *table, irl_json *json) {
  overview o;
  const irl_status status = look(env, table, &o);
  if (!status) put_overview(json, table, &o);
  irl_mem_free(&env->allocator, o.by_text);
  return status;
}
