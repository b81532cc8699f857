/* VCF as text, plain or compressed by gzip or bgzip, read piece by piece.
 *
 * A line gives a variant for each of its alternative alleles, which is the one that is counted:
 * carriers of another alternative allele have none of it. Calls may be phased or not; one that is
 * missing in part is missing; a haploid call (X, Y, MT) counts twice, as for plink, and so does
 * its dosage. With dosages (option dosage) DS stands for GT.
 *
 * Lines are taken in batches: names and places one after the other, then the calls of all lines in
 * parallel. */
#include "read/vcf.h"
#include "base/c_locale.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/threads.h"

#define MAX_LINE     ((size_t)1 << 30)
#define MAX_ALLELES  256u
#define N_FIXED      9u    /* fields before those of the samples */
#define SAMPLES_STEP 4096u /* of a header, between two looks at the limits */

typedef struct vcf_job {
  const char *line, *calls, *end; /* the line, its first sample, its end */
  size_t number;                  /* of the line */
  size_t field;                   /* of GT or DS among the parts of a call */
  size_t call_field;              /* of GT; SIZE_MAX: none */
  bool is_autosome;
  int ploidy;        /* of the first call that is not missing */
  uint32_t first, n; /* first of the alleles in `alleles`, and how many */
  unsigned n_alts;
  const char *wrong; /* what is wrong, */
  const char *where; /* and where */
} vcf_job;

/* An alternative allele that is counted. */
typedef struct vcf_allele {
  unsigned number; /* from 1 on */
  size_t place;    /* in the store */
} vcf_allele;

typedef struct vcf {
  irl_cell_store store; /* first */
  const irl_vcf_text *text;
  char *buffer;
  size_t used, capacity;
  bool is_over; /* the buffer has the last bytes of the file */
  size_t line;  /* how many were taken */
  size_t header_lines;
  bool has_people;
  size_t n_lines; /* of variants */
  vcf_job *jobs;
  size_t n_jobs, jobs_capacity;
  vcf_allele *alleles;
  size_t n_alleles, alleles_capacity;
} vcf;

static irl_status fail_at(const vcf *r, size_t line, size_t column, const char *what) {
  if (r->store.has_records && r->has_people)
    return irl_fail(r->store.g.env, IRL_STATUS_BAD_INPUT, "%s: record %zu: %s",
                    r->store.g.source->path, line - r->header_lines, what);
  return irl_fail(r->store.g.env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s", r->store.g.source->path,
                  line, column, what);
}

/* ---- parts of a line ---- */

/* Alternative alleles of a line that are counted: not `.`, `*` or <NON_REF>. */
static bool is_allele(irl_slice allele) {
  return !irl_slice_is(&allele, ".") && !irl_slice_is(&allele, "*") &&
         !irl_slice_is(&allele, "<*>") && !irl_slice_is(&allele, "<NON_REF>");
}

/* Digits as a number; false: it is none. */
static bool read_number(irl_slice text, uint32_t *number) {
  uint64_t value = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (!irl_c_is_digit(text.text[i]) || value > UINT32_MAX) return false;
    value = 10 * value + (uint64_t)(text.text[i] - '0');
  }
  *number = (uint32_t)value;
  return text.length && value <= UINT32_MAX;
}

/* Chromosomes 1 to 22, of which everybody has two. */
static bool is_autosome(irl_slice chromosome) {
  char name[IRL_CHROMOSOME_SIZE];
  const size_t n = irl_chromosome_name(chromosome.text, chromosome.length, name);
  if (n == 1) return *name >= '1' && *name <= '9';
  return n == 2 && ((*name == '1' && irl_c_is_digit(name[1])) ||
                    (*name == '2' && name[1] >= '0' && name[1] <= '2'));
}

/* The value of a dosage, from 0 to 2, or to 1 where the call has one allele, which counts twice;
 * IRL_CELL_MISSING if it is too far from a whole number. */
static unsigned round_dosage(const irl_genotypes *g, double dosage, bool is_haploid) {
  const double nearest = floor(dosage + 0.5);
  assert(!is_haploid || dosage <= 1);
  if (!(nearest >= 0 && nearest <= 2) ||
      fabs(dosage - nearest) > g->options.dosage + 1e-6) /* a float of BCF is not the decimal */
    return IRL_CELL_MISSING;
  return (unsigned)nearest << is_haploid;
}

