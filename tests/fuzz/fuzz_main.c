/* The entry for libFuzzer: FUZZ_TARGET names the target, as in `FUZZ_TARGET=csv fuzz CORPUS`. */
#define _GNU_SOURCE
#include "fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const fuzz_target *target;
  const char *name = getenv("FUZZ_TARGET");
  for (size_t i = 0; !target && i < sizeof fuzz_targets / sizeof *fuzz_targets; i++)
    if (name && !strcmp(name, fuzz_targets[i].name)) target = &fuzz_targets[i];
  if (!target) {
    fprintf(stderr, "FUZZ_TARGET names no target\n");
    exit(2);
  }
  target->run(bytes, size);
  return 0;
}
