/* What kind of input a file is, by its name: the options that count differ. */
#include "base/file.h"
#include "data/source.h"
#include <string.h>

unsigned irl_source_input(const char *path) {
  static const struct {
    const char *extension;
    unsigned input;
  } known[] = {{"arff", IRL_FROM_ARFF},
               {"svm", IRL_FROM_LIBSVM},
               {"libsvm", IRL_FROM_LIBSVM},
               {"bed", IRL_FROM_BED},
               {"irb", IRL_FROM_IRB}};
  char extension[16];
  irl_file_extension(path, extension);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(extension, known[i].extension)) return known[i].input;
  return IRL_FROM_TEXT;
}
