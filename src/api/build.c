/* Version of the library and what it was built with. */
#include "bits/kernels.h"
#include "ireland.h"
#include <xxhash.h>

extern char *openblas_get_config(void);

const char *irl_version(void) {
  return IRL_VERSION;
}

void irl_build_describe(irl_build *build) {
#ifdef __clang__
  static const char compiler[] = __VERSION__;
#else
  static const char compiler[] = "gcc " __VERSION__;
#endif
#ifdef NDEBUG
  const bool has_assertions = false;
#else
  const bool has_assertions = true;
#endif
  *build = (irl_build){.version = IRL_VERSION,
                       .compiler = compiler,
                       .kernel = irl_bits_kernels()->name,
                       .blas = openblas_get_config(),
                       .xxhash = XXH_versionNumber(),
                       .openmp = _OPENMP,
                       .has_assertions = has_assertions};
}