/* ---- calls ---- */

/* Part `field` of a call, which ends before `end`. */
static irl_slice part_of(const char *call, const char *end, size_t field) {
  for (; field; field--) {
    const char *colon = memchr(call, ':', (size_t)(end - call));
    if (!colon) return (irl_slice){NULL, 0};
    call = colon + 1;
  }
  const char *colon = memchr(call, ':', (size_t)(end - call));
  return (irl_slice){call, (size_t)((colon ? colon : end) - call)};
}

/* Alleles of a call, -1 if one is missing; returns how many, 0 if it is no call. */
static int read_call(irl_slice call, int alleles[2]) {
  int n = 0;
  for (const char *at = call.text, *end = at + call.length; at < end; at++) {
    int value = 0;
    if (n == 2) return 3;
    if (*at == '.') {
      value = -1;
      at++;
    } else {
      const char *from = at;
      for (; at < end && irl_c_is_digit(*at) && value < 100000; at++)
        value = 10 * value + (*at - '0');
      if (at == from) return 0;
    }
    alleles[n++] = value;
    if (at == end) return n;
    if (*at != '/' && *at != '|') return 0;
    if (at + 1 == end) return 0;
  }
  return n;
}

static void take_call(const vcf *r, vcf_job *job, irl_slice call, size_t person) {
  int alleles[2] = {0, 0};
  const int n = read_call(call, alleles);
  const int most = (int)job->n_alts;
  if (!n || n > 2 || alleles[0] > most || (n == 2 && alleles[1] > most)) {
    if (!job->wrong) {
      job->wrong = !n      ? "this is no call as 0/1, 1|1 or ./."
                   : n > 2 ? "this call has more than two alleles: ploidy above two is not read"
                           : "this call has an allele that the line does not have";
      job->where = call.text;
    }
    return;
  }
  const bool is_missing = alleles[0] < 0 || (n == 2 && alleles[1] < 0);
  if (!is_missing && !job->ploidy) job->ploidy = n;
  if (!is_missing && job->ploidy != n && job->is_autosome && !job->wrong) {
    job->wrong = "this call has one allele where others have two, or two where they have "
                 "one, on a chromosome from 1 to 22";
    job->where = call.text;
  }
  for (uint32_t k = 0; k < job->n; k++) {
    const vcf_allele *a = &r->alleles[job->first + k];
    const int number = (int)a->number;
    const unsigned value = is_missing ? IRL_CELL_MISSING
                           : n == 1   ? 2u * (alleles[0] == number)
                                      : (unsigned)(alleles[0] == number) + (alleles[1] == number);
    irl_packed cells = irl_store_cells(&r->store, a->place);
    cells.low[person >> 6] |= (uint64_t)(value & 1) << (person & 63);
    cells.high[person >> 6] |= (uint64_t)(value >> 1) << (person & 63);
  }
}

/* Has the call whose dosage is read one allele? */
static bool is_haploid(const vcf_job *job, const char *at, const char *end) {
  if (job->call_field == SIZE_MAX) return false;
  const irl_slice call = part_of(at, end, job->call_field);
  int alleles[2] = {-1, -1};
  return call.text && read_call(call, alleles) == 1 && alleles[0] >= 0;
}

/* One dosage for each alternative allele, with commas between; each at most `most`: 1 or 2. */
static void take_dosage(const vcf *r, vcf_job *job, irl_slice call, size_t person, int most) {
  const char *at = call.text, *end = at + call.length;
  for (uint32_t k = 0, number = 1; k < job->n; k++) {
    const vcf_allele *a = &r->alleles[job->first + k];
    char copy[32] = "", *stop = copy;
    for (; number < a->number && at && at < end; number++) {
      const char *comma = memchr(at, ',', (size_t)(end - at));
      at = comma ? comma + 1 : end;
    }
    const char *comma = at ? memchr(at, ',', (size_t)(end - at)) : NULL;
    const size_t n = at ? (size_t)((comma ? comma : end) - at) : 0;
    if (n && n < sizeof copy) memcpy(copy, at, n);
    const bool is_missing = !n || (n == 1 && *at == '.');
    const double dosage = is_missing ? 0 : irl_c_strtod(copy, &stop);
    if (!is_missing && (n >= sizeof copy || stop != copy + n || !(dosage >= 0 && dosage <= most))) {
      if (!job->wrong) job->where = call.text;
      job->wrong = most == 1 ? "the dosage of a call of one allele is not from 0 to 1"
                             : "this dosage is not from 0 to 2";
      return;
    }
    irl_packed cells = irl_store_cells(&r->store, a->place);
    irl_packed_set(&cells, person,
                   is_missing ? IRL_CELL_MISSING : round_dosage(&r->store.g, dosage, most == 1));
  }
}

