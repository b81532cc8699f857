#include "read/formats.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "data/shard.h"

const irl_file_format *irl_file_format_find(const char *path) {
  static const irl_file_format formats[] = {
      {"csv", IRL_FROM_TEXT, IRL_WRITE_CSV, false, irl_csv_read, irl_csv_read_shard},
      {"tsv", IRL_FROM_TEXT, IRL_WRITE_TSV, false, irl_csv_read, irl_csv_read_shard},
      {"txt", IRL_FROM_TEXT, IRL_WRITE_TSV, false, irl_csv_read, irl_csv_read_shard},
      {"arff", IRL_FROM_ARFF, IRL_WRITE_NOT, false, irl_arff_read, NULL},
      {"svm", IRL_FROM_LIBSVM, IRL_WRITE_LIBSVM, false, irl_libsvm_read, NULL},
      {"libsvm", IRL_FROM_LIBSVM, IRL_WRITE_LIBSVM, false, irl_libsvm_read, NULL},
      {"bed", IRL_FROM_BED, IRL_WRITE_NOT, true, irl_plink_read, irl_plink_read_shard},
      {"irb", IRL_FROM_IRB, IRL_WRITE_IRB, true, irl_irb_read, irl_irb_read_shard},
  };
  static const irl_file_format other = {"",    IRL_FROM_TEXT, IRL_WRITE_NOT,
                                        false, irl_csv_read,  irl_csv_read_shard};
  char extension[16];
  irl_file_extension(path, extension);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(extension, formats[i].extension)) return &formats[i];
  return &other;
}

unsigned irl_source_input(const char *path) {
  return irl_file_format_find(path)->input;
}

irl_status irl_source_fail(irl_env *env, irl_place place, const char *format, ...) {
  char what[IRL_ERROR_SIZE];
  size_t line, column;
  va_list arguments;
  va_start(arguments, format);
  irl_c_vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  irl_text_place(place.text, (size_t)(place.at - place.text), &line, &column);
  return irl_fail(env, IRL_BAD_INPUT, "%s:%zu:%zu: %s", place.path, line, column, what);
}
