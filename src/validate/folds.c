#include "validate/folds.h"
#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define HOLD_OUT_STREAM ((uint64_t)1 << 40) /* apart from those of folds and permutations */

/* The samples of a class in random order; returns how many. */
static uint32_t list_class(const uint8_t *labels, uint32_t n, bool is_case, irl_random *random,
                           uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    if ((labels[i] != 0) == is_case) list[count++] = i;
  for (uint32_t i = count; i > 1; i--) {
    const uint64_t k = irl_random_below(random, i);
    const uint32_t kept = list[i - 1];
    list[i - 1] = list[k];
    list[k] = kept;
  }
  return count;
}

irl_status irl_folds_make(irl_env *env, irl_random *random, const uint8_t *labels, uint32_t n,
                          uint32_t n_folds, uint32_t *fold_of) {
  uint32_t *list = irl_mem_alloc(&env->allocator, n, sizeof *list), next = 0;
  assert(n_folds);
  if (!list) return irl_fail_memory(env);
  for (int is_case = 1; is_case >= 0; is_case--) {
    const uint32_t count = list_class(labels, n, is_case, random, list);
    for (uint32_t i = 0; i < count; i++, next = (next + 1) % n_folds) fold_of[list[i]] = next;
  }
  irl_mem_free(&env->allocator, list);
  return IRL_STATUS_OK;
}

irl_status irl_folds_hold_out(irl_env *env, const uint8_t *labels, uint32_t n, double share,
                              uint64_t seed, uint32_t *is_held) {
  uint32_t *list = irl_mem_alloc(&env->allocator, n, sizeof *list);
  irl_random random;
  assert(share > 0 && share < 1);
  if (!list) return irl_fail_memory(env);
  irl_random_init(&random, seed, HOLD_OUT_STREAM);
  memset(is_held, 0, n * sizeof *is_held);
  for (int is_case = 1; is_case >= 0; is_case--) {
    const uint32_t count = list_class(labels, n, is_case, &random, list);
    uint32_t wanted = (uint32_t)lround(share * count);
    if (!wanted && count > 1) wanted = 1;
    if (wanted >= count && count) wanted = count - 1;
    for (uint32_t i = 0; i < wanted; i++) is_held[list[i]] = 1;
  }
  irl_mem_free(&env->allocator, list);
  return IRL_STATUS_OK;
}

void irl_folds_shuffle(const uint8_t *labels, const uint32_t *strata, uint32_t n,
                       irl_random *random, uint32_t *order, uint8_t *shuffled) {
  uint32_t n_done = 0;
  memcpy(shuffled, labels, n);
  for (uint32_t s = 0; n_done < n; s++) { /* strata are numbered from 0, and are few */
    const uint32_t first = n_done;
    for (uint32_t i = 0; i < n; i++)
      if (strata[i] == s) order[n_done++] = i;
    for (uint32_t i = n_done; i > first + 1; i--) {
      const uint32_t k = first + (uint32_t)irl_random_below(random, i - first);
      const uint8_t kept = shuffled[order[i - 1]];
      shuffled[order[i - 1]] = shuffled[order[k]];
      shuffled[order[k]] = kept;
    }
  }
}
