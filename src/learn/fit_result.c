#include "learn/fit_result.h"
#include "base/memory.h"

irl_status irl_learn_make_rule(irl_env *env, const irl_learn_pool *pool, uint32_t K,
                               const irl_learn_rule *chosen, irl_rule **rule) {
  const uint32_t n = chosen->n, M = pool->max_literals;
  uint32_t *sizes = irl_mem_alloc(&env->allocator, n, sizeof *sizes);
  irl_literal *literals = irl_mem_alloc(&env->allocator, (size_t)n * M, sizeof *literals);
  irl_status status = sizes && literals ? IRL_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) {
    const uint32_t k = chosen->clauses[i];
    sizes[i] = pool->sizes[k];
    memcpy(literals + (size_t)i * M, irl_learn_pool_literals(pool, k), sizes[i] * sizeof *literals);
  }
  if (!status) status = irl_rule_from_literals(env, pool->data, K, M, n, sizes, literals, rule);
  irl_mem_free(&env->allocator, sizes);
  irl_mem_free(&env->allocator, literals);
  return status;
}
