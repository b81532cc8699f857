/* What the readers of VCF, as text or as BCF, and of .raw share: cells that were read, kept packed,
 * and the text from which they come, read piece by piece. BCF is brought as the text that it stands
 * for (bcf.c), so there is one reader of both. */
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

/* Where the text of VCF comes from. */
typedef struct irl_vcf_text {
  /* Fewer bytes than asked for: the text ends here. */
  irl_status (*read)(void *user, char *bytes, size_t n, size_t *got);
  void *user;
  size_t room; /* for the text to begin with */
  bool has_records;
} irl_vcf_text;

irl_status irl_vcf_read_text(irl_env *env, const irl_source *source, const irl_vcf_text *text,
                             irl_table *table);
#define IRL_VCF_ROOM ((size_t)8 << 20) /* the usual one */

/* Fails if a file of bgzip does not end as such files do. */
irl_status irl_bgzf_check(const irl_input *input);

#endif
