/* One fold: a rule for every setting.
 *
 * A fit of its own for each of them would look for the same clauses again and again. So the clauses
 * are sought once for each number of literals, with room for the greatest number of clauses, by the
 * quick search of fit; those of fewer literals stay in the pool. Then a rule is chosen from the
 * pool for each number of clauses and each penalty, starting from the one before, and tidied. It
 * may differ from the rule of a fit with these settings, which seeks for them alone. With --effort
 * full, with --prove and for other methods every setting has a fit of its own. Where the samples
 * give nothing to choose from, as where no cut pays, the rule is the better constant. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "learn/learn.h"
#include "validate/cv.h"

typedef struct fold {
  irl_env *env;
  const irl_limit *limit;
  const irl_data *train, *test;
  const irl_options *options;
  const irl_cv_axes *axes;
  irl_cv_score *scores;
} fold;

static irl_status score_rule(const fold *f, const irl_rule *rule, uint32_t number) {
  irl_cv_score *score = &f->scores[number];
  const irl_status status = irl_evaluate(f->env, rule, f->test, &score->e);
  score->clauses = (uint32_t)rule->n_clauses;
  score->literals = (uint32_t)rule->n_literals;
  score->is_done = !status && !irl_limit_poll(f->limit);
  return status;
}

/* ---- nothing to choose from ---- */

static bool has_choice(const irl_data *data) {
  const irl_kernels *kernels = irl_bits_kernels();
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint64_t ones =
        kernels->count(irl_bits_vector(&data->cases, j), data->cases.stride) +
        kernels->count(irl_bits_vector(&data->controls, j), data->controls.stride);
    if (ones && ones < data->n_samples) return true;
  }
  return false;
}

/* The rule that always says no, or always yes if that loses less: a clause without literals. */
static irl_status score_constant(const fold *f, uint32_t m, uint32_t p, uint32_t k) {
  const irl_data *data = f->train;
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  irl_options options = *f->options;
  irl_learn_settings settings;
  irl_rule *rule;
  options.K = f->axes->K[k];
  options.M = f->axes->M[m];
  options.penalty = f->axes->penalties[p];
  irl_status status = irl_fit_settings(f->env, data, &options, &settings);
  if (!status) status = irl_rule_create(f->env, settings.K, settings.M, &called, &rule);
  if (status) return status;
  if (settings.control_weight * (int64_t)data->n_controls + settings.penalty <
      settings.case_weight * (int64_t)data->n_cases)
    status = irl_rule_end_clause(f->env, rule);
  if (!status) status = score_rule(f, rule, irl_cv_number(f->axes, m, p, k));
  irl_rule_free(rule);
  return status;
}

static irl_status score_constants(const fold *f) {
  const irl_cv_axes *axes = f->axes;
  irl_status status = IRL_OK;
  for (uint32_t m = 0; m < axes->n_M && !status; m++)
    for (uint32_t p = 0; p < axes->n_penalties && !status; p++)
      for (uint32_t k = 0; k < axes->n_K && !status; k++) status = score_constant(f, m, p, k);
  return status;
}

/* ---- each setting by itself ---- */

static irl_status fit_setting(const fold *f, uint32_t m, uint32_t p, uint32_t k) {
  irl_options options = *f->options;
  irl_fit_result *result;
  irl_fit_info info;
  options.K = f->axes->K[k];
  options.M = f->axes->M[m];
  options.penalty = f->axes->penalties[p];
  irl_status status = irl_fit_part(f->env, f->train, &options, &result);
  if (status) return status;
  const uint32_t number = irl_cv_number(f->axes, m, p, k);
  status = score_rule(f, irl_fit_rule(result), number);
  irl_fit_describe(result, &info);
  f->scores[number].is_proven = info.outcome == IRL_OPTIMAL;
  irl_fit_free(result);
  return status;
}

