/* Learning a coding from some samples of a table, and applying it to any. */
#include "base/memory.h"
#include "data/raw_table.h"

irl_status irl_table_code(irl_env *env, const irl_table *table, const irl_rows *rows,
                          const irl_options *options, irl_coding **out) {
  (void)table, (void)rows, (void)options;
  irl_coding *coding = irl_mem_alloc(&env->allocator, 1, sizeof *coding);
  if (!coding) return irl_fail_memory(env);
  coding->allocator = env->allocator;
  coding->is_identity = true;
  irl_names_init(&coding->features, &env->allocator);
  *out = coding;
  return IRL_OK;
}

irl_status irl_table_data(irl_env *env, const irl_table *table, const irl_coding *coding,
                          const irl_rows *rows, irl_data **data) {
  (void)coding;
  return irl_data_select(env, table->plain, rows, table->threads, data);
}
