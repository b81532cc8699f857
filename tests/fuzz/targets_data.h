/* Fuzz targets: files of data. */
#ifndef FUZZ_TARGETS_DATA_H
#define FUZZ_TARGETS_DATA_H

#include "base/file.h"
#include "comm_threads.h"
#include "data/dataset.h"
#include "files.h"
#include "fuzz/harness.h"
#include "ireland_data.h"
#include "mend_irb.h"
#ifdef IRL_HAS_ZLIB
#include <zlib.h>
#endif

/* The checksum of what a table is coded to; 0: it is refused. */
static uint64_t fuzz_code(irl_env *env, const irl_table *raw, const irl_options *options) {
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  char *text = NULL;
  uint64_t checksum = 0;
  if (fuzz_is_done(env, irl_table_code(env, raw, NULL, options, &coding)) &&
      fuzz_is_done(env, irl_table_data(env, raw, coding, NULL, &data)))
    checksum = checksum_of(data);
  if (data && fuzz_is_done(env, irl_data_render(env, data, IRL_FORMAT_JSON, &text)))
    irl_text_free(env, text);
  irl_data_free(data);
  irl_coding_free(coding);
  return checksum;
}

/* What was read is shown, written as .irb and read again: it is coded as before. */
static void fuzz_check_table(irl_env *env, const irl_table *raw, const irl_options *options) {
  irl_table *again = NULL;
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_options plain = options_of(env, "threads", "1", NULL);
  char *text = NULL;
  if (fuzz_is_done(env, irl_table_render(env, raw, IRL_FORMAT_TEXT, &text)))
    irl_text_free(env, text);
  irl_table_describe(raw, &info);
  const char *path = fuzz_path(".copy.irb");
  if (!fuzz_code(env, raw, options) || !fuzz_is_done(env, irl_table_write(env, raw, path))) return;
  plain.data.positive = info.positive;
  FUZZ_ASSERT(!irl_table_read(env, path, &plain, &again), irl_env_error(env));
  irl_table_describe(again, &info);
  if (info.is_plain) options = &plain; /* nothing is missing there */
  FUZZ_ASSERT(fuzz_code(env, raw, options) == fuzz_code(env, again, options),
              "the copy is not the same");
  irl_table_free(again);
  fuzz_reach();
}

/* How to read is drawn from the bytes themselves, so that seeds are files as they are. Options that
 * a format does not have would only be refused. */
static irl_options fuzz_reading(irl_env *env, const char *ending, const uint8_t *bytes,
                                size_t size) {
  static const char *const missing[] = {"drop", "impute", "error", "false"};
  static const char *const cuts[] = {"mdl", "quantile:3", "all", "mdl:3"};
  const uint64_t draw = XXH3_64bits(bytes, size);
  const bool is_csv = !strncmp(ending, ".csv", 4);
  const bool is_typed = is_csv || !strcmp(ending, ".arff") || !strcmp(ending, ".svm");
  irl_options options = options_of(env, "threads", "1", NULL);
  if (draw % 3 == 0) return options;
  options.rule.negations = draw >> 5 & 1;
  if (draw >> 6 & 1) irl_options_set(env, &options, "missing", missing[draw >> 7 & 3]);
  if (!is_typed) return options;
  if (draw >> 9 & 1) irl_options_set(env, &options, "cuts", cuts[draw >> 10 & 3]);
  if ((draw >> 12 & 3) == 0) options.data.vs_rest = "1";
  if (!is_csv) return options;
  options.data.no_header = draw >> 4 & 1;
  if ((draw >> 14 & 3) == 0) options.data.target = "1";
  if ((draw >> 16 & 3) == 0) options.data.delimiter = "semicolon";
  return options;
}

static size_t fuzz_base(const char *ending) {
  return strcmp(ending, ".svm") ? FUZZ_BASE_MEMORY : FUZZ_INDEX_MEMORY;
}

