/* PLINK's binary genotypes: .bed (SNP-major), .bim (variants), .fam (people).
 *
 * A variant is a SNP column that counts alleles, called as `plink --recode A` calls it: `rs123_A`
 * for the first allele of the .bim line. Two bits per person, lowest first: 00 two counted alleles,
 * 10 one, 11 none, 01 missing. Phenotype 2 is a case, 1 a control; people with 0 or -9 are left
 * out. What PLINK's options leave of them is decided in genotypes.c. */
#include "base/c_locale.h"
#include "base/limit.h"
#include "base/memory.h"
#include "read/genotypes.h"
#include <unistd.h>

#define BED_HEADER    3u
#define VARIANTS_STEP 10000u /* after which limits are looked at */
#define MAX_VARIANTS  (UINT32_MAX / 4 - 512)

typedef struct plink {
  irl_genotypes g; /* first, so that whoever has it has the rest */
  char *stem;      /* the path without .bed, with room for an extension */
  char *bim_path, *fam_path;
  size_t stem_length;
  irl_file bim, fam, bed;
} plink;

/* Bytes of the genotypes of one variant. */
static size_t variant_bytes(const plink *r) {
  return (r->g.n_people + 3) / 4;
}

/* The path with another extension, until it is asked for the next. */
static const char *path_of(plink *r, const char *extension) {
  strcpy(r->stem + r->stem_length, extension);
  return r->stem;
}

#define fail_at(r, extension, file, where, ...)                                                    \
  irl_source_fail((r)->g.env, (irl_place){path_of(r, extension), (file)->bytes, where, {0, 0}},    \
                  __VA_ARGS__)

/* Blank lines may stand at the end. */
static bool is_done(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
  return at == end;
}

/* Six fields separated by blanks or tabs. Returns the next line, NULL if they are not six. */
static const char *read_fields(const char *at, const char *end, irl_slice fields[6]) {
  for (int i = 0; i < 6; i++) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    fields[i].text = at;
    while (at < end && *at && *at != ' ' && *at != '\t' && *at != '\n' && *at != '\r') at++;
    fields[i].length = (size_t)(at - fields[i].text);
    if (!fields[i].length) return NULL;
  }
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
  if (at < end && *at != '\n') return NULL;
  return at < end ? at + 1 : at;
}

/* FID IID father mother sex phenotype. A person whose parents are not there is a founder only if
 * both are 0, as for plink. */
static irl_status read_fam(plink *r) {
  irl_slice fields[6];
  const char *at = r->fam.bytes, *end = at + r->fam.size;
  irl_status status = IRL_STATUS_OK;
  while (!is_done(at, end) && !status) {
    const char *line = at;
    irl_phenotype phenotype = IRL_NO_PHENOTYPE;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".fam", &r->fam, line, "this line does not have six fields");
    /* Another file may have the phenotypes, and then these are not looked at. */
    if (!r->g.options.pheno && !r->g.source->no_labels &&
        !irl_phenotype_parse(&r->g, fields[5], &phenotype))
      return fail_at(r, ".fam", &r->fam, fields[5].text, "this phenotype is not %s",
                     r->g.options.pheno_01 ? "0 (control), 1 (case) or -9 (missing)"
                                           : "1 (control), 2 (case), 0 or -9 (missing)");
    status = irl_people_add_fam(&r->g, fields, phenotype);
  }
  if (!status && !r->g.n_people)
    status = fail_at(r, ".fam", &r->fam, r->fam.bytes, "no person has a phenotype of 1 or 2");
  r->g.has_phenotype = true;
  return status ? status : irl_people_finish(&r->g);
}

