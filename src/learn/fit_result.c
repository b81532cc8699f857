#include "base/c_locale.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "learn/fit.h"
#include <stdarg.h>

bool irl_fit_is_true(irl_env *env, const irl_fit_result *result) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = result->data;
  irl_cover_counts counts = {.literals = result->rule ? result->rule->n_literals : 0};
  irl_bound_rule bound;
  if (result->best.loss >= IRL_NO_LOSS) return true;
  if (irl_rule_bind(env, result->rule, data, &bound)) return true; /* out of memory */
  const size_t words = data->cases.stride + data->controls.stride;
  uint64_t *cases = irl_mem_alloc_aligned(&env->allocator, words, sizeof *cases);
  uint64_t *controls = cases ? cases + data->cases.stride : NULL;
  for (size_t k = 0; cases && k < result->rule->n_clauses; k++) {
    const uint64_t *cover = irl_bits_vector(&bound.controls, k);
    kernels->or_into(cases, cases, irl_bits_vector(&bound.cases, k), data->cases.stride);
    kernels->or_into(controls, controls, cover, data->controls.stride);
    counts.control_covers += irl_data_weigh(data, 1, cover);
  }
  irl_bound_rule_free(env, &bound);
  if (!cases) return true;
  counts.cases = irl_data_weigh(data, 0, cases);
  counts.controls = irl_data_weigh(data, 1, controls);
  irl_mem_free_aligned(&env->allocator, cases);
  const int64_t loss =
      irl_problem_loss(&result->problem, (uint32_t)result->rule->n_clauses, &counts);
  return loss == result->best.loss && result->bound <= loss;
}

void irl_fit_add_note(irl_env *env, irl_fit_result *result, const char *format, ...) {
  va_list arguments;
  assert(result->n_notes < IRL_FIT_NOTES);
  char *note = result->notes[result->n_notes++];
  va_start(arguments, format);
  irl_c_vsnprintf(note, IRL_FIT_NOTE_SIZE, format, arguments);
  va_end(arguments);
  irl_log(env, IRL_LOG_WARNING, "%s", note);
}

irl_status irl_fit_go_without(irl_env *env, irl_fit_result *result, irl_status status,
                              const char *what) {
  if (!status || status == IRL_STATUS_PROCESS_LOST) return status;
  const bool is_limit = status == IRL_STATUS_LIMIT && !irl_stopped(env);
  irl_fit_add_note(env, result, "there is no %s: %s%s", what, irl_env_error(env),
                   is_limit ? "; with a larger limit there would be one" : "");
  return IRL_STATUS_OK;
}

const char *irl_fit_note(const irl_fit_result *result, uint32_t i) {
  return result && i < result->n_notes ? result->notes[i] : NULL;
}

/* Have the samples weights of their own? */
static bool is_by_weight(const irl_fit_result *result) {
  return result->data->weight_unit > 0;
}

const char *irl_fit_loss_name(const irl_fit_result *result) {
  const char *name = irl_problem_loss_name(&result->problem);
  return name                        ? name
         : !result->settings.is_unit ? "weighted error"
         : is_by_weight(result)      ? "weight of the errors"
                                     : "number of errors";
}

void irl_fit_print_objective(irl_text *text, const irl_fit_result *result) {
  const irl_fit_info *info = &result->info;
  if (!result->settings.is_unit || !irl_problem_is_weighted(&result->problem))
    irl_text_printf(text, "%s %.6g", irl_fit_loss_name(result), info->objective);
  else if (is_by_weight(result))
    irl_text_printf(text, "weight %.6g of %.6g wrong", info->objective, info->total);
  else
    irl_text_printf(text, "%.0f of %.0f samples wrong", info->objective, info->total);
  irl_text_printf(text, " (%.2f %%)", 100 * info->rate);
}

void irl_evaluation_turn(irl_evaluation *e) {
  const irl_evaluation other = *e;
  e->tp = other.tn;
  e->fp = other.fn;
  e->tn = other.tp;
  e->fn = other.fp;
  e->sensitivity = other.specificity;
  e->specificity = other.sensitivity;
}

void irl_stability_free(irl_stability *s) {
  if (!s) return;
  const irl_allocator allocator = s->allocator;
  irl_names_free(&s->names);
  irl_mem_free(&allocator, s->literals);
  irl_mem_free(&allocator, s->order);
  irl_mem_free(&allocator, s->clauses);
  irl_mem_free(&allocator, s);
}
