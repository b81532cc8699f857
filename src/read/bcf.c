/* BCF version 2, the binary form of VCF, compressed by bgzip or not.
 *
 * The header of VCF as a text comes first; its FILTER, INFO, FORMAT and contig lines are numbered,
 * by IDX or in order, and records refer to them by these numbers. A record has a part that all
 * samples share, of which place, identifier, alleles and FILTER are read, and one with the values
 * of each FORMAT field for all samples, of which GT or DS is read. Alleles of GT are stored as
 * 2 (allele + 1) plus a bit for phase; 0 is missing, and calls of fewer alleles end early. */
#include "base/c_locale.h"
#include "base/endian.h"
#include "base/limit.h"
#include "base/memory.h"
#include "read/vcf.h"

#define MAX_RECORD ((uint32_t)1 << 30)
#define CUT_OFF    "the file ends early: it was cut off"
#define LEAST_ROOM ((size_t)1 << 16)
/* Contigs and texts may be numbered up to this, and as many more as the header has bytes. */
#define LEAST_NUMBERS ((size_t)1 << 16)
#define POLL_STEP     256u /* lines or records between two looks at the limits */

/* Types of values. */
enum { BCF_NONE, BCF_INT8, BCF_INT16, BCF_INT32, BCF_FLOAT = 5, BCF_CHAR = 7 };
/* What stands for no value, and for the end of a vector; of a float these are bits. */
#define INT_MISSING   INT32_MIN
#define INT_END       (INT32_MIN + 1)
#define FLOAT_MISSING 0x7f800001u
#define FLOAT_END     0x7f800002u

typedef struct dictionary {
  irl_slice *items;
  size_t n, capacity;
  irl_names ids; /* of the items, so that one is found quickly */
} dictionary;

/* Bytes of the file, with as much room as the largest part so far had. */
typedef struct file_part {
  char *at;
  size_t capacity;
} file_part;

typedef struct bcf {
  irl_cell_store store; /* first */
  irl_input input;
  file_part header, record;
  dictionary texts, contigs;
  size_t number; /* of the record, from 1 */
} bcf;

static uint32_t load32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return irl_endian_32(value);
}

/* What is left of a record. */
typedef struct cursor {
  const unsigned char *at, *end;
} cursor;

static irl_status fail_file(const bcf *r, const char *what) {
  return irl_fail(r->store.g.env, IRL_STATUS_BAD_INPUT, "%s: %s", r->store.g.source->path, what);
}

static irl_status fail_record(const bcf *r, const char *what) {
  return irl_fail(r->store.g.env, IRL_STATUS_BAD_INPUT, "%s: record %zu: %s",
                  r->store.g.source->path, r->number, what);
}

/* ---- header ---- */

static irl_status put(bcf *r, dictionary *d, size_t number, irl_slice text) {
  irl_env *env = r->store.g.env;
  uint32_t id;
  if (number > LEAST_NUMBERS + r->header.capacity)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the header numbers '%.*s' too high",
                    r->store.g.source->path, (int)text.length, text.text);
  while (d->n <= number) {
    if (!irl_mem_reserve(&env->allocator, &d->items, &d->capacity, d->n, sizeof *d->items))
      return irl_fail_memory(env);
    d->items[d->n++] = (irl_slice){NULL, 0};
  }
  d->items[number] = text;
  return irl_names_intern(&d->ids, text.text, text.length, &id) ? IRL_STATUS_OK
                                                                : irl_fail_memory(env);
}

/* The value of `key=` in a line `##contig=<ID=1,IDX=0>`. */
static irl_slice value_of(irl_slice line, const char *key) {
  const size_t n = strlen(key);
  bool is_quoted = false;
  for (size_t i = 0; i + n < line.length; i++) {
    if (line.text[i] == '"') is_quoted = !is_quoted;
    if (is_quoted || memcmp(line.text + i, key, n)) continue;
    if (i && line.text[i - 1] != '<' && line.text[i - 1] != ',') continue;
    const char *from = line.text + i + n, *to = from, *end = line.text + line.length;
    while (to < end && *to != ',' && *to != '>') to++;
    return (irl_slice){from, (size_t)(to - from)};
  }
  return (irl_slice){NULL, 0};
}