/* A position, 0 if it is none. */
static uint32_t read_position(irl_slice text) {
  uint64_t value = 0;
  for (size_t i = 0; i < text.length && irl_c_is_digit(text.text[i]) && value <= UINT32_MAX; i++)
    value = 10 * value + (uint64_t)(text.text[i] - '0');
  return value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* Chromosome, identifier, centimorgans, position, counted allele, other allele. A negative position
 * is how people take a variant out, as for plink. */
static irl_status read_bim(plink *r) {
  irl_genotypes *g = &r->g;
  irl_slice fields[6];
  const char *at = r->bim.bytes, *end = at + r->bim.size;
  irl_status status = irl_variant_choice_init(g);
  while (!status && !is_done(at, end)) {
    const char *line = at;
    bool is_twice = false;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".bim", &r->bim, line, "this line does not have six fields");
    if (g->n_read >= MAX_VARIANTS) return fail_at(r, ".bim", &r->bim, line, "too many variants");
    const irl_variant_line variant = {.chromosome = fields[0],
                                      .id = fields[1],
                                      .position = read_position(fields[3]),
                                      .counted = fields[4],
                                      .other = fields[5]};
    if (*fields[3].text != '-' && irl_variant_is_chosen(g, &variant))
      status = irl_variants_take(g, &variant, &is_twice);
    if (is_twice)
      return fail_at(r, ".bim", &r->bim, line, "variant '%.*s_%.*s' is there twice",
                     (int)fields[1].length, fields[1].text, (int)fields[4].length, fields[4].text);
    if (++g->n_read % VARIANTS_STEP == 0 && irl_reading_limit_reached(g->env))
      return irl_reading_fail(g->env, r->bim_path);
  }
  if (!status && !g->n_read)
    status = fail_at(r, ".bim", &r->bim, r->bim.bytes, "there are no variants");
  return status;
}

/* Does the .bed file belong to .bim and .fam? */
static irl_status check_bed(plink *r, const irl_file *bed) {
  const char *start = bed->bytes;
  const uint64_t size = bed->size;
  const uint64_t wanted = BED_HEADER + (uint64_t)r->g.n_read * variant_bytes(r);
  const char *path = path_of(r, ".bed");
  if (size < BED_HEADER || memcmp(start, "\x6c\x1b", 2))
    return irl_fail(r->g.env, IRL_STATUS_BAD_INPUT, "%s: offset 0: this is not a PLINK .bed file",
                    path);
  if (start[2] != 1)
    return irl_fail(r->g.env, IRL_STATUS_BAD_INPUT,
                    "%s: offset 2: people by people order; plink --make-bed writes the other",
                    path);
  if (size != wanted)
    return irl_fail(
        r->g.env, IRL_STATUS_BAD_INPUT,
        "%s: offset %llu: the file has %llu bytes, but %zu people and %zu variants need %llu", path,
        (unsigned long long)(size < wanted ? size : wanted), (unsigned long long)size,
        r->g.n_people, r->g.n_read, (unsigned long long)wanted);
  return IRL_STATUS_OK;
}

/* A file beside the .bed, also a compressed one. */
static irl_status open_beside(plink *r, const char *extension, irl_file *file, char **path) {
  char compressed[16];
  snprintf(compressed, sizeof compressed, "%s.gz", extension);
  const bool is_compressed =
      access(path_of(r, extension), F_OK) && !access(path_of(r, compressed), F_OK);
  const char *chosen = path_of(r, is_compressed ? compressed : extension);
  *path = irl_mem_copy_text(&r->g.env->allocator, chosen, strlen(chosen));
  return *path ? irl_file_open(r->g.env, *path, file) : irl_fail_memory(r->g.env);
}

/* Reads .bim and .fam; to be closed also if it fails. */
static irl_status open_files(plink *r, irl_env *env, const irl_source *source) {
  size_t length = strlen(source->path);
  *r = (plink){.stem_length = 0};
  irl_genotypes_init(&r->g, env, source);
  if (length > 3 && irl_c_equal_ignoring_case(source->path + length - 3, ".gz", 3)) length -= 3;
  r->stem = irl_mem_alloc(&env->allocator, length + 8, 1);
  if (!r->stem) return irl_fail_memory(env);
  memcpy(r->stem, source->path, length);
  r->stem_length = length - strlen(".bed");
  irl_status status = open_beside(r, ".bim", &r->bim, &r->bim_path);
  if (!status) status = open_beside(r, ".fam", &r->fam, &r->fam_path);
  if (status) return status;
  r->g.people_path = r->fam_path;
  r->g.variants_path = r->bim_path;
  status = read_fam(r);
  return status ? status : read_bim(r);
}

