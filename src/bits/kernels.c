#include "bits/kernels.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

size_t irl_bits_kernels_list(const irl_kernels **tables, size_t capacity) {
  bool has_avx2 = false, has_avx512 = false;
#if defined(__x86_64__)
  __builtin_cpu_init();
  has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("popcnt");
  has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq") &&
               __builtin_cpu_supports("bmi2");
#endif
  const irl_kernels *const all[] = {
      irl_bits_kernels_scalar(),
      irl_bits_kernels_neon(), /* every 64-bit ARM has it */
      irl_bits_kernels_wasm(), /* an engine without it would not load the module */
      has_avx2 ? irl_bits_kernels_avx2() : NULL,
      has_avx512 ? irl_bits_kernels_avx512() : NULL,
  };
  size_t n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && n < capacity) tables[n++] = all[i];
  return n;
}

/* The library's only writable global. Two threads may both choose; they choose the same. */
const irl_kernels *irl_bits_kernels(void) {
  static _Atomic(const irl_kernels *) chosen;
  const irl_kernels *kernels = atomic_load_explicit(&chosen, memory_order_acquire);
  if (kernels) return kernels;
  const irl_kernels *tables[8];
  const size_t n = irl_bits_kernels_list(tables, 8);
  const char *wanted = getenv("IRELAND_KERNEL");
  kernels = tables[n - 1];
  for (size_t i = 0; wanted && i < n; i++)
    if (!strcmp(tables[i]->name, wanted)) kernels = tables[i];
  atomic_store_explicit(&chosen, kernels, memory_order_release);
  return kernels;
}
