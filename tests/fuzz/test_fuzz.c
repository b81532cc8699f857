/* The fuzz targets (tests/fuzz) without a fuzzer: all seeds, every input that once was found to be
 * mistreated, and a fixed number of mutants of the seeds. `make fuzz` looks for more.
 *
 * The seeds of a target must reach what it tests: one of them at least is accepted. */
#define _GNU_SOURCE
#include "fuzz/mutate.h"
#include "fuzz/targets.h"
#include "fuzzing.h"
#include <dirent.h>

#define MOST_BYTES (1u << 16)

/* Bytes of their own, so that a sanitizer sees what reads beyond them. */
static void run(const fuzz_target *target, const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size);
  if (size) memcpy(copy, bytes, size);
  target->run(copy, size);
  free(copy);
}

/* Tries some mutants of a seed: they are the same whenever the suite runs. */
static void run_mutants(const fuzz_target *target, const uint8_t *seed, size_t size, unsigned n) {
  static uint8_t bytes[MOST_BYTES];
  for (unsigned i = 0; i < n && size <= MOST_BYTES; i++) {
    uint64_t state = i + size;
    size_t now = size;
    if (size) memcpy(bytes, seed, size);
    if (i % 3 != 1) now = fuzz_mutate(target->name, bytes, now, MOST_BYTES, i);
    if (i % 3) now = fuzz_mutate_bytes(bytes, now, MOST_BYTES, &state);
    run(target, bytes, now);
  }
}

/* Runs all files of a folder through a target, and mutants of each; a crash ends the suite. */
static unsigned replay(const fuzz_target *target, const char *kind, unsigned n_mutants) {
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
    char *bytes = load_bytes(path, &size);
    run(target, (const uint8_t *)bytes, size);
    run_mutants(target, (const uint8_t *)bytes, size, n_mutants);
    free(bytes);
    n++;
  }
  closedir(entries);
  return n;
}

TEST survives(const fuzz_target *target) {
  const size_t before = fuzz_n_reached;
  const unsigned n = replay(target, "seeds", 0);
  ASSERT_GTm("a target needs seeds", n, 0u);
  ASSERT_GTm("every seed is refused: the target tests nothing", fuzz_n_reached, before);
  replay(target, "found", 0);
  target->run((const uint8_t *)"", 0);
  PASS();
}

TEST survives_mutants(const fuzz_target *target) {
  const unsigned n = (unsigned)(target->n_mutants * number_of("IRL_FUZZ", 1));
  ASSERT_GT(replay(target, "seeds", n), 0u);
  PASS();
}

SUITE(fuzz) {
  for (size_t i = 0; i < sizeof fuzz_targets / sizeof *fuzz_targets; i++) {
    greatest_set_test_suffix(fuzz_targets[i].name);
    RUN_TESTp(survives, &fuzz_targets[i]);
    greatest_set_test_suffix(fuzz_targets[i].name);
    RUN_TESTp(survives_mutants, &fuzz_targets[i]);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(fuzz);
  GREATEST_MAIN_END();
}