static irl_status fit_each(const fold *f) {
  const irl_cv_axes *axes = f->axes;
  irl_status status = IRL_OK;
  for (uint32_t m = 0; m < axes->n_M && !status; m++)
    for (uint32_t p = 0; p < axes->n_penalties && !status; p++)
      for (uint32_t k = 0; k < axes->n_K && !status && !irl_limit_poll(f->limit); k++)
        status = fit_setting(f, m, p, k);
  return status;
}

/* ---- all settings from one pool ---- */

/* Settings for the learner, which begins anew with the pool that it has. */
static irl_status set(const fold *f, irl_learner *learner, uint32_t K, uint32_t M, double penalty) {
  irl_options options = *f->options;
  options.K = K;
  options.M = M;
  options.penalty = penalty;
  const irl_status status = irl_fit_settings(f->env, f->train, &options, &learner->settings);
  learner->best = (irl_learn_rule){.n = 0};
  irl_proof_restart(&learner->proof, &f->env->allocator);
  if (!status) irl_learner_weigh(learner, &learner->best);
  return status;
}

static irl_status fill_pool(const fold *f, irl_learner *learner, uint32_t M) {
  irl_status status = set(f, learner, f->axes->K[f->axes->n_K - 1], M, 0);
  if (!status) status = irl_learn_loop(learner);
  if (!status) status = irl_learn_exchange_quickly(learner);
  return status;
}

/* The best rule of the pool, better than the one for fewer clauses. */
static irl_status select_and_prune(const fold *f, irl_learner *learner, const irl_learn_rule *start,
                                   uint32_t number) {
  irl_learn_rule rule = *start;
  irl_rule *made;
  bool is_better;
  irl_status status = learner->pool.n ? irl_learner_select(learner, UINT64_MAX, &rule) : IRL_OK;
  if (!status) status = irl_learner_offer(learner, &rule, &is_better);
  if (!status) status = irl_learn_prune_rule(learner);
  if (!status)
    status =
        irl_learner_make_rule(f->env, &learner->pool, learner->settings.K, &learner->best, &made);
  if (status) return status;
  status = score_rule(f, made, number);
  irl_rule_free(made);
  return status;
}

static irl_status run_path(const fold *f, irl_learner *learner) {
  const irl_cv_axes *axes = f->axes;
  irl_status status = IRL_OK;
  for (uint32_t m = 0; m < axes->n_M && !status; m++) {
    status = fill_pool(f, learner, axes->M[m]);
    for (uint32_t p = 0; p < axes->n_penalties && !status; p++) {
      irl_learn_rule start = {.n = 0};
      for (uint32_t k = 0; k < axes->n_K && !status && !irl_limit_poll(f->limit); k++) {
        status = set(f, learner, axes->K[k], axes->M[m], axes->penalties[p]);
        if (!status) status = select_and_prune(f, learner, &start, irl_cv_number(axes, m, p, k));
        start = learner->best;
      }
    }
  }
  return status;
}

static irl_status learn_path(const fold *f) {
  irl_learner learner = {0};
  irl_learn_settings settings;
  irl_options options = *f->options;
  options.K = f->axes->K[f->axes->n_K - 1];
  options.M = f->axes->M[f->axes->n_M - 1];
  irl_status status = irl_fit_settings(f->env, f->train, &options, &settings);
  if (!status) status = irl_learner_init(&learner, f->env, f->train, &settings, &options);
  learner.limit.deadline = f->limit->deadline;
  if (!status) status = run_path(f, &learner);
  irl_learner_free(&learner);
  return status;
}

irl_status irl_cv_fold(irl_env *env, const irl_limit *limit, const irl_data *train,
                       const irl_data *test, const irl_options *options, const irl_cv_axes *axes,
                       irl_cv_score *scores) {
  irl_options own = *options;
  const bool is_full = own.effort && strcmp(own.effort, "quick");
  const bool is_each = own.prove || own.method || own.paper_brcg || own.profile || is_full;
  const fold f = {env, limit, train, test, &own, axes, scores};
  own.threads = 1;
  if (!is_each) own.effort = "quick";
  if (!has_choice(train)) return score_constants(&f);
  return is_each ? fit_each(&f) : learn_path(&f);
}
