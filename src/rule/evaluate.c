/* Every number about a rule on a data set, recomputed from both. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
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

/* ---- by weight ---- */

/* The weight of the samples in a set, or of all if it is NULL. */
static double sum_weights(const int64_t *weights, uint32_t n, const uint64_t *set) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!set || irl_bits_get(set, i)) sum += (double)weights[i];
  return sum;
}

/* `scratch` is for one class at a time. */
static void weigh(const irl_bound_rule *bound, uint64_t *scratch, irl_evaluation *e) {
  const irl_data *data = bound->data;
  e->accuracy_by_weight = e->balanced_accuracy_by_weight = NAN;
  e->errors_by_weight = e->weighted_error_by_weight = NAN;
  if (!data->case_weights) return;
  const double n1 = sum_weights(data->case_weights, data->n_cases, NULL);
  const double n0 = sum_weights(data->control_weights, data->n_controls, NULL);
  count_union(&bound->cases, scratch);
  const double tp = sum_weights(data->case_weights, data->n_cases, scratch);
  count_union(&bound->controls, scratch);
  const double fp = sum_weights(data->control_weights, data->n_controls, scratch);
  e->accuracy_by_weight = ratio(tp + n0 - fp, n1 + n0);
  e->balanced_accuracy_by_weight = (ratio(tp, n1) + ratio(n0 - fp, n0)) / 2;
  e->errors_by_weight = data->weight_unit * (fp + n1 - tp);
  e->weighted_error_by_weight = data->weight_unit * ratio(n1 * fp + n0 * (n1 - tp), n1 + n0);
}

static irl_status evaluate_bound(irl_env *env, const irl_bound_rule *bound, irl_evaluation *out) {
  const irl_data *data = bound->data;
  const size_t stride =
      bound->cases.stride > bound->controls.stride ? bound->cases.stride : bound->controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&env->allocator, stride, sizeof *scratch);
  if (!scratch) return irl_fail_memory(env);
  irl_evaluation e = {.tp = count_union(&bound->cases, scratch),
                      .fp = count_union(&bound->controls, scratch)};
  weigh(bound, scratch, &e);
  irl_mem_free_aligned(&env->allocator, scratch);
  uint64_t satisfied = 0;
  for (size_t k = 0; k < bound->rule->n_clauses; k++)
    satisfied +=
        irl_bits_kernels()->count(irl_bits_vector(&bound->controls, k), bound->controls.stride);
  const double n1 = data->n_cases, n0 = data->n_controls, n = data->n_samples;
  assert(e.tp <= data->n_cases && e.fp <= data->n_controls && satisfied >= e.fp);
  e.fn = data->n_cases - e.tp;
  e.tn = data->n_controls - e.fp;
  e.sensitivity = ratio((double)e.tp, n1);
  e.specificity = ratio((double)e.tn, n0);
  e.accuracy = ratio((double)(e.tp + e.tn), n);
  e.balanced_accuracy = (e.sensitivity + e.specificity) / 2;
  e.weighted_error = ratio(n1 * (double)e.fp + n0 * (double)e.fn, n);
  e.normalized = ratio(e.weighted_error, n);
  e.hamming_loss = ratio(n1 * (double)satisfied + n0 * (double)e.fn, n);
  *out = e;
  return IRL_OK;
}

/* Binds the rule to data with labels. */
static irl_status bind_labelled(irl_env *env, const irl_rule *rule, const irl_data *data,
                                irl_bound_rule *bound) {
  if (data->has_labels) return irl_rule_bind(env, rule, data, bound);
  return irl_fail(env, IRL_BAD_INPUT,
                  "the data has no labels (no column '%s'); --target names theirs", data->target);
}

irl_status irl_evaluate(irl_env *env, const irl_rule *rule, const irl_data *data,
                        irl_evaluation *evaluation) {
  irl_bound_rule bound;
  irl_status status = bind_labelled(env, rule, data, &bound);
  if (status) return status;
  status = evaluate_bound(env, &bound, evaluation);
  irl_bound_rule_free(env, &bound);
  return status;
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

static irl_status render_json(irl_env *env, const irl_bound_rule *bound, const irl_evaluation *e,
                              char **text) {
  irl_json json;
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_unsigned(&json, "samples", bound->data->n_samples);
  irl_json_unsigned(&json, "cases", bound->data->n_cases);
  irl_json_unsigned(&json, "controls", bound->data->n_controls);
  irl_evaluation_put(&json, e);
  const irl_status status = irl_clause_rows_put(env, bound->rule, bound->data, &json, "clauses");
  irl_json_close(&json, '}');
  if (!status) return irl_json_take(&json, text);
  irl_json_drop(&json);
  return status;
}

static void print_measure(irl_text *text, const char *name, double value) {
  if (isnan(value))
    irl_text_printf(text, "%-18s not defined\n", name);
  else
    irl_text_printf(text, "%-18s %.6g\n", name, value);
}

static irl_status render_text(irl_env *env, const irl_bound_rule *bound, const irl_evaluation *e,
                              char **out) {
  irl_text text;
  irl_text_init(&text, env);
  irl_text_printf(&text, "%-18s %9s %9s\n", "", "case", "control");
  irl_text_printf(&text, "%-18s %9llu %9llu\n", "predicted case", (unsigned long long)e->tp,
                  (unsigned long long)e->fp);
  irl_text_printf(&text, "%-18s %9llu %9llu\n\n", "predicted control", (unsigned long long)e->fn,
                  (unsigned long long)e->tn);
  const unsigned long long wrong = e->fp + e->fn, all = e->tp + e->tn + wrong;
  irl_text_printf(&text, "%-18s %llu of %llu samples (%.2f %%)\n", "wrong", wrong, all,
                  all ? 100 * (double)wrong / (double)all : 0);
  print_measure(&text, "sensitivity", e->sensitivity);
  print_measure(&text, "specificity", e->specificity);
  print_measure(&text, "accuracy", e->accuracy);
  print_measure(&text, "balanced accuracy", e->balanced_accuracy);
  print_measure(&text, "weighted error", e->weighted_error);
  print_measure(&text, "Hamming loss", e->hamming_loss);
  const irl_status status = irl_clause_rows_print(env, bound->rule, bound->data, &text);
  if (!status) return irl_text_take_shown(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_evaluate_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_format format, char **text) {
  irl_bound_rule bound;
  irl_evaluation e;
  irl_status status = bind_labelled(env, rule, data, &bound);
  if (status) return status;
  status = evaluate_bound(env, &bound, &e);
  if (!status && format == IRL_FORMAT_JSON) status = render_json(env, &bound, &e, text);
  if (!status && format == IRL_FORMAT_TEXT) status = render_text(env, &bound, &e, text);
  irl_bound_rule_free(env, &bound);
  return status;
}
