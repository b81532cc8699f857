/* Settings of a run from options: what they mean, and which of them exclude each other; and the
 * text by which a checkpoint knows its job. */
#include "base/c_locale.h"
#include "learn/fit.h"
#include <inttypes.h>
#include <math.h>

/* Of the loss of K clauses, and of K times as much: what certificates and all sums can hold. */
#define MAX_LOSS 0x1p54

/* "0.005,0.01": fractions of the controls, rounded down. */
static irl_status parse_budgets(irl_env *env, const char *text, uint64_t n_controls,
                                irl_learn_settings *settings) {
  for (const char *at = text;; at++) {
    char *end;
    const double share = irl_c_strtod(at, &end);
    if (end == at || (*end && *end != ',') || !(share >= 0 && share <= 1))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "option budgets takes numbers from 0 to 1 with commas between, not '%s'",
                      text);
    if (settings->n_budgets == IRL_LEARN_MAX_BUDGETS)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "at most %u budgets", IRL_LEARN_MAX_BUDGETS);
    settings->budgets[settings->n_budgets++] =
        (uint64_t)floor(share * (double)n_controls + IRL_FIT_ROUNDING);
    if (!*end) return IRL_STATUS_OK;
    at = end;
  }
}

/* "cutoffs=0,list_cap=100": methods that are left out and values of the table of effort, for those
 * who measure the program; not documented for users. */
static irl_status parse_internal(irl_env *env, const char *text, irl_search_settings *settings) {
  irl_status status = IRL_STATUS_OK;
  for (const char *at = text; !status; at++) {
    const size_t n = strcspn(at, "=,"), length = strcspn(at, ",");
    const irl_proof_method method = irl_proof_method_find(at, n);
    if (method < IRL_N_PROOF_METHODS && length == n + 2 && (at[n + 1] == '0' || at[n + 1] == '1'))
      settings->without = (settings->without & ~(1u << method)) | (at[n + 1] == '0' ? 1u : 0u)
                                                                      << method;
    else
      status = irl_tuning_parse(env, &settings->tuning, at, n);
    at += length;
    if (!*at) break;
  }
  return status;
}

/* The penalty is a share of the loss of a rule that is wrong everywhere: 0.01 is one percent of
 * accuracy, or of balanced accuracy. Losses are integers, so weights are scaled by the power of ten
 * that makes the penalty one too: d / 10^e, rounded to a double, is what the user gave. Where that
 * makes losses too large the penalty is refused, since a rounded one would be another claim. What
 * the public sees is the sum of the weights of the errors: how many they are, or the sum of the
 * samples' weights, or the paper's (N1*FP + N0*FN)/N. */
static irl_status set_weights(irl_env *env, double penalty, bool is_unit, irl_problem *problem) {
  const irl_data *data = problem->data;
  const int64_t n1 = (int64_t)irl_data_total(data, 0), n0 = (int64_t)irl_data_total(data, 1);
  const int64_t of_case = is_unit ? 1 : n0, of_control = is_unit ? 1 : n1;
  if (!is_unit && (double)n1 * (double)n0 > MAX_LOSS)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "balanced weights of samples that weigh %" PRId64 " and %" PRId64
                    " units are too large to be counted: unit weights, or sample weights of fewer "
                    "digits, would do",
                    n1, n0);
  const int64_t all = of_case * n1 + of_control * n0;
  const double K = problem->K, clauses = K * penalty * (1 + problem->M);
  const double most = MAX_LOSS / K / (1 + (double)all) / (clauses > 1 ? clauses : 1);
  int64_t unit = 1;
  int decimals = 0;
  for (; llround(penalty * (double)unit) / (double)unit != penalty && 10 * (double)unit < most;
       decimals++)
    unit *= 10;
  const int64_t share = llround(penalty * (double)unit);
  if (share / (double)unit != penalty)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option penalty: %.17g has more than the %d decimals that can be counted "
                    "exactly with these samples and this K",
                    penalty, decimals);
  problem->case_weight = unit * of_case;
  problem->control_weight = unit * of_control;
  problem->penalty = share * all;
  problem->divisor = (double)unit * (is_unit ? 1 : (double)(n1 + n0)) /
                     (data->weight_unit > 0 ? data->weight_unit : 1);
  problem->all = (double)all * (double)unit;
  assert(problem->case_weight >= 0 && problem->control_weight >= 0 && problem->divisor > 0);
  return IRL_STATUS_OK;
}

