#define _GNU_SOURCE /* memmem */
#include "base/file.h"
#include "base/posix.h"

#define LOOK 4096u /* bytes of a file that are looked at */

typedef struct kind {
  const char *magic;
  size_t length;
  const char *sentence;
} kind;

#define PARQUET "PAR1" /* which may begin a text as well */
#define PGEN    "this is a .pgen file of plink2: 'plink2 --pfile PREFIX --make-bed' makes a .bed of it"
#define BGEN                                                                                       \
  "this is a BGEN file: 'plink2 --bgen FILE ref-first --make-bed --out PREFIX' makes a .bed of it"
#define KIND(magic, sentence)                                                                      \
  { magic, sizeof magic - 1, sentence }

static const kind kinds[] = {
    KIND("PK\x03\x04", "this is a zip archive: unpack it first"),
    KIND("PK\x05\x06", "this is an empty zip archive"),
    KIND(PARQUET, "this is a Parquet file: save the table as CSV"),
    KIND("SQLite format 3", "this is an SQLite database: save the table as CSV"),
    KIND("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
         "this is an old Excel workbook (.xls): save the sheet as CSV"),
    KIND("ARROW1\0", "this is an Arrow or Feather file: save the table as CSV"),
    KIND("\x89HDF\r\n", "this is an HDF5 file: save the table as CSV"),
    KIND("\x93NUMPY", "this is an array of NumPy: save it as CSV"),
    KIND("RDX2\n", "this is a file of R: save the table with write.csv"),
    KIND("RDX3\n", "this is a file of R: save the table with write.csv"),
    KIND("X\n\0\0\0", "this is a file of R (.rds): save the table with write.csv"),
    KIND("$FL2@(#)", "this is an SPSS file: save the table as CSV"),
    KIND("$FL3@(#)", "this is an SPSS file: save the table as CSV"),
    KIND("<stata_dta>", "this is a Stata file: save the table as CSV"),
    KIND("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60", "this is a SAS file: save the table as CSV"),
    KIND("\x6c\x1b\x02", PGEN),
    KIND("\x6c\x1b\x10", PGEN),
    KIND("\x6c\x1b\x11", PGEN),
    KIND("%PDF-", "this is a PDF document: save the table as CSV"),
    KIND("BZh91AY&SY", "this file is compressed by bzip2: decompress it first, or use gzip"),
    KIND("\xfd"
         "7zXZ",
         "this file is compressed by xz: decompress it first, or use gzip"),
    KIND("\x28\xb5\x2f\xfd", "this file is compressed by zstd: decompress it first, or use gzip"),
    KIND("\xff\xfe", "this text is UTF-16: save it as UTF-8 (in Excel: CSV UTF-8)"),
    KIND("\xfe\xff", "this text is UTF-16: save it as UTF-8 (in Excel: CSV UTF-8)"),
};

static bool has_magic(const irl_file *file, const kind *k) {
  const size_t n = file->size < LOOK ? file->size : LOOK;
  return n >= k->length && !memcmp(file->bytes, k->magic, k->length) &&
         (strcmp(k->magic, PARQUET) || memchr(file->bytes, '\0', n));
}

/* What is in a zip archive: workbooks are such archives. */
static const char *look_into_zip(const irl_file *file, const char *otherwise) {
  const size_t n = file->size < LOOK ? file->size : LOOK;
  if (memmem(file->bytes, n, "[Content_Types].xml", 19) || memmem(file->bytes, n, "xl/", 3))
    return "this is an Excel workbook (.xlsx): save the sheet as CSV";
  if (memmem(file->bytes, n, "opendocument.spreadsheet", 24))
    return "this is an OpenDocument spreadsheet (.ods): save the sheet as CSV";
  if (memmem(file->bytes, n, ".npy", 4)) return "this is an archive of NumPy: save it as CSV";
  return otherwise;
}

/* BGEN has its name behind two lengths and two counts. */
static bool is_bgen(const irl_file *file) {
  return file->size >= 20 && !memcmp(file->bytes + 16, "bgen", 4) && memchr(file->bytes, '\0', 16);
}

irl_status irl_foreign_check(irl_env *env, const char *path, const irl_file *file) {
  for (const kind *k = kinds; k < kinds + sizeof kinds / sizeof *kinds; k++) {
    if (!has_magic(file, k)) continue;
    const char *sentence = k == kinds ? look_into_zip(file, k->sentence) : k->sentence;
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, sentence);
  }
  return is_bgen(file) ? irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, BGEN) : IRL_STATUS_OK;
}