static bool starts(irl_slice line, const char *with) {
  return line.length >= strlen(with) && !memcmp(line.text, with, strlen(with));
}

static irl_status number_line(bcf *r, irl_slice line) {
  const bool is_contig = starts(line, "##contig=<");
  if (!is_contig && !starts(line, "##FILTER=<") && !starts(line, "##INFO=<") &&
      !starts(line, "##FORMAT=<"))
    return IRL_STATUS_OK;
  dictionary *d = is_contig ? &r->contigs : &r->texts;
  const irl_slice id = value_of(line, "ID="), index = value_of(line, "IDX=");
  uint32_t number;
  if (!id.text) return IRL_STATUS_OK;
  if (index.text) return put(r, d, irl_vcf_number(index, &number) ? number : UINT32_MAX, id);
  /* An identifier has one number, whatever it is of. */
  const bool is_known = irl_names_find(&d->ids, id.text, id.length) != IRL_NO_NAME;
  return is_known ? IRL_STATUS_OK : put(r, d, d->n, id);
}

/* A part of `n` bytes. Memory grows with the bytes that are there, not by what the file says. */
static irl_status read_part(bcf *r, file_part *into, size_t n) {
  irl_env *env = r->store.g.env;
  for (size_t used = 0, got; used < n; used += got) {
    if (used == into->capacity) {
      const size_t more = used < LEAST_ROOM ? LEAST_ROOM : used;
      const size_t wanted = used + (more < n - used ? more : n - used);
      if (!irl_reading_affords(env, (double)wanted) || irl_reading_limit_reached(env))
        return irl_reading_fail(env, r->store.g.source->path);
      char *grown = irl_mem_grow(&env->allocator, into->at, wanted, 1);
      if (!grown) return irl_fail_memory(env);
      *into = (file_part){grown, wanted};
    }
    const size_t room = into->capacity < n ? into->capacity - used : n - used;
    const irl_status status = irl_input_read(&r->input, into->at + used, room, &got);
    if (status) return status;
    if (got < room) return fail_file(r, CUT_OFF);
  }
  return IRL_STATUS_OK;
}

/* The lines of the header, which ends with a zero or where it is full. */
static irl_status take_header(bcf *r, const char *at, const char *end) {
  irl_status status = put(r, &r->texts, 0, (irl_slice){"PASS", 4});
  for (size_t number = 1; at < end && !status; number++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    irl_slice line = {at, (size_t)((newline ? newline : end) - at)};
    at = newline ? newline + 1 : end;
    if (line.length && line.text[line.length - 1] == '\r') line.length--;
    status =
        starts(line, "#CHROM\t") ? irl_vcf_people(&r->store.g, line, number) : number_line(r, line);
    if (!status && number % POLL_STEP == 0 && irl_reading_limit_reached(r->store.g.env))
      status = irl_reading_fail(r->store.g.env, r->store.g.source->path);
  }
  return status;
}

static irl_status read_header(bcf *r) {
  irl_status status = read_part(r, &r->header, 9);
  if (status) return status;
  if (memcmp(r->header.at, "BCF\2", 4))
    return fail_file(r, "offset 0: this is no BCF file of version 2");
  const uint32_t size = load32((unsigned char *)r->header.at + 5);
  if (size > MAX_RECORD) return fail_file(r, "offset 5: the header is longer than 1 GB");
  status = read_part(r, &r->header, size);
  if (status) return status;
  const char *at = r->header.at, *zero = memchr(at, '\0', size);
  status = take_header(r, at, zero ? zero : at + size);
  if (!status && !r->store.g.by_name) status = fail_file(r, "the header has no line #CHROM");
  return status ? status : irl_variant_choice_init(&r->store.g);
}

/* ---- values ---- */

static size_t type_size(unsigned type) {
  static const size_t sizes[8] = {0, 1, 2, 4, 0, 4, 0, 1};
  return type < 8 ? sizes[type] : 0;
}

