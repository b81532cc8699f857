/* One fold: a rule for every setting.
 *
 * A fit of its own for each of them would look for the same clauses again and again. So the clauses
 * are sought once for each number of literals, with room for the greatest number of clauses, by the
 * quick search of fit, in cv without its exchange of clauses; those of fewer literals stay in the
 * pool. Then a rule is chosen from the pool for each number of clauses and each penalty, starting
 * from the one before, and tidied. It may differ from the rule of a fit with these settings, which
 * seeks for them alone. Where neither one nor two more clauses lower the loss, more are not tried:
 * the rule stays as it is. With
 * --effort full, with --prove and for other methods every setting has a fit of its own. Where the
 * samples give nothing to choose from, as where no cut pays, the rule is the better constant. */
#include "base/memory.h"
#include "learn/learn.h"
#include "search/tuning.h"
#include "validate/cv.h"

/* Words of one selection where a fold tries many settings. This, and leaving out the exchange of
 * clauses, halves the time on twelve small tables; the mean accuracy of the chosen settings rises
 * by 0.1 points and the balanced one falls by 0.2. */
#define SELECT_WORK 1000000u

/* Setting `number` as options of a fit. */
static irl_options options_at(const irl_cv_fold *f, const irl_options *options, uint32_t number) {
  const irl_cv_setting setting = irl_cv_setting_at(f->axes, number);
  irl_options own = *options;
  own.rule.K = setting.K;
  own.rule.M = setting.M;
  own.rule.penalty = setting.penalty;
  return own;
}

/* The rule may be taken from its place. */
static irl_status score_rule(irl_env *env, const irl_cv_fold *f, irl_rule **made, uint32_t number) {
  const irl_rule *rule = *made;
  const irl_split *split = f->split;
  irl_cv_score *score = &f->scores[number];
  irl_data *coded = NULL;
  const bool is_late = split->test_rows.n && !split->test;
  irl_status status =
      is_late ? irl_rule_code_table(env, rule, f->from->table, &split->test_rows, &coded)
              : IRL_STATUS_OK;
  if (status) return status;
  const irl_data *test = is_late ? coded : split->test ? split->test : split->train;
  uint8_t *predicted = f->predicted ? f->predicted + (size_t)number * test->n_samples : NULL;
  score->e = IRL_SIZED(irl_evaluation);
  status = irl_evaluate(env, rule, test, &score->e);
  score->train = IRL_SIZED(irl_evaluation);
  if (!status && f->wants_train) status = irl_evaluate(env, rule, split->train, &score->train);
  if (!status && predicted) status = irl_predict_bytes(env, rule, test, predicted, NULL);
  for (uint32_t i = 0; predicted && i < test->n_samples && !status; i++)
    predicted[i] ^= test->is_reflected; /* of a CNF: the rule is for the other class */
  irl_data_free(coded);
  score->clauses = (uint32_t)rule->n_clauses;
  score->literals = (uint32_t)rule->n_literals;
  if (!status && f->rule) IRL_SWAP(*f->rule, *made);
  score->is_done = !status && !irl_limit_poll(f->from->limit);
  return status;
}

/* The rule that always says no, or always yes if that loses less: a clause without literals. */
static irl_status score_constant(irl_env *env, const irl_cv_fold *f, const irl_options *options,
                                 uint32_t number) {
  const irl_data *data = f->split->train;
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  irl_problem problem;
  irl_learn_settings settings;
  irl_rule *rule;
  irl_status status = irl_fit_settings(env, data, options, &problem, &settings);
  if (!status) status = irl_rule_create(env, problem.K, problem.M, &called, &rule);
  if (status) return status;
  if (problem.control_weight * (int64_t)irl_data_total(data, 1) + problem.penalty <
      problem.case_weight * (int64_t)irl_data_total(data, 0))
    status = irl_rule_end_clause(env, rule);
  if (!status) status = score_rule(env, f, &rule, number);
  irl_rule_free(rule);
  return status;
}

/* Did a limit end a search that might have gone on to something better? As in search/allowance.h,
 * nothing more is expected once some times the work that led to the rule were in vain. */
static bool is_cut_short(const irl_cv_fold *f, uint64_t work, uint64_t best_work) {
  return !f->enough_work || work < f->enough_work ||
         work < (1 + irl_tuning_usual.after) * best_work;
}

/* A fit of its own. */
static irl_status fit_setting(irl_env *env, const irl_cv_fold *f, const irl_options *options,
                              uint32_t number) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_status status = irl_fit_part(env, f->split->train, options, f->from->limit, &result);
  if (status) return status;
  status = score_rule(env, f, &result->rule, number);
  irl_fit_describe(result, &info);
  f->scores[number].is_proven = info.outcome == IRL_OUTCOME_OPTIMAL;
  f->scores[number].is_cut =
      info.outcome == IRL_OUTCOME_LIMIT && is_cut_short(f, info.work, info.best_work);
  irl_fit_free(result);
  return status;
}

/* ---- all settings from one pool ---- */

/* Settings for the learner, which begins anew with the pool that it has. */
static irl_status set(const irl_cv_fold *f, irl_learner *learner, const irl_options *options) {
  irl_problem problem;
  irl_learn_settings settings;
  const irl_status status =
      irl_fit_settings(learner->search.env, f->split->train, options, &problem, &settings);
  if (f->search_work > 0) settings.search.effort = IRL_SEARCH_RESAMPLE;
  if (f->search_work > 0 && !settings.search.tuning.select_quick)
    settings.search.tuning.select_quick = SELECT_WORK;
  if (!status) irl_learner_set(learner, &problem, &settings);
  learner->search.best = (irl_search_rule){.n = 0};
  irl_proof_restart(&learner->search.proof, &learner->search.env->allocator);
  if (!status) irl_search_weigh(&learner->search, &learner->search.best);
  return status;
}

