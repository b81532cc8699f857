/* Where the columns of genotypes lie in the genome: chromosome, position and alleles of variants.
 *
 * Chromosomes are called 1 to 22, X, Y, XY and MT, whatever a file calls them (chr1, 23, chrM);
 * other contigs keep their names. */
#ifndef IRL_TABLE_VARIANTS_H
#define IRL_TABLE_VARIANTS_H

#include "data/names.h"

#define IRL_NO_VARIANT UINT32_MAX /* as a chromosome: the column is no variant */

typedef struct irl_variant {
  uint32_t chromosome, counted, other; /* texts; the counted allele and the other one */
  uint32_t position;                   /* 0: not known */
} irl_variant;

typedef struct irl_variants {
  irl_allocator allocator;
  irl_names texts; /* indexed */
  irl_variant *items;
  size_t n, capacity;
  uint32_t n_sex[3]; /* samples whose sex is not known, men, women */
} irl_variants;

void irl_variants_init(irl_variants *variants, const irl_allocator *allocator);
void irl_variants_free(irl_variants *variants);
/* Texts of a variant before they are kept. */
typedef struct irl_variant_text {
  const char *chromosome, *counted, *other;
  size_t chromosome_length, counted_length, other_length;
  uint32_t position;
} irl_variant_text;
/* False: out of memory. */
bool irl_variants_add(irl_variants *variants, const irl_variant_text *text);

#define IRL_CHROMOSOME_SIZE 64
/* The name of a chromosome as it is called here. */
size_t irl_chromosome_name(const char *text, size_t length, char name[IRL_CHROMOSOME_SIZE]);

static inline const char *irl_variant_chromosome(const irl_variants *v, size_t i) {
  return irl_names_get(&v->texts, v->items[i].chromosome);
}

#endif
