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
 * - holdout: one fold of five, learnt with the effort of the fit itself.
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
#include "search/parallel_jobs.h"
#include "search/tuning.h"
#include "validate/cv.h"
#include "validate/folds.h"
#include "validate/units.h"
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
#define ATTEMPTS    1000u /* to draw samples of both classes */

typedef struct estimator {
  irl_env *env;
  const irl_table *table;
  const irl_rows *rows;
  irl_options options; /* of the rules of the parts */
  irl_limit limit;     /* max_work: of each part */
  irl_cv_axes axes;    /* one setting */
  uint8_t *labels;
  irl_units units;
  uint8_t *is_right; /* with groups: of each row, by the rule of its fold or the own one */
  uint32_t n_folds, n_repeats; /* or bags, one repeat */
  uint32_t n_parts;            /* of all these, those to make */
  uint64_t enough_work;        /* of the search of a part; 0: all that it wants */
  int threads;                 /* of it; 0: one */
  bool is_bootstrap;
  bool is_lost;      /* the data of the rule could not be made again */
  uint32_t *fold_of; /* rows->n for each repeat */
  irl_cv_score *scores;
} estimator;

/* ---- parts ---- */

irl_status irl_estimate_draw_bag(irl_env *env, const irl_bags *from, irl_random *random,
                                 bool is_tested, irl_split *split) {
  const uint32_t n = from->rows->n;
  uint32_t *in = NULL, *out = irl_mem_alloc(&env->allocator, n, sizeof *out), n_in = 0, n_out = 0;
  uint8_t *is_in = irl_mem_alloc(&env->allocator, n, 1);
  bool is_mixed = false;
  irl_status status = out && is_in ? IRL_STATUS_OK : irl_fail_memory(env);
  *split = (irl_split){.train_rows = IRL_SIZED(irl_rows), .test_rows = IRL_SIZED(irl_rows)};
  for (unsigned attempt = 0; !is_mixed && !status && attempt < ATTEMPTS; attempt++) {
    uint32_t classes[2][2] = {{0}};
    n_out = 0;
    irl_mem_free(&env->allocator, in);
    status = irl_units_bag(env, from->units, random, &in, &n_in, is_in);
    for (uint32_t i = 0; i < n_in && !status; i++) {
      classes[0][from->labels[in[i]]]++;
      in[i] = irl_rows_sample(from->rows, in[i]);
    }
    for (uint32_t i = 0; i < n && !status && is_tested; i++)
      if (!is_in[i]) {
        out[n_out++] = irl_rows_sample(from->rows, i);
        classes[1][from->labels[i]]++;
      }
    is_mixed = classes[0][0] && classes[0][1] && (!is_tested || (classes[1][0] && classes[1][1]));
  }
  split->train_rows.samples = in;
  split->test_rows.samples = out;
  split->train_rows.n = n_in;
  split->test_rows.n = n_out;
  irl_mem_free(&env->allocator, is_in);
  return status;
}

static irl_status draw_bag(irl_env *env, const estimator *e, uint32_t number, irl_split *split) {
  const irl_bags bags = {e->rows, &e->units, e->labels};
  irl_random random;
  irl_random_init(&random, (uint64_t)e->options.search.seed, IRL_ESTIMATE_STREAM + number);
  return irl_estimate_draw_bag(env, &bags, &random, true, split);
}

/* Which rows of a fold its rule is right on. */
static void note_right(const estimator *e, uint32_t part, const uint8_t *predicted) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < e->rows->n; i++)
    if (e->fold_of[i] == part) e->is_right[i] = predicted[k++] == e->labels[i];
}