/* The best rule of the pool, better than the one for fewer clauses. */
static irl_status select_and_prune(const irl_cv_fold *f, irl_learner *learner,
                                   const irl_search_rule *start, uint32_t number) {
  irl_search_rule rule = *start;
  irl_rule *made;
  bool is_better;
  irl_status status = learner->search.pool.n
                          ? irl_search_select(&learner->search, UINT64_MAX, &rule)
                          : IRL_STATUS_OK;
  if (!status) status = irl_search_offer(&learner->search, &rule, &is_better);
  if (!status) status = irl_learn_prune_rule(learner);
  if (!status)
    status = irl_search_make_rule(learner->search.env, &learner->search.pool, learner->problem.K,
                                  &learner->search.best, &made);
  if (status) return status;
  status = score_rule(learner->search.env, f, &made, number);
  irl_rule_free(made);
  return status;
}

/* Does the rule of a setting leave room for two clauses? Then the selection found neither one nor
 * two that lower its loss, and for a greater number of clauses the rule is taken as it is. */
static bool is_settled(const irl_cv_fold *f, uint32_t number) {
  assert(number < irl_cv_n_rows(f->axes));
  return f->search_work && f->scores[number].is_done &&
         f->scores[number].clauses + 2 <= irl_cv_setting_at(f->axes, number).K;
}

/* The setting before has the same rule. */
static void repeat_score(const irl_cv_fold *f, uint32_t number) {
  const size_t n = f->split->test_rows.n;
  assert(number && number < irl_cv_n_rows(f->axes) && !f->rule);
  f->scores[number] = f->scores[number - 1];
  if (f->predicted) memcpy(f->predicted + number * n, f->predicted + (number - 1) * n, n);
}

/* The search for clauses of another M, within the work that the fold allows for it. */
static irl_status seek_clauses(const irl_cv_fold *f, irl_learner *learner) {
  const uint64_t all_work = learner->search.limit.max_work;
  if (f->search_work && learner->search.work < all_work &&
      f->search_work < all_work - learner->search.work)
    learner->search.limit.max_work = learner->search.work + f->search_work;
  irl_status status = irl_learn_loop(learner);
  if (!status && !f->search_work) status = irl_learn_exchange_quickly(learner);
  learner->search.limit.max_work = all_work;
  return status;
}

static irl_status learn_path(irl_env *env, const irl_cv_fold *f, const irl_options *options) {
  const irl_cv_axes *axes = f->axes;
  const uint32_t n_rows = irl_cv_n_rows(axes), path = axes->penalty.n * axes->K.n;
  irl_learner learner = {0};
  irl_problem problem;
  irl_learn_settings settings;
  irl_search_rule start = {.n = 0};
  uint64_t best_work = 0; /* that led to the best rule of these clauses */
  irl_options own = options_at(f, options, n_rows - 1);
  own.rule.penalty = options->rule.penalty;
  irl_status status = irl_fit_settings(env, f->split->train, &own, &problem, &settings);
  if (!status) status = irl_learner_init(&learner, env, &problem, &settings, f->from->limit);
  for (uint32_t number = 0; number < n_rows && !status; number++) {
    if (number % path == 0) { /* another M: its clauses, for the most of them that are tried */
      own = options_at(f, options, number + axes->K.n - 1);
      own.rule.penalty = 0;
      status = set(f, &learner, &own);
      if (!status) status = seek_clauses(f, &learner);
      best_work = learner.search.allowance.best_work;
    }
    if (status || irl_limit_poll(f->from->limit)) continue;
    if (number % axes->K.n == 0) start = (irl_search_rule){.n = 0};
    if (number % axes->K.n && is_settled(f, number - 1)) {
      repeat_score(f, number);
      continue;
    }
    own = options_at(f, options, number);
    status = set(f, &learner, &own);
    if (!status) status = select_and_prune(f, &learner, &start, number);
    f->scores[number].is_cut = irl_limit_reached(&learner.search.limit, learner.search.work) &&
                               is_cut_short(f, learner.search.work, best_work);
    start = learner.search.best;
  }
  irl_learner_free(&learner);
  return status;
}

irl_status irl_cv_fold_run(irl_env *env, const irl_cv_fold *f, const irl_options *options) {
  irl_options own = *options;
  const bool is_each = irl_cv_is_each(options);
  const bool is_constant = !irl_fit_has_choice(f->split->train);
  irl_status status = IRL_STATUS_OK;
  own.limits.threads = f->from->threads;
  if (!is_each) own.search.effort = IRL_EFFORT_QUICK;
  if (!is_constant && !is_each) return learn_path(env, f, &own);
  for (uint32_t number = 0; number < irl_cv_n_rows(f->axes) && !status; number++) {
    const irl_options setting = options_at(f, &own, number);
    if (is_constant)
      status = score_constant(env, f, &setting, number);
    else if (!irl_limit_poll(f->from->limit))
      status = fit_setting(env, f, &setting, number);
  }
  return status;
}

irl_cv_axes irl_cv_one_setting(const irl_options *options) {
  return (irl_cv_axes){.K = {{(double)options->rule.K}, 1},
                       .M = {{(double)options->rule.M}, 1},
                       .penalty = {{options->rule.penalty}, 1}};
}
