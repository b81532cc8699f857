/* Learning from a table: hold-out, coding, rule, test. Nothing of what is held out is seen before
 * the rule is there. */
#include "validate/hold_out.h"
#include "base/clock.h"
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "rule/training.h"
#include "table/variant_facts.h"
#include "validate/estimate.h"
#include "validate/folds.h"
#include "validate/resample.h"
#include "validate/units.h"
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
    lists[is_test][n[is_test]++] = rows->samples ? rows->samples[i] : i;
  }
  split->train_rows.n = n[0];
  split->test_rows.n = n[1];
  assert(n[0] + n[1] == rows->n);
  return IRL_STATUS_OK;
}

void irl_split_drop(irl_split *split) {
  irl_data_free(split->train);
  irl_data_free(split->test);
  split->train = split->test = NULL;
}

void irl_split_free(irl_env *env, irl_split *split) {
  irl_mem_free(&env->allocator, (void *)split->train_rows.samples);
  irl_mem_free(&env->allocator, (void *)split->test_rows.samples);
  irl_split_drop(split);
}

irl_status irl_split_code(irl_env *env, const irl_table *table, const irl_options *options,
                          irl_split *split) {
  irl_coding *coding = NULL;
  irl_data *kept = NULL;
  assert(!split->train && !split->test);
  irl_status status = irl_table_code_part(env, table, &split->train_rows, options, &coding);
  if (!status) status = irl_table_data(env, table, coding, &split->train_rows, &split->train);
  if (!status) status = irl_data_drop_weightless(env, split->train, 1, &kept);
  if (kept) {
    irl_data_free(split->train);
    split->train = kept;
  }
  split->is_test_late = table->cell_file && !options->rule.cnf;
  if (!status && split->test_rows.n && !split->is_test_late)
    status = irl_table_data(env, table, coding, &split->test_rows, &split->test);
  irl_coding_free(coding);
  return status;
}

/* What is held out, by the options: nothing, or the share that they say. */
static irl_status hold_out(irl_env *env, const irl_table *table, const irl_options *options,
                           irl_split *split) {
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table_describe(table, &info);
  const irl_rows all = {.size = sizeof all, .n = (uint32_t)info.samples};
  if (options->output.test > 0 && (info.cases < 2 || info.controls < 2))
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "a hold-out needs two samples of each class, and there are %" PRIu64
                    " and %" PRIu64,
                    info.cases, info.controls);
  irl_units units = {0};
  uint8_t *labels = irl_mem_alloc(&env->allocator, all.n, 1);
  uint32_t *is_held = irl_mem_alloc(&env->allocator, all.n, sizeof *is_held);
  irl_status status = labels && is_held ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && options->output.test > 0) {
    const uint64_t seed = (uint64_t)options->search.seed;
    irl_fit_labels(table, &all, labels);
    if (table->groups.of) {
      status = irl_units_init(env, &units, table, &all, labels);
      if (!status) status = irl_units_hold_out(env, &units, options->output.test, seed, is_held);
    } else {
      status = irl_folds_hold_out(env, labels, all.n, options->output.test, seed, is_held);
    }
  }
  irl_units_free(env, &units);
  if (!status) status = irl_split_make(env, split, &all, is_held, 1);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, is_held);
  return status;
}

/* ---- the run ---- */

/* Data of both parts in the coding of the first. A table that is data already is not copied. */
static irl_status make_data(irl_env *env, const irl_table *table, const irl_options *options,
                            irl_split *split) {
  irl_coding *coding = NULL;
  if (table->plain && !split->test_rows.n) return IRL_STATUS_OK;
  irl_status status = irl_table_code(env, table, &split->train_rows, options, &coding);
  if (!status) status = irl_table_data(env, table, coding, &split->train_rows, &split->train);
  if (!status && split->test_rows.n)
    status = irl_table_data(env, table, coding, &split->test_rows, &split->test);
  irl_coding_free(coding);
  return status;
}

irl_status irl_fit_training_data(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_data **data) {
  irl_split split = {0};
  irl_status status = hold_out(env, table, options, &split);
  if (!status) status = make_data(env, table, options, &split);
  if (!status) {
    *data = split.train;
    split.train = NULL;
  }
  irl_split_free(env, &split);
  return status;
}

/* The rule on the samples that were held out, and what their groups are worth. */
static irl_status test_rule(irl_env *env, const irl_table *table, const irl_split *split,
                            irl_fit_result *result) {
  const irl_data *test = split->test;
  irl_units units = {0};
  result->test = IRL_SIZED(irl_evaluation);
  result->test_effect[0] = result->test_effect[1] = 1;
  if (!test) return IRL_STATUS_OK;
  irl_status status = irl_evaluate(env, result->rule, test, &result->test);
  if (test->is_reflected) irl_evaluation_turn(&result->test);
  result->has_test = !status;
  if (status || !table->groups.of) return status;
  uint8_t *labels = irl_mem_alloc(&env->allocator, test->n_samples, 1);
  uint8_t *is_right = irl_mem_alloc(&env->allocator, test->n_samples, 1);
  if (labels) irl_fit_labels(table, &split->test_rows, labels);
  status = labels && is_right ? irl_fit_right(env, result->rule, test, labels, is_right)
                              : irl_fail_memory(env);
  if (!status) status = irl_units_init(env, &units, table, &split->test_rows, labels);
  for (int c = 0; c < 2 && !status; c++)
    result->test_effect[c] = irl_units_effect(&units, labels, is_right, c);
  result->has_test = !status; /* or its intervals would be those of samples without groups */
  irl_units_free(env, &units);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, is_right);
  return status;
}

