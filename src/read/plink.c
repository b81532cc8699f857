/* PLINK's binary genotypes: .bed (SNP-major), .bim (variants), .fam (people).
 *
 * A variant is a SNP column that counts alleles, called as `plink --recode A` calls it: `rs123_A`
 * for the first allele of the .bim line. Two bits per person, lowest first: 00 two counted alleles,
 * 10 one, 11 none, 01 missing. Phenotype 2 is a case, 1 a control; people with 0 or -9 are left
 * out. */
#include "read/plink.h"
#include "base/c_locale.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/text.h"
#include "bits/sieve.h"
#include "ireland_data.h"
#include "read/typed.h"
#include <unistd.h>

#define VARIANTS_STEP 10000u /* after which limits are looked at */

typedef struct field {
  const char *text;
  size_t length;
} field;

/* The path with another extension, until it is asked for the next. */
static const char *path_of(irl_plink *r, const char *extension) {
  strcpy(r->stem + r->stem_length, extension);
  return r->stem;
}

#define fail_at(r, extension, file, where, ...)                                                    \
  irl_source_fail((r)->env, (irl_place){path_of(r, extension), (file)->bytes, where, {0, 0}},      \
                  __VA_ARGS__)

/* Blank lines may stand at the end. */
static bool is_done(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
  return at == end;
}

/* Six fields separated by blanks or tabs. Returns the next line, NULL if they are not six. */
static const char *read_fields(const char *at, const char *end, field fields[6]) {
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

static bool is_text(const field *f, const char *text) {
  return f->length == strlen(text) && !memcmp(f->text, text, f->length);
}

static irl_status read_fam(irl_plink *r) {
  const irl_allocator *allocator = &r->env->allocator;
  field fields[6];
  const char *at = r->fam.bytes, *end = at + r->fam.size;
  while (!is_done(at, end)) {
    const char *line = at;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".fam", &r->fam, line, "this line does not have six fields");
    const field *phenotype = &fields[5];
    const bool is_case = is_text(phenotype, "2") && !r->source->no_labels;
    const bool is_kept = is_case || is_text(phenotype, "1") || r->source->no_labels;
    if (!is_kept && r->source->labels_optional)
      return fail_at(r, ".fam", &r->fam, phenotype->text, "this person has no phenotype");
    if (!is_kept && !is_text(phenotype, "0") && !is_text(phenotype, "-9"))
      return fail_at(r, ".fam", &r->fam, phenotype->text,
                     "this phenotype is not 1 (control), 2 (case), 0 or -9 (missing)");
    if (!irl_mem_reserve(allocator, &r->slot, &r->slot_capacity, r->n_people, sizeof *r->slot) ||
        !irl_mem_reserve(allocator, &r->labels, &r->labels_capacity, r->n_kept, 1))
      return irl_fail_memory(r->env);
    r->slot[r->n_people++] = is_kept ? (uint32_t)r->n_kept : IRL_LEFT_OUT;
    if (is_kept) r->labels[r->n_kept++] = is_case;
  }
  if (r->n_kept) return IRL_STATUS_OK;
  return fail_at(r, ".fam", &r->fam, r->fam.bytes, "no person has a phenotype of 1 or 2");
}

static irl_status read_bim(irl_plink *r) {
  field fields[6];
  const char *at = r->bim.bytes, *end = at + r->bim.size;
  while (!is_done(at, end)) {
    const char *line = at;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".bim", &r->bim, line, "this line does not have six fields");
    if (r->n_variants >= UINT32_MAX / 4 - 512)
      return fail_at(r, ".bim", &r->bim, line, "too many variants");
    /* `.` stands for no identifier; chromosome and position then name the variant. */
    irl_text name;
    irl_text_init(&name, r->env);
    if (is_text(&fields[1], "."))
      irl_text_printf(&name, "%.*s:%.*s", (int)fields[0].length, fields[0].text,
                      (int)fields[3].length, fields[3].text);
    else
      irl_text_add(&name, fields[1].text, fields[1].length);
    irl_text_printf(&name, "_%.*s", (int)fields[4].length, fields[4].text);
    const bool done = !name.failed && irl_names_add(&r->names, name.bytes, name.length);
    irl_text_drop(&name);
    if (!done) return irl_fail_memory(r->env);
    if (++r->n_variants % VARIANTS_STEP == 0 && irl_reading_limit_reached(r->env))
      return irl_reading_fail(r->env, path_of(r, ".bim"));
  }
  if (!r->n_variants) return fail_at(r, ".bim", &r->bim, r->bim.bytes, "there are no variants");
  uint32_t twice;
  if (!irl_names_index(&r->names, &twice)) return irl_fail_memory(r->env);
  if (twice == IRL_NO_NAME) return IRL_STATUS_OK;
  const char *line = r->bim.bytes; /* there are no blank lines between variants */
  for (uint32_t i = twice; i; i--)
    line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
  return fail_at(r, ".bim", &r->bim, line, "variant '%.200s' is there twice",
                 irl_names_get(&r->names, twice));
}

irl_status irl_plink_check_bed(irl_plink *r, const char *start, uint64_t size) {
  const uint64_t wanted = IRL_BED_HEADER + (uint64_t)r->n_variants * irl_plink_variant_bytes(r);
  const char *path = path_of(r, ".bed");
  if (size < IRL_BED_HEADER || memcmp(start, "\x6c\x1b", 2))
    return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: offset 0: this is not a PLINK .bed file",
                    path);
  if (start[2] != 1)
    return irl_fail(r->env, IRL_STATUS_BAD_INPUT,
                    "%s: offset 2: people by people order; plink --make-bed writes the other",
                    path);
  if (size != wanted)
    return irl_fail(
        r->env, IRL_STATUS_BAD_INPUT,
        "%s: offset %llu: the file has %llu bytes, but %zu people and %zu variants need %llu", path,
        (unsigned long long)(size < wanted ? size : wanted), (unsigned long long)size, r->n_people,
        r->n_variants, (unsigned long long)wanted);
  return IRL_STATUS_OK;
}

