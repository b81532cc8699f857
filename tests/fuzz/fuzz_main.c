/* The entries for libFuzzer: FUZZ_TARGET names the target, as in `FUZZ_TARGET=csv fuzz CORPUS`. */
#define _GNU_SOURCE
#include "fuzz/mutate.h"
#include "fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

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

/* Every third mutation moves records, one in nine changes bytes as well. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  const char *name = getenv("FUZZ_TARGET");
  if (name && seed % 3 == 0) size = fuzz_mutate(name, bytes, size, most, seed / 3);
  return seed % 3 || seed % 9 == 0 ? LLVMFuzzerMutate(bytes, size, most) : size;
}