static void close_files(plink *r) {
  if (!r->g.env) return;
  const irl_allocator allocator = r->g.env->allocator;
  irl_file_close(&r->bim);
  irl_file_close(&r->fam);
  irl_file_close(&r->bed);
  irl_genotypes_free(&r->g);
  irl_mem_free(&allocator, r->stem);
  irl_mem_free(&allocator, r->bim_path);
  irl_mem_free(&allocator, r->fam_path);
}

/* ---- the table ---- */

/* The even bits of a word, together in its lower half. */
static uint64_t even_bits(uint64_t x) {
  x &= 0x5555555555555555u;
  x = (x | x >> 1) & 0x3333333333333333u;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
  x = (x | x >> 8) & 0x0000ffff0000ffffu;
  return (x | x >> 16) & 0x00000000ffffffffu;
}

/* The genotypes of 32 people from byte `at` on; beyond the last person anything. */
static uint64_t load(const unsigned char *genotypes, size_t at, size_t size) {
  uint64_t word = 0;
  for (size_t b = 0; b < 8 && at + b < size; b++) word |= (uint64_t)genotypes[at + b] << 8 * b;
  return word;
}

/* A code has a lower bit b and an upper bit a: the count 2 is 00, 1 is 10, 0 is 11, and 01 is
 * missing, so the count's lower bit is a xor b, and its upper one not a. */
static void decode(const unsigned char *genotypes, size_t size, size_t n_people, irl_packed *into) {
  const size_t n_words = irl_packed_words(n_people);
  for (size_t w = 0; w < n_words; w++) {
    const uint64_t first = load(genotypes, 16 * w, size),
                   second = load(genotypes, 16 * w + 8, size);
    const uint64_t b = even_bits(first) | even_bits(second) << 32;
    const uint64_t a = even_bits(first >> 1) | even_bits(second >> 1) << 32;
    const size_t left = n_people - 64 * w;
    const uint64_t there = left < 64 ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    into->low[w] = (a ^ b) & there;
    into->high[w] = ~a & there;
  }
}

static void take_cells(const irl_genotypes *g, size_t variant, irl_packed *into) {
  const plink *r = (const plink *)(const void *)g;
  const size_t size = variant_bytes(r);
  decode((const unsigned char *)r->bed.bytes + BED_HEADER + g->places[variant] * size, size,
         g->n_people, into);
}

/* A regular file that is not compressed can be read in parts, so its cells may stay there. */
static bool open_parts(irl_env *env, const char *path, irl_file_parts *file) {
  struct stat about;
  return !stat(path, &about) && S_ISREG(about.st_mode) && !irl_file_open_parts(env, path, file);
}

static void let_stay(plink *r, irl_cell_file *form) {
  form->start = BED_HEADER;
  form->bytes = variant_bytes(r);
  form->n_people = r->g.n_people;
  form->n_variants = r->g.n_read;
  form->decode = decode;
  r->g.stays = form;
}

irl_status irl_plink_read(irl_env *env, const irl_source *source, irl_table *table) {
  plink r = {.stem_length = 0};
  irl_cell_file form = {.start = 0};
  irl_file bed;
  const bool is_open = open_parts(env, source->path, &form.file);
  irl_status status = irl_file_open(env, source->path, &bed);
  if (!status) {
    status = open_files(&r, env, source);
    r.bed = bed;
    r.g.cells = take_cells;
  }
  if (!status) status = check_bed(&r, &bed);
  if (!status && is_open) let_stay(&r, &form);
  if (!status) status = irl_genotypes_table(&r.g, table);
  if (!status && table->cell_file) status = irl_file_check_parts(&form.file);
  if (is_open && !table->cell_file) irl_file_close_parts(&form.file);
  close_files(&r);
  return status;
}