/* The same once more, until memory ends somewhere on the way. */
static void fuzz_read_starved(const char *path, const char *ending, const irl_options *options,
                              size_t size, uint64_t draw, size_t n_requests) {
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin_with(fuzz_base(ending), size);
  irl_table *raw = NULL;
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  fuzz_starve(draw, n_requests);
  if (fuzz_is_done(env, irl_table_read(env, path, options, &raw)) &&
      fuzz_is_done(env, irl_table_code(env, raw, NULL, options, &coding)))
    fuzz_is_done(env, irl_table_data(env, raw, coding, NULL, &data));
  irl_data_free(data);
  irl_coding_free(coding);
  irl_table_free(raw);
  fuzz_end(env, before);
}

/* Reads a file by these options of genotypes; NULL: by options that its bytes draw. */
static void fuzz_read_by(const char *ending, const uint8_t *bytes, size_t size,
                         const irl_genotypes_options *genotypes) {
  const size_t before = atomic_load(&fuzz_used.live);
  const uint64_t draw = XXH3_64bits(bytes, size);
  irl_env *env = fuzz_begin_with(fuzz_base(ending), size);
  irl_table *raw = NULL;
  irl_options options =
      genotypes ? options_of(env, "threads", "1", NULL) : fuzz_reading(env, ending, bytes, size);
  if (genotypes) options.genotypes = *genotypes;
  const char *path = fuzz_save(ending, bytes, size);
  if (fuzz_is_done(env, irl_table_read(env, path, &options, &raw)))
    fuzz_check_table(env, raw, &options);
  irl_table_free(raw);
  const size_t n_requests = atomic_load(&fuzz_used.requests);
  fuzz_end(env, before);
  fuzz_read_starved(path, ending, &options, size, draw >> 32, n_requests);
}

static void fuzz_read(const char *ending, const uint8_t *bytes, size_t size) {
  fuzz_read_by(ending, bytes, size, NULL);
}

static void fuzz_csv(const uint8_t *bytes, size_t size) {
  fuzz_read(".csv", bytes, size);
}

static void fuzz_arff(const uint8_t *bytes, size_t size) {
  fuzz_read(".arff", bytes, size);
}

/* A large index means so many features, which takes its time: few inputs may have one. */
static bool fuzz_has_large_index(const uint8_t *bytes, size_t size) {
  enum { DIGITS = 5 };
  size_t digits = 0;
  for (size_t i = 0; i < size && digits < DIGITS; i++)
    digits = bytes[i] >= '0' && bytes[i] <= '9' ? digits + 1 : 0;
  return digits == DIGITS;
}

static void fuzz_libsvm(const uint8_t *bytes, size_t size) {
  const uint64_t draw = XXH3_64bits(bytes, size);
  if (fuzz_has_large_index(bytes, size) && draw >> 20 & 255) return;
  fuzz_read(".svm", bytes, size);
}

/* Three files with a line %%%% between them: .fam, .bim, .bed. */
static void fuzz_plink(const uint8_t *bytes, size_t size) {
  irl_bytes parts[3];
  if (fuzz_parts(bytes, size, parts, 3) < 3) return;
  fuzz_save(".fam", parts[0].data, parts[0].size);
  fuzz_save(".bim", parts[1].data, parts[1].size);
  fuzz_read(".bed", parts[2].data, parts[2].size);
}

/* The people of the seeds; of a VCF they are cases and controls. */
static const irl_genotypes_options *fuzz_phenotypes(void) {
  static const char text[] = "IID ill\nS0 1\nS1 2\nS2 1\nS3 2\nS4 2\na 1\nb 2\nc 1\n";
  static const irl_bytes pheno = {text, sizeof text - 1, "pheno"};
  static irl_options options;
  irl_options_init(&options, sizeof options);
  options.genotypes.pheno = &pheno;
  return &options.genotypes;
}

static void fuzz_vcf(const uint8_t *bytes, size_t size) {
  fuzz_read_by(".vcf", bytes, size, fuzz_phenotypes());
}

static void fuzz_bcf(const uint8_t *bytes, size_t size) {
  fuzz_read_by(".bcf", bytes, size, fuzz_phenotypes());
}

static void fuzz_counts(const uint8_t *bytes, size_t size) {
  fuzz_read(".raw", bytes, size);
}

/* Each as the file of phenotypes, people to keep and variants to use beside a VCF of three people,
 * whose names have a family or not. */
