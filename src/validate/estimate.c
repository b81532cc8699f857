/* What the rule is worth on new samples, by internal validation: rules are learnt from parts of the
 * samples by the whole procedure (coding, search, choice of the rule) and tested on samples that
 * had no part in it. The estimate is about the procedure: the rule itself was learnt from all.
 *
 * - quick: five stratified folds, by the quick search, with SHARE of the work that the fit took;
 *   each sample is predicted once by a rule that has not seen it, and counts are added up. Where
 *   the share is not enough for five, as on large data, there are fewer, and none if it is not
 *   enough for one: a fold is taken to need what it takes to make its data, and the work after
 *   which the fit had its rule. A fold whose search was cut short all the same does not count,
 *   unless it had some times that work and most of it in vain (tuning.h: after).
 * - cv: ten folds, three times over, without that limit; counts of the repeats are averaged.
 * - bootstrap: the .632+ estimate (Efron and Tibshirani 1997) of sensitivity and of specificity:
 *   samples are drawn with replacement, and those that were not drawn are the test. With the
 *   apparent error a and the error e of those, the estimate is (1 - w) a + w e, w = .632 / (1 -
 *   .368 R), where R is the relative overfitting (e - a) / (g - a), and g the error of a rule that
 *   says "case" as often but at random.
 *
 * With groups (units.h) whole groups go to a fold, a bag or the hold-out, and the intervals are for
 * as many samples as independent ones would be worth. Folds that a column gives are used by quick
 * and cv as they are.
 *
 * Work is counted, so the estimate is the same on any number of threads. */
#include "validate/estimate.h"
#include "base/contract.h"
#include "base/memory.h"
#include "rule/statistics.h"
#include "search/tuning.h"
#include "validate/fit_extras.h"
#include <math.h>

#define QUICK_FOLDS 5u
#define SHARE       0.25 /* of the fit's work, for all folds of quick together */
#define LEAST_WORK  1e9  /* for quick, on data that are made by SMALL work: half a second */
#define SMALL       2e7
#define MAKING      100.0 /* work to make 64 cells of the data of a fold */
#define CV_FOLDS    10u
#define CV_REPEATS  3u
#define BAGS        50u
#define BAG_SHARE   0.632 /* of the samples that are in a bag, on average */

typedef struct estimator {
  irl_resampling parts; /* folds, or bags as folds of one repeat */
  irl_options options;  /* of the rules of the parts */
  irl_limit limit;      /* max_work: of each part */
  irl_cv_axes axes;     /* one setting */
  uint8_t *is_right;    /* with groups: of each row, by the rule of its fold or the own one */
  uint32_t n_parts;     /* of all, those to make */
  uint64_t enough_work; /* of the search of a part; 0: all that it wants */
  bool is_bootstrap;
  bool is_lost; /* the data of the rule could not be made again */
  irl_cv_score *scores;
} estimator;

/* ---- parts ---- */

/* Which rows of a fold its rule is right on. */
static void note_right(const estimator *e, uint32_t part, const uint8_t *predicted) {
  const irl_resampling *p = &e->parts;
  uint32_t k = 0;
  for (uint32_t i = 0; i < p->rows.n; i++)
    if (p->fold_of[i] == part) e->is_right[i] = predicted[k++] == p->labels[i];
}

static irl_status learn(irl_env *env, void *user, uint32_t part, irl_split *split) {
  const estimator *e = user;
  irl_cv_score *score = &e->scores[part];
  irl_status status = irl_split_code(env, e->parts.table, &e->options, split);
  uint8_t *predicted = NULL;
  const bool is_noted = e->parts.units.are_groups && !e->is_bootstrap && part < e->parts.n_folds;
  if (!status && is_noted) {
    predicted = irl_mem_alloc(&env->allocator, split->test_rows.n, 1);
    if (!predicted) status = irl_fail_memory(env);
  }
  const irl_cv_fold fold = {.from = &e->parts,
                            .split = split,
                            .axes = &e->axes,
                            .scores = score,
                            .predicted = predicted,
                            .wants_train = true,
                            .enough_work = e->enough_work};
  if (!status) status = irl_cv_fold_run(env, &fold, &e->options);
  if (!status && predicted) note_right(e, part, predicted);
  irl_mem_free(&env->allocator, predicted);
  if (!status && split->train->is_reflected) {
    irl_evaluation_turn(&score->e);
    irl_evaluation_turn(&score->train);
  }
  return status;
}

