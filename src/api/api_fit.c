/* Learning, for the public: settings from options, the run, its result as text and JSON. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/raw_table.h"
#include "learn/learner.h"
#include "rule/rule_json.h"
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

struct irl_fit_result {
  irl_allocator allocator;
  const irl_data *data;
  irl_rule *rule;
  irl_fit_info info;
};

/* ---- settings ---- */

/* "0.005,0.01": fractions of the controls, rounded down; 0.29 of 100 is 29, though less in binary.
 */
static irl_status parse_budgets(irl_env *env, const char *text, uint64_t n_controls,
                                irl_learn_settings *settings) {
  for (const char *at = text;; at++) {
    char *end;
    const double share = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !(share >= 0 && share <= 1))
      return irl_fail(env, IRL_BAD_ARGUMENT,
                      "option budgets takes numbers from 0 to 1 with commas between, not '%s'",
                      text);
    if (settings->n_budgets == IRL_LEARN_MAX_BUDGETS)
      return irl_fail(env, IRL_BAD_ARGUMENT, "at most %u budgets", IRL_LEARN_MAX_BUDGETS);
    settings->budgets[settings->n_budgets++] = (uint64_t)floor(share * (double)n_controls + 1e-6);
    if (!*end) return IRL_OK;
    at = end;
  }
}

static irl_status choose(irl_env *env, const char *option, const char *text, const char *first,
                         const char *second, bool *is_second) {
  *is_second = text && second && !strcmp(text, second);
  if (!text || *is_second || !strcmp(text, first)) return IRL_OK;
  return irl_fail(env, IRL_BAD_ARGUMENT, "option %s takes %s%s%s, not '%s'", option, first,
                  second ? " or " : "", second ? second : "", text);
}

/* ireland, or a direct model: bp1 .. bp6. */
static irl_status parse_method(irl_env *env, const irl_options *options,
                               irl_learn_settings *settings) {
  const char *method = options->method;
  if (options->binary && options->relaxed)
    return irl_fail(env, IRL_BAD_ARGUMENT, "binary and relaxed exclude each other");
  settings->is_binary = options->binary;
  settings->is_plain = options->plain;
  settings->no_start = options->no_start;
  if (!method || !strcmp(method, "ireland")) return IRL_OK;
  if (strncmp(method, "bp", 2) || method[2] < '1' || method[2] > '6' || method[3])
    return irl_fail(env, IRL_BAD_ARGUMENT, "option method takes ireland or bp1 to bp6, not '%s'",
                    method);
  settings->form = (uint32_t)(method[2] - '0');
  if (options->max_literals || options->checkpoint || options->resume)
    return irl_fail(env, IRL_BAD_ARGUMENT, "method %s takes no max_literals, checkpoint or resume",
                    method);
  return IRL_OK;
}

static irl_status make_settings(irl_env *env, const irl_data *data, const irl_options *options,
                                irl_learn_settings *settings) {
  bool is_unit;
  *settings = (irl_learn_settings){
      .K = (uint32_t)options->K,
      .M = (uint32_t)options->M,
      .negations = options->negations,
      .max_literals = options->max_literals ? (uint64_t)options->max_literals : UINT64_MAX,
      .prove = options->prove,
      .seed = (uint64_t)options->seed,
      .threads = irl_threads(env, options->threads),
      .memory_limit_mb = (double)options->memory_limit};
  irl_status status = parse_method(env, options, settings);
  if (!status)
    status = choose(env, "profile", options->profile, "default", "paper", &settings->is_paper);
  if (!status) status = choose(env, "weights", options->weights, "balanced", "unit", &is_unit);
  if (status) return status;
  settings->case_weight = is_unit ? 1 : data->n_controls;
  settings->control_weight = is_unit ? 1 : data->n_cases;
  const char *budgets = options->budgets;
  if (!budgets && settings->is_paper) budgets = "0,0.005,0.01,0.02,0.03,0.04,0.05";
  return budgets ? parse_budgets(env, budgets, data->n_controls, settings) : IRL_OK;
}

static irl_status check_features(irl_env *env, const irl_data *data) {
  const irl_kernels *kernels = irl_bits_kernels();
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint64_t ones =
        kernels->count(irl_bits_vector(&data->cases, j), data->cases.stride) +
        kernels->count(irl_bits_vector(&data->controls, j), data->controls.stride);
    if (ones && ones < data->n_samples) return IRL_OK;
  }
  return irl_fail(env, IRL_BAD_INPUT, "every feature is constant, so nothing can be learnt");
}

/* ---- checkpoints ---- */

