/* All fuzz targets by name. */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include "fuzz/targets_data.h"
#include "fuzz/targets_learn.h"

#define FUZZ_TARGETS(X)                                                                            \
  X(csv)                                                                                           \
  X(arff)                                                                                          \
  X(libsvm)                                                                                        \
  X(plink)                                                                                         \
  X(vcf)                                                                                           \
  X(bcf)                                                                                           \
  X(counts)                                                                                        \
  X(people)                                                                                        \
  X(irb)                                                                                           \
  X(rule)                                                                                          \
  X(pool)                                                                                          \
  X(checkpoint)                                                                                    \
  X(certificate)                                                                                   \
  X(mps)                                                                                           \
  X(lp)                                                                                            \
  X(gz)                                                                                            \
  X(options)

typedef struct fuzz_target {
  const char *name;
  void (*run)(const uint8_t *bytes, size_t size);
} fuzz_target;

#define FUZZ_ROW(name) {#name, fuzz_##name},
static const fuzz_target fuzz_targets[] = {FUZZ_TARGETS(FUZZ_ROW)};
#undef FUZZ_ROW

#endif