/* ---- what comes of them ---- */

/* Intervals for as many samples of each class as independent ones would be worth, and for rules
 * that differ as those of the parts do. */
static void set_intervals(const estimator *e, double cases, double controls,
                          irl_estimate *estimate) {
  double n[2] = {controls, cases};
  const irl_resampling *p = &e->parts;
  for (int c = 0; c < 2 && p->units.are_groups; c++)
    n[c] /= irl_units_effect(&p->units, p->labels, e->is_right, c);
  irl_estimate_intervals_of_parts(e->scores, e->n_parts, n, estimate);
}

/* Counts of all folds of all repeats, as one of the repeats has them. */
static void join_folds(const estimator *e, irl_estimate *estimate) {
  double tp = 0, fp = 0, fn = 0, tn = 0;
  for (uint32_t i = 0; i < e->n_parts; i++) {
    const irl_evaluation *s = &e->scores[i].e;
    if (!e->scores[i].is_done || e->scores[i].is_cut) continue;
    estimate->parts_done++;
    tp += (double)s->tp;
    fp += (double)s->fp;
    fn += (double)s->fn;
    tn += (double)s->tn;
  }
  const double repeats = fmax(1, (double)estimate->parts_done / e->parts.n_folds);
  estimate->sensitivity = tp / (tp + fn);
  estimate->specificity = tn / (fp + tn);
  estimate->accuracy = (tp + tn) / (tp + fn + fp + tn);
  set_intervals(e, (tp + fn) / repeats, (fp + tn) / repeats, estimate);
}

/* The .632+ estimate of a share whose rule gets it right at random with the chance `blind`. */
static double correct(double apparent, double outside, double blind) {
  const double a = 1 - apparent, g = 1 - blind, e = g > a ? fmin(1 - outside, g) : 1 - outside;
  const double overfit = e > a && g > a ? (e - a) / (g - a) : 0;
  const double weight = BAG_SHARE / (1 - (1 - BAG_SHARE) * overfit);
  return 1 - ((1 - weight) * a + weight * e);
}

static void join_bags(const estimator *e, const irl_evaluation *own, irl_estimate *estimate) {
  double sensitivity = 0, specificity = 0;
  const double cases = (double)(own->tp + own->fn), controls = (double)(own->fp + own->tn);
  const double yes = (double)(own->tp + own->fp) / (cases + controls);
  for (uint32_t i = 0; i < e->parts.n_folds; i++) {
    if (!e->scores[i].is_done || e->scores[i].is_cut) continue;
    estimate->parts_done++;
    sensitivity += e->scores[i].e.sensitivity;
    specificity += e->scores[i].e.specificity;
  }
  const double n = estimate->parts_done;
  estimate->sensitivity = correct(own->sensitivity, sensitivity / n, yes);
  estimate->specificity = correct(own->specificity, specificity / n, 1 - yes);
  estimate->accuracy =
      (cases * estimate->sensitivity + controls * estimate->specificity) / (cases + controls);
  set_intervals(e, cases, controls, estimate);
}

/* ---- the run ---- */

void irl_estimate_options(const irl_options *options, irl_options *own) {
  irl_options usual; /* no option that the quick search would not obey */
  *own = *options;
  irl_options_clear_objects(own);
  own->search.prove = false;
  own->output.all_optimal = 0;
  own->output.within = 0;
  own->limits.threads = 1;
  if (options->search.method > IRL_METHOD_IRELAND) return;
  irl_options_init(&usual, sizeof usual);
  usual.search.seed = options->search.seed;
  usual.search.budgets = options->search.budgets;
  usual.search.effort = IRL_EFFORT_QUICK;
  own->search = usual.search;
}

