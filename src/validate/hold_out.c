/* Samples to learn from and samples that are held out, and their data. */
#include "validate/hold_out.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "validate/resampling.h"
#include <inttypes.h>

void irl_fit_labels(const irl_table *table, const irl_rows *rows, uint8_t *labels) {
  for (uint32_t i = 0; i < rows->n; i++)
    labels[i] = irl_table_label(table, irl_rows_sample(rows, i)) == 1;
}

irl_status irl_fit_code_rows(irl_env *env, const irl_table *table, const irl_options *options,
                             const irl_rows *learnt_from, const irl_rows *rows, irl_data **data) {
  irl_coding *coding = NULL;
  irl_status status = irl_table_code(env, table, learnt_from, options, &coding);
  if (!status) status = irl_table_data(env, table, coding, rows, data);
  irl_coding_free(coding);
  return status;
}

irl_status irl_fit_right(irl_env *env, const irl_rule *rule, const irl_data *data,
                         const uint8_t *labels, uint8_t *is_right) {
  const irl_status status = irl_predict_bytes(env, rule, data, is_right, NULL);
  for (uint32_t i = 0; i < data->n_samples && !status; i++)
    is_right[i] = (is_right[i] ^ data->is_reflected) == labels[i];
  return status;
}

/* ---- splits ---- */

irl_status irl_split_make(irl_env *env, irl_split *split, const irl_rows *rows,
                          const uint32_t *part_of, uint32_t test) {
  uint32_t *lists[2], n[2] = {0};
  for (int i = 0; i < 2; i++) lists[i] = irl_mem_alloc(&env->allocator, rows->n, sizeof *lists[i]);
  *split = (irl_split){.train_rows = IRL_SIZED(irl_rows), .test_rows = IRL_SIZED(irl_rows)};
  split->train_rows.samples = lists[0];
  split->test_rows.samples = lists[1];
  if (!lists[0] || !lists[1]) return irl_fail_memory(env);
  for (uint32_t i = 0; i < rows->n; i++) {
    const bool is_test = part_of[i] == test;
    if (part_of[i] == UINT32_MAX) continue;
    lists[is_test][n[is_test]++] = rows->samples ? rows->samples[i] : i;
  }
  split->train_rows.n = n[0];
  split->test_rows.n = n[1];
  return IRL_STATUS_OK;
}

void irl_split_drop(irl_split *split) {
  irl_data_free(split->train);
  irl_data_free(split->test);
  split->train = split->test = NULL;
}

void irl_split_free(irl_env *env, irl_split *split) {
  irl_mem_free(&env->allocator, (void *)split->train_rows.samples);
  irl_mem_free(&env->allocator, (void *)split->train_rows.labels);
  irl_mem_free(&env->allocator, (void *)split->test_rows.samples);
  irl_split_drop(split);
}

/* The data of both parts in a coding, which is freed; the test rows unless they are `late`. */
static irl_status code_rows(irl_env *env, const irl_table *table, irl_coding *coding,
                            irl_split *split) {
  assert(!split->train && !split->test);
  irl_status status = irl_table_data(env, table, coding, &split->train_rows, &split->train);
  if (!status && split->test_rows.n && !split->is_test_late)
    status = irl_table_data(env, table, coding, &split->test_rows, &split->test);
  irl_coding_free(coding);
  return status;
}

irl_status irl_split_code(irl_env *env, const irl_table *table, const irl_options *options,
                          irl_split *split) {
  irl_coding *coding = NULL;
  irl_data *kept = NULL;
  irl_status status = irl_table_code_part(env, table, &split->train_rows, options, &coding);
  split->is_test_late = table->cell_file && !options->rule.cnf;
  if (!status) status = code_rows(env, table, coding, split);
  if (!status) status = irl_data_drop_weightless(env, split->train, 1, &kept);
  if (kept) {
    irl_data_free(split->train);
    split->train = kept;
  }
  return status;
}

irl_status irl_split_hold_out(irl_env *env, const irl_table *table, const irl_options *options,
                              irl_split *split) {
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table_describe(table, &info);
  if (options->output.test > 0 && (info.cases < 2 || info.controls < 2))
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "a hold-out needs two samples of each class, and there are %" PRIu64
                    " and %" PRIu64,
                    info.cases, info.controls);
  const irl_rows rows = {.size = sizeof rows, .n = (uint32_t)info.samples};
  irl_resampling all = {0};
  uint32_t *is_held = irl_mem_alloc(&env->allocator, rows.n, sizeof *is_held);
  irl_status status = is_held ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && options->output.test > 0) {
    status = irl_resampling_init(env, &all, table, &rows, options, NULL);
    if (!status)
      status =
          irl_units_hold_out(env, &all.units, all.labels, options->output.test, all.seed, is_held);
  }
  if (!status) status = irl_split_make(env, split, &rows, is_held, 1);
  irl_resampling_free(&all);
  irl_mem_free(&env->allocator, is_held);
  return status;
}

irl_status irl_split_make_data(irl_env *env, const irl_table *table, const irl_options *options,
                               irl_split *split) {
  irl_coding *coding = NULL;
  if (table->divided) return IRL_STATUS_OK;
  const irl_status status = irl_table_code(env, table, &split->train_rows, options, &coding);
  return status ? status : code_rows(env, table, coding, split);
}

irl_status irl_fit_training_data(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_data **data) {
  irl_split split = {0};
  irl_status status = irl_split_hold_out(env, table, options, &split);
  if (!status) status = irl_split_make_data(env, table, options, &split);
  if (!status) IRL_SWAP(*data, split.train);
  irl_split_free(env, &split);
  return status;
}
