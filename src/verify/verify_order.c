/* Numbers by falling value: a radix sort, by as many digits as the values have. */
#include "verify/verify_parts.h"
#include <assert.h>
#include <string.h>

#define DIGIT_BITS 11u

const uint32_t *irl_verify_order(const int64_t *values, uint32_t n, uint32_t *order,
                                 uint32_t *other) {
  const uint64_t digit = ((uint64_t)1 << DIGIT_BITS) - 1;
  uint32_t counts[1u << DIGIT_BITS];
  int64_t most = INT64_MIN, least = INT64_MAX;
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    if (values[i] > most) most = values[i];
    if (values[i] < least) least = values[i];
  }
  for (unsigned shift = 0; n > 1 && shift < 64 && (uint64_t)(most - least) >> shift;
       shift += DIGIT_BITS) {
    memset(counts, 0, sizeof counts);
    for (uint32_t i = 0; i < n; i++) counts[(uint64_t)(most - values[i]) >> shift & digit]++;
    for (uint32_t i = 0, sum = 0; i <= digit; i++) {
      const uint32_t count = counts[i];
      counts[i] = sum;
      sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
      other[counts[(uint64_t)(most - values[order[i]]) >> shift & digit]++] = order[i];
    uint32_t *swap = order;
    order = other;
    other = swap;
  }
  for (uint32_t i = 1; i < n; i++) assert(values[order[i - 1]] >= values[order[i]]);
  return order;
}