static irl_status run_part(irl_env *env, void *user, uint32_t part) {
  const estimator *e = user;
  irl_split split = {0};
  const uint32_t repeat = part / e->n_folds;
  irl_cv_score *score = &e->scores[part];
  irl_status status =
      e->is_bootstrap ? draw_bag(env, e, part, &split)
                      : irl_split_make(env, &split, e->rows,
                                       e->fold_of + (size_t)repeat * e->rows->n, part % e->n_folds);
  if (!status) status = irl_split_code(env, e->table, &e->options, &split);
  uint8_t *predicted = NULL;
  const bool is_noted = e->units.are_groups && !e->is_bootstrap && !repeat;
  if (!status && is_noted) {
    predicted = irl_mem_alloc(&env->allocator, split.test_rows.n, 1);
    if (!predicted) status = irl_fail_memory(env);
  }
  const irl_cv_fold fold = {.limit = &e->limit,
                            .train = split.train,
                            .test = split.test,
                            .table = e->table,
                            .test_rows = &split.test_rows,
                            .threads = e->threads,
                            .axes = &e->axes,
                            .scores = score,
                            .predicted = predicted,
                            .wants_train = true,
                            .enough_work = e->enough_work};
  if (!status) status = irl_cv_fold_run(env, &fold, &e->options);
  if (!status && predicted) note_right(e, part, predicted);
  irl_mem_free(&env->allocator, predicted);
  if (!status && split.train->is_reflected) {
    irl_evaluation_turn(&score->e);
    irl_evaluation_turn(&score->train);
  }
  irl_split_free(env, &split);
  return status;
}

/* ---- what comes of them ---- */

/* Intervals for as many samples of each class as independent ones would be worth, and for rules
 * that differ as those of the parts do. */
static void set_intervals(const estimator *e, double cases, double controls,
                          irl_estimate *estimate) {
  double n[2] = {controls, cases};
  for (int c = 0; c < 2 && e->units.are_groups; c++)
    n[c] /= irl_units_effect(&e->units, e->labels, e->is_right, c);
  irl_estimate_intervals_of_parts(e->scores, e->n_parts, n, estimate);
}

/* Counts of all folds of all repeats, as one of the repeats has them. */
static void join_folds(const estimator *e, uint32_t n_parts, irl_estimate *estimate) {
  double tp = 0, fp = 0, fn = 0, tn = 0;
  for (uint32_t i = 0; i < n_parts; i++) {
    const irl_evaluation *s = &e->scores[i].e;
    if (!e->scores[i].is_done || e->scores[i].is_cut) continue;
    estimate->parts_done++;
    tp += (double)s->tp;
    fp += (double)s->fp;
    fn += (double)s->fn;
    tn += (double)s->tn;
  }
  const double repeats = fmax(1, (double)estimate->parts_done / e->n_folds);
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
  for (uint32_t i = 0; i < e->n_folds; i++) {
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

static void take_quick_search(const irl_options *options, irl_options *own) {
  irl_options usual; /* no option that the quick search would not obey */
  if (options->search.method) return;
  irl_options_init(&usual, sizeof usual);
  usual.search.seed = options->search.seed;
  usual.search.budgets = options->search.budgets;
  usual.search.effort = IRL_EFFORT_QUICK;
  own->search = usual.search;
}

static void leave_out_proofs(const irl_options *options, irl_options *own) {
  *own = *options;
  irl_options_clear_objects(own);
  own->search.prove = false;
  own->output.all_optimal = 0;
  own->output.within = 0;
  own->limits.threads = 1;
}

void irl_estimate_options(const irl_options *options, irl_options *own) {
  leave_out_proofs(options, own);
  take_quick_search(options, own);
}

/* How many parts, by which options. */
static void plan(estimator *e, const irl_options *options) {
  const irl_validate how = options->output.validate;
  const bool is_cv = how == IRL_VALIDATE_CV;
  const uint32_t most = irl_units_most_folds(&e->units);
  leave_out_proofs(options, &e->options);
  e->n_repeats = is_cv ? CV_REPEATS : 1;
  e->n_folds = is_cv ? CV_FOLDS : QUICK_FOLDS;
  if (e->n_folds > most) e->n_folds = most;
  if (e->table->folds.of) e->n_repeats = 1;
  if (e->table->folds.of) e->n_folds = irl_units_given_folds(e->table, e->rows, e->fold_of);
  e->is_bootstrap = how == IRL_VALIDATE_BOOTSTRAP;
  if (e->is_bootstrap) e->n_folds = BAGS;
  if (how != IRL_VALIDATE_HOLDOUT) take_quick_search(options, &e->options);
  e->n_parts = how == IRL_VALIDATE_HOLDOUT ? 1 : e->n_folds * e->n_repeats;
  e->axes = (irl_cv_axes){.K = {{(double)options->rule.K}, 1},
                          .M = {{(double)options->rule.M}, 1},
                          .penalty = {{options->rule.penalty}, 1}};
}

/* A quick estimate has a share of the work that the fit took: how many parts that is enough for. */
static void plan_quick(estimator *e, const irl_fit_result *result) {
  const double making = MAKING * result->data->n_features / 64.0 * result->data->n_samples;
  const double share = fmax(SHARE * (double)result->info.work, making < SMALL ? LEAST_WORK : 0);
  const double parts = share / (making + (double)result->info.best_work);
  e->enough_work = (1 + irl_tuning_usual.after) * result->info.best_work;
  if (parts < e->n_folds) e->n_parts = (uint32_t)parts;
  const double each = e->n_parts ? share / e->n_parts - making : 0;
  e->limit.max_work = e->limit.planned_work = each < 1 ? 1 : (uint64_t)each;
}

static irl_status make_folds(estimator *e) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t r = 0; r < e->n_repeats && !status && !e->is_bootstrap && !e->table->folds.of;
       r++) {
    uint32_t *fold_of = e->fold_of + (size_t)r * e->rows->n;
    irl_random random;
    irl_random_init(&random, (uint64_t)e->options.search.seed, IRL_ESTIMATE_STREAM + r);
    status = irl_units_folds(e->env, &e->units, e->labels, &random, e->n_folds, fold_of);
  }
  return status;
}

