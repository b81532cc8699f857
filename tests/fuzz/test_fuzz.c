/* The fuzz targets (tests/fuzz) without a fuzzer: all seeds, and every input that once was found to
 * be mistreated. `make fuzz` looks for more. */
#define _GNU_SOURCE
#include "fuzz/targets.h"
#include <dirent.h>

/* Runs all files of a folder through a target; a crash ends the suite. */
static unsigned replay(const fuzz_target *target, const char *kind) {
  char folder[200], path[600];
  unsigned n = 0;
  snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, target->name);
  DIR *entries = opendir(folder);
  if (!entries) return 0;
  for (struct dirent *entry; (entry = readdir(entries));) {
    size_t size;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    printf("%s\n", path);
    fflush(stdout);
    char *loaded = load_bytes(path, &size), *bytes = malloc(size); /* without anything after it */
    if (size) memcpy(bytes, loaded, size);
    free(loaded);
    target->run((const uint8_t *)bytes, size);
    free(bytes);
    n++;
  }
  closedir(entries);
  return n;
}

TEST survives(const fuzz_target *target) {
  ASSERT_GT(replay(target, "seeds"), 0u);
  replay(target, "found");
  target->run((const uint8_t *)"", 0);
  PASS();
}

SUITE(fuzz) {
  for (size_t i = 0; i < sizeof fuzz_targets / sizeof *fuzz_targets; i++) {
    greatest_set_test_suffix(fuzz_targets[i].name);
    RUN_TESTp(survives, &fuzz_targets[i]);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(fuzz);
  GREATEST_MAIN_END();
}