static void fuzz_people(const uint8_t *bytes, size_t size) {
  static const char vcf[] = "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\t"
                            "FORMAT\ta\tb\tF_c\n1\t7\tr\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n";
  const irl_bytes given = {bytes, size, "people"};
  const uint64_t draw = XXH3_64bits(bytes, size);
  irl_genotypes_options options = *fuzz_phenotypes();
  if (draw & 1) options.pheno = &given;
  if (draw & 2) options.keep = &given;
  if ((draw >> 2 & 3) == 0) options.extract = &given;
  if ((draw >> 4 & 3) == 0) options.exclude = &given;
  if ((draw >> 6 & 3) == 0) options.remove = &given;
  options.pheno_01 = draw >> 8 & 1;
  fuzz_read_by(".vcf", (const uint8_t *)vcf, sizeof vcf - 1, &options);
}

/* ---- what options make of genotypes ---- */

/* Lines NAME=VALUE of options of genotypes. */
static void fuzz_set_lines(irl_env *env, irl_options *options, const irl_bytes *lines) {
  char *text = malloc(lines->size + 1), *rest = text;
  if (!text) abort();
  if (lines->size) memcpy(text, lines->data, lines->size);
  text[lines->size] = '\0';
  for (char *line; (line = strsep(&rest, "\n"));) {
    static const char *const names[] = {"maf",     "geno",  "mind",     "hwe",        "chr",
                                        "from_bp", "to_bp", "prune_ld", "vcf_filter", "dosage"};
    static char values[sizeof names / sizeof *names][64]; /* options keep where their texts are */
    char *value = strchr(line, '=');
    if (!value) continue;
    *value++ = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (strcmp(line, names[i])) continue;
      snprintf(values[i], sizeof values[i], "%s", value);
      fuzz_is_done(env, irl_options_set(env, options, line, values[i]));
    }
  }
  free(text);
}

/* Four files: lines NAME=VALUE of options, people, variants, and a VCF. The draw says which of the
 * people are kept or removed, and which of the variants are taken. */
static void fuzz_filters(const uint8_t *bytes, size_t size) {
  irl_bytes parts[4];
  irl_env *env = NULL;
  if (fuzz_parts(bytes, size, parts, 4) < 4 || irl_env_create(NULL, &env)) return;
  irl_options options = options_of(env, NULL);
  options.genotypes = *fuzz_phenotypes();
  fuzz_set_lines(env, &options, &parts[0]);
  if (parts[1].size) *(size & 1 ? &options.genotypes.keep : &options.genotypes.remove) = &parts[1];
  if (parts[2].size)
    *(size & 2 ? &options.genotypes.extract : &options.genotypes.exclude) = &parts[2];
  fuzz_read_by(".vcf", parts[3].data, parts[3].size, &options.genotypes);
  irl_env_free(env);
}

/* Three files: names of covariates, covariates, and phenotypes of the people of a VCF. */
static void fuzz_covariates(const uint8_t *bytes, size_t size) {
  static const char vcf[] =
      "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS0\tS1\tS2\tS3"
      "\tF4_S4\n1\t7\tr\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\t./.\t0/1\n";
  irl_bytes parts[3];
  char names[200];
  if (fuzz_parts(bytes, size, parts, 3) < 3) return;
  irl_genotypes_options options = *fuzz_phenotypes();
  const size_t n = strnlen(parts[0].data, parts[0].size < 199 ? parts[0].size : 199);
  memcpy(names, parts[0].data, n);
  names[n] = '\0';
  names[strcspn(names, "\n")] = '\0';
  if (*names) options.covar_name = names;
  options.covar = &parts[1];
  if (parts[2].size) options.pheno = &parts[2];
  fuzz_read_by(".vcf", (const uint8_t *)vcf, sizeof vcf - 1, &options);
}

/* Compressed as it is, or compressed here, in members of which the first has `size` / 3 bytes: then
 * what is read is what the bytes themselves give. */
