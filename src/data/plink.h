/* Inside PLINK's files: people and variants, which every reader has whole, and genotypes. */
#ifndef IRL_DATA_PLINK_H
#define IRL_DATA_PLINK_H

#include "data/source.h"

#define IRL_BED_HEADER 3u
#define IRL_LEFT_OUT   UINT32_MAX

typedef struct irl_plink {
  irl_env *env;
  const irl_source *source;
  char *stem; /* the path without .bed, with room for an extension */
  size_t stem_length;
  irl_file bim, fam;
  size_t n_people, n_variants;
  uint8_t *labels; /* of the people that are kept */
  uint32_t *slot;  /* of each person: case i is i, control i is n_cases + i, or IRL_LEFT_OUT */
  size_t n_kept, labels_capacity, slot_capacity;
  irl_names names;    /* of the features that are kept, */
  uint32_t *variants; /* and 4 * variant + (0 dom, 1 rec, 2 !dom, 3 !rec) for each */
  size_t n_features, variants_capacity;
} irl_plink;

/* Of the genotypes of one variant. */
static inline size_t irl_plink_variant_bytes(const irl_plink *r) {
  return (r->n_people + 3) / 4;
}

/* Reads .bim and .fam; to be closed also if it fails. */
irl_status irl_plink_open(irl_plink *r, irl_env *env, const irl_source *source);
void irl_plink_close(irl_plink *r);
/* The path with another extension, until it is asked for the next. */
const char *irl_plink_path(irl_plink *r, const char *extension);
/* Does a .bed file of that size and with these first three bytes belong to them? */
irl_status irl_plink_check_bed(irl_plink *r, const char *start, uint64_t size);
/* Names, labels and meanings, without matrices; the slots are there afterwards. */
irl_status irl_plink_create(irl_plink *r, irl_data **data);
/* One feature from its variant's genotypes: slots below n_cases are bits of the cases' vector, the
 * others of the controls'. */
void irl_plink_fill(const irl_plink *r, uint32_t feature, const char *variant, size_t n_cases,
                    uint64_t *cases, uint64_t *controls);

#endif