/* An integer of a type, missing and end made those of 32 bits. */
static int32_t load_integer(const unsigned char *at, unsigned type) {
  const int32_t value = type == BCF_INT8    ? (int8_t)*at
                        : type == BCF_INT16 ? (int16_t)(uint16_t)(at[0] | at[1] << 8)
                                            : (int32_t)load32(at);
  const int32_t least = type == BCF_INT8 ? INT8_MIN : type == BCF_INT16 ? INT16_MIN : INT32_MIN;
  return value == least ? INT_MISSING : value == least + 1 ? INT_END : value;
}

/* The head of a vector: its type and how many values; false: it is none. */
static bool read_head(cursor *c, unsigned *type, size_t *n) {
  if (c->at >= c->end) return false;
  *type = *c->at & 15;
  *n = *c->at++ >> 4;
  if (*n < 15) return true;
  unsigned inner;
  size_t one;
  if (c->at >= c->end) return false;
  inner = *c->at & 15;
  one = *c->at++ >> 4;
  const size_t size = type_size(inner);
  if (one != 1 || inner < BCF_INT8 || inner > BCF_INT32 || (size_t)(c->end - c->at) < size)
    return false;
  const int32_t count = load_integer(c->at, inner);
  c->at += size;
  *n = (size_t)count;
  return count >= 0;
}

/* The bytes of a vector, which are skipped; false: they are not all there. */
static bool read_vector(cursor *c, unsigned *type, size_t *n, const unsigned char **from) {
  if (!read_head(c, type, n)) return false;
  const size_t size = type_size(*type);
  *from = c->at;
  if (*n && *type != BCF_NONE && !size) return false;
  if (size && *n > (size_t)(c->end - c->at) / size) return false;
  c->at += *n * size;
  return true;
}

static bool read_text(cursor *c, irl_slice *text) {
  unsigned type;
  size_t n;
  const unsigned char *from;
  if (!read_vector(c, &type, &n, &from) || (type != BCF_CHAR && n && type != BCF_NONE))
    return false;
  *text = type == BCF_CHAR && n ? (irl_slice){(const char *)from, n} : (irl_slice){".", 1};
  const char *zero = memchr(text->text, '\0', text->length);
  if (zero) text->length = (size_t)(zero - text->text);
  if (!text->length) *text = (irl_slice){".", 1};
  return true;
}

/* ---- records ---- */

/* Values of one field for all samples. */
typedef struct samples {
  unsigned type;
  size_t n; /* of each */
  const unsigned char *values;
} samples;

/* What the cells of a record are made of: GT or DS, and GT (type BCF_NONE: there is none). */
typedef struct record_values {
  samples wanted, calls;
  bool is_autosome;
} record_values;

static bool find_samples(const bcf *r, cursor *c, size_t n_fields, const char *wanted,
                         samples *found) {
  const size_t n_people = r->store.g.n_people;
  *found = (samples){.type = BCF_NONE};
  for (size_t i = 0; i < n_fields; i++) {
    unsigned key_type;
    size_t one;
    const unsigned char *key;
    samples s;
    if (!read_vector(c, &key_type, &one, &key) || one != 1 || key_type > BCF_INT32 ||
        key_type < BCF_INT8 || !read_head(c, &s.type, &s.n))
      return false;
    const size_t size = type_size(s.type);
    s.values = c->at;
    if ((s.n && !size) || (size && s.n > (size_t)(c->end - c->at) / size / n_people)) return false;
    c->at += s.n * size * n_people;
    const int32_t number = load_integer(key, key_type);
    if (number < 0 || (size_t)number >= r->texts.n || !r->texts.items[number].text) return false;
    if (irl_slice_is(&r->texts.items[number], wanted)) *found = s;
  }
  return true;
}

