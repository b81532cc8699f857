/* What people ask of the variants of a rule: where they lie, in which gene, how frequent the
 * counted allele is among cases and controls, and which other variants carry the same information.
 *
 * Linkage disequilibrium is the squared correlation of allele counts over the samples that have
 * both (r2, as plink --r2 has it), on the same chromosome and within 1,000,000 base pairs. Files
 * without places (.raw) are one chromosome. */
#ifndef IRL_TABLE_VARIANT_FACTS_H
#define IRL_TABLE_VARIANT_FACTS_H

#include "table/raw_table.h"

#define IRL_LD_WINDOW 1000000u /* base pairs */
#define IRL_LD_SHOWN  10u      /* partners that are kept, those of the highest r2 */

typedef struct irl_ld_partner {
  uint32_t column;
  int64_t distance; /* base pairs, negative before it */
  double r2;
} irl_ld_partner;

typedef struct irl_variant_fact {
  uint32_t column;
  uint32_t genotypes[2][4]; /* controls, cases: 0, 1, 2 counted alleles, missing */
  double frequency[2];      /* of the counted allele; NaN: nobody has a call */
  irl_ld_partner partners[IRL_LD_SHOWN];
  uint32_t n_partners; /* that are kept, */
  uint32_t n_linked;   /* of so many */
  char *gene;          /* NULL: none, or no genes are given */
} irl_variant_fact;

typedef struct irl_variant_facts {
  irl_allocator allocator;
  irl_variant_fact *items;
  size_t n;
  double r2;           /* from which partners count */
  irl_names names;     /* of the columns that are named here, by `name_of` */
  irl_variants places; /* of the same */
} irl_variant_facts;

/* Facts about the columns of that name that are variants; none where the table has no genotypes. */
irl_status irl_variant_facts_make(irl_env *env, const irl_table *table, const irl_names *columns,
                                  const irl_options *options, irl_variant_facts *facts);
/* Fails if options ask for them and there are none. */
irl_status irl_variant_facts_check(irl_env *env, const irl_table *table,
                                   const irl_options *options);
void irl_variant_facts_free(irl_variant_facts *facts);
/* r2 of two columns of genotypes; NaN: one of them does not vary where both have calls. */
double irl_variant_r2(const irl_packed *a, const irl_packed *b, size_t n_samples);

/* Fails if no line names a gene, before a long search finds that out. */
irl_status irl_genes_check(irl_env *env, const irl_bytes *genes);
/* The gene at a place, from lines of BED (chromosome, start, end, name) or GFF: its name, or "near
 * NAME (12 kb)"; NULL: none within 50 kb (genes.c). */
irl_status irl_gene_at(irl_env *env, const irl_bytes *genes, const char *chromosome,
                       uint32_t position, char **gene);

#endif