irl_status irl_fit_settings(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_problem *problem, irl_learn_settings *settings) {
  const double n1 = (double)irl_data_total(data, 0), n0 = (double)irl_data_total(data, 1);
  /* The limits are about the classes as the user calls them: a CNF is learnt from reflected data.
   */
  const double sensitivity =
      data->is_reflected ? options->rule.min_specificity : options->rule.min_sensitivity;
  const double specificity =
      data->is_reflected ? options->rule.min_sensitivity : options->rule.min_specificity;
  *problem = (irl_problem){
      .data = data,
      .whole = data,
      .K = (uint32_t)options->rule.K,
      .M = (uint32_t)options->rule.M,
      .negations = options->rule.negations && irl_data_may_negate(data),
      .min_cases = (uint64_t)ceil(sensitivity * n1 - IRL_FIT_ROUNDING),
      .max_controls = (uint64_t)floor((1 - specificity) * n0 + IRL_FIT_ROUNDING),
      .max_literals =
          options->rule.max_literals ? (uint64_t)options->rule.max_literals : UINT64_MAX,
      .max_complexity = options->rule.complexity ? (uint64_t)options->rule.complexity : UINT64_MAX};
  *settings = (irl_learn_settings){
      .paper_sample = (uint64_t)options->search.paper_sample,
      .has_pool = options->search.pool != NULL,
      .equivalent = options->output.equivalent,
      .is_binary = options->search.binary,
      .is_plain = options->search.plain,
      .no_start = options->search.no_start,
      .method = options->search.method,
      .search = {.threads = irl_threads(env, options->limits.threads),
                 .seed = (uint64_t)options->search.seed,
                 .memory_limit_mb = (double)options->limits.memory_limit,
                 .prove = !options->search.prove        ? IRL_SEARCH_UNASKED
                          : options->search.certificate ? IRL_SEARCH_CERTIFY
                                                        : IRL_SEARCH_PROVE,
                 .effort = options->search.effort == IRL_EFFORT_QUICK ? IRL_SEARCH_QUICK
                                                                      : IRL_SEARCH_FULL}};
  assert(irl_learn_form(settings) <= 6 && problem->K && problem->M);
  assert((double)problem->min_cases <= n1 && (double)problem->max_controls <= n0);
  problem->is_hamming = irl_options_loss(options) == IRL_LOSS_HAMMING;
  settings->is_paper = options->search.profile == IRL_PROFILE_PAPER;
  settings->is_unit = options->rule.weights ? options->rule.weights == IRL_WEIGHTS_UNIT
                                            : irl_data_has_weights(data);
  irl_status status = set_weights(env, options->rule.penalty, settings->is_unit, problem);
  if (!status && options->search.internal)
    status = parse_internal(env, options->search.internal, &settings->search);
  const char *budgets = options->search.budgets;
  if (!budgets && settings->is_paper && settings->method != IRL_METHOD_BRCG)
    budgets = "0,0.005,0.01,0.02,0.03,0.04,0.05";
  return status || !budgets ? status
                            : parse_budgets(env, budgets, irl_data_total(data, 1), settings);
}

/* ---- the job ---- */

/* On one line; different values have different texts. */
static void put_option(irl_text *text, const irl_option_info *info, const irl_options *options) {
  const void *field = (const char *)options + info->offset;
  irl_text_printf(text, "%s ", info->name);
  if (info->type == IRL_OPTION_FLAG) irl_text_puts(text, *(const bool *)field ? "on" : "off");
  if (info->type == IRL_OPTION_INTEGER) irl_text_printf(text, "%" PRId64, *(const int64_t *)field);
  if (info->type == IRL_OPTION_REAL) irl_text_printf(text, "%.17g", *(const double *)field);
  const char *at = NULL;
  char word[IRL_OPTION_SIZE];
  if (info->type == IRL_OPTION_TEXT) at = *(const char *const *)field;
  if (info->type == IRL_OPTION_WORD || info->type == IRL_OPTION_CUTS) {
    irl_option_render(info, options, word);
    if (*word) at = word;
  }
  /* What an object holds is among the clauses. */
  if (info->type == IRL_OPTION_OBJECT && *(const void *const *)field) at = "given";
  if (info->type >= IRL_OPTION_TEXT) irl_text_puts(text, at ? "'" : "not given");
  const bool is_quoted = at != NULL;
  for (; at && *at; at++) {
    const bool is_plain = (unsigned char)*at >= ' ' && *at != '\\';
    irl_text_printf(text, is_plain ? "%c" : "\\%02x", (unsigned char)*at);
  }
  irl_text_puts(text, is_quoted ? "'\n" : "\n");
}

/* Whose checkpoint it is, as a text of lines 'NAME VALUE': the version, the job, the data, the
 * clauses that it begins with, and every option of which the option table says that it changes the
 * answer. */
irl_status irl_fit_job(const irl_learner *learner, const irl_options *options, char **out) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  irl_text text;
  irl_text_init(&text, learner->search.env);
  irl_text_printf(&text, "version %s\n", IRL_VERSION);
  irl_text_printf(&text, "command %s\n", learner->settings.aim ? "curve" : "fit");
  irl_text_printf(&text, "data %016" PRIx64 "\n", irl_data_checksum(learner->data));
  irl_text_printf(&text, "clauses %016" PRIx64 "\n", irl_clause_set_hash(&learner->search.pool));
  /* What only making data or a curve needs is left out: learning does not see it. */
  for (size_t i = 0; i < n; i++)
    if (table[i].changes && table[i].jobs != IRL_FOR_CURVE && table[i].jobs != IRL_FOR_GENERATE)
      put_option(&text, &table[i], options);
  return irl_text_take(&text, out);
}