/* Counts of the alternative allele `number` in GT; NULL: all is well. */
static const char *take_calls(const bcf *r, const record_values *of, unsigned number,
                              irl_packed *cells) {
  const samples *s = &of->wanted;
  const size_t size = type_size(s->type);
  unsigned ploidy = 0;
  for (size_t i = 0; i < r->store.g.n_people; i++) {
    const unsigned char *at = s->values + i * s->n * size;
    unsigned n = 0, count = 0;
    bool is_missing = false;
    for (size_t k = 0; k < s->n; k++) {
      const int32_t value = load_integer(at + k * size, s->type);
      if (value == INT_END) break;
      if (n++ == 2) return "a call has more than two alleles: ploidy above two is not read";
      const int32_t allele = value == INT_MISSING ? -1 : (value >> 1) - 1;
      is_missing |= allele < 0;
      count += allele == (int32_t)number;
    }
    if (!is_missing && n && !ploidy) ploidy = n;
    if (!is_missing && n && ploidy != n && of->is_autosome) return "a call has " IRL_MIXED_PLOIDY;
    irl_packed_set(cells, i, is_missing || !n ? IRL_CELL_MISSING : n == 1 ? 2 * count : count);
  }
  return NULL;
}

/* Has the call of this person, whose dosage is read, one allele? */
static bool is_haploid(const samples *calls, size_t person) {
  if (!calls->n || calls->type < BCF_INT8 || calls->type > BCF_INT32) return false;
  const size_t size = type_size(calls->type);
  const unsigned char *at = calls->values + person * calls->n * size;
  const int32_t first = load_integer(at, calls->type);
  if (first == INT_END || first == INT_MISSING || first >> 1 == 0) return false;
  return calls->n == 1 || load_integer(at + size, calls->type) == INT_END;
}

static const char *take_dosages(const bcf *r, const record_values *of, unsigned number,
                                irl_packed *cells) {
  const samples *s = &of->wanted;
  if (s->type != BCF_FLOAT) return "DS is not of real numbers";
  for (size_t i = 0; i < r->store.g.n_people; i++) {
    uint32_t bits = FLOAT_END;
    float value;
    if (number <= s->n) bits = load32(s->values + 4 * (i * s->n + number - 1));
    memcpy(&value, &bits, sizeof value);
    const bool is_missing = bits == FLOAT_MISSING || bits == FLOAT_END;
    const bool is_one = !is_missing && is_haploid(&of->calls, i);
    if (!is_missing && !(value >= 0 && value <= 2)) return "a dosage is not from 0 to 2";
    if (is_one && value > 1) return IRL_HAPLOID_DOSAGE;
    irl_packed_set(cells, i,
                   is_missing ? IRL_CELL_MISSING
                              : irl_vcf_dosage(&r->store.g, (double)value, is_one));
  }
  return NULL;
}

static irl_status take_alleles(bcf *r, cursor shared, unsigned n_alleles, irl_variant_line *line,
                               const record_values *of) {
  irl_slice allele;
  irl_status status = IRL_STATUS_OK;
  bool has_any = false;
  for (unsigned k = 1; k < n_alleles && !status; k++) {
    if (!read_text(&shared, &allele)) return fail_record(r, "its alleles are damaged");
    if (!irl_vcf_is_allele(allele)) continue;
    has_any = true;
    line->counted = allele;
    status = irl_store_take(&r->store, line, r->number);
    if (status) break;
    irl_packed cells = irl_store_cells(&r->store, r->store.n - 1);
    const char *wrong = r->store.g.options.dosage > 0 ? take_dosages(r, of, k, &cells)
                                                      : take_calls(r, of, k, &cells);
    if (wrong) status = fail_record(r, wrong);
  }
  r->store.n_bare += !has_any;
  return status;
}

/* Does a record pass by FILTER: PASS or nothing? */
static bool read_filter(cursor *c, bool *passes) {
  unsigned type;
  size_t n;
  const unsigned char *from;
  if (!read_vector(c, &type, &n, &from) || (n && (type < BCF_INT8 || type > BCF_INT32)))
    return false;
  *passes = !n || (n == 1 && load_integer(from, type) == 0);
  return true;
}

