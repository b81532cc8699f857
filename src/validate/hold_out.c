/* Learning from a table: hold-out, coding, rule, test. Nothing of what is held out is seen before
 * the rule is there. */
#include "validate/hold_out.h"
#include "base/clock.h"
#include "base/limit.h"
#include "base/memory.h"
#include "rule/rule_json.h"
#include "validate/folds.h"
#include <math.h>

uint8_t *irl_fit_labels(irl_env *env, const irl_table *table) {
  irl_table_info info;
  irl_table_describe(table, &info);
  uint8_t *labels = irl_mem_alloc(&env->allocator, info.samples, 1);
  for (uint32_t i = 0; labels && i < info.samples; i++) labels[i] = irl_table_label(table, i) == 1;
  return labels;
}

irl_status irl_fit_split(irl_env *env, const irl_table *table, const irl_options *options,
                         const irl_rows *train_rows, const irl_rows *test_rows, irl_data **train,
                         irl_data **test) {
  irl_coding *coding = NULL;
  irl_data *made = NULL, *expanded;
  irl_status status = irl_table_code_part(env, table, train_rows, options, &coding);
  if (!status) status = irl_table_data(env, table, coding, train_rows, &made);
  if (!status && made->case_weights) {
    status = irl_data_expand(env, made, 1, &expanded);
    if (!status) irl_data_free(made);
    if (!status) made = expanded;
  }
  if (!status && test) status = irl_table_data(env, table, coding, test_rows, test);
  irl_coding_free(coding);
  if (status)
    irl_data_free(made);
  else
    *train = made;
  return status;
}

/* ---- hold-out ---- */

/* The samples that are held out, or those that are not. */
static irl_status list_rows(irl_env *env, const uint8_t *is_held, uint32_t n, bool held,
                            irl_rows *rows) {
  uint32_t *samples = irl_mem_alloc(&env->allocator, n, sizeof *samples);
  *rows = (irl_rows){.samples = samples};
  if (!samples) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++)
    if ((is_held[i] != 0) == held) samples[rows->n++] = i;
  return IRL_OK;
}

typedef struct parts {
  irl_rows train, test;
} parts;

static void free_parts(irl_env *env, parts *p) {
  irl_mem_free(&env->allocator, (void *)p->train.samples);
  irl_mem_free(&env->allocator, (void *)p->test.samples);
}

static irl_status hold_out(irl_env *env, const irl_table *table, const irl_options *options,
                           parts *p) {
  irl_table_info info;
  irl_table_describe(table, &info);
  const uint32_t n = (uint32_t)info.samples;
  if (options->test > 0 && (info.cases < 2 || info.controls < 2))
    return irl_fail(env, IRL_BAD_INPUT,
                    "a hold-out needs two samples of each class, and there are %llu and %llu",
                    (unsigned long long)info.cases, (unsigned long long)info.controls);
  uint8_t *labels = irl_fit_labels(env, table), *is_held = irl_mem_alloc(&env->allocator, n, 1);
  irl_status status = labels && is_held ? IRL_OK : irl_fail_memory(env);
  if (!status && options->test > 0)
    status = irl_folds_hold_out(env, labels, n, options->test, (uint64_t)options->seed, is_held);
  if (!status) status = list_rows(env, is_held, n, false, &p->train);
  if (!status) status = list_rows(env, is_held, n, true, &p->test);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, is_held);
  return status;
}

/* ---- the run ---- */

/* Data of both parts in the coding of the first. A table that is data already is not copied. */
static irl_status make_data(irl_env *env, const irl_table *table, const irl_options *options,
                            const parts *p, irl_data **train, irl_data **test) {
  irl_coding *coding = NULL;
  if (table->plain && !p->test.n) return IRL_OK;
  irl_status status = irl_table_code(env, table, &p->train, options, &coding);
  if (!status) status = irl_table_data(env, table, coding, &p->train, train);
  if (!status && p->test.n) status = irl_table_data(env, table, coding, &p->test, test);
  irl_coding_free(coding);
  return status;
}

irl_status irl_fit_training_data(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_data **data) {
  parts p = {{0}, {0}};
  irl_data *train = NULL, *test = NULL;
  irl_status status = hold_out(env, table, options, &p);
  if (!status) status = make_data(env, table, options, &p, &train, &test);
  irl_data_free(test);
  free_parts(env, &p);
  if (status)
    irl_data_free(train);
  else
    *data = train;
  return status;
}