static void take_calls(const vcf *r, vcf_job *job) {
  const size_t n = r->store.g.n_people;
  const bool has_dosage = r->store.g.options.dosage > 0;
  const char *at = job->calls;
  for (size_t i = 0; i < n; i++) {
    const char *tab = at < job->end ? memchr(at, '\t', (size_t)(job->end - at)) : NULL;
    const char *end = tab ? tab : job->end;
    if ((i + 1 < n) != (tab != NULL)) {
      job->wrong = "the line has not as many samples as the header";
      job->where = at;
      return;
    }
    const irl_slice call = part_of(at, end, job->field);
    if (!call.text) { /* trailing parts of a call may be left out; then it is missing */
      take_dosage(r, job, (irl_slice){".", 1}, i, 2);
    } else if (has_dosage) {
      take_dosage(r, job, call, i, is_haploid(job, at, end) ? 1 : 2);
    } else {
      take_call(r, job, call, i);
    }
    at = end + 1;
  }
}

/* ---- lines ---- */

/* The part of FORMAT that is called so; SIZE_MAX: none. */
static size_t find_part(irl_slice format, const char *name) {
  const char *at = format.text, *end = at + format.length;
  for (size_t i = 0; at <= end; i++) {
    const char *colon = memchr(at, ':', (size_t)(end - at));
    const irl_slice part = {at, (size_t)((colon ? colon : end) - at)};
    if (irl_slice_is(&part, name)) return i;
    if (!colon) break;
    at = colon + 1;
  }
  return SIZE_MAX;
}

static irl_status add_alleles(vcf *r, vcf_job *job, const irl_slice *fields,
                              irl_variant_line *line) {
  irl_env *env = r->store.g.env;
  irl_status status = IRL_STATUS_OK;
  const char *at = fields[4].text, *end = at + fields[4].length;
  for (job->n_alts = 0; at <= end && !status;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    line->counted = (irl_slice){at, (size_t)((comma ? comma : end) - at)};
    at = comma ? comma + 1 : end + 1;
    if (++job->n_alts > MAX_ALLELES)
      return fail_at(r, job->number, 1, "a line has more than 256 alleles");
    if (!is_allele(line->counted)) continue;
    if (!irl_mem_reserve(&env->allocator, &r->alleles, &r->alleles_capacity, r->n_alleles,
                         sizeof *r->alleles))
      return irl_fail_memory(env);
    r->alleles[r->n_alleles] = (vcf_allele){job->n_alts, r->store.n};
    status = irl_store_take(&r->store, line, job->number - r->header_lines * r->store.has_records);
    if (!status) r->n_alleles++;
    if (!status) job->n++;
  }
  return status;
}