/* The parts that the options ask for. */
static irl_status plan(estimator *e, const irl_options *options) {
  irl_resampling *p = &e->parts;
  const bool is_cv = options->output.validate == IRL_VALIDATE_CV;
  const uint32_t most = irl_units_most_folds(&p->units), wanted = is_cv ? CV_FOLDS : QUICK_FOLDS;
  uint32_t n_folds = wanted < most ? wanted : most;
  irl_status status = IRL_STATUS_OK;
  irl_estimate_options(options, &e->options);
  e->axes = irl_cv_one_setting(options);
  e->is_bootstrap = options->output.validate == IRL_VALIDATE_BOOTSTRAP;
  p->stream = IRL_ESTIMATE_STREAM;
  if (e->is_bootstrap) {
    p->draw = IRL_DRAW_TESTED_BAGS;
    p->n_folds = p->n_outer = BAGS;
  } else {
    if (p->table->folds.of) n_folds = irl_units_given_folds(p->table, &p->rows, NULL);
    status =
        irl_resampling_make_folds(p, n_folds, is_cv && !p->table->folds.of ? CV_REPEATS : 1, 0);
  }
  e->n_parts = p->n_outer;
  return status;
}

/* A quick estimate has a share of the work that the fit took: how many parts that is enough for. */
static void plan_quick(estimator *e, const irl_fit_result *result) {
  const double making = MAKING * result->data->n_features / 64.0 * result->data->n_samples;
  const double share = fmax(SHARE * (double)result->info.work, making < SMALL ? LEAST_WORK : 0);
  const double parts = share / (making + (double)result->info.best_work);
  e->enough_work = (1 + irl_tuning_usual.after) * result->info.best_work;
  if (parts < e->parts.n_folds) e->n_parts = (uint32_t)parts;
  const double each = e->n_parts ? share / e->n_parts - making : 0;
  e->limit.max_work = e->limit.planned_work = each < 1 ? 1 : (uint64_t)each;
}

/* What stands in the way of an estimate, whatever the rule will be; NULL: nothing. */
static const char *find_obstacle(const irl_options *options, const irl_resampling *p) {
  if (irl_units_most_folds(&p->units) < 2 && !p->table->folds.of)
    return p->units.are_groups ? "fewer than two groups have samples of a class"
                               : "a class has fewer than two samples";
  return options->search.pool ? "the clauses of a pool have seen all samples" : NULL;
}

/* Makes ready what does not depend on the rule: units, parts, folds. */
static irl_status prepare(irl_env *env, estimator *e, const irl_table *table, const irl_rows *rows,
                          const irl_options *options, const char **obstacle) {
  irl_resampling *p = &e->parts;
  e->is_right = irl_mem_alloc(&env->allocator, rows->n, 1);
  irl_status status = irl_resampling_init(env, p, table, rows, options, &e->limit);
  if (!status && !e->is_right) status = irl_fail_memory(env);
  if (!status) *obstacle = find_obstacle(options, p);
  if (status || *obstacle) return status;
  status = plan(e, options);
  if (status || e->is_bootstrap) return status;
  if (p->n_folds < 2 || irl_resampling_lacks_class(p, true)) /* nothing to learn from */
    *obstacle = table->folds.of
                    ? "without one of the given folds only one class is left to learn from"
                    : "without one of its folds only one class is left to learn from: the groups "
                      "of a class are too few";
  return status;
}

static void free_estimator(irl_env *env, estimator *e) {
  irl_mem_free(&env->allocator, e->is_right);
  irl_mem_free(&env->allocator, e->scores);
  irl_resampling_free(&e->parts);
}

irl_status irl_fit_check_validate(irl_env *env, const irl_table *table, const irl_options *options,
                                  const irl_rows *rows) {
  estimator e = {.n_parts = 0};
  const char *obstacle = NULL;
  irl_status status = prepare(env, &e, table, rows, options, &obstacle);
  if (!status && obstacle)
    status = irl_fail(env, options->search.pool ? IRL_STATUS_BAD_ARGUMENT : IRL_STATUS_BAD_INPUT,
                      "option validate: no estimate can be made, since %s", obstacle);
  free_estimator(env, &e);
  return status;
}

/* The bits of the data that the rule was learnt from, made again from a file that has them. */
static irl_status bring_back(const irl_resampling *p, const irl_options *options, irl_data *data) {
  irl_data *made = NULL;
  const irl_status status = irl_fit_code_rows(p->env, p->table, options, &p->rows, &p->rows, &made);
  if (status) return status;
  assert(made->n_features == data->n_features && made->n_cases == data->n_cases);
  IRL_SWAP(made->cases, data->cases);
  IRL_SWAP(made->controls, data->controls);
  irl_data_free(made);
  return IRL_STATUS_OK;
}

