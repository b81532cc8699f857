/* Every number about a rule on a data set, recomputed from both; on several data sets one after the
 * other, counts are added up, and measures made of them in the end. */
#include "base/contract.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
#include <inttypes.h>
#include <math.h>

static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : NAN;
}

/* The weight of the samples of a class in a set, or of all if it is NULL: the user's own, in the
 * unit of those that are learnt from, which may be rounded. */
static double sum_weights(const irl_data *data, int class, const uint64_t *set) {
  const int64_t *weights = data->weights[class].each;
  const double *given = data->given[class];
  const uint32_t n = class ? data->n_controls : data->n_cases;
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!set || irl_bits_get(set, i)) sum += given ? given[i] : (double)weights[i];
  return given ? sum / data->weight_unit : sum;
}

/* ---- counting ---- */

irl_status irl_evaluator_create(irl_env *env, const irl_rule *rule, irl_evaluator **out) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!rule || !out)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "an evaluator needs a rule and a place for it");
  irl_evaluator *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  *made = (irl_evaluator){
      .allocator = env->allocator,
      .rule = rule,
      .clauses = irl_mem_alloc(&env->allocator, rule->n_clauses, sizeof *made->clauses)};
  if (!made->clauses) {
    irl_evaluator_free(made);
    return irl_fail_memory(env);
  }
  *out = made;
  return IRL_STATUS_OK;
}

void irl_evaluator_free(irl_evaluator *evaluator) {
  if (!evaluator) return;
  const irl_allocator allocator = evaluator->allocator;
  irl_mem_free(&allocator, evaluator->clauses);
  irl_mem_free(&allocator, evaluator);
}

/* Adds the samples of one class; `scratch` has room for a cover, and in the end what the rule
 * covers. */
static void count_class(irl_evaluator *e, const irl_bound_rule *bound, int class,
                        uint64_t *scratch) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_bits_matrix *covers = class ? &bound->controls : &bound->cases;
  uint64_t before = 0;
  memset(scratch, 0, covers->stride * sizeof *scratch);
  for (size_t k = 0; k < covers->n_vectors; k++) {
    const uint64_t *cover = irl_bits_vector(covers, k);
    const uint64_t n = kernels->count(cover, covers->stride);
    const uint64_t after = kernels->or_into(scratch, scratch, cover, covers->stride);
    assert(after >= before && after <= covers->n_bits);
    *(class ? &e->clauses[k].fp : &e->clauses[k].tp) += n;
    if (!class) e->clauses[k].added += after - before;
    before = after;
  }
  *(class ? &e->fp : &e->tp) += before;
  *(class ? &e->n_controls : &e->n_cases) += covers->n_bits;
}

/* The sums of weights are in one unit; if blocks have several, that is the user's own. */
static void join_units(irl_evaluator *e, const irl_data *data, double *scale) {
  *scale = 1;
  if (!e->n_cases && !e->n_controls) e->weight_unit = data->weight_unit;
  if (e->weight_unit == data->weight_unit) return;
  for (int class = 0; class < 2; class ++) {
    e->weights[class] *= e->weight_unit;
    e->covered[class] *= e->weight_unit;
  }
  e->weight_unit = 1;
  *scale = data->weight_unit;
}

irl_status irl_evaluator_add(irl_env *env, irl_evaluator *e, const irl_data *data) {
  irl_bound_rule bound;
  double scale = 1;
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!e || !data)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "an evaluator and data are needed");
  if (!data->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "the data has no labels (no column '%s'); --target names theirs", data->target);
  const bool has_weights = irl_data_has_weights(data), is_first = !e->n_cases && !e->n_controls;
  if (!is_first && has_weights != e->has_weights)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "some of the blocks have weights and some have not");
  const irl_status status = irl_rule_bind(env, e->rule, data, &bound);
  if (status) return status;
  const size_t stride =
      bound.cases.stride > bound.controls.stride ? bound.cases.stride : bound.controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&env->allocator, stride, sizeof *scratch);
  if (scratch && has_weights) join_units(e, data, &scale);
  for (int class = 0; class < 2 && scratch; class ++) {
    count_class(e, &bound, class, scratch);
    if (!has_weights) continue;
    e->weights[class] += scale * sum_weights(data, class, NULL);
    e->covered[class] += scale * sum_weights(data, class, scratch);
  }
  if (scratch) e->has_weights = has_weights;
  irl_mem_free_aligned(&env->allocator, scratch);
  irl_bound_rule_free(env, &bound);
  return scratch ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_evaluator_of(irl_env *env, const irl_rule *rule, const irl_data *data,
                            irl_evaluator **counted) {
  irl_evaluator *made = NULL;
  irl_status status = irl_evaluator_create(env, rule, &made);
  if (!status) status = irl_evaluator_add(env, made, data);
  if (status)
    irl_evaluator_free(made);
  else
    *counted = made;
  return status;
}

/* ---- measures ---- */