/* The fixed fields of a line: what it is, whether it is wanted, and where its calls are. */
static irl_status take_line(vcf *r, const char *at, const char *end) {
  irl_genotypes *g = &r->store.g;
  irl_slice fields[N_FIXED];
  r->n_lines++;
  vcf_job job = {.line = at, .end = end, .number = r->line, .first = (uint32_t)r->n_alleles};
  for (size_t i = 0; i < N_FIXED; i++) {
    const char *tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
    if (!tab)
      return fail_at(r, r->line, 1, "expected nine fields and the samples, separated by tabs");
    fields[i] = (irl_slice){at, (size_t)(tab - at)};
    at = tab + 1;
  }
  irl_variant_line line = {.chromosome = fields[0], .id = fields[2], .other = fields[3]};
  job.calls = at;
  if (!read_number(fields[1], &line.position))
    return fail_at(r, r->line, (size_t)(fields[1].text - job.line) + 1,
                   "the position is no number");
  if (!fields[0].length || !fields[2].length)
    return fail_at(r, r->line, 1, "chromosome or identifier is empty");
  if (g->options.vcf_filter && !g->source->only && !irl_slice_is(&fields[6], "PASS") &&
      !irl_slice_is(&fields[6], ".")) {
    r->store.n_filtered++;
    return IRL_STATUS_OK;
  }
  if (!irl_variant_is_chosen(g, &line)) return IRL_STATUS_OK;
  job.field = find_part(fields[8], g->options.dosage > 0 ? "DS" : "GT");
  job.call_field = find_part(fields[8], "GT");
  job.is_autosome = is_autosome(fields[0]);
  if (job.field == SIZE_MAX)
    return fail_at(r, r->line, (size_t)(fields[8].text - job.line) + 1,
                   g->options.dosage > 0
                       ? "FORMAT has no DS, which the genotypes are taken from"
                       : "FORMAT has no GT, which the genotypes are taken from; --dosage 0.5 "
                         "takes DS");
  const irl_status status = add_alleles(r, &job, fields, &line);
  if (status) return status;
  if (!job.n) r->store.n_bare++;
  if (!job.n) return IRL_STATUS_OK;
  if (!irl_mem_reserve(&g->env->allocator, &r->jobs, &r->jobs_capacity, r->n_jobs, sizeof *r->jobs))
    return irl_fail_memory(g->env);
  r->jobs[r->n_jobs++] = job;
  return IRL_STATUS_OK;
}

/* The header, from a line that begins with #CHROM to the people. */
static irl_status read_people(irl_genotypes *g, irl_slice line, size_t number) {
  const char *at = line.text, *end = at + line.length;
  irl_status status = IRL_STATUS_OK;
  if (g->by_name)
    return irl_fail(g->env, IRL_STATUS_BAD_INPUT,
                    "%s:%zu:1: there is a second header line #CHROM: a file has one; were several "
                    "joined by cat? (bcftools concat or merge joins them)",
                    g->source->path, number);
  g->by_name = true;
  for (size_t field = 0; at <= end && !status; field++) {
    if (field % SAMPLES_STEP == SAMPLES_STEP - 1 && irl_reading_limit_reached(g->env))
      return irl_reading_fail(g->env, g->source->path);
    const char *tab = memchr(at, '\t', (size_t)(end - at));
    const irl_slice name = {at, (size_t)((tab ? tab : end) - at)};
    const irl_person_text person = {.name = name, .is_founder = true};
    if (field >= 9 && !name.length)
      return irl_fail(g->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: a sample has no name",
                      g->source->path, number, (size_t)(at - line.text) + 1);
    if (field >= 9) status = irl_people_add(g, &person, IRL_NO_PHENOTYPE);
    at = tab ? tab + 1 : end + 1;
  }
  if (!status && !g->n_people)
    status = irl_fail(g->env, IRL_STATUS_BAD_INPUT,
                      "%s:%zu:1: there are no samples: this file has sites alone, no genotypes",
                      g->source->path, number);
  return status ? status : irl_people_finish(g);
}

static irl_status take_header(vcf *r, const char *line, const char *end) {
  static const char names[] = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO";
  const size_t length = (size_t)(end - line);
  if (r->line == 1 && (length < 16 || memcmp(line, "##fileformat=VCF", 16)))
    return fail_at(r, 1, 1, "this is no VCF: the first line is not ##fileformat=VCF...");
  if (length >= 2 && line[1] == '#') return IRL_STATUS_OK;
  if (length < sizeof names - 1 || memcmp(line, names, sizeof names - 1))
    return fail_at(r, r->line, 1,
                   "the header must be #CHROM, POS, ID, REF, ALT, QUAL, FILTER, "
                   "INFO, FORMAT and the samples, with tabs between");
  r->has_people = true;
  r->header_lines = r->line;
  const irl_status status = read_people(&r->store.g, (irl_slice){line, length}, r->line);
  return status ? status : irl_variant_choice_init(&r->store.g);
}

