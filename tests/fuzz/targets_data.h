/* Fuzz targets: files of data. */
#ifndef FUZZ_TARGETS_DATA_H
#define FUZZ_TARGETS_DATA_H

#include "base/file.h"
#include "fuzz/harness.h"
#include "ireland_data.h"
#ifdef IRL_HAS_ZLIB
#include <zlib.h>
#endif

/* What was read is shown, written as .irb and read again. */
static void fuzz_check_data(irl_env *env, const irl_data *data) {
  irl_data *again = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  char *text = NULL;
  irl_options options = options_of(env, "threads", "1", NULL);
  irl_data_describe(data, &info);
  if (fuzz_is_done(env, irl_data_render(env, data, IRL_FORMAT_JSON, &text)))
    irl_text_free(env, text);
  const char *path = fuzz_path(".copy.irb");
  if (!fuzz_is_done(env, irl_data_write(env, data, path))) return;
  if (!info.has_labels || !info.cases || !info.controls) return;
  FUZZ_ASSERT(!irl_data_read(env, path, &options, &again), irl_env_error(env));
  FUZZ_ASSERT(checksum_of(data) == checksum_of(again), "the copy is not the same");
  irl_data_free(again);
}

static void fuzz_check_table(irl_env *env, const irl_table *raw, const irl_options *options) {
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  char *text = NULL;
  if (fuzz_is_done(env, irl_table_render(env, raw, IRL_FORMAT_TEXT, &text)))
    irl_text_free(env, text);
  if (fuzz_is_done(env, irl_table_code(env, raw, NULL, options, &coding)) &&
      fuzz_is_done(env, irl_table_data(env, raw, coding, NULL, &data)))
    fuzz_check_data(env, data);
  irl_data_free(data);
  irl_coding_free(coding);
}

/* How to read is drawn from the bytes themselves, so that seeds are files as they are. */
static irl_options fuzz_reading(irl_env *env, const uint8_t *bytes, size_t size) {
  static const char *const missing[] = {"drop", "impute", "error", "false"};
  static const char *const cuts[] = {"mdl", "quantile:3", "all", "mdl:3"};
  const uint64_t draw = XXH3_64bits(bytes, size);
  irl_options options = options_of(env, "threads", "1", NULL);
  if (draw % 3 == 0) return options;
  options.data.no_header = draw >> 4 & 1;
  options.rule.negations = draw >> 5 & 1;
  if (draw >> 6 & 1) irl_options_set(env, &options, "missing", missing[draw >> 7 & 3]);
  if (draw >> 9 & 1) irl_options_set(env, &options, "cuts", cuts[draw >> 10 & 3]);
  if (draw >> 12 & 1) options.data.vs_rest = "1";
  if ((draw >> 13 & 3) == 0) options.data.target = "1";
  if ((draw >> 15 & 3) == 0) options.data.delimiter = "semicolon";
  return options;
}

static void fuzz_read(const char *ending, const uint8_t *bytes, size_t size) {
  const size_t before = atomic_load(&fuzz_used.live);
  const bool has_indices = !strcmp(ending, ".svm");
  irl_env *env = fuzz_begin_with(has_indices ? FUZZ_INDEX_MEMORY : FUZZ_BASE_MEMORY, size);
  irl_table *raw = NULL;
  const irl_options options = fuzz_reading(env, bytes, size);
  const char *path = fuzz_save(ending, bytes, size);
  if (fuzz_is_done(env, irl_table_read(env, path, &options, &raw)))
    fuzz_check_table(env, raw, &options);
  irl_table_free(raw);
  fuzz_end(env, before);
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
  static const char line[] = "%%%%\n";
  const uint8_t *end = bytes + size;
  const uint8_t *bim = memmem(bytes, size, line, sizeof line - 1);
  const uint8_t *bed = bim ? memmem(bim + 5, (size_t)(end - bim) - 5, line, sizeof line - 1) : NULL;
  if (!bed) return;
  fuzz_save(".fam", bytes, (size_t)(bim - bytes));
  fuzz_save(".bim", bim + 5, (size_t)(bed - bim) - 5);
  fuzz_read(".bed", bed + 5, (size_t)(end - bed) - 5);
}

