/* Learning, for the public: settings from options, the run, its result as text and JSON. */
#include "api/api_alike.h"
#include "api/fit_table.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "learn/fit_result.h"
#include "learn/pool_file.h"
#include "rule/clause_rows.h"
#include "rule/rule_json.h"
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#define MAX_UNIT         1000000 /* digits of a penalty that count */
#define PENALTY_ROUNDING 1e-9    /* nearer to a whole number it is one */
#define MAX_LOSS         0x1p52  /* far below what any sum of losses may be */
/* Of a fraction of the samples: 0.29 of 100 is 29, though less in binary. */
#define ROUNDING 1e-6

/* ---- settings ---- */

/* "0.005,0.01": fractions of the controls, rounded down. */
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
    settings->budgets[settings->n_budgets++] =
        (uint64_t)floor(share * (double)n_controls + ROUNDING);
    if (!*end) return IRL_OK;
    at = end;
  }
}

static irl_status choose(irl_env *env, const char *option, const char *text, const char *first,
                         const char *second, bool *is_second) {
  *is_second = text && !strcmp(text, second);
  if (!text || *is_second || !strcmp(text, first)) return IRL_OK;
  return irl_fail(env, IRL_BAD_ARGUMENT, "option %s takes %s or %s, not '%s'", option, first,
                  second, text);
}

/* The penalty is a share of the loss of a rule that is wrong everywhere: 0.01 is one percent of
 * accuracy, or of balanced accuracy. Losses are integers, so they are scaled by a power of ten that
 * makes it one too, as far as it has so few digits. */
static void set_penalty(double penalty, const irl_data *data, irl_learn_settings *settings) {
  const double all = (double)settings->case_weight * data->n_cases +
                     (double)settings->control_weight * data->n_controls;
  int64_t unit = 1;
  while (penalty > 0 && unit < MAX_UNIT && 10 * (double)unit * all < MAX_LOSS &&
         fabs(penalty * (double)unit - round(penalty * (double)unit)) > PENALTY_ROUNDING)
    unit *= 10;
  settings->unit = unit;
  settings->case_weight *= unit;
  settings->control_weight *= unit;
  settings->penalty = llround(penalty * (double)unit * all);
  if (penalty > 0 && !settings->penalty) settings->penalty = 1;
}

/* ireland, brcg, or a direct model: bp1 .. bp6. */
static irl_status parse_method(irl_env *env, const irl_options *options,
                               irl_learn_settings *settings) {
  const char *method = options->method ? options->method : "ireland";
  if (options->binary && options->relaxed)
    return irl_fail(env, IRL_BAD_ARGUMENT, "binary and relaxed exclude each other");
  settings->is_binary = options->binary;
  settings->is_plain = options->plain;
  settings->no_start = options->no_start;
  settings->is_brcg = options->paper_brcg || !strcmp(method, "brcg");
  if (!strcmp(method, "ireland") || !strcmp(method, "brcg")) return IRL_OK;
  if (strncmp(method, "bp", 2) || method[2] < '1' || method[2] > '6' || method[3])
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "option method takes ireland, brcg or bp1 to bp6, not '%s'", method);
  settings->form = (uint32_t)(method[2] - '0');
  if (options->max_literals || options->checkpoint || options->resume || options->penalty > 0 ||
      options->min_sensitivity > 0 || options->min_specificity > 0 || options->loss ||
      options->pool || options->cnf || options->paper_brcg)
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "method %s has its own loss and takes no limits on the rule but K and M, no "
                    "pool, cnf, checkpoint or resume",
                    method);
  return IRL_OK;
}

