/* PLINK's binary genotypes: .bed (SNP-major), .bim (variants), .fam (people).
 *
 * A variant gives two features: carrier of at least one counted allele (`rs123_A:dom`) and of two
 * (`rs123_A:rec`); the counted allele is the first of the .bim line, as in `plink --recode A`. Two
 * bits per person, lowest first: 00 two counted alleles, 10 one, 11 none, 01 missing, which makes
 * both features false. With negations, or for a rule that has them, their opposites are features as
 * well, false on a missing genotype too. Phenotype 2 is a case, 1 a control; people with 0 or -9
 * are left out. */
#include "data/plink.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "base/threads.h"
#include <unistd.h>

#define VARIANTS_STEP 10000u /* after which limits are looked at */

typedef struct field {
  const char *text;
  size_t length;
} field;

const char *irl_plink_path(irl_plink *r, const char *extension) {
  strcpy(r->stem + r->stem_length, extension);
  return r->stem;
}

static irl_status fail_at(irl_plink *r, const char *extension, const irl_file *file, const char *at,
                          const char *what) {
  size_t line, column;
  irl_text_place(file->bytes, (size_t)(at - file->bytes), &line, &column);
  return irl_fail(r->env, IRL_BAD_INPUT, "%s:%zu:%zu: %s", irl_plink_path(r, extension), line,
                  column, what);
}

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

static irl_status add_person(irl_plink *r, const field *phenotype) {
  const irl_allocator *allocator = &r->env->allocator;
  const bool is_case = is_text(phenotype, "2") && !r->source->no_labels;
  const bool is_control = is_text(phenotype, "1") || r->source->no_labels;
  if (!is_case && !is_control && r->source->labels_optional)
    return fail_at(r, ".fam", &r->fam, phenotype->text, "this person has no phenotype");
  if (!is_case && !is_control && !is_text(phenotype, "0") && !is_text(phenotype, "-9"))
    return fail_at(r, ".fam", &r->fam, phenotype->text,
                   "this phenotype is not 1 (control), 2 (case), 0 or -9 (missing)");
  if (!irl_mem_reserve(allocator, (void **)&r->slot, &r->slot_capacity, r->n_people,
                       sizeof *r->slot) ||
      !irl_mem_reserve(allocator, (void **)&r->labels, &r->labels_capacity, r->n_kept, 1))
    return irl_fail_memory(r->env);
  r->slot[r->n_people++] = is_case || is_control ? (uint32_t)r->n_kept : IRL_LEFT_OUT;
  if (is_case || is_control) r->labels[r->n_kept++] = is_case;
  return IRL_OK;
}

static irl_status read_fam(irl_plink *r) {
  field fields[6];
  const char *at = r->fam.bytes, *end = at + r->fam.size;
  irl_status status = IRL_OK;
  while (!status && !is_done(at, end)) {
    const char *line = at;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".fam", &r->fam, line, "this line does not have six fields");
    status = add_person(r, &fields[5]);
  }
  if (!status && !r->n_kept)
    status = fail_at(r, ".fam", &r->fam, r->fam.bytes, "no person has a phenotype of 1 or 2");
  return status;
}

/* Case i gets slot i, control i gets n_cases + i: the order of the matrices, cases first. */
static void order_slots(irl_plink *r) {
  uint32_t cases = 0, n_cases = 0;
  for (size_t i = 0; i < r->n_kept; i++) n_cases += r->labels[i];
  uint32_t controls = n_cases;
  for (size_t i = 0; i < r->n_people; i++)
    if (r->slot[i] != IRL_LEFT_OUT) r->slot[i] = r->labels[r->slot[i]] ? cases++ : controls++;
}

static irl_status add_feature(irl_plink *r, const char *name, size_t length, uint32_t code) {
  const size_t sign = code % 4 >= 2; /* a rule names features without it */
  if (r->source->only && irl_names_find(r->source->only, name + sign, length - sign) == IRL_NO_NAME)
    return IRL_OK;
  if (!irl_names_add(&r->names, name, length) ||
      !irl_mem_reserve(&r->env->allocator, (void **)&r->variants, &r->variants_capacity,
                       r->n_features, sizeof *r->variants))
    return irl_fail_memory(r->env);
  r->variants[r->n_features++] = code;
  return IRL_OK;
}

