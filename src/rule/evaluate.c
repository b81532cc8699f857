/* Every number about a rule on a data set, recomputed from both. */
#include "base/contract.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
#include <inttypes.h>
#include <math.h>

static uint64_t count_union(const irl_bits_matrix *covers, uint64_t *scratch) {
  const irl_kernels *kernels = irl_bits_kernels();
  uint64_t n = 0;
  memset(scratch, 0, covers->stride * sizeof *scratch);
  for (size_t k = 0; k < covers->n_vectors; k++)
    n = kernels->or_into(scratch, scratch, irl_bits_vector(covers, k), covers->stride);
  return n;
}

static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : NAN;
}

/* The weight of the samples in a set, or of all if it is NULL. */
static double sum_weights(const int64_t *weights, uint32_t n, const uint64_t *set) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!set || irl_bits_get(set, i)) sum += (double)weights[i];
  return sum;
}

irl_status irl_evaluate(irl_env *env, const irl_rule *rule, const irl_data *data,
                        irl_evaluation *evaluation) {
  IRL_NEED(env, "env, rule, data, evaluation", env, rule, data, evaluation);
  irl_bound_rule bound;
  irl_status status = irl_sized_need(env, evaluation, "evaluation");
  if (status) return status;
  if (!data->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "the data has no labels (no column '%s'); --target names theirs", data->target);
  status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  const size_t stride =
      bound.cases.stride > bound.controls.stride ? bound.cases.stride : bound.controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&env->allocator, stride, sizeof *scratch);
  irl_evaluation e = {.accuracy_by_weight = NAN,
                      .balanced_accuracy_by_weight = NAN,
                      .errors_by_weight = NAN,
                      .weighted_error_by_weight = NAN};
  uint64_t satisfied = 0;
  double covered[2] = {0}; /* weights of the cases and controls that the rule covers */
  for (int class = 0; class < 2 && scratch; class ++) {
    *(class ? &e.fp : &e.tp) = count_union(class ? &bound.controls : &bound.cases, scratch);
    const int64_t *weights = class ? data->control_weights : data->case_weights;
    if (weights)
      covered[class] = sum_weights(weights, class ? data->n_controls : data->n_cases, scratch);
  }
  irl_mem_free_aligned(&env->allocator, scratch);
  for (size_t k = 0; k < rule->n_clauses; k++)
    satisfied +=
        irl_bits_kernels()->count(irl_bits_vector(&bound.controls, k), bound.controls.stride);
  irl_bound_rule_free(env, &bound);
  if (!scratch) return irl_fail_memory(env);
  assert(e.tp <= data->n_cases && e.fp <= data->n_controls && satisfied >= e.fp);
  const double n1 = data->n_cases, n0 = data->n_controls, n = data->n_samples;
  e.fn = data->n_cases - e.tp;
  e.tn = data->n_controls - e.fp;
  e.sensitivity = ratio((double)e.tp, n1);
  e.specificity = ratio((double)e.tn, n0);
  e.accuracy = ratio((double)(e.tp + e.tn), n);
  e.balanced_accuracy = (e.sensitivity + e.specificity) / 2;
  e.weighted_error = ratio(n1 * (double)e.fp + n0 * (double)e.fn, n);
  e.normalized = ratio(e.weighted_error, n);
  e.hamming_loss = ratio(n1 * (double)satisfied + n0 * (double)e.fn, n);
  if (data->case_weights) {
    const double w1 = sum_weights(data->case_weights, data->n_cases, NULL), tp = covered[0];
    const double w0 = sum_weights(data->control_weights, data->n_controls, NULL), fp = covered[1];
    e.accuracy_by_weight = ratio(tp + w0 - fp, w1 + w0);
    e.balanced_accuracy_by_weight = (ratio(tp, w1) + ratio(w0 - fp, w0)) / 2;
    e.errors_by_weight = data->weight_unit * (fp + w1 - tp);
    e.weighted_error_by_weight = data->weight_unit * ratio(w1 * fp + w0 * (w1 - tp), w1 + w0);
  }
  return irl_sized_give(evaluation, &e, sizeof e);
}

void irl_evaluation_put(irl_json *json, const irl_evaluation *e) {
  irl_json_open_flat(json, "confusion", '{');
  irl_json_unsigned(json, "tp", e->tp);
  irl_json_unsigned(json, "fp", e->fp);
  irl_json_unsigned(json, "tn", e->tn);
  irl_json_unsigned(json, "fn", e->fn);
  irl_json_close(json, '}');
  irl_json_real(json, "sensitivity", e->sensitivity);
  irl_json_real(json, "specificity", e->specificity);
  irl_json_real(json, "accuracy", e->accuracy);
  irl_json_real(json, "balanced_accuracy", e->balanced_accuracy);
  irl_json_real(json, "weighted_error", e->weighted_error);
  irl_json_real(json, "normalized", e->normalized);
  irl_json_real(json, "hamming_loss", e->hamming_loss);
  if (isnan(e->accuracy_by_weight)) return;
  irl_json_real(json, "accuracy_by_weight", e->accuracy_by_weight);
  irl_json_real(json, "balanced_accuracy_by_weight", e->balanced_accuracy_by_weight);
  irl_json_real(json, "errors_by_weight", e->errors_by_weight);
  irl_json_real(json, "weighted_error_by_weight", e->weighted_error_by_weight);
}

static void print_measure(irl_text *text, const char *name, double value) {
  if (isnan(value))
    irl_text_printf(text, "%-18s not defined\n", name);
  else
    irl_text_printf(text, "%-18s %.6g\n", name, value);
}

irl_status irl_evaluate_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_format format, char **text) {
  IRL_NEED(env, "env, rule, data, text", env, rule, data, text);
  IRL_NEED_FORMAT(env, format);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_json json;
  irl_text *out = &json.text;
  const bool is_json = format == IRL_FORMAT_JSON;
  irl_status status = irl_evaluate(env, rule, data, &e);
  if (status) return status;
  irl_json_init(&json, env);
  if (is_json) {
    irl_json_open(&json, NULL, '{');
    irl_json_unsigned(&json, "samples", data->n_samples);
    irl_json_unsigned(&json, "cases", data->n_cases);
    irl_json_unsigned(&json, "controls", data->n_controls);
    irl_evaluation_put(&json, &e);
    status = irl_clause_rows_put(env, rule, data, &json, "clauses");
    irl_json_close(&json, '}');
  } else {
    const uint64_t wrong = e.fp + e.fn, all = e.tp + e.tn + wrong;
    irl_text_printf(out, "%-18s %9s %9s\n", "", "case", "control");
    irl_text_printf(out, "%-18s %9" PRIu64 " %9" PRIu64 "\n", "predicted case", e.tp, e.fp);
    irl_text_printf(out, "%-18s %9" PRIu64 " %9" PRIu64 "\n\n", "predicted control", e.fn, e.tn);
    irl_text_printf(out, "%-18s %" PRIu64 " of %" PRIu64 " samples (%.2f %%)\n", "wrong", wrong,
                    all, all ? 100 * (double)wrong / (double)all : 0);
    print_measure(out, "sensitivity", e.sensitivity);
    print_measure(out, "specificity", e.specificity);
    print_measure(out, "accuracy", e.accuracy);
    print_measure(out, "balanced accuracy", e.balanced_accuracy);
    print_measure(out, "weighted error", e.weighted_error);
    print_measure(out, "Hamming loss", e.hamming_loss);
    status = irl_clause_rows_print(env, rule, data, out);
  }
  if (!status) return is_json ? irl_json_take(&json, text) : irl_text_take_shown(out, text);
  irl_json_drop(&json);
  return status;
}
