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
    KIND("$FL2@(#)", "this is an SPSS file: save the table as CSV"),
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

irl_status irl_foreign_check(irl_env *env, const char *path, const irl_file *file) {
  for (const kind *k = kinds; k < kinds + sizeof kinds / sizeof *kinds; k++) {
    if (!has_magic(file, k)) continue;
    const char *sentence = k == kinds ? look_into_zip(file, k->sentence) : k->sentence;
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, sentence);
  }
  return IRL_STATUS_OK;
}