/* Whose checkpoint it is: everything that decides the course of a run, but not threads or time. */
static uint64_t job_key(const irl_data *data, const irl_learn_settings *settings,
                        const irl_options *options) {
  irl_data_info info;
  irl_data_describe(data, &info);
  uint64_t words[16 + IRL_LEARN_MAX_BUDGETS] = {info.checksum,
                                                settings->K,
                                                settings->M,
                                                settings->negations,
                                                settings->max_literals,
                                                (uint64_t)settings->case_weight,
                                                settings->is_paper,
                                                (uint64_t)settings->control_weight,
                                                settings->prove,
                                                settings->seed,
                                                settings->n_budgets,
                                                (uint64_t)options->work_limit,
                                                (uint64_t)options->memory_limit};
  words[15] = XXH3_64bits(IRL_VERSION, strlen(IRL_VERSION));
  memcpy(words + 16, settings->budgets, sizeof settings->budgets);
  return XXH3_64bits(words, sizeof words);
}

static irl_status open_journal(irl_learner *learner, const irl_options *options) {
  if (!options->checkpoint && !options->resume) return IRL_OK;
  irl_journal_init(&learner->journal, learner->env, options->checkpoint,
                   job_key(learner->data, &learner->settings, options));
  return options->resume ? irl_journal_load(&learner->journal, options->resume) : IRL_OK;
}

/* ---- the run ---- */

static irl_status make_rule(irl_env *env, const irl_learner *learner, irl_rule **rule) {
  const irl_learn_pool *pool = &learner->pool;
  const uint32_t n = learner->best.n, M = learner->settings.M;
  uint32_t *sizes = irl_mem_alloc(&env->allocator, n, sizeof *sizes);
  irl_literal *literals = irl_mem_alloc(&env->allocator, (size_t)n * M, sizeof *literals);
  irl_status status = sizes && literals ? IRL_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) {
    const uint32_t k = learner->best.clauses[i];
    sizes[i] = pool->sizes[k];
    memcpy(literals + (size_t)i * M, irl_learn_pool_literals(pool, k), sizes[i] * sizeof *literals);
  }
  if (!status)
    status = irl_rule_from_literals(env, learner->data, learner->settings.K, M, n, sizes, literals,
                                    rule);
  irl_mem_free(&env->allocator, sizes);
  irl_mem_free(&env->allocator, literals);
  return status;
}

static irl_fit_info make_info(const irl_learner *learner) {
  static const char *const methods[] = {"ireland", "bp1", "bp2", "bp3", "bp4", "bp5", "bp6"};
  const irl_data *data = learner->data;
  const double n = data->n_samples;
  const double loss = (double)learner->best.loss, bound = (double)learner->bound;
  return (irl_fit_info){.outcome = learner->outcome,
                        .objective = learner->has_rule ? loss / n : NAN,
                        .bound = bound / n,
                        .gap = !learner->has_rule ? NAN
                               : loss > 0         ? (loss - bound) / loss
                                                  : 0,
                        .samples = data->n_samples,
                        .features = data->n_features,
                        .K = learner->settings.K,
                        .M = learner->settings.M,
                        .method = methods[learner->settings.form],
                        .seed = learner->settings.seed,
                        .work = learner->work,
                        .nodes = learner->nodes};
}

/* A direct model without a start may end before it has a rule: then it is the one without clauses,
 * which no model of exactly K clauses allows, but which is a rule. */
static irl_status nothing_found(irl_learner *learner) {
  learner->best = (irl_learn_rule){.n = 0};
  irl_log(learner->env, IRL_LOG_WARNING, "no rule was found within the limit");
  return irl_learner_weigh(learner, &learner->best);
}