irl_status irl_fit_settings(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_learn_settings *settings) {
  bool is_unit;
  const double n1 = data->n_cases, n0 = data->n_controls;
  *settings = (irl_learn_settings){
      .K = (uint32_t)options->K,
      .M = (uint32_t)options->M,
      .negations = options->negations && irl_data_may_negate(data),
      .max_literals = options->max_literals ? (uint64_t)options->max_literals : UINT64_MAX,
      .max_complexity = options->complexity ? (uint64_t)options->complexity : UINT64_MAX,
      .min_cases = (uint64_t)ceil(options->min_sensitivity * n1 - ROUNDING),
      .max_controls = (uint64_t)floor((1 - options->min_specificity) * n0 + ROUNDING),
      .prove = options->prove,
      .has_pool = options->pool != NULL,
      .seed = (uint64_t)options->seed,
      .threads = irl_threads(env, options->threads),
      .memory_limit_mb = (double)options->memory_limit,
      .equivalent = options->equivalent};
  irl_status status = parse_method(env, options, settings);
  if (!status)
    status = choose(env, "loss", options->loss, "weighted", "hamming", &settings->is_hamming);
  settings->is_hamming |= settings->is_brcg || settings->form >= 5;
  if (!status && options->complexity && !settings->is_brcg)
    status = irl_fail(env, IRL_BAD_ARGUMENT, "option complexity goes with method brcg");
  if (!status)
    status = choose(env, "profile", options->profile, "default", "paper", &settings->is_paper);
  settings->is_paper = settings->is_paper || options->paper_brcg;
  if (!status)
    status = choose(env, "effort", options->effort, "full", "quick", &settings->is_quick);
  if (!status) status = choose(env, "weights", options->weights, "balanced", "unit", &is_unit);
  if (status) return status;
  settings->case_weight = is_unit ? 1 : data->n_controls;
  settings->control_weight = is_unit ? 1 : data->n_cases;
  set_penalty(options->penalty, data, settings);
  if (options->penalty > 0 && settings->is_brcg)
    return irl_fail(env, IRL_BAD_ARGUMENT, "option penalty goes with method ireland");
  if (settings->is_brcg && (options->min_sensitivity > 0 || options->min_specificity > 0))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "least sensitivities and specificities go with method ireland");
  const char *budgets = options->budgets;
  if (!budgets && settings->is_paper && !settings->is_brcg)
    budgets = "0,0.005,0.01,0.02,0.03,0.04,0.05";
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
  uint64_t words[24 + IRL_LEARN_MAX_BUDGETS] = {info.checksum,
                                                settings->K,
                                                settings->M,
                                                settings->negations,
                                                settings->max_literals,
                                                settings->max_complexity,
                                                settings->is_brcg,
                                                (uint64_t)settings->case_weight,
                                                settings->is_paper,
                                                (uint64_t)settings->control_weight,
                                                settings->prove,
                                                settings->seed,
                                                (uint64_t)settings->penalty,
                                                settings->is_quick,
                                                settings->n_budgets,
                                                (uint64_t)options->work_limit,
                                                (uint64_t)options->memory_limit,
                                                settings->is_hamming,
                                                settings->min_cases,
                                                settings->max_controls};
  words[22] = settings->has_pool | settings->for_curve << 1 | settings->all_sizes << 2;
  words[23] = XXH3_64bits(IRL_VERSION, strlen(IRL_VERSION));
  memcpy(words + 24, settings->budgets, sizeof settings->budgets);
  return XXH3_64bits(words, sizeof words);
}

static irl_status open_journal(irl_learner *learner, const irl_options *options) {
  if (!options->checkpoint && !options->resume) return IRL_OK;
  irl_journal_init(&learner->journal, learner->env, options->checkpoint,
                   job_key(learner->data, &learner->settings, options));
  return options->resume ? irl_journal_load(&learner->journal, options->resume) : IRL_OK;
}

/* ---- the run ---- */

static irl_fit_info make_info(const irl_learner *learner) {
  static const char *const methods[] = {"ireland", "bp1", "bp2", "bp3", "bp4", "bp5", "bp6"};
  const irl_data *data = learner->data;
  const double n = (double)learner->settings.unit * data->n_samples;
  const double loss = (double)learner->best.loss, bound = (double)learner->bound;
  const bool has_rule = learner->best.loss < IRL_SELECT_NO_LOSS;
  return (irl_fit_info){.outcome = learner->outcome,
                        .objective = has_rule ? loss / n : NAN,
                        .bound = has_rule || bound < loss ? bound / n : NAN,
                        .gap = !has_rule  ? NAN
                               : loss > 0 ? (loss - bound) / loss
                                          : 0,
                        .samples = data->n_samples,
                        .features = data->n_features,
                        .K = learner->settings.K,
                        .M = learner->settings.M,
                        .method =
                            learner->settings.is_brcg ? "brcg" : methods[learner->settings.form],
                        .seed = learner->settings.seed,
                        .work = learner->work,
                        .nodes = learner->nodes,
                        .p_value = NAN};
}