/* All parts. Where the genotypes stay in their file, the data of the rule make room for those of
 * the parts meanwhile. */
static irl_status run_parts(estimator *e, const irl_options *options, irl_fit_result *result) {
  irl_resampling *p = &e->parts;
  const irl_parts parts = {.n = e->n_parts,
                           .title = "validation",
                           .unit = e->is_bootstrap ? "bootstrap samples" : "folds",
                           .user = e,
                           .learn = learn};
  irl_data *aside = p->table->cell_file && !irl_comm_is_parallel(p->env) ? result->own_data : NULL;
  if (aside) {
    irl_bits_matrix_free(&aside->cases);
    irl_bits_matrix_free(&aside->controls);
  }
  const irl_status status = irl_resampling_run(p, &parts);
  const irl_status back = aside ? bring_back(p, options, aside) : IRL_STATUS_OK;
  e->is_lost = back != IRL_STATUS_OK;
  return back ? back : status;
}

static irl_status run(estimator *e, const irl_options *options, irl_fit_result *result) {
  const irl_resampling *p = &e->parts;
  irl_estimate *estimate = &result->estimate;
  irl_evaluation own = IRL_SIZED(irl_evaluation);
  irl_status status = run_parts(e, options, result);
  if (!status && e->is_bootstrap && p->units.are_groups)
    status = irl_fit_right(p->env, result->rule, result->data, p->labels, e->is_right);
  if (!status) status = irl_evaluate(p->env, result->rule, result->data, &own);
  if (status) return status;
  if (result->data->is_reflected) irl_evaluation_turn(&own);
  estimate->method = options->output.validate;
  estimate->parts = e->n_parts;
  estimate->folds = e->is_bootstrap ? 0 : p->n_folds;
  estimate->groups = p->units.are_groups ? p->units.n : 0;
  estimate->has_given_folds = p->table->folds.of != NULL;
  if (e->is_bootstrap)
    join_bags(e, &own, estimate);
  else
    join_folds(e, estimate);
  if (!estimate->parts_done)
    result->no_estimate = irl_limit_poll(&e->limit) ? "the limit was reached before"
                          : options->output.validate == IRL_VALIDATE_QUICK
                              ? "its searches were cut short; --validate cv gives them their time"
                              : "its searches were cut short by the limit on work";
  return IRL_STATUS_OK;
}

/* What else stands in the way once there is a rule, or none. */
static const char *find_late_obstacle(const irl_fit_result *result, const estimator *e) {
  if (isnan(result->info.objective)) return "there is no rule";
  if (result->data->shard) return "the data are divided among processes";
  if (irl_limit_poll(&e->limit)) return "the limit was reached before";
  return e->n_parts ? NULL
                    : "it would take more than a quarter of the work of the fit; "
                      "--validate cv makes it";
}

irl_status irl_fit_validate(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result) {
  estimator e = {.limit = *limit};
  const char **obstacle = &result->no_estimate;
  irl_status status = prepare(env, &e, table, rows, options, obstacle);
  if (!status && !*obstacle && options->output.validate == IRL_VALIDATE_QUICK)
    plan_quick(&e, result);
  if (!status && !*obstacle) *obstacle = find_late_obstacle(result, &e);
  if (!status && !*obstacle) {
    e.scores = irl_mem_alloc(&env->allocator, e.parts.n_outer, sizeof *e.scores);
    status = e.scores ? run(&e, options, result) : irl_fail_memory(env);
  }
  if (status)
    *obstacle =
        status == IRL_STATUS_NO_MEMORY ? "memory ran out" : "its folds cannot be learnt from";
  free_estimator(env, &e);
  return status == IRL_STATUS_BAD_INPUT && !e.is_lost ? IRL_STATUS_OK : status;
}

bool irl_fit_estimate(const irl_fit_result *result, irl_estimate *estimate) {
  return result && result->estimate.method && !result->no_estimate &&
         !irl_sized_copy_out(estimate, &result->estimate, sizeof *estimate);
}