/* The options with what is left of the time since then. */
static irl_options options_since(const irl_options *options, double start) {
  irl_options rest = *options;
  const double left = options->limits.time_limit - (irl_clock_now() - start);
  if (options->limits.time_limit > 0) rest.limits.time_limit = left > 0 ? left : 1e-9;
  return rest;
}

/* What is known of the variants that the rule asks for. */
static irl_status add_variants(irl_env *env, const irl_table *table, const irl_options *options,
                               irl_fit_result *result) {
  const irl_rule *rule = result->rule;
  irl_names columns;
  uint32_t number;
  bool done = true;
  irl_names_init(&columns, &env->allocator);
  for (uint32_t i = 0; rule && i < rule->names.n && done; i++) {
    const irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, i);
    done = irl_names_intern(&columns, asked.column, strlen(asked.column), &number);
  }
  const irl_status status =
      done ? irl_variant_facts_make(env, table, &columns, options, &result->variants)
           : irl_fail_memory(env);
  irl_names_free(&columns);
  return status;
}

/* Everything about the extras that data and options decide, before the rule is sought. */
static irl_status check_extras(irl_env *env, const irl_table *table, const irl_options *options,
                               const irl_rows *rows) {
  irl_status status = IRL_STATUS_OK;
  if (options->search.start && options->output.permutations)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a rule to start from would make the p-value of the search too small");
  if (options->output.validate > IRL_VALIDATE_QUICK)
    status = irl_fit_check_validate(env, table, options, rows);
  if (!status && options->output.permutations) status = irl_fit_check_permute(env, table, rows);
  return status;
}

/* What is made beside the rule, in turn. What fails is missing, with a note: the rule stays. */
static irl_status add_extras(irl_env *env, const irl_table *table, const irl_options *options,
                             const irl_split *split, double start, irl_fit_result *result) {
  const irl_rows *rows = &split->train_rows;
  irl_status status = irl_fit_go_without(env, result, test_rule(env, table, split, result),
                                         "test on the held-out samples");
  if (!status)
    status = irl_fit_go_without(env, result, irl_fit_remember(env, result), IRL_FIT_COUNTS);
  if (!status)
    status = irl_fit_go_without(env, result, irl_training_note(env, result->rule, table, rows),
                                "complete list of the values that were seen");
  if (!status)
    status = irl_fit_go_without(env, result, add_variants(env, table, options, result),
                                "information on the rule's variants");
  const struct {
    bool is_asked;
    irl_status (*make)(irl_env *env, const irl_table *table, const irl_options *options,
                       const irl_rows *rows, irl_fit_result *result);
    const char *what;
  } extras[] = {
      {options->output.validate > IRL_VALIDATE_NONE, irl_fit_validate, "estimate for new samples"},
      {options->output.stability > 0, irl_fit_resample, "assessment of stability"},
      {options->output.permutations > 0, irl_fit_permute, "permutation test"}};
  for (size_t i = 0; i < sizeof extras / sizeof *extras && !status; i++) {
    const irl_options rest = options_since(options, start);
    if (extras[i].is_asked)
      status = irl_fit_go_without(env, result, extras[i].make(env, table, &rest, rows, result),
                                  extras[i].what);
  }
  return status;
}

irl_status irl_fit_table(irl_env *env, const irl_table *table, const irl_options *options,
                         irl_fit_result **out) {
  IRL_NEED(env, "env, table, options, result", env, table, options, out);
  const double start = irl_clock_now();
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check(env, &own, IRL_FOR_LEARN | IRL_FOR_FIT, 0);
  if (!status) status = irl_variant_facts_check(env, table, &own);
  if (status) return status;
  options = &own;
  const bool is_outermost = irl_callbacks_begin_whole(env);
  irl_split split = {0};
  irl_fit_result *result = NULL;
  irl_limit limit;
  status = hold_out(env, table, options, &split);
  if (!status) status = check_extras(env, table, options, &split.train_rows);
  irl_reading_begin(env, &limit, options);
  if (!status) status = make_data(env, table, options, &split);
  irl_reading_end(env, &limit);
  const irl_options rest = options_since(options, start);
  if (!status) status = irl_fit_part(env, split.train ? split.train : table->plain, &rest, &result);
  if (!status) {
    /* The data that was made for the rule stays with the result. */
    assert(!split.train || !result->own_data);
    if (split.train) result->own_data = split.train;
    split.train = NULL;
    result->table = table;
    status = add_extras(env, table, options, &split, start, result);
    result->test_data = split.test;
    split.test = NULL;
  }
  irl_split_free(env, &split);
  irl_callbacks_end_whole(env, is_outermost);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

bool irl_fit_test(const irl_fit_result *result, irl_evaluation *evaluation) {
  return result && result->has_test &&
         !irl_sized_copy_out(evaluation, &result->test, sizeof *evaluation);
}