/* A learner that is ready to run: with an empty pool, or with the one that the options name. */
static irl_status begin(irl_env *env, const irl_data *data, const irl_options *options,
                        bool for_curve, irl_learner *learner) {
  irl_learn_settings settings;
  irl_learn_pool pool = {0};
  irl_status status = irl_fit_settings(env, data, options, &settings);
  if (!status) status = check_features(env, data);
  settings.for_curve = for_curve;
  settings.all_sizes = for_curve && options->sizes;
  if (!status && options->pool) {
    status = irl_pool_load(env, options->pool, data, &pool, &settings.negations);
    settings.M = pool.max_literals;
  }
  if (!status) status = irl_learner_init(learner, env, data, &settings, options);
  if (pool.data && status) irl_learn_pool_free(&pool);
  if (pool.data && !status) learner->pool = pool;
  return status ? status : open_journal(learner, options);
}

/* The result takes the learner's pool over. `limit` is that of the whole job. */
static irl_status make_result(irl_env *env, irl_learner *learner, const irl_limit *limit,
                              irl_fit_result **out) {
  irl_fit_result *result = irl_mem_alloc(&env->allocator, 1, sizeof *result);
  if (!result) return irl_fail_memory(env);
  *result = (irl_fit_result){.allocator = env->allocator,
                             .data = learner->data,
                             .info = make_info(learner),
                             .settings = learner->settings,
                             .pool = learner->pool,
                             .is_complete = learner->is_complete,
                             .best = learner->best,
                             .bound = learner->bound,
                             .limit = *limit};
  learner->pool = (irl_learn_pool){0};
  const irl_status status =
      irl_learn_make_rule(env, &result->pool, result->settings.K, &result->best, &result->rule);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

/* Learning for a curve takes half of what is allowed, the rest is for the curve. */
static void leave_half(irl_limit *limit, const irl_options *options) {
  if (limit->deadline > 0) limit->deadline -= options->time_limit / 2;
  if (limit->max_work != UINT64_MAX) limit->max_work = (limit->max_work + 1) / 2;
}

/* What was learnt from the flipped data, in terms of the features as they were given. */
static void turn_back(irl_learner *learner, const irl_complement *complement) {
  irl_learn_pool *pool = &learner->pool;
  const size_t n = complement->is_inverted ? pool->n * pool->max_literals : 0;
  for (size_t i = 0; i < n; i++)
    pool->literals[i] = irl_literal_make(irl_literal_feature(pool->literals[i]),
                                         !irl_literal_is_negated(pool->literals[i]));
  learner->data = pool->data = complement->swapped;
}

/* Only what is proven has a certificate. */
static irl_status save_certificate(irl_learner *learner, const char *path) {
  char *text;
  if (learner->outcome != IRL_OPTIMAL) {
    irl_log(learner->env, IRL_LOG_WARNING, "%s is not written: the rule is not proven", path);
    return IRL_OK;
  }
  irl_status status = irl_learn_certify(learner, &text);
  if (status) return status;
  status = irl_text_save(learner->env, path, text);
  irl_text_free(learner->env, text);
  return status;
}

#define DEFAULT_ALIKE 1000u /* rules, if only `within` is given */

static irl_status find_alike(irl_learner *learner, const irl_options *options,
                             irl_learn_alike *alike) {
  const size_t max = options->all_optimal ? (size_t)options->all_optimal : DEFAULT_ALIKE;
  if (learner->outcome != IRL_OPTIMAL) {
    irl_log(learner->env, IRL_LOG_WARNING,
            "rules that are as good are not listed: the rule is not proven");
    return IRL_OK;
  }
  const double most = floor((double)learner->best.loss * (1 + options->within) + ROUNDING);
  return irl_learn_find_alike(learner, (int64_t)most, max, alike);
}

/* What asks for a proof, and what it can be about. */
static irl_status check_proof(irl_env *env, const irl_data *data, const irl_options *options) {
  const bool wants_alike = options->all_optimal || options->within > 0;
  const bool is_brcg = options->paper_brcg || (options->method && !strcmp(options->method, "brcg"));
  if (!options->certificate && !wants_alike) return IRL_OK;
  if (!options->prove || is_brcg || options->cnf)
    return irl_fail(env, IRL_BAD_ARGUMENT, "%s needs a proof (--prove, method ireland)",
                    wants_alike ? "a list of rules" : "a certificate");
  if (options->certificate && (options->penalty > 0 || data->case_weights || options->test > 0))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "a certificate is about all samples without penalty and weights of their own");
  return IRL_OK;
}