static void fuzz_gz(const uint8_t *bytes, size_t size) {
  fuzz_read(".csv.gz", bytes, size);
#ifdef IRL_HAS_ZLIB
  const size_t sizes[] = {size / 3, size - size / 3};
  uint8_t *packed = malloc(2 * size + 1000), *at = packed;
  if (!packed) abort();
  for (int i = 0; i < 2; i++) {
    z_stream z = {0};
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    z.next_in = (z_const Bytef *)(bytes + (i ? sizes[0] : 0));
    z.avail_in = (uInt)sizes[i];
    z.next_out = at;
    z.avail_out = (uInt)(packed + 2 * size + 1000 - at);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
    at = z.next_out;
    deflateEnd(&z);
  }
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  irl_file plain, file;
  const irl_status status = irl_file_open(env, fuzz_save(".plain", bytes, size), &plain);
  const irl_status other =
      irl_file_open(env, fuzz_save(".gz", packed, (size_t)(at - packed)), &file);
  if (!status && !other && !irl_is_compressed((const char *)bytes, size)) {
    FUZZ_ASSERT(plain.size == file.size && !memcmp(plain.bytes, file.bytes, plain.size),
                "decompressing changes the bytes");
  }
  if (!status) irl_file_close(&plain);
  if (!other) irl_file_close(&file);
  fuzz_end(env, before);
  free(packed);
#endif
}

/* ---- files in blocks, and by a team ---- */

/* The predictions of a file in blocks of at most `rows`; NULL: it is refused. */
static char *fuzz_predict(irl_env *env, const char *path, const irl_options *options,
                          const irl_rule *rule, uint32_t rows, bool explains) {
  irl_stream *stream = NULL;
  irl_predictor *predictor = NULL;
  irl_table *made = NULL;
  buffer all = {0};
  char *text = NULL;
  put(&all, "");
  irl_status status = irl_predictor_create(
      env, rule, explains ? IRL_FORMAT_JSON_LINES : IRL_FORMAT_CSV, explains, &predictor);
  if (!status) status = irl_stream_open_file(env, path, options, rule, false, &stream);
  while (!status && !(status = irl_stream_next_table(env, stream, rows, &made)) && made) {
    status = irl_predictor_add_table(env, predictor, made, &text);
    irl_table_free(made);
    if (!status) put(&all, text);
    if (!status) irl_text_free(env, text);
  }
  if (!status && !(status = irl_predictor_finish(env, predictor, &text))) {
    put(&all, text);
    irl_text_free(env, text);
  }
  irl_stream_free(stream);
  irl_predictor_free(predictor);
  if (fuzz_is_done(env, status)) return all.bytes;
  free(all.bytes);
  return NULL;
}

/* What a rule is worth on a file, block by block. */
static bool fuzz_evaluate(irl_env *env, const char *path, const irl_options *options,
                          const irl_rule *rule, uint32_t rows, irl_evaluation *evaluation) {
  irl_stream *stream = NULL;
  irl_evaluator *evaluator = NULL;
  irl_data *data = NULL;
  irl_status status = irl_evaluator_create(env, rule, &evaluator);
  if (!status) status = irl_stream_open_file(env, path, options, rule, true, &stream);
  while (!status && !(status = irl_stream_next(env, stream, rows, &data)) && data) {
    status = irl_evaluator_add(env, evaluator, data);
    irl_data_free(data);
  }
  if (!status) status = irl_evaluator_finish(env, evaluator, evaluation);
  irl_stream_free(stream);
  irl_evaluator_free(evaluator);
  return fuzz_is_done(env, status);
}

/* Three files: the ending of the third, a rule, and data that come in blocks. In blocks of a few
 * rows they give what they give at once. */
