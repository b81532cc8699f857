/* Genotypes of people from any format (.bed, .vcf, .bcf, .raw), and what PLINK's options make of
 * them.
 *
 * A reader gives people and variants with their places, and the cells of a variant when asked:
 * counts of one allele, 0, 1, 2 or missing, of all people in the order of the file. What is left of
 * both is decided here, in plink 1.9's order: variants by place and identifier as they are read,
 * people by keep and remove, then by missing calls (mind), then variants by missing calls (geno),
 * Hardy-Weinberg (hwe) and frequency (maf), then by linkage disequilibrium (prune_ld); people
 * without a phenotype count in all of these and go last. Only founders count for hwe and maf, only
 * controls for hwe, only males on Y, and males have one allele on X.
 *
 * Where a rule asks for its own columns (source->only), variants are not filtered. */
#ifndef IRL_READ_GENOTYPES_H
#define IRL_READ_GENOTYPES_H

#include "base/text.h"
#include "data/word_rows.h"
#include "table/raw_table.h"
#include "table/variants.h"

typedef enum irl_sex { IRL_SEX_UNKNOWN, IRL_SEX_MALE, IRL_SEX_FEMALE } irl_sex;
typedef enum irl_phenotype { IRL_NO_PHENOTYPE, IRL_CONTROL, IRL_CASE } irl_phenotype;

typedef struct irl_person {
  uint8_t sex, phenotype;
  bool is_founder, is_kept;
} irl_person;

typedef struct irl_variant_choice irl_variant_choice;
typedef struct irl_covariates irl_covariates;

typedef struct irl_genotypes irl_genotypes;
struct irl_genotypes {
  irl_env *env;
  const irl_source *source;
  irl_genotypes_options options;
  const char *people_path, *variants_path; /* where they stand, for messages */
  /* people */
  bool by_name;       /* they have one name (VCF), not two (PLINK: family and own) */
  bool has_phenotype; /* the file has phenotypes itself, or another one that is given */
  irl_names ids;      /* indexed; family, tab, name, or the name alone */
  irl_person *people;
  size_t n_people, people_capacity;
  char *target; /* what the phenotype is called */
  /* variants that were chosen by place and identifier, with their number in the file */
  irl_variant_choice *choice;
  irl_names names; /* of the columns: rs123_A, indexed */
  irl_variants variants;
  irl_covariates *covariates; /* whose names follow those of the variants; NULL: none */
  uint64_t *places;
  size_t n_read, places_capacity; /* variants of the file so far */
  /* The cells of a variant (a number below names.n) of all people into `cells`, which has room for
   * them and may be pointed elsewhere. */
  void (*cells)(const irl_genotypes *g, size_t variant, irl_packed *cells);
  const irl_cell_file *stays; /* how they stand in the file, if they may stay there */
  /* what is left */
  uint8_t *is_left; /* per variant */
  uint64_t *mask;   /* of the people that are samples */
  uint8_t *labels;  /* of the samples */
  size_t n_samples;
};

void irl_genotypes_init(irl_genotypes *g, irl_env *env, const irl_source *source);
void irl_genotypes_free(irl_genotypes *g);
/* ---- people (people.c) ---- */
typedef struct irl_person_text {
  irl_slice family, name;
  irl_sex sex;
  bool is_founder;
} irl_person_text;
irl_status irl_people_add(irl_genotypes *g, const irl_person_text *text, irl_phenotype phenotype);
/* The same by the fields of a .fam file: family, name, father, mother, sex. */
irl_status irl_people_add_fam(irl_genotypes *g, const irl_slice *fields, irl_phenotype phenotype);
/* NA, nan, ., -9 or nothing, for covariates too. */
bool irl_phenotype_is_missing(irl_slice text);
/* A phenotype as PLINK writes it; false: it is none. */
bool irl_phenotype_parse(const irl_genotypes *g, irl_slice text, irl_phenotype *phenotype);
/* Once all are there: names that are there twice, phenotypes of another file, keep and remove. */
irl_status irl_people_finish(irl_genotypes *g);

/* The names of those who are samples, as what identifies them. */
irl_status irl_people_identify(const irl_genotypes *g, irl_table *table);

/* ---- variants (variant_choice.c) ---- */
typedef struct irl_variant_line {
  irl_slice chromosome, id, counted, other;
  uint32_t position;
} irl_variant_line;
irl_status irl_variant_choice_init(irl_genotypes *g);
void irl_variant_choice_free(irl_genotypes *g);
/* Is it one of those that are asked for? */
bool irl_variant_is_chosen(const irl_genotypes *g, const irl_variant_line *line);
/* Takes it over, under a name of its own; *is_twice: it has none. */
irl_status irl_variants_take(irl_genotypes *g, const irl_variant_line *line, bool *is_twice);

/* ---- what is left (genotypes.c) ---- */
/* Of the variants that are left, those that go for linkage disequilibrium (ld_prune.c), by what the
 * founders have, and the men of them; `frequency` of the counted allele. */
irl_status irl_genotypes_prune(irl_genotypes *g, const uint64_t *founders, const uint64_t *men,
                               const double *frequency);
/* All of it, and the columns of the table. */
irl_status irl_genotypes_table(irl_genotypes *g, irl_table *table);

/* ---- files that name people (id_file.c) ---- */
typedef struct irl_id_file {
  irl_word_rows rows; /* separated by blanks and tabs, or by commas if the first line has one */
  bool has_header;
  bool may_repeat;   /* a list may name a person again */
  size_t n_ids;      /* words that name a person: 1 or 2 */
  irl_slice *header; /* all words of it */
  size_t n_columns;  /* of the first line */
  uint8_t *is_named; /* per person of the genotypes: some line so far names it */
} irl_id_file;
irl_status irl_id_file_open(const irl_genotypes *g, const irl_bytes *bytes, const char *name,
                            irl_id_file *file);
/* The next line; false: there is none, or it cannot be read (*status). */
bool irl_id_file_next(irl_id_file *file, irl_status *status);
/* The person of the current line; *person UINT32_MAX: nobody in the file is called so. */
irl_status irl_id_file_person(const irl_genotypes *g, irl_id_file *file, uint32_t *person);
void irl_id_file_close(irl_id_file *file);
/* Says what is wrong with the current line, or with the file as a whole. */
#define irl_id_file_fail(file, ...)                                                                \
  irl_word_rows_fail(&(file)->rows, (file)->rows.line, __VA_ARGS__)
#define irl_id_file_fail_whole(file, ...)                                                          \
  irl_word_rows_fail(&(file)->rows, (file)->rows.text, __VA_ARGS__)

/* ---- covariates (covariates.c) ---- */
/* Reads them once the samples are chosen; their names are added to those of the columns. */
irl_status irl_covariates_read(irl_genotypes *g);
irl_status irl_covariates_bring(const irl_genotypes *g, size_t k, irl_column *into);
void irl_covariates_free(irl_genotypes *g);

/* p of the exact test of Hardy-Weinberg equilibrium for counts of genotypes (hwe.c). */
double irl_hwe_exact(uint32_t heterozygous, uint32_t first, uint32_t second);

#endif
