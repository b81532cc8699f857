/* Inside PLINK's files: people and variants, which every reader has whole, and genotypes. */
#ifndef IRL_READ_PLINK_H
#define IRL_READ_PLINK_H

#include "read/genotypes.h"

#define IRL_BED_HEADER 3u

typedef struct irl_plink {
  irl_genotypes g; /* first, so that whoever has it has the rest */
  char *stem;      /* the path without .bed, with room for an extension */
  char *bim_path, *fam_path;
  size_t stem_length;
  irl_file bim, fam, bed;
} irl_plink;

/* Bytes of the genotypes of one variant. */
static inline size_t irl_plink_variant_bytes(const irl_plink *r) {
  return (r->g.n_people + 3) / 4;
}

/* Reads .bim and .fam; to be closed also if it fails. */
irl_status irl_plink_open(irl_plink *r, irl_env *env, const irl_source *source);
void irl_plink_close(irl_plink *r);
/* Does a .bed file of that size and with these first three bytes belong to them? */
irl_status irl_plink_check_bed(irl_plink *r, const char *start, uint64_t size);

#endif