static void fuzz_streams(const uint8_t *bytes, size_t size) {
  static const char *const endings[] = {".csv", ".arff", ".svm", ".tsv", ".raw"};
  irl_bytes parts[3];
  const uint64_t draw = XXH3_64bits(bytes, size);
  const char *ending = endings[0];
  if (fuzz_parts(bytes, size, parts, 3) < 3) return;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (parts[0].size > strlen(endings[i]) &&
        !memcmp(parts[0].data, endings[i] + 1, strlen(endings[i]) - 1))
      ending = endings[i];
  if (!strcmp(ending, ".svm") && fuzz_has_large_index(parts[2].data, parts[2].size)) return;
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  const irl_options options = options_of(env, "threads", "1", NULL);
  irl_rule *rule = NULL;
  const char *path = fuzz_save(ending, parts[2].data, parts[2].size);
  if (fuzz_is_done(env, irl_rule_parse_json(env, parts[1].data, parts[1].size, &rule))) {
    irl_evaluation one = IRL_SIZED(irl_evaluation), other = IRL_SIZED(irl_evaluation);
    char *whole = fuzz_predict(env, path, &options, rule, 0, draw & 1);
    char *blocks = fuzz_predict(env, path, &options, rule, 1 + (draw >> 1 & 3), draw & 1);
    FUZZ_ASSERT(!whole == !blocks, "blocks are refused or the whole is");
    FUZZ_ASSERT(!whole || !strcmp(whole, blocks), "blocks differ from the whole");
    const bool is_read = whole != NULL;
    free(whole);
    free(blocks);
    const bool is_done = fuzz_evaluate(env, path, &options, rule, 0, &one);
    FUZZ_ASSERT(is_done == fuzz_evaluate(env, path, &options, rule, 1 + (draw >> 3 & 3), &other),
                "blocks are refused or the whole is");
    FUZZ_ASSERT(!is_done || (one.tp == other.tp && one.fp == other.fp && one.fn == other.fn &&
                             one.tn == other.tn),
                "blocks differ from the whole");
    if (is_done && is_read) fuzz_reach();
  }
  irl_rule_free(rule);
  fuzz_end(env, before);
}

/* Of the data in a file, as so many processes count its bits; 0: it is refused. */
static uint64_t fuzz_checksum_by(irl_env *env, const char *path, int n, const char *grid) {
  irl_data *data = NULL;
  irl_options options = options_of(env, "threads", "1", NULL);
  team_run run;
  uint64_t checksum = 0;
  options.data.grid = grid;
  if (n > 1) team_begin(&run, env, n, -1);
  if (fuzz_is_done(env, irl_data_read(env, path, &options, &data)))
    checksum = checksum_of(data) ^ counts_checksum(env, data);
  if (data && data->shard) fuzz_reach();
  irl_data_free(data);
  if (n > 1) team_finish(&run, env);
  return checksum;
}

/* Data divided over a team are what one alone reads. Three files with %%%% between are PLINK's, one
 * that begins as .irb does is such a one, others are CSV, whose rows are repeated until they are
 * worth dividing. */
static void fuzz_shards(const uint8_t *bytes, size_t size) {
  enum { LEAST = 4096, MOST = 1 << 16 };
  irl_bytes parts[3];
  const uint64_t draw = XXH3_64bits(bytes, size);
  const bool is_plink = fuzz_parts(bytes, size, parts, 3) == 3;
  const bool is_irb = size > 8 && !memcmp(bytes, "IRELAND\x1a", 8);
  const uint8_t *rows = size ? memchr(bytes, '\n', size) : NULL;
  const size_t n_rows = rows ? (size_t)(bytes + size - rows) - 1 : 0;
  buffer b = {0};
  if (size > MOST) return;
  if (is_plink) {
    fuzz_save(".fam", parts[0].data, parts[0].size);
    fuzz_save(".bim", parts[1].data, parts[1].size);
    put_bytes(&b, parts[2].data, parts[2].size);
  } else {
    put_bytes(&b, (const char *)bytes, size);
    if (is_irb) irb_mend(b.bytes, b.length);
    while (!is_irb && n_rows && b.length < LEAST) put_bytes(&b, (const char *)rows + 1, n_rows);
  }
  const char *path = fuzz_save(is_plink ? ".bed" : is_irb ? ".irb" : ".csv", b.bytes, b.length);
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(b.length);
  const bool on_grid = !(draw & 6);
  const uint64_t alone = fuzz_checksum_by(env, path, 1, NULL);
  const uint64_t team = on_grid ? fuzz_checksum_by(env, path, 4, "2x2")
                                : fuzz_checksum_by(env, path, 2 + (int)(draw & 1), NULL);
  FUZZ_ASSERT(alone == team, "a team reads something else");
  fuzz_end(env, before);
  free(b.bytes);
}

static void fuzz_irb(const uint8_t *bytes, size_t size) {
  uint8_t *mended = calloc(size ? size : 1, 1);
  if (!mended) abort();
  if (size) memcpy(mended, bytes, size);
  fuzz_read(".irb", mended, size);
  irb_mend(mended, size);
  fuzz_read(".irb", mended, size);
  free(mended);
}

#endif