static void fuzz_vcf(const uint8_t *bytes, size_t size) {
  fuzz_read(".vcf", bytes, size);
}

static void fuzz_bcf(const uint8_t *bytes, size_t size) {
  fuzz_read(".bcf", bytes, size);
}

static void fuzz_counts(const uint8_t *bytes, size_t size) {
  fuzz_read(".raw", bytes, size);
}

/* Each as the file of phenotypes, people to keep and variants to use beside a VCF of three people.
 */
static void fuzz_people(const uint8_t *bytes, size_t size) {
  static const char vcf[] = "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\t"
                            "FORMAT\ta\tb\tc\n1\t7\tr\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n";
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  irl_table *made = NULL;
  irl_options options;
  const irl_bytes given = {bytes, size, "people"};
  irl_options_init(&options, sizeof options);
  const uint64_t draw = XXH3_64bits(bytes, size);
  if (draw & 1) options.genotypes.pheno = &given;
  if (draw & 2) options.genotypes.keep = &given;
  if (draw & 4) options.genotypes.extract = &given;
  if (draw & 8) options.genotypes.exclude = &given;
  if (draw & 16) options.genotypes.remove = &given;
  options.genotypes.pheno_01 = draw >> 5 & 1;
  const char *path = fuzz_save(".vcf", (const uint8_t *)vcf, sizeof vcf - 1);
  fuzz_is_done(env, irl_table_read(env, path, &options, &made));
  irl_table_free(made);
  fuzz_end(env, before);
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

enum { FUZZ_IRB_HEADER = 512, FUZZ_IRB_PARTS = 32, FUZZ_IRB_RECORD = 40 };

/* Offset, size and hash at `at`; false: they do not lie in the file. */
static bool fuzz_get_part(const uint8_t *bytes, size_t size, size_t at, uint64_t part[3]) {
  memcpy(part, bytes + at, 3 * sizeof *part);
  irl_endian_convert(part, 3);
  return part[0] <= size && part[1] <= size - part[0];
}

static void fuzz_put_hash(uint8_t *bytes, size_t at, const uint8_t *from, size_t n) {
  const uint64_t hash = irl_endian_64(XXH3_64bits(from, n));
  memcpy(bytes + at + 2 * sizeof hash, &hash, sizeof hash);
}

/* Puts the checksums right, or nothing behind them would ever be looked at: the header has four
 * parts of offset, size and hash from byte 32 on and its own hash last. In a table each record of
 * the third part has that of its column in the fourth, which has none (src/read/irb.c). */
static void fuzz_mend_irb(uint8_t *bytes, size_t size) {
  uint64_t records[3], cells[3], part[3];
  if (size < FUZZ_IRB_HEADER) return;
  const bool is_table = bytes[8] == 3;
  if (is_table && fuzz_get_part(bytes, size, FUZZ_IRB_PARTS + 48, records) &&
      fuzz_get_part(bytes, size, FUZZ_IRB_PARTS + 72, cells))
    for (uint64_t i = 0; i + FUZZ_IRB_RECORD <= records[1]; i += FUZZ_IRB_RECORD) {
      const size_t at = (size_t)(records[0] + i);
      if (fuzz_get_part(bytes, (size_t)cells[1], at, part))
        fuzz_put_hash(bytes, at, bytes + cells[0] + part[0], (size_t)part[1]);
    }
  for (size_t i = 0; i < (is_table ? 3 : 4); i++)
    if (fuzz_get_part(bytes, size, FUZZ_IRB_PARTS + 24 * i, part))
      fuzz_put_hash(bytes, FUZZ_IRB_PARTS + 24 * i, bytes + part[0], (size_t)part[1]);
  const uint64_t hash = irl_endian_64(XXH3_64bits(bytes, FUZZ_IRB_HEADER - sizeof hash));
  memcpy(bytes + FUZZ_IRB_HEADER - sizeof hash, &hash, sizeof hash);
}

static void fuzz_irb(const uint8_t *bytes, size_t size) {
  uint8_t *mended = calloc(size ? size : 1, 1);
  if (!mended) abort();
  if (size) memcpy(mended, bytes, size);
  fuzz_read(".irb", mended, size);
  fuzz_mend_irb(mended, size);
  fuzz_read(".irb", mended, size);
  free(mended);
}

#endif