/* Has a fold nothing to learn from? */
static const char *find_one_class(const estimator *e) {
  for (uint32_t r = 0; r < e->n_repeats && !e->is_bootstrap; r++)
    if (e->n_folds < 2 || irl_folds_lack_class(e->labels, e->fold_of + (size_t)r * e->rows->n,
                                               e->rows->n, e->n_folds, true))
      return e->table->folds.of
                 ? "without one of the given folds only one class is left to learn from"
                 : "without one of its folds only one class is left to learn from: the groups of "
                   "a class are too few";
  return NULL;
}

/* What stands in the way of an estimate, whatever the rule will be; NULL: nothing. */
static const char *find_obstacle(const irl_options *options, const estimator *e) {
  if (irl_units_most_folds(&e->units) < 2 && !e->table->folds.of)
    return e->units.are_groups ? "fewer than two groups have samples of a class"
                               : "a class has fewer than two samples";
  return options->search.pool ? "the clauses of a pool have seen all samples" : NULL;
}

/* Makes ready what does not depend on the rule: units, parts, folds. */
static irl_status prepare(estimator *e, const irl_options *options, const char **obstacle) {
  const irl_allocator *allocator = &e->env->allocator;
  const size_t n = e->rows->n;
  e->labels = irl_mem_alloc(allocator, n, 1);
  e->fold_of = irl_mem_alloc(allocator, n * CV_REPEATS, sizeof *e->fold_of);
  e->is_right = irl_mem_alloc(allocator, n, 1);
  if (!e->labels || !e->fold_of || !e->is_right) return irl_fail_memory(e->env);
  irl_fit_labels(e->table, e->rows, e->labels);
  irl_status status = irl_units_init(e->env, &e->units, e->table, e->rows, e->labels);
  if (!status) *obstacle = find_obstacle(options, e);
  if (status || *obstacle) return status;
  plan(e, options);
  status = make_folds(e);
  if (!status) *obstacle = find_one_class(e);
  return status;
}

static void free_estimator(estimator *e) {
  const irl_allocator *allocator = &e->env->allocator;
  irl_mem_free(allocator, e->labels);
  irl_mem_free(allocator, e->fold_of);
  irl_mem_free(allocator, e->is_right);
  irl_mem_free(allocator, e->scores);
  irl_units_free(e->env, &e->units);
}

irl_status irl_fit_check_validate(irl_env *env, const irl_table *table, const irl_options *options,
                                  const irl_rows *rows) {
  estimator e = {.env = env, .table = table, .rows = rows};
  const char *obstacle = NULL;
  irl_status status = prepare(&e, options, &obstacle);
  if (!status && obstacle)
    status = irl_fail(env, options->search.pool ? IRL_STATUS_BAD_ARGUMENT : IRL_STATUS_BAD_INPUT,
                      "option validate: no estimate can be made, since %s", obstacle);
  free_estimator(&e);
  return status;
}