/* The options with what is left of the time since then. */
static irl_options options_since(const irl_options *options, double start) {
  irl_options rest = *options;
  const double left = options->time_limit - (irl_clock_now() - start);
  if (options->time_limit > 0) rest.time_limit = left > 0 ? left : 1e-9;
  return rest;
}

/* The data that was made for the rule stays with the result. */
static irl_status fit_parts(irl_env *env, const irl_table *table, const irl_options *options,
                            const parts *p, irl_fit_result **out) {
  const double start = irl_clock_now();
  irl_data *train = NULL, *test = NULL;
  irl_fit_result *result = NULL;
  irl_limit limit;
  irl_reading_begin(env, &limit, options);
  irl_status status = make_data(env, table, options, p, &train, &test);
  irl_reading_end(env, &limit);
  const irl_options rest = options_since(options, start);
  if (!status) status = irl_fit_part(env, train ? train : table->plain, &rest, &result);
  if (!status) {
    assert(!train || !result->own_data);
    if (train) result->own_data = train;
    train = NULL;
    result->has_test = test != NULL;
    if (test) status = irl_evaluate(env, result->rule, test, &result->test);
    if (test && test->is_reflected) irl_evaluation_turn(&result->test);
  }
  irl_data_free(train);
  irl_data_free(test);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

irl_status irl_fit_table(irl_env *env, const irl_table *table, const irl_options *options,
                         irl_fit_result **out) {
  const double start = irl_clock_now();
  const bool is_outermost = irl_callbacks_begin_whole(env);
  parts p = {{0}, {0}};
  irl_fit_result *result = NULL;
  irl_status status = irl_options_check(env, options, IRL_FOR_LEARN | IRL_FOR_FIT, 0);
  if (!status && options->start && options->permutations)
    status = irl_fail(env, IRL_BAD_ARGUMENT,
                      "a rule to start from would make the p-value of the search too small");
  if (!status) status = hold_out(env, table, options, &p);
  if (!status) status = fit_parts(env, table, options, &p, &result);
  if (!status && options->permutations) {
    const irl_options rest = options_since(options, start);
    status = irl_fit_permute(env, table, &rest, &p.train, result);
  }
  free_parts(env, &p);
  irl_callbacks_end_whole(env, is_outermost);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

bool irl_fit_test(const irl_fit_result *result, irl_evaluation *evaluation) {
  if (result->has_test) *evaluation = result->test;
  return result->has_test;
}

/* ---- the answer ---- */

void irl_fit_put_honest(irl_json *json, const irl_fit_result *result) {
  if (result->has_test) {
    irl_json_open(json, "test", '{');
    irl_json_unsigned(json, "samples",
                      result->test.tp + result->test.fp + result->test.tn + result->test.fn);
    irl_evaluation_put(json, &result->test);
    irl_json_close(json, '}');
  }
  if (!result->wants_permutations) return;
  irl_json_unsigned(json, "permutations", result->info.permutations);
  irl_json_real(json, "p_value", result->info.p_value);
}

void irl_fit_print_honest(irl_text *text, const irl_fit_result *result) {
  const irl_evaluation *e = &result->test;
  if (result->has_test)
    irl_text_printf(text,
                    "\nheld out: accuracy %.4f, balanced accuracy %.4f, sensitivity %.4f (%llu of "
                    "%llu), specificity %.4f (%llu of %llu)\n",
                    e->accuracy, e->balanced_accuracy, e->sensitivity, (unsigned long long)e->tp,
                    (unsigned long long)(e->tp + e->fn), e->specificity, (unsigned long long)e->tn,
                    (unsigned long long)(e->tn + e->fp));
  if (result->has_test && !isnan(e->accuracy_by_weight))
    irl_text_printf(text, "held out, by weight: accuracy %.4f, balanced accuracy %.4f\n",
                    e->accuracy_by_weight, e->balanced_accuracy_by_weight);
  if (!result->wants_permutations) return;
  if (!result->info.permutations)
    irl_text_puts(text, "\nno permutation was ended, so there is no p-value\n");
  else
    irl_text_printf(text, "\np-value of the whole search: %.4g (%u permutations, %u as good)\n",
                    result->info.p_value, result->info.permutations, result->n_as_good);
}