static irl_status take_record(bcf *r, uint32_t n_shared, uint32_t n_samples) {
  irl_genotypes *g = &r->store.g;
  const unsigned char *bytes = (const unsigned char *)r->record.at;
  cursor shared = {bytes + 24, bytes + n_shared}, rest,
         fields = {bytes + n_shared, bytes + n_shared + n_samples};
  const uint32_t contig = load32(bytes), alleles = load32(bytes + 16) >> 16,
                 counts = load32(bytes + 20);
  irl_variant_line line = {.position = load32(bytes + 4) + 1};
  irl_slice skipped;
  record_values of = {.is_autosome = false};
  bool passes;
  if (contig >= r->contigs.n || !r->contigs.items[contig].text)
    return fail_record(r, "its chromosome is not in the header");
  if ((counts & 0xffffff) != g->n_people)
    return fail_record(r, "it has not as many samples as the header");
  line.chromosome = r->contigs.items[contig];
  if (!alleles || !read_text(&shared, &line.id) || !read_text(&shared, &line.other))
    return fail_record(r, "its identifier or its alleles are damaged");
  rest = shared;
  for (unsigned k = 1; k < alleles; k++)
    if (!read_text(&shared, &skipped)) return fail_record(r, "its alleles are damaged");
  if (!read_filter(&shared, &passes)) return fail_record(r, "its FILTER is damaged");
  if (g->options.vcf_filter && !g->source->only && !passes) {
    r->store.n_filtered++;
    return IRL_STATUS_OK;
  }
  if (!irl_variant_is_chosen(g, &line)) return IRL_STATUS_OK;
  const char *wanted = g->options.dosage > 0 ? "DS" : "GT";
  cursor again = fields;
  of.is_autosome = irl_vcf_is_autosome(line.chromosome);
  if (!find_samples(r, &fields, counts >> 24, wanted, &of.wanted) ||
      !find_samples(r, &again, counts >> 24, "GT", &of.calls))
    return fail_record(r, "its values of samples are damaged");
  if (of.wanted.type == BCF_NONE || !of.wanted.n)
    return fail_record(r, g->options.dosage > 0 ? "FORMAT has no DS" : "FORMAT has no GT");
  if (g->options.dosage <= 0 && (of.wanted.type < BCF_INT8 || of.wanted.type > BCF_INT32))
    return fail_record(r, "GT is not of whole numbers");
  return take_alleles(r, rest, alleles, &line, &of);
}

static irl_status take_records(bcf *r) {
  irl_env *env = r->store.g.env;
  irl_status status = IRL_STATUS_OK;
  for (r->number = 1; !status; r->number++) {
    unsigned char sizes[8];
    size_t got;
    status = irl_input_read(&r->input, (char *)sizes, sizeof sizes, &got);
    if (status || !got) break;
    if (got < sizeof sizes) return fail_file(r, CUT_OFF);
    const uint32_t shared = load32(sizes), of_samples = load32(sizes + 4);
    if (shared < 24 || shared > MAX_RECORD || of_samples > MAX_RECORD)
      return fail_record(r, "its size is impossible");
    status = read_part(r, &r->record, (size_t)shared + of_samples);
    if (!status) status = take_record(r, shared, of_samples);
    if (!status && r->number % POLL_STEP == 0 && irl_reading_limit_reached(env))
      status = irl_reading_fail(env, r->store.g.source->path);
  }
  r->store.g.n_read = r->number - 1;
  return status;
}

irl_status irl_bcf_read(irl_env *env, const irl_source *source, irl_table *table) {
  bcf r = {.number = 0};
  irl_store_init(&r.store, env, source);
  r.store.has_records = true;
  irl_names_init(&r.texts.ids, &env->allocator);
  irl_names_init(&r.contigs.ids, &env->allocator);
  irl_status status = irl_input_open(env, source->path, &r.input);
  if (!status) status = irl_bgzf_check(&r.input);
  if (!status) status = read_header(&r);
  if (!status) status = take_records(&r);
  if (!status) irl_store_note(&r.store);
  if (!status) status = irl_genotypes_table(&r.store.g, table);
  irl_input_close(&r.input);
  irl_mem_free(&env->allocator, r.header.at);
  irl_mem_free(&env->allocator, r.texts.items);
  irl_mem_free(&env->allocator, r.contigs.items);
  irl_mem_free(&env->allocator, r.record.at);
  irl_names_free(&r.texts.ids);
  irl_names_free(&r.contigs.ids);
  irl_store_free(&r.store);
  return status;
}