/* `.` stands for no identifier; chromosome and position then name the variant. */
static irl_status add_variant(irl_plink *r, const field fields[6]) {
  static const char *const codings[] = {"dom", "rec"};
  const bool has_opposites =
      r->source->only || (r->source->options && r->source->options->negations);
  irl_status status = IRL_OK;
  for (uint32_t coding = 0; coding < (has_opposites ? 4u : 2u) && !status; coding++) {
    irl_text name;
    irl_text_init(&name, r->env);
    if (coding >= 2) irl_text_puts(&name, "!");
    if (is_text(&fields[1], "."))
      irl_text_printf(&name, "%.*s:%.*s", (int)fields[0].length, fields[0].text,
                      (int)fields[3].length, fields[3].text);
    else
      irl_text_add(&name, fields[1].text, fields[1].length);
    irl_text_printf(&name, "_%.*s:%s", (int)fields[4].length, fields[4].text, codings[coding % 2]);
    status = name.failed
                 ? irl_fail_memory(r->env)
                 : add_feature(r, name.bytes, name.length, 4 * (uint32_t)r->n_variants + coding);
    irl_text_drop(&name);
  }
  r->n_variants++;
  return status;
}

static irl_status read_bim(irl_plink *r) {
  field fields[6];
  const char *at = r->bim.bytes, *end = at + r->bim.size;
  irl_status status = IRL_OK;
  while (!status && !is_done(at, end)) {
    const char *line = at;
    at = read_fields(at, end, fields);
    if (!at) return fail_at(r, ".bim", &r->bim, line, "this line does not have six fields");
    if (r->n_variants >= UINT32_MAX / 4 - 512)
      return fail_at(r, ".bim", &r->bim, line, "too many variants");
    status = add_variant(r, fields);
    if (!status && r->n_variants % VARIANTS_STEP == 0 && irl_reading_is_cut(r->env))
      status = irl_reading_fail(r->env, irl_plink_path(r, ".bim"));
  }
  if (!status && !r->n_variants)
    status = fail_at(r, ".bim", &r->bim, r->bim.bytes, "there are no variants");
  return status;
}

/* A variant that is there twice, by its line: there are no blank lines between variants. */
static irl_status check_variants(irl_plink *r) {
  uint32_t twice;
  if (!irl_names_index(&r->names, &twice)) return irl_fail_memory(r->env);
  if (twice == IRL_NO_NAME) return IRL_OK;
  char text[400];
  const char *line = r->bim.bytes, *end = line + r->bim.size;
  for (uint32_t i = r->variants[twice] / 4; i; i--)
    line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
  snprintf(text, sizeof text, "feature name '%.200s' is there twice",
           irl_names_get(&r->names, twice));
  return fail_at(r, ".bim", &r->bim, line, text);
}

irl_status irl_plink_check_bed(irl_plink *r, const char *start, uint64_t size) {
  const uint64_t wanted = IRL_BED_HEADER + (uint64_t)r->n_variants * irl_plink_variant_bytes(r);
  const char *path = irl_plink_path(r, ".bed");
  if (size < IRL_BED_HEADER || memcmp(start, "\x6c\x1b", 2))
    return irl_fail(r->env, IRL_BAD_INPUT, "%s: offset 0: this is not a PLINK .bed file", path);
  if (start[2] != 1)
    return irl_fail(r->env, IRL_BAD_INPUT,
                    "%s: offset 2: people by people order; plink --make-bed writes the other",
                    path);
  if (size != wanted)
    return irl_fail(
        r->env, IRL_BAD_INPUT,
        "%s: offset %llu: the file has %llu bytes, but %zu people and %zu variants need %llu", path,
        (unsigned long long)(size < wanted ? size : wanted), (unsigned long long)size, r->n_people,
        r->n_variants, (unsigned long long)wanted);
  return IRL_OK;
}

void irl_plink_fill(const irl_plink *r, uint32_t feature, const char *variant, size_t n_cases,
                    uint64_t *cases, uint64_t *controls) {
  /* A bit per genotype code: 0 two alleles, 2 one, 3 none. */
  static const unsigned accepted_by[] = {1u | 1u << 2, 1u, 1u << 3, 1u << 2 | 1u << 3};
  const unsigned char *genotypes = (const unsigned char *)variant;
  const unsigned accepted = accepted_by[r->variants[feature] % 4];
  for (size_t i = 0; i < r->n_people; i++) {
    const unsigned genotype = genotypes[i / 4] >> 2 * (i % 4) & 3u;
    const uint32_t slot = r->slot[i];
    if (!(accepted >> genotype & 1) || slot == IRL_LEFT_OUT) continue;
    if (slot < n_cases)
      irl_bits_set(cases, slot);
    else
      irl_bits_set(controls, slot - n_cases);
  }
}

static irl_status fill_all(const irl_plink *r, const irl_file *bed, irl_data *data) {
  const char *variants = bed->bytes + IRL_BED_HEADER;
  const size_t size = irl_plink_variant_bytes(r);
  const uint32_t step = size < IRL_READING_STEP ? (uint32_t)(IRL_READING_STEP / size) : 1;
  bool is_cut = false;
#pragma omp parallel for num_threads(irl_threads_here(r->source->threads)) schedule(static)        \
    reduction(||                                                                                   \
              : is_cut)
  for (uint32_t j = 0; j < data->n_features; j++) {
    if (is_cut) continue;
    irl_plink_fill(r, j, variants + r->variants[j] / 4 * size, data->n_cases,
                   irl_bits_vector(&data->cases, j), irl_bits_vector(&data->controls, j));
    is_cut = j % step == 0 && irl_reading_is_cut(r->env);
  }
  return is_cut ? irl_reading_fail(r->env, r->source->path) : IRL_OK;
}

