/* Learning from a table: hold-out, coding, rule, test, and what is asked for beside it, all within
 * one limit. Nothing of what is held out is seen before the rule is there. */
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "rule/training.h"
#include "table/variant_facts.h"
#include "validate/fit_extras.h"
#include "validate/resampling.h"

/* The rule on the samples that were held out, and what their groups are worth. */
static irl_status test_rule(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_split *split, irl_fit_result *result) {
  const irl_data *test = split->test;
  irl_resampling tested;
  result->test = IRL_SIZED(irl_evaluation);
  result->test_effect[0] = result->test_effect[1] = 1;
  if (!test) return IRL_STATUS_OK;
  irl_status status = irl_evaluate(env, result->rule, test, &result->test);
  if (test->is_reflected) irl_evaluation_turn(&result->test);
  result->has_test = !status;
  if (status || !table->groups.of) return status;
  uint8_t *is_right = irl_mem_alloc(&env->allocator, test->n_samples, 1);
  status = irl_resampling_init(env, &tested, table, &split->test_rows, options, NULL);
  if (!status && !is_right) status = irl_fail_memory(env);
  if (!status) status = irl_fit_right(env, result->rule, test, tested.labels, is_right);
  for (int c = 0; c < 2 && !status; c++)
    result->test_effect[c] = irl_units_effect(&tested.units, tested.labels, is_right, c);
  result->has_test = !status; /* or its intervals would be those of samples without groups */
  irl_resampling_free(&tested);
  irl_mem_free(&env->allocator, is_right);
  return status;
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
                             const irl_limit *limit, const irl_split *split,
                             irl_fit_result *result) {
  const irl_rows *rows = &split->train_rows;
  irl_status status = irl_fit_go_without(env, result, test_rule(env, table, options, split, result),
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
                       const irl_limit *limit, const irl_rows *rows, irl_fit_result *result);
    const char *what;
  } extras[] = {
      {options->output.validate > IRL_VALIDATE_NONE, irl_fit_validate, "estimate for new samples"},
      {options->output.stability > 0, irl_fit_resample, "assessment of stability"},
      {options->output.permutations > 0, irl_fit_permute, "permutation test"}};
  for (size_t i = 0; i < sizeof extras / sizeof *extras && !status; i++)
    if (extras[i].is_asked)
      status = irl_fit_go_without(
          env, result, extras[i].make(env, table, options, limit, rows, result), extras[i].what);
  return status;
}

irl_status irl_fit_table(irl_env *env, const irl_table *table, const irl_options *options,
                         irl_fit_result **out) {
  IRL_NEED(env, "env, table, options, result", env, table, options, out);
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check(env, &own, IRL_FOR_LEARN | IRL_FOR_FIT, 0);
  if (!status) status = irl_variant_facts_check(env, table, &own);
  if (status) return status;
  options = &own;
  const bool is_outermost = irl_callbacks_begin_whole(env);
  irl_split split = {0};
  irl_fit_result *result = NULL;
  irl_cv_result *tuning = NULL;
  irl_limit limit; /* of all that follows */
  irl_limit_init(&limit, env, options);
  status = irl_split_hold_out(env, table, options, &split);
  if (!status) status = check_extras(env, table, options, &split.train_rows);
  if (!status && own.search.tune)
    status = irl_fit_tune(env, table, &limit, &split.train_rows, &own, &tuning);
  irl_reading_begin_within(env, &limit);
  if (!status) status = irl_split_make_data(env, table, options, &split);
  irl_reading_end(env, &limit);
  if (!status)
    status =
        irl_fit_part(env, split.train ? split.train : table->divided, options, &limit, &result);
  if (!status) {
    /* The data that was made for the rule stays with the result. */
    assert(!split.train || !result->own_data);
    if (split.train) result->own_data = split.train;
    split.train = NULL;
    result->table = table;
    IRL_SWAP(result->tuning, tuning);
    if (result->tuning) irl_fit_note_tuning(env, options, result);
    status = add_extras(env, table, options, &limit, &split, result);
    result->test_data = split.test;
    split.test = NULL;
  }
  irl_split_free(env, &split);
  irl_cv_free(tuning);
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