/* Learns from data in which every sample counts once. */
static irl_status fit_samples(irl_env *env, const irl_data *data, const irl_options *options,
                              irl_fit_result **out) {
  irl_learner learner = {0};
  irl_learn_settings settings;
  irl_fit_result *result = NULL;
  irl_status status = make_settings(env, data, options, &settings);
  if (!status) status = check_features(env, data);
  if (!status) status = irl_learner_init(&learner, env, data, &settings, options);
  if (!status) status = open_journal(&learner, options);
  if (!status) status = irl_learn(&learner);
  if (!status && !learner.has_rule) status = nothing_found(&learner);
  if (!status) status = irl_journal_save(&learner.journal);
  if (!status) {
    result = irl_mem_alloc(&env->allocator, 1, sizeof *result);
    if (!result) status = irl_fail_memory(env);
  }
  if (!status) {
    result->allocator = env->allocator;
    result->data = data;
    result->info = make_info(&learner);
    status = make_rule(env, &learner, &result->rule);
  }
  irl_learner_free(&learner);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

/* With weights, a sample stands in the data as often as it weighs, and errors count once each
 * unless balancing is asked for. */
static irl_status fit_weighted(irl_env *env, const irl_data *data, const irl_options *options,
                               irl_fit_result **out) {
  irl_data *expanded;
  irl_options own = *options;
  irl_status status = irl_data_expand(env, data, irl_threads(env, options->threads), &expanded);
  if (status) return status;
  if (!own.weights) own.weights = "unit";
  status = fit_samples(env, expanded, &own, out);
  irl_data_free(expanded);
  if (status) return status;
  (*out)->data = data;
  (*out)->info.samples = data->n_samples;
  return IRL_OK;
}

irl_status irl_fit(irl_env *env, const irl_data *data, const irl_options *options,
                   irl_fit_result **out) {
  return data->case_weights ? fit_weighted(env, data, options, out)
                            : fit_samples(env, data, options, out);
}

void irl_fit_free(irl_fit_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  irl_rule_free(result->rule);
  irl_mem_free(&allocator, result);
}

const irl_rule *irl_fit_rule(const irl_fit_result *result) {
  return result->rule;
}

void irl_fit_describe(const irl_fit_result *result, irl_fit_info *info) {
  *info = result->info;
}

/* ---- the answer ---- */

static irl_status render_json(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **text) {
  const irl_fit_info *info = &result->info;
  irl_json json;
  irl_run run;
  irl_env_run(env, &run);
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, "status", irl_outcome_text(info->outcome));
  irl_json_real(&json, "objective", info->objective);
  irl_json_real(&json, "bound", info->bound);
  irl_json_real(&json, "gap", info->gap);
  irl_rule_put_clauses(&json, "clauses", result->rule);
  irl_evaluation_put(&json, e);
  irl_json_unsigned(&json, "samples", info->samples);
  irl_json_unsigned(&json, "features", info->features);
  irl_json_unsigned(&json, "K", info->K);
  irl_json_unsigned(&json, "M", info->M);
  irl_json_string(&json, "method", info->method);
  irl_json_unsigned(&json, "seed", info->seed);
  irl_json_unsigned(&json, "work", info->work);
  irl_json_run(&json, "run", &run);
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

/* A row per clause, with the cases that no clause before it covers. */
static irl_status print_clauses(irl_env *env, const irl_fit_result *result, irl_text *text) {
  const irl_kernels *kernels = irl_bits_kernels();
  irl_bound_rule bound;
  irl_status status = irl_rule_bind(env, result->rule, result->data, &bound);
  if (status) return status;
  const size_t words = bound.cases.stride;
  uint64_t *covered = irl_mem_alloc_aligned(&env->allocator, words, sizeof *covered);
  uint64_t before = 0;
  if (!covered) status = irl_fail_memory(env);
  irl_text_printf(text, "\n%9s %9s %9s %9s  clause\n", "tp", "fp", "precision", "adds");
  for (size_t k = 0; k < result->rule->n_clauses && !status; k++) {
    const uint64_t *cases = irl_bits_vector(&bound.cases, k);
    const uint64_t tp = kernels->count(cases, words);
    const uint64_t fp = kernels->count(irl_bits_vector(&bound.controls, k), bound.controls.stride);
    const uint64_t after = kernels->or_into(covered, covered, cases, words);
    irl_text_printf(text, "%9llu %9llu %9.4f %9llu  ", (unsigned long long)tp,
                    (unsigned long long)fp, tp + fp ? (double)tp / (double)(tp + fp) : 0,
                    (unsigned long long)(after - before));
    irl_rule_print_clause(text, result->rule, k);
    irl_text_puts(text, "\n");
    before = after;
  }
  irl_mem_free_aligned(&env->allocator, covered);
  irl_bound_rule_free(env, &bound);
  return status;
}

static irl_status render_text(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **out) {
  const irl_fit_info *info = &result->info;
  irl_text text;
  irl_text_init(&text, env);
  const bool is_hamming = !strcmp(info->method, "bp5") || !strcmp(info->method, "bp6");
  irl_text_printf(&text, "%s: %s %.6g, bound %.6g, gap %.2f %%\n", irl_outcome_text(info->outcome),
                  is_hamming ? "Hamming loss" : "weighted error", info->objective, info->bound,
                  100 * info->gap);
  irl_text_printf(&text,
                  "balanced accuracy %.4f, sensitivity %.4f (%llu of %llu), specificity %.4f (%llu "
                  "of %llu)\n",
                  e->balanced_accuracy, e->sensitivity, (unsigned long long)e->tp,
                  (unsigned long long)(e->tp + e->fn), e->specificity, (unsigned long long)e->tn,
                  (unsigned long long)(e->tn + e->fp));
  const irl_status status = print_clauses(env, result, &text);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_fit_render(irl_env *env, const irl_fit_result *result, irl_format format,
                          char **text) {
  irl_evaluation e;
  const irl_status status = irl_evaluate(env, result->rule, result->data, &e);
  if (status) return status;
  return format == IRL_FORMAT_JSON ? render_json(env, result, &e, text)
                                   : render_text(env, result, &e, text);
}