/* Learns from data in which every sample counts once. */
static irl_status fit_samples(irl_env *env, const irl_data *data, const irl_options *options,
                              bool for_curve, irl_fit_result **out) {
  irl_learner learner = {0};
  irl_learn_alike alike = {0};
  irl_complement complement = {0};
  irl_status status = IRL_OK;
  if (options->cnf) status = irl_complement_init(env, &complement, data);
  if (!status)
    status = begin(env, options->cnf ? complement.flipped : data, options, for_curve, &learner);
  const irl_limit whole = learner.limit;
  if (for_curve) leave_half(&learner.limit, options);
  if (!status) status = irl_learn(&learner);
  if (!status) status = irl_journal_save(&learner.journal);
  if (!status && options->certificate) status = save_certificate(&learner, options->certificate);
  if (!status && (options->all_optimal || options->within > 0))
    status = find_alike(&learner, options, &alike);
  if (!status && options->cnf) turn_back(&learner, &complement);
  if (!status && options->save_pool)
    status = irl_pool_save(env, &learner.pool, learner.settings.negations, options->save_pool);
  if (!status) status = make_result(env, &learner, &whole, out);
  if (!status)
    (*out)->alike = alike;
  else
    irl_learn_alike_free(&alike);
  irl_learner_free(&learner);
  if (status)
    irl_complement_free(&complement);
  else
    (*out)->complement = complement;
  return status;
}

/* With weights, a sample stands in the data as often as it weighs, and errors count once each
 * unless balancing is asked for. */
static irl_status fit_weighted(irl_env *env, const irl_data *data, const irl_options *options,
                               bool for_curve, irl_fit_result **out) {
  irl_data *expanded;
  irl_options own = *options;
  if (options->cnf)
    return irl_fail(env, IRL_BAD_ARGUMENT, "option cnf does not go with weights of samples");
  irl_status status = irl_data_expand(env, data, irl_threads(env, options->threads), &expanded);
  if (status) return status;
  if (!own.weights) own.weights = "unit";
  status = fit_samples(env, expanded, &own, for_curve, out);
  if (!status && for_curve) { /* its points are over the copies */
    (*out)->own_data = expanded;
    return IRL_OK;
  }
  irl_data_free(expanded);
  if (status) return status;
  irl_learn_pool_free(&(*out)->pool); /* its covers are over the copies */
  (*out)->pool = (irl_learn_pool){0};
  (*out)->data = data;
  (*out)->info.samples = data->n_samples;
  return IRL_OK;
}

static irl_status fit(irl_env *env, const irl_data *data, const irl_options *options,
                      bool for_curve, irl_fit_result **out) {
  const irl_status status = check_proof(env, data, options);
  if (status) return status;
  return data->case_weights ? fit_weighted(env, data, options, for_curve, out)
                            : fit_samples(env, data, options, for_curve, out);
}

irl_status irl_fit(irl_env *env, const irl_data *data, const irl_options *options,
                   irl_fit_result **result) {
  return fit(env, data, options, false, result);
}

irl_status irl_fit_for_curve(irl_env *env, const irl_data *data, const irl_options *options,
                             irl_fit_result **result) {
  return fit(env, data, options, true, result);
}

void irl_fit_free(irl_fit_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  irl_rule_free(result->rule);
  irl_learn_pool_free(&result->pool);
  irl_learn_alike_free(&result->alike);
  irl_data_free(result->own_data);
  irl_complement_free(&result->complement);
  irl_mem_free(&allocator, result);
}

const irl_rule *irl_fit_rule(const irl_fit_result *result) {
  return result->rule;
}

void irl_fit_describe(const irl_fit_result *result, irl_fit_info *info) {
  *info = result->info;
}

uint32_t irl_fit_n_alike(const irl_fit_result *result, bool *is_complete) {
  if (is_complete) *is_complete = result->alike.is_complete;
  return (uint32_t)result->alike.n;
}

irl_status irl_fit_alike(irl_env *env, const irl_fit_result *result, uint32_t i, irl_rule **rule) {
  if (i >= result->alike.n)
    return irl_fail(env, IRL_BAD_ARGUMENT, "there are %zu rules", result->alike.n);
  return irl_alike_rule(env, result->data, &result->alike, i, rule);
}

/* ---- the answer ---- */