irl_status irl_evaluator_finish(irl_env *env, const irl_evaluator *counted,
                                irl_evaluation *evaluation) {
  IRL_NEED(env, "env, evaluator, evaluation", env, counted, evaluation);
  const irl_status status = irl_sized_need(env, evaluation, "evaluation");
  if (status) return status;
  irl_evaluation e = {.tp = counted->tp,
                      .fp = counted->fp,
                      .accuracy_by_weight = NAN,
                      .balanced_accuracy_by_weight = NAN,
                      .errors_by_weight = NAN,
                      .weighted_error_by_weight = NAN};
  uint64_t satisfied = 0;
  for (size_t k = 0; k < counted->rule->n_clauses; k++) satisfied += counted->clauses[k].fp;
  assert(e.tp <= counted->n_cases && e.fp <= counted->n_controls && satisfied >= e.fp);
  const double n1 = (double)counted->n_cases, n0 = (double)counted->n_controls,
               n = (double)(counted->n_cases + counted->n_controls);
  e.fn = counted->n_cases - e.tp;
  e.tn = counted->n_controls - e.fp;
  e.sensitivity = ratio((double)e.tp, n1);
  e.specificity = ratio((double)e.tn, n0);
  e.accuracy = ratio((double)(e.tp + e.tn), n);
  e.balanced_accuracy = (e.sensitivity + e.specificity) / 2;
  e.weighted_error = ratio(n1 * (double)e.fp + n0 * (double)e.fn, n);
  e.normalized = ratio(e.weighted_error, n);
  e.hamming_loss = ratio(n1 * (double)satisfied + n0 * (double)e.fn, n);
  if (counted->has_weights) {
    const double unit = counted->weight_unit, w1 = counted->weights[0], w0 = counted->weights[1];
    const double tp = counted->covered[0], fp = counted->covered[1];
    e.accuracy_by_weight = ratio(tp + w0 - fp, w1 + w0);
    e.balanced_accuracy_by_weight = (ratio(tp, w1) + ratio(w0 - fp, w0)) / 2;
    e.errors_by_weight = unit * (fp + w1 - tp);
    e.weighted_error_by_weight = unit * ratio(w1 * fp + w0 * (w1 - tp), w1 + w0);
  }
  return irl_sized_copy_out(evaluation, &e, sizeof e);
}

irl_status irl_evaluate(irl_env *env, const irl_rule *rule, const irl_data *data,
                        irl_evaluation *evaluation) {
  IRL_NEED(env, "env, rule, data, evaluation", env, rule, data, evaluation);
  irl_evaluator *counted = NULL;
  irl_status status = irl_sized_need(env, evaluation, "evaluation");
  if (!status) status = irl_evaluator_of(env, rule, data, &counted);
  if (!status) status = irl_evaluator_finish(env, counted, evaluation);
  irl_evaluator_free(counted);
  return status;
}

const irl_field irl_confusion_fields[] = IRL_FIELDS(irl_evaluation, tp, fp, tn, fn);
static const irl_field fields[] =
    IRL_FIELDS(irl_evaluation, sensitivity, specificity, accuracy, balanced_accuracy,
               weighted_error, normalized, hamming_loss);
static const irl_field fields_by_weight[] =
    IRL_FIELDS(irl_evaluation, accuracy_by_weight, balanced_accuracy_by_weight, errors_by_weight,
               weighted_error_by_weight);

void irl_evaluation_put(irl_json *json, const irl_evaluation *e) {
  irl_fields_put_object(json, "confusion", irl_confusion_fields, e);
  irl_fields_put(json, fields, e);
  if (!isnan(e->accuracy_by_weight)) irl_fields_put(json, fields_by_weight, e);
}

static void print_measure(irl_text *text, const char *name, double value) {
  if (isnan(value))
    irl_text_printf(text, "%-18s not defined\n", name);
  else
    irl_text_printf(text, "%-18s %.6g\n", name, value);
}

irl_status irl_evaluator_render(irl_env *env, const irl_evaluator *counted, irl_format format,
                                char **text) {
  IRL_NEED(env, "env, evaluator, text", env, counted, text);
  IRL_NEED_FORMAT(env, format);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_json json;
  irl_text *out = &json.text;
  const bool is_json = format == IRL_FORMAT_JSON;
  const irl_status status = irl_evaluator_finish(env, counted, &e);
  if (status) return status;
  irl_json_init(&json, env);
  if (is_json) {
    irl_json_open(&json, NULL, '{');
    irl_json_unsigned(&json, "samples", counted->n_cases + counted->n_controls);
    irl_json_unsigned(&json, "cases", counted->n_cases);
    irl_json_unsigned(&json, "controls", counted->n_controls);
    irl_evaluation_put(&json, &e);
    irl_clause_rows_put(counted, NULL, &json, "clauses");
    irl_json_close(&json, '}');
  } else {
    const uint64_t wrong = e.fp + e.fn, all = e.tp + e.tn + wrong;
    irl_fields_print(out, irl_confusion_fields, &e,
                     "                        case   control\n"
                     "predicted case     {tp:9} {fp:9}\n"
                     "predicted control  {fn:9} {tn:9}\n\n");
    irl_text_printf(out, "%-18s %" PRIu64 " of %" PRIu64 " samples (%.2f %%)\n", "wrong", wrong,
                    all, all ? 100 * (double)wrong / (double)all : 0);
    print_measure(out, "sensitivity", e.sensitivity);
    print_measure(out, "specificity", e.specificity);
    print_measure(out, "accuracy", e.accuracy);
    print_measure(out, "balanced accuracy", e.balanced_accuracy);
    print_measure(out, "weighted error", e.weighted_error);
    print_measure(out, "Hamming loss", e.hamming_loss);
    irl_clause_rows_print(counted, NULL, out);
  }
  return is_json ? irl_json_take(&json, text) : irl_text_take_shown(out, text);
}

irl_status irl_evaluate_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_format format, char **text) {
  IRL_NEED(env, "env, rule, data, text", env, rule, data, text);
  irl_evaluator *counted = NULL;
  irl_status status = irl_evaluator_of(env, rule, data, &counted);
  if (!status) status = irl_evaluator_render(env, counted, format, text);
  irl_evaluator_free(counted);
  return status;
}