/* The bits of the data that the rule was learnt from, made again from a file that has them. */
static irl_status bring_back(const estimator *e, const irl_options *options, irl_data *data) {
  irl_data *made = NULL;
  const irl_status status = irl_fit_code_rows(e->env, e->table, options, e->rows, e->rows, &made);
  if (status) return status;
  assert(made->n_features == data->n_features && made->n_cases == data->n_cases);
  IRL_SWAP(made->cases, data->cases);
  IRL_SWAP(made->controls, data->controls);
  irl_data_free(made);
  return IRL_STATUS_OK;
}

/* All parts. Where the genotypes stay in their file, the data of the rule make room for those of
 * the parts meanwhile. */
static irl_status run_parts(estimator *e, const irl_parallel_jobs *jobs, const irl_options *options,
                            irl_fit_result *result) {
  irl_data *aside = e->table->cell_file && !irl_comm_is_parallel(e->env) ? result->own_data : NULL;
  if (aside) {
    irl_bits_matrix_free(&aside->cases);
    irl_bits_matrix_free(&aside->controls);
  }
  const irl_status status = irl_parallel_jobs_run(jobs);
  const irl_status back = aside ? bring_back(e, options, aside) : IRL_STATUS_OK;
  e->is_lost = back != IRL_STATUS_OK;
  return back ? back : status;
}

static irl_status run(estimator *e, const irl_options *options, irl_fit_result *result) {
  irl_estimate *estimate = &result->estimate;
  const uint32_t n_parts = e->n_parts;
  const int threads = irl_threads(e->env, options->limits.threads);
  const irl_parallel_jobs jobs = {.env = e->env,
                                  .limit = &e->limit,
                                  .threads = irl_split_jobs(e->table, threads),
                                  .n = n_parts,
                                  .title = "validation",
                                  .unit = e->is_bootstrap ? "bootstrap samples" : "folds",
                                  .user = e,
                                  .run = run_part};
  irl_evaluation own = IRL_SIZED(irl_evaluation);
  if (jobs.threads == 1) e->threads = threads;
  irl_status status = run_parts(e, &jobs, options, result);
  if (!status && e->is_bootstrap && e->units.are_groups)
    status = irl_fit_right(e->env, result->rule, result->data, e->labels, e->is_right);
  if (!status) status = irl_evaluate(e->env, result->rule, result->data, &own);
  if (status) return status;
  if (result->data->is_reflected) irl_evaluation_turn(&own);
  estimate->method = options->output.validate;
  estimate->parts = n_parts;
  estimate->folds = e->is_bootstrap ? 0 : e->n_folds;
  estimate->groups = e->units.are_groups ? e->units.n : 0;
  estimate->has_given_folds = e->table->folds.of != NULL;
  if (e->is_bootstrap)
    join_bags(e, &own, estimate);
  else
    join_folds(e, n_parts, estimate);
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
                      "--validate holdout or cv makes it";
}

irl_status irl_fit_validate(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result) {
  estimator e = {.env = env, .table = table, .rows = rows, .limit = *limit};
  const char **obstacle = &result->no_estimate;
  irl_status status = prepare(&e, options, obstacle);
  if (!status && !*obstacle && options->output.validate == IRL_VALIDATE_QUICK)
    plan_quick(&e, result);
  if (!status && !*obstacle) *obstacle = find_late_obstacle(result, &e);
  if (!status && !*obstacle) {
    const size_t n_parts = (size_t)e.n_folds * e.n_repeats;
    e.scores = irl_mem_alloc(&env->allocator, n_parts, sizeof *e.scores);
    status = e.scores ? run(&e, options, result) : irl_fail_memory(env);
  }
  if (status)
    *obstacle =
        status == IRL_STATUS_NO_MEMORY ? "memory ran out" : "its folds cannot be learnt from";
  free_estimator(&e);
  return status == IRL_STATUS_BAD_INPUT && !e.is_lost ? IRL_STATUS_OK : status;
}

bool irl_fit_estimate(const irl_fit_result *result, irl_estimate *estimate) {
  return result && result->estimate.method && !result->no_estimate &&
         !irl_sized_copy_out(estimate, &result->estimate, sizeof *estimate);
}