/* The measures in terms of the classes as they were given. */
static void turn(irl_evaluation *e) {
  const irl_evaluation other = *e;
  e->tp = other.tn;
  e->fp = other.fn;
  e->tn = other.tp;
  e->fn = other.fp;
  e->sensitivity = other.specificity;
  e->specificity = other.sensitivity;
}

/* The clauses of the CNF: each an OR of literals that are the negations of the rule's. */
static void put_cnf(irl_json *json, const irl_rule *rule) {
  irl_json_string(json, "form", "cnf");
  irl_json_open(json, "clauses", '[');
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_json_open_flat(json, NULL, '[');
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      irl_json_literal(json, irl_rule_name(rule, rule->literals[i]),
                       !irl_literal_is_negated(rule->literals[i]));
    irl_json_close(json, ']');
  }
  irl_json_close(json, ']');
}

static void print_cnf(irl_text *text, const irl_rule *rule) {
  irl_text_puts(text, rule->n_clauses ? "\nCNF: " : "\nCNF: TRUE");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    if (k) irl_text_puts(text, " AND ");
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      irl_text_printf(text, "%s%s%s", i == rule->start[k] ? "(" : " OR ",
                      irl_literal_is_negated(rule->literals[i]) ? "" : "NOT ",
                      irl_rule_name(rule, rule->literals[i]));
    irl_text_puts(text, ")");
  }
  irl_text_puts(text, "\nThe same as clauses for the other class, one of which says no:\n");
}

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
  if (result->complement.swapped)
    put_cnf(&json, result->rule);
  else
    irl_rule_put_clauses(&json, "clauses", result->rule);
  irl_evaluation_put(&json, e);
  if (result->alike.K)
    irl_alike_put(&json, result->data, (double)result->settings.unit, &result->alike);
  irl_json_unsigned(&json, "samples", info->samples);
  irl_json_unsigned(&json, "features", info->features);
  irl_json_unsigned(&json, "K", info->K);
  irl_json_unsigned(&json, "M", info->M);
  irl_json_string(&json, "method", info->method);
  irl_json_unsigned(&json, "seed", info->seed);
  irl_json_unsigned(&json, "work", info->work);
  irl_status status =
      irl_clause_rows_put(env, result->rule, result->data, &json, "clause_statistics");
  if (!status) status = irl_fit_put_equivalents(env, result, &json);
  if (status) {
    irl_json_drop(&json);
    return status;
  }
  irl_fit_put_honest(&json, result);
  irl_json_run(&json, "run", &run);
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

static irl_status render_text(irl_env *env, const irl_fit_result *result, const irl_evaluation *e,
                              char **out) {
  const irl_fit_info *info = &result->info;
  irl_text text;
  irl_text_init(&text, env);
  if (isnan(info->objective)) {
    irl_text_printf(&text, "%s: no rule was found within the limits on it\n",
                    irl_outcome_text(info->outcome));
    return irl_text_take(&text, out);
  }
  irl_text_printf(&text, "%s: %s %.6g, bound %.6g, gap %.2f %%\n", irl_outcome_text(info->outcome),
                  result->settings.is_hamming ? "Hamming loss" : "weighted error", info->objective,
                  info->bound, 100 * info->gap);
  irl_text_printf(&text,
                  "balanced accuracy %.4f, sensitivity %.4f (%llu of %llu), specificity %.4f (%llu "
                  "of %llu)\n",
                  e->balanced_accuracy, e->sensitivity, (unsigned long long)e->tp,
                  (unsigned long long)(e->tp + e->fn), e->specificity, (unsigned long long)e->tn,
                  (unsigned long long)(e->tn + e->fp));
  if (result->complement.swapped) print_cnf(&text, result->rule);
  irl_status status = irl_clause_rows_print(env, result->rule, result->data, &text);
  if (!status) status = irl_fit_print_equivalents(env, result, &text);
  if (!status && result->alike.K)
    status =
        irl_alike_print(env, result->data, (double)result->settings.unit, &result->alike, &text);
  irl_fit_print_honest(&text, result);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_fit_render(irl_env *env, const irl_fit_result *result, irl_format format,
                          char **text) {
  irl_evaluation e;
  const irl_status status = irl_evaluate(env, result->rule, result->data, &e);
  if (status) return status;
  if (result->complement.swapped) turn(&e);
  return format == IRL_FORMAT_JSON ? render_json(env, result, &e, text)
                                   : render_text(env, result, &e, text);
}