/* A file beside the .bed, also a compressed one. */
static irl_status open_beside(irl_plink *r, const char *extension, irl_file *file) {
  char compressed[16];
  snprintf(compressed, sizeof compressed, "%s.gz", extension);
  const bool is_compressed =
      access(irl_plink_path(r, extension), F_OK) && !access(irl_plink_path(r, compressed), F_OK);
  return irl_file_open(r->env, irl_plink_path(r, is_compressed ? compressed : extension), file);
}

static irl_status open_two(irl_plink *r) {
  size_t length = strlen(r->source->path);
  if (length > 3 && irl_plain_same(r->source->path + length - 3, ".gz", 3)) length -= 3;
  r->stem = irl_mem_alloc(&r->env->allocator, length + 8, 1);
  if (!r->stem) return irl_fail_memory(r->env);
  memcpy(r->stem, r->source->path, length);
  r->stem_length = length - strlen(".bed");
  const irl_status status = open_beside(r, ".bim", &r->bim);
  return status ? status : open_beside(r, ".fam", &r->fam);
}

irl_status irl_plink_open(irl_plink *r, irl_env *env, const irl_source *source) {
  *r = (irl_plink){.env = env, .source = source};
  irl_names_init(&r->names, &env->allocator);
  irl_status status = open_two(r);
  if (!status) status = read_fam(r);
  if (!status) status = read_bim(r);
  return status ? status : check_variants(r);
}

void irl_plink_close(irl_plink *r) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_file_close(&r->bim);
  irl_file_close(&r->fam);
  irl_names_free(&r->names);
  irl_mem_free(allocator, r->stem);
  irl_mem_free(allocator, r->labels);
  irl_mem_free(allocator, r->slot);
  irl_mem_free(allocator, r->variants);
}

/* dom and rec are nested, and so are their opposites. */
static irl_status set_groups(const irl_plink *r, irl_data *data) {
  const irl_meanings none = {0};
  uint32_t *groups = irl_mem_alloc(&r->env->allocator, data->n_features, sizeof *groups);
  if (!groups) return irl_fail_memory(r->env);
  for (size_t j = 0; j < data->n_features; j++) groups[j] = r->variants[j] / 2 + 1;
  const irl_status status = irl_data_set_meanings(r->env, data, &none, groups);
  irl_mem_free(&r->env->allocator, groups);
  return status;
}

irl_status irl_plink_create(irl_plink *r, irl_data **data) {
  const irl_data_labels called = {"phenotype", "2", "1", true};
  size_t n_cases = 0;
  for (size_t i = 0; i < r->n_kept; i++) n_cases += r->labels[i];
  if ((!n_cases || n_cases == r->n_kept) && !r->source->one_class_ok)
    return fail_at(r, ".fam", &r->fam, r->fam.bytes,
                   n_cases ? "there is only one class: every phenotype is 2"
                           : "there is only one class: every phenotype is 1");
  order_slots(r);
  irl_data *made;
  irl_status status =
      irl_data_create_labelled(r->env, irl_plink_path(r, ".bim"), &r->names, r->n_kept,
                               r->source->no_labels ? NULL : r->labels, &called, &made);
  if (status) return status;
  status = set_groups(r, made);
  if (status)
    irl_data_free(made);
  else
    *data = made;
  if (!status && r->n_kept < r->n_people)
    irl_log(r->env, IRL_LOG_NOTE, "%s: %zu of %zu people have no phenotype and are left out",
            irl_plink_path(r, ".fam"), r->n_people - r->n_kept, r->n_people);
  return status;
}

irl_status irl_plink_read(irl_env *env, const irl_source *source, irl_data **out) {
  irl_plink r;
  irl_data *data = NULL;
  irl_file bed;
  irl_status status = irl_file_open(env, source->path, &bed);
  if (status) return status;
  status = irl_plink_open(&r, env, source);
  if (!status) status = irl_plink_check_bed(&r, bed.bytes, bed.size);
  if (!status) status = irl_plink_create(&r, &data);
  if (!status) status = irl_data_init_matrices(env, data);
  if (!status) status = fill_all(&r, &bed, data);
  if (!status) {
    assert(irl_data_check(data));
    *out = data;
  } else {
    irl_data_free(data);
  }
  irl_plink_close(&r);
  irl_file_close(&bed);
  return status;
}
