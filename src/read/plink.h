/* Inside PLINK's files: people and variants, which every reader has whole, and genotypes. */
#ifndef IRL_READ_PLINK_H
#define IRL_READ_PLINK_H

#include "data/source.h"

#define IRL_BED_HEADER 3u
#define IRL_LEFT_OUT   UINT32_MAX
/* What the labels are called. */
static const irl_data_labels irl_plink_labels = {"phenotype", "2", "1", true};

typedef struct irl_plink {
  irl_env *env;
  const irl_source *source;
  char *stem; /* the path without .bed, with room for an extension */
  size_t stem_length;
  irl_file bim, fam;
  size_t n_people, n_variants;
  uint8_t *labels; /* of the people that are kept */
  uint32_t *slot;  /* of each person: the number among those that are kept, or IRL_LEFT_OUT */
  size_t n_kept, labels_capacity, slot_capacity;
  irl_names names; /* of the variants: rs123_A */
} irl_plink;

/* Bytes of the genotypes of one variant. */
static inline size_t irl_plink_variant_bytes(const irl_plink *r) {
  return (r->n_people + 3) / 4;
}

/* Reads .bim and .fam; to be closed also if it fails. */
irl_status irl_plink_open(irl_plink *r, irl_env *env, const irl_source *source);
void irl_plink_close(irl_plink *r);
/* Does a .bed file of that size and with these first three bytes belong to them? */
irl_status irl_plink_check_bed(irl_plink *r, const char *start, uint64_t size);
/* Fails if there is one class only, and says how many people are left out. */
irl_status irl_plink_check_people(irl_plink *r);

#endif
