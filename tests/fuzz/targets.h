/* All fuzz targets by name, and how many mutants of each seed `make test` tries: about a second. */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include "fuzz/targets_data.h"
#include "fuzz/targets_learn.h"

#define FUZZ_TARGETS(X)                                                                            \
  X(csv, 100)                                                                                      \
  X(arff, 200)                                                                                     \
  X(libsvm, 100)                                                                                   \
  X(plink, 200)                                                                                    \
  X(vcf, 200)                                                                                      \
  X(bcf, 400)                                                                                      \
  X(counts, 400)                                                                                   \
  X(people, 200)                                                                                   \
  X(irb, 100)                                                                                      \
  X(rule, 1000)                                                                                    \
  X(pool, 1000)                                                                                    \
  X(checkpoint, 300)                                                                               \
  X(certificate, 100)                                                                              \
  X(mps, 100)                                                                                      \
  X(lp, 100)                                                                                       \
  X(gz, 100)                                                                                       \
  X(options, 200)                                                                                  \
  X(filters, 100)                                                                                  \
  X(covariates, 200)                                                                               \
  X(genes, 300)                                                                                    \
  X(streams, 200)                                                                                  \
  X(shards, 100)

typedef struct fuzz_target {
  const char *name;
  void (*run)(const uint8_t *bytes, size_t size);
  unsigned n_mutants; /* of each seed that the suite tries */
} fuzz_target;

#define FUZZ_ROW(name, n_mutants) {#name, fuzz_##name, n_mutants},
static const fuzz_target fuzz_targets[] = {FUZZ_TARGETS(FUZZ_ROW)};
#undef FUZZ_ROW

#endif