/* A file beside the .bed, also a compressed one. */
static irl_status open_beside(irl_plink *r, const char *extension, irl_file *file) {
  char compressed[16];
  snprintf(compressed, sizeof compressed, "%s.gz", extension);
  const bool is_compressed =
      access(path_of(r, extension), F_OK) && !access(path_of(r, compressed), F_OK);
  return irl_file_open(r->env, path_of(r, is_compressed ? compressed : extension), file);
}

irl_status irl_plink_open(irl_plink *r, irl_env *env, const irl_source *source) {
  size_t length = strlen(source->path);
  *r = (irl_plink){.env = env, .source = source};
  irl_names_init(&r->names, &env->allocator);
  if (length > 3 && irl_c_equal_ignoring_case(source->path + length - 3, ".gz", 3)) length -= 3;
  r->stem = irl_mem_alloc(&env->allocator, length + 8, 1);
  if (!r->stem) return irl_fail_memory(env);
  memcpy(r->stem, source->path, length);
  r->stem_length = length - strlen(".bed");
  irl_status status = open_beside(r, ".bim", &r->bim);
  if (!status) status = open_beside(r, ".fam", &r->fam);
  if (!status) status = read_fam(r);
  return status ? status : read_bim(r);
}

void irl_plink_close(irl_plink *r) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_file_close(&r->bim);
  irl_file_close(&r->fam);
  irl_names_free(&r->names);
  irl_mem_free(allocator, r->stem);
  irl_mem_free(allocator, r->labels);
  irl_mem_free(allocator, r->slot);
}

irl_status irl_plink_check_people(irl_plink *r) {
  size_t n_cases = 0;
  for (size_t i = 0; i < r->n_kept; i++) n_cases += r->labels[i];
  if ((!n_cases || n_cases == r->n_kept) && !r->source->one_class_ok)
    return fail_at(r, ".fam", &r->fam, r->fam.bytes,
                   n_cases ? "there is only one class: every phenotype is 2"
                           : "there is only one class: every phenotype is 1");
  if (r->n_kept < r->n_people)
    irl_log(r->env, IRL_LOG_NOTE, "%s: %zu of %zu people have no phenotype and are left out",
            path_of(r, ".fam"), r->n_people - r->n_kept, r->n_people);
  return IRL_STATUS_OK;
}

/* ---- the table ---- */

typedef struct reader {
  irl_plink plink;
  irl_file bed;
  irl_sieve people; /* that are kept */
} reader;

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
static irl_status bring(void *user, size_t variant, irl_column *into) {
  const reader *r = user;
  const irl_plink *p = &r->plink;
  const size_t size = irl_plink_variant_bytes(p);
  const unsigned char *genotypes =
      (const unsigned char *)r->bed.bytes + IRL_BED_HEADER + variant * size;
  const size_t step = size < IRL_READING_STEP ? IRL_READING_STEP / size : 1;
  if (variant % step == step - 1 && irl_reading_limit_reached(p->env))
    return irl_reading_fail(p->env, p->source->path);
  if (!irl_column_init(into, &p->env->allocator, IRL_COLUMN_SNP, p->n_kept))
    return irl_fail_memory(p->env);
  for (size_t w = 0; w < r->people.n_words; w++) {
    const uint64_t first = load(genotypes, 16 * w, size),
                   second = load(genotypes, 16 * w + 8, size);
    const uint64_t b = even_bits(first) | even_bits(second) << 32;
    const uint64_t a = even_bits(first >> 1) | even_bits(second >> 1) << 32;
    irl_sieve_gather(&r->people, w, a ^ b, into->cells.low);
    irl_sieve_gather(&r->people, w, ~a, into->cells.high);
  }
  assert(variant < p->n_variants && irl_packed_tails_are_zero(&into->cells, p->n_kept));
  into->n_missing = irl_packed_count(&into->cells, p->n_kept, IRL_CELL_MISSING);
  return IRL_STATUS_OK;
}

irl_status irl_plink_read(irl_env *env, const irl_source *source, irl_table *table) {
  reader r = {.people = {.words = NULL}};
  irl_plink *p = &r.plink;
  irl_status status = irl_file_open(env, source->path, &r.bed);
  if (status) return status;
  status = irl_plink_open(p, env, source);
  if (!status) status = irl_plink_check_bed(p, r.bed.bytes, r.bed.size);
  if (!status) status = irl_plink_check_people(p);
  if (!status) {
    const size_t words = irl_packed_words(p->n_people);
    uint64_t *mask = irl_mem_alloc(&env->allocator, words, sizeof *mask);
    for (size_t i = 0; i < p->n_people && mask; i++)
      if (p->slot[i] != IRL_LEFT_OUT) irl_bits_set(mask, i);
    status = mask ? irl_sieve_init(env, &r.people, mask, words) : irl_fail_memory(env);
    irl_mem_free(&env->allocator, mask);
  }
  if (!status) {
    table->n_samples = (uint32_t)p->n_kept;
    table->has_labels = !source->no_labels;
    table->labels = p->labels;
    p->labels = NULL;
    status = irl_table_name_labels(env, table, &irl_plink_labels);
  }
  if (!status && !irl_reading_affords(env, (double)r.bed.size))
    status = irl_reading_fail(env, source->path);
  if (!status) status = irl_typed_file(env, source, &p->names, table, bring, &r);
  irl_sieve_free(&r.people);
  irl_plink_close(p);
  irl_file_close(&r.bed);
  return status;
}