/* The calls of the lines that were taken. */
static irl_status run_jobs(vcf *r) {
  const int threads = r->store.g.source->threads;
  (void)threads;
#pragma omp parallel for num_threads(irl_threads_here(threads)) schedule(dynamic, 8)
  for (size_t i = 0; i < r->n_jobs; i++) take_calls(r, &r->jobs[i]);
  for (size_t i = 0; i < r->n_jobs; i++) {
    const vcf_job *job = &r->jobs[i];
    if (job->wrong)
      return fail_at(r, job->number, (size_t)(job->where - job->line) + 1, job->wrong);
  }
  r->n_jobs = r->n_alleles = 0;
  if (irl_reading_limit_reached(r->store.g.env))
    return irl_reading_fail(r->store.g.env, r->store.g.source->path);
  return IRL_STATUS_OK;
}

/* All whole lines of the buffer; what is left moves to its beginning. */
static irl_status take_buffer(vcf *r) {
  const char *at = r->buffer, *end = at + r->used;
  irl_status status = IRL_STATUS_OK;
  while (at < end && !status) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline && !r->is_over) break;
    const char *stop = newline ? newline : end, *next = newline ? newline + 1 : end;
    if (stop > at && stop[-1] == '\r') stop--;
    r->line++;
    if (memchr(at, '\0', (size_t)(stop - at)))
      status = fail_at(r, r->line, 1, "there is a NUL byte in this line");
    else if (!r->has_people && (stop == at || *at != '#'))
      status = fail_at(r, r->line, 1,
                       r->line == 1 ? "this is no VCF: the first line is not "
                                      "##fileformat=VCF..."
                                    : "there is no header line #CHROM before this");
    else if (stop > at)
      status = *at == '#' ? take_header(r, at, stop) : take_line(r, at, stop);
    at = next;
  }
  if (!status) status = run_jobs(r);
  r->used = (size_t)(end - at);
  memmove(r->buffer, at, r->used);
  return status;
}

static irl_status take_file(vcf *r) {
  irl_env *env = r->store.g.env;
  irl_status status = IRL_STATUS_OK;
  while (!r->is_over && !status) {
    if (r->used == r->capacity) {
      const size_t wanted = r->capacity ? 2 * r->capacity : r->text->room;
      if (wanted > MAX_LINE) return fail_at(r, r->line + 1, 1, "this line is too long");
      char *grown = irl_mem_grow(&env->allocator, r->buffer, wanted, 1);
      if (!grown) return irl_fail_memory(env);
      r->buffer = grown;
      r->capacity = wanted;
    }
    size_t got;
    status = r->text->read(r->text->user, r->buffer + r->used, r->capacity - r->used, &got);
    r->is_over = got < r->capacity - r->used;
    r->used += got;
    if (!status) status = take_buffer(r);
  }
  if (!status && !r->has_people)
    status = fail_at(r, r->line + 1, 1, "the file ends before the header line #CHROM");
  r->store.g.n_read = r->n_lines;
  return status;
}

irl_status irl_vcf_read_text(irl_env *env, const irl_source *source, const irl_vcf_text *text,
                             irl_table *table) {
  vcf r = {.text = text};
  irl_store_init(&r.store, env, source);
  r.store.has_records = text->has_records;
  irl_status status = take_file(&r);
  if (!status) irl_store_note(&r.store);
  irl_mem_free(&env->allocator, r.buffer);
  irl_mem_free(&env->allocator, r.jobs);
  irl_mem_free(&env->allocator, r.alleles);
  if (!status) status = irl_genotypes_table(&r.store.g, table);
  irl_store_free(&r.store);
  return status;
}

static irl_status read_input(void *user, char *bytes, size_t n, size_t *got) {
  return irl_input_read(user, bytes, n, got);
}

irl_status irl_vcf_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_input input = {.env = NULL};
  irl_vcf_text text = {.read = read_input, .user = &input, .room = IRL_VCF_ROOM};
  irl_status status = irl_input_open(env, source->path, &input);
  if (!status) status = irl_bgzf_check(&input);
  const uint64_t size = irl_input_size(&input) + 1;
  if (input.is_regular && !input.is_packed && size < text.room) text.room = (size_t)size;
  if (!status) status = irl_vcf_read_text(env, source, &text, table);
  irl_input_close(&input);
  return status;
}
