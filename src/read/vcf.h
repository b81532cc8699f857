/* What the readers of VCF, as text or as BCF, and of .raw share: cells that were read, kept packed,
 * and the text from which they come, read piece by piece. */
#ifndef IRL_READ_VCF_H
#define IRL_READ_VCF_H

#include "base/input.h"
#include "read/genotypes.h"

/* Cells of variants, each two vectors of bits over all people, in blocks that do not move. */
typedef struct irl_cell_store {
  irl_genotypes g; /* first, so that whoever has it has the cells */
  size_t n_words;  /* of one vector */
  uint64_t **blocks;
  size_t n, n_blocks, blocks_capacity;
  bool has_records;          /* the file has records, not lines */
  size_t n_filtered, n_bare; /* lines left out by FILTER, and without an alternative allele */
} irl_cell_store;

#define IRL_STORE_BLOCK 1024u /* variants */

void irl_store_init(irl_cell_store *store, irl_env *env, const irl_source *source);
void irl_store_free(irl_cell_store *store);
/* Room for one more variant, all people 0. */
irl_status irl_store_add(irl_cell_store *store);
irl_packed irl_store_cells(const irl_cell_store *store, size_t place);
/* Takes a variant that is chosen, of that line or record, with a place in the store. */
irl_status irl_store_take(irl_cell_store *store, const irl_variant_line *line, size_t number);

/* Says which lines were left out. */
void irl_store_note(const irl_cell_store *store);

/* Alternative alleles of a line of VCF that are counted: not `.`, `*` or <NON_REF>. */
bool irl_vcf_is_allele(irl_slice allele);
/* Digits as a number; false: it is none. */
bool irl_vcf_number(irl_slice text, uint32_t *number);
/* The value of a dosage, from 0 to 2, or to 1 where the call has one allele, which counts twice;
 * IRL_CELL_MISSING if it is too far from a whole number. */
unsigned irl_vcf_dosage(const irl_genotypes *g, double dosage, bool is_haploid);
/* Chromosomes 1 to 22, of which everybody has two. */
bool irl_vcf_is_autosome(irl_slice chromosome);
#define IRL_MIXED_PLOIDY                                                                           \
  "one allele where others have two, or two where they have one, on a chromosome from 1 to 22"
#define IRL_HAPLOID_DOSAGE "the dosage of a call of one allele is not from 0 to 1"

/* The header of VCF, from a line that begins with #CHROM to the people. */
irl_status irl_vcf_people(irl_genotypes *g, irl_slice line, size_t number);
/* Fails if a file of bgzip does not end as such files do. */
irl_status irl_bgzf_check(const irl_input *input);

#endif
